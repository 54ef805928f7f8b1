"""How fast the kernels are: beside NumPy, PyTorch, Paddle and CuPy, and beside the memory's limit.

`sweep` measures row by row, so that whoever asked can draw what is there, and stop. This package
prints nothing: `unfold bench` and the benchmark screen do.
"""
