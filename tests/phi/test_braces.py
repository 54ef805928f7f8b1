"""The language of the braces behind a registration, in the forms that Paddle's own sources use."""

import cProfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from registry_runtime.cxx import CxxFunction, initialise
from registry_runtime.phi import Runtime
from registry_runtime.phi.kernel_registrar import World
from registry_runtime.phi.names import phi_bindings
from tests.phi.registrations import BINARY, only_error, registrar, registration, run
from visualizer.expansion import Options
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder


def described(braces: str, before: str = "", dtype: str = "float") -> list[str]:
    """Backend, layout and dtype of inputs 0 and 1 and output 0 after the braces ran."""
    result = run(BINARY + before + registration(dtypes=(dtype,), braces=f"{{ {braces} }}"))
    assert [d.message for d in result.diagnostics] == []
    args_def = result.registrations[0].kernel.args_def
    tensors = (*args_def.input_defs, *args_def.output_defs)
    return [f"{t.backend} {t.layout} {t.dtype}" for t in tensors]


PLAIN = "CPU NCHW float32"


@pytest.mark.parametrize(
    ("braces", "changed"),
    [
        (
            "kernel->InputAt(0).SetDataLayout(phi::DataLayout::SPARSE_COO);",
            "CPU SPARSE_COO float32",
        ),
        ("kernel->InputAt(0).SetDataType(phi::CppTypeToDataType<int>::Type());", "CPU NCHW int32"),
        ("kernel->InputAt(0).SetDataType(paddle::DataType::INT64);", "CPU NCHW int64"),
        (
            "kernel->InputAt(0).SetBackend(phi::Backend::GPU).SetDataType(phi::DataType::BOOL);",
            "GPU NCHW bool",
        ),
        ("kernel->InputAt(0).dtype = phi::DataType::BOOL;", "CPU NCHW bool"),
        ("auto& x = kernel->InputAt(0); x.SetDataType(phi::DataType::BOOL);", "CPU NCHW bool"),
        ("auto* x = &kernel->InputAt(0); x->SetDataType(phi::DataType::BOOL);", "CPU NCHW bool"),
        ("auto x = kernel->InputAt(0); x.SetDataType(phi::DataType::BOOL);", PLAIN),
        (
            "using phi::DataType; const DataType t = DataType::INT8;"
            " kernel->InputAt(0).SetDataType(t);",
            "CPU NCHW int8",
        ),
        (
            "auto& in = kernel->mutable_args_def()->input_defs();"
            " for (size_t i = 0; i < in.size() - 1; ++i) in[i].SetDataType(phi::DataType::BOOL);",
            "CPU NCHW bool",
        ),
        (
            "auto set = [&](int i) { kernel->InputAt(i).SetDataType(phi::DataType::BOOL); };"
            " for (int i : {0}) { set(i); }",
            "CPU NCHW bool",
        ),
        (
            "switch (kernel_key.dtype()) { case phi::DataType::FLOAT32:"
            " kernel->InputAt(0).SetDataType(phi::DataType::BOOL); break; default: break; }",
            "CPU NCHW bool",
        ),
        ("(void)kernel; (void)kernel_key; ;", PLAIN),
        (
            "kernel->InputAt(0).SetDataType(kernel_key.backend() == phi::Backend::CPU &&"
            " !(kernel_key.layout() != phi::DataLayout::ANY)"
            " ? phi::dtype::ToComplex(kernel_key.dtype()) : kernel_key.dtype());",
            "CPU NCHW complex64",
        ),
    ],
)
def test_what_the_braces_change(braces: str, changed: str) -> None:
    assert [d.lower() for d in described(braces)] == [changed.lower(), PLAIN.lower(), PLAIN.lower()]


def test_a_helper_of_the_file_may_do_the_work() -> None:
    before = """constexpr int kFirst = 0;
    static void Widen(phi::Kernel* kernel, const phi::KernelKey& key, int index) {
      if (key.dtype() == phi::DataType::FLOAT32) {
        kernel->InputAt(index).SetDataType(phi::DataType::FLOAT64);
      }
    }
    """
    changed = described("Widen(kernel, kernel_key, kFirst);", before)
    assert changed[0].endswith("float64")
    assert described("Widen(kernel, kernel_key, kFirst);", before, "int")[0].endswith("int32")


def test_a_onednn_kernel_is_given_its_functions() -> None:
    before = "namespace phi { bool Check(const KernelContext* ctx) { return true; } }\n"
    braces = """{ kernel->check_if_onednn_kernel_support_ = phi::Check;
      kernel->get_kerneltype_forvar_fn_ = phi::fusion::ConvGetKernelTypeForVar; }"""
    result = run(BINARY + before + registration(dtypes=("float",), braces=braces))
    assert result.diagnostics == ()
    kernel = result.registrations[0].kernel
    assert isinstance(kernel.check_if_onednn_kernel_support_, CxxFunction)
    assert str(kernel.get_kerneltype_forvar_fn_) == "phi::fusion::ConvGetKernelTypeForVar"


@pytest.mark.parametrize(
    ("statement", "message", "shown"),
    [
        ("kernel->InputAt(7);", "InputAt(7) is out of range: this kernel has 2 inputs", None),
        ("phi::dtype::ToReel(kernel_key.dtype());", "`phi::dtype::ToReel` is not known here", None),
        ("kernel->check_if_onednn_kernel_support_ = phi::Chek;", "`phi::Chek` is not known", None),
        (
            "kernel->InputAt(0).dtype = phi::Backend::CPU;",
            "a Backend where a DataType is wanted",
            "phi::Backend::CPU",
        ),
        ("while (true) { }", "stopped after 4096 rounds: does this loop end?", "while"),
        ("throw 1;", "not understood: a `throw` of something else", "throw 1;"),
    ],
)
def test_a_mistake_is_told_and_the_other_registrations_stand(
    statement: str, message: str, shown: str | None
) -> None:
    check = "namespace phi { bool Check(const KernelContext* ctx); }\n"
    text = BINARY + check + registration(braces=f"{{ {statement} }}")
    diagnostic, found = only_error(text)
    assert message in diagnostic.message
    assert shown is None or found == shown
    runtime = Runtime(find_kernel=lambda name: None)
    both = runtime.run(text + registration("sum"))
    assert {r.kernel_name for r in both.registrations} == {"sum"}
    assert len(runtime.run(registration("later")).registrations) == 2


def test_a_kernel_whose_signature_does_not_parse_costs_its_own_registration() -> None:
    broken = BINARY.replace("AddKernel", "SubKernel").replace(
        "DenseTensor& y", "DenseTensor& & % y"
    )
    text = BINARY + broken + registration() + registration("sub", "phi::SubKernel")
    result = run(text)
    assert {r.kernel_name for r in result.registrations} == {"add"}
    errors = [d for d in result.diagnostics if d.severity == "error"]
    assert errors
    assert all(0 <= d.span.start < d.span.end <= len(text) for d in errors)


def test_templates_over_context_alone_packs_and_defaults() -> None:
    text = """namespace phi {
    template <typename Context> void StridedKernel(const Context& c, const DenseTensor& x,
                                                   DenseTensor* out) {}
    template <typename T, typename Context, typename... Args>
    void PackKernel(const Context& c, const DenseTensor& x, Args... args, DenseTensor* out) {}
    template <typename T, typename Context, int N = 2>
    void FixedKernel(const Context& c, const DenseTensor& x, DenseTensor* out) {}
    }
    static void braces(const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel);
    """
    functions = {
        "strided": "phi::StridedKernel<::phi::CPUContext>",
        "pack": "phi::PackKernel<float, ::phi::CPUContext, bool, int>",
        "fixed": "phi::FixedKernel<float, ::phi::CPUContext>",
    }
    layout = "phi::DataLayout::ALL_LAYOUT"
    for name, function in functions.items():
        dtype = "" if name == "strided" else "float"
        text += registrar(f"r_{name}", function, f'"{name}", "CPU"', layout, dtype, "&braces")
    text += "void braces(const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel) {}"
    result = run(text)
    assert result.diagnostics == ()
    kernels = {r.kernel_name: r.kernel.args_def for r in result.registrations}
    assert {n: len(d.attribute_defs) for n, d in kernels.items()} == {
        "strided": 0,
        "pack": 2,
        "fixed": 0,
    }
    assert len([r for r in result.registrations if r.kernel_name == "strided"]) > 10


@pytest.mark.parametrize("defined", [False, True])
def test_a_declared_kernel_is_a_call_that_may_lead_into_another_file(defined: bool) -> None:
    touch = "TouchKernelSymbolFor_add_CPU_ALL_LAYOUT"
    text = (
        f"extern int {touch}();"
        f" __attribute__((unused)) static int __declare_kernel_symbol_for_add = {touch}();\n"
    )
    text += BINARY + registration() if defined else ""
    result = initialise(text, phi_bindings(World()))
    assert result.errors == ()
    assert [(call.function, call.is_defined) for call in result.calls] == [(touch, defined)]


def test_a_structure_kernel_has_no_variadic_function_and_no_arguments() -> None:
    text = """namespace ops { template <typename T, typename Context> struct FeedKernel {}; }
    static void braces(const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel);
    static const ::phi::KernelRegistrar r(::phi::RegType::INNER, "feed", "CPU",
      phi::DataLayout::ALL_LAYOUT, ::phi::CppTypeToDataType<float>::Type(), nullptr, &braces,
      ::paddle::framework::StructKernelImpl<ops::FeedKernel<float, ::phi::CPUContext>>::Compute,
      nullptr);
    void braces(const ::phi::KernelKey& kernel_key, ::phi::Kernel* kernel) {}"""
    result = run(text)
    assert result.diagnostics == ()
    (registered,) = result.registrations
    assert registered.kernel.registered_type.name == "STRUCTURE"


WRAPPED = """\
#include "kernel_registry.h"
namespace phi { namespace sparse {
template <typename T, typename Context>
void SqrtCooKernel(const Context& c, const SparseCooTensor& x, SparseCooTensor* out) {}
template <typename T, typename Context>
void SqrtCsrKernel(const Context& c, const SparseCsrTensor& x, SparseCsrTensor* out) {}
} }
#define REGISTER_BOTH(name, prefix)                                                          \\
  PD_REGISTER_KERNEL(name##_coo, CPU, ALL_LAYOUT, phi::sparse::prefix##CooKernel, float) {   \\
    kernel->InputAt(0).SetDataLayout(phi::DataLayout::SPARSE_COO);                           \\
  }                                                                                          \\
  PD_REGISTER_KERNEL(name##_csr, CPU, ALL_LAYOUT, phi::sparse::prefix##CsrKernel, float) {   \\
    kernel->InputAt(0).SetDataLayout(phi::DataLayout::SPARSE_CSR);                           \\
  }
REGISTER_BOTH(sqrt, Sqrt)
PD_REGISTER_KERNEL(guarded, CPU, ALL_LAYOUT, phi::sparse::SqrtCooKernel, double) {
#ifdef PADDLE_WITH_CUDA
  kernel->InputAt(0).SetDataType(phi::DataType::BOOL);
#else
  kernel->InputAt(0).SetDataType(phi::DataType::INT8);
#endif
}
"""


@pytest.mark.parametrize(
    ("define", "dtype"), [((), "int8"), ((("D", "PADDLE_WITH_CUDA"),), "bool")]
)
def test_wrapper_macros_and_conditionals_in_the_braces(
    define: tuple[tuple[str, str], ...], dtype: str, tmp_path: Path
) -> None:
    path = tmp_path / "sparse.cc"
    path.write_text(WRAPPED)
    folder = str(samples_folder() / "phi")
    bench = open_file(path, Options(include_folders=(folder,), macros=define))
    assert [str(d) for d in bench.diagnostics if d.severity == "error"] == []
    found = {e.registration.kernel_name: e for e in bench.entries}
    layouts = {
        name: str(entry.registration.kernel.args_def.input_defs[0].layout).upper()
        for name, entry in found.items()
    }
    assert "COO" in layouts["sqrt_coo"]
    assert "CSR" in layouts["sqrt_csr"]
    line = 1 + WRAPPED.split("\n").index("REGISTER_BOTH(sqrt, Sqrt)")
    assert {found[n].where.line for n in ("sqrt_coo", "sqrt_csr")} == {line}
    assert str(found["guarded"].registration.kernel.args_def.input_defs[0].dtype) == dtype


PIECES = [
    *(
        "kernel",
        "kernel_key",
        "->",
        ".",
        "InputAt",
        "(",
        ")",
        "{",
        "}",
        ";",
        "0",
        "if",
        "else",
        "=",
    ),
    *(
        "for",
        "while",
        "auto",
        "&",
        "[",
        "]",
        "phi::DataType::INT8",
        "return",
        "switch",
        "case",
        ":",
    ),
    *(
        "int",
        "i",
        "++",
        "==",
        "+",
        '"x"',
        "using",
        "::",
        "<",
        ">",
        "SetDataType",
        ",",
        "break",
        "!",
    ),
]


@settings(max_examples=150)
@given(st.lists(st.sampled_from(PIECES), max_size=25))
def test_whatever_the_braces_hold_is_an_error_and_no_exception(pieces: list[str]) -> None:
    text = BINARY + registration("first") + registration(braces=f"{{ {' '.join(pieces)} }}")
    result = run(text)
    assert [r for r in result.registrations if r.kernel_name == "first"]
    for diagnostic in result.diagnostics:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)


def many(count: int) -> str:
    dtypes = ("float", "double", "int", "int64_t")
    return "".join(
        BINARY.replace("Add", f"Add{i}") + registration(f"add{i}", f"phi::Add{i}Kernel", dtypes)
        for i in range(count)
    )


def test_work_grows_with_the_number_of_registrations() -> None:
    # Calls are counted instead of seconds, which on a shared machine tell nothing.
    calls = {}
    for count in (25, 100):
        profile = cProfile.Profile()
        registrations = profile.runcall(run, many(count)).registrations
        assert len(registrations) == 4 * count
        calls[count] = sum(entry.callcount for entry in profile.getstats())
    assert calls[100] < 5 * calls[25]
