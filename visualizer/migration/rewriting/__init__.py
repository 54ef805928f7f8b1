"""Fluid's idioms in C++, and PHI's in their place: a module for each kind of them."""
