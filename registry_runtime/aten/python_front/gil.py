"""The global interpreter lock, let go of while an operator computes.

PyTorch's binding holds `pybind11::gil_scoped_release` around the call of the operator: from there
on nothing touches Python's objects, and other Python threads may run. Our dispatcher is Python
itself and needs the lock; what runs without it is the compiled loop, which Numba builds with
`nogil=True`. So this marks where PyTorch lets go, for those who watch, and does nothing.
"""

from __future__ import annotations

from types import TracebackType

from registry_runtime.aten.python_front.operators import Tell


class gil_scoped_release:
    """`pybind11::gil_scoped_release no_gil;`: until the block ends."""

    __slots__ = ("_tell",)

    def __init__(self, tell: Tell | None) -> None:
        self._tell = tell

    def __enter__(self) -> None:
        if self._tell is not None:
            self._tell("The GIL is released: other Python threads may run now.")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._tell is not None:
            self._tell("The GIL is taken back.")
