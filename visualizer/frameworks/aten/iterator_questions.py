"""Questions about what comes below a kernel: PyTorch's TensorIterator, and the loop over memory.

They need no registry. Two operands make an iterator as `add` builds it; what it is like after a step
of its build, and how a loop of a given build goes over its memory, is worked out then and there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from visualizer.frameworks.answers import Answer, Place, Unanswerable
from visualizer.frameworks.aten import made_up_calls

if TYPE_CHECKING:
    from registry_runtime.aten.loops.vectorized_loop2d import LoopStory
    from registry_runtime.aten.tensor_iterator import BuildStep, TensorIterator
    from visualizer.workbench.bench import Workbench


def _iterator(bench: Workbench, place: Place, words: list[str]) -> str:
    """`iterator STEP FIELD OPERANDS`: a field after a step of `build`; see the manual."""
    step, field, *operands = words
    found, refusal = _told(operands)
    names = [told.name for told in found]
    if field == "steps":
        return ", ".join(names)
    if refusal and step not in names:
        return refusal
    told = found[-1] if step == "end" else next((t for t in found if t.name == step), None)
    if told is None:
        return "not taken"
    if field == "sentence":
        return told.sentence
    whose, _, of_it = field.rpartition(":")
    state: Any = told.after
    if whose:
        named = {operand.name.replace(" ", ""): operand for operand in told.after.operands}
        if whose not in named:
            raise Unanswerable(f"there is no {whose}; there are {', '.join(named)}")
        state = named[whose]
    if not hasattr(state, of_it):
        raise Unanswerable(f"nothing is called {of_it} there")
    return _spelled(getattr(state, of_it))


def _loop(bench: Workbench, place: Place, words: list[str]) -> str:
    """`loop CAPABILITY FIELD OPERANDS`: of the first step that one thread takes over all of it."""
    capability, field, *operands = words
    story = _walked(_built(operands), capability)
    if field == "steps":
        return str(story.count)
    if not story.steps:
        return "none"
    if not hasattr(story.steps[0], field):
        raise Unanswerable(f"a step of a loop has no {field}")
    return _spelled(getattr(story.steps[0], field))


def _ranges(bench: Workbench, place: Place, words: list[str]) -> str:
    """`ranges ELEMENTS THREADS`: into how many they are cut, one for each thread that works."""
    from registry_runtime.aten.loops.for_each import GRAIN_SIZE, parallel_for

    if not all(word.isdecimal() for word in words):
        raise Unanswerable("ranges takes two numbers")
    elements, threads = map(int, words)
    return str(len(parallel_for(0, elements, GRAIN_SIZE, threads)))


def _told(operands: list[str]) -> tuple[list[BuildStep], str]:
    """The steps that were taken, and what ended them early."""
    from registry_runtime.aten.errors import TorchError

    story: list[BuildStep] = []
    try:
        _build(operands, story)
    except TorchError as error:
        return story, error.message
    return story, ""


def _built(operands: list[str]) -> TensorIterator:
    from registry_runtime.aten.errors import TorchError

    try:
        return _build(operands, None)
    except TorchError as error:
        raise Unanswerable(error.message) from None


def _build(operands: list[str], story: list[BuildStep] | None) -> TensorIterator:
    from registry_runtime.aten.tensor.scalar import Scalar
    from registry_runtime.aten.tensor.tensor import Tensor, wrapped_scalar_tensor
    from registry_runtime.aten.tensor_iterator import BINARY_OP_CONFIG, TensorIterator

    in_place = "out=self" in operands
    read = made_up_calls.read([word for word in operands if word != "out=self"])
    if len(read.given) != 2 or set(read.named) - {"out"}:
        raise Unanswerable("two operands are wanted, and out=OPERAND or out=self if need be")
    a, b = (
        value if isinstance(value, Tensor) else wrapped_scalar_tensor(Scalar.of(value))
        for value in read.given
    )
    out = a if in_place else read.named.get("out")
    config = BINARY_OP_CONFIG().add_output(out).add_const_input(a).add_const_input(b)
    return TensorIterator.of(config, story)


def _walked(iterator: TensorIterator, capability: str) -> LoopStory:
    """The steps of a loop of that build, without running it: any machine can tell them."""
    from registry_runtime.aten.loops.build import MachineLoop
    from registry_runtime.aten.loops.for_each import serial_for_each
    from registry_runtime.aten.loops.vectorized import vector_size
    from registry_runtime.aten.loops.vectorized_loop2d import LoopStory, VectorizedLoop2d
    from registry_runtime.aten.stub.cpu_capability import CPUCapability

    if capability not in CPUCapability.__members__:
        raise Unanswerable(f"PyTorch has no capability '{capability}'")
    build, T = CPUCapability[capability], iterator.common_dtype
    size = vector_size(T, build)
    machine = MachineLoop(0, T, build, 2, size, False, 0.0, lambda: "", None)
    loop, story = VectorizedLoop2d(machine), LoopStory(build, T, size)

    def look(
        pointers: Sequence[int],
        strides: Sequence[int],
        size0: int,
        size1: int,
        begin: int,
        story: LoopStory,
    ) -> None:
        story.add(loop.step(strides, size0, size1, begin, 0))

    serial_for_each(iterator, look, 0, iterator.numel, story)
    return story


def _spelled(value: object) -> str:
    """Tuples as Python writes lists, so that a choice looks like a shape."""
    return str(list(value)) if isinstance(value, tuple) else str(value)


ANSWERS: dict[str, Answer] = {"iterator": _iterator, "loop": _loop, "ranges": _ranges}
ARGUMENTS = {"ranges": 2}
AT_LEAST = {"iterator": 4, "loop": 4}
