"""What expressions are worth, and which are refused."""

import pytest

from tests.cxx.toy import Box, Colour, error_in, error_of, run, show


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("0", 0),
        ("017", 15),
        ("0x1F", 31),
        ("0b101", 5),
        ("1'000'000ULL", 1_000_000),
        ("2.5f", 2.5),
        ("1e3", 1000.0),
        ("true", True),
        ("nullptr", None),
        ('"text"', "text"),
        (r'"a\tb\x41\101\u00e9\\"', "a\tbAAé\\"),
        ('"one" "two"', "onetwo"),
        ('R"x(a"b\\n)x"', 'a"b\\n'),
    ],
)
def test_literals(literal: str, value: object) -> None:
    assert show(literal) == (value,)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("toy::Colour::GREEN", Colour.GREEN),
        ("::toy::Colour::CRIMSON", Colour.RED),
        ("toy::kLimit", 42),
        ("toy::half(8)", 4),
        ("toy::half(toy::half(8))", 2),
        ("1 + 2 * 3 - 4", 3),
        ("(1 + 2) * 3", 9),
        ("1 << 4 | 1", 17),
        ("-toy::kLimit", -42),
        ("!true || 1 < 2", True),
        ("toy::Colour::RED == toy::Colour::CRIMSON", True),
        ("toy::Colour::RED != toy::Colour::GREEN && 2 >= 2", True),
        ("nullptr == nullptr", True),
        ("true ? 1 : 2", 1),
        ("false ? 1 : true ? 2 : 3", 2),
        ("static_cast<int>(2.9)", 2),
        ("static_cast<bool>(2)", True),
        ("static_cast<toy::Colour>(1)", Colour.GREEN),
        ("static_cast<int>(toy::Colour::GREEN)", 1),
        ("int(2.5)", 2),
        ("std::is_same<int, int32_t>::value", True),
        ("std::is_same<int, long>::value", False),
    ],
)
def test_values(expression: str, value: object) -> None:
    assert show(expression) == (value,)


def test_braces_construct_as_parentheses_do() -> None:
    (box,) = show("toy::Box{toy::Colour::GREEN}")
    assert box == Box(Colour.GREEN)
    for declaration in ("s{1, 2}", "s(1, 2)", "s = toy::Show(1, 2)"):
        (shown,) = (item.value for item in run(f"static toy::Show {declaration};").objects)
        assert shown.values == (1, 2)  # type: ignore[attr-defined]


def test_logic_stops_at_what_decides_it() -> None:
    assert show("false && toy::half(1)", "") == (False,)
    assert show("true || toy::half(1)", "") == (True,)
    assert show("false ? toy::half(1) : 5", "") == (5,)


def test_a_functions_value_is_its_own_pointer() -> None:
    direct, address, cast = show("f, &f, reinterpret_cast<void*>(&f)", "void f(int);")
    assert direct is address is cast


@pytest.mark.parametrize(
    ("expression", "message", "shown"),
    [
        ("toy::Colour::BLUE", "`toy::Colour` has no `BLUE`", "BLUE"),
        ("toy::Color::RED", "`toy::Color` is not known here", "Color"),
        ("tow::half(2)", "`tow` is not known here", "tow"),
        ("toy::Colour", "`toy::Colour` is a type, not a value", "toy::Colour"),
        ("toy", "`toy` is a namespace", "toy"),
        ("toy::half(3)", "3 is odd", "3"),
        ("toy::half(1, 2)", "wrong number of arguments: 2 instead of 1", "toy::half(1, 2)"),
        (
            "toy::Colour::RED == toy::Size::SMALL",
            "there is no `==` for `Colour` and `Size`",
            "toy::Colour::RED == toy::Size::SMALL",
        ),
        (
            "toy::Colour::RED ? 1 : 2",
            "`Colour` is no condition",
            "toy::Colour::RED",
        ),
        ('"a" == "a"', "there is no `==` for a string literal and a string literal", '"a" == "a"'),
        ("toy::Colour::RED + 1", "there is no `+` for `Colour` and `int`", "toy::Colour::RED + 1"),
        (
            "static_cast<toy::Colour>(7)",
            "`toy::Colour` has no value 7",
            "static_cast<toy::Colour>(7)",
        ),
        ("system(1)", "`system` is not known here", "system"),
        ("toy::kLimit(1)", "`toy::kLimit` can't be called", "toy::kLimit"),
        ("[x](int y) { return y; }", "not understood: the capture `x`", "x"),
        ("new int", "not understood: `new int`", None),
        ("alignof(int)", "not understood: `alignof(int)`", None),
        ("1 / 0", "`1 / 0` divides by zero", None),
        ("1 << 100", "`1 << 100` is too far: `int` has 32 bits", None),
        ("L'x'", "not understood: `L'x'`", None),
        ('(int)"2"', "not understood: a cast of a string literal to `int`", None),
        (
            "dynamic_cast<int*>(nullptr)",
            "not understood: `dynamic_cast<int*>(nullptr)`",
            None,
        ),
    ],
)
def test_what_is_wrong_or_not_understood_is_told_at_its_place(
    expression: str, message: str, shown: str | None
) -> None:
    assert error_in(expression) == (message, shown or expression)


def test_a_refusal_brings_its_hint() -> None:
    error, shown = error_of("static toy::Show s(toy::half(5));")
    assert (error.hint, shown) == ("take an even number", "5")


def test_a_misspelled_name_is_corrected() -> None:
    error, _ = error_of("static toy::Show s{toy::haf(5)};")
    assert error.hint == "did you mean `toy::half`?"
    error, _ = error_of("static toy::Show s{toy::Colour::GREN};")
    assert error.hint == "did you mean `GREEN`?"


def test_a_function_of_the_text_can_be_called_by_an_expression() -> None:
    assert show("f(1), k + 1", "int f(int x) { return x + 2; } constexpr int k = f(3);") == (3, 6)


def test_a_mistake_in_bound_code_is_not_blamed_on_the_text() -> None:
    from registry_runtime.cxx import Bindings, Class, initialise

    def broken(value: object) -> object:
        return value + 1  # type: ignore[operator]

    with pytest.raises(TypeError, match="unsupported operand"):
        initialise("static C c(nullptr);", Bindings({"C": Class(broken)}))
