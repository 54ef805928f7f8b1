"""What is said when a registration is wrong: the words, and the place that they point at."""

import pytest

from registry_runtime.phi import Runtime
from tests.phi.registrations import BINARY, kernel_with, only_error, registration, run


def test_a_semicolon_instead_of_the_braces() -> None:
    text = BINARY + registration(braces=";")
    diagnostic, shown = only_error(text)
    assert diagnostic.message == (
        "the braces that end PD_REGISTER_KERNEL(...) are missing: write {} instead of ;"
    )
    assert shown == ";"
    assert diagnostic.span.start == len(text) - 2
    assert run(text).registrations == ()


def test_nothing_instead_of_the_braces() -> None:
    text = BINARY + registration(braces="") + registration("sum", dtypes=("double",))
    diagnostic, shown = only_error(text)
    assert "are missing: write {}" in diagnostic.message
    assert "instead" not in diagnostic.message
    assert shown == ")"
    assert [entry.kernel_name for entry in run(text).registrations] == ["sum"]


def test_a_registration_inside_a_namespace_does_not_take_place() -> None:
    text = BINARY + "namespace inner { " + registration() + "}\n" + registration("sum")
    diagnostic, shown = only_error(text)
    assert diagnostic.message == "PD_REGISTER_KERNEL must be called in global namespace."
    assert diagnostic.hint == "move the registration out of namespace inner"
    assert shown.startswith("static_assert(")
    assert {entry.kernel_name for entry in run(text).registrations} == {"sum"}


def test_a_macro_that_was_never_expanded() -> None:
    text = BINARY + "PD_REGISTER_KERNELS(add, CPU, ALL_LAYOUT, phi::AddKernel, bool, int) {}\n"
    diagnostic, shown = only_error(text + registration("sum"))
    assert shown == "PD_REGISTER_KERNELS"
    assert diagnostic.message == (
        "`PD_REGISTER_KERNELS` is not a macro and not a declaration:"
        " is it misspelled, or its header not included?"
    )
    assert len(run(text + registration("sum")).registrations) == 2


@pytest.mark.parametrize("end", [";", "", " {}", "\n{ kernel->InputAt(0); }"])
def test_a_macro_that_was_never_expanded_is_named_whatever_follows_it(end: str) -> None:
    _, shown = only_error(f"DEFINE_KERNEL(And){end}\n" + BINARY + registration())
    assert shown == "DEFINE_KERNEL"


def test_a_type_that_phi_has_no_data_type_for() -> None:
    text = BINARY + registration(dtypes=("float", "long double", "int"))
    diagnostic, shown = only_error(text)
    assert diagnostic.message == "PHI has no data type for `long double`"
    assert shown == "long double"
    assert diagnostic.hint.startswith("did you mean double? it has bool, int8_t, ")
    assert "phi::dtype::bfloat16" in diagnostic.hint
    assert [str(entry.key.dtype) for entry in run(text).registrations] == ["float32", "int32"]


def test_a_misspelled_layout_is_told_once_and_corrected() -> None:
    diagnostic, shown = only_error(BINARY + registration(layout="ALL_LAYOUTS"))
    assert diagnostic.message == "`phi::DataLayout` has no `ALL_LAYOUTS`"
    assert diagnostic.hint == "did you mean `ALL_LAYOUT`?"
    assert shown == "ALL_LAYOUTS"


def test_a_misspelled_backend_is_found_by_its_context() -> None:
    text = BINARY + registration(backend="CPUs")
    for diagnostic in run(text).diagnostics:  # in the statement of each data type
        assert "PHI has no `phi::CPUsContext`" in diagnostic.message
        assert diagnostic.hint == "did you mean CPU?"
        assert text[diagnostic.span.start : diagnostic.span.end] == "::phi::CPUsContext"
    assert len(run(text).diagnostics) == 2


def test_a_misspelled_kernel_is_registered_with_open_slots_and_corrected() -> None:
    result = run(BINARY + registration(function="phi::AdKernel"))
    (diagnostic,) = result.diagnostics
    assert diagnostic.severity == "warning"
    assert diagnostic.hint == "did you mean `phi::AddKernel`?"
    assert len(result.registrations) == 2


def test_a_kernel_declared_below_its_registration() -> None:
    diagnostic, shown = only_error(registration() + BINARY)
    assert diagnostic.message == "`phi::AddKernel` is declared only further down"
    assert shown == "phi::AddKernel<float, ::phi::CPUContext>"


def test_a_kernel_with_other_template_parameters() -> None:
    text = kernel_with("const Context& c, DenseTensor* out", "typename Context") + registration()
    diagnostic, shown = only_error(text)
    assert (
        diagnostic.message == "`phi::AddKernel` is a template of <Context> and is given 2 arguments"
    )
    assert shown.startswith("phi::AddKernel<float")


def test_the_same_type_listed_twice() -> None:
    diagnostic, shown = only_error(BINARY + registration(dtypes=("int", "int")))
    assert diagnostic.message == "`phi::AddKernel<int, phi::CPUContext>` is instantiated twice"
    assert shown == "phi::AddKernel<int, ::phi::CPUContext>"


def test_one_kernel_backend_and_layout_registered_twice() -> None:
    other = BINARY.replace("AddKernel", "OtherAddKernel")
    text = BINARY + other + registration(dtypes=("int",))
    second = registration(dtypes=("float",), function="phi::OtherAddKernel")
    result = run(text + second.replace("LAYOUT_0(", "LAYOUT_1("))
    assert [str(r.key.dtype) for r in result.registrations] == ["int32"]
    assert "`add_CPU_ALL_LAYOUT` is registered twice in this file" in {
        diagnostic.message for diagnostic in result.diagnostics
    }


def test_two_registrar_objects_of_one_name() -> None:
    text = (BINARY + registration(dtypes=("int", "float"))).replace("LAYOUT_1(", "LAYOUT_0(")
    diagnostic, shown = only_error(text)
    assert "is defined twice" in diagnostic.message
    assert shown == "__reg_phi_kernel_add_CPU_ALL_LAYOUT_0"


@pytest.mark.parametrize(
    ("statement", "message", "shown"),
    [
        ("kernel->InputAt(2);", "InputAt(2) is out of range: this kernel has 2 inputs", None),
        ("kernel->OutputAt(1);", "OutputAt(1) is out of range: this kernel has 1 output", None),
        ("kernel.InputAt(0);", "`kernel` is a pointer", "."),
        ("kernel_key->dtype();", "`kernel_key` is no pointer", "->"),
        ("kernel->InputsAt(0);", "`Kernel` has no member `InputsAt`", "InputsAt"),
        (
            "kernel->InputAt(0).SetBackend(phi::DataType::BOOL);",
            "SetBackend takes a Backend, not a DataType",
            "phi::DataType::BOOL",
        ),
        (
            "kernel->InputAt(0).SetBackend(phi::Backend::TPU);",
            "`phi::Backend` has no `TPU`",
            "TPU",
        ),
        (
            "kernel->OutputAt();",
            "wrong number of arguments: 0 instead of 1",
            "kernel->OutputAt()",
        ),
        (
            "if (kernel_key.dtype() == phi::Backend::CPU) {}",
            "there is no `==` for `DataType` and `Backend`",
            "kernel_key.dtype() == phi::Backend::CPU",
        ),
    ],
)
def test_what_is_wrong_in_the_braces_is_told_once_at_its_place(
    statement: str, message: str, shown: str | None
) -> None:
    text = BINARY + registration(braces=f"{{ {statement} }}")
    diagnostic, found = only_error(text)
    assert diagnostic.message == message
    assert found == (shown or statement.rstrip(";"))
    assert run(text).registrations == ()


@pytest.mark.parametrize(
    ("braces", "hint"),
    [
        ("kernal->OutputAt(0);", "did you mean `kernel`?"),
        ("auto& def = kernel->OutputAt(0); if (true) deff.SetBackend(x);", "did you mean `def`?"),
        ("if (kernel_kye.dtype() == x) {}", "did you mean `kernel_key`?"),
        ("nothing->OutputAt(0);", "is the header that declares it included?"),
    ],
)
def test_an_unknown_name_in_the_braces_is_like_one_of_a_variable(braces: str, hint: str) -> None:
    diagnostic, _ = only_error(BINARY + registration(braces=f"{{ {braces} }}"))
    assert diagnostic.hint == hint


def test_a_syntax_error_in_one_registration_leaves_the_others() -> None:
    broken = registration("sum", dtypes=("bool", "double")).replace(
        '"sum", "CPU"', '"sum" @ "CPU"', 1
    )
    text = BINARY + registration() + broken
    diagnostic, shown = only_error(text)
    assert diagnostic.message == "not understood: `@` is not expected here"
    assert shown == "@"
    names = [entry.kernel_name for entry in run(text).registrations]
    assert names == ["add", "add", "sum"]


@pytest.mark.parametrize(
    "braces",
    [
        "{ kernel->InputAt(0) }",
        "{ kernel->InputAt(0); kernel->OutputAt(0) }",
        "{ if (true) { kernel->InputAt(0) } }",
    ],
)
def test_a_semicolon_missing_in_the_braces(braces: str) -> None:
    diagnostic, shown = only_error(BINARY + registration(braces=braces))
    assert diagnostic.message == "`;` is missing after `)`"
    assert shown == ")"


def test_a_namespace_that_is_never_closed_swallows_the_registrations_below() -> None:
    text = BINARY.rstrip().removesuffix("}") + registration() + registration("sum")
    result = run(text)
    assert result.registrations == ()
    (brace,) = result.diagnostics
    assert "never closed" in brace.message
    assert brace.span.start == text.index("{")


def test_a_broken_kernel_body_is_told_and_its_registration_is_made() -> None:
    text = BINARY.replace("func;", "func") + registration()
    result = run(text)
    assert len(result.registrations) == 2
    assert [told.message for told in result.diagnostics] == ["`;` is missing after `func`"]


def test_a_statement_that_the_braces_cannot_hold() -> None:
    jump = "goto end;"
    diagnostic, shown = only_error(BINARY + registration(braces=f"{{ {jump} end: ; }}"))
    assert diagnostic.message == "not understood: a `goto`"
    assert shown == jump


def test_a_brace_that_closes_nothing() -> None:
    text = BINARY + registration() + "}\n" + registration("sum", dtypes=("bool",))
    diagnostic, shown = only_error(text)
    assert (diagnostic.message, shown) == ("this `}` closes nothing", "}")
    assert len(run(text).registrations) == 3


def test_spans_count_characters_where_the_text_is_not_ascii() -> None:
    text = (
        "// 核函数 🚀\nnamespace 注册 {}\n" + BINARY + registration(dtypes=("float", "long double"))
    )
    text = text.replace('"add"', '"加"')
    result = run(text)
    (entry,) = result.registrations
    assert entry.kernel_name == "加"
    assert text[entry.span.start : entry.span.end].startswith("static const ::phi::KernelRegistrar")
    (diagnostic,) = result.diagnostics
    assert text[diagnostic.span.start : diagnostic.span.end] == "long double"


def declared(name: str) -> str:
    """What PD_DECLARE_KERNEL(name, CPU, ALL_LAYOUT); expands to, but for the namespace check."""
    symbol = f"TouchKernelSymbolFor_{name}_CPU_ALL_LAYOUT"
    return (
        f"extern int {symbol}(); static int __declare_kernel_symbol_for_{name}_CPU_ALL_LAYOUT = "
        f"{symbol}();\n"
    )


def test_a_declared_kernel_that_nobody_registered_is_what_the_linker_would_miss() -> None:
    runtime = Runtime(find_kernel=lambda name: None)
    assert runtime.run(BINARY + registration()).diagnostics == ()
    text = declared("add") + declared("added")
    (diagnostic,) = runtime.run(text).diagnostics
    assert diagnostic.severity == "warning"
    assert diagnostic.message == (
        "no file has registered what PD_DECLARE_KERNEL names: there is no `added_CPU_ALL_LAYOUT`"
    )
    assert text[diagnostic.span.start : diagnostic.span.end].startswith(
        "TouchKernelSymbolFor_added"
    )
    runtime.run(BINARY + registration("added"))
    assert runtime.run(text).diagnostics == ()
