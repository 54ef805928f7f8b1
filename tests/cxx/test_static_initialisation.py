"""Running a text: what is constructed, in which order, and what an error takes down."""

import pytest

from registry_runtime.cxx import Code
from tests.cxx.toy import Show, error_of, run


def constructed(text: str) -> list[str]:
    return [item.name for item in run(text).objects]


def test_objects_are_constructed_from_top_to_bottom() -> None:
    text = "toy::Show b(1); namespace n { static const toy::Show a(2); } toy::Show c, d(3);"
    assert constructed(text) == ["b", "n::a", "c", "d"]


def test_names_in_parentheses_are_values_or_types_as_they_were_declared() -> None:
    text = "int a(); constexpr int b = 3; struct T {}; toy::Show s(a, b); toy::Show f(T, T);"
    result = run(text + "toy::Show enumerator(toy::Colour::GREEN);")
    assert [item.name for item in result.objects] == ["s", "enumerator"]
    assert result.errors == ()
    shown = result.objects[0].value
    assert isinstance(shown, Show)
    assert (str(shown.values[0]), shown.values[1]) == ("a", 3)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (
            "void f() { static toy::Show s(1); }",
            "the function that it stands in would have to run first",
        ),
        (
            "auto s = other::Show(1).twice();",
            "only an object of the framework's own class at namespace scope does",
        ),
    ],
)
def test_a_class_that_registers_and_comes_to_nothing_is_told(text: str, hint: str) -> None:
    result = run(text)
    (warning,) = result.warnings
    assert text[warning.span.start : warning.span.end] == "Show"
    assert (warning.hint, warning.code) == (hint, Code.NOTHING_REGISTERED)
    assert (result.objects, result.errors) == ((), ())


@pytest.mark.parametrize(
    ("beside", "fails"),
    [
        ("int g() { return 1; }", True),
        ("struct S { S() {} };", False),
        ("foreach (int i, v) { }", False),  # the loop of a header that is not there
        ("FOR_EACH(i) { int y; }", False),
    ],
)
def test_an_object_in_a_function_fails_only_beside_another_function(
    beside: str, fails: bool
) -> None:
    result = run(f"void f() {{ static toy::Show s(1); {beside} }}")
    told = [error for error in result.errors if "defines a function" in error.message]
    assert (len(told), len(result.warnings)) == (int(fails), int(not fails))


def test_an_object_knows_its_whole_declaration() -> None:
    text = "int before; static const toy::Show s(1, 2); int after;"
    (item,) = run(text).objects
    assert text[item.span.start : item.span.end] == "static const toy::Show s(1, 2);"
    assert item.value == Show((1, 2))


@pytest.mark.parametrize(
    "text",
    [
        "static int x = f();",
        "static const other::Thing t(1, unknown);",
        "extern const toy::Show s;",
        "toy::Show f();",
        "struct S { static toy::Show s; };",
        "std::vector<toy::Show> v(3);",
        "using A = int; typedef int B; enum E { X }; union U; class C;",
        "template <typename T> struct S { T t; }; template <> struct S<int> {};",
        "template class other::S<int>; extern template class other::S<bool>;",
        "# 1 \"file.cc\"\n#pragma once\n",
    ],
)  # fmt: skip
def test_what_is_not_bound_is_passed_over(text: str) -> None:
    result = run(text)
    assert (result.objects, result.errors, result.warnings) == ((), (), ())


@pytest.mark.parametrize(
    "block",
    [
        "namespace {{ {} }}",
        "namespace a::b {{ {} }}",
        "namespace a::b::c {{ {} }} using namespace a::b;",
        "inline namespace v1 {{ {} }}",
        'extern "C" {{ {} }}',
        'extern "C++" {}',
        "namespace a {{ namespace b {{ namespace c {{ {} }} }} }}",
    ],
)
def test_objects_are_found_in_every_kind_of_block(block: str) -> None:
    assert len(run(block.format("toy::Show s(1);")).objects) == 1


def test_a_class_is_found_by_unqualified_and_imported_names() -> None:
    text = "namespace toy { Show a(1); } using toy::Show; Show b(2); using namespace toy; Box c;"
    assert constructed(text) == ["toy::a", "b", "c"]


def test_a_template_is_found_with_its_arguments_behind_a_using_declaration() -> None:
    text = """namespace n { template <typename T> void f(T x) {} }
    using n::f;
    template decltype(f<int>) f<int>;"""
    result = run(text)
    assert [str(i.function) for i in result.instantiations] == ["n::f<int>"]
    assert not result.errors


def test_explicit_instantiations_are_noted_in_order() -> None:
    text = """template <typename T> void f(T x) {}
    template decltype(f<int>) f<int>;
    template decltype(g::h<bool>) g::h<bool>;"""
    result = run(text)
    assert [str(i.function) for i in result.instantiations] == ["f<int>", "g::h<bool>"]
    span = result.instantiations[0].span
    assert text[span.start : span.end] == "template decltype(f<int>) f<int>;"


def test_an_instance_is_instantiated_once() -> None:
    text = "template <typename T> void f(T x) {}" + " template decltype(f<int>) f<int>;" * 2
    error, shown = error_of(text)
    assert (error.message, shown) == ("`f<int>` is instantiated twice", "f<int>")


def test_a_failed_assertion_takes_down_what_it_guards() -> None:
    text = """
    static_assert(std::is_same<int, int>::value, "fine"); toy::Show a(1);
    static_assert(std::is_same<int, bool>::value, "told so"); toy::Show b(1);
    namespace elsewhere { toy::Show c(1); }
    static_assert(std::is_same<int, int>::value, "fine again"); toy::Show d(1);
    """
    error, shown = error_of(text)
    assert error.message == "told so"
    assert shown.startswith("static_assert(std::is_same<int, bool>")
    assert constructed(text) == ["a", "elsewhere::c", "d"]


def test_the_global_namespace_has_no_struct_of_an_inner_one() -> None:
    check = 'struct S {}; static_assert(std::is_same<::S, S>::value, "not global");'
    assert run(check).errors == ()
    assert run(f"namespace {{ {check} }}").errors == ()
    error, _ = error_of(f"namespace n {{ {check} }}")
    assert error.message == "not global"
    assert run(f"struct S {{}}; namespace n {{ {check} }}").errors != ()


def test_an_assertion_that_cannot_be_judged_accuses_nobody() -> None:
    assert run('static_assert(alignof(int) == 8, "no"); toy::Show s(1);').errors == ()


def test_one_failing_object_leaves_the_others() -> None:
    text = "toy::Show a(1); toy::Show b{toy::nothing}; toy::Show c(3);"
    assert constructed(text) == ["a", "c"]
    assert error_of(text)[1] == "nothing"


def test_two_objects_of_one_name_are_one_too_many() -> None:
    text = "toy::Show a(1); namespace n { toy::Show a(2); } toy::Show a(3);"
    error, shown = error_of(text)
    assert (error.message, shown) == ("`a` is defined twice", "a")
    assert error.span.start == text.rindex("a(3)")
    assert constructed(text) == ["a", "n::a"]


def test_a_name_is_known_only_below_its_declaration() -> None:
    text = "toy::Show s(&f); void f(int);"
    error, shown = error_of(text)
    assert (error.message, shown) == ("`f` is declared only further down", "f")
    assert run("void f(int); toy::Show s(&f);").errors == ()


def test_an_outer_declaration_is_found_while_an_inner_one_is_still_to_come() -> None:
    text = "int f(int); namespace n { toy::Show s(&f); bool f(bool); toy::Show t(&f); }"
    types = [str(item.value.values[0].type) for item in run(text).objects]  # type: ignore[attr-defined]
    assert types == ["int (int)", "bool (bool)"]


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("struct S { void run() { call<decltype(&other::shape)>(); } };", {"other::shape"}),
        ("namespace a { void shape(int); struct S { using F = decltype(&shape); }; }", set()),
        ("void run() { decltype(&a::shape) f; }", {"a::shape"}),
        ("void run() { int x; decltype(x) y; }", set()),
    ],
)
def test_what_a_body_that_runs_later_takes_the_type_of_is_missing_now(
    text: str, unknown: set[str]
) -> None:
    assert run(text).program.unknown == unknown
