"""The Python kernel behind a C++ one, as PHI sees it, and whether the two agree on their parameters.

Kernels are written in Python, each under the name of the C++ function template that it stands for, and
whoever makes a registry hands in what finds them; here is only what a registration and a call ask of
one. What arguments it takes a registration learns from C++ alone; so if the C++ template in front of
the reader says something else than the Python kernel was written for, running the one for the other
would be a lie, and it is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from registry_runtime.cxx import CxxFunction, Span, name_span, without_namespaces
from registry_runtime.phi.data_type import DataType

if TYPE_CHECKING:
    from registry_runtime.phi.parameter_types import Parameter


class KernelError(Exception):
    """A kernel can't be built or run; the message says what was passed and what to do. `span` is the
    token of the expanded text `source` that says so; None where no body of a text was run."""

    def __init__(self, message: str, span: Span | None = None, source: str = "") -> None:
        super().__init__(message)
        self.span = span
        self.source = source


class Build(Protocol):
    """Machine code. `launch_known` is `launch` for who knows that the arguments are of the right
    number and types; None where there is no shorter way."""

    @property
    def launch(self) -> Callable[..., Any]: ...
    @property
    def launch_known(self) -> Callable[..., Any] | None: ...


class Instance(Protocol):
    """A template for one `T` and one context: `launch(*inputs and attributes, out=None)` runs it."""

    @property
    def template(self) -> KernelTemplate: ...
    @property
    def dtype(self) -> DataType: ...
    @property
    def context(self) -> str: ...
    @property
    def launch(self) -> Callable[..., Any]: ...
    def build(self) -> Build: ...


class KernelTemplate(Protocol):
    """What PHI knows a kernel by. `backends` holds "CPU", "GPU"; `dtypes` each `T` that it makes
    sense for; `accepts` the inputs that hold something else than `T`.

    `bind` makes of a call's arguments what their C++ types promise; `infer` is InferMeta on these, and
    `resized` what the body makes of its metas.
    """

    @property
    def name(self) -> str: ...
    @property
    def parameters(self) -> Sequence[Parameter]: ...
    @property
    def inputs(self) -> Sequence[Parameter]: ...
    @property
    def outputs(self) -> Sequence[str]: ...
    @property
    def backends(self) -> frozenset[str]: ...
    @property
    def dtypes(self) -> frozenset[DataType]: ...
    @property
    def accepts(self) -> Mapping[str, frozenset[DataType]]: ...
    @property
    def in_place(self) -> Mapping[str, str]: ...
    def instantiate(self, dtype: DataType, context: str) -> Any: ...
    def result_names(self, count: int) -> Sequence[str]: ...
    def bind(self, *args: Any) -> tuple[Any, ...]: ...
    def infer(
        self, T: DataType, bound: tuple[Any, ...], *, leave_open: bool = False
    ) -> tuple[Any, ...]: ...
    def resized(self, bound: tuple[Any, ...], metas: tuple[Any, ...]) -> tuple[Any, ...]: ...


FindKernel = Callable[[str], "KernelTemplate | None"]
KernelNames = Callable[[], Collection[str]]  # under which the kernels in Python are registered


def as_tuple(result: Any) -> tuple[Any, ...]:
    """What a launch returns: one output, or a tuple of several."""
    return result if isinstance(result, tuple) else (result,)


def find_none(qualified_name: str) -> None:
    """Finds no kernel: all are registered as declared only."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Where a C++ kernel and its Python kernel disagree: what to say, and the C++ place."""

    message: str
    span: Span


def compare_parameters(function: CxxFunction, template: KernelTemplate) -> Mismatch | None:
    """The first difference between the parameters of a C++ kernel and of its Python kernel.

    Types count, in order, but not their namespaces; names don't, unless it is another parameter that
    has this name. None if they agree, or if the C++ function isn't declared.
    """
    if function.type is None:
        return None
    ours, theirs = template.parameters, function.type.parameters
    words = _template_words(function)
    span = name_span(function)
    for index, parameter in enumerate(theirs):
        if index >= len(ours):
            span = parameter.span
            break
        wanted = _WORD.sub(lambda word: words.get(word[0], word[0]), ours[index].cpp_type)
        same_type = _normal(wanted) == _normal(str(parameter.type))
        # C++ doesn't mind how parameters are called. But who has two of them the other way round has
        # most likely taken one for the other.
        name = parameter.name
        elsewhere = name != ours[index].name and name in {p.name for p in ours}
        if not same_type or (elsewhere and index):
            span = parameter.span
            break
    else:
        if len(ours) == len(theirs):
            return None
    source = function.program.source
    in_cxx = ", ".join(" ".join(source.text[p.span.start : p.span.end].split()) for p in theirs)
    in_python = ", ".join(f"{p.cpp_type} {p.name}" for p in ours)
    return Mismatch(
        f"`{function.name}` takes ({in_cxx}) here, and its Python kernel ({in_python})", span
    )


_WORD = re.compile(r"\b[A-Za-z_]\w*")


def _template_words(function: CxxFunction) -> dict[str, str]:
    # What `T` and `Context`, the words of every Python kernel, are in this instance.
    words: dict[str, str] = {}
    for argument in function.arguments:
        spelling = str(argument)
        words.setdefault("Context" if spelling.endswith("Context") else "T", spelling)
    return words


def _normal(spelling: str) -> str:
    return "".join(without_namespaces(spelling).split())
