"""What a text does beyond calling constructors: members, bases, guards, member functions."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from registry_runtime.cxx import (
    Binding,
    Bindings,
    Class,
    ClassTemplate,
    CxxError,
    CxxFunction,
    Function,
    FunctionTemplate,
    Lambda,
    Located,
    NamedType,
    Namespace,
    Refusal,
    Span,
    StaticInitialisation,
    TemplateArgument,
    TypeTemplate,
    initialise,
    unknown_call,
)


@dataclass(eq=False)
class Stub:
    """frame::Stub: an object that a text defines by deriving a class from a bound template."""

    class_name: str
    name: str
    slots: dict[str, object] = field(default_factory=dict)


@dataclass
class Guard:
    """frame::Guard writes down when it is made and when it ends."""

    log: list[str]
    name: str


@dataclass
class Count:
    """frame::Count: a number with methods and an overloaded operator."""

    value: int

    def __add__(self, other: object) -> "Count":
        return Count(self.value + (other.value if isinstance(other, Count) else 1))

    def twice(self) -> int:
        return 2 * self.value


@dataclass(frozen=True)
class Show:
    """frame::Show keeps the values that it was constructed with, and where."""

    values: tuple[object, ...]
    at: Span


class Frame:
    """A framework to run a text in, and what the text did there."""

    def __init__(self) -> None:
        self.stubs: dict[str, Stub] = {}
        self.log: list[str] = []

    def stub(self, arguments: tuple[TemplateArgument, ...], class_name: str, name: str) -> Stub:
        return self.stubs.setdefault(name, Stub(class_name, name))

    def fill(self, arguments: tuple[TemplateArgument, ...], member: str, value: object) -> str:
        if member == "WRONG":
            raise Refusal("there is no such slot", argument=1)
        self.stubs[str(arguments[0])] = stub = Stub(str(arguments[0]), member)
        stub.slots[member] = value
        return member

    def guard(self, name: str) -> Guard:
        self.log.append(f"+{name}")
        return Guard(self.log, name)

    def bindings(self) -> Bindings:
        def set_on(stub: object, value: object) -> object:
            assert isinstance(stub, Stub)
            stub.slots["set"] = value
            return stub

        names: dict[str, Binding] = {
            "frame::Show": Class(Located(lambda at, *values: Show(values, at))),
            "frame::Guard": Class(self.guard, registers=False),
            "frame::Count": Class(
                Count, {"zero": Count(0), "of": Function(Count)}, registers=False
            ),
            "frame::Stub": ClassTemplate(derived=self.stub, specialise=self.fill, registers=True),
            "frame::Register": ClassTemplate(constructor=lambda a: set_on, registers=True),
            "frame::name_of": FunctionTemplate(lambda a: lambda *v: ", ".join(map(str, a))),
            "frame::Same": TypeTemplate(lambda a: NamedType(f"same_{a[0]}")),
            "frame::ops": Namespace(lambda name: name if name.startswith("add") else None),
        }
        return Bindings(
            names,
            {Count: {"twice": Count.twice, "plus": lambda c, n: c + Count(n)}},
            operators={Count: frozenset({"+"})},
            destructors={Guard: lambda guard: self.log.append(f"-{guard.name}")},
            link=lambda function: (lambda: 7) if function.name == "elsewhere" else None,
        )

    def run(self, text: str) -> StaticInitialisation:
        return initialise(text, self.bindings())


def shown(text: str, frame: Frame | None = None) -> tuple[object, ...]:
    """The values that `shown` was constructed with."""
    result = (frame or Frame()).run(text)
    assert [error.message for error in result.errors] == []
    (show,) = (item.value for item in result.objects if isinstance(item.value, Show))
    return show.values


def show(expression: str, before: str = "") -> object:
    (value,) = shown(f"{before}\nstatic const frame::Show shown({expression}, 0);")[:1]
    return value


def function(text: str) -> CxxFunction:
    value = show("&f", text)
    assert isinstance(value, CxxFunction)
    return value


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("frame::Count::zero", Count(0)),
        ("frame::Count::of(3)", Count(3)),
        ("frame::Count(3) + frame::Count(4)", Count(7)),
        ("frame::Count(3).plus(1).twice()", 8),
        ("frame::name_of<int, char>()", "int, char"),
        ("frame::name_of<frame::Same<int>>()", "same_int"),
        ("frame::name_of<std::remove_pointer_t<std::remove_reference_t<int*&>>>()", "int"),
        ("frame::ops::add_Tensor::call", "add_Tensor::call"),
        ("std::move(3)", 3),
        ("std::make_optional(3).value()", 3),
        ("std::nullopt", None),
        ("-1", -1),
        ("'x'", 120),
    ],
)
def test_what_a_name_may_lead_to(expression: str, value: object) -> None:
    assert show(expression) == value


def test_a_function_may_be_a_template_argument_by_its_name_alone() -> None:
    before = "namespace a { int g(int x); }\n"
    assert show("frame::name_of<decltype(a::g), a::g>()", before) == "int (int), a::g"


def test_a_function_may_stand_in_namespaces_that_are_opened_at_once() -> None:
    before = "namespace a::b::c { int g(int x, toy::Box b = {}, int n = 3); }\n"
    told = show("frame::name_of<decltype(a::b::c::g), a::b::c::g>()", before)
    assert told == "int (int, toy::Box, int), a::b::c::g"


def test_a_function_in_parentheses_is_the_function_and_its_type_a_reference() -> None:
    before = "namespace a { template <int n, int d> int g(int x); }\n"
    name = "(a::g<1, 2>)"
    (told,) = [show(f"frame::name_of<decltype({name}), {name}>()", before)]
    assert told == "int (int)&, a::g<1, 2>"


@pytest.mark.parametrize("kind", ["", "const ", "constexpr "])
def test_a_pointer_is_a_template_argument_only_if_it_is_constexpr(kind: str) -> None:
    text = (
        f"int g(int x);\n{kind}auto* chosen = &g;\n"
        "static const frame::Show shown(1, frame::name_of<int, chosen>());"
    )
    (error, *_) = Frame().run(text).errors or [None]
    if kind == "constexpr ":
        assert error is None
    else:
        assert error.message == "`chosen` is a variable, which can't be a template argument"


def test_a_bound_call_may_be_told_where_it_stands() -> None:
    text = "static const frame::Show shown(1);"
    (item,) = Frame().run(text).objects
    assert isinstance(item.value, Show)
    assert text[item.value.at.start : item.value.at.end] == text


STUB = "struct stub_type : frame::Stub<int, stub_type> { stub_type() = default; };\n"


def test_a_class_of_the_text_has_its_bases_objects() -> None:
    frame = Frame()
    result = frame.run(f"namespace n {{ {STUB} struct stub_type stub; }}")
    (item,) = result.objects
    assert (item.name, item.value) == ("n::stub", frame.stubs["n::stub"])
    assert frame.stubs["n::stub"].class_name == "n::stub_type"


def test_an_object_that_another_file_defines_is_the_same_by_name() -> None:
    frame = Frame()
    frame.run(f"{STUB} struct stub_type stub;")
    frame.run(f"int f(int); {STUB} extern struct stub_type stub; "
              "static frame::Register<struct stub_type> r(stub, &f);")  # fmt: skip
    assert str(frame.stubs["stub"].slots["set"]) == "f"


def test_class_and_object_may_have_one_name() -> None:
    frame = Frame()
    result = frame.run("int f(int); struct s : frame::Stub<int, s> {}; struct s s; "
                       "template <> s::F frame::Stub<struct s, int>::SLOT = &f;"
                       "static frame::Register<struct s> r(s, f);")  # fmt: skip
    assert [error.message for error in result.errors] == []
    assert [item.name for item in result.objects] == ["s", "frame::Stub<s, int>::SLOT", "r"]


def test_a_static_member_of_a_template_may_be_specialised() -> None:
    text = "int f(int); template <> int frame::Stub<int, int>::SLOT = &f;"
    frame = Frame()
    (item,) = frame.run(text).objects
    assert text[item.span.start : item.span.end] == text[text.index("template") :]
    assert str(frame.stubs["int"].slots["SLOT"]) == "f"


def test_a_refused_specialisation_is_told_at_the_member() -> None:
    text = "template <> int frame::Stub<int, int>::WRONG = 1;"
    (error,) = Frame().run(text).errors
    assert (error.message, text[error.span.start : error.span.end]) == (
        "there is no such slot",
        "WRONG",
    )


def test_a_specialisation_stands_once() -> None:
    text = "template <> int frame::Stub<int, int>::SLOT = 1;"
    (error,) = Frame().run(text + text).errors
    assert error.message == "`frame::Stub<int, int>::SLOT` is defined twice"


def test_a_guard_ends_with_its_block_also_when_that_is_left_early() -> None:
    body = (
        'int f(int x) { frame::Guard a{"a"}; { frame::Guard b("b"); if (x) { return 1; } } '
        'frame::Guard c{"c"}; return 2; }'
    )
    frame = Frame()
    (f, _) = shown(f"{body} static const frame::Show shown(&f, 0);", frame)
    assert callable(f)
    assert f(0) == 2
    assert frame.log == ["+a", "+b", "-b", "+c", "-c", "-a"]
    frame.log.clear()
    assert f(1) == 1
    assert frame.log == ["+a", "+b", "-b", "-a"]


def test_an_object_of_names_alone_is_no_declaration_of_a_function() -> None:
    """`Guard a(b, c);` is parsed as one. Here both names come to the constructor, which takes one."""
    frame = Frame()
    text = (
        'int f() { auto outer = "outer"; frame::Guard a(outer, outer); return 1; }'
        "static const frame::Show shown(&f, 0);"
    )
    (f, _) = shown(text, frame)
    assert callable(f)
    with pytest.raises(CxxError, match="2 instead of 1"):
        f()


def test_a_member_function_runs_on_an_object() -> None:
    f = function("int X::f(int n) { return twice() + this->twice() + (*this).plus(n).twice(); }"
                 .replace("X::f", "f"))  # fmt: skip
    assert f.call_on(Count(5), 1) == 10 + 10 + 12


def test_a_variable_hides_a_member_of_the_same_name() -> None:
    f = function("int f() { auto twice = [](int x) { return x; }; return twice(3); }")
    assert f.call_on(Count(5)) == 3


def test_a_default_argument_is_taken_where_none_is_given() -> None:
    assert function("int f(int x, int y = 4) { return 10 * x + y; }")(1) == 14


def test_a_static_variable_is_worked_out_once() -> None:
    frame = Frame()
    f, _ = shown(
        'int f() { static auto g = frame::Guard("once"); return 1; }'
        "static const frame::Show shown(&f, 0);",
        frame,
    )
    assert callable(f)
    f()
    f()
    assert frame.log == ["+once"]


def test_a_function_of_another_file_is_linked() -> None:
    assert function("int elsewhere(); int f() { return elsewhere(); }")() == 7


@pytest.mark.parametrize(
    ("body", "returns"),
    [
        ("[](int x) -> char { return 1; }", "char"),
        ("[](const int& x) { return x; }", "int"),
        ("[](int x) { g(x); }", "void"),
        ("[](int x) { return g(x); }", "double"),
        ("[](int x) { return true; }", "bool"),
        ("[](int x) { return [] { return 1; }() + x; }", "auto"),
    ],
)
def test_a_lambda_knows_its_type(body: str, returns: str) -> None:
    value = show(body, "double g(int x);")
    assert isinstance(value, Lambda)
    assert str(value.type.returns) == returns
    assert len(value.type.parameters) == 1


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("int f() { return 1; }", None),
        ("int f() { return g(); }", "g"),
        ("int f();", "&f"),
        ("int g(); int f() { return g(); }", "g"),
        ("int g() { return h(); } int f() { return g(); }", "h"),
        ("int elsewhere(); int f() { return elsewhere(); }", None),
        ("int f() { auto g = [](int x) { return x; }; return g(1); }", None),
        ("int f() { some::Thing t; return 1; }", "some::Thing t;"),
        ('int f() { frame::Guard t("a"); return static_cast<int>(1.5); }', None),
        ("int g(int n) { return g(n); } int f() { return g(1); }", None),
    ],
)
def test_the_first_call_that_has_no_meaning_is_found_without_running(
    text: str, unknown: str | None
) -> None:
    whole = f"{text}\nstatic const frame::Show shown(&f, 0);"
    f, _ = shown(whole)
    assert isinstance(f, CxxFunction)
    span = unknown_call(f)
    spelled = whole[span.start : span.end] if span is not None else None
    assert spelled == (unknown.lstrip("&") if unknown else None)


def test_two_tables_become_one() -> None:
    def made(name: str, link: Callable[[CxxFunction], Callable[..., object] | None]) -> Bindings:
        return Bindings({name: Function(lambda: name)}, {list: {name: len}}, link=link)

    both = made("a", lambda function: None) | made("b", lambda function: len)
    assert set(both.names) == {"a", "b"}
    assert set(both.methods[list]) == {"a", "b"}
    (function,) = (value for value in shown("void f(); const frame::Show shown(&f);"))
    assert both.link(function) is len
