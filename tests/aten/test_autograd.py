"""`torch::autograd::Function` in a text: gradients as the derivative has them, and errors in PyTorch's
words, which `test_aten_claims_gradient` holds against a compiled one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registry_runtime.aten.autograd.graph import gradients_of
from registry_runtime.aten.autograd.missing_derivatives import not_implemented
from registry_runtime.aten.calling import resolve
from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.program import Program
from tests.aten.own_operators import SAMPLES
from visualizer.expansion import Options
from visualizer.workbench.bench import open_file
from visualizer.workbench.linking import load

FILES = (
    *("add.cc", "ufunc_add.cc", "ufunc_add_kernel.cc"),
    *("scalar_ops.cc", "binary_ops.cc", "binary_ops_kernel.cc"),
)
TEXT = """\
#include "autograd.h"
namespace {
using namespace torch::autograd;
class F : %(derived)s {
 public:
  static %(made)s forward(AutogradContext* ctx, const at::Tensor& x, double by) {
    %(forward)s
  }
  static variable_list %(named)s(AutogradContext* ctx, variable_list grads) {
    %(backward)s
  }
};
at::Tensor own(const at::Tensor& x, double by) { %(body)s }
}
TORCH_LIBRARY(my, m) { m.def("own(Tensor x, float by) -> Tensor"); }
TORCH_LIBRARY_IMPL(my, %(key)s, m) { m.impl("own", &own); }
"""
SCALED = {
    "forward": 'ctx->saved_data["by"] = by; return x * by;',
    "backward": 'return {grads[0] * ctx->saved_data["by"].toDouble(), at::Tensor()};',
    "body": "return F::apply(x, by);",
    "key": "Autograd",
    "derived": "public Function<F>",
    "named": "backward",
    "made": "at::Tensor",
}
BY_NAME = (
    'c10::Dispatcher::singleton().findSchemaOrThrow("aten::mul", "Tensor")'
    ".typed<at::Tensor(const at::Tensor&, const at::Tensor&)>()"
)
X = np.array([1.0, 3.0], np.float32)


@pytest.fixture(scope="module")
def base() -> Program:
    return load(SAMPLES / name for name in FILES)


@pytest.fixture
def own(base: Program, tmp_path: Path) -> Any:
    """What makes an operator of these parts, and calls it with a tensor that requires a gradient."""
    ran = []

    def made(**parts: str) -> tuple[Tensor, Tensor]:
        path = tmp_path / "mine.cc"
        path.write_text(TEXT % {**SCALED, **parts})
        bench = open_file(path, Options(include_folders=(str(SAMPLES),)))
        assert [d.message for d in bench.diagnostics] == []
        ran.append(base.run(bench.expanded.text))
        x = Tensor.from_array(X.copy())
        x.requires_grad = True
        handle, arguments = resolve(base.aten.world, "my::own", (x, 2.0), {})
        return x, base.aten.world.dispatcher.call(handle, *arguments.values)

    yield made
    for each in reversed(ran):
        base.aten.take_back(each.aten)


def back(x: Tensor, made: Tensor, *incoming: float) -> Any:
    (found,) = gradients_of(made, Tensor.from_array(np.array(incoming, np.float32)), [x])
    return None if found is None else found.numpy().tolist()


@pytest.mark.parametrize(
    ("parts", "wanted"),
    [
        ({}, [2, 20]),
        ({"body": "return F::apply(F::apply(x, by), 3);"}, [6, 60]),
        ({"body": "at::Tensor y = F::apply(x, by); return F::apply(y, 1.5);"}, [3, 30]),
        ({"forward": "ctx->save_for_backward({x, at::Tensor()}); return x * x;",
          "backward": "auto s = ctx->get_saved_variables();"
                      " if (s[1].defined()) return {}; return {grads[0] * s[0] * 2, {}};"}, [2, 60]),
        ({"forward": "return x;", "backward": "return {grads[0] * 5, {}};"}, [5, 50]),
        ({"backward": "return {at::Tensor(), at::Tensor()};"}, None),
        ({"backward": "return {grads[0], {}, {}, {}};"}, [1, 10]),
        ({"backward": "return {ctx->needs_input_grad(0) ? grads[0] : at::Tensor(), {}};"}, [1, 10]),
    ],
)  # fmt: skip
def test_what_arrives(own: Any, parts: dict[str, str], wanted: object) -> None:
    x, made = own(**parts)
    assert made.requires_grad
    assert back(x, made, 1, 10) == wanted


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"backward": "return {grads[0]};"},
         "returned an incorrect number of gradients (expected 2, got 1)"),
        ({"backward": "return {grads[0], grads[0]};"}, "is defined at position 2"),
        ({"backward": "return {grads[0], {}, grads[0]};"},
         "incorrect number of gradients (expected 2, got 3)"),
        ({"backward": 'return {grads[0] * ctx->saved_data["by"].toInt(), {}};'},
         "please report a bug to PyTorch. expected int"),
        ({"body": "at::NoGradGuard guard; return F::apply(x, by);"},
         "element 0 of tensors does not require grad"),
        ({"body": "at::AutoDispatchBelowAutograd guard; return x * by;"},
         "element 0 of tensors does not require grad"),
        ({"body": "c10::NoGradGuard guard; return F::apply(x, by);", "forward": "return x;"},
         "element 0 of tensors does not require grad"),
        ({"forward": "ctx->mark_non_differentiable({x}); return x;"},
         "element 0 of tensors does not require grad"),
        ({"body": "at::Tensor y = at::empty_like(x); y.fill_(1); y.add_(x, 1); return y;"},
         "not understood: the derivative of aten::add_"),
        ({"body": "return " + BY_NAME + ".call(x, x);"},
         "not understood: the derivative of aten::mul"),
        ({"body": "return x * by;", "key": "CompositeImplicitAutograd"},
         "not understood: the derivative of aten::mul"),
    ],
)  # fmt: skip
def test_what_ends_the_way_back(own: Any, parts: dict[str, str], said: str) -> None:
    x, made = own(**parts)
    with pytest.raises(TorchError) as error:
        back(x, made, 1, 10)
    assert said in error.value.message


def test_the_way_back_is_gone_once(own: Any) -> None:
    x, made = own(
        forward="ctx->save_for_backward({x}); return x * by;",
        backward="return {grads[0] * ctx->get_saved_variables()[0], {}};",
    )
    assert back(x, made, 1, 10) == [1, 30]
    with pytest.raises(TorchError, match="Trying to backward through the graph a second time"):
        back(x, made, 1, 10)
    x, made = own(
        forward="ctx->save_for_backward({x}); return x * by;",
        backward="return {grads[0] * ctx->get_saved_variables()[0], {}};",
    )
    x.version += 1
    with pytest.raises(TorchError, match="modified by an inplace operation"):
        back(x, made, 1, 10)


def test_without_a_kernel_for_autograd_a_warning_is_all_that_comes(own: Any, base: Program) -> None:
    x, made = own(body="at::Tensor y = at::empty_like(x); y.fill_(by); return y;", key="CPU")
    assert made.requires_grad
    assert back(x, made, 1, 10) is None
    assert base.aten.world.warnings[-1] == not_implemented("my::own")


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"named": "backwards"}, "`F` has no function `backward`"),
        ({"derived": "Function<F>"}, "nothing is known of `F::apply`"),
        ({"body": "return F::applied(x, by);"}, "nothing is known of `F::applied`"),
        (
            {
                "forward": "return {by};",
                "made": "std::vector<double>",
                "body": "F::apply(x, by); return x;",
            },
            "F::forward has to return an at::Tensor or a variable_list",
        ),
        (
            {"body": "at::Tensor y = x; y.add_(x, 1); return y;"},
            "a leaf Variable that requires grad",
        ),
    ],
)
def test_what_ends_the_call(own: Any, parts: dict[str, str], said: str) -> None:
    with pytest.raises(TorchError) as error:
        own(**parts)
    assert said in error.value.message
