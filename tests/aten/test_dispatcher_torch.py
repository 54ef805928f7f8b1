"""The dispatcher against PyTorch's own: the same registrations, withdrawn in any order, must give the
same dump, the same table with the same reasons, the same errors, and run the same kernel."""

from __future__ import annotations

import itertools
import re
import warnings
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey, is_alias_dispatch_key
from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet
from registry_runtime.aten.dispatch.dispatch_table import RUNTIME_KEYS, SLOTS
from registry_runtime.aten.dispatch.dispatcher import (
    Dispatcher,
    OperatorHandle,
    RegistrationHandleRAII,
)
from registry_runtime.aten.dispatch.kernel_function import (
    KernelFunction,
    Stack,
    makeFallthrough,
    makeFromBoxedFunction,
    makeFromUnboxedFunction,
)
from registry_runtime.aten.dispatch.local_keys import (
    ExcludeDispatchKeyGuard,
    IncludeDispatchKeyGuard,
)
from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.linking import new_world
from registry_runtime.aten.schema.function_schema import AliasAnalysisKind, FunctionSchema
from registry_runtime.aten.schema.function_schema_parser import parse_schema

pytestmark = [
    pytest.mark.torch,
    pytest.mark.filterwarnings("ignore:Warning only once for all operators"),
]
torch = pytest.importorskip("torch")
C = torch._C

BUILT_IN = "/__w/pytorch/pytorch/"  # where the wheel's files lay when it was built
NAMESPACES = (f"unfold{number}" for number in itertools.count())
ALIASES = tuple(key for key in DispatchKey if is_alias_dispatch_key(key))


def keys_named(names: str) -> tuple[DispatchKey, ...]:
    return tuple(DispatchKey[name] for name in names.split())


FAVOURED = keys_named(
    "CPU CUDA Meta XLA SparseCPU QuantizedCPU NestedTensorCPU FPGA BackendSelect "
    "ADInplaceOrView AutogradCPU AutogradCUDA AutogradOther AutogradNestedTensor AutogradMTIA MTIA "
    "FuncTorchBatched AutocastCPU Sparse Dense AutogradFunctionality"
)
WITHOUT_FALLBACK = keys_named("CPU CUDA SparseCPU XLA MTIA AutogradIPU PrivateUse1")
keys = st.sampled_from(FAVOURED + ALIASES) | st.sampled_from(tuple(DispatchKeySet.full()))


@dataclass(frozen=True)
class Def:
    arguments: str = "Tensor x"


@dataclass(frozen=True)
class Impl:
    key: DispatchKey | None
    nature: str


@dataclass(frozen=True)
class Fallback:
    key: DispatchKey


@dataclass(frozen=True)
class Drop:
    which: int


actions = st.lists(
    st.sampled_from((Def(), Def("Tensor x, Tensor y")))
    | st.builds(Impl, st.none() | keys, st.sampled_from(("unboxed", "boxed", "fallthrough")))
    | st.builds(Fallback, st.sampled_from(WITHOUT_FALLBACK))
    | st.builds(Drop, st.integers(0, 20)),
    max_size=12,
)


def schema_of(text: str) -> FunctionSchema:
    return replace(parse_schema(text), alias_analysis=AliasAnalysisKind.FROM_SCHEMA)


# What PyTorch infers from the kernel that `impl_t_t` registers.
T_T = replace(parse_schema("_(Tensor _0) -> Tensor _0"), name=OperatorName(""))


class Both:
    """One operator in both dispatchers. Each registration gets the line of its own number."""

    def __init__(self, ours: Dispatcher) -> None:
        self.ours = ours
        self.name = f"{next(NAMESPACES)}::op"
        self.registered: list[tuple[RegistrationHandleRAII, Any]] = []
        self.line = 0

    def do(self, action: Def | Impl | Fallback | Drop) -> None:
        if isinstance(action, Drop):
            if self.registered:
                handle, library = self.registered.pop(action.which % len(self.registered))
                handle.reset()
                library.reset()
            return
        self.line += 1
        debug = f"registered at f.cpp:{self.line}"
        kind = {Def: "FRAGMENT", Impl: "IMPL", Fallback: "IMPL"}[type(action)]
        namespace = "_" if isinstance(action, Fallback) else self.name.partition("::")[0]
        library = C._dispatch_library(kind, namespace, "", "f.cpp", self.line)
        theirs = _error(lambda: self._theirs(library, action, debug))
        handle: list[RegistrationHandleRAII] = []
        ours = _error(lambda: handle.append(self._ours(action, debug)))
        assert _whoever_contradicts(ours) == _whoever_contradicts(theirs)
        if handle:
            self.registered.append((handle[0], library))

    def _ours(self, action: Def | Impl | Fallback, debug: str) -> RegistrationHandleRAII:
        name = OperatorName(self.name)
        match action:
            case Def(arguments):
                schema = schema_of(f"{self.name}({arguments}) -> Tensor")
                return self.ours.registerDef(schema, debug)
            case Fallback(key):
                return self.ours.registerFallback(key, makeFallthrough(), debug)
            case Impl(key, "fallthrough"):
                return self.ours.registerImpl(name, _named(key), makeFallthrough(), debug=debug)
            case Impl(key, nature):
                if nature == "boxed" or not _parsed(key):
                    boxed = makeFromBoxedFunction(None)
                    return self.ours.registerImpl(name, _named(key), boxed, debug=debug)
                kernel = makeFromUnboxedFunction(lambda x: x)
                return self.ours.registerImpl(
                    name, key, kernel, inferred_function_schema=T_T, debug=debug
                )

    def _theirs(self, library: Any, action: Def | Impl | Fallback, debug: str) -> None:
        name = self.name.partition("::")[2]
        match action:
            case Def(arguments):
                library.def_(f"{name}({arguments}) -> Tensor")
            case Fallback(key):
                library.fallback(C.DispatchKey(int(key)), torch.library.fallthrough_kernel)
            case Impl(key, nature):
                if nature == "unboxed" and _parsed(key):
                    library.impl_t_t(name, "" if key is None else str(key), debug=debug)
                    return
                function = torch.library.fallthrough_kernel
                function = (lambda x: x) if nature != "fallthrough" else function
                library.impl(name, C.DispatchKey(int(_named(key))), function)

    def check(self) -> None:
        found = self.ours.findOp(OperatorName(self.name))
        assert (found.dumpState() if found else "") == C._dispatch_dump(self.name)
        if found:
            table = C._dispatch_dump_table(self.name).replace(BUILT_IN, "")
            assert found.dumpComputedTable() == table
            check_invariants(found)

    def drop_all(self) -> None:
        while self.registered:
            self.do(Drop(0))


def _whoever_contradicts(said: str | None) -> str | None:
    # Of several kernels that don't fit a schema PyTorch names the first in a hash table.
    return said and re.sub(r"f\.cpp:\d+(?=\n  reason:)", "f.cpp", said)


def check_invariants(op: OperatorHandle) -> None:
    """That a call finds what the dump says."""
    entry = op.operatorDef_.op
    for key in RUNTIME_KEYS:
        assert (
            entry.dispatchTable_[SLOTS[key]]
            is entry.computeDispatchTableEntryWithDebug(key)[0].kernel
        )


def _named(key: DispatchKey | None) -> DispatchKey:
    return DispatchKey.CompositeImplicitAutograd if key is None else key


def _parsed(key: DispatchKey | None) -> bool:
    return key is None or _error(lambda: C._dispatch_key_parse(str(key))) is None


def _error(run: Any) -> str | None:
    try:
        run()
    except (RuntimeError, TorchError) as error:
        return str(error)
    return None


def test_overriding_is_warned_of_in_torchs_words() -> None:
    # PyTorch says it once in a process: whichever test overrides first.
    said: list[str] = []
    both = Both(Dispatcher(warn=said.append))
    with warnings.catch_warnings(record=True) as theirs:
        warnings.simplefilter("always")
        for _ in range(2):
            both.do(Impl(DispatchKey.CPU, "boxed"))
    both.drop_all()
    if not theirs:
        pytest.skip("PyTorch has warned already")
    assert said == [str(theirs[0].message).partition(" (Triggered internally ")[0]]


@settings(max_examples=150)
@given(actions)
def test_the_same_registrations_make_the_same_table(
    steps: list[Def | Impl | Fallback | Drop],
) -> None:
    world = new_world()
    both = Both(world.dispatcher)
    try:
        for step in steps:
            both.do(step)
            both.check()
    finally:
        both.drop_all()
        both.check()


def test_what_is_not_defined_is_not_found() -> None:
    dispatcher = Dispatcher()
    both = Both(dispatcher)
    both.do(Impl(DispatchKey.CPU, "unboxed"))
    for name, overload in ((both.name, ""), (both.name, "Tensor"), ("unfold::nothing", "")):
        theirs = _error(lambda n=name, o=overload: C._dispatch_find_schema_or_throw(n, o))
        assert _error(lambda n=name, o=overload: dispatcher.findSchemaOrThrow(n, o)) == theirs
    both.drop_all()


@pytest.mark.parametrize("key", ["SparseCPU", "NestedTensorCPU", "CompositeExplicitAutograd"])
def test_torch_keeps_a_stale_kernel_where_we_dont(key: str) -> None:
    both = Both(Dispatcher())
    both.do(Impl(DispatchKey.CompositeImplicitAutograd, "boxed"))
    both.do(Impl(DispatchKey[key], "boxed"))
    said = _error(lambda: C._dispatch_check_invariants(both.name))
    assert said is not None
    assert "INTERNAL ASSERT FAILED" in said
    op = both.ours.findOp(OperatorName(both.name))
    assert op is not None
    check_invariants(op)
    both.drop_all()


def test_a_namespace_is_claimed_once() -> None:
    name, dispatcher = next(NAMESPACES), Dispatcher()
    theirs = C._dispatch_library("DEF", name, "", "f.cpp", 1)
    ours = dispatcher.registerLibrary(name, "registered at f.cpp:1")
    said = _error(lambda: C._dispatch_library("DEF", name, "", "f.cpp", 2))
    assert said is not None
    assert _error(lambda: dispatcher.registerLibrary(name, "registered at f.cpp:2")) == said
    theirs.reset()
    ours.reset()
    assert C._dispatch_library("DEF", name, "", "f.cpp", 2)
    assert dispatcher.registerLibrary(name, "registered at f.cpp:2")


@dataclass(frozen=True)
class TensorWithKeys:
    key_set: DispatchKeySet


CALLED = keys_named(
    "CPU SparseCPU BackendSelect ADInplaceOrView AutogradCPU AutogradOther AutocastCPU "
    "Autograd CompositeImplicitAutograd CompositeExplicitAutograd"
)


@pytest.fixture(scope="module")
def tensors() -> list[Any]:
    x = torch.ones(2, 2)
    return [x, x.clone().requires_grad_(), x.to_sparse(), x.to_mkldnn()]


def pushing(number: int) -> KernelFunction:
    """A boxed kernel for two arguments, as PyTorch makes one of a Python function."""

    def kernel(op: OperatorHandle, keyset: DispatchKeySet, stack: Stack) -> None:
        stack[-2:] = [number]

    return makeFromBoxedFunction(kernel)


def answer(run: Any) -> object:
    try:
        return run()
    except RuntimeError as error:
        # An assertion says in which line of PyTorch it stands.
        said = str(error).replace(BUILT_IN, "")
        return said.rpartition("please report a bug to PyTorch. ")[2]


@settings(max_examples=150)
@given(
    falls=st.dictionaries(st.sampled_from(CALLED), st.booleans(), max_size=6),
    which=st.lists(st.integers(0, 3), max_size=2),
    included=st.sampled_from((DispatchKey.AutogradCPU, DispatchKey.AutocastCPU)),
    excluded=st.sampled_from((DispatchKey.Tracer, DispatchKey.ADInplaceOrView, DispatchKey.CPU)),
    forced=st.booleans(),
)
def test_the_same_kernel_is_called(
    tensors: list[Any],
    falls: dict[DispatchKey, bool],
    which: list[int],
    included: DispatchKey,
    excluded: DispatchKey,
    forced: bool,
) -> None:
    world, held = new_world(), []
    dispatcher = world.dispatcher
    namespace = next(NAMESPACES)
    library = C._dispatch_library("FRAGMENT", namespace, "", "f.cpp", 1)
    schema = "op(Tensor? x, Tensor[] y) -> int"
    library.def_(schema)
    held.append(
        dispatcher.registerDef(schema_of(f"{namespace}::{schema}"), "registered at f.cpp:1")
    )
    name = OperatorName(f"{namespace}::op")
    for key, falls_through in falls.items():
        number = int(key)
        theirs = torch.library.fallthrough_kernel
        library.impl(
            "op", C.DispatchKey(number), theirs if falls_through else lambda *_, n=number: n
        )
        ours = makeFallthrough() if falls_through else pushing(number)
        held.append(dispatcher.registerImpl(name, key, ours, debug="registered at f.cpp:1"))
    given = [tensors[i] for i in which]
    mirrored = [
        TensorWithKeys(DispatchKeySet.from_raw_repr(C._dispatch_keys(t).raw_repr())) for t in given
    ]
    assume(_error(lambda: C._dispatch_check_invariants(str(name))) is None)
    op = dispatcher.findSchemaOrThrow(str(name))
    their_op = getattr(torch.ops, namespace).op
    keys = (DispatchKeySet(included), DispatchKeySet(excluded))
    theirs_guards = [
        C._IncludeDispatchKeyGuard(C.DispatchKey(int(included))),
        C._ExcludeDispatchKeyGuard(C.DispatchKeySet.from_raw_repr(keys[1].raw_repr)),
    ]
    with ExitStack() as stack:
        if forced:
            for guard in (
                *theirs_guards,
                IncludeDispatchKeyGuard(keys[0]),
                ExcludeDispatchKeyGuard(keys[1]),
            ):
                stack.enter_context(guard)
        theirs = answer(lambda: their_op(given[0] if given else None, given[1:]))
        arguments = [mirrored[0] if mirrored else None, mirrored[1:]]
        assert answer(lambda: dispatcher.call(op, *arguments)) == theirs
        boxed = answer(lambda: dispatcher.callBoxed(op, arguments))
        assert (arguments[0] if boxed is None else boxed) == theirs
    library.reset()
