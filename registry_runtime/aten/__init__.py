"""PyTorch's dispatcher and what fills it, in PyTorch's own vocabulary.

`registry_runtime.aten.runtime.Runtime` is one world: texts register into it, calls run through it.
"""
