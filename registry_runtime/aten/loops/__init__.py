"""The loops over memory in which an element-wise kernel spends its time.

From the outside in, under PyTorch's names: `cpu_kernel_vec` is what a kernel calls; `for_each` cuts
the elements into pieces, one for each thread, and each piece into two-dimensional steps;
`VectorizedLoop2d` walks over such a step in the way that its strides allow; `vectorized` says how many
elements a register holds. Importing the package is cheap: what needs Numba imports it when called.
"""
