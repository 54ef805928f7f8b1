"""Where explanations of 2023 and PyTorch 2.13 disagree about the macros: what is so, in our headers.

That ours have PyTorch's tokens is shown in `test_aten_original.py`. `lessons/ERRATA.md` names these.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

from tests.samples.aten import SAMPLES
from tests.samples.macro_reader import tokens_of
from visualizer.expansion import Options, preprocess
from visualizer.expansion.compile_commands import compilations
from visualizer.expansion.definitions import Definition


@cache
def macros(header: str, *defines: str) -> dict[str, Definition]:
    options = Options(macros=tuple(("D", name) for name in defines), std="c++20")
    return preprocess(SAMPLES / header, options).definitions


def text(header: str, macro: str, *defines: str) -> str:
    return " ".join(t.text for t in macros(header, *defines)[macro].replacement)


def has(replacement: str, words: str) -> bool:
    return " ".join(tokens_of(words)) in replacement


def test_a_block_for_kernels_asks_no_allow_list() -> None:
    """Said: `dispatch_key_allowlist_check(…) ? &init : [](torch::Library&) -> void {}`. So it was; now
    the function's address stands there alone, for keys are no longer left out of a build."""
    made = text("library.h", "_TORCH_LIBRARY_IMPL")
    assert "allowlist" not in made
    assert "?" not in made
    assert has(made, "&C10_CONCATENATE(TORCH_LIBRARY_IMPL_init_##ns##_##k##_, uid),")


def test_the_key_is_an_optional_of_the_standard_library() -> None:
    """Said: `c10::make_optional`, `c10::optional`. Both are gone for those of C++17."""
    assert has(text("library.h", "_TORCH_LIBRARY_IMPL"), "std::make_optional(c10::DispatchKey::k)")
    assert has(text("library.h", "TORCH_LIBRARY"), "std::nullopt")


@pytest.mark.parametrize(
    "macro", ["TORCH_LIBRARY", "_TORCH_LIBRARY_FRAGMENT", "_TORCH_LIBRARY_IMPL"]
)
def test_the_namespace_is_expanded_before_it_is_made_a_text(macro: str) -> None:
    """Said: `#ns`. Now `C10_STRINGIZE(ns)`, so that a macro's value becomes the text, in TORCH_LIBRARY
    too; the others get `ns` expanded, by the macro above them."""
    made = text("library.h", macro)
    assert has(made, "C10_STRINGIZE(ns)")
    assert not re.search(r"(?<!#)# ns", made)


def test_a_stub_and_its_type_have_two_names() -> None:
    """Said: `struct name : DispatchStub<fn, name> {…}; extern … struct name name`. Now the type is
    called `name_DECLARE_DISPATCH_type`, can't be moved either, and the semicolon is in the macro."""
    made = text("dispatch_stub.h", "DECLARE_DISPATCH")
    named = "name##_DECLARE_DISPATCH_type"
    assert has(made, f"struct {named} : DispatchStub<fn, {named}>")
    assert has(made, f"{named}({named}&&) = delete;")
    assert made.endswith("name ;")
    assert has(text("dispatch_stub.h", "DEFINE_DISPATCH"), f"struct {named} name")


def test_most_kernels_leave_the_slot_of_avx512_empty() -> None:
    """Said: REGISTER_DISPATCH fills the slot of CPU_CAPABILITY, and REGISTER_NO_AVX512_DISPATCH says
    that a kernel has none. Now it is the other way round: compiled for AVX-512, REGISTER_DISPATCH
    fills the slot with nullptr, and ALSO_REGISTER_AVX512_DISPATCH is for those that want it."""
    avx512 = ("CPU_CAPABILITY=AVX512", "CPU_CAPABILITY_AVX512")
    assert has(text("dispatch_stub.h", "REGISTER_DISPATCH", *avx512), "? nullptr : nullptr")
    assert "nullptr" not in text("dispatch_stub.h", "REGISTER_DISPATCH", "CPU_CAPABILITY=AVX2")
    also = text("dispatch_stub.h", "ALSO_REGISTER_AVX512_DISPATCH", *avx512)
    assert has(also, "REGISTER_ARCH_DISPATCH(name, CPU_CAPABILITY, fn)")
    assert "REGISTER_NO_AVX512_DISPATCH" not in macros("dispatch_stub.h", *avx512)
    assert "REGISTER_NO_CPU_DISPATCH" in macros("dispatch_stub.h")


def test_a_case_is_a_template_for_other_libraries_too() -> None:
    """Said: AT_PRIVATE_CASE_TYPE_USING_HINT has the `case` in it, C10_UNUSED_DISPATCH_CUDA_WORKAROUND,
    and c10::impl::ScalarTypeToCPPTypeT. Now it calls THO_PRIVATE_CASE_TYPE_USING_HINT_TMPL, which
    is given the check as an argument, and says [[maybe_unused]]."""
    made = text("dispatch.h", "AT_PRIVATE_CASE_TYPE_USING_HINT")
    assert "case" not in made.split()
    assert "THO_PRIVATE_CASE_TYPE_USING_HINT_TMPL" in made
    case = text("dispatch.h", "THO_PRIVATE_CASE_TYPE_USING_HINT_TMPL")
    assert has(case, "case enum_type: {")
    assert has(case, "torch::headeronly::impl::ScalarTypeToCPPTypeT<enum_type>")
    assert has(case, "using HINT [[maybe_unused]] =")


def test_add_is_compiled_three_times_where_one_machine_had_two() -> None:
    """Said: `add_kernel` has two sources, DEFAULT and AVX2: so the writer's machine. The build makes
    one for each that its compiler knows, in this order."""
    levels = [
        dict(text.partition("=")[::2] for _, text in c.options.macros)["CPU_CAPABILITY"]
        for c in compilations(SAMPLES, SAMPLES / "ufunc_add_kernel.cc")
    ]
    assert levels == ["DEFAULT", "AVX512", "AVX2"]


def test_a_bool_has_no_vectors() -> None:
    """Said: each of the thirteen cases is handed to cpu_kernel_vec. That of Bool is not."""
    source = (SAMPLES / "ufunc_add_kernel.cc").read_text()
    cases = re.findall(
        r"AT_DISPATCH_CASE\(at::ScalarType::(\w+).*?(cpu_kernel\w*)", source, re.DOTALL
    )
    assert [name for name, loop in cases if loop == "cpu_kernel"] == ["Bool"]
    assert len(cases) == 13
