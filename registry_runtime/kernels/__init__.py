"""The compute: Python kernels that carry the names of C++ ones, one file a family of operators.

A registration names a C++ function template, `phi::BitwiseAndKernel`; `find` looks it up here. A
kernel that nobody wrote in Python has no entry, and registers as declared only. Finding a kernel
reads its file and no other's, and imports neither Numba nor CuPy: those come with the first build.

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
  that is `gpu.function(make, text)`, with CUDA C++ in `text(T)`; `trace.py` is short.
- `roundings`, where the last places may differ from NumPy's, and `magnitude`, what these are places of.
- `second_way`, where there is no build for the CPU.
- `resize`, where the body changes dims that InferMeta gave; `ragged`, where it reads a LoD;
  `in_place`, where an output is an input's memory; `carried`, where one is read before it is written.
- `accepts`, where an input doesn't hold `T`; `out_dtype`, where an element-wise output doesn't;
  `open_dtype`, where InferMeta leaves a data type to the registration.
"""

from __future__ import annotations

import re
import typing  # `cast` is a kernel here
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from registry_runtime.kernels import brought
from registry_runtime.kernels.heads import Unread, head_of
from registry_runtime.phi.kernel_template import KernelError

if TYPE_CHECKING:
    import registry_runtime.phi.kernel_template as phi
    from registry_runtime.kernels.template import KernelTemplate

__all__ = ["KernelError", "find", "known", "library", "registered_name", "registered_names"]

# The file of each `phi::…Kernel`.
_FILES = {
    "activation": "Exp Relu",
    "arithmetic": "Add Divide Maximum Multiply Subtract",
    "batch_norm_infer": "BatchNormInfer",
    "bitwise": "BitwiseAnd BitwiseNot BitwiseOr BitwiseXor",
    "cast": "Cast",
    "compare": "Equal LessThan",
    "cudnn_lstm": "CudnnLSTM",
    "cudnn_lstm_grad": "CudnnLSTMGrad",
    "cumsum": "Cumsum",
    "dequantize": "DeQuant",
    "distributed_fused_lamb": "fusion::DistributedFusedLamb",
    "full": "Full FullLike",
    "full_batch_size_like": "FullBatchSizeLike",
    "fused_attention.forward": "fusion::FusedAttention",
    "fused_attention.gradient": "fusion::FusedAttentionGrad",
    "fused_batch_norm_act": "fusion::FusedBatchNormActGrad fusion::FusedBatchNormAct",
    "fusion_group": "fusion::FusionGroup",
    "gather": "Embedding Gather",
    "isfinite": "Isfinite",
    "layer_norm": "LayerNorm",
    "matmul": "Dot Matmul",
    "pow2_decay_with_linear_warmup": "Pow2DecayWithLinearWarmup",
    "reduce": "Mean Sum",
    "scale": "Scale",
    "sequence_mask": "SequenceMask SequenceMaskScalar",
    "sequence_pool": "SequencePoolGrad SequencePool",
    "softmax": "Softmax",
    "stft": "StftGrad Stft",
    "trace": "TraceGrad Trace",
    "transpose": "Transpose",
    "where": "Where",
}
_WRITTEN = {
    f"phi::{kernel}Kernel": file for file, kernels in _FILES.items() for kernel in kernels.split()
}
_WRITTEN["custom_cpu::SoftmaxKernel"] = "softmax"  # our plug-in's
_OTHERWISE_CALLED = {
    "phi::CudnnLSTMGradKernel": "cudnn_lstm_grad",
    "phi::DeQuantKernel": "dequantize",
}


def find(qualified_name: str) -> KernelTemplate | None:
    """The kernel template of this C++ name (`phi::BitwiseAndKernel`), or None: not written. What
    somebody brought goes before ours, and ours before what is installed."""
    name = qualified_name.removeprefix("::")
    if (template := brought.find(name)) is not None:
        return template
    return _read(name) if name in _WRITTEN else brought.find_installed(name)


def package_of(qualified_name: str) -> str:
    """The installed package whose kernel `find` gives for this name; "" where it is anybody else's."""
    name = qualified_name.removeprefix("::")
    is_other = name in _WRITTEN or brought.find(name) is not None
    return "" if is_other else brought.package_of(name)


def known(qualified_name: str) -> phi.KernelTemplate | None:
    """The same for who may never call it: of one of ours the file isn't run before a call asks."""
    name = qualified_name.removeprefix("::")
    if name not in _WRITTEN or name in brought.names():
        return find(name)
    head = head_of(_file(name), name.rpartition("::")[2])
    if head is None:
        return find(name)
    return typing.cast("phi.KernelTemplate", Unread(name, head, partial(_read, name)))


def _file(name: str) -> Path:
    module = Path(__file__).parent.joinpath(*_WRITTEN[name].split("."))
    return module / "__init__.py" if module.is_dir() else module.with_suffix(".py")


def library() -> tuple[KernelTemplate, ...]:
    """Every kernel template of ours, and those that were brought, by name."""
    names = sorted({*_WRITTEN, *brought.names()})
    return tuple(brought.find(name) or _read(name) for name in names)


@cache
def _read(name: str) -> KernelTemplate:
    module = import_module(f"{__name__}.{_WRITTEN[name]}")
    template: KernelTemplate = getattr(module, name.rpartition("::")[2])
    return template if template.name == name else replace(template, name=name)


def registered_name(qualified_name: str) -> str:
    """The name that PHI registers it under: `bitwise_and` for `phi::BitwiseAndKernel`."""
    if qualified_name in _OTHERWISE_CALLED:
        return _OTHERWISE_CALLED[qualified_name]
    camel = qualified_name.rpartition("::")[2].removesuffix("Kernel")
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", camel).lower()


def registered_names() -> frozenset[str]:
    """Those of every kernel; none is read for it."""
    return frozenset(map(registered_name, (*_WRITTEN, *brought.names())))
