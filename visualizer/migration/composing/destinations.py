"""Where a piece goes, and how another includes it.

PHI keeps declarations apart from implementations, and these apart by device, so that a program may be
built with some of them only. Paddle's own operators include Paddle's headers from the root of its
source tree. Files that include their framework's headers without any path, as our samples do, get new
ones that do the same.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from visualizer.migration.reading.signature import Signature

FOLDERS = {"CPU": "cpu", "GPU": "gpu", "GPUDNN": "gpudnn", "XPU": "xpu", "OneDNN": "onednn"}
CONTEXTS = {
    "CPU": "paddle/phi/backends/cpu/cpu_context.h",
    "GPU": "paddle/phi/backends/gpu/gpu_context.h",
    "GPUDNN": "paddle/phi/backends/gpu/gpu_context.h",
    "XPU": "paddle/phi/backends/xpu/xpu_context.h",
    "OneDNN": "paddle/phi/backends/onednn/onednn_context.h",
}
# What there is of PHI's headers without a path: the samples' own.
_SHORT = {
    "paddle/phi/core/dense_tensor.h": "phi.h",
    "paddle/phi/core/kernel_registry.h": "kernel_registry.h",
    "paddle/phi/core/compat/op_utils.h": "op_utils.h",
    "paddle/phi/core/enforce.h": "enforce.h",
    "paddle/phi/core/meta_tensor.h": "infermeta_utils.h",
    "paddle/phi/core/infermeta_utils.h": "infermeta_utils.h",
    "paddle/fluid/framework/infershape_utils.h": "infershape_utils.h",
    "paddle/fluid/framework/op_registry.h": "op_registry.h",
}


@dataclass(frozen=True, slots=True)
class SourceTree:
    """`in_paddle`: as in Paddle's source tree, whose files include "paddle/…"."""

    in_paddle: bool

    def path(self, path: str) -> str:
        """Where a piece stands, from the root of the source tree."""
        return f"paddle/{path}" if self.in_paddle else path

    def include(self, header: str) -> str:
        """The line that includes one of PHI's or Fluid's headers; "" if there is none to
        include."""
        if not self.in_paddle:
            header = _SHORT.get(header, "")
        return f'#include "{header}"\n' if header else ""

    def include_registry(self, all_types: bool) -> str:
        """The line for PD_REGISTER_KERNEL, or for its sister for kernels without T."""
        if all_types and not self.in_paddle:
            return '#include "all_dtypes.h"\n'
        return self.include("paddle/phi/core/kernel_registry.h")

    def include_piece(self, piece: str, other: str) -> str:
        """The line by which one piece includes another."""
        if self.in_paddle:
            return f'#include "{other}"\n'
        return f'#include "{posixpath.relpath(other, posixpath.dirname(piece))}"\n'


def _is_fused(op_type: str) -> bool:
    """Whether an operator is several in one: those have a folder and a namespace of their own."""
    return op_type.startswith(("fused_", "fusion_"))


def namespace_of(op_type: str, stays_in_fluid: bool) -> str:
    """In which a kernel is declared."""
    if stays_in_fluid:
        return "paddle::operators"
    return "phi::fusion" if _is_fused(op_type) else "phi"


def kernels_folder(op_type: str, stays_in_fluid: bool) -> str:
    """The folder in which its header stands, with a folder for each device below it."""
    if stays_in_fluid:
        return "fluid/operators"
    return "phi/kernels/fusion" if _is_fused(op_type) else "phi/kernels"


def infer_meta_file(signature: Signature) -> str:
    """Counted by tensors that come in; a gradient's function is in backward."""
    if signature.is_gradient:
        return "backward"
    inputs = signature.of("input")
    if any(p.many for p in inputs) or len(inputs) > 3:
        return "multiary"
    return ("nullary", "unary", "binary", "ternary")[len(inputs)]
