"""`distributed_fused_lamb`: one step of LAMB for all parameters at once, shared out over devices.

Before the first step `distributed_fused_lamb_init` has put all parameters into one piece of memory, and
all gradients into another. Each device has all of both, and the moments of its share of the elements.
In a step the gradients of all devices are added up, each device computes what becomes of its share,
and everybody gets everybody's. One device needs nobody, and does the same.

- `layout.py`: who lies where in the fused memory, and which share is whose.
- `ranks.py`: the devices, which are threads here, and what they tell one another.
- `step.py`: one rank's step, and `sums.py` how it begins; `reference.py` has the arithmetic in NumPy,
  `device.py` in CUDA, `operations.py` what the two have in common.
- `arguments.py`: the kernel's parameters, and `checks.py` what must be true of them.
- `plain.py`: the same without fusing, and with four ranks.

Paddle removed the operator in August 2024 (pull request 67797); 3.3.1 has what prepares it, and the
optimizer in Python that would call it.

Source: `paddle/phi/kernels/fusion/gpu/distributed_fused_lamb_kernel.cu`. The last parameters that it
had, with `grad` and `param_out`, are in `paddle/phi/ops/compat/distributed_fused_lamb_sig.cc`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.kernels import gpu
from registry_runtime.kernels.distributed_fused_lamb.arguments import CARRIED, IN_PLACE, signature
from registry_runtime.kernels.distributed_fused_lamb.device import cuda_text, cupy_build
from registry_runtime.kernels.distributed_fused_lamb.layout import Info, fuse, shard
from registry_runtime.kernels.distributed_fused_lamb.plain import second_way
from registry_runtime.kernels.distributed_fused_lamb.reference import magnitude, reference
from registry_runtime.kernels.template import KernelTemplate, SecondWay, random_array
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.infermeta.fusion import DistributedFusedLambInferMeta

__all__ = ["DistributedFusedLambKernel"]


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    """Two matrices with a bias each, of which one is in float16; biases don't decay. Four ranks could
    share them out."""
    side = max(1, int((size / 2) ** 0.5))
    half = DataType.FLOAT16
    kinds = [(T, (side, side)), (half, (side, side)), (T, (side,)), (half, (side,))]
    params, grads = ([random_array(dtype, dims, rng) for dtype, dims in kinds] for _ in "pg")
    fused = fuse(params, grads, [len(dims) == 2 for _, dims in kinds], nranks=4)
    offsets, info = fused.param_offsets.tolist(), Info(*fused.param_info.tolist())
    fp32, fp16, _ = shard(offsets, info, 0, 1)
    there = np.zeros(fused.fp32_param.size, np.float32)
    for place, i in enumerate(fused.param_order.tolist()):
        there[offsets[place] : offsets[place] + params[i].size] = 1  # and 0 in between
    moment1, moment2 = (random_array(T, there.shape, rng) * there for _ in "12")
    one = np.ones(1, np.float32)
    return (
        *(params, grads, fused.fp32_param, fused.fp32_grad, fused.fp16_param, fused.fp16_grad),
        *(moment1, np.square(moment2), one * np.float32(0.9**3), one * np.float32(0.999**3)),
        fused.param_offsets,
        *(np.array(offsets, np.int32) for offsets in (fp32, fp16)),
        *(fused.param_info, fused.param_order, one / np.float32(64), one * np.float32(2)),
        *(1, 0.9, 0.999, 1e-6, 1.0, 0.01, True, True, True, True, False, 1, [0]),
    )


_WHOLE = frozenset({DataType.INT32})
_HALF = frozenset({DataType.FLOAT16})
_EITHER = frozenset({DataType.FLOAT32, DataType.FLOAT16})
_OFFSETS = ("param_offsets", "fp32_partial_offsets", "fp16_partial_offsets")
DistributedFusedLambKernel = KernelTemplate(
    name="phi::fusion::DistributedFusedLambKernel",
    signature=signature,
    dtypes=frozenset({DataType.FLOAT32}),
    infer_meta=DistributedFusedLambInferMeta,
    param=(
        *("param", "fp32_param", "fp16_param", "moment1", "moment2", "beta1_pow", "beta2_pow"),
        *("acc_steps", "use_master_acc_grad"),
    ),
    reference=reference,
    second_way=SecondWay(
        "LAMB of each parameter alone, on Python's floats, and with four simulated ranks",
        second_way,
    ),
    builders={"GPU": gpu.function(cupy_build, cuda_text)},
    sample=sample,
    accepts={
        **dict.fromkeys(("param", "grad"), _EITHER),
        **dict.fromkeys(("fp16_param", "fp16_grad"), _HALF),
        **dict.fromkeys((*_OFFSETS, "param_info", "param_order"), _WHOLE),
    },
    in_place=IN_PLACE,
    carried=CARRIED,
    roundings=32,
    magnitude=magnitude,
)
