"""Questions about a stub: which slots the builds of a file fill, which of them a processor takes, and
what the loop in a slot computes.

A program has all builds of its kernels in it, so these answers come from one in which the open file
was compiled for each capability. `compiled CAPABILITY` before any other question asks it of one
compilation alone.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from visualizer.expansion import Options
from visualizer.frameworks.answers import Answer, EndsWithError, Place, Unanswerable

if TYPE_CHECKING:
    from registry_runtime.aten.stub.dispatch_stub import DispatchStub
    from registry_runtime.aten.stub.stub_kernel import StubKernel
    from registry_runtime.aten.tensor.scalar_type import ScalarType
    from registry_runtime.aten.tensor_iterator import TensorIterator
    from visualizer.workbench.bench import Workbench

CAPABILITIES = ("DEFAULT", "AVX2", "AVX512")  # what PyTorch's build compiles for on x86
_HAVE = ("HAVE_AVX512_CPU_DEFINITION", "HAVE_AVX2_CPU_DEFINITION")


def compiled_for(options: Options, capability: str) -> Options:
    """The flags that PyTorch's `Codegen.cmake` adds for a capability."""
    others = (m for m in options.macros if not m[1].startswith(("CPU_CAPABILITY", *_HAVE)))
    own = (*_HAVE, f"CPU_CAPABILITY={capability}", f"CPU_CAPABILITY_{capability}")
    return replace(options, macros=(*others, *(("D", text) for text in own)))


def _filled(bench: Workbench, place: Place, words: list[str]) -> str:
    """`filled STUB`: the slots that hold a function."""
    stub = _stub(bench, words[0])
    named = {str(capability): kernel for capability, kernel in stub.slots.items()}
    return ", ".join(c for c in CAPABILITIES if named.get(c) is not None) or "none"


def _takes_slot(bench: Workbench, place: Place, words: list[str]) -> str:
    """`chosen STUB CAPABILITY`: the slot that a processor of this capability takes."""
    from registry_runtime.aten.stub.cpu_capability import CPUCapability
    from registry_runtime.aten.stub.dispatch_stub import chosen_capability

    stub = _stub(bench, words[0])
    slot = chosen_capability(stub.slots, CPUCapability[_known(words[1])])
    if stub.slots.get(slot) is None:
        return f"DispatchStub: missing {'default' if str(slot) == 'DEFAULT' else slot} kernel"
    return str(slot)


def _in_slot(bench: Workbench, place: Place, words: list[str]) -> str:
    """`in-slot STUB CAPABILITY`: the function there, `nullptr`, or `nothing` if nobody filled it."""
    slots = {str(slot): kernel for slot, kernel in _stub(bench, words[0]).slots.items()}
    if _known(words[1]) not in slots:
        return "nothing"
    return getattr(slots[words[1]], "function", "nullptr")


def _builds_of(bench: Workbench, place: Place, words: list[str]) -> str:
    """`builds-of STUB CAPABILITY`: how many compilations define that slot. More than one is an error
    of the linker."""
    from visualizer.workbench.bench import open_file

    wanted = (words[0], f"CPU {_known(words[1])}")
    count = 0
    for capability in CAPABILITIES:
        entries = open_file(bench.path, compiled_for(bench.options, capability)).entries
        keys = [(e.registration.kernel_name, e.registration.key) for e in entries]
        count += keys.count(wanted)
    return str(count)


def _differing(bench: Workbench, place: Place, words: list[str]) -> str:
    """`differing CAPABILITY`: the tokens that the open invocation leaves here and doesn't leave in that
    compilation."""
    from visualizer.workbench.bench import open_file

    other = open_file(bench.path, compiled_for(bench.options, _known(words[0])))
    if place.expansion >= len(other.trace.expansions):
        raise Unanswerable(f"the build for {words[0]} comes to no such place")
    here, there = (b.trace.expansions[place.expansion].after for b in (bench, other))
    left = {token.text for token in there}
    return " ".join(t.text for t in here if t.text not in left) or "none"


def _vector(bench: Workbench, place: Place, words: list[str]) -> str:
    """`vector TYPE CAPABILITY`: how many elements `Vectorized<T>` holds in such a build."""
    from registry_runtime.aten.loops.vectorized import vector_size
    from registry_runtime.aten.stub.cpu_capability import CPUCapability
    from registry_runtime.aten.tensor.scalar_type import ScalarType

    if words[0] not in ScalarType.__members__:
        raise Unanswerable(f"PyTorch has no type {words[0]}")
    return str(vector_size(ScalarType[words[0]], CPUCapability[_known(words[1])]))


def _op(bench: Workbench, place: Place, words: list[str]) -> str:
    """`op STUB TYPE NUMBERS`: what the function of single elements makes of them. The numbers are
    one of each input, and then the `Scalar`s that the kernel gets."""
    return _computed(bench, words, vector=False)


def _vop(bench: Workbench, place: Place, words: list[str]) -> str:
    """`vop STUB TYPE NUMBERS`: the function of vectors, for one of the elements."""
    return _computed(bench, words, vector=True)


def _computed(bench: Workbench, words: list[str], vector: bool) -> str:
    from registry_runtime.aten.errors import TorchError
    from registry_runtime.aten.stub.stub_kernel import LoopCall
    from registry_runtime.aten.tensor.scalar import Scalar
    from registry_runtime.aten.tensor.scalar_type import ScalarType
    from registry_runtime.cxx import CxxError

    name, T, *numbers = words
    kernel = _kernel(_stub(bench, name), "DEFAULT")
    if kernel is None:
        raise Unanswerable(f"the slot DEFAULT of {name} is empty")
    values = [complex(n) if "j" in n else float(n) if "." in n else int(n) for n in numbers]
    assert kernel.source.type is not None
    inputs = len(values) - (len(kernel.source.type.parameters) - 1)
    scalars = tuple(map(Scalar.of, values[inputs:]))
    try:
        calls = kernel.loops(_iterator(ScalarType[T], inputs), *scalars)
    except (TorchError, CxxError) as error:
        raise EndsWithError(error.message) from None
    if len(calls) != 1 or not isinstance(calls[0], LoopCall):
        raise Unanswerable(f"{kernel.function} does not run one loop over elements for {T}")
    operation = calls[0].vop if vector else calls[0].op
    if operation is None:
        return "none"
    captured = [c.value(scalars) for c in operation.captured]
    if operation.function.__code__.co_argcount != inputs + len(captured):
        raise Unanswerable(f"{name} does not take {inputs} elements")
    return str(operation.function(*values[:inputs], *captured))


def _iterator(T: ScalarType, inputs: int) -> TensorIterator:
    """One over operands of one element each."""
    from registry_runtime.aten.tensor.tensor import empty
    from registry_runtime.aten.tensor_iterator import TensorIterator, TensorIteratorConfig

    config = TensorIteratorConfig().add_output(empty((1,), T))
    for _ in range(inputs):
        config.add_const_input(empty((1,), T))
    iterator = TensorIterator()
    iterator.build(config)
    return iterator


def _kernel(stub: DispatchStub, capability: str) -> StubKernel | None:
    by_name: dict[str, Any] = {str(slot): kernel for slot, kernel in stub.slots.items()}
    kernel: StubKernel | None = by_name.get(_known(capability))
    return kernel


def _known(capability: str) -> str:
    if capability not in CAPABILITIES:
        raise Unanswerable(f"no file is compiled for {capability} here")
    return capability


def _stub(bench: Workbench, name: str) -> DispatchStub:
    stub = _compiled_thrice(bench).get(name)
    if stub is None:
        raise Unanswerable(f"no file registers anything in {name}")
    return stub


@lru_cache(maxsize=8)
def _compiled_thrice(bench: Workbench) -> dict[str, DispatchStub]:
    from registry_runtime.program import Program
    from visualizer.workbench.bench import open_file

    program = Program()
    for capability in CAPABILITIES:
        open_file(bench.path, compiled_for(bench.options, capability), program)
    return program.aten.stubs


ANSWERS: dict[str, Answer] = {
    "filled": _filled,
    "chosen": _takes_slot,
    "in-slot": _in_slot,
    "builds-of": _builds_of,
    "differing": _differing,
    "vector": _vector,
    "op": _op,
    "vop": _vop,
}
ARGUMENTS = {"filled": 1, "chosen": 2, "in-slot": 2, "builds-of": 2, "vector": 2, "differing": 1}
AT_LEAST = {"op": 3, "vop": 3}
