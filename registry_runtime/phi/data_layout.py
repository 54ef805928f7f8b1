"""PHI's data layouts: how the elements lie in memory. The second member of a kernel's key.

Two ideas share this enumeration (`paddle/common/layout.h`), as Paddle's own notes regret: what kind
of tensor it is (sparse, strided), and in which order a dense one keeps its axes (NHWC, NCHW).
Nearly all kernels are registered with `ALL_LAYOUT`, which is another word for `UNDEFINED`.
"""

from __future__ import annotations

from types import MappingProxyType

from registry_runtime.cpp_enum import CppEnum


class DataLayout(CppEnum):
    """`phi::DataLayout`. `str()` gives what Paddle prints: `NCHW`, `Undefined(AnyLayout)`."""

    UNDEFINED = 0
    NHWC = 1
    NCHW = 2
    NCDHW = 3
    NDHWC = 4
    ONEDNN = 5
    SPARSE_COO = 6
    SPARSE_CSR = 7
    PSTRING_UNION = 8
    STRIDED = 9
    NUM_DATA_LAYOUTS = 10

    # Aliases, as in C++; those with a k are Fluid's.
    ANY = 0
    ALL_LAYOUT = 0
    kAnyLayout = 0
    kNHWC = 1
    kNCHW = 2
    kNCDHW = 3
    kNDHWC = 4
    kMKLDNN = 5

    def __str__(self) -> str:
        return "Undefined(AnyLayout)" if self is DataLayout.UNDEFINED else self.name


_SPELLINGS = MappingProxyType(
    {
        "NHWC": DataLayout.NHWC,
        "NCHW": DataLayout.NCHW,
        "ANYLAYOUT": DataLayout.ANY,
        "UNDEFINED(ANYLAYOUT)": DataLayout.ANY,
        "MKLDNNLAYOUT": DataLayout.ONEDNN,
        "ONEDNNLAYOUT": DataLayout.ONEDNN,
        "SPARSE_COO": DataLayout.SPARSE_COO,
        "SPARSE_CSR": DataLayout.SPARSE_CSR,
        "NDHWC": DataLayout.NDHWC,
        "PSTRING_UNION": DataLayout.PSTRING_UNION,
        "NCDHW": DataLayout.NCDHW,
        "STRIDED": DataLayout.STRIDED,
    }
)
