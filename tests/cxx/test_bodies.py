"""Function bodies, run when bound code calls them."""

import pytest

from registry_runtime.cxx import CxxError, RedefinedFunction, UndefinedFunction
from tests.cxx.toy import Box, Colour, call, run, show


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
        ("while (true) {}", "not understood: a `while statement` in a body that registers"),
        ("for (;;) {}", "not understood: a `for statement`"),
        ("switch (1) {}", "not understood: a `switch statement`"),
        ("throw 1;", "not understood: a `throw statement`"),
        ("int i;", "not understood: a variable without a value"),
        ("if (int i = 1; i) {}", "not understood: `.int i = 1; i.`"),
        ("box->paint(toy::Colour::RED) += 1;", "not understood"),
        ("box->__class__();", "`Box` has no member `__class__`"),
        ("box->inner;", "not understood"),
    ],
)
def test_what_a_body_may_not_hold_is_refused_by_name(body: str, message: str) -> None:
    with pytest.raises(CxxError, match=message):
        call(body, Box())


def test_a_branch_that_is_not_taken_is_not_judged() -> None:
    assert call("if (false) { while (true) {} } return 1;", Box()) == 1


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
    (function,) = show("&f", before="int f() { return 1; } int f() { return 2; }")
    with pytest.raises(RedefinedFunction, match="`f` is defined twice"):
        function()  # type: ignore[operator]


def test_a_call_with_other_arguments_than_parameters_is_refused() -> None:
    with pytest.raises(CxxError, match="has 1 parameters and is called with 2"):
        call("", 1, 2, parameters="int x")


def test_the_body_of_a_template_is_not_run() -> None:
    (function,) = show("&f<int>", before="template <typename T> int f(T x) { return 1; }")
    with pytest.raises(CxxError, match="a call of the template `f<int>`"):
        function(1)  # type: ignore[operator]
