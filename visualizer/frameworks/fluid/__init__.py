"""How Fluid's operators and kernels are told: their names, their two keys, their calls."""
