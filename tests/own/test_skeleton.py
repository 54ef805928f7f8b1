"""What a C++ body visibly does to each element is read as gcc compiles it, or left to fill in."""

from __future__ import annotations

import ast
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from registry_runtime.kernels import brought
from registry_runtime.phi.data_type import DataType
from visualizer.expansion import Options
from visualizer.workbench.bench import open_file
from visualizer.workbench.new_kernel import new_kernel
from visualizer.workbench.samples import samples_folder

HEADERS = samples_folder() / "phi"
HEAD = '#include "kernel_registry.h"\nnamespace phi {\n'
FUNCTORS = """
template <typename T> struct Blend { T operator()(const T a, const T b) const {
  return a > b ? a - b : (b - a) * static_cast<T>(2); } };
template <typename T> struct Bits { T operator()(const T a, const T b) const { return (a & b) ^ 1; } };
template <typename T> struct Odd { T operator()(const T a) const { return a; } };
template <> struct Odd<float> { float operator()(const float a) const { return -a; } };
template <typename T> struct Scale { T factor; T operator()(const T a) const { return a * factor; } };
template <typename T> class Shift { public: explicit Shift(float by) : by_(static_cast<T>(by)) {}
  T operator()(const T a, const T b) const { return a + this->by_ * b * half; }
  private: const T by_; T half = static_cast<T>(0.5); };
namespace funcs { template <typename F, typename T> void ElementwiseCompute(
  const DeviceContext& c, const DenseTensor& x, const DenseTensor& y, F f, DenseTensor* out); }
"""
READ = "const T* a = x.data<T>(); const T* b = y.data<T>(); T* o = dev_ctx.template Alloc<T>(out);"
LOOP = READ + "for (int64_t i = 0; i < x.numel(); ++i) { %s }"
FLOATS, WHOLE = "float, double", "int, int64_t, uint8_t"

SEEN = {  # the body, the attributes' declaration, the data types, and what C++ computes for a pair
    "loop": (LOOP % "o[i] = a[i] * b[i] - 2.0f;", "", FLOATS, "a * b - 2.0f"),
    "local": (
        LOOP % "const T d = a[i] - b[i]; o[i] = d * d;", "", FLOATS, "(a - b) * (a - b)",
    ),
    "attribute": (LOOP % "o[i] = a[i] + alpha * b[i];", "float alpha, ", FLOATS, "a + 0.5f * b"),
    "if": (
        LOOP % "if (a[i] < b[i]) o[i] = a[i]; else { o[i] = b[i] / static_cast<T>(3); }",
        "", FLOATS, "a < b ? a : b / T(3)",
    ),
    "functions": (
        LOOP % "o[i] = std::max(std::sqrt(std::abs(a[i])), std::exp(b[i]));",
        "", FLOATS, "std::max(std::sqrt(std::abs(a)), std::exp(b))",
    ),
    "lambda": (
        READ + "auto f = [](T p, T q) { return p - q; };"
        "for (int64_t i = 0; i < x.numel(); ++i) o[i] = f(a[i], b[i]);",
        "", FLOATS, "a - b",
    ),
    "functor": (
        READ + "Blend<T> f; for (int64_t i = 0; i < x.numel(); ++i) o[i] = f(a[i], b[i]);",
        "", FLOATS, "a > b ? a - b : (b - a) * T(2)",
    ),
    "handed on": (
        "funcs::ElementwiseCompute<Blend<T>, T>(dev_ctx, x, y, Blend<T>(), out);",
        "", FLOATS, "a > b ? a - b : (b - a) * T(2)",
    ),
    "read in the loop": (
        "T* o = dev_ctx.template Alloc<T>(out); for (int64_t i = 0; i < x.numel(); ++i) "
        "o[i] = x.data<T>()[i] - y.data<T>()[i];",
        "", FLOATS, "a - b",
    ),
    "members": (
        READ + "Scale<T> f{alpha}; Shift<T> g(alpha); auto h = Shift<T>(2.0f); Scale<T> k; "
        "k.factor = alpha;"
        "for (int64_t i = 0; i < x.numel(); ++i) o[i] = k(h(g(f(a[i]), b[i]), Scale<T>{alpha}(b[i])));",
        "float alpha, ", FLOATS,
        "(a * T(0.5) + T(0.5) * b * T(0.5) + T(2) * (b * T(0.5)) * T(0.5)) * T(0.5)",
    ),
    "handed on with a member": (
        "funcs::ElementwiseCompute<Shift<T>, T>(dev_ctx, x, y, Shift<T>(alpha), out);",
        "float alpha, ", "float", "a + T(0.5) * b * T(0.5)",
    ),
    "wrapping": (LOOP % "o[i] = a[i] * b[i] + 100;", "", WHOLE, "T(a * b + 100)"),
    "bits": (
        "Bits<T> f; funcs::ElementwiseCompute<Bits<T>, T>(dev_ctx, x, y, f, out);",
        "", WHOLE, "T((a & b) ^ 1)",
    ),
}  # fmt: skip
NOT_SEEN = {
    "integer division": (LOOP % "o[i] = a[i] / b[i];", "", WHOLE, "`/` would mean something else"),
    "remainder": (LOOP % "o[i] = a[i] % b[i];", "", WHOLE, "`%` would mean something else"),
    "float of integers": (LOOP % "o[i] = a[i] * 0.5f;", "", WHOLE, "is no integer"),
    "attribute of integers": (LOOP % "o[i] = a[i] * s;", "float s, ", WHOLE, "`s` isn't"),
    "attributes alone": (LOOP % "o[i] = a[i] * (n / 2);", "int n, ", FLOATS, "`/` would mean"),
    "promoted": (LOOP % "o[i] = a[i] - b[i] > 0 ? a[i] : b[i];", "", WHOLE, "`>` would mean"),
    "two statements": (LOOP % "o[i] = a[i];" + "o[0] = b[0];", "", FLOATS, "there is more behind"),
    "another element": (LOOP % "o[i] = a[i + 1];", "", FLOATS, "`a[i + 1]` isn't understood"),
    "resized": (
        "out->Resize(x.dims());" + LOOP % "o[i] = a[i];", "", FLOATS, "`out->Resize(x.dims());`",
    ),
    "stride": (
        READ + "for (int64_t i = 0; i < x.numel(); i += 2) o[i] = a[i];",
        "", FLOATS, "none over all elements",
    ),
    "sum": (LOOP % "o[0] += a[i];", "", FLOATS, "its loop stores into"),
    "specialised": (
        READ + "Odd<T> f; for (int64_t i = 0; i < x.numel(); ++i) o[i] = f(a[i]);",
        "", FLOATS, "`Odd` is specialised",
    ),
    "member that nobody sets": (
        READ + "Scale<T> f; for (int64_t i = 0; i < x.numel(); ++i) o[i] = f(a[i]);",
        "float factor, ", FLOATS, "`factor` isn't understood",
    ),
    "constructor of two": (
        READ + "Shift<T> f(1, 2); for (int64_t i = 0; i < x.numel(); ++i) o[i] = f(a[i], b[i]);",
        "", FLOATS, "`Shift` has no single constructor that takes 2",
    ),
    "quotes": (
        'const char* s = R"(\"\"\"); 1 / 0; (\\)"; ' + LOOP % "o[i] = a[i];", "", FLOATS, "isn't",
    ),
    "unknown": (LOOP % "o[i] = Mystery(a[i]);", "", FLOATS, "no function that is known here"),
    "empty": ("", "", FLOATS, "its body is empty"),
    "Eigen": ("auto e = Eigen(x);", "", FLOATS, "is no function that is known here"),
}  # fmt: skip


def kernel_of(folder: Path, body: str, attributes: str, types: str):
    text = (
        f"{HEAD}{FUNCTORS}template <typename T, typename Context>\nvoid OwnKernel("
        "const Context& dev_ctx, const DenseTensor& x, const DenseTensor& y, "
        f"{attributes}DenseTensor* out) {{ {body} }}\n}}\n"
        f"PD_REGISTER_KERNEL(own, CPU, ALL_LAYOUT, phi::OwnKernel, {types}) {{}}\n"
    )
    (folder / "own.cc").write_text(text)
    bench = open_file(folder / "own.cc", Options(include_folders=(str(HEADERS),)))
    return new_kernel(bench, None)


@pytest.mark.parametrize("name", NOT_SEEN)
def test_what_would_mean_something_else_is_left_to_fill_in(tmp_path: Path, name: str) -> None:
    *given, said = NOT_SEEN[name]
    made = kernel_of(tmp_path, *given)
    assert said in made.reason
    quoted = made.reason.replace("\\", "/").replace('"', "'")
    assert f"TODO: the formula isn't filled in: {quoted}" in ast.get_docstring(ast.parse(made.text))


@pytest.fixture(scope="module")
def by_gcc(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], np.ndarray]:
    """What a C++ compiler makes of each formula, on the same pairs."""
    if (compiler := shutil.which("g++")) is None:
        pytest.skip("no g++")
    folder = tmp_path_factory.mktemp("gcc")
    functions, calls = [], []
    for i, (_, _, types, formula) in enumerate(SEEN.values()):
        functions.append(f"template <class T> T f{i}(T a, T b) {{ return {formula}; }}")
        calls += [f'run<{T}>("{i}_{T}", f{i}<{T}>);' for T in types.split(", ")]
    text = (
        "#include <algorithm>\n#include <cmath>\n#include <cstdint>\n#include <fstream>\n"
        "#include <string>\n#include <vector>\n" + "\n".join(functions) + "\n"
        "template <class T> void run(std::string name, T (*f)(T, T)) {\n"
        '  std::ifstream in("in_" + std::to_string(sizeof(T)) + (T(0.5) ? "f" : "i"));\n'
        "  std::vector<T> x(64), y(64), out(64);\n"
        "  in.read((char*)x.data(), 64 * sizeof(T)); in.read((char*)y.data(), 64 * sizeof(T));\n"
        "  for (int i = 0; i < 64; ++i) out[i] = f(x[i], y[i]);\n"
        "  std::ofstream(name).write((char*)out.data(), 64 * sizeof(T)); }\n"
        f"int main() {{ {' '.join(calls)} }}\n"
    )
    (folder / "f.cc").write_text(text)
    for T in ("float", "double", "int", "int64_t", "uint8_t"):
        x, y = pair(T)
        kind = "f" if x.dtype.kind == "f" else "i"
        (folder / f"in_{x.itemsize}{kind}").write_bytes(x.tobytes() + y.tobytes())
    words = [compiler, "-O1", "-ffp-contract=off", "f.cc", "-o", "f"]
    subprocess.run(words, cwd=folder, check=True)
    subprocess.run([str(folder / "f")], cwd=folder, check=True)
    return {
        (name, T): np.frombuffer((folder / f"{i}_{T}").read_bytes(), pair(T)[0].dtype)
        for i, (name, (_, _, types, _)) in enumerate(SEEN.items())
        for T in types.split(", ")
    }


NUMPY = {"float": "f4", "double": "f8", "int": "i4", "int64_t": "i8", "uint8_t": "u1"}


def pair(T: str) -> tuple[np.ndarray, np.ndarray]:
    rng, dtype = np.random.default_rng(1), np.dtype(NUMPY[T])
    if dtype.kind == "f":
        return rng.standard_normal(64).astype(dtype), rng.standard_normal(64).astype(dtype)
    high = min(np.iinfo(dtype).max, 1 << 15)
    return rng.integers(0, high, 64, dtype), rng.integers(0, high, 64, dtype)


@pytest.mark.parametrize("name", SEEN)
def test_a_formula_is_what_a_cpp_compiler_computes(
    tmp_path: Path, by_gcc, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    body, attributes, types, _ = SEEN[name]
    made = kernel_of(tmp_path, body, attributes, types)
    assert made.reason == ""
    monkeypatch.setattr(brought, "_brought", {})
    (template,) = brought.bring(Path(f"{name}_kernel.py"), made.text.encode())
    more = (0.5,) if attributes else ()
    for T in types.split(", ") if types == WHOLE else ["float"]:  # each is compiled by Numba
        x, y = pair(T)
        instance = template.instantiate(DataType.of(x.dtype), "CPUContext")
        result = instance.launch(x, y, *more)
        expected = by_gcc[name, T]
        reference = instance.reference(x, y, *more)
        if x.dtype.kind == "f":
            np.testing.assert_allclose(result, expected, rtol=4 * np.finfo(x.dtype).eps)
            np.testing.assert_allclose(reference, expected, rtol=4 * np.finfo(x.dtype).eps)
        else:
            np.testing.assert_array_equal(result, expected)
            np.testing.assert_array_equal(reference, expected)
