"""`PythonFront`: `a + 1`, `1 + a`, `a += 1` and `a.add(b, alpha=2)` for one world's dispatcher; and the
same of `-`, `*` and `/`, and `-a`.

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
    Methods,
    number,
    number_in_place,
    unsupported,
)
from registry_runtime.aten.python_front.operators import (
    ARITHMETIC,
    NEG,
    RECIPROCAL,
    RSUB_SCALAR,
    Arithmetic,
    Tell,
    TypedOperator,
)
from registry_runtime.aten.python_front.tensor_methods import ReversedMethods
from registry_runtime.aten.python_front.variable_methods import (
    BinaryMethod,
    signatures,
    variable_methods,
)
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.tensor import Tensor, wrapped_scalar_tensor
from registry_runtime.aten.warn_once import WarnOnce

ONE = Scalar(1)  # the default of `alpha`
PLUS, MINUS, TIMES, DIVIDED_BY = ARITHMETIC


def _ignore(message: str) -> None: ...


class PythonFront:
    """PyTorch as Python sees it, as far as it does arithmetic.

    `methods` is the table of C++ functions, and what the class in Python adds. `warn` hears what
    PyTorch would warn of, each once. Setting `tell` makes every step a sentence; without it nothing
    is spent on them.
    """

    def __init__(self, dispatcher: Dispatcher, warn: Callable[[str], object] = _ignore) -> None:
        self._tell: Tell | None = None
        warn_once = WarnOnce(warn)
        self._neg = TypedOperator(NEG, dispatcher)
        self._rsub = TypedOperator(RSUB_SCALAR, dispatcher)
        self._reciprocal = TypedOperator(RECIPROCAL, dispatcher)
        self._reversed = ReversedMethods(self._rsub, self._reciprocal, self.times)
        self._functions: dict[str, BinaryMethod] = {}
        # What is called where both are tensors and nothing else is given, and with what behind them.
        self._short: dict[str, tuple[Callable[..., Any], tuple[Scalar, ...]]] = {}
        for one in ARITHMETIC:
            for name, of in ((one.name, one.of), (f"{one.name}_", one.in_place)):
                operator = TypedOperator(of, dispatcher)
                texts = signatures(name, takes_alpha=one.takes_alpha)
                function = BinaryMethod(texts, operator, warn_once)
                function.torch_api = getattr(self, name)
                self._functions[name] = function
                self._short[name] = operator.call, (ONE,) if one.takes_alpha else ()
        self.methods: Methods = {
            **variable_methods(self._functions),
            **self._reversed.methods(),
        }

    # --- Methods of a tensor: each raises TypeTorchError, and whatever the operator raises ---------

    def add(self, self_: Any, /, *args: Any, **kwargs: Any) -> Any:
        """`self.add(other, *, alpha=1)`."""
        return self._called("add", self_, args, kwargs)

    def add_(self, self_: Any, /, *args: Any, **kwargs: Any) -> Any:
        """`self.add_(other, *, alpha=1)`, which writes into self and returns it."""
        return self._called("add_", self_, args, kwargs)

    def sub(self, self_: Any, /, *args: Any, **kwargs: Any) -> Any:
        """`self.sub(other, *, alpha=1)`."""
        return self._called("sub", self_, args, kwargs)

    def sub_(self, self_: Any, /, *args: Any, **kwargs: Any) -> Any:
        """`self.sub_(other, *, alpha=1)`."""
        return self._called("sub_", self_, args, kwargs)

    def mul(self, self_: Any, /, *args: Any, **kwargs: Any) -> Any:
        """`self.mul(other)`."""
        return self._called("mul", self_, args, kwargs)

    def mul_(self, self_: Any, /, *args: Any, **kwargs: Any) -> Any:
        """`self.mul_(other)`."""
        return self._called("mul_", self_, args, kwargs)

    def div(self, self_: Any, /, *args: Any, **kwargs: Any) -> Any:
        """`self.div(other)`."""
        return self._called("div", self_, args, kwargs)

    def div_(self, self_: Any, /, *args: Any, **kwargs: Any) -> Any:
        """`self.div_(other)`."""
        return self._called("div_", self_, args, kwargs)

    # --- Python's operators: one operand is a tensor, and the same is raised -----------------------

    def plus(self, v: Any, w: Any) -> Any:
        """`v + w`."""
        return self._number(PLUS, v, w)

    def plus_equals(self, v: Any, w: Any) -> Any:
        """What `v` is after `v += w`."""
        return number_in_place(self.methods, PLUS, v, w, self._tell)

    def minus(self, v: Any, w: Any) -> Any:
        """`v - w`."""
        return self._number(MINUS, v, w)

    def minus_equals(self, v: Any, w: Any) -> Any:
        """What `v` is after `v -= w`."""
        return number_in_place(self.methods, MINUS, v, w, self._tell)

    def times(self, v: Any, w: Any) -> Any:
        """`v * w`."""
        return self._number(TIMES, v, w)

    def times_equals(self, v: Any, w: Any) -> Any:
        """What `v` is after `v *= w`."""
        return number_in_place(self.methods, TIMES, v, w, self._tell)

    def divided_by(self, v: Any, w: Any) -> Any:
        """`v / w`."""
        return self._number(DIVIDED_BY, v, w)

    def divided_by_equals(self, v: Any, w: Any) -> Any:
        """What `v` is after `v /= w`."""
        return number_in_place(self.methods, DIVIDED_BY, v, w, self._tell)

    def negative(self, v: Tensor) -> Tensor:
        """`-v`: `__neg__` is `neg`, which takes nothing that could be parsed."""
        if self._tell is not None:
            self._tell("Tensor's __neg__ is THPVariable_neg, and self.neg() calls the operator.")
        return self._neg.call(v)

    @property
    def tell(self) -> Tell | None:
        return self._tell

    @tell.setter
    def tell(self, tell: Tell | None) -> None:
        self._tell = self._neg.tell = tell
        self._rsub.tell = self._reciprocal.tell = self._reversed.tell = tell
        for function in self._functions.values():
            function.tell = function.operator.tell = tell

    def _called(self, name: str, self_: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self._tell is None and not kwargs and len(args) == 1:
            other = args[0]
            if type(other) is Tensor and type(self_) is Tensor:
                call, rest = self._short[name]
                return call(self_, other, *rest)
        if not isinstance(self_, Tensor):
            raise TypeTorchError(
                f"descriptor '{name}' for 'torch._C.TensorBase' objects doesn't apply to a "
                f"'{type(self_).__name__}' object"
            )
        return self.methods[name].ml_meth(self_, args, kwargs or None)

    def _number(self, of: Arithmetic, v: Any, w: Any) -> Any:
        if self._tell is None and type(v) is Tensor:
            other = w if type(w) is Tensor else _wrapped(w)
            if other is not None:
                call, rest = self._short[of.name]
                try:
                    return call(v, other, *rest)
                except TypeError:
                    raise unsupported(of.sign, v, w) from None
        return number(self.methods, of, v, w, self._tell)


def _wrapped(value: object) -> Tensor | None:
    """The wrapped number of Python's commonest numbers; None leaves the others to the parser."""
    kind = type(value)
    if kind is float or (kind is int and -(2**63) <= value < 2**63):  # type: ignore[operator]
        return wrapped_scalar_tensor(Scalar(value))
    return None
