"""`PythonFront`: `a + 1`, `1 + a`, `a += 1` and `a.add(b, alpha=2)` for one world's dispatcher.

Two ways lead to the operator and give the same. The long one goes through the method table and the
argument parser, step by step, and can tell them. The short one asks in one line what the parser
finds out about nearly every call: both are exactly tensors, and nothing else was passed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registry_runtime.aten.dispatch.dispatcher import Dispatcher
from registry_runtime.aten.errors import TypeTorchError
from registry_runtime.aten.python_front.number_protocol import (
    number_add,
    number_in_place_add,
    unsupported,
)
from registry_runtime.aten.python_front.operators import (
    ADD__TENSOR,
    ADD_TENSOR,
    BinaryOperator,
    Tell,
)
from registry_runtime.aten.python_front.variable_methods import (
    ADD__SIGNATURES,
    ADD_SIGNATURES,
    AddMethod,
    variable_methods,
)
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.tensor import Tensor, wrapped_scalar_tensor
from registry_runtime.aten.warn_once import WarnOnce

ONE = Scalar(1)  # the default of `alpha`


def _ignore(message: str) -> None: ...


class PythonFront:
    """PyTorch as Python sees it, as far as it adds.

    `methods` is the table of C++ functions. `warn` hears what PyTorch would warn of, each once.
    Setting `tell` makes every step a sentence; without it nothing is spent on them.
    """

    def __init__(self, dispatcher: Dispatcher, warn: Callable[[str], object] = _ignore) -> None:
        self._tell: Tell | None = None
        self.add_Tensor = BinaryOperator(ADD_TENSOR, dispatcher)
        self.add__Tensor = BinaryOperator(ADD__TENSOR, dispatcher)
        warn_once = WarnOnce(warn)
        self.THPVariable_add = AddMethod(ADD_SIGNATURES, self.add_Tensor, warn_once)
        self.THPVariable_add_ = AddMethod(ADD__SIGNATURES, self.add__Tensor, warn_once)
        self.THPVariable_add.torch_api, self.THPVariable_add_.torch_api = self.add, self.add_
        self.methods = variable_methods(self.THPVariable_add, self.THPVariable_add_)

    def add(self, self_: Any, /, *args: Any, **kwargs: Any) -> Any:
        """`self.add(other, *, alpha=1)`. Raises TypeTorchError and whatever adding raises."""
        if self._tell is None and not kwargs and len(args) == 1:
            other = args[0]
            if type(other) is Tensor and type(self_) is Tensor:
                return self.add_Tensor.call(self_, other, ONE)
        return self._method("add", self_, args, kwargs)

    def add_(self, self_: Any, /, *args: Any, **kwargs: Any) -> Any:
        """`self.add_(other, *, alpha=1)`, which writes into self and returns it."""
        if self._tell is None and not kwargs and len(args) == 1:
            other = args[0]
            if type(other) is Tensor and type(self_) is Tensor:
                return self.add__Tensor.call(self_, other, ONE)
        return self._method("add_", self_, args, kwargs)

    def plus(self, v: Any, w: Any) -> Any:
        """`v + w`. Raises TypeTorchError and whatever adding raises."""
        if self._tell is None and type(v) is Tensor:
            other = w if type(w) is Tensor else _wrapped(w)
            if other is not None:
                try:
                    return self.add_Tensor.call(v, other, ONE)
                except TypeError:
                    raise unsupported("+", v, w) from None
        return number_add(self.methods, v, w, self._tell)

    def plus_equals(self, v: Any, w: Any) -> Any:
        """What `v` is after `v += w`. Raises TypeTorchError and whatever adding raises."""
        return number_in_place_add(self.methods, v, w, self._tell)

    @property
    def tell(self) -> Tell | None:
        return self._tell

    @tell.setter
    def tell(self, tell: Tell | None) -> None:
        self._tell = tell
        for part in (
            self.THPVariable_add,
            self.THPVariable_add_,
            self.add_Tensor,
            self.add__Tensor,
        ):
            part.tell = tell

    def _method(self, name: str, self_: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not isinstance(self_, Tensor):
            raise TypeTorchError(
                f"descriptor '{name}' for 'torch._C.TensorBase' objects doesn't apply to a "
                f"'{type(self_).__name__}' object"
            )
        return self.methods[name].ml_meth(self_, args, kwargs or None)


def _wrapped(value: object) -> Tensor | None:
    """The wrapped number of Python's commonest numbers; None leaves the others to the parser."""
    kind = type(value)
    if kind is float or (kind is int and -(2**63) <= value < 2**63):  # type: ignore[operator]
        return wrapped_scalar_tensor(Scalar(value))
    return None
