"""Functions that Fluid's class kernels call and that the samples only declare, written in Python.

A `Compute` is interpreted from the text. What it hands the arithmetic to, `Diagonal` and `SumLastAxis`
say, was in a file of Eigen's expressions or of CUDA; where a text has no body for it, it is linked, as
an object file would be. So nothing here knows what a kernel is called, nor the names that it asks its
context for.

A linker goes by the mangled name, which has the types of the parameters. So is it here; and where two
parameters' names changed places in the text, somebody means another function.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from registry_runtime.cxx import CxxFunction, FunctionTemplate, Pointer, TemplateArgument
from registry_runtime.cxx.types import without_namespaces
from registry_runtime.fluid.execution_context import ExecutionContext
from registry_runtime.phi.contexts import DeviceContext
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.memory import data_type


@dataclass(frozen=True, slots=True)
class Native:
    """A function of `module`, with its C++ parameters, types without their namespaces. It is a template
    of a device's context and an element's type, the last of which Python's takes first."""

    module: str
    parameters: tuple[str, ...]


class _OnlyChecking(threading.local):
    """Whether calls in this thread are to find out if they are refused, and launch no kernel."""

    on: bool = False


only_checking = _OnlyChecking()


@contextmanager
def checking() -> Iterator[None]:
    """Calls in this thread do all but launch kernels that would have to be built."""
    before, only_checking.on = only_checking.on, True
    try:
        yield
    finally:
        only_checking.on = before


_DIAGONAL = ("int64_t offset", "int64_t dim1", "int64_t dim2")
_NATIVE = {
    "paddle::operators::Diagonal": Native(
        "trace", ("const ExecutionContext& context", "const Tensor* input", *_DIAGONAL)
    ),
    "paddle::operators::SumLastAxis": Native(
        "trace", ("const DeviceContext& dev_ctx", "const Tensor& x", "Tensor* out")
    ),
    "paddle::operators::FillDiagonals": Native(
        "trace",
        ("const DeviceContext& dev_ctx", "const Tensor& values", *_DIAGONAL, "Tensor* out"),
    ),
}


def link(function: CxxFunction) -> FunctionTemplate | None:
    """The Python function for one that a text declares so; None if nobody wrote it."""
    native = _NATIVE.get(function.name)
    if native is None or not _is_declared_so(function, native):
        return None
    return FunctionTemplate(partial(_instance, function.name, native))


def _is_declared_so(function: CxxFunction, native: Native) -> bool:
    if function.type is None:
        return False
    ours = [tuple(parameter.rsplit(" ", 1)) for parameter in native.parameters]
    names = {name for _, name in ours}
    context = str(function.arguments[0]) if function.arguments else ""
    if len(function.type.parameters) != len(ours):
        return False
    for theirs, (type, name) in zip(function.type.parameters, ours, strict=True):
        spelled = (
            str(theirs.type).replace(context, "DeviceContext") if context else str(theirs.type)
        )
        if without_namespaces(spelled) != type or (theirs.name != name and theirs.name in names):
            return False
    return True


def _instance(
    name: str, native: Native, arguments: tuple[TemplateArgument, ...]
) -> Callable[..., Any]:
    short = name.rpartition("::")[2]
    T = data_type(arguments[1:])
    if len(arguments) != 2 or T is None:
        raise InvalidArgument(f"{short} is a template of <DeviceContext, T>")
    module = importlib.import_module(f"registry_runtime.fluid.native.{native.module}")
    function: Callable[..., Any] = getattr(module, short)

    def call(*values: Any) -> Any:
        for index, (value, parameter) in enumerate(zip(values, native.parameters, strict=True)):
            if not _is_taken(value, parameter):
                raise InvalidArgument(f"{short} takes a `{parameter}` here", argument=index)
        context: DeviceContext = getattr(values[0], "dev_ctx", values[0])
        check_context(context, arguments[0])
        return function(T, context, *(getattr(value, "to", value) for value in values[1:]))

    return call


def _is_taken(value: Any, parameter: str) -> bool:
    """Whether a parameter of this type can be given this value: a compiler would say so."""
    if "*" in parameter:
        return isinstance(value, Pointer) and _is_taken(value.to, parameter.replace("*", ""))
    if "Context&" in parameter:
        return isinstance(value, DeviceContext | ExecutionContext)
    return isinstance(value, DenseTensor if "Tensor" in parameter else int)


def check_context(context: DeviceContext, named: TemplateArgument) -> None:
    """Raises InvalidArgument for the name of another device's context than the kernel runs with."""
    if str(named).rpartition("::")[2] != context.name:
        raise InvalidArgument(f"the kernel runs with a phi::{context.name}, which is no `{named}`")


__all__ = ["check_context", "checking", "link", "only_checking"]
