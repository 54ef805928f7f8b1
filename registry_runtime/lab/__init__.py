"""The laboratory: what is registered is tried here, for those who want to see it work.

Values that somebody types, inputs that are made up, a run, the comparison with NumPy and the time are
one idea each, and stand in a module of this folder. `phi`, `aten` and `fluid` say what they are for a
kernel of PHI's, for an operator of PyTorch's and for one of Fluid's.
"""
