"""libtorch's fallbacks against PyTorch's own, of which nothing is told to ours: the same keys, files
and lines, and the same end of every call that reaches one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet
from registry_runtime.aten.linking import new_world
from registry_runtime.aten.schema.function_schema_parser import parse_schema
from tests.aten.fallback_calls import (
    FALLTHROUGHS,
    FUNCTIONS,
    OPERATORS,
    Ours,
    arguments_of,
    outcome,
    result,
    with_operators,
)

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")
C = torch._C

BUILT_IN = "/__w/pytorch/pytorch/"  # where the wheel's files lay when it was built
# The threads of these have nothing to undo, and PyTorch crashes.
CRASHES = {"Tracer", "FuncTorchDynamicLayerBackMode"}
CALLED = [key for key in FALLTHROUGHS + FUNCTIONS if key not in CRASHES]


@pytest.fixture(scope="module")
def theirs() -> Iterator[None]:
    library = torch.library.Library("unfold_fallbacks", "DEF")
    for name, rest in OPERATORS.items():
        library.define(f"{name}{rest}")
        key = "CPU" if "Tensor" in rest else "CompositeExplicitAutograd"
        library.impl(name, lambda *a, of=name, **named: result(of, *a, *named.values()), key)
    yield
    library._destroy()


@pytest.fixture(scope="module")
def ours() -> Ours:
    return with_operators("unfold_fallbacks")


def test_the_same_fallbacks_from_the_same_lines() -> None:
    library = torch.library.Library("unfold_nothing", "DEF")
    library.define("op(Tensor x) -> Tensor")
    table = C._dispatch_dump_table("unfold_nothing::op").replace(BUILT_IN, "")
    world = new_world()
    schema = parse_schema("unfold_nothing::op(Tensor x) -> Tensor")
    handle = world.dispatcher.registerDef(schema, "here")
    op = world.dispatcher.findSchemaOrThrow("unfold_nothing::op")
    assert op.dumpComputedTable() == table
    handle.reset()
    library._destroy()


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("key", CALLED)
@pytest.mark.filterwarnings("ignore:There is a performance drop")
def test_a_call_that_reaches_one_ends_as_in_torch(
    theirs: None, ours: Ours, key: str, operator: str
) -> None:
    keys = C.DispatchKeySet.from_raw_repr(DispatchKeySet(DispatchKey[key]).raw_repr)
    included = C._dispatch_tls_local_include_set() | keys
    excluded = C._dispatch_tls_local_exclude_set() - keys
    arguments = arguments_of(operator, torch.ones(2))
    named = {"out": arguments.pop()} if operator == "out" else {}
    op = getattr(torch.ops.unfold_fallbacks, operator).default
    with C._ForceDispatchKeyGuard(included, excluded):
        try:
            op(*arguments, **named)
            said = "ran"
        except RuntimeError as error:
            said = str(error).replace(BUILT_IN, "")
    assert _told(outcome(ours, operator, DispatchKey[key])) == _told(said)


def _told(sentence: str) -> str:
    """Without the table at its end: who registered our kernel is told there."""
    return sentence.partition("].\n\n")[0]
