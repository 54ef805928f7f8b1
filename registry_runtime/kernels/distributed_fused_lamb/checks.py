"""What must be true of the arguments, in Paddle's words where Paddle checks it.

The rest C++ would not notice: it would read beyond a tensor's end.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from registry_runtime.kernels.distributed_fused_lamb.arguments import Inputs
from registry_runtime.kernels.distributed_fused_lamb.layout import Info
from registry_runtime.kernels.distributed_fused_lamb.operations import Attributes
from registry_runtime.phi.kernel_template import KernelError


def check(inputs: Inputs, a: Attributes) -> None:
    """Raises KernelError. The tensors are arrays."""
    fp16_numel, whole = _size(inputs.fp16_param), _size(inputs.fp32_param)
    if whole < fp16_numel:
        raise KernelError(
            "The element number in FP32FusedParam should be not less than FP16FusedParam: "
            f"they have {whole} and {fp16_numel}"
        )
    if whole == 0:
        raise KernelError("Either FP32FusedGrad or FP16FusedGrad cannot be NULL.")
    if a.acc_steps < 1:
        raise KernelError(
            f"The gradient accumulation steps should be not less than 1: acc_steps is {a.acc_steps}"
        )
    for name, tensor, wanted in (
        ("fp32_grad", inputs.fp32_grad, whole - fp16_numel),
        ("fp16_grad", inputs.fp16_grad, fp16_numel),
        ("moment2", inputs.moment2, _size(inputs.moment1)),
        ("param_info", inputs.param_info, len(Info._fields)),
        ("learning_rate", inputs.learning_rate, 1),
        ("global_scale", inputs.global_scale, 1),
        ("beta1_pow", inputs.beta1_pow, 1),
        ("beta2_pow", inputs.beta2_pow, 1),
    ):
        if _size(tensor) != wanted:
            raise KernelError(f"{name} has {_size(tensor)} elements; it must have {wanted}")
    _check_shares(whole - fp16_numel, fp16_numel, _size(inputs.moment1), a.nranks)
    _check_offsets(inputs, whole - fp16_numel, fp16_numel)


def _check_shares(fp32_numel: int, fp16_numel: int, partial: int, nranks: int) -> None:
    numel = fp32_numel + fp16_numel
    if partial == 0 or numel % partial:
        raise KernelError(
            f"The total parameter number {numel} should be divided exactly by the element number "
            f"{partial} of Moment1."
        )
    devices = numel // partial
    for kind, count in (("fp32", fp32_numel), ("fp16", fp16_numel)):
        if count % devices:
            raise KernelError(
                f"The {kind} parameter number {count} should be divided exactly by the device "
                f"number {devices}."
            )
    if nranks < devices:
        raise KernelError(
            f"The nranks must be not less than num_devices: {nranks}, and {devices}, of which each "
            f"has {partial} of {numel} elements"
        )
    if nranks % devices:
        raise KernelError(
            f"The nranks must be exactly divided by num_devices: {nranks} and {devices}"
        )


def _check_offsets(inputs: Inputs, fp32_numel: int, fp16_numel: int) -> None:
    info = Info(*inputs.param_info.tolist())
    count, local = info.fp32_all + info.fp16_all, info.fp32_count + info.fp16_count
    if local > count:
        raise KernelError(
            "The local parameter number should not exceed the global parameter number: "
            f"{local} and {count}"
        )
    if sorted(inputs.param_order.tolist()) != list(range(count)) or len(inputs.param) != count:
        raise KernelError(
            f"param_order must have each number below {count} once, of {count} parameters; it is "
            f"{inputs.param_order.tolist()}, of {len(inputs.param)}"
        )
    devices = (fp32_numel + fp16_numel) // inputs.moment1.size
    offsets = inputs.param_offsets.tolist()
    for name, found, length, last in (
        ("param_offsets", offsets, count, fp32_numel + fp16_numel),
        *(
            (f"{kind}_partial_offsets", array.tolist(), length, numel // devices)
            for kind, array, length, numel in (
                ("fp32", inputs.fp32_partial_offsets, info.fp32_count, fp32_numel),
                ("fp16", inputs.fp16_partial_offsets, info.fp16_count, fp16_numel),
            )
        ),
    ):
        rises = all(a <= b for a, b in pairwise(found))
        if len(found) != length + 1 or found[0] != 0 or found[-1] != last or not rises:
            raise KernelError(
                f"{name} must rise from 0 to {last} in {length + 1} numbers; it is {found}"
            )
    if offsets[info.fp32_all] != fp32_numel:
        raise KernelError(
            f"the float32 parameters end at {fp32_numel}, and param_offsets[{info.fp32_all}] is "
            f"{offsets[info.fp32_all]}"
        )
    for place, i in enumerate(inputs.param_order.tolist()):
        if _size(inputs.param[i]) > offsets[place + 1] - offsets[place]:
            raise KernelError(
                f"param[{i}] has {_size(inputs.param[i])} elements; param_offsets leaves it "
                f"{offsets[place + 1] - offsets[place]}"
            )
    for kind, start, length, all_of, before, decay_end in (
        ("fp32", info.fp32_start, info.fp32_count, info.fp32_all, 0, info.fp32_decay_end),
        *[("fp16", info.fp16_start, info.fp16_count, count, info.fp32_all, info.fp16_decay_end)],
    ):
        if not (before <= start and start + length <= all_of and 0 <= decay_end <= length):
            raise KernelError(
                f"param_info has {length} parameters of {kind} from {start} on, {decay_end} of "
                f"which decay; there are {before} to {all_of}"
            )


def _size(tensor: Any) -> int:
    return 0 if tensor is None else int(tensor.size)
