"""The compute: Python kernels that carry the names of C++ ones, one file a family of operators.

A registration names a C++ function template, `phi::BitwiseAndKernel`; `find` looks it up here. A
kernel that nobody wrote in Python has no entry, and registers as declared only. Finding a kernel
imports neither Numba nor CuPy: those come with the first build.
"""

from registry_runtime.kernels.bitwise import (
    BitwiseAndKernel,
    BitwiseNotKernel,
    BitwiseOrKernel,
    BitwiseXorKernel,
)
from registry_runtime.kernels.full_batch_size_like import FullBatchSizeLikeKernel
from registry_runtime.kernels.template import (
    Build,
    Instance,
    KernelError,
    KernelTemplate,
    Parameter,
)

__all__ = ["Build", "Instance", "KernelError", "KernelTemplate", "Parameter", "find", "library"]

_LIBRARY = {
    template.name: template
    for template in (
        BitwiseAndKernel,
        BitwiseNotKernel,
        BitwiseOrKernel,
        BitwiseXorKernel,
        FullBatchSizeLikeKernel,
    )
}


def find(qualified_name: str) -> KernelTemplate | None:
    """The kernel template of this C++ name (`phi::BitwiseAndKernel`), or None: not written."""
    return _LIBRARY.get(qualified_name.removeprefix("::"))


def library() -> tuple[KernelTemplate, ...]:
    """Every kernel template, by name."""
    return tuple(_LIBRARY[name] for name in sorted(_LIBRARY))
