"""InferMeta: what an operator's outputs look like, worked out from its inputs before it runs.

PHI keeps these functions apart from the kernels, for they are the same on every device, and sorts
them by how many tensors they take: `nullary`, `unary`, `binary`, `ternary`, `multiary`; `backward` has
gradients', `fusion` and `fused_attention` those of several operators in one. Each takes `MetaTensor`s
and attributes in PHI's order and fills the MetaTensors of the outputs; a wrong argument raises what PHI
throws, in its words. Data types that it leaves UNDEFINED are set by the kernel's registration.

Source: `paddle/phi/infermeta/*.h` of Paddle 3.3.1; what is refused, and how, was tried out there.
"""
