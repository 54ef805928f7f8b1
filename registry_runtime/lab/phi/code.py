"""The texts that a kernel became on its way to the machine: to be read, or printed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from registry_runtime.kernels import gpu
from registry_runtime.kernels.machine_code import HotLoop, hot_loop, simd_width
from registry_runtime.kernels.ptx import ptx
from registry_runtime.kernels.template import Instance
from registry_runtime.phi.call.kernel_call import instance_of
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel import Kernel
from registry_runtime.phi.kernel_template import KernelError

Language = Literal["assembly", "LLVM IR", "CUDA", "PTX"]
_OF_A_LIBRARY = "a library's functions do the work: it has no CUDA source of ours"


@dataclass(frozen=True, slots=True)
class Code:
    """One such text, and what is to be said of it."""

    title: str
    language: Language
    text: str
    told: str = ""


def codes_of(instance: Instance) -> Iterator[Code]:
    """What there is to read. On the CPU, where it is built: the loop in which the time is spent, all
    of the assembly, the LLVM IR. For the GPU, whether there is one or not: CUDA source and PTX."""
    if instance.backend == "GPU":
        source = gpu.source(instance.template, instance.dtype)
        told = "" if source else _OF_A_LIBRARY
        yield Code("CUDA", "CUDA", source, told)
        try:
            yield Code("PTX", "PTX", ptx(instance.template, instance.dtype), told)
        except KernelError as error:
            yield Code("PTX", "PTX", "", str(error))
        return
    built = instance.build()
    assembly = built.code()
    loop = hot_loop(assembly)
    if loop is not None:
        told = f"{loop.instructions} instructions; {_width(loop, instance.dtype)}"
        yield Code("Loop", "assembly", loop.text, told)
    widest = simd_width(assembly)
    yield Code("Asm", "assembly", assembly, f"registers up to {widest} bits" * bool(widest))
    llvm = built.llvm()
    yield Code("LLVM", "LLVM IR", llvm, "" if llvm else "Numba keeps no LLVM IR of this kernel")


def listing(kernel: Kernel, how: Literal["loop", "all", "llvm"]) -> Iterator[str]:
    """The machine code behind a kernel: its hot loop, all of it, or LLVM's form of it.

    For a GPU it is CUDA source. Raises KernelError for a kernel that is only declared.
    """
    instance: Instance = instance_of(kernel)
    if instance.backend == "GPU":  # which nobody need have, to read it
        yield gpu.source(instance.template, instance.dtype) or _OF_A_LIBRARY
        return
    build = instance.build()
    if how == "llvm":
        yield build.llvm() or "Numba keeps no LLVM IR of this kernel."
        return
    code = build.code()
    loop = hot_loop(code)
    if how == "all" or loop is None:
        yield code
        return
    total = sum(line.startswith("\t") and not line.startswith("\t.") for line in code.splitlines())
    yield f"kernel  {kernel.function}"
    yield f"width   {_width(loop, instance.dtype)}"
    yield f"loop    {loop.instructions} of {total} instructions; --asm all shows the others"
    yield ""
    yield loop.text


def _width(loop: HotLoop, dtype: DataType) -> str:
    lanes = loop.bits // (8 * dtype.numpy.itemsize)
    return f"{loop.bits} bits, {lanes} of {dtype} at a time" if loop.bits else "no vectors"
