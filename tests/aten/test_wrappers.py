"""What a wrapper and its classes say is what a call does: changed in one place, the call changes with
it or is refused."""

from __future__ import annotations

import re
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.device import META
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor, empty
from registry_runtime.program import Program
from visualizer.expansion import Options
from visualizer.workbench.bench import open_file

SAMPLES = Path(__file__).parents[2] / "cpp_samples" / "aten"
ADD, HALVES, KERNEL = "add.cc", "ufunc_add.cc", "ufunc_add_kernel.cc"
Change = tuple[str, str, str, int]  # which file, what is there, what instead, and which of several


def opened(*changes: Change) -> tuple[Program, list[str]]:
    """A program of add's files with these changes, and what was said while they were opened."""
    program, said = Program(), []
    for name in (ADD, HALVES, KERNEL):
        path = SAMPLES / name
        text = path.read_text()
        for file, old, new, which in changes:
            if file == name:
                at = [m.start() for m in re.finditer(re.escape(old), text)][which]
                text = text[:at] + new + text[at + len(old) :]
        bench = open_file(path, Options(unsaved=((str(path), text),)), program)
        said += [d.message for d in bench.diagnostics if d.severity == "error"]
    return program, said


def observed(call: Callable[[], Any]) -> object:
    """What comes of a call: elements, or what it says."""
    try:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            result = call()
    except TorchError as error:
        return error.message.partition("\n")[0]
    if isinstance(result, Tensor):
        on_meta = result.device == META
        elements = None if on_meta else result.numpy().tolist()
        return result.sizes, result.strides, str(result.dtype), elements, len(heard)
    return result if result is None else str(result)


def everything(program: Program) -> list[object]:
    """Calls in all the forms, and of every kind that the forms tell apart."""
    a, b = np.arange(6).reshape(2, 3), np.array([10, 20, 30])
    x, y = np.array([1.0, 2.0]), np.array([0.5, 4.0])

    def tensors(*arrays: Any) -> list[Tensor]:
        return [Tensor.from_array(array.copy()) for array in arrays]

    def out(into: Tensor) -> object:
        return observed(lambda: program.call("aten::add.out", *tensors(a, b), alpha=2, out=into))

    def on_meta(name: str, **named: Tensor) -> object:
        given = [empty(n, ScalarType.Int, META) for n in ((2, 3), (3,))]
        return observed(lambda: program.call(name, *given, **named))

    plain = "aten::add.Tensor"
    seen = [
        *(observed(lambda: program.call(plain, *tensors(x, y), alpha=2)) for _ in range(2)),
        observed(lambda: program.call(plain, *tensors(a, b), alpha=2)),
        observed(lambda: program.call(plain, *tensors(a, b), alpha=1.5)),
        out(empty((0,), ScalarType.Long)),
        out(empty((4,), ScalarType.Long)),
        out(empty((2, 3), ScalarType.Double)),
        out(empty((4,), ScalarType.Double)),
        observed(lambda: program.call("aten::add_.Tensor", *tensors(a, b), alpha=2)),
        observed(lambda: program.call("aten::add_.Tensor", *tensors(b, a), alpha=2)),
        on_meta(plain),
        on_meta("aten::add_.Tensor"),
        on_meta("aten::add.out", out=empty((0,), ScalarType.Int, META)),
    ]
    for name, into, given in (
        ("aten::add_.Tensor", None, ((3,), (2, 3))),
        ("aten::add.out", empty((4,), ScalarType.Double, META), ((2, 3), (3,))),
    ):
        operands = [empty(n, ScalarType.Int, META) for n in given]
        named = {} if into is None else {"out": into}
        seen.append(observed(lambda n=name, o=operands, k=named: program.call(n, *o, **k)))
    seen.append(observed(lambda: program.call(plain, *tensors(x, y))))
    into = Tensor.from_array(np.zeros(2))
    given = tensors(x, y)
    seen.append(observed(lambda: program.call("aten::add.out", *given, out=into) is into))
    seen.append(observed(lambda: program.call("aten::add_.Tensor", *given) is given[0]))
    return seen


@pytest.fixture(scope="module")
def as_it_is() -> list[object]:
    program, said = opened()
    assert said == []
    return everything(program)


def statements(name: str, first: str, last: str) -> list[Change]:
    """Each statement between two places of a sample, taken out."""
    text = (SAMPLES / name).read_text()
    begin, end = text.index(first), text.index(last)
    whole = re.compile(r"^ +(?:\w[^;{}\n]*|\w[^;{}]*\n[^;{}]*);$", re.MULTILINE)
    found = []
    for match in whole.finditer(text, begin, end):
        which = len(re.findall(re.escape(match[0]), text[: match.start()]))
        found.append((name, match[0], "", which))
    return found


# On Meta nothing stands in for an output of another type, and the iterator has nothing to take over.
NOT_MISSED = (
    "    structured_add_Tensor::set_output_raw_strided(output_idx, sizes, strides, options);"
)
TAKEN_OUT = [
    *statements(ADD, "// --- CPU", "// --- Autograd"),
    *statements(HALVES, "TORCH_META_FUNC2(add", "}  // namespace native\n\n}  // namespace at"),
]
TAKEN_OUT = [change for change in TAKEN_OUT if change[1::2] != (NOT_MISSED, 1)]


@pytest.mark.parametrize("change", TAKEN_OUT, ids=lambda c: f"{c[0]}-{c[1].strip()[:50]}-{c[3]}")
def test_a_statement_that_is_taken_out_is_missed(change: Change, as_it_is: list[object]) -> None:
    program, said = opened(change)
    assert said or everything(program) != as_it_is


OTHERWISE: list[Change] = [
    (ADD, "op.meta(self, other, alpha)", "op.meta(other, self, alpha)", 0),
    (ADD, "op.meta(self, other, alpha)", "op.meta(other, self, alpha)", 1),
    (ADD, "op.impl(self, other, alpha,", "op.impl(self, other, -alpha,", 0),
    (ADD, "op.impl(self, other, alpha,", "op.impl(self, other, -alpha,", 2),
    (ADD, "return op.outputs_[0];", "return self;", 0),
    (ADD, "return op.outputs_[0];", "return other;", 1),
    (ADD, "return op.outputs_[0];", "return alpha;", 0),
    (ADD, "return op.outputs_[0];", "return op;", 0),
    (ADD, "return out;", "return op.maybe_get_output(1);", 0),
    (ADD, "return self;", "return other;", 0),
    (ADD, "structured_ufunc_add_CPU_functional op;", "structured_ufunc_add_CPU_out op;", 0),
    (ADD, "structured_ufunc_add_CPU_functional op;", "structured_unheard_of op;", 0),
    (ADD, "structured_ufunc_add_CPU_out op(out)", "structured_ufunc_add_CPU_out op(alpha)", 0),
    (ADD, "structured_ufunc_add_CPU_inplace op(self)", "structured_ufunc_add_CPU_inplace op", 0),
    (
        ADD,
        "public at::native::structured_ufunc_add_CPU",
        "public at::meta::structured_add_Tensor",
        0,
    ),
    (
        ADD,
        "public at::native::structured_ufunc_add_CPU",
        "public at::native::structured_nothing",
        0,
    ),
    (ADD, "outputs_[output_idx] = create_out", "outputs_[1] = create_out", 0),
    (ADD, "create_out(sizes, strides, options)", "create_out(strides, sizes, options)", 0),
    (ADD, "(sizes, strides, options);\n    structured", "(sizes, options);\n    structured", 0),
    (ADD, "structured_ufunc_add_CPU::set_output", "set_output", 0),
    (ADD, "TensorOptions options) override", "int options) override", 0),
    (ADD, "set_output_raw_strided(\n", "set_output_raw_strode(\n", 0),
    (ADD, "maybe_get_output(int64_t output_idx)", "maybe_get_output(int output_idx)", 0),
    (ADD, "const Tensor& maybe_get_output(", "const Tensor& may_get_output(", 0),
    (ADD, ": outputs_{std::ref(out0)}", "", 0),
    (ADD, "outputs_{std::ref(out0)}", "outputs_{}", 0),
    (ADD, "outputs_{std::ref(out0)}", "outputs{std::ref(out0)}", 0),
    (ADD, "std::array<Tensor, 1> outputs_;", "std::array<Tensor, 0> outputs_;", 0),
    (ADD, "std::array<Tensor, 1> outputs_;", "int outputs_ = 0;", 0),
    (ADD, "at::Tensor wrapper_CPU_add_Tensor(", "at::Tensor wrapper_CPU_add_Tensors(", 0),
    (ADD, "const at::Scalar& alpha) {", "const at::Scalar& alpha, int) {", 0),
    (ADD, "Scalar alpha=1) -> Tensor", "Scalar alpha=2) -> Tensor", 0),
    (ADD, "TORCH_FN(wrapper_CPU_add_Tensor)", "TORCH_FN(wrapper_Meta_add_Tensor)", 0),
    (ADD, "CPU_functional op;", "CPU_functional op;}", 0),
    (HALVES, "(maybe_get_output(), self, other)", "(maybe_get_output(), other, self)", 0),
    (HALVES, "(maybe_get_output(), self, other)", "(maybe_get_output(), self, self)", 0),
    (HALVES, "build_borrowing_binary_op", "build_borrowing_unary_op", 0),
    (HALVES, "alpha_check(dtype(), alpha)", "alpha_check(alpha, dtype())", 0),
    (HALVES, "*this, alpha)", "*this, -alpha)", 0),
    (HALVES, "device_type(), *this", "DeviceType::Meta, *this", 0),
    (HALVES, "add_stub(device_type()", "sub_stub(device_type()", 0),
    (HALVES, "TORCH_IMPL_FUNC(ufunc_add_CPU)", "TORCH_IMPL_FUNC(ufunc_sub_CPU)", 0),
    (HALVES, "const Scalar& alpha) {", "const Tensor& alpha) {", 0),
]


@pytest.mark.parametrize("change", OTHERWISE, ids=lambda c: f"{c[1][:36]}-{c[2][:36]}-{c[3]}")
def test_what_stands_there_instead_is_done_or_refused(
    change: Change, as_it_is: list[object]
) -> None:
    program, said = opened(change)
    assert said or everything(program) != as_it_is


def test_a_plan_of_a_sum_with_itself_serves_no_other_sum() -> None:
    built = "(maybe_get_output(), self, other)"
    program, _ = opened((HALVES, built, "(maybe_get_output(), other, self)", 0))
    x, y = Tensor.from_array(np.array([1.0, 2.0])), Tensor.from_array(np.array([10.0, 20.0]))
    for _ in range(2):
        program.call("aten::add.Tensor", x, x, alpha=3)
        assert program.call("aten::add.Tensor", x, y, alpha=3).numpy().tolist() == [13.0, 26.0]


# --- The same form under other names --------------------------------------------------------------


def renamed(folder: Path, name: str, *, arithmetic: str) -> Program:
    """The program of add's files with `name` wherever they say add, and another arithmetic."""
    program = Program()
    for file in ("ufunc_add.h", ADD, HALVES, KERNEL):
        text = (SAMPLES / file).read_text()
        text = text.replace("ufunc::add(self, other, one)", arithmetic)
        text = text.replace("ufunc::add(self, other, all)", arithmetic.replace("one", "all"))
        (folder / file.replace("add", name)).write_text(text.replace("add", name))
    for file in (ADD, HALVES, KERNEL):
        options = Options(include_folders=(str(SAMPLES),))
        bench = open_file(folder / file.replace("add", name), options, program)
        assert [d.message for d in bench.diagnostics if d.severity == "error"] == []
    return program


def test_an_operator_of_ones_own_runs_in_all_forms(tmp_path: Path) -> None:
    program = renamed(tmp_path, "myop", arithmetic="self * other - one")
    a, b = np.arange(6.0).reshape(2, 3), np.array([10.0, 20.0, 30.0])
    np.testing.assert_array_equal(program.call("aten::myop.Tensor", a, b, alpha=2), a * b - 2)
    out = np.zeros((2, 3))
    assert program.call("aten::myop.out", a, b, alpha=3, out=out) is out
    np.testing.assert_array_equal(out, a * b - 3)
    self = a.copy()
    program.call("aten::myop_.Tensor", self, b)
    np.testing.assert_array_equal(self, a * b - 1)
    on_meta = [empty(shape, ScalarType.Int, META) for shape in ((2, 3), (3,))]
    assert program.call("aten::myop.Tensor", *on_meta).sizes == (2, 3)


def test_nothing_stands_in_for_it(tmp_path: Path) -> None:
    renamed(tmp_path, "myop", arithmetic="self * other - one")
    bench = open_file(tmp_path / "myop.cc", Options(include_folders=(str(SAMPLES),)))
    kernels = [entry for entry in bench.entries if entry.registration.kind == "impl"]
    assert kernels
    assert all(entry.registration.runnable for entry in kernels)
    assert all(entry.stand_in is None for entry in kernels)


def named(text: str) -> str:
    """The wrappers as PyTorch's build writes them: names for the dimensions come along."""
    options = "TensorOptions options"
    text = text.replace(f"{options}) override {{", f"{options}, DimnameList names) override {{")
    made = "outputs_[output_idx] = create_out(sizes, strides, options);"
    inferred = (
        "if (!names.empty()) { namedinference::propagate_names(outputs_[output_idx], names); }"
    )
    text = text.replace(made, f"{made} {inferred}")
    handed_on = "(output_idx, sizes, strides, options"
    return text.replace(f"{handed_on});", f"{handed_on}, names);")


def test_names_for_dimensions_come_along(tmp_path: Path, as_it_is: list[object]) -> None:
    program = Program()
    (tmp_path / ADD).write_text(named((SAMPLES / ADD).read_text()))
    for file in (tmp_path / ADD, SAMPLES / HALVES, SAMPLES / KERNEL):
        assert not open_file(file, Options(include_folders=(str(SAMPLES),)), program).has_errors()
    assert everything(program) == as_it_is


def test_an_output_that_is_contiguous_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "row.cc").write_text(
        '#include "library.h"\n#include "tensor_meta.h"\n'
        "namespace at { namespace meta {\n"
        "struct structured_row : public at::impl::MetaBase { void meta(const at::Tensor& self); };\n"
        "void structured_row::meta(const at::Tensor& self) {\n"
        "  set_output_contiguous(0, self.sizes(), self.options(), {});\n}\n}\n"
        "Tensor create_out(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options);\n"
        "struct row final : public at::meta::structured_row {\n"
        "  void set_output_strided(int64_t i, IntArrayRef sizes, IntArrayRef strides,\n"
        "      TensorOptions options, DimnameList names) override {\n"
        "    outputs_[i] = create_out(sizes, strides, options);\n  }\n"
        "  const Tensor& maybe_get_output(int64_t i) override { return outputs_[i]; }\n"
        "  std::array<Tensor, 1> outputs_;\n};\n"
        "at::Tensor wrapper(const at::Tensor& self) {\n"
        "  row op; op.meta(self); return op.outputs_[0];\n}\n}\n"
        'TORCH_LIBRARY(mine, m) { m.def("row(Tensor self) -> Tensor", &at::wrapper); }\n'
    )
    program = Program()
    assert not open_file(
        tmp_path / "row.cc", Options(include_folders=(str(SAMPLES),)), program
    ).has_errors()
    made = program.call("mine::row", Tensor.from_array(np.zeros((3, 2)).T))
    assert (made.sizes, made.strides) == ((2, 3), (3, 1))


# --- What a header of the text says ---------------------------------------------------------------

OF_ELEMENTS, OF_VECTORS = "return self + alpha * other;", "return vec::fmadd(other, alpha, self);"


@pytest.mark.parametrize(
    ("of_elements", "of_vectors", "wanted"),
    [
        ("return self - alpha * other;", "return self - alpha * other;", lambda x, y, a: x - a * y),
        ("return alpha - self;", "return alpha - self;", lambda x, y, a: a - x),
        (
            "T twice = self + self; return twice * other;",
            "auto twice = self + self; return twice * other;",
            lambda x, y, a: 2 * x * y,
        ),
    ],
)
def test_the_arithmetic_in_the_header_is_what_runs(
    tmp_path: Path, of_elements: str, of_vectors: str, wanted: Callable[..., Any]
) -> None:
    folder = shutil.copytree(SAMPLES, tmp_path / "aten")
    text = (folder / "ufunc.h").read_text()
    text = text.replace(OF_ELEMENTS, of_elements).replace(OF_VECTORS, of_vectors)
    (folder / "ufunc.h").write_text(text)
    program = Program()
    for file in (ADD, HALVES, KERNEL):
        assert not open_file(folder / file, Options(), program).has_errors()
    x, y = np.arange(67.0), np.arange(67.0)[::-1].copy()  # vectors, and what is left of them
    made = program.call("aten::add.Tensor", x, y, alpha=3.0)
    np.testing.assert_array_equal(made, wanted(x, y, 3.0))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (OF_ELEMENTS, "return self + nothing;", "`nothing` is not known here"),
        (
            "T add(T self, T other, T alpha) {",
            "T sum(T self, T other, T alpha) {",
            "fits this call",
        ),
        ("T add(T self, T other, T alpha) {", "T add(T self, T other) {", "fits this call"),
    ],
)
def test_a_header_that_a_compiler_would_refuse_is_refused(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    folder = shutil.copytree(SAMPLES, tmp_path / "aten")
    text = (folder / "ufunc.h").read_text()
    assert old in text
    (folder / "ufunc.h").write_text(text.replace(old, new, 1))
    program = Program()
    for file in (ADD, HALVES, KERNEL):
        open_file(folder / file, Options(), program)
    with pytest.raises(TorchError, match=said):
        program.call("aten::add.Tensor", np.ones(3), np.ones(3))
