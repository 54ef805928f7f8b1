"""Which instruction set the CPU kernels of this process are taken from.

PyTorch compiles the files in `native/cpu` once for each instruction set that it knows of, with other
flags each time, and keeps all of the results. What the processor can do is found out once, when a
kernel is first asked for; `ATEN_CPU_CAPABILITY` overrides it. The enumeration has one set of values
for each kind of processor, and they share numbers: 1 is VSX on POWER, ZVECTOR on IBM Z, SVE256 on
ARM and AVX2 on x86.

Source: `aten/src/ATen/native/DispatchStub.h`, `DispatchStub.cpp`.
"""

from __future__ import annotations

import os
import platform
import warnings
from collections.abc import Mapping
from enum import Enum
from functools import cache

_X86 = ("x86_64", "AMD64", "i386", "i686")


class CPUCapability(Enum):
    """A CPU slot of a `DispatchStub`. The name is the slot's, the value PyTorch's number."""

    DEFAULT = ("", 0)
    VSX = ("ppc", 1)
    ZVECTOR = ("s390x", 1)
    SVE256 = ("aarch64", 1)
    SVE128 = ("aarch64", 2)
    AVX2 = ("x86", 1)
    AVX512 = ("x86", 2)

    @property
    def number(self) -> int:
        """What `static_cast<int>` gives: a greater one includes the lesser ones."""
        return self.value[1]

    def __str__(self) -> str:
        return self.name


def family(machine: str | None = None) -> str:
    """Which values of the enumeration a build for this processor has: `x86`, `aarch64`, …"""
    machine = platform.machine() if machine is None else machine
    if machine in _X86:
        return "x86"
    if machine.startswith("ppc"):
        return "ppc"
    return {"arm64": "aarch64"}.get(machine, machine)


def capabilities(of: str | None = None) -> tuple[CPUCapability, ...]:
    """The values that the enumeration has in such a build, the least first."""
    of = family() if of is None else of
    return tuple(c for c in CPUCapability if c.value[0] in ("", of))


def compute_cpu_capability(
    environ: Mapping[str, str], features: frozenset[str], of: str | None = None
) -> CPUCapability:
    """What `ATEN_CPU_CAPABILITY` in `environ` says, otherwise what the processor's features allow.

    `features` are LLVM's names of them (`avx512vl`, `fma`, …). A value that this build doesn't know
    is ignored with PyTorch's warning. On x86 what the variable asks for is given even where the
    processor doesn't have it, as in PyTorch, which would stop there at an illegal instruction.
    """
    of = family() if of is None else of
    if (asked := environ.get("ATEN_CPU_CAPABILITY")) is not None:
        for capability in capabilities(of):
            if asked != capability.name.lower():
                continue
            if of == "aarch64" and not _NEEDS.get(capability, frozenset()) <= features:
                warnings.warn(
                    f"{capability} capability not available on hardware. Falling back to DEFAULT",
                    stacklevel=2,
                )
                return CPUCapability.DEFAULT
            return capability
        warnings.warn(f"ignoring invalid value for ATEN_CPU_CAPABILITY: {asked}", stacklevel=2)
    for capability in reversed(capabilities(of)):
        if _NEEDS.get(capability, _NEVER) <= features:
            return capability
    return CPUCapability.DEFAULT


_NEVER = frozenset({"no processor has this"})
_NEEDS: Mapping[CPUCapability, frozenset[str]] = {
    CPUCapability.AVX512: frozenset({"avx512vl", "avx512bw", "avx512dq", "fma"}),
    CPUCapability.AVX2: frozenset({"avx2", "fma"}),
    # How long its vectors are a processor doesn't say in its features: a program must ask.
    CPUCapability.SVE256: frozenset({"sve", "bf16", "vectors of 256 bits"}),
    CPUCapability.SVE128: frozenset({"sve", "bf16", "vectors of 128 bits"}),
    CPUCapability.VSX: frozenset(),
    CPUCapability.ZVECTOR: frozenset({"vector-enhancements-1"}),
}


@cache
def processor_features() -> frozenset[str]:
    """The processor's features under LLVM's names."""
    import llvmlite.binding as llvm  # a tenth of a second, and many a program calls nothing

    return frozenset(name for name, has in llvm.get_host_cpu_features().items() if has)


@cache
def get_cpu_capability() -> CPUCapability:
    """The capability of this process, found out at the first call and never again."""
    return compute_cpu_capability(os.environ, processor_features())


def can_run(capability: CPUCapability) -> bool:
    """Whether this processor has the instructions. A variant that can't be run is still compiled."""
    if capability is CPUCapability.DEFAULT:
        return True
    return capability in capabilities() and _NEEDS.get(capability, _NEVER) <= processor_features()
