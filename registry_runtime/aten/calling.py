"""A call of an operator by its name, from outside: arrays go in, arrays come out.

Between the two stands the dispatcher. `explain_call` goes the same way with everything on it told:
each hop from key to key, the iterator's steps, which build of the kernel the stub chose, and how the
loop went over memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from registry_runtime.aten.dispatch.hop import Hop
from registry_runtime.aten.dispatch.operator_handle import OperatorHandle
from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.operator_arguments import Arguments, bind
from registry_runtime.aten.structured import StructuredStory, told_to
from registry_runtime.aten.stub.stub_choice import StubChoice
from registry_runtime.aten.stub.stub_choice import told_to as stubs_told_to
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.aten.world import World
from registry_runtime.near import nearest

if TYPE_CHECKING:
    from registry_runtime.aten.schema.function_schema import FunctionSchema


def call(world: World, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Run the operator on these arguments.

    Arrays count as tensors that need no gradient; if any is given, tensors come back as arrays, and
    one that was written to as itself. No array can be resized: where `out=` has another shape than
    the result, the result is an array of its own. Raises TorchError.
    """
    handle, arguments = resolve(world, name, given, named)
    return _returned(arguments, world.dispatcher.call(handle, *arguments.values))


def find(world: World, name: str) -> OperatorHandle:
    """The operator that is called so: `aten::add.Tensor`. Raises TorchError, with a hint."""
    return _find(world, OperatorName.parse(name))


def _find(world: World, wanted: OperatorName) -> OperatorHandle:
    try:
        return world.dispatcher.findSchemaOrThrow(wanted.name, wanted.overload_name)
    except TorchError as error:
        error.hint = error.hint or _instead(world, wanted)
        raise


def resolve(
    world: World, name: str, given: Sequence[Any], named: Mapping[str, Any]
) -> tuple[OperatorHandle, Arguments]:
    """The operator that is called so, and its arguments in order; of `aten::add`, which names no
    overload, the first overload that takes them. Raises TorchError."""
    wanted = OperatorName.parse(name)
    overloads = [] if wanted.overload_name else _overloads(world, wanted)
    refused: TorchError | None = None
    for overload in overloads or [wanted]:
        try:
            handle = _find(world, overload)
            return handle, bind(handle.schema(), given, named)
        except TorchError as error:
            refused = refused or error
    assert refused is not None
    raise refused


def nearest_operator(world: World, name: str) -> str:
    """The operator with a schema whose name is most like this one, which may lack the namespace or
    the overload; nothing where none is like it."""
    by_last: dict[str, str] = {}
    for known, handle in world.dispatcher.operatorLookupTable_.items():
        if not handle.hasSchema():
            continue
        last = str(known).rpartition("::")[2]
        for spelled in (last, last.partition(".")[0]):
            by_last.setdefault(spelled, str(known))
    return by_last.get(nearest(name.rpartition("::")[2], by_last), "")


def _instead(world: World, wanted: OperatorName) -> str:
    """What to do about an operator that has no schema."""
    there = _overloads(world, wanted)
    if wanted in there:
        return f"load the file too that defines it, in TORCH_LIBRARY({wanted.namespace()}, m)"
    close = nearest_operator(world, str(wanted))
    if wanted.overload_name and close:
        return f"did you mean {close}?"
    if there:
        return f"there is {', '.join(map(str, there))}"
    if close:
        return f"did you mean {close}?"
    return "no file registers it; `unfold kernels` lists what is there"


def _overloads(world: World, wanted: OperatorName) -> list[OperatorName]:
    known = world.dispatcher.operatorLookupTable_
    return [other for other in known if other.name == wanted.name]


def _returned(arguments: Arguments, result: Any) -> Any:
    if isinstance(result, tuple | list):
        return type(result)(_returned(arguments, one) for one in result)
    if not isinstance(result, Tensor) or not arguments.arrays:
        return result
    for tensor, array in arguments.arrays:
        if tensor is result and tensor.sizes == np.shape(array):
            return array
    return result.numpy_or_cupy()


@dataclass(frozen=True, slots=True)
class CallStory:
    """A call, told. `hops` are those of the dispatcher in order; `kernels` the structured kernels
    that ran, each with its iterator's steps and its loop; `stubs` which slot each stub took, and
    why. `refused` is what ended the call, if something did; `result` is None then."""

    name: str
    schema: FunctionSchema | None
    arguments: tuple[tuple[str, Any], ...]
    hops: tuple[Hop, ...]
    kernels: tuple[StructuredStory, ...]
    stubs: tuple[StubChoice, ...]
    result: Any = None
    refused: TorchError | None = None

    @property
    def error(self) -> str:
        return self.refused.message if self.refused is not None else ""

    @property
    def hint(self) -> str:
        return self.refused.hint if self.refused is not None else ""


def explain_call(
    world: World, name: str, given: Sequence[Any], named: Mapping[str, Any]
) -> CallStory:
    """Make the call the long way and tell each step; an error is part of the story."""
    hops: list[Hop] = []
    kernels: list[StructuredStory] = []
    stubs: list[StubChoice] = []
    schema, result, refused = None, None, None
    listed: tuple[tuple[str, Any], ...] = ()
    dispatcher = world.dispatcher
    before = dispatcher.tell
    try:
        handle, arguments = resolve(world, name, given, named)
        schema = handle.schema()
        listed = tuple(zip((a.name for a in schema.arguments), arguments.values, strict=True))
        dispatcher.tell = hops.append
        with told_to(kernels), stubs_told_to(world.stub_stories, stubs):
            result = _returned(arguments, dispatcher.call(handle, *arguments.values))
    except TorchError as error:
        refused = error
    finally:
        dispatcher.tell = before
    return CallStory(
        name, schema, listed, tuple(hops), tuple(kernels), tuple(stubs), result, refused
    )
