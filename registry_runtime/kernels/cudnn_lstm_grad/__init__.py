"""`cudnn_lstm_grad`: back through the layers and through time, against the order of the forward pass.

A step adds up what goes into its gates, and of each of these sums it is asked how much the loss gains
with it. What the step put out has a share in that, and the state that it handed on, which later steps
made something of. So the walk goes from the last step to the first. Each needs its own gates, the state
that it began with and the gradient of the one that it ended with, and finds the gradient of the former;
when all steps have theirs, one product each gives the gradients of the input and of the weights. A step
after a sequence's end handed its state on unchanged, and hands the gradient back so.

cuDNN finds the gates in `reserve`. Ours keeps nothing there, and computes them again: the forward pass
once more, in which the same seed drops the same.

`reference.py` has it in NumPy, `device.py` in CUDA.

Source: `paddle/phi/kernels/gpu/cudnn_lstm_grad_kernel.cu`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.kernels import cudnn_lstm, gpu
from registry_runtime.kernels.cudnn_lstm_grad.device import cuda_text, cupy_build
from registry_runtime.kernels.cudnn_lstm_grad.reference import (
    by_differences,
    magnitude,
    reference,
)
from registry_runtime.kernels.template import (
    Context,
    KernelTemplate,
    OptionalTensor,
    OptionalTensors,
    Out,
    Outs,
    SecondWay,
    random_array,
)
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.infermeta.backward import CudnnLSTMGradInferMeta

__all__ = ["CudnnLSTMGradKernel"]


def signature(
    dev_ctx: Context,
    x: DenseTensor,
    init_h: DenseTensor,
    init_c: DenseTensor,
    weight_list: OptionalTensors,
    sequence_length: OptionalTensor,
    out: DenseTensor,
    reserve: DenseTensor,
    state_out: DenseTensor,
    out_grad: DenseTensor,
    last_h_grad: DenseTensor,
    last_c_grad: DenseTensor,
    dropout_prob: float,
    is_bidirec: bool,
    hidden_size: int,
    num_layers: int,
    is_test: bool,
    seed: int,
    x_grad: Out,
    init_h_grad: Out,
    init_c_grad: Out,
    weight_list_grad: Outs,
) -> None: ...


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    """The forward pass's sample, what came of it, and a gradient for each of its results.

    It is smaller: finite differences run the forward pass twice for each weight.
    """
    x, h, c, w, weight_list, lengths, *how = cudnn_lstm.sample(T, size // 4, rng)
    outs = cudnn_lstm.reference(x, h, c, w, weight_list, lengths, *how)
    made = (outs[0].astype(T.numpy), *(buffer.astype(np.uint8) for buffer in outs[3:]))
    grads = (random_array(T, out.shape, rng) for out in outs[:3])
    return x, h, c, weight_list, lengths, *made, *grads, *how


_BYTES = frozenset({DataType.UINT8})
CudnnLSTMGradKernel = KernelTemplate(
    name="phi::CudnnLSTMGradKernel",
    signature=signature,
    dtypes=cudnn_lstm.CudnnLSTMKernel.dtypes,
    infer_meta=CudnnLSTMGradInferMeta,
    param=("x", "init_h", "init_c", "weight_list"),
    how_many=lambda x, init_h, init_c, weight_list, *_: len(weight_list or ()),
    reference=reference,
    second_way=SecondWay("finite differences of the forward pass", by_differences),
    builders={"GPU": gpu.function(cupy_build, cuda_text)},
    sample=sample,
    accepts={
        **cudnn_lstm.CudnnLSTMKernel.accepts,
        "reserve": _BYTES,
        "state_out": _BYTES,
    },
    roundings=256,
    magnitude=magnitude,
)
