"""What registers operators besides `TORCH_LIBRARY`: `RegisterOperators`, and the stable libraries."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.aten.texts import entries, error, fragment, impl, library, run

F = "at::Tensor f(const at::Tensor& x) { return x; } int64_t g(int64_t x) { return x; }\n"


def test_a_chain_of_ops_is_an_object_that_registers() -> None:
    result = run(
        F + 'static auto r = torch::RegisterOperators().op("shop::f", &f)'
        '.op("shop::g(int x) -> int", &g);'
    )
    assert [entry[:3] for entry in entries(result)] == [
        ("shop::f", "schema", "shop::f(Tensor _0) -> Tensor _0"),
        ("shop::f", "CompositeImplicitAutograd", "f"),
        ("shop::g", "schema", "shop::g(int x) -> int"),
        ("shop::g", "CompositeImplicitAutograd", "g"),
    ]
    program, made, _ = result
    x = np.ones(2, np.float32)
    assert np.array_equal(program.call("shop::f", x), x)
    program.take_back(made)
    assert not program.aten.dispatcher.operatorLookupTable_


@pytest.mark.parametrize(
    "text",
    [
        'torch::RegisterOperators r("shop::f(Tensor x) -> Tensor", &f);',
        'static auto r = c10::RegisterOperators("shop::f(Tensor x) -> Tensor", &f);',
        "static auto r = c10::RegisterOperators().op(c10::RegisterOperators::options()"
        '.schema("shop::f(Tensor x) -> Tensor").catchAllKernel<decltype(f), &f>());',
    ],
)
def test_the_object_may_be_written_in_other_ways(text: str) -> None:
    assert [entry[:3] for entry in entries(run(F + text))] == [
        ("shop::f", "schema", "shop::f(Tensor x) -> Tensor"),
        ("shop::f", "CompositeImplicitAutograd", "f"),
    ]


def test_options_name_the_key_of_each_kernel() -> None:
    text = (
        "auto r = torch::RegisterOperators().op(torch::RegisterOperators::options()"
        '.schema("shop::f(Tensor x) -> Tensor").kernel<decltype(f), &f>(c10::DispatchKey::CPU)'
        ".kernel(c10::DispatchKey::CUDA, [](const at::Tensor& x) -> at::Tensor { return x; }));"
    )
    assert [key for _, key, *_ in entries(run(F + text))] == ["schema", "CPU", "CUDA"]


def test_what_is_wrong_in_a_chain_is_told_at_its_argument() -> None:
    text = F + 'static auto r = torch::RegisterOperators().op("shop::f(Tensr x) -> Tensor", &f);'
    message, place = error(text)
    assert message.startswith("unknown type specifier")
    assert place.startswith("Tensr")
    assert error(F + 'static auto r = torch::RegisterOperators().op("shop::h", &h);') == (
        "`h` is not known here",
        "h",
    )


def stable(kind: str, ns: str, key: str, block: str) -> str:
    """`STABLE_TORCH_LIBRARY…(ns, key, m) { block }`, expanded."""
    detail, name = "torch::stable::detail", f"init_{kind}_{ns}_{key.strip(chr(34))}"
    return (
        f"static void {name}({detail}::StableLibrary&); "
        f"static const {detail}::StableTorchLibraryInit static_{name}("
        f'{detail}::StableLibrary::Kind::{kind}, &{name}, "{ns}", {key}, "a.cc", 1); '
        f"void {name}({detail}::StableLibrary& m) {{ {block} }}\n"
    )


def boxed(function: str) -> str:
    """`TORCH_BOX(function)`, expanded."""
    function_type = f"std::remove_pointer_t<std::remove_reference_t<decltype({function})>>"
    return f"torch::stable::detail::boxer< {function_type}, ({function})>::boxed_fn"


def test_a_stable_library_defines_and_implements() -> None:
    text = "namespace shop { torch::stable::Tensor sold(const torch::stable::Tensor& x); }\n"
    text += stable("DEF", "shop", "nullptr", 'm.def("sold(Tensor x) -> Tensor");')
    text += stable("FRAGMENT", "shop", "nullptr", 'm.def("held(Tensor x) -> ()");')
    text += stable("IMPL", "shop", '"CUDA"', f'm.impl("sold", {boxed("&shop::sold")});')
    assert [entry[:3] for entry in entries(run(text))] == [
        ("shop", "TORCH_LIBRARY", ""),
        ("shop::sold", "schema", "shop::sold(Tensor x) -> Tensor"),
        ("shop::held", "schema", "shop::held(Tensor x) -> ()"),
        ("shop::sold", "CUDA", "shop::sold"),
    ]


def test_a_stable_library_has_no_names_without_a_schema_and_no_unknown_keys() -> None:
    message, place = error(stable("DEF", "shop", "nullptr", 'm.def("sold");'))
    assert message.startswith("Tried to parse a function schema but only the operator name")
    assert place == '"sold"'
    assert error(stable("IMPL", "shop", '"CUDAA"', "")) == (
        "could not parse dispatch key: CUDAA",
        '"CUDAA"',
    )


SAID = 'm.def("a(Tensor x) -> Tensor");', 'm.def("b(Tensor x) -> Tensor");'
DONE = 'm.impl("a", f);', 'm.impl("b", f);'


@pytest.mark.parametrize("bad", ["delete m;", 'm.def("c" 3);', "asm(0);", "{ m.unheard_of(); }"])
@pytest.mark.parametrize(
    ("block", "statements"),
    [
        (lambda inside: library("shop", inside), SAID),
        (lambda inside: fragment("shop", inside), SAID),
        (lambda inside: impl("shop", "CPU", inside), DONE),
        (lambda inside: stable("DEF", "shop", "nullptr", inside), SAID),
    ],
    ids=["library", "fragment", "impl", "stable"],
)
def test_a_statement_that_is_refused_costs_none_of_the_others(
    block: Callable[[str], str], statements: tuple[str, str], bad: str
) -> None:
    first, last = statements
    text = F + block(f"{first} {bad} {last}")
    _, made, _ = run(text)
    names = [r.kernel_name for r in made.registrations if r.kernel_name != "shop"]
    assert names == ["shop::a", "shop::b"]
    (told,) = (d for d in made.diagnostics if d.severity == "error")
    assert text.index(bad) <= told.span.start < told.span.end <= text.index(bad) + len(bad)
    of = 3 if "m.def" in bad else 2
    assert told.hint.endswith(f"2 of the {of} statements of this block registered")


@pytest.mark.parametrize("address", ["", "&"])
def test_a_static_member_is_wrapped_with_its_address_or_without(address: str) -> None:
    pointer = "std::remove_pointer_t<std::remove_reference_t<decltype({0})>>, {0}"
    wrapped = f"c10::CompileTimeFunctionPointer<{pointer.format(f'{address}Op::f')}>()"
    text = "struct Op { static at::Tensor f(const at::Tensor& x) { return x; } };\n"
    result = run(text + library("shop", f'm.def("a", {wrapped});'))
    assert [entry[:3] for entry in entries(result)][1:] == [
        ("shop::a", "schema", "shop::a(Tensor _0) -> Tensor _0"),
        ("shop::a", "CompositeImplicitAutograd", "Op::f"),
    ]
