"""Schemas: reading, printing, and refusing them in PyTorch's words."""

from __future__ import annotations

import random
import re
import string
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.schema.function_schema import NO_DEFAULT, AliasInfo
from registry_runtime.aten.schema.function_schema_parser import (
    parse_name,
    parse_schema,
    parse_schema_or_name,
)
from registry_runtime.aten.schema.schema_lexer import SchemaError

ADD_ = "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)"


def test_a_schema_says_what_a_caller_may_rely_on() -> None:
    schema = parse_schema(ADD_)
    self, other, alpha = schema.arguments
    assert schema.name == OperatorName("aten::add_", "Tensor")
    assert self.alias_info == AliasInfo(is_write=True, before=("a",), after=("a",))
    assert (self.has_default, other.default_value) == (False, NO_DEFAULT)
    assert (alpha.kwarg_only, alpha.default_value, str(alpha.type)) == (True, 1, "Scalar")
    assert schema.is_mutable
    assert str(schema) == ADD_


def test_real_types_are_kept_beside_what_kernels_see() -> None:
    schema = parse_schema("f(ScalarType? dtype=None, SymInt[] size, Layout layout=strided) -> ()")
    assert [str(a.type) for a in schema.arguments] == ["int?", "int[]", "int"]
    assert [str(a.real_type) for a in schema.arguments] == ["ScalarType?", "SymInt[]", "Layout"]
    real = schema.with_real_types(with_symint=False)
    assert [str(a.type) for a in real.arguments] == ["ScalarType?", "int[]", "Layout"]


def test_a_name_alone_is_not_a_schema() -> None:
    assert parse_schema_or_name("aten::add.out") == OperatorName("aten::add", "out")
    assert parse_name("aten::add") == OperatorName("aten::add", "")
    with pytest.raises(SchemaError, match="only the operator name was given"):
        parse_schema("aten::add.out")
    with pytest.raises(SchemaError, match="but function schema was given"):
        parse_name(ADD_)


@pytest.mark.parametrize(
    ("text", "message", "blamed"),
    [
        ("f(Tensr x) -> ()", "unknown type specifier", "Tensr"),
        ("f(Tensor(a! x) -> ()", "expected ) but found 'ident'", "x"),
        ("f(int x=foo) -> ()", "invalid numeric default value", ")"),
        ("f(..., int y) -> ()", "... must be the last element of the argument list", "int"),
        ("f.__a(int y) -> ()", "__a is not a legal overload name", "__a"),
        ("f(double x) -> ()", "Use `float` instead of `double`", "double"),
        ("f(int x) -> int $", "expected a valid token but found ' '", "$"),
        ("f(Tensor x", "expected ) but found 'eof'", ""),
        ("f(int[99999999] x=1) -> ()", "a list of 99999999 elements", "1"),
        ("(" * 5, "expected ident but found '('", "("),
    ],
)
def test_an_error_points_at_the_word(text: str, message: str, blamed: str) -> None:
    with pytest.raises(SchemaError) as caught:
        parse_schema(text, allow_typevars=False)
    error = caught.value
    assert error.message.startswith(message)
    assert text[error.start : error.end] == blamed


def test_no_depth_of_types_is_a_traceback() -> None:
    with pytest.raises(SchemaError, match="nested too deeply"):
        parse_schema(f"f({'(' * 100_000}")


PLAIN = "Tensor int float bool str Scalar Device Generator Stream"
NESTED = st.recursive(
    st.sampled_from(PLAIN.split()),
    lambda inner: st.one_of(
        inner.map("{}[]".format),
        inner.filter(lambda type: not type.endswith("?")).map("{}?".format),
        inner.map("Dict(str, {})".format),
        inner.map("Future({})".format),
        st.lists(inner, min_size=2, max_size=3).map(lambda types: f"({', '.join(types)})"),
    ),
    max_leaves=4,
)
# Inside a tuple or a dictionary PyTorch forgets that a number was one of these.
TYPES = st.one_of(NESTED, st.sampled_from(["SymInt", "SymInt[]?", "ScalarType?"]))
NAMES = st.text(string.ascii_lowercase, min_size=1, max_size=3).map("x_{}".format)
DEFAULTS = st.one_of(
    st.tuples(st.just("int"), st.integers(-(2**63), 2**63 - 1).map(str)),
    st.tuples(st.just("bool"), st.sampled_from(["True", "False"])),
    st.tuples(st.just("Tensor?"), st.just("None")),
    st.tuples(st.just("int[]"), st.lists(st.integers(0, 9), max_size=1).map(str)),
    st.tuples(st.just("float"), st.sampled_from(["1.", "-0.5", "1e+20", "0.10000000000000001"])),
    st.tuples(st.just("str"), st.sampled_from(['"mean"', '"a\\"b"', '"\\n"', '""'])),
)
ALIASES = st.sampled_from(["", "(a)", "(a!)", "(a! -> b)", "(*)", "(a -> *)"])


@st.composite
def schemas(draw: st.DrawFn) -> str:
    plain = draw(st.lists(st.builds("{} {}".format, TYPES, NAMES), max_size=3))
    annotated = draw(st.lists(st.builds("Tensor{} {}".format, ALIASES, NAMES), max_size=2))
    defaults = draw(st.lists(st.tuples(DEFAULTS, NAMES), max_size=3))
    words = [*plain, *annotated]
    if defaults:
        words += ["*", *(f"{type} {name}={value}" for (type, value), name in defaults)]
    returns = draw(st.lists(TYPES, max_size=3))
    spelled = ", ".join(returns)
    if len(returns) != 1 or spelled.startswith("("):
        spelled = f"({spelled})"
    overload = draw(st.sampled_from(["", ".out", ".Tensor_x"]))
    return f"{draw(NAMES)}::{draw(NAMES)}{overload}({', '.join(words)}) -> {spelled}"


@given(schemas())
def test_what_is_printed_is_what_was_read(text: str) -> None:
    assert str(parse_schema(text)) == text


@given(st.text("f(Tensor[]? x=1,'\"\\\n#*.a!|>-:)", max_size=30))
def test_no_text_brings_the_parser_down(text: str) -> None:
    where = (0, 0)
    try:
        parse_schema_or_name(text)
    except SchemaError as error:
        where = error.start, error.end
    assert 0 <= where[0] <= where[1] <= len(text)


# Against the real one.


@pytest.fixture(scope="module")
def torch_c() -> ModuleType:
    torch = pytest.importorskip("torch")
    return torch._C  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def registered(torch_c: ModuleType) -> list[str]:
    """The schemas of all operators that PyTorch has registered: some four thousand."""
    return sorted({str(schema) for schema in torch_c._jit_get_all_schemas()})


def _theirs(torch_c: ModuleType, text: str, allow_typevars: bool = True) -> str:
    try:
        return str(torch_c.parse_schema(text, allow_typevars))
    except (RuntimeError, ValueError, IndexError) as error:
        # Which line of PyTorch's own source holds the assertion is nothing for us to copy.
        return re.sub(r"^.*INTERNAL ASSERT FAILED.*report a bug to PyTorch. ", "", str(error))


def _ours(text: str, classes: frozenset[str], allow_typevars: bool = True) -> str:
    try:
        return str(
            parse_schema(text, allow_typevars=allow_typevars, custom_classes=classes),
        )
    except SchemaError as error:
        return error.what


def _classes(registered: list[str]) -> frozenset[str]:
    return frozenset(re.findall(r"__torch__[\w.]+", " ".join(registered)))


@pytest.mark.torch
def test_every_schema_of_torchs_own(torch_c: ModuleType, registered: list[str]) -> None:
    classes = _classes(registered)
    assert len(registered) > 4000
    differ = [text for text in registered if _ours(text, classes) != _theirs(torch_c, text)]
    assert differ == []


WORDS = r"""
    ( ) [ ] ? ! * , -> ... | = 1 2.5 1e3 2j - 'a' "\"" True None int Tensor t Union(int, Dict( Scalar?
    Tensor(a!) [2] #x float32 is : :: . $ __a default str _ '''q''' 0x1f .5 complex int64_t
"""


@pytest.mark.torch
@pytest.mark.parametrize("seed", range(3))
def test_broken_schemas_are_refused_in_torchs_words(
    torch_c: ModuleType, registered: list[str], seed: int
) -> None:
    classes = _classes(registered)
    chance = random.Random(seed)
    for _ in range(400):
        text = chance.choice(registered)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(text))
            rest = text[at + chance.randint(1, 4) :] if chance.random() < 0.4 else text[at:]
            text = text[:at] + chance.choice([*WORDS.split(), "\n", "\n ", " is not "]) + rest
        typevars = chance.random() < 0.5
        assert _ours(text, classes, typevars) == _theirs(torch_c, text, typevars), text


@pytest.mark.torch
@given(schemas())
def test_torch_prints_the_same(torch_c: ModuleType, text: str) -> None:
    assert _theirs(torch_c, text) == text
