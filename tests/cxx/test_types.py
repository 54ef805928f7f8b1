"""How types are read, compared and printed; and how templates are instantiated."""

import pytest

from registry_runtime.cxx import CxxFunction, without_namespaces
from tests.cxx.toy import error_in, run, show


def spelled(type: str, before: str = "") -> object:
    """A type as the interpreter prints it, read as a template argument."""
    (text,) = show(f"toy::TypeOf<{type}>::text", before)
    return text


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("int", "int"),
        ("signed", "int"),
        ("int32_t", "int"),
        ("std::int32_t", "int"),
        ("long", "int64_t"),
        ("long int", "int64_t"),
        ("unsigned long int", "uint64_t"),
        ("std::size_t", "uint64_t"),
        ("long long", "long long"),
        ("char", "char"),
        ("signed char", "int8_t"),
        ("unsigned char", "uint8_t"),
        ("unsigned", "uint32_t"),
        ("short", "int16_t"),
        ("long double", "long double"),
        ("const int", "const int"),
        ("int const &", "const int&"),
        ("toy::Tensor * const", "toy::Tensor* const"),
        ("const toy::Tensor*", "const toy::Tensor*"),
        ("toy::Tensor&&", "toy::Tensor&&"),
        ("::toy::TensorAlias", "toy::Tensor"),
        ("std::vector<const toy::Tensor *>", "std::vector<const toy::Tensor*>"),
        ("std::vector<std::vector<unsigned char> >", "std::vector<std::vector<uint8_t>>"),
        ("void (*)(const int, toy::Tensor*)", "void (*)(int, toy::Tensor*)"),
        ("int (bool)", "int (bool)"),
        ("unheard::Of<int>", "unheard::Of<int>"),
        ("int, 3, true, toy::Colour::GREEN", None),
    ],
)
def test_one_type_has_one_printed_form(written: str, printed: str | None) -> None:
    assert spelled(written) == (printed or "int, 3, true, 1")


def test_a_name_is_looked_for_in_the_namespaces_around() -> None:
    text = "namespace toy { namespace inner { void f(Tensor x, ::toy::Tensor* y); } }"
    (function,) = show("&toy::inner::f", text)
    assert str(function.type) == "void (toy::Tensor, toy::Tensor*)"  # type: ignore[attr-defined]


def test_aliases_and_using_declarations_are_seen_through() -> None:
    text = """
    using T1 = const toy::Tensor&; typedef toy::Tensor* T2; namespace t = toy;
    using toy::Tensor; namespace here { using namespace toy; void f(T1 a, T2 b, Tensor c,
    t::Tensor d, std::vector<TensorAlias> e); }
    """
    (function,) = show("&here::f", text)
    assert str(function.type) == (  # type: ignore[attr-defined]
        "void (const toy::Tensor&, toy::Tensor*, toy::Tensor, toy::Tensor, std::vector<toy::Tensor>)"
    )


def test_a_class_of_the_text_has_its_full_name() -> None:
    text = "namespace a { struct S; template <typename T> class V; void f(const S& s, V<S> v); }"
    (function,) = show("&a::f", text)
    assert str(function.type) == "void (const a::S&, a::V<a::S>)"  # type: ignore[attr-defined]


def instance(template: str, arguments: str) -> CxxFunction:
    (function,) = show(f"&f<{arguments}>", template)
    assert isinstance(function, CxxFunction)
    return function


def test_instantiation_puts_arguments_in_place_of_parameters_everywhere() -> None:
    template = """template <typename T, typename C, int N>
    T* f(const C& c, const std::vector<T>& v, T (*g)(T&), const T k, toy::Fixed<T, N>);"""
    function = instance(template, "unsigned char, toy::Tensor, 4")
    assert str(function) == "f<uint8_t, toy::Tensor, 4>"
    assert str(function.type) == (
        "uint8_t* (const toy::Tensor&, const std::vector<uint8_t>&, uint8_t (*)(uint8_t&), uint8_t,"
        " toy::Fixed<uint8_t, 4>)"
    )


def test_references_to_references_collapse() -> None:
    function = instance("template <typename T> void f(T& a, T&& b);", "int&")
    assert str(function.type) == "void (int&, int&)"


def test_parameters_remember_their_names_and_places() -> None:
    template = "template <typename T> void f(const T& first, int = 3, T* third = nullptr);"
    type = instance(template, "bool").type
    assert type is not None
    assert [parameter.name for parameter in type.parameters] == ["first", "", "third"]
    shown = [template[p.span.start : p.span.end] for p in type.parameters]
    assert shown == ["const T& first", "int = 3", "T* third = nullptr"]


def test_a_default_template_argument_fills_in() -> None:
    function = instance("template <typename T, typename U = std::vector<T>> void f(U u);", "int")
    assert str(function.type) == "void (std::vector<int>)"


def test_the_definitions_parameter_names_count() -> None:
    template = "template <typename T> void f(T a); template <typename U> void f(U b) {}"
    type = instance(template, "int").type
    assert type is not None
    assert type.parameters[0].name == "b"


def test_overloads_that_differ_in_what_they_take_are_ambiguous() -> None:
    template = "template <typename T> void f(T a); template <typename T> void f(T* a);"
    message, shown = error_in("&f<int>", template)
    assert (message, shown) == ("`f` is ambiguous: 2 overloads fit", "f<int>")


def test_overloads_are_told_apart_by_their_number_of_template_parameters() -> None:
    template = (
        "template <typename T> void f(T a); template <typename T, typename U> void f(T a, U b);"
    )
    assert str(instance(template, "int, bool").type) == "void (int, bool)"
    assert str(instance(template, "int").type) == "void (int)"


TEMPLATE = "template <typename T> void f();"


@pytest.mark.parametrize(
    ("declared", "named", "message"),
    [
        (TEMPLATE, "f<int, int>", "is a template of <T> and is given 2 arguments"),
        (TEMPLATE, "f", "is a template of <T> and is given 0 arguments"),
        ("void f();", "f<int>", "is a function, not a template"),
        ("template <typename... A, int B> void f(A... a);", "f<int>", "is a template of <A, B>"),
    ],
)
def test_wrong_template_arguments_are_told(declared: str, named: str, message: str) -> None:
    told, shown = error_in(f"&{named}", declared)
    assert message in told
    assert shown == named


def test_a_template_that_nobody_declared_has_no_type() -> None:
    function, type = show("&toy::f<int>, toy::TypeOf<decltype(&toy::f<int>)>::text")
    assert isinstance(function, CxxFunction)
    assert function.type is None
    assert (str(function), type) == ("toy::f<int>", "decltype(toy::f<int>)*")


def test_function_types_are_equal_whatever_their_parameters_are_called() -> None:
    text = "void f(int a, const bool b); void g(const int, bool);"
    same = "std::is_same<decltype(&f), decltype(&g)>::value"
    assert show(f"{same}, std::is_same<decltype(f), decltype(&f)>::value", text) == (True, False)


def test_a_specialisation_declares_nothing() -> None:
    text = "template <typename T> void f(T); template <> void f<int>(int) {}"
    assert str(instance(text, "int").type) == "void (int)"


def test_an_alias_of_itself_is_an_error_and_no_endless_loop() -> None:
    for text in ("using A = A;", "namespace n { using q::A; } namespace q { using n::A; }"):
        assert run(f"{text} static toy::Show s(toy::TypeOf<A, n::A>::text);") is not None


def test_namespaces_can_be_left_out_of_a_spelling() -> None:
    spelling = "const std::vector<const phi::DenseTensor*>&"
    assert without_namespaces(spelling) == "const vector<const DenseTensor*>&"


@pytest.mark.parametrize(
    ("argument", "printed"),
    [("n::E::b", "n::E::b"), ("n::c", "n::c"), ("n::d", "n::d"), ("n::F::c", "n::c")],
)
def test_an_enumerator_of_the_text_is_spelled_by_its_name(argument: str, printed: str) -> None:
    before = "namespace n { enum class E : char { a, b = 4 }; enum F { c, d = 2 }; }"
    assert spelled(argument, before) == printed
