"""Blocks of TORCH_LIBRARY…: what they register, and what PyTorch says to wrong ones.

The sentences are PyTorch 2.13's; `test_library_torch.py` asks the real one for them.
"""

import pytest

from registry_runtime.program import Program
from tests.aten.texts import entries, error, fragment, impl, library, run, torch_fn

F = "namespace at { Tensor f(const Tensor& self); int64_t g(const Tensor& self); }\n"
FOO = "foo(Tensor self) -> Tensor"


def test_a_block_registers_line_by_line() -> None:
    text = F + library("ops", f'm.def("{FOO}"); m.impl("foo", {torch_fn("at::f")});')
    assert entries(run(text)) == [
        ("ops", "TORCH_LIBRARY", "", text[text.index("static const") : text.index("; void") + 1]),
        ("ops::foo", "schema", f"ops::{FOO}", f'm.def("{FOO}")'),
        ("ops::foo", "CompositeImplicitAutograd", "at::f", f'm.impl("foo", {torch_fn("at::f")})'),
    ]


@pytest.mark.parametrize(
    ("kernel", "function", "key"),
    [
        (torch_fn("at::f"), "at::f", "CPU"),
        ("&at::f", "at::f", "CPU"),
        ("at::f", "at::f", "CPU"),
        ("torch::CppFunction::makeFallthrough()", "fallthrough", "CPU"),
        ("torch::CppFunction::makeFromBoxedFunction<&boxed>()", "boxed", "CPU"),
        ("torch::CppFunction::makeFromUnboxedFunction(&at::f)", "at::f", "CPU"),
        (f"torch::dispatch(c10::DispatchKey::CPU, {torch_fn('at::f')})", "at::f", "CPU"),
        ("torch::dispatch(c10::DeviceType::CPU, &at::f)", "at::f", "CPU"),
        ("c10::DispatchKey::CPU, &at::f", "at::f", "CPU"),
        ("[](const at::Tensor& x) { return x; }", "[](const at::Tensor& x) { return x; }", "CPU"),
    ],
)
def test_a_kernel_may_come_in_any_shape(kernel: str, function: str, key: str) -> None:
    boxed = "void boxed(const c10::OperatorHandle& op, c10::Stack* stack);\n"
    text = F + boxed + impl("ops", "CPU", f'm.impl("foo", {kernel});')
    assert entries(run(text)) == [("ops::foo", key, function, f'm.impl("foo", {kernel})')]


def test_a_template_that_wraps_a_function_is_a_kernel() -> None:
    # functorch: m.impl("foo", foo_generated_plumbing<decltype(&rule), &rule>)
    wrapper = (
        "namespace at { template <typename rule_t, rule_t rule> "
        "Tensor foo_generated_plumbing(const Tensor& self) { return rule(self); } }\n"
    )
    statement = 'm.impl("foo", at::foo_generated_plumbing<decltype(&at::f), &at::f>);'
    _, made, _ = run(F + wrapper + impl("ops", "FuncTorchBatched", statement))
    assert not made.diagnostics
    (entry,) = made.registrations
    assert entry.key == "FuncTorchBatched"
    assert entry.function.startswith("at::foo_generated_plumbing<")
    assert entry.function.endswith("at::f>")


def test_a_name_and_a_function_make_a_schema() -> None:
    program, *_ = run(F + library("ops", 'm.def("foo", &at::f);'))
    op = program.aten.dispatcher.findSchemaOrThrow("ops::foo")
    assert str(op.schema()) == "ops::foo(Tensor _0) -> Tensor _0"


# What `torch._C._dispatch_dump` says in PyTorch 2.13.0; of RegisterOperators, for `_test::cat`.
@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        (f'm.def("{FOO}");', "FROM_SCHEMA"),
        (f'm.def("{FOO}", &at::f);', "FROM_SCHEMA"),
        ('m.def("foo", &at::f);', "CONSERVATIVE"),
        (f'm.def(torch::schema("{FOO}"));', "FROM_SCHEMA"),
        *(
            (f'm.def(torch::schema("{FOO}", c10::AliasAnalysisKind::{kind}), &at::f);', kind)
            for kind in ("PURE_FUNCTION", "CONSERVATIVE", "FROM_SCHEMA", "INTERNAL_SPECIAL_CASE")
        ),
    ],
)
def test_a_dump_tells_how_aliases_are_analysed(statement: str, kind: str) -> None:
    program, made, _ = run(F + fragment("ops", statement))
    assert not made.diagnostics
    dump = program.aten.dispatcher.findSchemaOrThrow("ops::foo").dumpState()
    assert f"\nalias analysis kind: {kind}\n" in dump


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ("", "CONSERVATIVE (default)"),
        (".aliasAnalysis(c10::AliasAnalysisKind::PURE_FUNCTION)", "PURE_FUNCTION"),
    ],
)
@pytest.mark.parametrize("name", ["ops::foo", f"ops::{FOO}"])
def test_registered_without_a_library_the_default_is_conservative(
    name: str, options: str, kind: str
) -> None:
    catch_all = "catchAllKernel<decltype(at::f), &at::f>()"
    made = f"torch::RegisterOperators::options().{catch_all}{options}"
    program, *_ = run(F + f'static auto r = torch::RegisterOperators().op("{name}", {made});')
    dump = program.aten.dispatcher.findSchemaOrThrow("ops::foo").dumpState()
    assert f"\nalias analysis kind: {kind}\n" in dump


def test_tags_may_be_given_in_place_or_by_name() -> None:
    block = (
        "std::vector<at::Tag> tags_0 = {at::Tag::core, at::Tag::pointwise}; "
        f'm.def("{FOO}", tags_0); m.def(torch::schema("bar() -> ()"), {{at::Tag::generated}});'
    )
    program, *_ = run(fragment("ops", block))
    find = program.aten.dispatcher.findSchemaOrThrow
    assert find("ops::foo").operatorDef_.op.tags_ == ("core", "pointwise")
    assert find("ops::bar").operatorDef_.op.tags_ == ("generated",)


def test_a_custom_class_is_passed_over() -> None:
    block = 'm.class_<Counter>("Counter").def(torch::init<int64_t>()).def("get", &Counter::get);'
    text = "struct Counter { int get(); };\n" + fragment("ops", f'{block} m.def("{FOO}");')
    assert [entry[0] for entry in entries(run(text))] == ["ops::foo"]


def test_statements_may_be_chained() -> None:
    text = F + fragment("ops", f'm.def("{FOO}").impl("foo", &at::f);')
    assert [entry[1] for entry in entries(run(text))] == ["schema", "CompositeImplicitAutograd"]


def test_a_misspelt_key_is_told_with_the_nearest_one() -> None:
    _, made, _ = run(impl("ops", "CPUU", ""))
    assert [d.hint for d in made.diagnostics] == ["did you mean `CPU`?"]


def test_where_in_a_schema_the_mistake_is_stands_in_the_hint() -> None:
    _, made, _ = run(fragment("ops", 'm.def("foo(Tensor self -> Tensor");'))
    assert [(d.message, d.hint) for d in made.diagnostics] == [
        ("expected ) but found 'arrow'", "at `-> Tensor`")
    ]


def test_a_build_may_leave_operators_out_by_name() -> None:
    selected = "torch::detail::SelectiveStr<c10::impl::{}_allowlist_check({})>({})"
    schema = selected.format("schema", f'"{FOO}"', f'"{FOO}"')
    name = selected.format("op", '"foo"', '"foo"')
    text = F + library("ops", f"m.def({schema}); m.impl({name}, &at::f);")
    assert [entry[:2] for entry in entries(run(text))][1:] == [
        ("ops::foo", "schema"),
        ("ops::foo", "CompositeImplicitAutograd"),
    ]


def test_a_key_that_is_not_on_the_allow_list_registers_nothing_and_says_so() -> None:
    program = Program()
    text = F + impl("ops", "CPU", 'm.impl("foo", &at::f);', check=True)
    _, made, _ = run(text, program)
    assert [r.kind for r in made.registrations] == ["impl"]
    program.take_back(made)
    program.aten.world.allow_list = []
    _, made, _ = run(text, program)
    assert [(r.kind, r.key, r.function) for r in made.registrations] == [
        ("library", "CPU", "[](torch::Library&) -> void {}")
    ]
    assert not made.registrations[0].runnable
    assert program.aten.dispatcher.operatorLookupTable_ == {}


def test_taking_a_text_back_leaves_the_dispatcher_as_it_was() -> None:
    program, first, _ = run(F + library("ops", f'm.def("{FOO}"); m.impl("foo", &at::f);'))
    dispatcher = program.aten.dispatcher
    before = dispatcher.findSchemaOrThrow("ops::foo").dumpState()
    second = run(F + impl("ops", "CPU", 'm.impl("foo", &at::f);', 2), program)[1]
    assert dispatcher.findSchemaOrThrow("ops::foo").dumpState() != before
    program.take_back(second)
    assert dispatcher.findSchemaOrThrow("ops::foo").dumpState() == before
    program.take_back(first)
    program.take_back(first)
    assert dispatcher.operatorLookupTable_ == {}
    assert dispatcher.libraries_ == {}
    assert run(F + library("ops", ""), program)[1].diagnostics == ()


def test_the_table_is_shown_as_it_was_before_and_after() -> None:
    _, made, _ = run(F + fragment("ops", f'm.def("{FOO}"); m.impl("foo", &at::f);'))
    defined, implemented = made.registrations
    assert "CPU" not in defined.table_after
    assert "CPU" not in implemented.table_before
    assert implemented.table_after["CPU"] == ("at::f", "math kernel")
    assert implemented.table_after["BackendSelect"] == ("fallthrough", "backend fallback")


def test_a_kernel_that_replaces_another_says_so_and_warns() -> None:
    block = 'm.impl("foo", &at::f);'
    text = F + fragment("ops", f'm.def("{FOO}");') + impl("ops", "CPU", block, 2)
    _, made, _ = run(text + impl("ops", "CPU", block, 3))
    assert [r.replaced for r in made.registrations] == [False, False, True]
    (warning,) = made.diagnostics
    assert warning.severity == "warning"
    assert "new kernel: registered at a.cc:3" in warning.message


def test_a_fallback_as_libtorchs_takes_its_place_and_gives_it_back() -> None:
    program = Program()
    fallbacks = program.aten.dispatcher.backendFallbackKernels_
    before = [kernel.debug for kernel in fallbacks]
    block = "m.fallback(torch::CppFunction::makeFallthrough());"
    result = run(impl("_", "ADInplaceOrView", block), program)
    assert entries(result) == [("_", "ADInplaceOrView", "fallthrough", block[:-1])]
    assert "registered at a.cc:1" in [kernel.debug for kernel in fallbacks]
    program.take_back(result[1])
    assert [kernel.debug for kernel in fallbacks] == before


@pytest.mark.parametrize(
    ("before", "file", "warned"),
    [
        ("", "a.cc", True),
        (library("ops", ""), "a.cc", True),
        ("", "VmapModeRegistrations.cpp", False),  # that file of PyTorch's
        (library("aten", ""), "a.cc", False),  # who defines aten is PyTorch
    ],
)
def test_a_text_that_registers_libtorchs_own_fallback_is_told_that_pytorch_aborts(
    before: str, file: str, warned: bool
) -> None:
    block = "m.fallback(torch::CppFunction::makeFallthrough());"
    text = before + impl("_", "VmapMode", block, 2).replace("a.cc", file)
    _, made, _ = run(text)
    told = [d for d in made.diagnostics if d.severity == "warning"]
    assert [text[d.span.start : d.span.end] for d in told] == [block[:-1]] * warned
    for diagnostic in told:
        assert "aborts" in diagnostic.message
        assert (
            "Tried to register multiple backend fallbacks for the same dispatch key VmapMode; "
            "previous registration registered at aten/src/ATen/VmapModeRegistrations.cpp:32, new "
            "registration registered at a.cc:2"
        ) in diagnostic.message


def test_another_fallback_beside_libtorchs_is_refused_as_by_pytorch() -> None:
    program = Program()
    fallbacks = program.aten.dispatcher.backendFallbackKernels_
    before = [kernel.debug for kernel in fallbacks]
    block = "m.fallback(torch::CppFunction::makeFallthrough());"
    _, made, _ = run(impl("_", "AutogradCPU", block), program)
    (refused,) = made.diagnostics
    assert refused.message.startswith(
        "Tried to register multiple backend fallbacks for the same dispatch key AutogradCPU; "
        "previous registration registered at aten/src/ATen/core/VariableFallbackKernel.cpp:66, new "
        "registration registered at a.cc:1"
    )
    assert not made.registrations
    assert [kernel.debug for kernel in fallbacks] == before


def test_verify_only_waits_for_what_another_library_registers() -> None:
    text = F + fragment("ops", f'm.def("{FOO}"); m.impl("foo", &at::f);')
    verify = 'm.impl("foo", &at::f, torch::_RegisterOrVerify::VERIFY);'
    program, _, _ = run(text)
    assert run(F + fragment("ops", verify, 2), program)[1].registrations == ()


def test_when_a_block_throws_all_of_it_is_gone_and_the_others_stand() -> None:
    wrong = F + fragment("ops", f'm.def("{FOO}"); m.def("{FOO}");')
    program, made, _ = run(wrong + fragment("other", f'm.def("{FOO}");', 2))
    assert [r.kernel_name for r in made.registrations] == ["other::foo"]
    assert [str(name) for name in program.aten.dispatcher.operatorLookupTable_] == ["other::foo"]


ERROR = "(Error occurred while processing {} block at a.cc:1)"


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        (
            impl("ops", "CPU", f'm.def("{FOO}");'),
            'def("foo"): Cannot define an operator inside of a TORCH_LIBRARY_IMPL block.  All '
            "def()s should be placed in the (unique) TORCH_LIBRARY block for their namespace.  "
            + ERROR.format("TORCH_LIBRARY_IMPL"),
            f'm.def("{FOO}")',
        ),
        (
            fragment("ops", f'm.def("other::{FOO}");'),
            "Explicitly provided namespace (other) in schema string does not match namespace of "
            "enclosing TORCH_LIBRARY_FRAGMENT block (ops).  Move this definition to the (unique) "
            "TORCH_LIBRARY block corresponding to this namespace (and consider deleting the "
            "namespace from your schema string.)  " + ERROR.format("TORCH_LIBRARY_FRAGMENT"),
            f'"other::{FOO}"',
        ),
        (
            impl("ops", "CPU", 'm.impl("other::foo", &at::f);'),
            'impl("other::foo", ...): Explicitly provided namespace (other) in operator name does '
            "not match namespace of enclosing TORCH_LIBRARY_IMPL block (ops).  Move this "
            "definition to the TORCH_LIBRARY_IMPL block corresponding to this namespace (and "
            "consider deleting the namespace from your schema string.)  "
            + ERROR.format("TORCH_LIBRARY_IMPL"),
            '"other::foo"',
        ),
        (
            impl("ops", "CPU", 'm.impl("foo", torch::dispatch(c10::DispatchKey::CUDA, &at::f));'),
            'impl("foo", ...): Explicitly provided dispatch key (CUDA) is inconsistent with the '
            "dispatch key of the enclosing TORCH_LIBRARY_IMPL block (CPU).  Please declare a "
            "separate TORCH_LIBRARY_IMPL block for this dispatch key and move your impl() there.  "
            + ERROR.format("TORCH_LIBRARY_IMPL"),
            "torch::dispatch(c10::DispatchKey::CUDA, &at::f)",
        ),
        (
            fragment("ops", f'm.def("{FOO}"); m.def("{FOO}");'),
            f"Tried to register an operator (ops::{FOO}) with the same name and overload name "
            "multiple times. Each overload's schema should only be registered with a single call "
            "to def(). Duplicate registration: registered at a.cc:1. Original registration: "
            "registered at a.cc:1",
            f'"{FOO}"',
        ),
        (
            fragment("ops", 'm.def("foo(Tensor self) -> ");'),
            "expected ident but found 'eof'",
            '"',
        ),
        (
            fragment("ops", 'm.fallback(torch::CppFunction::makeFallthrough());'),
            "fallback(...): Cannot define an operator inside of a TORCH_LIBRARY_FRAGMENT block.  "
            "Did you mean to call this function inside a TORCH_LIBRARY_IMPL block?  "
            + ERROR.format("TORCH_LIBRARY_FRAGMENT"),
            "m.fallback(torch::CppFunction::makeFallthrough())",
        ),
        (
            impl("ops", "CPU", "m.fallback(torch::CppFunction::makeFallthrough());"),
            "fallback(...): Fallback functions which apply to only a single namespace (you "
            "specified ops) are not supported.  If you intended to apply this fallback function "
            "globally, please define a separate block:\n\n"
            "    TORCH_LIBRARY_IMPL(_, CPU, m) { m.fallback(...); }\n\n"
            + ERROR.format("TORCH_LIBRARY_IMPL"),
            "m.fallback(torch::CppFunction::makeFallthrough())",
        ),
        (impl("ops", "CPU", 'm.impl("foo", 3);'), "this is no kernel", "3"),
        (
            impl("ops", "CPU", "m.impl(3, &at::f);"),
            "the operator's name, a string, is wanted here",
            "3",
        ),
        (impl("ops", "CPU", 'm.impl("foo" &at::f);'), "a comma is missing before `&`", "&"),
        (fragment("ops", 'm.def("foo" &at::f);'), "a comma is missing before `&`", "&"),
        (impl("ops", "CPU", 'm.impll("foo", &at::f);'), "`Library` has no member `impll`", "impll"),
        (impl("ops", "CPUU", ""), "`c10::DispatchKey` has no `CPUU`", "CPUU"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_block_is_said_in_pytorchs_words_at_its_place(
    text: str, message: str, place: str
) -> None:
    assert error(F + text) == (message, place)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (f'm.def("{FOO}");', []),
        ('m.def("foo", &at::h);', ["`at::h` is not known here"]),
    ],
)
def test_of_a_block_that_is_never_closed_nothing_below_is_told(
    statement: str, told: list[str]
) -> None:
    block = fragment("ops", statement).rstrip().removesuffix("}")
    text = F + block + impl("ops", "CPU", 'm.impl("foo", &at::f);') + library("others", "", 2)
    _, made, _ = run(text)
    brace, *inside = made.diagnostics
    assert brace.message == "this `{` is never closed, so everything below is inside it"
    assert text[: brace.span.start] + "{" in text.partition("m.def")[0]
    assert [found.message for found in inside] == told
    assert {entry.kernel_name for entry in made.registrations} <= {"ops::foo"}


def test_a_namespace_has_one_torch_library() -> None:
    program, *_ = run(library("ops", ""))
    message, _ = error(library("ops", "", 7), program)
    assert message.startswith(
        "Only a single TORCH_LIBRARY can be used to register the namespace ops;"
    )
    assert message.endswith(
        "was registered at a.cc:1; latest registration was registered at a.cc:7"
    )


def test_a_kernel_that_contradicts_the_schema_is_refused_at_the_kernel() -> None:
    kernel = torch_fn("at::g")
    text = F + fragment("ops", f'm.def("{FOO}"); m.impl("foo", {kernel});')
    message, place = error(text)
    assert place == kernel
    assert "Inferred operator schema for a C++ kernel function doesn't match" in message
    assert "reason: Type mismatch in return 1: Tensor vs int" in message


def test_a_schema_that_contradicts_a_kernel_is_refused_at_the_schema() -> None:
    text = F + impl("ops", "CPU", 'm.impl("foo", &at::g);') + fragment("ops", f'm.def("{FOO}");')
    message, place = error(text)
    assert place == f'"{FOO}"'
    assert "doesn't match the expected function schema" in message


def test_a_type_that_no_schema_knows_is_refused_where_it_is_written() -> None:
    text = "void h(std::string_view a, unsigned int b);\n" + impl("ops", "CPU", 'm.impl("h", &h);')
    _, place = error(text)
    assert place == "unsigned int b"


def test_a_missing_block_is_told_in_the_macros_terms() -> None:
    whole = fragment("ops", "")
    text = whole[: whole.rindex("{")].rstrip() + ";"
    message, place = error(text)
    assert message == "the block that ends TORCH_LIBRARY... is missing: write { }"
    assert place == ";"


def test_an_operator_with_a_kernel_and_no_schema_is_legal_until_it_is_called() -> None:
    program, made, _ = run(F + impl("ops", "CPU", 'm.impl("foo", &at::f);'))
    assert made.diagnostics == ()
    with pytest.raises(
        RuntimeError, match=r"Could not find schema for ops::foo\. but we found an "
    ):
        program.call("ops::foo", 1)


def test_both_frameworks_may_stand_in_one_text() -> None:
    registrar = (
        'static const ::phi::KernelRegistrar r(::phi::RegType::INNER, "abs", "CPU", '
        "::phi::DataLayout::ALL_LAYOUT, ::phi::CppTypeToDataType<float>::Type(), "
        "::phi::KernelArgsParseFunctor<decltype(&abs<float>)>::Parse, &args, "
        "::phi::KernelImpl<decltype(&abs<float>), &abs<float>>::Compute, "
        "::phi::KernelImpl<decltype(&abs<float>), &abs<float>>::VariadicCompute);\n"
    )
    before = (
        "template <typename T> void abs(const phi::CPUContext& c, const phi::DenseTensor& x, "
        "phi::DenseTensor* out);\nvoid args(const ::phi::KernelKey& k, ::phi::Kernel* kernel);\n"
    )
    text = (
        before
        + fragment("ops", f'm.def("{FOO}");')
        + registrar
        + "void args(const ::phi::KernelKey& k, ::phi::Kernel* kernel) {}"
    )
    program, made, _ = run(text)
    assert [d.message for d in made.diagnostics if d.severity == "error"] == []
    assert [r.kernel_name for r in made.registrations] == ["ops::foo", "abs"]
    program.take_back(made)
    assert "abs" not in program.phi.factory.kernels


def test_a_text_that_never_names_pytorch_does_not_wait_for_its_table() -> None:
    program, *_ = run("namespace phi { void at(int c10); }")
    assert "bindings" not in vars(program.aten)
    run("static const at::Tensor x;", program)
    assert "bindings" in vars(program.aten)
