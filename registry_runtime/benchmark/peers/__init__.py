"""Who else computes it: NumPy, PyTorch, Paddle and CuPy, each with its calls in a file of its own.

A peer works on the same memory as the kernel, wrapped in its own tensor, and is called in the fastest
way that its documentation offers. What a library has no function for, or no data type, it is absent
from. A library is imported, which takes seconds, when it is opened.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from registry_runtime.kernels.template import Ragged
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.scalar import Scalar

NAMES = ("numpy", "torch", "paddle", "cupy")
ON = {"CPU": ("numpy", "torch", "paddle"), "GPU": ("cupy", "torch", "paddle")}

_INSTALL = {
    "numpy": "pip install numpy",
    "torch": "pip install torch",
    "paddle": "pip install paddlepaddle, or paddlepaddle-gpu",
    "cupy": "pip install 'unfold[gpu]', for CUDA 13",
}

# Takes a kernel's arguments, in the library's types; gives a function and what to pass to it.
Call = Callable[..., tuple[Any, ...]]


class LibraryError(Exception):
    """A library can't be used here; the message says why and what to do."""


class Absent(Exception):
    """The library has no such call, not for this dtype, or not with these attributes."""


@dataclass(frozen=True)
class Library:
    """A library that is loaded, for one backend.

    calls: for each PHI kernel that it has a counterpart of, how to call that.
    tensor: an array of NumPy's, or CuPy's on the GPU, to the library's tensor over the same memory.
    dtype: its name for a data type; both raise whatever the library raises where it has none.
    dtype_of: the data type of its tensor, as PHI prints it.
    wait: returns when the device has done what it was asked to.
    in_line: whether it puts its work on the GPU into the queue that our kernels use.
    measuring: the context in which its calls cost least.
    """

    name: str
    version: str
    calls: Mapping[str, Call]
    tensor: Callable[[Any], Any]
    dtype: Callable[[DataType], Any]
    dtype_of: Callable[[Any], str]
    wait: Callable[[], object] = lambda: None
    in_line: bool = False
    measuring: Callable[[], contextlib.AbstractContextManager[Any]] = contextlib.nullcontext


def open_library(name: str, backend: str) -> Library:
    """The library of this name, for `CPU` or `GPU`.

    Raises LibraryError where it isn't installed, or has nothing for that backend.
    """
    if name not in ON[backend]:
        raise LibraryError(f"{name} does not compute on the {backend}")
    try:
        with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")  # paddle misses ccache, and minds our threads
            module = importlib.import_module(f"{__name__}.{name}_calls")
    except ImportError as error:
        hint = f"install it ({_INSTALL[name]}), or leave it out of --against"
        raise LibraryError(f"{name} can't be imported ({error}): {hint}") from None
    library: Library = module.library(backend)
    return library


def installed(name: str) -> bool:
    """Whether an import would find it; nothing is imported."""
    return importlib.util.find_spec(name) is not None


def call(kernel: str, library: Library, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """A function of the library, and its arguments, that do what the kernel (`bitwise_and`) does.

    Raises Absent where the library can't. Whether it can do the dtype, only calling it tells.
    """
    if kernel not in library.calls:
        raise Absent(f"{library.name} has no {kernel}")
    try:
        return library.calls[kernel](*(_converted(library, argument) for argument in arguments))
    except Absent:
        raise
    except Exception as error:  # each has errors of its own for a dtype that it lacks
        raise Absent(f"{library.name}: {error}") from None


def _converted(library: Library, argument: Any) -> Any:
    if isinstance(argument, DenseTensor):
        if argument.lod:
            return Ragged(library.tensor(argument.data), argument.lod)
        argument = argument.data
    if isinstance(argument, DataType):
        return None if argument is DataType.UNDEFINED else library.dtype(argument)
    if isinstance(argument, Scalar):
        value = argument.value
        return value.item() if hasattr(value, "item") else value
    return library.tensor(argument) if hasattr(argument, "dtype") else argument
