"""A stand-in for CuPy that runs our CUDA sources on the CPU: g++ compiles them against cuda_on_cpu.h.

The launches, and the planning before them, are those of `registry_runtime.kernels`, and arrays are
NumPy's. Sources that come up while `recording` are compiled in one go, which takes a tenth of the time;
and whoever else has the same folder finds them compiled.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from registry_runtime.kernels import cuda_source

FLAGS = ("-std=c++17", "-O1", "-fwrapv", "-fcx-limited-range", "-ffp-contract=off", "-w")


class DeviceArray(np.ndarray[Any, Any]):
    """An array that says that it lies on a GPU."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return dict(self.__array_interface__)

    @property
    def data(self) -> Any:  # type: ignore[override]
        return SimpleNamespace(ptr=self.ctypes.data)


class Cupy:
    """What `registry_runtime.kernels` uses of the module `cupy`; the rest is NumPy's."""

    ndarray = DeviceArray
    __version__ = "stand-in"
    __file__ = __file__

    def __init__(self, folder: Path) -> None:
        self.folder, self.turned, self.is_recording = folder, False, False
        self.namespaces: dict[str, str] = {}
        self.libraries: dict[str, ctypes.CDLL] = {}
        self.cuda = SimpleNamespace(
            runtime=SimpleNamespace(getDeviceCount=lambda: 1, CUDARuntimeError=RuntimeError),
            nvrtc=Nvrtc,
            Device=lambda: SimpleNamespace(compute_capability="cpu"),
            Module=lambda: Module(self),
            get_cuda_path=lambda: None,
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def asarray(self, array: Any) -> DeviceArray:
        return np.asarray(array).view(DeviceArray)

    def empty(self, shape: Any, dtype: Any) -> DeviceArray:
        array = np.empty(shape, dtype)
        array.view(np.uint8 if array.ndim else dtype).fill(1)  # the same each time, and never right
        return array.view(DeviceArray)

    def broadcast_to(self, array: Any, shape: tuple[int, ...]) -> Any:
        return np.broadcast_to(array, shape, subok=True)

    def ascontiguousarray(self, array: Any) -> DeviceArray:
        return np.ascontiguousarray(array).view(DeviceArray)

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Nothing runs; at the end, whatever came up is compiled."""
        self.is_recording = True
        yield
        self.is_recording = False
        self.compile(list(self.namespaces))

    def namespace(self, code: str) -> str:
        return self.namespaces.setdefault(code, f"kernels{len(self.namespaces)}")

    def compile(self, codes: list[str]) -> None:
        header = Path(__file__).with_name("cuda_on_cpu.h")
        text = f'#include "{header}"\n' + "".join(map(self._wrapped, codes))
        source = self.folder / f"cuda-{sha256(text.encode()).hexdigest()[:16]}.cc"
        library = source.with_suffix(".so")
        with source.open("a+") as held:
            flock(held, LOCK_EX)  # another worker may be at it: then its library is waited for
            if not library.exists():
                source.write_text(text)
                self._build(source, library)
        self.libraries.update(dict.fromkeys(codes, ctypes.CDLL(str(library))))

    def _build(self, source: Path, library: Path) -> None:
        made = library.with_suffix(".new")
        command = ("g++", *FLAGS, "-shared", "-fPIC", str(source), "-o", str(made))
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr[:4000]
        made.rename(library)

    def _wrapped(self, code: str) -> str:
        space, text = self.namespace(code), code.replace('extern "C" ', "")
        macros = "".join(f"#undef {name}\n" for name in re.findall(r"#define (\w+)", text))
        launchers = "".join(
            f'extern "C" const char* {space}_{kernel}(\n'
            "    const unsigned* dims, int count, void** arguments, const int* sizes) {\n"
            f"  return launch({space}::{kernel}, dims, count, arguments, sizes);\n}}\n"
            for kernel in re.findall(r"__global__ void (\w+)", text)
        )
        return f"namespace {space} {{\n{text}\n}}\n{macros}{launchers}"

    def launch(
        self, code: str, kernel: str, grid: tuple[int, ...], block: tuple[int], args: Any
    ) -> None:
        space = self.namespace(code)
        if self.is_recording:
            return
        if code not in self.libraries:
            self.compile([code])
        function = getattr(self.libraries[code], f"{space}_{kernel}")
        function.restype = ctypes.c_char_p
        held = [_by_value(arg) for arg in args]
        pointers = (ctypes.c_void_p * len(held))(*(value.ctypes.data for value in held))
        sizes = (ctypes.c_int * len(held))(*(value.itemsize for value in held))
        dims = (ctypes.c_uint * 4)(*(max(1, n) for n in (*grid, 1)[:2]), *block, self.turned)
        wrong = function(dims, len(held), pointers, sizes)
        assert not wrong, f"{kernel}: {wrong.decode()}"


def _by_value(arg: Any) -> np.ndarray[Any, Any]:
    """What CuPy passes for it, in memory."""
    if isinstance(arg, np.ndarray):
        assert arg.flags.c_contiguous
        return np.array([arg.ctypes.data], np.uintp)
    kinds = {bool: np.bool, int: np.int64, float: np.float64}
    return np.array([arg], kinds.get(type(arg)))


class Nvrtc:
    """NVRTC, whose programs are their sources."""

    NVRTCError = RuntimeError

    @staticmethod
    def getVersion() -> str:
        return "stand-in"

    @staticmethod
    def createProgram(source: str, name: str, headers: Any, included: Any) -> str:
        return source

    @staticmethod
    def compileProgram(program: str, flags: Any) -> None: ...

    @staticmethod
    def getCUBIN(program: str) -> bytes:
        return program.removeprefix(cuda_source.HEADERS).encode()


class Module:
    def __init__(self, cupy: Cupy) -> None:
        self.cupy, self.code = cupy, ""

    def load(self, code: bytes) -> None:
        self.code = code.decode()
        self.cupy.namespace(self.code)

    def get_function(self, name: str) -> Any:
        assert re.search(rf'extern "C" __global__ void {name}\(', self.code)

        def kernel(grid: tuple[int, ...], block: tuple[int], args: tuple[Any, ...]) -> None:
            self.cupy.launch(self.code, name, grid, block, args)

        return kernel
