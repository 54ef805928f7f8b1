"""Classes of the text: their bases, and member functions that bound code runs on an object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from registry_runtime.cxx import (
    Bindings,
    ClassTemplate,
    CxxClass,
    CxxError,
    CxxObject,
    Function,
    FunctionTemplate,
    StaticInitialisation,
    TemplateArgument,
    class_of,
    initialise,
)
from registry_runtime.cxx.calls_by_name import calls_by_name


@dataclass
class Recipe(CxxObject):
    """frame::Recipe: what the text derives its classes from."""

    said: list[object] = field(default_factory=list)


@dataclass
class Given:
    """`frame::Registrar<A, B> r;`: the classes."""

    classes: list[CxxClass | None]


def registrar(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    return lambda *values: Given([class_of(argument) for argument in arguments])


def say_as(arguments: tuple[TemplateArgument, ...]) -> Callable[..., object]:
    def say(recipe: Recipe, value: object) -> None:
        recipe.said.append((str(arguments[0]), value))

    return say


BINDINGS = Bindings(
    {
        "frame::Registrar": ClassTemplate(constructor=registrar, registers=True),
        "frame::twice": Function(lambda text: text * 2),
    },
    {
        Recipe: {
            "say": lambda recipe, value: recipe.said.append(value),
            "say_as": FunctionTemplate(say_as),
        }
    },
)


def run(text: str) -> StaticInitialisation:
    return initialise(text, BINDINGS)


def classes(text: str) -> list[CxxClass]:
    result = run(text)
    assert not result.errors
    (given,) = [o.value for o in result.objects if isinstance(o.value, Given)]
    return [of for of in given.classes if of is not None]


def said(of: CxxClass, method: str = "make", *values: object) -> list[object]:
    recipe, function = Recipe(of), of.method(method)
    assert function is not None
    function.call_on(recipe, *values)
    return recipe.said


SOUP = """
namespace a {
struct Soup : public frame::Recipe {
  Soup();
  void make() const override { say(1); this->say(2); say_as<int>(3); season("salt"); }
  virtual void season(const char* with) const { say(with); }
  int spoons = 3;
};
}
"""


def test_a_member_function_calls_what_is_bound_and_what_the_class_has() -> None:
    (soup,) = classes(SOUP + "static frame::Registrar<a::Soup> r;")
    assert str(soup) == "a::Soup"
    assert said(soup) == [1, 2, ("int", 3), "salt"]


def test_what_a_derived_class_overrides_is_called_from_its_base() -> None:
    text = (
        SOUP
        + """
    namespace b {
    class Curry final : public a::Soup { void season(const char*) const override { say("chili"); } };
    }
    static frame::Registrar<b::Curry> r;
    """
    )
    (curry,) = classes(text)
    assert [str(base) for base in curry.bases()] == ["a::Soup", "frame::Recipe"]
    assert said(curry) == [1, 2, ("int", 3), "chili"]


def test_a_template_knows_its_arguments_in_its_bases() -> None:
    text = """
    template <typename T> struct Kernel {};
    template <typename Device, typename T> struct Trace : public Kernel<T> {
      void operator()(int by) const { say(by); }
    };
    static frame::Registrar<Trace<frame::CPU, std::vector<float>>> r;
    """
    (trace,) = classes(text)
    assert str(trace) == "Trace<frame::CPU, std::vector<float>>"
    assert [str(base) for base in trace.bases()] == ["Kernel<std::vector<float>>"]
    assert said(trace, "operator()", 7) == [7]


def test_a_function_defined_out_of_its_class_is_found() -> None:
    text = """
    struct Soup : frame::Recipe { void make(); };
    void Soup::make() { say("late"); }
    static frame::Registrar<Soup> r;
    """
    assert said(*classes(text)) == ["late"]


def test_an_alias_of_a_class_is_that_class() -> None:
    text = SOUP + "using Lunch = a::Soup; namespace n = a;"
    given = classes(text + "static frame::Registrar<Lunch, n::Soup> r;")
    assert [of.name for of in given] == ["a::Soup", "a::Soup"]


def test_a_mistake_in_a_body_is_told_at_its_token() -> None:
    text = SOUP.replace("say(1)", "sya(1)") + "static frame::Registrar<a::Soup> r;"
    (soup,) = classes(text)
    with pytest.raises(CxxError, match="`sya` is not known here") as caught:
        said(soup)
    assert text[caught.value.span.start : caught.value.span.end] == "sya"


def test_a_member_that_the_object_has_not_is_named() -> None:
    text = SOUP.replace("this->say(2)", "this->sing(2)") + "static frame::Registrar<a::Soup> r;"
    with pytest.raises(CxxError, match="`Recipe` has no member `sing`"):
        said(*classes(text))


def test_a_class_without_a_definition_has_no_functions() -> None:
    (soup,) = classes("struct Soup; static frame::Registrar<Soup> r;")
    assert (soup.definition, soup.body, soup.method("make"), [*soup.bases()]) == (
        *(None, None, None),
        [],
    )


def test_a_class_that_is_its_own_base_ends() -> None:
    (soup,) = classes("struct Soup : Soup {}; static frame::Registrar<Soup> r;")
    assert soup.method("make") is None


def test_which_names_a_class_hands_on() -> None:
    text = """
    struct Soup : frame::Recipe {
      void make() {
        auto* x = context.template Get<Tensor>("salt");
        context.Get<Tensor>(frame::twice("pepper"));
        this->list({"a", "b"}, name, other("c"));
      }
    };
    static frame::Registrar<Soup> r;
    """
    (soup,) = classes(text)
    found = [(call.function, call.name, call.argument) for call in calls_by_name(soup)]
    assert found == [
        ("Get", "salt", 0),
        ("Get", "pepperpepper", 0),
        ("twice", "pepper", 0),
        ("list", "a", 0),
        ("list", "b", 0),
        ("other", "c", 0),
    ]
    spans = [text[call.span.start : call.span.end] for call in calls_by_name(soup)]
    assert spans[:2] == ['"salt"', 'frame::twice("pepper")']


def test_of_two_functions_of_one_arity_none_is_guessed() -> None:
    text = """
    class Chosen : public frame::Recipe {
      int of(int n) { return 1; }
      int of(double n) { return 2; }
      void go() { say(of(2.5)); }
    };
    static frame::Registrar<Chosen> r;
    """
    (found,) = classes(text)
    method = found.method("go")
    assert method is not None
    with pytest.raises(CxxError, match="a call of one of 2 functions `Chosen::of`"):
        method.call_on(Recipe(found))
