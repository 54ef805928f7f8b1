"""A kernel's body in a text, run on a few elements, may do with pointers what a compiler lets it."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest

from registry_runtime.cxx import CxxError, CxxFunction, initialise
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.kernel_body import Output, run_body
from registry_runtime.phi.runtime import Runtime

DECLARED = """\
namespace phi {
class CPUContext;
class DenseTensor;
"""
DEFINED = """\
namespace phi {
struct DenseTensor {
  template <typename T> const T* data() const;
  template <typename T> T* data();
};
struct CPUContext { template <typename T> T* Alloc(DenseTensor* out) const; };
"""
KERNEL = """\
template <typename T, typename Context>
void FillKernel(const Context& dev_ctx, const DenseTensor& x, DenseTensor* out) {{
  auto* o = dev_ctx.template Alloc<T>(out);
  {}
}}
}}
template decltype(phi::FillKernel<float, phi::CPUContext>) phi::FillKernel<float, phi::CPUContext>;
"""

BODIES = (
    "const T* p = x.data<T>(); o[0] = p[1];",
    "auto* p = x.data<T>(); o[0] = *p;",
    "auto* p = x.data<T>(); p[0] = 3;",
    "T* p = x.data<T>(); o[0] = p[0];",
    "x.data<T>()[0] = 3;",
    "*o = 4;",
    "*x.data<T>() = 4;",
    "const T* p = o; p[0] = 1;",
    "const auto* p = o; p[0] = 1;",
    "const auto* p = o; o[1] = 3; o[0] = p[1];",
    "const T* p = out->data<T>(); p[0] = 1;",
    "auto* p = out->data<T>(); p[0] = 1;",
    "T* const p = o; p[0] = 1;",
    "T* const p = o; p = out->data<T>();",
    "const T* p = o; T* q = p; o[0] = 2;",
    "const T* p = o; auto q = p; q[0] = 1;",
    "T* p = o; p = x.data<T>(); o[0] = 2;",
    "auto* p = o; p = x.data<T>(); o[0] = p[1];",
    "const auto* p = o; p = x.data<T>(); o[0] = p[2];",
    "const auto* p = x.data<T>(); p = o; p[0] = 1;",
    "const T* p = x.data<T>(); auto f = [](T* q) { q[0] = 1; }; f(p);",
    "auto f = [](T* q) { q[0] = 1; }; f(o);",
    "double* p = o; p[0] = 1;",
    "const double* p = x.data<T>(); o[0] = p[0];",
    "if (o == nullptr) o[0] = 1;",
    "const T* p = x.data<T>(); *(o + 1) = *(1 + p);",
    "const T* p = x.data<T>(); *o++ = *p++; *++o = p[-1];",
    "const T* p = x.data<T>(); *p++ = 1;",
    "auto p = x.data<T>() + 1; *p = 1;",
    "const T* end = x.data<T>() + 3; for (auto p = end - 3; p != end; p += 1) *o++ = *p;",
    "auto p = o + 2; o[0] = p - o; if (o < p && p >= o) o[1] = 1;",
    "o[0] = *(o + o);",
    "o = o * 2;",
)


def instance_of(kernel: str) -> CxxFunction:
    (instance,) = initialise(DECLARED + kernel, Runtime().bindings).instantiations
    return instance.function


@pytest.mark.compiler
@pytest.mark.parametrize("body", BODIES)
def test_what_a_pointer_to_elements_may_do_is_what_gxx_lets_it(body: str) -> None:
    body = body.replace("x.data<T>()", "x.template data<T>()")
    kernel = KERNEL.format(body.replace("out->data<T>()", "out->template data<T>()"))
    gxx = ["g++", "-std=c++17", "-fsyntax-only", "-x", "c++", "-"]
    theirs = subprocess.run(gxx, input=DEFINED + kernel, text=True, capture_output=True)
    x = DenseTensor.of(np.array([1, 2, 3], np.float32))
    said = ""
    try:
        run_body(instance_of(kernel), x, Output(3))
    except CxxError as error:
        said = error.message
    assert (said == "") == (theirs.returncode == 0), said or theirs.stderr


def test_an_empty_tensor_has_a_pointer_too() -> None:
    body = "const T* p = x.data<T>(); for (int i = 0; i < x.numel(); ++i) o[i] = p[i];"
    function = instance_of(KERNEL.format(body))
    assert run_body(function, DenseTensor.of(np.zeros(0, np.float32)), Output(0))


def test_a_pointer_walks_over_its_elements_and_not_beyond() -> None:
    body = "auto p = x.data<T>() + x.numel(); for (auto q = o; q != o + 3; ++q) *q = *--p;"
    output = Output(3)
    x = DenseTensor.of(np.array([1, 2, 3], np.float32))
    run_body(instance_of(KERNEL.format(body)), x, output)
    assert [*map(float, output.elements)] == [3, 2, 1]
    for beyond in ("o[0] = *(x.data<T>() + 3);", "auto p = x.data<T>() - 1;", "auto p = o + 4;"):
        with pytest.raises(CxxError, match="no element"):
            run_body(instance_of(KERNEL.format(beyond)), x, Output(3))
