"""Autograd: how results know what they were computed from, and the way back to the gradients."""
