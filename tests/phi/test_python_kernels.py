"""The Python kernel behind a registration, and what happens if it takes something else."""

import subprocess
import sys
from dataclasses import dataclass

import pytest

from registry_runtime.phi import DataType, KernelTemplate, Runtime
from tests.phi.registrations import BINARY, kernel_with, registration


@dataclass(frozen=True)
class Parameter:
    name: str
    cpp_type: str


@dataclass(frozen=True)
class Template:
    """A kernel that does nothing, for the registry to find."""

    parameters: tuple[Parameter, ...]
    name: str = "phi::AddKernel"
    backends: frozenset[str] = frozenset({"CPU"})
    dtypes: frozenset[DataType] = frozenset(DataType)

    def instantiate(self, dtype: DataType, context: str) -> object:
        return None


ADD = Template(
    (
        Parameter("dev_ctx", "const Context&"),
        Parameter("x", "const DenseTensor&"),
        Parameter("y", "const DenseTensor&"),
        Parameter("out", "DenseTensor*"),
    )
)


def runtime_with(*templates: KernelTemplate) -> Runtime:
    return Runtime(find_kernel={template.name: template for template in templates}.get)


def test_a_kernel_is_found_by_the_qualified_name_of_its_template() -> None:
    (entry,) = runtime_with(ADD).run(BINARY + registration(dtypes=("int",))).registrations
    assert entry.kernel.implementation is ADD
    assert entry.kernel.runnable


def test_a_kernel_that_nobody_wrote_is_declared() -> None:
    (entry,) = runtime_with().run(BINARY + registration(dtypes=("int",))).registrations
    assert entry.kernel.implementation is None
    assert not entry.kernel.runnable


def test_a_kernel_that_cannot_be_built_for_its_context_is_not_runnable() -> None:
    text = BINARY + registration(dtypes=("int",), backend="GPU")
    (entry,) = runtime_with(ADD).run(text).registrations
    assert entry.kernel.implementation is ADD
    assert entry.kernel.context == "GPU"
    assert not entry.kernel.runnable


def test_a_plugins_kernel_is_built_for_the_cpu() -> None:
    text = BINARY + registration(dtypes=("int",), backend="NPU", context="::phi::CustomContext")
    (entry,) = runtime_with(ADD).run(text).registrations
    assert entry.kernel.context == "Custom"
    assert entry.kernel.runnable


X, Y, OUT = "const DenseTensor& x", "const DenseTensor& y", "DenseTensor* out"


@pytest.mark.parametrize(
    ("parameters", "differs_at"),
    [
        ((X, Y, "int n", OUT), "int n"),
        ((Y, X, OUT), Y),
        ((X, "const IntArray& y", OUT), "const IntArray& y"),
        ((X, Y, "SelectedRows* out"), "SelectedRows* out"),
        ((X, Y), "AddKernel"),
    ],
)
def test_a_different_parameter_is_reported_where_it_stands(
    parameters: tuple[str, ...], differs_at: str
) -> None:
    cxx = ", ".join(("const Context& c", *parameters))
    text = kernel_with(cxx) + registration()
    result = runtime_with(ADD).run(text)
    (diagnostic,) = result.diagnostics
    assert diagnostic.message == (
        f"`phi::AddKernel` takes ({cxx}) here, and its Python kernel (const Context& dev_ctx,"
        " const DenseTensor& x, const DenseTensor& y, DenseTensor* out)"
    )
    assert text[diagnostic.span.start : diagnostic.span.end] == differs_at
    assert diagnostic.severity == "error"
    assert len(result.registrations) == 2
    assert not any(entry.kernel.runnable for entry in result.registrations)


def test_namespaces_and_spellings_and_missing_names_make_no_difference() -> None:
    text = "namespace phi { template <typename Elem, typename Ctx> void AddKernel(const Ctx& c,"
    text += " DenseTensor const& x, const ::phi::DenseTensor &, phi::DenseTensor *out); }\n"
    result = runtime_with(ADD).run(text + registration())
    assert result.diagnostics == ()
    assert all(entry.kernel.runnable for entry in result.registrations)


def test_the_templates_words_stand_for_the_instances_types() -> None:
    scale = Template(
        (
            Parameter("dev_ctx", "const Context&"),
            Parameter("alpha", "T"),
            Parameter("shape", "const std::vector<int>&"),
            Parameter("out", "DenseTensor*"),
        )
    )
    text = kernel_with(
        "const C& ctx, Elem alpha, const std::vector<int>& shape, DenseTensor* out",
        "typename Elem, typename C",
    )
    result = runtime_with(scale).run(text + registration(dtypes=("float", "double")))
    assert result.diagnostics == ()


def test_a_kernel_with_open_slots_can_have_an_implementation() -> None:
    (entry,) = runtime_with(ADD).run(registration(dtypes=("int",))).registrations
    assert entry.kernel.runnable


def test_importing_the_registry_imports_neither_numba_nor_what_stands_above() -> None:
    check = (
        "import sys, registry_runtime.phi\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "assert not loaded & {'numba', 'cupy', 'pcpp', 'textual', 'visualizer'}, loaded"
    )
    subprocess.run([sys.executable, "-c", check], check=True)
