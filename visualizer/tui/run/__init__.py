"""Kernels and operators run and measured on what the reader chooses."""
