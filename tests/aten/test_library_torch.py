"""A library's sentences against PyTorch's own, for the same libraries and the same statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
from registry_runtime.aten.dispatch.kernel_function import makeFallthrough, makeFromUnboxedFunction
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.library.cpp_function import CppFunction
from registry_runtime.aten.library.library import Kind, Library
from registry_runtime.aten.library.tags import Tag
from registry_runtime.aten.linking import new_world
from registry_runtime.aten.operator_arguments import bind
from registry_runtime.aten.schema.function_schema_parser import parse_schema
from registry_runtime.aten.world import World
from tests.aten.texts import fragment, run

pytestmark = pytest.mark.torch
torch = pytest.importorskip("torch")

FOO = "foo(Tensor x) -> Tensor"


class Ours:
    """Our library with the methods of `torch._C._dispatch_library`'s."""

    def __init__(self, world: World, kind: str, ns: str, key: str) -> None:
        parsed = DispatchKey[key] if key else None
        self.library = Library(world, Kind[kind], ns, parsed, "/dev/null", 0)

    def def_(self, schema: str) -> Ours:
        self.library.def_(schema)
        return self

    def impl_t_t(self, name: str, key: str = "") -> Ours:
        kernel = makeFromUnboxedFunction(lambda x: x, function="impl_t_t")
        self.library.impl(name, CppFunction(kernel, dispatch_key=DispatchKey[key] if key else None))
        return self

    def fallback_fallthrough(self) -> Ours:
        self.library.fallback(CppFunction(makeFallthrough()))
        return self


def said(act: Callable[[], object]) -> str | None:
    try:
        act()
    except RuntimeError as error:
        return str(error).split("\nException raised")[0]
    return None


@pytest.mark.parametrize(
    ("library", "statement"),
    [
        (("FRAGMENT", "_", ""), None),
        (("DEF", "_", ""), None),
        (("IMPL", "unfold1", "CPU"), ("def_", FOO)),
        (("IMPL", "unfold1", ""), ("def_", FOO)),
        (("FRAGMENT", "unfold1", ""), ("def_", f"other::{FOO}")),
        (("FRAGMENT", "unfold1", ""), ("def_", f"unfold1::{FOO}")),
        (("IMPL", "unfold1", "CPU"), ("impl_t_t", "other::foo")),
        (("IMPL", "unfold1", "CPU"), ("impl_t_t", "unfold1::foo")),
        (("IMPL", "unfold1", "CPU"), ("impl_t_t", "foo", "CUDA")),
        (("IMPL", "unfold1", "CPU"), ("impl_t_t", "foo", "CPU")),
        (("IMPL", "unfold1", ""), ("impl_t_t", "foo", "CUDA")),
        (("FRAGMENT", "unfold1", ""), ("impl_t_t", "foo", "CUDA")),
        (("FRAGMENT", "unfold1", ""), ("fallback_fallthrough",)),
        (("IMPL", "unfold1", "CPU"), ("fallback_fallthrough",)),
        (("IMPL", "_", "AutogradIPU"), ("fallback_fallthrough",)),
    ],
)
def test_the_same_statement_gets_the_same_answer(
    library: tuple[str, str, str], statement: tuple[str, ...] | None
) -> None:
    def speak(make: Callable[..., Any]) -> None:
        made = make(*library)
        if statement is not None:
            getattr(made, statement[0])(*statement[1:])

    world = new_world()
    theirs = said(lambda: speak(torch._C._dispatch_library))
    assert said(lambda: speak(lambda *about: Ours(world, *about))) == theirs


def test_a_namespace_is_registered_once() -> None:
    world = new_world()
    kept = torch._C._dispatch_library("DEF", "unfold2", "")
    ours = Ours(world, "DEF", "unfold2", "")
    theirs = said(lambda: torch._C._dispatch_library("DEF", "unfold2", ""))
    assert said(lambda: Ours(world, "DEF", "unfold2", "")) == theirs is not None
    del kept, ours


def test_the_tags_are_pytorchs() -> None:
    assert list(Tag.__members__) == list(torch.Tag.__members__)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ((1, 1, 1), {}),
        ((1,), {}),
        ((), {"self": 1}),
        ((1, 1), {"beta": 1}),
        ((1, 1), {"self": 1}),
        ((1, "x"), {}),
        ((1, 1), {"alpha": "x"}),
    ],
)
def test_arguments_are_bound_as_torch_ops_binds_them(
    given: tuple[object, ...], named: dict[str, object]
) -> None:
    add = torch.ops.aten.add.Tensor
    with pytest.raises(TorchError) as caught:
        bind(parse_schema(str(add._schema)), given, named)
    theirs = said(lambda: add(*given, **named))
    assert theirs is not None
    assert caught.value.message == theirs.split("\nCast error details")[0]


@pytest.mark.parametrize("kind", [None, "CONSERVATIVE", "FROM_SCHEMA", "PURE_FUNCTION"])
def test_how_aliases_are_analysed_is_dumped_as_by_torch(kind: str | None) -> None:
    theirs = torch._C._dispatch_library("FRAGMENT", "unfold_alias", "", "f.cpp", 1)
    schema = "foo(Tensor(a!) x) -> Tensor(a!)"
    theirs.def_(schema, *([kind] if kind else []))
    given = f", c10::AliasAnalysisKind::{kind}" if kind else ""
    program, *_ = run(fragment("unfold_alias", f'm.def(torch::schema("{schema}"{given}));'))
    ours = program.aten.dispatcher.findSchemaOrThrow("unfold_alias::foo").dumpState()
    assert ours.replace("a.cc:1", "f.cpp:1") == torch._C._dispatch_dump("unfold_alias::foo")
