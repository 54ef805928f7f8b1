"""`__torch_function__`: a Python class takes a call over before PyTorch does anything with it.

Any argument may do so, tensor or not. Each class is asked once; of a class and its subclass the
subclass first, otherwise in the order of the arguments. A class that answers NotImplemented leaves
the call to the next, and if all do, that is a TypeError.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from registry_runtime.aten.errors import TypeTorchError
from registry_runtime.aten.tensor.tensor import Tensor

_BASIC = frozenset(
    {Tensor, int, float, complex, bool, str, bytes, list, tuple, dict, set, type(None)}
)


def disabled_torch_function_impl(*arguments: object, **named: object) -> object:
    """What a class sets its `__torch_function__` to, to be left alone."""
    return NotImplemented


def check_has_torch_function(value: object) -> bool:
    """Whether the object's class takes calls over."""
    if type(value) in _BASIC:
        return False
    method = getattr(value, "__torch_function__", None)
    return method is not None and method is not disabled_torch_function_impl


def append_overloaded_arg(overloaded: list[object], value: object) -> None:
    """Add `value`, before the first of which its class is a subclass; not if its class is there."""
    kind = type(value)
    if any(type(other) is kind for other in overloaded):
        return
    before = (i for i, other in enumerate(overloaded) if issubclass(kind, type(other)))
    overloaded.insert(next(before, len(overloaded)), value)


def handle_torch_function(
    overloaded: Sequence[Any],
    function: Callable[..., object],
    arguments: tuple[object, ...],
    named: Mapping[str, object] | None,
    module_name: str,
) -> object:
    """The answer of the first class that has one.

    `function` is what was called, `arguments` with self. Raises TypeTorchError if none answers.
    """
    types = tuple(type(value) for value in overloaded)
    for value in overloaded:
        given = (arguments,) if named is None else (arguments, named)
        result = value.__torch_function__(function, types, *given)
        if result is not NotImplemented:
            return result
    subclasses = "".join(f"  - tensor subclass {kind!r}\n" for kind in types)
    raise TypeTorchError(
        f"Multiple dispatch failed for '{module_name}.{function.__name__}'; all "
        f"__torch_function__ handlers returned NotImplemented:\n\n{subclasses}\n"
        "For more information, try re-running with TORCH_LOGS=not_implemented"
    )
