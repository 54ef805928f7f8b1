"""A call of an operator of PyTorch's, told from Python to the loop.

Each layer tells its own steps: Python's method table and argument parser, the dispatcher's hops, the
structured kernel with the steps of `TensorIterator.build`, the stub's choice, the loop over memory.
Here they stand in chapters, one behind the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from registry_runtime.aten.calling import CallStory, find
from registry_runtime.aten.dispatch.hop import Hop
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.registered import spell
from registry_runtime.aten.python_front import PythonFront
from registry_runtime.aten.python_front.operators import ARITHMETIC
from registry_runtime.aten.runtime import Runtime
from registry_runtime.aten.structured import StructuredStory
from registry_runtime.aten.tensor.device import DeviceType
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.aten.tensor_iterator.story import IteratorState, OperandState
from registry_runtime.lab.aten.trial import shown
from visualizer.frameworks.answers import Unanswerable
from visualizer.frameworks.aten import made_up_calls
from visualizer.frameworks.aten.asked_program import whole_program
from visualizer.frameworks.story import Chapter, Grid, Story, StoryStep, Strided

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench

# Of an operand at one moment, which facts stand in a column.
_COLUMNS = ("operand", "type", "shape", "strides", "in bytes", "")


def written(bench: Workbench, words: Sequence[str]) -> Story:
    """The story of a call as lessons write one (`made_up_calls`), in the file's program together with
    PyTorch's own `add`. Raises Unanswerable."""
    name, *operands = words
    read = made_up_calls.read(operands)
    runtime = whole_program(bench).aten
    try:
        names = [argument.name for argument in find(runtime.world, name).schema().arguments]
    except TorchError as error:
        raise Unanswerable(f"{error.message}{f' ({error.hint})' * bool(error.hint)}") from None
    if len(read.given) > len(names):
        raise Unanswerable(f"{name} takes {len(names)} operands: {', '.join(names)}")
    values = {**dict(zip(names, read.given, strict=False)), **read.named}
    return story(runtime, name, values, " ".join(words))


def story(runtime: Runtime, name: str, values: Mapping[str, Any], call: str = "") -> Story:
    """Make the call, and tell it. An error is the last chapter."""
    copies = {k: _copy(v) for k, v in values.items()}
    before, behind = _python(runtime, name, copies)
    made = runtime.explain_call(name, **values)
    *below, end = told(made)
    chapters = (Chapter("Python", before), *below, Chapter("Python again", behind), end)
    there = tuple(chapter for chapter in chapters if chapter.steps)
    return Story(call or name, there, failed=bool(made.error), refused=made.refused)


def told(made: CallStory) -> Iterator[Chapter]:
    """The chapters below Python."""
    yield Chapter("Dispatcher", tuple(_hop(hop) for hop in made.hops))
    for kernel in made.kernels:
        yield from _structured(kernel)
    yield Chapter(
        "Stub",
        tuple(
            StoryStep(c.stub, f"takes the slot {c.slot} of {', '.join(c.filled)}: {c.function}")
            for c in made.stubs
        ),
    )
    for kernel in made.kernels:
        if kernel.loops.T is not None:
            yield Chapter(
                "Loop", tuple(StoryStep("", line) for line in str(kernel.loops).splitlines())
            )
    if made.error:
        hint = f" ({made.hint})" if made.hint else ""
        yield Chapter("Error", (StoryStep("", f"{made.error}{hint}"),))
    else:
        is_tensor = isinstance(made.result, Tensor)
        yield Chapter("Result", (StoryStep("", shown(made.result)),) if is_tensor else ())


def _python(
    runtime: Runtime, name: str, values: Mapping[str, Any]
) -> tuple[tuple[StoryStep, ...], tuple[StoryStep, ...]]:
    """What Python does for `self + other`, `self += other` and `self.add(other, alpha=…)`: before the
    operator is called, and once it has returned."""
    known = {f"{one.of.name}.{one.of.overload_name}": one for one in ARITHMETIC}
    in_place = name.endswith("_.Tensor")
    of = known.get(name.replace("_.Tensor", ".Tensor"))
    if of is None or "other" not in values:
        return (), ()
    front, sentences = PythonFront(runtime.dispatcher), list[str]()
    called: list[int] = []  # how many sentences there were at each hop
    before, runtime.dispatcher.tell = (
        runtime.dispatcher.tell,
        lambda hop: called.append(len(sentences)),
    )
    front.tell = sentences.append
    this, other = values["self"], values["other"]
    try:
        if "alpha" in values:
            method = getattr(front, f"{of.name}_" if in_place else of.name)
            method(this, other, alpha=values["alpha"])
        else:
            getattr(front, f"{of.word}_equals" if in_place else of.word)(this, other)
    except TorchError:
        pass  # the dispatcher's chapters tell it
    finally:
        runtime.dispatcher.tell = before
    steps = tuple(StoryStep("", sentence) for sentence in sentences)
    first = called[0] if called else len(steps)
    return steps[:first], steps[first:]


def _hop(hop: Hop) -> StoryStep:
    keys = ", ".join(map(str, hop.keyset))
    passed = f", past {', '.join(map(str, hop.passed_by))}" if hop.passed_by else ""
    what = spell(hop.kernel) or "nothing"
    sentence = f"{hop.way} {hop.op} {{{keys}}}{passed}: {what} [{hop.reason}]"
    return StoryStep(str(hop.key), sentence, depth=hop.depth)


def _structured(kernel: StructuredStory) -> Iterator[Chapter]:
    """The kernel's functions, and the iterator's steps where they were taken: `meta` builds it, and has
    the outputs made on the way."""
    entered = list(zip(kernel.entered, kernel.calls, strict=True))
    built = len(kernel.build)
    yield Chapter(kernel.form, tuple(StoryStep("", call) for at, call in entered if at == 0))
    steps: list[StoryStep] = []
    for number, step in enumerate(kernel.build):
        steps += [StoryStep("", call, depth=1) for at, call in entered if 0 < at == number]
        shown = StoryStep(
            step.name, step.sentence, _operands(step.after), strided=_strided(step.after)
        )
        steps.append(shown)
    yield Chapter("TensorIterator.build", tuple(steps))
    behind = tuple(StoryStep("", call) for at, call in entered if at and at == built)
    yield Chapter(f"{kernel.form}: impl", behind)


def _operands(state: IteratorState) -> Grid:
    """The operands as the iterator has them then; its own shape stands in the last row."""
    rows = [_operand(operand) for operand in state.operands]
    whole = ("iterator", _type(state.common_dtype), _list(state.shape), "", "", "")
    return Grid(_COLUMNS, (*rows, whole))


def _strided(state: IteratorState) -> tuple[Strided, ...]:
    """The operands that have strides by then. Once the dimensions are in order, the iterator's first
    runs fastest."""
    turn = -1 if state.perm else 1
    return tuple(
        Strided(
            operand.name,
            state.shape[::turn],
            tuple(by // operand.dtype.itemsize for by in operand.stride_bytes[::turn]),
        )
        for operand in state.operands
        if state.shape and len(operand.stride_bytes) == len(state.shape)
    )


def _operand(operand: OperandState) -> tuple[str, ...]:
    marks = {
        "written": operand.is_output,
        "read too": operand.is_read_write,
        "to be resized": operand.will_resize,
        "a copy": operand.is_temporary,
        "a number": operand.is_wrapped_number,
    }
    return (
        operand.name,
        _type(operand.dtype),
        "undefined" if operand.sizes is None else _list(operand.sizes),
        "" if operand.strides is None else _list(operand.strides),
        _list(operand.stride_bytes) if operand.stride_bytes else "",
        ", ".join(mark for mark, is_so in marks.items() if is_so),
    )


def _type(T: ScalarType) -> str:
    return "" if T is ScalarType.Undefined else str(T)


def _list(sizes: Sequence[int]) -> str:
    return f"[{', '.join(map(str, sizes))}]"


def _copy(value: Any) -> Any:
    if not isinstance(value, Tensor) or value.device.type is DeviceType.Meta:
        return value
    return Tensor.from_array(value.numpy_or_cupy().copy())
