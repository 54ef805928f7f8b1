"""What Python does with `v + w` and `v += w` before any method runs.

It asks the left operand's class for `__add__`. If there is none, or if it answers NotImplemented,
the right operand's `__radd__` may try. A list or a string adds as a sequence and not as a number;
that comes last, and so `"a" + tensor` is a complaint of str's (`PyNumber_Add` and
`PyNumber_InPlaceAdd` of CPython's `Objects/abstract.c`).
"""

from __future__ import annotations

from typing import Any

from registry_runtime.aten.errors import TypeTorchError
from registry_runtime.aten.python_front.operators import Tell
from registry_runtime.aten.python_front.variable_methods import PyMethodDef
from registry_runtime.aten.tensor.tensor import Tensor

Methods = dict[str, PyMethodDef]
_SEQUENCES = (str, bytes, bytearray, list, tuple)


def number_add(methods: Methods, v: Any, w: Any, tell: Tell | None = None) -> Any:
    """`v + w`, one of them a tensor. Raises TypeTorchError where neither can, and whatever adding
    raises."""
    result = _binary(methods, v, w, tell)
    if result is not NotImplemented:
        return result
    if isinstance(v, _SEQUENCES):
        return v + w  # raises the sequence's own TypeError
    raise unsupported("+", v, w)


def number_in_place_add(methods: Methods, v: Any, w: Any, tell: Tell | None = None) -> Any:
    """The new value of `v` after `v += w`. Raises TypeTorchError where neither can add."""
    is_sequence = isinstance(v, _SEQUENCES)
    result = NotImplemented if is_sequence else _ask(methods, v, "__iadd__", w, tell)
    if result is NotImplemented:
        result = _binary(methods, v, w, tell)
    if result is not NotImplemented:
        return result
    if is_sequence:
        v += w  # raises the sequence's own TypeError
        return v
    raise unsupported("+=", v, w)


def _binary(methods: Methods, v: Any, w: Any, tell: Tell | None) -> Any:
    result = NotImplemented if isinstance(v, _SEQUENCES) else _ask(methods, v, "__add__", w, tell)
    if result is NotImplemented and (type(v) is not type(w)):
        result = _ask(methods, w, "__radd__", v, tell)
    return result


def _ask(methods: Methods, of: Any, method: str, operand: Any, tell: Tell | None) -> Any:
    if isinstance(of, Tensor):
        line = methods[method]
        if tell is not None:
            tell(f"Python finds {line} and calls it with (self, args, kwargs).")
        result = line.ml_meth(of, (operand,), None)
        if result is NotImplemented and tell is not None:
            tell(
                f"{method} raised a TypeError, and TypeError_to_NotImplemented_ made it an answer."
            )
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
