"""The Python kernel behind a C++ one, and whether the two agree on their parameters.

Kernels are written in Python, in `registry_runtime.kernels`, each under the name of the C++ function
template that it stands for. A registration looks its kernel up by that name. What arguments it takes
it learns from C++ alone; so if the C++ template in front of the reader says something else than the
Python kernel was written for, running the one for the other would be a lie, and it is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from registry_runtime.cxx import CxxFunction, Span, name_span, without_namespaces
from registry_runtime.phi.data_type import DataType


class KernelParameter(Protocol):
    """A parameter of a Python kernel: its name, and its C++ type as a template would spell it."""

    @property
    def name(self) -> str: ...
    @property
    def cpp_type(self) -> str: ...


class KernelTemplate(Protocol):
    """What `registry_runtime.kernels` knows a kernel by.

    `backends` holds "CPU", "GPU"; `dtypes` each `T` that it makes sense for.
    """

    @property
    def name(self) -> str: ...
    @property
    def parameters(self) -> tuple[KernelParameter, ...]: ...
    @property
    def backends(self) -> frozenset[str]: ...
    @property
    def dtypes(self) -> frozenset[DataType]: ...
    def instantiate(self, dtype: DataType, context: str) -> Any: ...


FindKernel = Callable[[str], "KernelTemplate | None"]


def find_in_kernels(qualified_name: str) -> KernelTemplate | None:
    """`registry_runtime.kernels.find`, imported when the first kernel is looked for."""
    from registry_runtime import kernels

    found: KernelTemplate | None = kernels.find(qualified_name)
    return found


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
