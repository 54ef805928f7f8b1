"""Function bodies, run when bound code calls them."""

import re

import pytest
import tree_sitter_cpp
from tree_sitter import Language

from registry_runtime.cxx import CxxError, RedefinedFunction, UndefinedFunction
from tests.cxx.toy import Box, Colour, call, error_of, run, show


def test_a_body_calls_methods_on_what_it_is_given() -> None:
    box = Box()
    call("box->paint(toy::Colour::GREEN);", box)
    assert box.colour is Colour.GREEN


def test_calls_chain_through_what_methods_return() -> None:
    box = Box()
    call("box->paint(toy::Colour::RED).paint(toy::Colour::GREEN);", box)
    assert box.colour is Colour.GREEN


def test_a_reference_is_reached_with_a_dot_and_a_pointer_with_an_arrow() -> None:
    by_reference = call("return box.colour();", Box(), parameters="const toy::Box& box")
    by_pointer = call("return (*box).colour() == (&*box)->colour();", Box())
    assert (by_reference, by_pointer) == (Colour.RED, True)


BRANCHES = """
  if (n == 0) { return "zero"; }
  else if (n < 0) return "negative";
  else if (n == 1) { auto word = "one"; return word; }
  return "many";
"""


@pytest.mark.parametrize(("n", "word"), [(0, "zero"), (-3, "negative"), (1, "one"), (7, "many")])
def test_a_body_takes_the_branch_whose_condition_holds(n: int, word: str) -> None:
    assert call(BRANCHES, n, parameters="int n") == word


def test_variables_live_in_their_block() -> None:
    body = "int i = 1; const int j{2}; bool b(true); { int i = 5; i = 6; } { i = i + j; } return i;"
    assert call(body, parameters="") == 3
    with pytest.raises(CxxError, match="`k` is not known here"):
        call("{ int k = 1; } return k;", parameters="")


def test_a_field_is_assigned_if_the_table_lists_it() -> None:
    box = Box()
    call('box->label = "fragile";', box)
    assert box.label == "fragile"
    with pytest.raises(CxxError, match="`Box` has no member `colour`"):
        call("box->colour = toy::Colour::RED;", box)


def test_empty_statements_and_comments_do_nothing() -> None:
    assert call("; /* nothing */ {} // at all\n", Box()) is None


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("while (true) {}", "stopped after 4096 rounds"),
        ("for (;;) {}", "stopped after 4096 rounds"),
        ("goto x; x: ;", "not understood: a `goto`"),
        ("try {} catch (...) {}", "not understood: `try` and `catch`"),
        ("throw 1;", "not understood: a `throw` of something else than an error"),
        ("struct A { A(int n) {} };", "not understood: this struct inside a body"),
        ("enum A { B = sizeof(box) };", "not understood: this enumeration inside a body"),
        ("const int i;", "not understood: a variable without a value"),
        (
            "if (auto [i, j] = std::make_pair(1, 2)) {}",
            "not understood: the declarator `\\[i, j\\]`",
        ),
        ("const int i = 1; i = 2;", "`i` is const"),
        ('if (false) ++"text";', '`"text"` is const'),
        ("int i = 1; const int& j = i; ++j;", "`j` is const"),
        ("std::vector<int> v = {1}; v[1];", "out of range: there are 1"),
        ("box->paint(toy::Colour::RED) += 1;", "not understood"),
        ("box->__class__();", "`Box` has no member `__class__`"),
        ("box->inner;", "`Box` has no member `inner`"),
    ],
)
def test_what_a_body_may_not_hold_is_refused_by_name(body: str, message: str) -> None:
    with pytest.raises(CxxError, match=message):
        call(body, Box())


def test_a_branch_that_is_not_taken_has_to_compile_too() -> None:
    with pytest.raises(CxxError, match="a `goto`"):
        call("if (false) { goto x; } return 1;", Box())
    assert call("if (false) { box->unheard_of(); } return 1;", Box()) == 1  # of a class, who knows


def test_the_body_may_stand_anywhere_below_the_declaration() -> None:
    text = "int f(int x);"
    result = show("&f", before=text + "int unrelated() { return 0; }")
    (function,) = result
    with pytest.raises(UndefinedFunction):
        function(1)  # type: ignore[operator]
    (function,) = show(
        "&f, 1", before=f"{text} namespace n {{}} int f(const int x) {{ return x; }}"
    )[:1]
    assert function(3) == 3  # type: ignore[operator]


def test_the_body_of_an_overload_is_not_the_functions() -> None:
    text = "int f(int x); static toy::Show s{&f}; int f(bool x) { return 1; }"
    (item,) = run(text).objects
    with pytest.raises(UndefinedFunction):
        item.value.values[0](0)  # type: ignore[attr-defined]


def test_a_function_with_two_bodies_has_none() -> None:
    made = run("int f() { return 1; } int f() { return 2; } static toy::Show s{&f};")
    assert isinstance(made.errors[0], RedefinedFunction)
    (function,) = made.objects[0].value.values  # type: ignore[attr-defined]
    with pytest.raises(RedefinedFunction, match="`f` is defined twice"):
        function()


def test_a_call_with_other_arguments_than_parameters_is_refused() -> None:
    with pytest.raises(CxxError, match="has 1 parameters and is called with 2"):
        call("", 1, 2, parameters="int x")


@pytest.mark.parametrize(
    ("template", "call", "result"),
    [
        ("template <typename T> int f(T x) { T y = x * 2; return y; }", "f<int8_t>(100)", -56),
        ("template <typename T> int f(T x) { return T(x) / 2 * 2; }", "f<int>(3.5)", 2),
        ("template <typename T> int f(double x) { return T(x) * 2; }", "f<float>(1.5)", 3),
        ("template <int N, typename T = int> int f(T x) { return x * N; }", "f<3>(5)", 15),
        (
            "template <typename T> T half(T x) { return x / 2; }"
            "template <typename T> int f(T x) { return half<T>(x) * 2; }",
            "f<int>(3) + f<double>(3)",
            5,
        ),
    ],
)
def test_an_instance_of_a_template_is_run_with_what_its_parameters_are(
    template: str, call: str, result: int
) -> None:
    (function,) = show("&g", before=f"{template} int g() {{ return {call}; }}")
    assert callable(function)
    assert function() == result


@pytest.mark.parametrize(
    "another",
    [
        "template <> int f<int>(int x) { return 2; }",
        "template <> int f<int>(int x);",
    ],
)
def test_a_template_that_is_specialised_is_not_run(another: str) -> None:
    primary = "template <typename T> int f(T x) { return 1; }"
    (function,) = show("&f<int>", before=f"{primary} {another}")
    with pytest.raises(CxxError, match="a call of the template `f<int>`, which is specialised"):
        function(1)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ("int s = 0; for (int i = 1; i <= 4; ++i) { s += i; } return s;", 10),
        ("int s = 0; for (int i = 0, j = 9; i < j; i++, --j) s = i; return s;", 4),
        ("int s = 0; for (auto i : {5, 6, 8}) { if (i == 6) continue; s += i; } return s;", 13),
        ("int i = 0; while (true) { if (++i == 7) break; } return i;", 7),
        ("int i = 0; do { i += 2; } while (i < 5); return i;", 6),
        ("int i = 3; int& r = i; r = 4; int copy = i; copy = 9; return i;", 4),
        ("int i = 3; int j(i); j++; return i * 10 + j;", 34),
        ("int i = 1; int j = i++; return i * 10 + j;", 21),
        ("int n = 0; auto add = [&](int i) { n += i; }; add(2); add(3); return n;", 5),
        ("int n = 1; auto get = [=] { return n; }; n = 2; return get();", 1),
        ("int n = 1; auto get = [n]() { return n; }; n = 2; return get();", 1),
        ("int v[] = {4, 5}; return v[1];", 5),
        ("return (int)2.9 + int(1.5) + static_cast<int>(0.5);", 3),
        ("if (int i = 2; i > 1) { return i; } return 0;", 2),
        ("using toy::Colour; using namespace toy; return RED_ == 1 ? 1 : half(4);", 2),
        ("switch (2) { case 1: return 1; case 2: case 3: return 3; default: return 9; }", 3),
        ("int i = 0; switch (1) { case 1: i = 1; break; default: i = 2; } return i;", 1),
        ("int i = 0; switch (7) { default: i += 2; case 1: i += 1; } return i;", 3),
    ],
)
def test_a_body_may_hold_what_bodies_hold(body: str, result: int) -> None:
    body = body.replace("RED_ == 1", "Colour::RED == Colour::GREEN")
    assert call(body, parameters="") == result


HELPERS = """
void add(int& total, int n) { total += n; }
int twice(int n) { n = n * 2; return n; }
void paint(toy::Box* box, const toy::Colour colour) { box->paint(colour); }
int forever(int n) { return forever(n); }
template <typename T> int any(int x) { return 1; }
int later(int n);
"""


def test_a_body_calls_functions_of_its_text() -> None:
    body = "int t = 1; add(t, twice(3)); paint(box, toy::Colour::GREEN); return t;"
    (function,) = show("&f", before=f"{HELPERS} int f(toy::Box* box) {{ {body} }}")
    box = Box()
    assert callable(function)
    assert (function(box), box.colour) == (7, Colour.GREEN)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("forever(1)", "`forever` is called too deeply: does it end?"),
        ("any(1)", "no function `any` fits this call"),
        ("later(1)", "`later` is declared and never defined"),
        ("twice()", "`twice` has 1 parameters and is called with 0"),
    ],
)
def test_a_call_that_leads_nowhere_is_told(expression: str, message: str) -> None:
    (function,) = show("&f", before=f"{HELPERS} int f() {{ return {expression}; }}")
    assert callable(function)
    with pytest.raises(CxxError, match=re.escape(message)):
        function()


@pytest.mark.parametrize(
    "statement",
    [
        "struct A { A(int n) {} };",
        "class A { };",
        "union A { int x; float y; };",
        "enum class A : box { B };",
        "void f() { }",
        "template <typename T> void f() { }",
        "goto x; x: ;",
        "case 1: ;",
        "try { } catch (...) { }",
        "throw 1;",
        "co_return;",
        "co_yield 1;",
        "__try { } __except (1) { }",
        'asm("nop");',
        'extern "C" { }',
        "new int;",
        "delete box;",
        "typeid(box);",
        "(... + box);",
        "int x = { .a = 1 };",
        "sizeof...(box);",
        "auto [a, b] = box;",
        "for (auto [a, b] : box) { }",
    ],
)
def test_no_refusal_speaks_of_the_grammar(statement: str) -> None:
    """What the parser calls a node is nothing that a reader of C++ has heard of."""
    language = Language(tree_sitter_cpp.language())
    kinds = {language.node_kind_for_id(i) or "" for i in range(language.node_kind_count)}
    with pytest.raises(CxxError) as refused:
        call(statement, Box())
    for kind in (kind for kind in kinds if "_" in kind.strip("_") and kind not in statement):
        assert kind not in refused.value.message
        assert kind.replace("_", " ") not in refused.value.message


def test_a_variable_of_the_environment_is_null_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    body = 'const char* e = std::getenv("UNFOLD_SET"); return e == nullptr ? 1 : 2;'
    monkeypatch.delenv("UNFOLD_SET", raising=False)
    assert call(body, parameters="") == 1
    monkeypatch.setenv("UNFOLD_SET", "3")
    with pytest.raises(CxxError, match="not understood: what the environment holds"):
        call(body, parameters="")


@pytest.mark.parametrize("captures", ["n", "=", "m = 2", "&, n"])
def test_a_mutable_lambda_that_holds_copies_is_refused_at_the_word(captures: str) -> None:
    body = f"int n = 1; auto f = [{captures}]() mutable {{ return 2; }}; return f();"
    error, shown = error_of(f"int f() {{ {body} }} static toy::Show s{{f()}};")
    assert error.message == "not understood: a `mutable` lambda that holds copies"
    assert shown == "mutable"


def test_a_mutable_lambda_that_holds_no_copies_is_as_any_other() -> None:
    assert call("int n = 1; auto f = [&n]() mutable { n = 7; }; f(); return n;", parameters="") == 7
