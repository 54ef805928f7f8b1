"""What a survey finds in a file: every registration that the preprocessor would make, and no other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from visualizer.expansion import Options
from visualizer.survey import Survey, survey
from visualizer.workbench.samples import samples_folder

Key = tuple[str, str, str, str]


def keys(found: Survey) -> list[Key]:
    return [(r.kernel, r.backend, r.layout, r.dtype) for r in found.registrations]


@pytest.fixture
def survey_text(tmp_path: Path) -> Callable[..., Survey]:
    """Surveys one file with this text, and with these macros defined by `-D`."""

    def of(text: str, *defines: str, name: str = "kernel.cc") -> Survey:
        (tmp_path / name).write_text(text)
        return survey([tmp_path], Options(macros=tuple(("D", d) for d in defines)))

    return of


EACH_MACRO: dict[str, tuple[str, str, list[Key]]] = {
    "a kernel template": (
        "PD_REGISTER_KERNEL(add, CPU, ALL_LAYOUT, phi::AddKernel, float, int64_t) {}",
        "PHI",
        [("add", "CPU", "ALL_LAYOUT", "float32"), ("add", "CPU", "ALL_LAYOUT", "int64")],
    ),
    "a namespace's alias before a type": (
        "PD_REGISTER_KERNEL(add, GPU, NCHW, f, plat::float16, phi::dtype::complex<float>) {}",
        "PHI",
        [("add", "GPU", "NCHW", "float16"), ("add", "GPU", "NCHW", "complex64")],
    ),
    "a kernel structure": (
        "PD_REGISTER_STRUCT_KERNEL(c_concat, XPU, ALL_LAYOUT, ops::Concat, float) {}",
        "PHI",
        [("c_concat", "XPU", "ALL_LAYOUT", "float32")],
    ),
    "a built-in backend's kernel": (
        "PD_REGISTER_BUILTIN_KERNEL(dot, CPU, ALL_LAYOUT, Dot, int8_t) {}",
        "PHI",
        [("dot", "CPU", "ALL_LAYOUT", "int8")],
    ),
    "all dtypes": (
        "PD_REGISTER_KERNEL_FOR_ALL_DTYPE(feed, CPU, ALL_LAYOUT, Feed<phi::CPUContext>) {}",
        "PHI",
        [("feed", "CPU", "ALL_LAYOUT", "ALL_DTYPE")],
    ),
    "all backends and dtypes": (
        "PD_REGISTER_KERNEL_FOR_ALL_BACKEND_DTYPE(shape, ALL_LAYOUT, phi::Shape) {}",
        "PHI",
        [("shape", "ALL_BACKEND", "ALL_LAYOUT", "ALL_DTYPE")],
    ),
    "a plug-in's kernel": (
        "PD_REGISTER_PLUGIN_KERNEL(softmax, my_npu, ALL_LAYOUT, Softmax, float) {}",
        "plug-in",
        [("softmax", "my_npu", "ALL_LAYOUT", "float32")],
    ),
    "a custom kernel": (
        "PD_CUSTOM_KERNEL_REGISTER(softmax, my_npu, ALL_LAYOUT, Softmax, bool) {}",
        "plug-in",
        [("softmax", "my_npu", "ALL_LAYOUT", "bool")],
    ),
    "a kernel through the C API": (
        "PD_BUILD_PHI_KERNEL(softmax, my_npu, ALL_LAYOUT, own::Softmax, float, double) {}",
        "C API",
        [
            ("softmax", "my_npu", "ALL_LAYOUT", "float32"),
            ("softmax", "my_npu", "ALL_LAYOUT", "float64"),
        ],
    ),
    "an operator and its kernel through the C API": (
        "PD_BUILD_NEW_PHI_KERNEL(halve, my_npu, NHWC, Halve, HalveInferMeta, float) {}",
        "C API",
        [("halve", "my_npu", "NHWC", "float32")],
    ),
    "a Fluid operator": (
        "REGISTER_OPERATOR(relu, ops::Relu<A, B>, ops::Maker, ops::GradMaker<int>);",
        "Fluid",
        [("relu", "", "", "")],
    ),
    "Fluid kernels for the CPU": (
        "REGISTER_OP_CPU_KERNEL(cast, ops::Cast<plat::CPUContext, float>,\n"
        "                       ops::Act<plat::CPUContext, ops::Relu<paddle::platform::float16>>);",
        "Fluid",
        [("cast", "CPU", "ANYLAYOUT", "float32"), ("cast", "CPU", "ANYLAYOUT", "float16")],
    ),
    "Fluid kernels for CUDA": (
        "REGISTER_OP_CUDA_KERNEL(cast, ops::Cast<plat::CUDAContext, double>);",
        "Fluid",
        [("cast", "CUDA", "ANYLAYOUT", "float64")],
    ),
    "Fluid functors": (
        "REGISTER_OP_CPU_KERNEL_FUNCTOR(sgd, float, Sgd<float>, int, Sgd<int>);",
        "Fluid",
        [("sgd", "CPU", "ANYLAYOUT", "float32"), ("sgd", "CPU", "ANYLAYOUT", "int32")],
    ),
    "a Fluid kernel of a library": (
        "REGISTER_OP_KERNEL(conv2d, MKLDNN, ::paddle::platform::CPUPlace, ops::Conv<float>);",
        "Fluid",
        [("conv2d", "CPU/MKLDNN", "MKLDNNLAYOUT", "float32")],
    ),
    "PyTorch definitions": (
        'TORCH_LIBRARY(my, m) { m.def("add(Tensor a) -> Tensor"); m.def("f", &f); }',
        "PyTorch",
        [("my::add", "", "", ""), ("my::f", "CompositeImplicitAutograd", "", "")],
    ),
    "PyTorch implementations": (
        'TORCH_LIBRARY_IMPL(aten, CUDA, lib) {\n  lib.impl("add.out", add_out);\n'
        '  lib.impl(TORCH_SELECTIVE_NAME("aten::mul"), TORCH_FN(mul));\n}',
        "PyTorch",
        [("aten::add.out", "CUDA", "", ""), ("aten::mul", "CUDA", "", "")],
    ),
    "a PyTorch fragment": (
        'TORCH_LIBRARY_FRAGMENT(my, m) { m.impl("f", torch::kCPU, f).def(R"(g(int x) -> int)"); '
        'm.impl("h", torch::dispatch(c10::DispatchKey::MPS, h)); }',
        "PyTorch",
        [("my::f", "CPU", "", ""), ("my::g", "", "", ""), ("my::h", "MPS", "", "")],
    ),
    "a PyTorch fallback": (
        "TORCH_LIBRARY_IMPL(_, Meta, m) { m.fallback(torch::CppFunction::makeFallthrough()); }",
        "PyTorch",
        [("_::*", "Meta", "", "")],
    ),
    "a stub": (
        "REGISTER_DISPATCH(add_stub, &add_kernel)",
        "DispatchStub",
        [("add_stub", "CPU", "", "")],
    ),
    "a stub of one architecture": (
        "REGISTER_ARCH_DISPATCH(add_stub, DEFAULT, &add_kernel)",
        "DispatchStub",
        [("add_stub", "DEFAULT", "", "")],
    ),
    "stubs by name": (
        "REGISTER_AVX512_DISPATCH(add_stub, &add)\nREGISTER_CUDA_DISPATCH(add_stub, &add)",
        "DispatchStub",
        [("add_stub", "AVX512", "", ""), ("add_stub", "CUDA", "", "")],
    ),
}


@pytest.mark.parametrize("what", EACH_MACRO)
def test_each_registration_macro_is_read(what: str, survey_text) -> None:
    text, framework, expected = EACH_MACRO[what]
    found = survey_text(text + "\n")
    assert keys(found) == expected
    assert {r.framework for r in found.registrations} == {framework}
    assert not found.failures


# `TORCH_FN` where no header defines it, and as `torch/library.h` does.
DEFINED = """\
#define TORCH_FN_TYPE(func) ::c10::CompileTimeFunctionPointer< \\
    std::remove_pointer_t<std::remove_reference_t<decltype(func)>>, func>
#define TORCH_FN(func) TORCH_FN_TYPE(func)()
"""


@pytest.mark.parametrize("headers", ["", DEFINED], ids=["alone", "with its header"])
@pytest.mark.parametrize(
    ("kernel", "key", "function"),
    [
        ("f", "CPU", "f"),
        ("&f", "CPU", "f"),
        ("TORCH_FN(f)", "CPU", "f"),
        ("TORCH_FN((native::f<int, 2>))", "CPU", "(native::f<int, 2>)"),
        ("torch::dispatch(c10::DispatchKey::CUDA, TORCH_FN(f))", "CUDA", "f"),
        ("torch::CppFunction::makeFromBoxedFunction<&f>()", "CPU", "f"),
        ("torch::CppFunction::makeFallthrough()", "CPU", "torch::CppFunction::makeFallthrough()"),
        ("[](int a, int b) { return a < b; }", "CPU", "[](int a, int b) { return a < b; }"),
    ],
)
def test_the_function_of_an_operator_is_the_one_that_is_handed_over(
    headers: str, kernel: str, key: str, function: str, survey_text
) -> None:
    text = f'{headers}TORCH_LIBRARY_IMPL(aten, CPU, m) {{ m.impl("add", {kernel}); }}\n'
    (found,) = survey_text(text).registrations
    assert (found.kernel, found.backend, found.function) == ("aten::add", key, function)


def test_the_place_and_the_function_are_told(survey_text) -> None:
    (found,) = survey_text(
        "\n\n#define F phi::AddKernel\nPD_REGISTER_KERNEL(\n    add, CPU, ALL_LAYOUT, F, float) {}\n"
    ).registrations
    assert (Path(found.file).name, found.line) == ("kernel.cc", 4)
    assert (found.function, found.macro) == ("phi::AddKernel", "PD_REGISTER_KERNEL")


def test_calls_in_a_library_block_have_their_own_lines(survey_text) -> None:
    found = survey_text(
        "#define IMPL(f) m.impl(#f, f)\nTORCH_LIBRARY_IMPL(aten, CPU, m) {\n  IMPL(abs);\n\n"
        '  m.impl("add", add);\n#ifdef MORE\n  m.impl("sub", sub);\n#endif\n}\n'
        'void g() { m.def("x"); }\n'
    )
    assert [(r.kernel, r.line) for r in found.registrations] == [("aten::abs", 3), ("aten::add", 5)]
    assert {r.macro for r in found.registrations} == {"TORCH_LIBRARY_IMPL impl"}


def test_conditionals_count_as_the_flags_say(survey_text) -> None:
    text = (
        "PD_REGISTER_KERNEL(add, CPU, ALL_LAYOUT, f, float) {}\n#ifdef PADDLE_WITH_CUDA\n"
        "PD_REGISTER_KERNEL(add, GPU, ALL_LAYOUT, f, float) {}\n#endif\n"
    )
    assert [key[1] for key in keys(survey_text(text))] == ["CPU"]
    assert [key[1] for key in keys(survey_text(text, "PADDLE_WITH_CUDA"))] == ["CPU", "GPU"]


def test_conditionals_inside_a_registration_count(survey_text) -> None:
    text = (
        "PD_REGISTER_KERNEL(add, GPU, ALL_LAYOUT, f, float,\n#if NCCL >= 21000\n"
        "  plat::bfloat16,\n#endif\n  int) {}\n"
    )
    assert [key[3] for key in keys(survey_text(text))] == ["float32", "int32"]
    more = keys(survey_text(text, "NCCL=21000"))
    assert [key[3] for key in more] == ["float32", "bfloat16", "int32"]


def test_what_a_wrapper_macro_registers_counts_at_its_invocation(survey_text) -> None:
    found = survey_text(
        "#define FLOATS float, double\n"
        "#define REGISTER_UNARY(name) \\\n"
        "  PD_REGISTER_KERNEL(name, CPU, ALL_LAYOUT, phi::name##Kernel, FLOATS) {} \\\n"
        "  PD_REGISTER_KERNEL(name##_grad, CPU, ALL_LAYOUT, phi::name##Grad, FLOATS) {}\n"
        "#define BOTH(x) x\n"
        "REGISTER_UNARY(abs)\n"
        "BOTH(\n  REGISTER_UNARY(neg))\n"
    )
    assert [(r.kernel, r.dtype, r.line) for r in found.registrations] == [
        (kernel + suffix, dtype, line)
        for kernel, line in (("abs", 6), ("neg", 8))
        for suffix in ("", "_grad")
        for dtype in ("float32", "float64")
    ]
    assert found.registrations[0].function == "phi::absKernel"


def test_a_library_block_may_come_out_of_a_wrapper(survey_text) -> None:
    found = survey_text(
        "#define LIBRARY(key) TORCH_LIBRARY_IMPL(my, key, m)\n"
        '#define WHOLE(key) LIBRARY(key) { m.impl("g", g); }\n'
        "#define SAME(x) x\n"
        'LIBRARY(CPU) { m.impl("f", f); }\nWHOLE(CUDA)\nSAME(WHOLE(XPU))\n'
    )
    assert [(r.kernel, r.backend) for r in found.registrations] == [
        ("my::f", "CPU"),
        ("my::g", "CUDA"),
        ("my::g", "XPU"),
    ]


def test_a_definition_of_the_files_own_replaces_ours_silently(survey_text) -> None:
    found = survey_text(
        "#define REGISTER_OP_KERNEL(op, library, place, ...) use<__VA_ARGS__>(#op, place())\n"
        "#define REGISTER_OP_CPU_KERNEL(op, ...) REGISTER_OP_KERNEL(op, CPU, CPUPlace, __VA_ARGS__)\n"
        "REGISTER_OP_CPU_KERNEL(relu, Relu<float>, Relu<double>);\n"
        "#define PD_REGISTER_KERNEL(...) PD_REGISTER_ANY(__VA_ARGS__)\n"
        "PD_REGISTER_KERNEL(add, CPU, ALL_LAYOUT, f, int) {}\n"
        "#define REGISTER_AVX2_DISPATCH(name, fn)\n"
        "REGISTER_AVX2_DISPATCH(add_stub, &add)\n"
    )
    assert keys(found) == [
        ("relu", "CPU", "ANYLAYOUT", "float32"),
        ("relu", "CPU", "ANYLAYOUT", "float64"),
        ("add", "CPU", "ALL_LAYOUT", "int32"),
    ]
    assert not found.failures


def test_what_is_not_replaced_is_no_registration(survey_text) -> None:
    found = survey_text(
        "// PD_REGISTER_KERNEL(a, CPU, ALL_LAYOUT, f, int) {}\n"
        'const char* s = "PD_REGISTER_KERNEL(b, CPU, ALL_LAYOUT, f, int) {}";\n'
        "#define UNUSED PD_REGISTER_KERNEL(c, CPU, ALL_LAYOUT, f, int) {}\n"
        "#if 0\nPD_REGISTER_KERNEL(d, CPU, ALL_LAYOUT, f, int) {}\n#endif\n"
        "void PD_REGISTER_KERNEL;\n"
    )
    assert not found.registrations
    assert not found.failures


def test_what_nvcc_compiles_registers_stubs_for_cuda(survey_text) -> None:
    text = "REGISTER_DISPATCH(add_stub, &add)\n"
    assert keys(survey_text(text, name="a.cu")) == [("add_stub", "CUDA", "", "")]


def test_missing_headers_are_no_failures_other_errors_are(survey_text) -> None:
    register = "PD_REGISTER_KERNEL(add, CPU, ALL_LAYOUT, f, int) {}\n"
    found = survey_text('#include "nope.h"\n#include <paddle/nope.h>\n' + register)
    assert len(found.registrations) == 1
    assert not found.failures
    found = survey_text(register + "PD_REGISTER_KERNEL(sub, CPU)\n#error stop\n")
    assert [r.kernel for r in found.registrations] == ["add"]
    (failure,) = found.failures
    assert (failure.line, failure.column) == (2, 1)
    assert "requires at least 4 arguments" in failure.reason
    assert failure.reason.endswith("; and 1 more")


def test_the_samples_are_found_with_their_own_headers() -> None:
    found = survey([samples_folder() / "phi"])
    bitwise = [r for r in found.registrations if r.kernel == "bitwise_and"]
    assert [r.dtype for r in bitwise] == ["bool", "uint8", "int8", "int16", "int32", "int64"]
    backends = {r.backend for r in found.registrations}
    assert backends == {"CPU", "GPU", "CustomCPU", "OneDNN", "ALL_BACKEND"}
    assert not found.failures
    with_cuda = survey([samples_folder() / "phi"], Options(macros=(("D", "PADDLE_WITH_CUDA"),)))
    more = set(with_cuda.registrations) - set(found.registrations)
    assert {r.backend for r in more} == {"GPU"}
    assert {"full_batch_size_like", "layer_norm", "softmax"} <= {r.kernel for r in more}
    assert len([r for r in more if r.kernel in ("full_batch_size_like", "layer_norm")]) == 11
