"""A lambda of elements computes what g++ makes of it: the same bits, for each type of a tensor."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.runtime import Runtime
from registry_runtime.aten.stub.cpu_capability import CPUCapability
from registry_runtime.aten.stub.stub_kernel import StubKernel
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.aten.tensor_iterator import TensorIterator
from visualizer.expansion import Options
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder

COMPILER = shutil.which("g++")
UNSIGNED = ("UInt16", "UInt32", "UInt64")
INTEGERS = ("Byte", "Char", "Short", "Int", "Long")
FLOATS = ("Float", "Double")
HALVES = ("Half", "BFloat16")
ALL = ("Bool", *INTEGERS, *FLOATS, *HALVES)
TEXT = """\
#define CPU_CAPABILITY DEFAULT
#define CPU_CAPABILITY_DEFAULT
#include "dispatch.h"
#include "dispatch_stub.h"
#include "loops.h"
namespace at { namespace native {
using fn = void (*)(TensorIteratorBase&);
DECLARE_DISPATCH(fn, mine_stub)
namespace {
void kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_SWITCH(iter.common_dtype(), "mine", AT_DISPATCH_CASE(at::ScalarType::%s, [&] {
    cpu_kernel(iter, [=](scalar_t a, scalar_t b) -> scalar_t { %s });
  }));
}
}
REGISTER_DISPATCH(mine_stub, &kernel)
} }
"""
# The operators that c10's types of 16 bits have, written anew: in float, and rounded.
HEAD = """\
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
inline uint32_t bits_of(float x) { uint32_t b; std::memcpy(&b, &x, 4); return b; }
inline float float_of(uint32_t b) { float x; std::memcpy(&x, &b, 4); return x; }
struct AsHalf {
  static float wide(uint16_t h) { _Float16 x; std::memcpy(&x, &h, 2); return x; }
  static uint16_t narrow(float f) {
    if (f != f) return (bits_of(f) >> 16 & 0x8000) | 0x7e00;
    _Float16 x = f; uint16_t h; std::memcpy(&h, &x, 2); return h;
  }
};
struct AsBFloat16 {
  static float wide(uint16_t h) { return float_of(uint32_t(h) << 16); }
  static uint16_t narrow(float f) {
    if (f != f) return 0x7fc0;
    uint32_t b = bits_of(f); return (b + 0x7fff + (b >> 16 & 1)) >> 16;
  }
};
template <typename As> struct Narrow {
  uint16_t x;
  Narrow() = default;
  Narrow(float f) : x(As::narrow(f)) {}
  operator float() const { return As::wide(x); }
};
#define EACH(op) \\
  template <typename A> N operator op(N a, N b) { return float(a) op float(b); } \\
  template <typename A> float operator op(N a, float b) { return float(a) op b; } \\
  template <typename A> float operator op(float a, N b) { return a op float(b); } \\
  template <typename A> double operator op(N a, double b) { return double(float(a)) op b; } \\
  template <typename A> double operator op(double a, N b) { return a op double(float(b)); } \\
  template <typename A> N operator op(N a, int b) { return a op N(float(b)); } \\
  template <typename A> N operator op(int a, N b) { return N(float(a)) op b; }
#define N Narrow<A>
EACH(+) EACH(-) EACH(*) EACH(/)
template <typename A> Narrow<A> operator-(Narrow<A> a) { return -float(a); }
template <typename A> Narrow<A>& operator+=(Narrow<A>& a, Narrow<A> b) { return a = a + b; }
namespace std {
template <typename A> Narrow<A> sqrt(Narrow<A> a) { return std::sqrt(float(a)); }
template <typename A> Narrow<A> floor(Narrow<A> a) { return std::floor(float(a)); }
template <typename A> Narrow<A> tanh(Narrow<A> a) { return std::tanh(float(a)); }
template <typename A> Narrow<A> abs(Narrow<A> a) { return std::abs(float(a)); }
}
template <typename T, typename F> void run(const char* name, F f) {
  T a[64], b[64], out[64];
  std::FILE* in = std::fopen(name, "rb");
  if (std::fread(a, sizeof(T), 64, in) + std::fread(b, sizeof(T), 64, in) != 128) return;
  std::fclose(in);
  for (int i = 0; i < 64; ++i) out[i] = f(a[i], b[i]);
  std::fwrite(out, sizeof(T), 64, stdout);
}
"""
CPP = {"Half": "Narrow<AsHalf>", "BFloat16": "Narrow<AsBFloat16>"}
CASES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("return b == 0 ? a : a / b;", ("Byte", "Char", "Short")),
    ("return b == 0 ? b : (a + b * 3) % b - a / b;", ("Byte", "Char", "Short")),
    ("return a / (b | 1) + a % 7 - (a ^ b) / 5;", ("Int", "Long")),
    ("return a / b - a * 2 + +b;", (*FLOATS, *HALVES)),
    ("return a < b ? a : b == a ? b + 1 : -b;", INTEGERS + FLOATS),
    ("return (a > b && !(a == b)) || b <= 0 ? std::max(a, b) : std::min(b, a);", ALL),
    ("return (a * b + a) / 3;", ("Byte", "Char", "Short", *FLOATS, *HALVES)),
    ("scalar_t t = a * 0.5; t += b; return t > 1 ? t * b : t;", (*FLOATS, *HALVES)),
    ("const double x = a; int n = b; return x * 0.25 + n;", ("Char", "Short", "Byte", "Bool")),
    ("return std::sqrt(std::abs(a)) + std::floor(b) - std::tanh(a);", (*FLOATS, *HALVES)),
    ("return std::abs(a - b) + std::abs(a) + std::sqrt(4.0f);", ("Char", "Short", "Byte", "Bool")),
    ("return a && b;", ALL),
    ("return !a;", ALL),
    ("return a - b;", ("Bool",)),
    ("return ~a & 0x55;", INTEGERS),
    (
        "scalar_t t = a * 0.5; return a - b > 7 || a < b ? (a ^ ~b) % 7 + a / (b | 1) - t : -a;",
        UNSIGNED,
    ),
    ("return a + scalar_t(0.1f) * b - scalar_t(300);", (*INTEGERS, *FLOATS)),
)  # fmt: skip


def operands(T: ScalarType) -> tuple[Any, Any]:
    rng = np.random.default_rng(1)
    if T is ScalarType.Bool:
        drawn = rng.integers(0, 2, (2, 64))
    elif T.numpy.kind in "iu":
        least = 0 if T.numpy.kind == "u" else -100
        drawn = rng.integers(least, 100, (2, 64))
    else:
        drawn = rng.standard_normal((2, 64)) * 20
        drawn[0, :4], drawn[1, :6] = (np.nan, np.inf, -0.0, 0), (1, -1, 0, -0.0, np.nan, np.inf)
    return drawn[0].astype(T.numpy), drawn[1].astype(T.numpy)


def kernel(folder: Path, T: ScalarType, body: str) -> StubKernel:
    path = folder / "mine.cc"
    path.write_text(TEXT % (T.name, body))
    text = open_file(path, Options(include_folders=(str(samples_folder() / "aten"),)))
    runtime = Runtime()
    assert not runtime.run(text.expanded.text).diagnostics
    stub = runtime.stubs["mine_stub"]
    [found] = [one for one in stub.slots.values() if one is not None]
    return StubKernel(found.source, stub, "CPU", CPUCapability.DEFAULT, runtime.world)


def ours(folder: Path, T: ScalarType, body: str, a: Any, b: Any) -> Any:
    iter = TensorIterator.binary_op(None, Tensor.from_array(a), Tensor.from_array(b))
    kernel(folder, T, body)(iter)
    return iter.output().numpy()


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Mapping[tuple[str, str], Any]:
    """What g++'s program computes, by body and type."""
    if COMPILER is None:
        pytest.skip("g++ is not installed")
    folder = tmp_path_factory.mktemp("judge")
    calls, order = [], []
    for body, types in CASES:
        for name in types:
            T = ScalarType[name]
            (folder / name).write_bytes(b"".join(one.tobytes() for one in operands(T)))
            cpp = CPP.get(name, T.cpp)
            calls.append(
                f"{{ using scalar_t = {cpp}; run<scalar_t>("
                f'"{name}", [=](scalar_t a, scalar_t b) -> scalar_t {{ {body} }}); }}'
            )
            order.append((body, name, T))
    (folder / "judge.cc").write_text(HEAD + "int main() {\n" + "\n".join(calls) + "\n}\n")
    built = [COMPILER, "-std=c++17", "-w", "-O1", "judge.cc", "-o", "judge"]
    subprocess.run(built, cwd=folder, check=True)
    said = subprocess.run([folder / "judge"], cwd=folder, check=True, capture_output=True).stdout
    found, at = {}, 0
    for body, name, T in order:
        found[body, name] = np.frombuffer(said, T.numpy, 64, at)
        at += 64 * T.itemsize
    return found


@pytest.mark.parametrize(("body", "types"), CASES, ids=[body for body, _ in CASES])
def test_a_lambda_computes_what_gcc_makes_of_it(
    body: str, types: tuple[str, ...], theirs: Mapping[tuple[str, str], Any], tmp_path: Path
) -> None:
    for name in types:
        T = ScalarType[name]
        got, wanted = ours(tmp_path, T, body, *operands(T)), theirs[body, name]
        if T.numpy.kind not in "biu":  # which NaN it is, nobody promises
            both = np.isnan(got.astype("f8")) & np.isnan(wanted.astype("f8"))
            got, wanted = np.where(both, T.numpy.type(0), got), np.where(both, 0, wanted)
        as_bits = f"u{T.itemsize}"
        same = got.astype(T.numpy).view(as_bits) == wanted.astype(T.numpy).view(as_bits)
        assert same.all(), (name, [one[~same][:4] for one in (*operands(T), got, wanted)])


def test_what_cpp_leaves_undefined_of_integers_ends_no_process(tmp_path: Path) -> None:
    a, b = np.array([7, -128, -128], "i4"), np.array([0, -1, 0], "i4")
    a[1] = np.iinfo("i4").min
    np.testing.assert_array_equal(
        ours(tmp_path, ScalarType.Int, "return a / b;", a, b), [0, a[1], 0]
    )
    np.testing.assert_array_equal(
        ours(tmp_path, ScalarType.Int, "return a % b;", a, b), [7, 0, -128]
    )


@pytest.mark.parametrize(
    ("T", "body", "said"),
    [
        ("Int", "if (a < b) return a; return b;", "an element decides which statements run"),
        ("Int", "return a << b;", "`<<` of `int` and `int`"),
        ("Half", "return a % b;", "no `%` for `c10::Half`"),
        ("Half", "return a > b ? a : 1.5f;", "`c10::Half` and `float` are of no common type"),
        ("Half", "scalar_t c = 0.1f; return a * c;", "this is no `c10::Half`"),
        ("Half", "return a * scalar_t(0.1f);", "not understood: a cast of `float` to `c10::Half`"),
        ("Int", "return std::max(a, 1.5f);", "std::max takes two objects of one type"),
        ("UInt32", "return std::abs(a);", "std::abs is ambiguous for a `uint32_t`"),
        ("ComplexFloat", "return a % b;", "`%` of `c10::complex<float>`"),
    ],
)
def test_what_is_not_understood_is_said_in_words_of_cpp(
    T: str, body: str, said: str, tmp_path: Path
) -> None:
    of = ScalarType[T]
    a = np.ones(4, of.numpy)
    with pytest.raises(TorchError) as refused:
        ours(tmp_path, of, body, a, a)
    assert said in str(refused.value)
    assert "Traced" not in str(refused.value)
