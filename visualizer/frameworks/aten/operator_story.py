"""A call of an operator of PyTorch's, told from Python to the loop.

Each layer tells its own steps: Python's method table and argument parser, the dispatcher's hops, the
structured kernel with the steps of `TensorIterator.build`, the stub's choice, the loop over memory.
Here they stand in chapters, one behind the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from registry_runtime.aten.calling import CallStory
from registry_runtime.aten.dispatch.hop import Hop
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.registered import spell
from registry_runtime.aten.python_front import PythonFront
from registry_runtime.aten.runtime import Runtime
from registry_runtime.aten.structured import StructuredStory
from registry_runtime.aten.tensor.device import DeviceType
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.lab.aten.trial import shown


@dataclass(frozen=True, slots=True)
class Chapter:
    """What one layer did. A step is a name (PyTorch's, where it has one) and a sentence."""

    title: str
    steps: tuple[tuple[str, str], ...]


def chapters(runtime: Runtime, name: str, values: Mapping[str, Any]) -> list[Chapter]:
    """Make the call, and tell it. An error is the last chapter."""
    copies = {k: _copy(v) for k, v in values.items()}
    found = [Chapter("Python", tuple(_python(runtime, name, copies)))]
    return [c for c in (*found, *told(runtime.explain_call(name, **values))) if c.steps]


def told(story: CallStory) -> Iterator[Chapter]:
    """The chapters below Python."""
    yield Chapter("Dispatcher", tuple(_hop(hop) for hop in story.hops))
    for kernel in story.kernels:
        yield from _structured(kernel)
    yield Chapter(
        "Stub",
        tuple(
            (c.stub, f"takes the slot {c.slot} of {', '.join(c.filled)}: {c.function}")
            for c in story.stubs
        ),
    )
    for kernel in story.kernels:
        if kernel.loops.T is not None:
            lines = str(kernel.loops).splitlines()
            yield Chapter("Loop", tuple(("", line) for line in lines))
    if story.error:
        hint = f" ({story.hint})" if story.hint else ""
        yield Chapter("Error", (("", f"{story.error}{hint}"),))
    elif isinstance(story.result, Tensor):
        yield Chapter("Result", (("", shown(story.result)),))


def _python(runtime: Runtime, name: str, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What Python does for `self + other`, `self += other` and `self.add(other, alpha=…)`."""
    if name not in ("aten::add.Tensor", "aten::add_.Tensor") or "other" not in values:
        return
    front, sentences = PythonFront(runtime.dispatcher), list[str]()
    front.tell = sentences.append
    this, other, in_place = values["self"], values["other"], name.endswith("_.Tensor")
    try:
        if "alpha" in values:
            method = front.add_ if in_place else front.add
            method(this, other, alpha=values["alpha"])
        else:
            (front.plus_equals if in_place else front.plus)(this, other)
    except TorchError:
        pass  # the dispatcher's chapters tell it
    yield from (("", sentence) for sentence in sentences)


def _hop(hop: Hop) -> tuple[str, str]:
    indent = "  " * hop.depth
    keys = ", ".join(map(str, hop.keyset))
    passed = f", past {', '.join(map(str, hop.passed_by))}" if hop.passed_by else ""
    what = spell(hop.kernel) or "nothing"
    return f"{indent}{hop.key}", f"{hop.way} {hop.op} {{{keys}}}{passed}: {what} [{hop.reason}]"


def _structured(kernel: StructuredStory) -> Iterator[Chapter]:
    yield Chapter(kernel.form, tuple(("", call) for call in kernel.calls))
    yield Chapter(
        "TensorIterator.build", tuple((step.name, step.sentence) for step in kernel.build)
    )


def _copy(value: Any) -> Any:
    if not isinstance(value, Tensor) or value.device.type is DeviceType.Meta:
        return value
    return Tensor.from_array(value.numpy_or_cupy().copy())


def as_lines(found: Sequence[Chapter]) -> Iterator[str]:
    """To print: chapters with numbered steps."""
    number = 0
    for chapter in found:
        yield chapter.title
        for name, sentence in chapter.steps:
            number += 1
            yield f"{number:4}. {name + ': ' if name.strip() else ''}{sentence}"
