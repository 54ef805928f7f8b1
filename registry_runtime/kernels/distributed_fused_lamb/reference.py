"""The step's arithmetic in NumPy, in double precision but where rounding is the point."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from registry_runtime.kernels.distributed_fused_lamb.arguments import (
    Inputs,
    Outputs,
    begin,
    end,
    split,
)
from registry_runtime.kernels.distributed_fused_lamb.checks import check
from registry_runtime.kernels.distributed_fused_lamb.operations import Attributes, Rates
from registry_runtime.kernels.distributed_fused_lamb.step import take_step


class Arrays:
    """`operations.Operations` of NumPy's arrays."""

    def add(self, x: Any, y: Any, out: Any) -> None:
        out[...] = x.astype(np.float32) + y.astype(np.float32)

    def scaled(self, x: Any, factor: float) -> Any:
        wide = np.promote_types(x.dtype, np.float32)
        return (x.astype(wide) * x.dtype.type(factor).astype(wide)).astype(x.dtype)

    def square_norms(self, x: Any, offsets: Any) -> Any:
        bounds = [0, x.size] if offsets is None else (offsets - offsets[0]).tolist()
        pieces = [x[a:b].astype(np.float64) for a, b in pairwise(bounds)]
        return np.array([np.square(piece).sum() for piece in pieces])

    def is_finite(self, x: Any) -> bool:
        return bool(np.isfinite(x).all())

    def zeros(self, count: int) -> Any:
        return np.zeros(count)

    def moments(
        self, param: Any, grad: Any, moment1: Any, moment2: Any, decayed: int, rates: Rates
    ) -> Any:
        scale, beta1, beta2, beta1_pow, beta2_pow, epsilon, weight_decay = rates
        grad = grad.astype(np.float64) * scale
        moment1[...] = beta1 * moment1 + (1 - beta1) * grad
        moment2[...] = beta2 * moment2 + (1 - beta2) * grad * grad
        step = moment1 / (1 - beta1_pow) / (np.sqrt(moment2 / (1 - beta2_pow)) + epsilon)
        step[:decayed] += weight_decay * param[:decayed]
        return step

    def update(
        self, param: Any, step: Any, offsets: Any, lr: float, norms: Any, step_norms: Any, half: Any
    ) -> None:
        known = (norms != 0) & (step_norms != 0)
        ratios = np.where(known, np.sqrt(norms / step_norms), 1)
        param -= lr * np.repeat(ratios, np.diff(offsets)) * step
        if half is not None:
            half[...] = param


def updated(inputs: Inputs, a: Attributes, before: Outputs | None = None) -> Outputs:
    """What comes out, where `before` came out of the step before; without it this is the first.

    The inputs are arrays, and the gradients hold what they are rounded to.
    """
    check(inputs, a)
    whole, half = (0 if t is None else t.size for t in (inputs.fp32_param, inputs.fp16_param))
    fp16_acc = 3 * half if a.use_master_acc_grad else half
    waits = 1 if a.acc_steps > 1 else 0
    outs = Outputs(
        fp32_param_out=np.zeros(whole),
        fp16_param_out=np.zeros(half),
        fp32_acc_grad=np.zeros(waits * (whole - half), np.float32),
        fp16_acc_grad=np.zeros(waits * fp16_acc, np.float16),
        moment1_out=np.zeros(inputs.moment1.size),
        moment2_out=np.zeros(inputs.moment1.size),
        beta1_pow_out=np.zeros(1),
        beta2_pow_out=np.zeros(1),
        param_out=np.zeros(inputs.param[0].shape),
        found_inf=np.zeros(1, bool),
        acc_step=np.zeros(waits, np.int64),
        stop_update=np.zeros(waits, bool),
        step=np.zeros(1, np.int64),
    )
    if before is not None:
        for name in ("fp32_acc_grad", "fp16_acc_grad", "acc_step", "step"):
            getattr(outs, name)[...] = getattr(before, name)
    take_step(Arrays(), begin(inputs, outs, np.zeros(0, np.float32)), a)
    end(inputs, outs)
    return outs


def arrays(inputs: Inputs) -> Inputs:
    return Inputs(
        *([np.asarray(x) for x in xs] for xs in inputs[:2]),
        *(None if x is None else np.asarray(x) for x in inputs[2:]),
    )


def reference(*arguments: Any) -> Any:
    inputs, attributes = split(arguments)
    return tuple(updated(arrays(inputs), attributes))


def magnitude(*arguments: Any) -> Any:
    """What was there and what there is now, between which each step lies."""
    inputs, attributes = split(arguments)
    inputs = arrays(inputs)
    outs = updated(inputs, attributes)
    first = inputs.param[0].astype(np.float64)
    nothing = np.zeros(0)
    before = {
        "fp32_param_out": nothing if inputs.fp32_param is None else inputs.fp32_param,
        "fp16_param_out": nothing if inputs.fp16_param is None else inputs.fp16_param,
        "moment1_out": inputs.moment1,
        "param_out": first,
    }
    return tuple(
        np.abs(out) + np.abs(before[name].astype(np.float64)) if name in before else out
        for name, out in zip(Outputs._fields, outs, strict=True)
    )
