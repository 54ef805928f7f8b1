"""Calls by name: from arrays through the dispatcher to kernels, and back."""

import re
from pathlib import Path

import numpy as np
import pytest

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.program import Program
from tests.aten.texts import fragment, impl, run, torch_fn
from visualizer.expansion import Options
from visualizer.workbench.bench import open_file

SAMPLES = Path(__file__).parents[2] / "cpp_samples" / "aten"


def filled(*names: str) -> Program:
    """A program of these samples."""
    program = Program()
    for name in names:
        bench = open_file(SAMPLES / name, Options(), program)
        assert not bench.has_errors()
    return program


def changed(program: Program, source: str, name: str = "ufunc_add_kernel.cc") -> None:
    """Read a kernel's file into the program as if it held this."""
    path = SAMPLES / name
    bench = open_file(path, Options(unsaved=((str(path), source),)), program)
    assert not bench.has_errors()


@pytest.fixture(scope="module")
def add() -> Program:
    return filled("add.cc", "ufunc_add.cc", "ufunc_add_kernel.cc")


def test_arrays_go_in_and_an_array_comes_out(add: Program) -> None:
    x, y = np.arange(6, dtype=np.int32).reshape(2, 3), np.array([10, 20, 30], np.int32)
    np.testing.assert_array_equal(add.call("aten::add.Tensor", x, y, alpha=2), x + 2 * y)


def test_tensors_go_in_and_a_tensor_comes_out(add: Program) -> None:
    x = Tensor.from_array(np.ones(3, np.float32))
    result = add.call("aten::add.Tensor", x, x)
    assert isinstance(result, Tensor)
    np.testing.assert_array_equal(result.numpy(), [2, 2, 2])


def test_a_number_is_wrapped_and_decides_nothing_about_the_type(add: Program) -> None:
    result = add.call("aten::add.Tensor", np.ones(3, np.float16), 2)
    assert result.dtype == np.float16
    np.testing.assert_array_equal(result, [3, 3, 3])


def test_what_is_written_to_comes_back_itself(add: Program) -> None:
    x, out = np.ones(3), np.zeros(3)
    assert add.call("aten::add_.Tensor", x, 1) is x
    assert add.call("aten::add.out", x, x, out=out) is out
    np.testing.assert_array_equal(out, [4, 4, 4])


@pytest.mark.parametrize("shape", [(5,), (12,), (3, 2), ()])
def test_an_array_of_the_wrong_size_is_left_and_the_resized_result_comes_back(
    add: Program, shape: tuple[int, ...]
) -> None:
    x, out = np.ones((2, 3), "f4"), np.full(shape, 7, "f4")
    with pytest.warns(UserWarning, match="was resized since it had shape"):
        result = add.call("aten::add.out", x, x, out=out)
    assert out.shape == shape
    np.testing.assert_array_equal(result, x + x)


def test_the_story_of_a_call_hop_by_hop(add: Program) -> None:
    story = add.explain_call("aten::add_.Tensor", np.ones(3, np.float32), 1)
    assert story.error == ""
    assert [(hop.way, str(hop.key), hop.kernel.kernel.function) for hop in story.hops] == [
        ("call", "AutogradCPU", "torch::autograd::VariableType::add__Tensor"),
        ("redispatch", "ADInplaceOrView", "torch::ADInplaceOrView::add__Tensor"),
        ("redispatch", "CPU", "at::wrapper_CPU_add__Tensor"),
    ]
    assert [(stub.stub, stub.slot) for stub in story.stubs] == [("add_stub", "DEFAULT")]
    (kernel,) = story.kernels
    assert kernel.form == "structured_ufunc_add_CPU_inplace"
    assert kernel.loops.steps


def test_an_error_is_part_of_the_story(add: Program) -> None:
    story = add.explain_call("aten::add.Tensor", np.ones(3), np.ones(4))
    assert story.result is None
    assert story.error == (
        "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 0"
    )


ADD = "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"


@pytest.mark.parametrize(
    ("given", "named", "message"),
    [
        ((1, 1, 1), {}, "aten::add() takes 2 positional argument(s) but 3 was/were given.  "),
        ((1,), {}, "aten::add() is missing value for argument 'other'. "),
        ((1, 1), {"beta": 1}, "Unknown keyword argument 'beta' for operator 'aten::add'. Schema: "),
        (
            (1, 1),
            {"self": 1},
            "Argument 'self' specified both as positional and keyword argument. ",
        ),
        (
            (1, "x"),
            {},
            "aten::add() Expected a value of type 'Tensor' for argument 'other' but instead found "
            "type 'str'.\nPosition: 1\nValue: 'x'\n",
        ),
        (
            (1, 1),
            {"alpha": "x"},
            "aten::add() Expected a value of type 'number' for argument 'alpha' but instead found "
            "type 'str'.\nPosition: 2\n",
        ),
    ],
)
def test_arguments_that_the_schema_does_not_take(
    add: Program, given: tuple[object, ...], named: dict[str, object], message: str
) -> None:
    with pytest.raises(TorchError, match=re.escape(message)) as caught:
        add.call("aten::add.Tensor", *given, **named)
    assert caught.value.message.endswith(ADD)


def test_an_operator_that_nobody_registered(add: Program) -> None:
    with pytest.raises(TorchError, match=r"Could not find schema for aten::add\.Scalar") as caught:
        add.call("aten::add.Scalar", 1, 1)
    assert "aten::add.Tensor" in caught.value.hint
    with pytest.raises(TorchError, match=r"Could not find schema for aten::sub\.") as caught:
        add.call("aten::sub", 1, 1)
    assert caught.value.hint.startswith("no file registers it; `unfold kernels` lists")


def test_an_operator_that_has_a_kernel_and_no_schema() -> None:
    text = impl("own", "CPU", f'm.impl("f", {torch_fn("f")});')
    program, *_ = run(f"at::Tensor f(const at::Tensor& x) {{ return x; }}\n{text}")
    with pytest.raises(TorchError, match="did you forget to def") as caught:
        program.call("own::f", np.ones(2))
    assert caught.value.hint == "load the file too that defines it, in TORCH_LIBRARY(own, m)"


@pytest.mark.parametrize(
    ("name", "meant"), [("add.Tensor", "aten::add.Tensor"), ("add", "aten::add")]
)
def test_a_name_without_its_namespace_is_noted(add: Program, name: str, meant: str) -> None:
    with pytest.raises(KernelError, match="is not registered") as caught:
        add.call(name, np.ones(2), np.ones(2))
    assert any(note.startswith(f"did you mean {meant}") for note in caught.value.__notes__)


def test_without_an_overloads_name_the_first_that_takes_the_arguments_is_called(
    add: Program,
) -> None:
    x, out = np.ones(2), np.zeros(2)
    np.testing.assert_array_equal(add.call("aten::add", x, 2), [3, 3])
    assert add.call("aten::add", x, x, out=out) is out
    with pytest.raises(TorchError, match="Unknown keyword argument 'beta'"):
        add.call("aten::add", x, x, beta=1)


def test_a_dtype_whose_case_is_gone_is_not_implemented() -> None:
    source = (SAMPLES / "ufunc_add_kernel.cc").read_text()
    case = re.search(r"AT_DISPATCH_CASE\(at::ScalarType::Int,.*?\}\)\n", source, re.DOTALL)
    assert case is not None
    program = filled("add.cc", "ufunc_add.cc")
    changed(program, source.replace(case[0], ""))
    with pytest.raises(TorchError, match="\"add_stub\" not implemented for 'Int'"):
        program.call("aten::add.Tensor", np.ones(2, np.int32), np.ones(2, np.int32))
    program.call("aten::add.Tensor", np.ones(2, np.int64), np.ones(2, np.int64))


def test_the_lambda_says_what_is_computed() -> None:
    program = filled("add.cc", "ufunc_add.cc")
    source = (SAMPLES / "ufunc_add_kernel.cc").read_text()
    vector = re.compile(
        r",\s*\[=\]\(at::vec::Vectorized<scalar_t> self, .*?\{.*?all\);\s*\}\);", re.DOTALL
    )
    source = vector.sub(");", source).replace("cpu_kernel_vec(", "cpu_kernel(")
    changed(program, source.replace("ufunc::add(self, other, one)", "self - one * other"))
    x = np.arange(5, dtype=np.float64)
    np.testing.assert_array_equal(program.call("aten::add.Tensor", x, x, alpha=3), x - 3 * x)


def test_a_composite_kernel_is_made_of_other_operators(add: Program) -> None:
    twice = "at::Tensor twice(const at::Tensor& x) { return x.add(x, 1); }\n"
    _, made, _ = run(twice + fragment("mine", 'm.def("twice", &twice);'), add)
    assert made.registrations[-1].runnable
    np.testing.assert_array_equal(add.call("mine::twice", np.ones(2)), [2, 2])
    add.take_back(made)


def test_a_body_that_calls_something_unknown_is_declared_and_not_run() -> None:
    text = "at::Tensor f(const at::Tensor& x) { return at::somewhere::g(x); }\n"
    block = f'm.def("f(Tensor x) -> Tensor"); m.impl("f", {torch_fn("f")});'
    program, made, _ = run(text + fragment("mine", block))
    assert not made.registrations[-1].runnable
    said = (
        "f is registered, but nobody wrote it in Python.* `at::somewhere::g`, which its body uses"
    )
    with pytest.raises(TorchError, match=said):
        program.call("mine::f", np.ones(2))


def test_a_check_in_a_body_throws_pytorchs_error() -> None:
    text = (
        "at::Tensor f(const at::Tensor& x) {\n"
        "  if ((__builtin_expect(static_cast<bool>(!(x.dim() == 1)), 0))) {\n"
        '    ::c10::detail::torchCheckFail(__func__, "a.cc", static_cast<uint32_t>(3),\n'
        '      (::c10::detail::torchCheckMsgImpl("Expected", "f: got ", x.dim(), " dimensions")));\n'
        "  }\n  return x;\n}\n"
    )
    block = 'm.def("f(Tensor x) -> Tensor"); m.impl("f", &f);'
    program, *_ = run(text + fragment("mine", block))
    program.call("mine::f", np.ones(2))
    with pytest.raises(TorchError, match="f: got 2 dimensions"):
        program.call("mine::f", np.ones((2, 2)))


def test_a_boxed_fallback_serves_an_operator_that_it_has_never_heard_of(add: Program) -> None:
    boxed = (
        "namespace shown { void autograd_fallback(\n"  # by libtorch's name: it has one for this key
        "    const c10::OperatorHandle& op, c10::DispatchKeySet ks, c10::Stack* stack) {\n"
        "  op.redispatchBoxed(ks & c10::after_autograd_keyset, stack);\n} }\n"
    )
    block = "m.fallback(torch::CppFunction::makeFromBoxedFunction<&shown::autograd_fallback>());"
    identity = (
        "at::Tensor same(const at::Tensor& x) { return x; }\n"
        + fragment("mine", 'm.def("same(Tensor x) -> Tensor");')
        + impl("mine", "CPU", 'm.impl("same", &same);', 2)
    )
    _, made, _ = run(boxed + impl("_", "AutogradCPU", block, 3) + identity, add)
    story = add.explain_call("mine::same", np.ones(1))
    assert [(str(hop.key), hop.kernel.kernel.function) for hop in story.hops] == [
        ("AutogradCPU", "shown::autograd_fallback"),
        ("CPU", "same"),
    ]
    add.take_back(made)


def test_a_python_function_must_have_the_kernels_parameters() -> None:
    text = (
        "namespace at { namespace native {\n  void _assert_async_cpu(const at::Scalar& self); } }\n"
    )
    block = f'm.impl("_assert_async", {torch_fn("at::native::_assert_async_cpu")});'
    _, made, text = run(text + impl("aten", "CPU", block))
    assert not made.registrations[0].runnable
    (found,) = made.diagnostics
    assert text[found.span.start : found.span.end] == "const at::Scalar& self"
    assert "and its Python function (Tensor self)" in found.message


def test_an_assertion_of_the_tensor_itself() -> None:
    program = filled("assert_async.cc")
    program.call("aten::_assert_async", np.ones(1))
    with pytest.raises(TorchError, match="Expected Tensor with single nonzero value, but got zero"):
        program.call("aten::_assert_async", np.zeros(1))


def test_the_two_halves_of_a_structured_kernel_are_the_texts_own() -> None:
    source = (SAMPLES / "ufunc_add.cc").read_text()
    x = np.ones(2, np.int32)
    for taken_out in (
        "native::alpha_check(dtype(), alpha);",
        "add_stub(device_type(), *this, alpha);",
    ):
        assert taken_out in source
        program = filled("add.cc", "ufunc_add_kernel.cc")
        changed(program, source.replace(taken_out, ""), "ufunc_add.cc")
        if "alpha_check" in taken_out:
            with pytest.raises(TorchError, match=r"cannot be converted to type|overflow"):
                program.call("aten::add.Tensor", x, x, alpha=2j)
        else:
            out = np.array([5, 7], np.int32)
            program.call("aten::add.out", x, x, out=out)
            assert out.tolist() == [5, 7]  # nothing was computed


def test_a_kernel_whose_body_stands_in_a_header_of_the_project_runs(
    add: Program, tmp_path: Path
) -> None:
    (tmp_path / "fb.h").write_text(
        '#pragma once\n#include "library.h"\nnamespace fb {\n'
        "inline at::Tensor twice(const at::Tensor& x) { return x.add(x, 1); }\n"
        "template <typename T> at::Tensor again(const at::Tensor& x) { return twice(twice(x)); }\n"
        "}\n"
    )
    path = tmp_path / "fb.cc"
    path.write_text(
        '#include "fb.h"\nTORCH_LIBRARY(fb, m) {\n'
        '  m.def("twice", TORCH_FN(fb::twice));\n  m.def("four", &fb::again<float>);\n}\n'
    )
    bench = open_file(path, Options(include_folders=(str(SAMPLES),)), add)
    assert not bench.has_errors()
    np.testing.assert_array_equal(add.call("fb::twice", np.ones(2)), [2, 2])
    np.testing.assert_array_equal(add.call("fb::four", np.ones(2)), [4, 4])
    bench.take_back()
