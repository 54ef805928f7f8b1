"""`pow2_decay_with_linear_warmup`: the learning rate of the next step, and the step.

It climbs in a line to `base_lr`, which it reaches after `warmup_steps`; what it then has above
`end_lr` falls with the square of the share of the way that is left. Step and lr are one number
each, and both are overwritten: an optimiser's state, kept on the device. Computed in double, and
unsigned, as in C++: a step below -1 is one of the far future.

Source: `paddle/phi/kernels/impl/pow2_decay_with_linear_warmup_kernel_impl.h`. Of Paddle 3.3.1 only
the kernel is left: no operator calls it any more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.kernels import cpu, cuda_source, gpu
from registry_runtime.kernels.template import Context, Int64, KernelTemplate, Out, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.binary import Pow2DecayWithLinearWarmupInferMeta
from registry_runtime.phi.kernel_template import KernelError


def signature(
    dev_ctx: Context,
    lr: DenseTensor,
    step: DenseTensor,
    warmup_steps: Int64,
    total_steps: Int64,
    base_lr: float,
    end_lr: float,
    lr_out: Out,
    step_out: Out,
) -> None: ...


def schedule(
    begin: int, end: int, before: Any, steps: Any, numbers: Any, lr: Any, step: Any
) -> None:
    """`steps` holds warmup_steps and total_steps; `numbers` base_lr and end_lr."""
    now, warmup, total = np.uint64(before[0]) + np.uint64(1), steps[0], steps[1]
    base, last = numbers[0], numbers[1]
    step[0] = np.int64(now)
    if now <= warmup:
        lr[0] = np.float64(now) / np.float64(warmup) * base
    elif now < total:
        left = 1.0 - np.float64(now - warmup) / np.float64(total - warmup)
        lr[0] = (base - last) * (left * left) + last
    else:
        lr[0] = last


def numba_build(loops: Any, T: DataType) -> cpu.Compiled:
    from registry_runtime.kernels import rows

    U, F = DataType.UINT64, DataType.FLOAT64
    arrays = [(DataType.INT64, 1), (U, 1), (F, 1), (T, 1), (DataType.INT64, 1)]
    made = rows.rows(schedule, T, arrays, {"np": np})

    def plan(metas: Any, warmup_steps: int, total_steps: int, base: float, end: float) -> Any:
        check(warmup_steps, total_steps)
        numbers = np.array([base, end])
        steps = np.array([warmup_steps, total_steps]).view(np.uint64)
        next_one = made.of(1, 0)

        def run(lr: Any, step: Any, lr_out: Any, step_out: Any) -> None:
            if step.ndim != 1 or not step.flags.carray:
                step = rows.flat(step, step.size)
            next_one(step, steps, numbers, lr_out, step_out)

        return run

    return cpu.Compiled(plan, made.from_cache, made.code, made.llvm)


def check(warmup_steps: int, total_steps: int) -> None:
    if warmup_steps > total_steps:
        raise KernelError("warmup_steps must not be larger than total_steps.")


def reference(
    lr: DenseTensor,
    step: DenseTensor,
    warmup_steps: int,
    total_steps: int,
    base_lr: float,
    end_lr: float,
) -> Any:
    check(warmup_steps, total_steps)
    now = (int(np.asarray(step).reshape(-1)[0]) + 1) % 2**64
    rate = end_lr
    if now <= warmup_steps % 2**64:
        rate = now / (warmup_steps % 2**64) * base_lr if warmup_steps else float("nan")
    elif now < total_steps % 2**64:
        left = 1 - (now - warmup_steps) / (total_steps - warmup_steps)
        rate = (base_lr - end_lr) * left**2 + end_lr
    signed = now - 2**64 if now >= 2**63 else now
    return np.array([rate]), np.array([signed])


CUDA = """
extern "C" __global__ void schedule(
    const long long* step, unsigned long long warmup, unsigned long long total, double base,
    double last, T* lr_out, long long* step_out) {
  if (blockIdx.x || threadIdx.x) return;
  unsigned long long now = (unsigned long long)*step + 1;
  *step_out = (long long)now;
  double left = 1 - double(now - warmup) / double(total - warmup);
  if (now <= warmup)
    *lr_out = T(double(now) / double(warmup) * base);
  else
    *lr_out = now < total ? T((base - last) * (left * left) + last) : T(last);
}
"""


def cuda_text(T: DataType) -> str:
    return cuda_source.typed(CUDA, T=T)


def cupy_build(cupy: Any, T: DataType) -> Any:
    kernel = gpu.compiled(cupy, cuda_text(T)).get_function("schedule")

    def run(
        lr: Any,
        step: Any,
        warmup_steps: int,
        total_steps: int,
        base_lr: float,
        end_lr: float,
        *outs: Any,
    ) -> None:
        check(warmup_steps, total_steps)
        kernel((1,), (1,), (step, warmup_steps, total_steps, base_lr, end_lr, *outs))

    return run


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    step = rng.integers(0, 2_000, 1)
    return random_array(T, (1,), rng), step, 500, 1_500, 0.1, 0.001


Pow2DecayWithLinearWarmupKernel = KernelTemplate(
    name="phi::Pow2DecayWithLinearWarmupKernel",
    signature=signature,
    dtypes=frozenset({DataType.FLOAT32, DataType.FLOAT64}),
    infer_meta=Pow2DecayWithLinearWarmupInferMeta,
    param=("lr", "step"),
    reference=reference,
    builders={
        "CPU": cpu.planned(numba_build),
        "GPU": gpu.function(cupy_build, cuda_text),
    },
    sample=sample,
    bytes_moved=lambda lr, step, *_: 2 * int(lr.data.itemsize + step.data.itemsize),
    accepts={"step": frozenset({DataType.INT64})},
    open_dtype=lambda name, T: T if name == "lr_out" else DataType.INT64,
    in_place={"lr_out": "lr", "step_out": "step"},
    roundings=8,
)
