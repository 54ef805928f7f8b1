"""What Python does with `v + w` and `v += w` before any method runs, and so with `-`, `*` and `/`.

It asks the left operand's class for `__add__`. If there is none, or if it answers NotImplemented,
the right operand's `__radd__` may try. A list or a string adds as a sequence and not as a number, and
is multiplied so; that comes last, and so `"a" + tensor` is a complaint of str's (`PyNumber_Add`,
`PyNumber_Multiply` and their kin in CPython's `Objects/abstract.c`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from registry_runtime.aten.errors import TypeTorchError
from registry_runtime.aten.python_front.operators import Arithmetic, Tell
from registry_runtime.aten.python_front.tensor_methods import PythonMethod
from registry_runtime.aten.python_front.variable_methods import PyMethodDef
from registry_runtime.aten.tensor.tensor import Tensor

Methods = dict[str, PyMethodDef | PythonMethod]
_SEQUENCES = (str, bytes, bytearray, list, tuple)
# What sequences do of these operators.
_OF_SEQUENCES: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "*": operator.mul,
    "+=": operator.iadd,
    "*=": operator.imul,
}


def number(methods: Methods, of: Arithmetic, v: Any, w: Any, tell: Tell | None = None) -> Any:
    """`v + w`, or another sign, one of them a tensor. Raises TypeTorchError where neither can, and
    whatever the operator raises."""
    result = _binary(methods, of, v, w, tell)
    return _otherwise(of.sign, v, w) if result is NotImplemented else result


def number_in_place(
    methods: Methods, of: Arithmetic, v: Any, w: Any, tell: Tell | None = None
) -> Any:
    """The new value of `v` after `v += w`, or another sign. Raises TypeTorchError where neither can."""
    result = NotImplemented
    if not isinstance(v, _SEQUENCES):
        result = _ask(methods, v, f"__i{of.special}__", w, tell)
    if result is NotImplemented:
        result = _binary(methods, of, v, w, tell)
    return _otherwise(f"{of.sign}=", v, w) if result is NotImplemented else result


def _otherwise(sign: str, v: Any, w: Any) -> Any:
    of_sequences = _OF_SEQUENCES.get(sign)
    is_product = sign in ("*", "*=") and isinstance(w, _SEQUENCES)
    if of_sequences is not None and (isinstance(v, _SEQUENCES) or is_product):
        return of_sequences(v, w)  # raises the sequence's own TypeError
    raise unsupported(sign, v, w)


def _binary(methods: Methods, of: Arithmetic, v: Any, w: Any, tell: Tell | None) -> Any:
    result = NotImplemented
    if not isinstance(v, _SEQUENCES):
        result = _ask(methods, v, f"__{of.special}__", w, tell)
    if result is NotImplemented and type(v) is not type(w) and not isinstance(w, _SEQUENCES):
        result = _ask(methods, w, f"__r{of.special}__", v, tell)
    return result


def _ask(methods: Methods, of: Any, method: str, operand: Any, tell: Tell | None) -> Any:
    if isinstance(of, Tensor):
        line = methods[method]
        if tell is not None:
            tell(line.found)
        result = line.ml_meth(of, (operand,), None)
        if result is NotImplemented and tell is not None:
            tell(f"{method} raised a TypeError, and {line.wrapper} made it an answer.")
        return result
    theirs = getattr(type(of), method, None)
    result = NotImplemented if theirs is None else theirs(of, operand)
    if tell is not None:
        answer = "answers NotImplemented" if result is NotImplemented else "computes it"
        tell(f"{type(of).__name__}'s {method} {answer if theirs else 'does not exist'}.")
    return result


def unsupported(sign: str, v: object, w: object) -> TypeTorchError:
    """Python's own TypeError for an operator that neither operand has."""
    names = f"'{type(v).__name__}' and '{type(w).__name__}'"
    return TypeTorchError(f"unsupported operand type(s) for {sign}: {names}")
