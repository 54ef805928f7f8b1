"""The compute: Python kernels that carry the names of C++ ones, one file a family of operators.

A registration names a C++ function template, `phi::BitwiseAndKernel`; `find` looks it up here. A
kernel that nobody wrote in Python has no entry, and registers as declared only. Finding a kernel
imports neither Numba nor CuPy: those come with the first build.

To add a kernel, write a file with a `KernelTemplate`, and list it below:

- `signature`: a function without a body. Its parameters are those of the C++ function, annotated
  `Context`, `DenseTensor`, `OptionalTensor`, `Tensors`, `OptionalTensors`, `Scalar`, `IntArray`,
  `list[int]`, `bool`, `int`, `Int64`, `float`, `Double`, `str`, `DataType`, `Place`; the outputs,
  `Out`, come last, and after them a vector of outputs, `Outs`, whose number `how_many` tells.
- `infer_meta`: PHI's function, from `registry_runtime.phi.infermeta`; `param` names what it takes
  if that is not everything, as `infer_meta: param` in Paddle's `ops.yaml`.
- `reference`: the same in NumPy, on the bound arguments (`DenseTensor`s read as arrays).
- `builders`: if each element of the output depends on one of each input, then
  `cpu.elementwise(f)`, with `f` in plain Python, and `gpu.elementwise("out = …")`; `arithmetic.py`
  shows it. Otherwise `cpu.function(make)`, where `make(loops, T)` compiles a loop with Numba and
  returns a `cpu.Compiled` whose `run(*inputs, *attributes, *outputs)` fills the outputs; if it goes
  row by row, `rows.rows` makes one loop for one core and for all, as in `layer_norm.py`;
  `cpu.planned(make)` settles once what dims and attributes decide, as in `softmax.py`. On the GPU
  that is `gpu.function(make, text)`, with CUDA C++ in `text(T)`; `softmax.py` is the shortest.
- `roundings`, where the last places may differ from NumPy's, and `magnitude`, what these are places of.
- `second_way`, where there is no build for the CPU.
- `resize`, where the body changes dims that InferMeta gave; `ragged`, where it reads a LoD;
  `in_place`, where an output is an input's memory; `carried`, where one is read before it is written.
- `accepts`, where an input doesn't hold `T`; `out_dtype`, where an element-wise output doesn't;
  `open_dtype`, where InferMeta leaves a data type to the registration.
"""

from dataclasses import replace

from registry_runtime.kernels.activation import ExpKernel, ReluKernel
from registry_runtime.kernels.arithmetic import (
    AddKernel,
    DivideKernel,
    MaximumKernel,
    MultiplyKernel,
    SubtractKernel,
)
from registry_runtime.kernels.batch_norm_infer import BatchNormInferKernel
from registry_runtime.kernels.bitwise import (
    BitwiseAndKernel,
    BitwiseNotKernel,
    BitwiseOrKernel,
    BitwiseXorKernel,
)
from registry_runtime.kernels.cast import CastKernel
from registry_runtime.kernels.compare import EqualKernel, LessThanKernel
from registry_runtime.kernels.cudnn_lstm import CudnnLSTMKernel
from registry_runtime.kernels.cudnn_lstm_grad import CudnnLSTMGradKernel
from registry_runtime.kernels.cumsum import CumsumKernel
from registry_runtime.kernels.dequantize import DeQuantKernel
from registry_runtime.kernels.distributed_fused_lamb import DistributedFusedLambKernel
from registry_runtime.kernels.full import FullKernel, FullLikeKernel
from registry_runtime.kernels.full_batch_size_like import FullBatchSizeLikeKernel
from registry_runtime.kernels.fused_attention.forward import FusedAttentionKernel
from registry_runtime.kernels.fused_attention.gradient import FusedAttentionGradKernel
from registry_runtime.kernels.fused_batch_norm_act import (
    FusedBatchNormActGradKernel,
    FusedBatchNormActKernel,
)
from registry_runtime.kernels.fusion_group import FusionGroupKernel
from registry_runtime.kernels.gather import EmbeddingKernel, GatherKernel
from registry_runtime.kernels.isfinite import IsfiniteKernel
from registry_runtime.kernels.layer_norm import LayerNormKernel
from registry_runtime.kernels.matmul import DotKernel, MatmulKernel
from registry_runtime.kernels.pow2_decay_with_linear_warmup import (
    Pow2DecayWithLinearWarmupKernel,
)
from registry_runtime.kernels.reduce import MeanKernel, SumKernel
from registry_runtime.kernels.scale import ScaleKernel
from registry_runtime.kernels.sequence_mask import (
    SequenceMaskKernel,
    SequenceMaskScalarKernel,
)
from registry_runtime.kernels.sequence_pool import SequencePoolGradKernel, SequencePoolKernel
from registry_runtime.kernels.softmax import SoftmaxKernel
from registry_runtime.kernels.stft import StftGradKernel, StftKernel
from registry_runtime.kernels.template import (
    Build,
    Instance,
    KernelError,
    KernelTemplate,
    Parameter,
)
from registry_runtime.kernels.trace import TraceGradKernel, TraceKernel
from registry_runtime.kernels.transpose import TransposeKernel
from registry_runtime.kernels.where import WhereKernel

__all__ = ["Build", "Instance", "KernelError", "KernelTemplate", "Parameter", "find", "library"]

_LIBRARY = {
    template.name: template
    for template in (
        AddKernel,
        BatchNormInferKernel,
        BitwiseAndKernel,
        BitwiseNotKernel,
        BitwiseOrKernel,
        BitwiseXorKernel,
        CastKernel,
        CudnnLSTMGradKernel,
        CudnnLSTMKernel,
        CumsumKernel,
        DeQuantKernel,
        DistributedFusedLambKernel,
        DivideKernel,
        EqualKernel,
        ExpKernel,
        FullBatchSizeLikeKernel,
        FullKernel,
        FullLikeKernel,
        FusedAttentionGradKernel,
        FusedAttentionKernel,
        FusedBatchNormActGradKernel,
        FusedBatchNormActKernel,
        FusionGroupKernel,
        IsfiniteKernel,
        LayerNormKernel,
        LessThanKernel,
        MaximumKernel,
        MeanKernel,
        MultiplyKernel,
        Pow2DecayWithLinearWarmupKernel,
        ReluKernel,
        ScaleKernel,
        SequenceMaskKernel,
        SequenceMaskScalarKernel,
        SequencePoolGradKernel,
        SequencePoolKernel,
        SoftmaxKernel,
        replace(SoftmaxKernel, name="custom_cpu::SoftmaxKernel"),  # our plug-in's
        StftGradKernel,
        StftKernel,
        SubtractKernel,
        SumKernel,
        TransposeKernel,
        DotKernel,
        MatmulKernel,
        EmbeddingKernel,
        GatherKernel,
        TraceGradKernel,
        TraceKernel,
        WhereKernel,
    )
}


def find(qualified_name: str) -> KernelTemplate | None:
    """The kernel template of this C++ name (`phi::BitwiseAndKernel`), or None: not written."""
    return _LIBRARY.get(qualified_name.removeprefix("::"))


def library() -> tuple[KernelTemplate, ...]:
    """Every kernel template, by name."""
    return tuple(_LIBRARY[name] for name in sorted(_LIBRARY))
