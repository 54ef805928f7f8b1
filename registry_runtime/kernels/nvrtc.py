"""NVRTC, the compiler of CUDA C++ that a program calls while it runs: to PTX, or to machine code.

It takes a library and headers, and neither a driver nor a device. CuPy could call it as well, but
would have every kernel flush denormal numbers to zero, whatever flags it is given. NumPy keeps them,
and so does nvcc, which makes PyTorch's and Paddle's kernels.
"""

from __future__ import annotations

import importlib
import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from registry_runtime.native import private_cache
from registry_runtime.phi.kernel_template import KernelError

_INSTALL = "pip install 'unfold[gpu]' brings what is missing"
_FLAGS = ("-std=c++17", "--device-as-default-execution-space")


class NotInstalled(KernelError):
    """NVRTC can't be loaded."""


def ptx(source: str, name: str, architecture: str = "sm_90") -> str:
    """The PTX of CUDA source that is called `name` in errors.

    Raises NotInstalled where NVRTC is missing, KernelError where a header is, or with NVRTC's log
    where it objects.
    """
    nvrtc, program = _compiled(source, name, (f"-arch={architecture}",))
    text = nvrtc.getPTX(program)
    return (text.decode() if isinstance(text, bytes) else str(text)).strip("\0")


def loaded(cupy: Any, source: str, name: str, *flags: str) -> Any:
    """The source as machine code of the device that is there; `get_function` finds its kernels.

    What was compiled once is kept in the user's cache. Raises as `ptx` does.
    """
    flags = (*flags, f"-arch=sm_{cupy.cuda.Device().compute_capability}")
    kept = _place(cupy, source, flags)
    module = cupy.cuda.Module()
    if kept is not None:
        # It isn't there yet, or is damaged, of which each driver has an error of its own.
        with suppress(Exception):
            module.load(kept.read_bytes())
            return module
    nvrtc, program = _compiled(source, name, flags)
    code = bytes(nvrtc.getCUBIN(program))
    module.load(code)
    if kept is not None:
        with suppress(OSError):
            new = kept.with_suffix(f".{os.getpid()}")
            new.write_bytes(code)
            new.replace(kept)
    return module


def _compiled(source: str, name: str, flags: tuple[str, ...]) -> tuple[Any, Any]:
    try:
        import cupy

        nvrtc = cupy.cuda.nvrtc
        program = nvrtc.createProgram(source, "kernel.cu", (), ())
    except (ImportError, RuntimeError) as error:
        raise NotInstalled(
            f"a GPU's kernels are compiled by NVRTC, which can't be loaded ({error}): {_INSTALL}"
        ) from None
    folders = (f"-I{folder}" for folder in _headers())
    try:
        nvrtc.compileProgram(program, (*_FLAGS, *flags, *folders))
    except nvrtc.NVRTCError:
        log = str(nvrtc.getProgramLog(program)).strip("\0 \n")
        raise KernelError(f"NVRTC does not compile {name}: {log}\n{_INSTALL}") from None
    return nvrtc, program


def _place(cupy: Any, source: str, flags: tuple[str, ...]) -> Path | None:
    """Where the machine code lies, or will; None where no folder is ours alone."""
    folder = private_cache.trusted(private_cache.folder("cuda"))
    made_of = repr((source, flags, cupy.cuda.nvrtc.getVersion(), cupy.__version__))
    return folder and folder / f"{sha256(made_of.encode()).hexdigest()}.cubin"


def _headers() -> tuple[Path, ...]:
    """The folders of CuPy's headers, and of CUDA's: of packages, then of a toolkit."""
    import cupy

    ours = Path(cupy.__file__).parent / "_core" / "include"
    cccl = ours / "cupy" / "_cccl"
    packages: list[str] = []
    with suppress(ImportError):
        packages = list(importlib.import_module("nvidia").__path__)
    theirs = [h.parent for p in packages for h in Path(p).glob("*/include/cuda_fp16.h")]
    if toolkit := cupy.cuda.get_cuda_path():
        theirs.append(Path(toolkit) / "include")
    return (ours, cccl / "libcudacxx", cccl / "thrust", cccl / "cub", *theirs)
