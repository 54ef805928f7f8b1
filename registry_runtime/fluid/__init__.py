"""Fluid, what PaddlePaddle was before PHI: operators and kernels as classes, in its own vocabulary.

`registry_runtime.fluid.runtime.Runtime` is one world, on top of one of PHI's.
"""
