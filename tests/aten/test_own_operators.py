"""`mul`, `sub`, `div`, `neg`, `relu` and `clamp_min`, run from the samples' text, judged by NumPy."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.device import META
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor, empty
from registry_runtime.cxx import CxxError
from registry_runtime.lab.aten import trial
from registry_runtime.program import Program
from tests.aten.own_operators import FILES, SAMPLES, own_operators
from visualizer.expansion import Options
from visualizer.workbench.bench import open_file
from visualizer.workbench.linking import load
from visualizer.workbench.samples import samples_folder

# Every loop has to be compiled: all types of all operators are compared where torch is there.
DTYPES = {
    "mul.Tensor": "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex128",
    "sub.Tensor": "uint8 float32 complex64",
    "rsub.Tensor": "uint8 float32 complex64",
    "div.Tensor": "bool int64 float16 float32 complex64",
    "neg": "uint8 float16 float32 complex64",
    "reciprocal": "bool int64 float16 float32 complex64",
    "relu": "int32 bfloat16 float32",
    "mul_.Tensor": "float32",
    "neg_": "uint8",
    "mul.out": "float32",
    "sum": "bool uint8 int64 float16 float32 float64 complex64",
}


@pytest.mark.parametrize("name", DTYPES)
def test_numpy_agrees(name: str) -> None:
    """As `unfold run aten::NAME --check` asks it."""
    aten = own_operators().aten
    for dtype in DTYPES[name].split():
        tried = trial.try_operator(aten, f"aten::{name}", dtype, (37,))
        assert tried.agrees is True, dtype


BINARY: dict[str, Callable[..., Any]] = {"mul": np.multiply, "sub": np.subtract, "div": np.divide}


@pytest.mark.parametrize("name", BINARY)
def test_shapes_are_broadcast_and_strides_followed(name: str) -> None:
    rng = np.random.default_rng(3)
    call = own_operators().call
    base = rng.standard_normal((12, 10)).astype(np.float32)
    for a, b in (
        (base[::2, ::3], base[1:7, 2]),
        (base[:, None], base[None, :3, :1]),
        (base.T, base[:10, :1]),
        (base[::-1].copy()[::3], base[:4]),
        (base[0, 0, ...], base),
    ):
        b = b[:, None] if b.ndim == 1 else b
        made = call(f"aten::{name}.Tensor", a, b)
        np.testing.assert_allclose(made, BINARY[name](a, b), rtol=1e-6)


def test_in_place_and_out_write_where_they_are_told_to() -> None:
    call = own_operators().call
    x, y = np.array([2.0, -3.0, 4.0]), np.array([4.0, 2.0, -1.0])
    assert call("aten::mul_.Tensor", x, y) is x
    np.testing.assert_array_equal(x, [8, -6, -4])
    assert call("aten::sub_.Tensor", x, y, alpha=2) is x
    np.testing.assert_array_equal(x, [0, -10, -2])
    assert call("aten::relu_", x) is x
    np.testing.assert_array_equal(x, [0, 0, 0])
    out = np.zeros(3)
    assert call("aten::div.out", np.array([1, 2, 3]), np.array([2, 2, 2]), out=out) is out
    np.testing.assert_array_equal(out, [0.5, 1, 1.5])


def test_pythons_operators_lead_to_them() -> None:
    front = own_operators().aten.front
    values = np.array([1.5, -2.0, 8.0], np.float32)
    x, y = Tensor.from_array(values), Tensor.from_array(np.array([2.0, 4.0, 0.5], np.float32))
    for made, wanted in (
        (front.minus(x, y), values - [2, 4, 0.5]),
        (front.minus(x, 1), values - 1),
        (front.times(3, x), values * 3),
        (front.times(x, True), values),
        (front.divided_by(x, y), values / [2, 4, 0.5]),
        (front.negative(x), -values),
        (front.sub(x, y, alpha=2), values - [4, 8, 1]),
        (front.mul(x, other=y), values * [2, 4, 0.5]),
    ):
        np.testing.assert_allclose(made.numpy(), wanted)
    assert front.times_equals(x, y) is x
    np.testing.assert_array_equal(values, [3, -8, 4])
    np.testing.assert_allclose(front.minus(1, x).numpy(), 1 - x.numpy())
    np.testing.assert_allclose(front.divided_by(2, y).numpy(), 2 / y.numpy())
    np.testing.assert_allclose(front.minus_equals(1, x).numpy(), 1 - x.numpy())
    for _ in range(2):  # the second goes the short way
        np.testing.assert_array_equal(front.times(y, y).numpy(), [4, 16, 0.25])
        np.testing.assert_array_equal(front.minus(y, y).numpy(), [0, 0, 0])


def test_meta_finds_out_everything_but_the_values() -> None:
    call = own_operators().call
    whole, real = empty((4, 1), ScalarType.Int, META), empty((3,), ScalarType.Half, META)
    planned = empty((4, 1), ScalarType.Int)
    for _ in range(3):  # from the second on by a plan, which goes by the type
        call("aten::mul.Tensor", planned, planned)
    for name, dtype in (("mul", ScalarType.Half), ("div", ScalarType.Half)):
        made = call(f"aten::{name}.Tensor", whole, real)
        assert (made.sizes, made.dtype, made.device) == ((4, 3), dtype, META)
    assert call("aten::div.Tensor", whole, whole).dtype is ScalarType.Float
    assert call("aten::relu", whole).dtype is ScalarType.Int


TEXT = """\
#include "aten.h"
#include "library.h"
at::Tensor made(const at::Tensor& a, const at::Tensor& b) { %s }
TORCH_LIBRARY(mine, m) { m.def("made", &made); }
"""


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("return a.mul(b);", lambda a, b: a * b),
        ("return a.sub(b, 2);", lambda a, b: a - 2 * b),
        ("return a.div(b).neg();", lambda a, b: -(a / b)),
        ("return a.relu().add(b);", lambda a, b: np.maximum(a, 0) + b),
        ("return a.mul(b).sum();", lambda a, b: (a * b).sum()),
        ("return a.sum(0) + a.sum({0});", lambda a, b: 2 * a.sum()),
        ("return a.sum(at::kDouble);", lambda a, b: a.sum(dtype=np.float64)),
        ("return a - b;", lambda a, b: a - b),
        ("return -a * b / b;", lambda a, b: -a),
        ("at::Tensor c = a * b; c -= a; return c;", lambda a, b: a * b - a),
        ("return a * 2 + 1;", lambda a, b: a * 2 + 1),
        ("return 1 - 2 * a;", lambda a, b: 1 - 2 * a),
        ("return 2.5 + a / 4;", lambda a, b: 2.5 + a / 4),
        ("return 1 / b;", lambda a, b: 1 / b),
        ("double half = 0.5; return (a - half).mul(half).add(b, 2);",
         lambda a, b: (a - 0.5) * 0.5 + 2 * b),
        ("at::Tensor c = a.clone(); c += 1; c *= b; c.sub_(2, 3).div_(4); return c;",
         lambda a, b: ((a + 1) * b - 6) / 4),
        ("at::Tensor c = a.neg(); c.mul_(b); return c.clamp_min(1);",
         lambda a, b: np.maximum(-a * b, 1)),
    ],
)  # fmt: skip
def test_a_body_of_ones_own_calls_them(
    body: str, wanted: Callable[..., Any], tmp_path: Path
) -> None:
    program = _with(TEXT % body, tmp_path)
    a = np.linspace(-3, 3, 40, dtype=np.float32)
    b = np.linspace(1, 2, 40, dtype=np.float32)
    np.testing.assert_allclose(program.call("mine::made", a, b), wanted(a, b), 1e-6, 1e-5)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("a -= b; return a;", "`a` is const"),
        ("at::Tensor c = a; c++; return c;", "there is no `++` for `Tensor`"),
        ("return a % b;", "there is no `%` for"),
        ("return +a;", "there is no `+` for"),
    ],
)
def test_what_a_body_cannot_do_with_tensors(body: str, said: str, tmp_path: Path) -> None:
    program = _with(TEXT % body, tmp_path)
    with pytest.raises((TorchError, CxxError), match=re.escape(said)):
        program.call("mine::made", np.ones(3), np.ones(3))


OPTIONAL = """\
#include "library.h"
int64_t size(const std::optional<at::Tensor>& b) {
  if (b) return b->numel();
  return -1;
}
at::Tensor f(const at::Tensor& a, const std::optional<at::Tensor>& b) { %s }
TORCH_LIBRARY(my, m) { m.def("f(Tensor a, Tensor? b=None) -> Tensor", &f); }
"""


@pytest.mark.parametrize(
    ("body", "without", "given"),
    [
        ("if (b.has_value()) return a.add(*b, 1); return a;", 0, 1),
        ("if (b) return a.add(b.value(), 1); return a.add(a, 1);", 1, 1),
        ("if (b == std::nullopt) return a; return b->add(a, 1);", 0, 1),
        ("return a.add(a, size(b) + size(a) + size(std::nullopt));", 1, 5),
        ("return a.add(b.value_or(a), 2);", 2, 2),
        ("std::optional<at::Tensor> c = b; c.reset(); return c ? *c : a.add(a, b ? 1 : 2);", 2, 1),
        ("std::optional<int64_t> n; if (b) n = 3; return a.add(a, n.value_or(4));", 4, 3),
        ("std::optional<int64_t> n = 3; *n += 2; return a.add(a, n.value() + *n);", 10, 10),
    ],
)
def test_an_optional_tensor_is_asked_and_reached_into(
    body: str, without: int, given: int, tmp_path: Path
) -> None:
    program = _with(OPTIONAL % body, tmp_path)
    a = np.array([1.0, 2.0, 4.0], np.float32)
    np.testing.assert_array_equal(program.call("my::f", a), a * (1 + without))
    np.testing.assert_array_equal(program.call("my::f", a, a.copy()), a * (1 + given))


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return *b;", "this optional holds nothing"),
        ("return a.add(b.value(), 1);", "this optional holds nothing"),
        ("return a.add(b, 1);", "Could not find schema for aten::add"),
        ("at::Tensor c = b; return c;", "this is no `at::Tensor`"),
        ("return a.add(a, b.size());", "`std::optional<at::Tensor>` has no member `size`"),
        ("b.reset(); return a;", "`b` is const, and `reset` changes it"),
    ],
)
def test_what_an_optional_is_not_asked(body: str, said: str, tmp_path: Path) -> None:
    program = _with(OPTIONAL % body, tmp_path)
    with pytest.raises(TorchError, match=re.escape(said)):
        program.call("my::f", np.ones(3))


def test_what_a_number_fills_before_a_tensor_is_laid_out_as_that_one(tmp_path: Path) -> None:
    """`1 - a` is a tensor like `a`, filled with 1, less `a`."""
    program = _with(TEXT % "return 1 - a;", tmp_path)
    whole = np.arange(24, dtype=np.int16).reshape(4, 6)
    for a in (whole.T, whole[::2, ::3], whole[:, 0]):
        made = program.call("mine::made", a, whole)
        np.testing.assert_array_equal(made, 1 - a)
        assert made.dtype == np.int16
    program = _with(TEXT % "return 300 - a;", tmp_path)
    with pytest.raises(TorchError, match="without overflow"):
        program.call("mine::made", np.ones(3, np.uint8), whole)


def _with(text: str, tmp_path: Path) -> Program:
    aten = samples_folder() / "aten"
    program = load(path for path in (aten / name for name in FILES))
    path = tmp_path / "mine.cc"
    path.write_text(text)
    bench = open_file(path, Options(include_folders=(str(aten),)), program)
    assert [d.message for d in bench.diagnostics] == []
    return program


LOOKS = """\
#define CPU_CAPABILITY DEFAULT
#define CPU_CAPABILITY_DEFAULT
#include "dispatch.h"
#include "dispatch_stub.h"
#include "loops.h"
namespace at { namespace native {
using fn = void (*)(TensorIteratorBase&);
DECLARE_DISPATCH(fn, neg_stub)
namespace {
void kernel(TensorIteratorBase& iter) {
  if (iter.is_scalar(1)) {
    cpu_kernel(iter, [=](float self) -> float { return self; });
  } else {
    cpu_kernel(iter, [=](float self) -> float { return self + self; });
  }
}
}
REGISTER_DISPATCH(neg_stub, &kernel)
} }
"""


def test_a_kernel_that_looks_at_its_operands_is_asked_each_time(tmp_path: Path) -> None:
    path = tmp_path / "neg_kernel.cc"
    path.write_text(LOOKS)
    aten = samples_folder() / "aten"
    program = load([aten / "unary_ops.cc"])
    assert not open_file(path, Options(include_folders=(str(aten),)), program).has_errors()
    for values, wanted in (([3, 4], [6, 8]), ([3], [3]), ([3, 4], [6, 8])):
        made = program.call("aten::neg", np.array(values, np.float32))
        np.testing.assert_array_equal(made, wanted)


# `bound` as the kernel's function gets it, and where the text looks at the number first.
BOUNDS = ("", "if (min.toDouble() == -77) return;\n        ")


@pytest.mark.parametrize("look", BOUNDS)
def test_a_captured_number_and_one_of_the_text_become_of_one_type(
    look: str, tmp_path: Path
) -> None:
    """[expr.arith.conv], and c10's operators of a Half and an int; the function of vectors captures
    another number. Three elements fill no vector."""
    aten = samples_folder() / "aten"
    text = (aten / "unary_ops_kernel.cc").read_text(encoding="utf-8")
    text = text.replace("self < bound ? bound : self", "self <= bound ? bound + 1 : self - before")
    declared = "const auto bound = min.to<scalar_t>();"
    assert declared in text
    text = text.replace(declared, f"{look}{declared} const auto before = bound / 2;")
    path = tmp_path / "unary_kernels.cc"
    path.write_text(text, encoding="utf-8")
    program = load([aten / "unary_ops.cc"])
    assert not open_file(path, Options(include_folders=(str(aten),)), program).has_errors()
    for dtype, bound in (
        ("float32", 0.1), ("float64", 0.1), ("int8", 127), ("uint8", 255), ("int16", -7),
        ("int32", 7), ("int64", 2**40), ("float16", 2048), ("float16", 0.1),
    ):  # fmt: skip
        T = np.dtype(dtype).type
        x, of = np.array([bound, 3, 100], dtype), T(bound)
        kind = np.int32 if x.dtype.kind in "iu" and x.itemsize < 4 else T
        half = int(bound / 2) if x.dtype.kind in "iu" else of / T(2)
        with np.errstate(over="ignore"):
            wanted = np.where(x <= of, kind(of) + kind(1), x.astype(kind) - kind(half)).astype(T)
        np.testing.assert_array_equal(program.call("aten::clamp_min", x, bound), wanted, dtype)


def test_a_number_beside_halves_keeps_its_digits() -> None:
    """As of C++'s `static_cast<float>(x) * 0.1f`, rounded once."""
    x = np.arange(1, 60, dtype=np.float16)
    tenth = np.array(0.1)
    made = own_operators().call("aten::mul.Tensor", x, tenth)
    np.testing.assert_array_equal(made, (x.astype(np.float32) * np.float32(0.1)).astype(np.float16))


def test_refused() -> None:
    call = own_operators().call
    bools = np.array([True])
    for name, given, said in (
        ("sub.Tensor", (bools, bools), "with two bool tensors is not supported"),
        ("neg", (bools,), "on a bool tensor is not supported"),
        ("relu", (bools,), "Boolean inputs not supported for relu"),
    ):
        with pytest.raises(TorchError, match=said):
            call(f"aten::{name}", *given)


def test_a_parenthesis_that_a_block_leaves_open_is_told_at_itself(tmp_path: Path) -> None:
    path = tmp_path / "mine.cc"
    text = TEXT % "return a;"
    path.write_text(text.replace("&made);", "&made"))
    bench = open_file(path, Options(include_folders=(str(SAMPLES),)))
    first = bench.diagnostics[0]
    assert "`(` is never closed" in first.message
    line = text.splitlines()[3]
    assert (first.where.line, first.where.column) == (4, line.index('("made') + 1)
