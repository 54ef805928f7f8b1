"""`fusion_group`: runs a kernel that the program wrote for itself, known to it by a name alone.

All that this operator has of its work is `func_name`; `device_code.py` has the rest. The types of
what goes in and out are numbers, those of Paddle's framework.proto, for the kernel wasn't instantiated
for them: `T` is a formality here. The CUDA is written when it is first launched with these types.

Source: `paddle/phi/kernels/fusion/gpu/fusion_group_kernel.cu`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registry_runtime.kernels import gpu
from registry_runtime.kernels.device_code import (
    ON_ARRAYS,
    ON_FLOATS,
    ON_ROUNDED,
    POOL,
    DeviceCode,
    rounded,
)
from registry_runtime.kernels.template import (
    Context,
    KernelTemplate,
    Outs,
    SecondWay,
    Tensors,
    random_array,
)
from registry_runtime.phi.data_type import DataType, trans_to_proto_var_type
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import EnforceNotMet
from registry_runtime.phi.infermeta.multiary import FusionGroupInferMeta
from registry_runtime.phi.kernel_template import KernelError


def signature(
    dev_ctx: Context,
    ins: Tensors,
    outs_dtype: list[int],
    inputs_dtype: list[int],
    func_name: str,
    type: int,
    outs: Outs,
) -> None: ...


_BLOCK = 256


def types(name: str, numbers: list[int], count: int) -> list[DataType]:
    """The data types behind framework.proto's numbers. Raises KernelError."""
    if len(numbers) != count:
        raise KernelError(f"{name} has {len(numbers)} types for {count} tensors")
    known = {trans_to_proto_var_type(dtype): dtype for dtype in _TYPES}
    if wrong := [number for number in numbers if number not in known]:
        there = ", ".join(f"{number} ({known[number]})" for number in sorted(known))
        raise KernelError(f"{name} says {wrong[0]}; fused kernels are written for {there}")
    return [known[number] for number in numbers]


def code_of(
    ins: list[Any], outs_dtype: list[int], inputs_dtype: list[int], func_name: str
) -> tuple[DeviceCode, list[DataType], list[DataType]]:
    """The generated kernel, its inputs' types and its outputs'. Raises KernelError."""
    try:
        code = POOL.get(func_name)
    except EnforceNotMet as error:
        raise KernelError(error.message) from None
    given = types("inputs_dtype", inputs_dtype, len(ins))
    wanted = types("outs_dtype", outs_dtype, len(outs_dtype))
    if (code.inputs, code.outputs) != (len(given), len(wanted)):
        raise KernelError(
            f"{func_name} takes {code.inputs} inputs and makes {code.outputs} outputs, "
            f"got {len(given)} and {len(wanted)}: {code.expression}"
        )
    for i, (tensor, dtype) in enumerate(zip(ins, given, strict=True)):
        if tensor.dtype not in (dtype, dtype.numpy):
            raise KernelError(f"ins[{i}] is {tensor.dtype}, and inputs_dtype says {dtype}")
    return code, given, wanted


def cuda_text(T: DataType) -> str:
    """The sample's; another group has another."""
    code = POOL.get(_SAMPLE)
    return code.cuda([T] * code.inputs, [T] * code.outputs)


def cupy_build(cupy: Any, T: DataType) -> Any:
    made: dict[str, Any] = {}

    def run(
        ins: list[Any],
        outs_dtype: list[int],
        inputs_dtype: list[int],
        name: str,
        _: int,
        *outs: Any,
    ) -> None:
        code, given, wanted = code_of(ins, outs_dtype, inputs_dtype, name)
        text = code.cuda(given, wanted)
        if text not in made:
            made[text] = gpu.compiled(cupy, text).get_function(name)
        if ins[0].size:
            grid = (-(-ins[0].size // _BLOCK),)
            made[text](grid, (_BLOCK,), (ins[0].size, *ins, *outs))

    return run


def results(outs: list[Any]) -> Any:
    """As `launch` returns them."""
    return outs[0] if len(outs) == 1 else tuple(outs)


def reference(
    ins: list[Any], outs_dtype: list[int], inputs_dtype: list[int], func_name: str, type: int
) -> Any:
    code, _, _ = code_of(ins, outs_dtype, inputs_dtype, func_name)
    return results(code.run([np.asarray(x, np.float64) for x in ins], ON_ARRAYS))


def by_floats(
    ins: list[Any], outs_dtype: list[int], inputs_dtype: list[int], func_name: str, type: int
) -> Any:
    """The expression as Python itself evaluates it, on one element after the other."""
    code = POOL.get(func_name)
    program = compile(code.expression, func_name, "exec")
    arrays = [np.asarray(x, np.float64) for x in ins]
    outs = [np.empty(arrays[0].shape) for _ in range(code.outputs)]
    for place in np.ndindex(arrays[0].shape):
        names: dict[str, Any] = {"__builtins__": {}, **ON_FLOATS}
        names |= {f"x{i}": float(array[place]) for i, array in enumerate(arrays)}
        exec(program, names)  # only what DeviceCode let pass: assignments, + - * / and OPERATIONS
        for i, out in enumerate(outs):
            out[place] = names[f"y{i}"]
    return results(outs)


def magnitude(
    ins: list[Any], outs_dtype: list[int], inputs_dtype: list[int], func_name: str, type: int
) -> Any:
    code = POOL.get(func_name)
    outs = code.run([rounded(np.asarray(x, np.float64)) for x in ins], ON_ROUNDED)
    return results([out.error for out in outs])


def sample(T: DataType, size: int, rng: np.random.Generator) -> tuple[Any, ...]:
    code, number = POOL.get(_SAMPLE), trans_to_proto_var_type(T)
    ins = [random_array(T, (size,), rng) for _ in range(code.inputs)]
    return ins, [number] * code.outputs, [number] * code.inputs, _SAMPLE, 0


def bytes_moved(ins: list[DenseTensor], *rest: Any) -> int:
    """What fusing saves is the bytes between the operations, which aren't counted."""
    return sum(t.data.nbytes for t in (*ins, *rest) if isinstance(t, DenseTensor))


_SAMPLE = "fused_elementwise_0"
_TYPES = frozenset({DataType.FLOAT32, DataType.FLOAT64, DataType.FLOAT16})
FusionGroupKernel = KernelTemplate(
    name="phi::fusion::FusionGroupKernel",
    signature=signature,
    dtypes=_TYPES,
    infer_meta=FusionGroupInferMeta,
    reference=reference,
    second_way=SecondWay(
        "Python's own evaluation of the expression, element by element", by_floats
    ),
    builders={"GPU": gpu.function(cupy_build, cuda_text)},
    sample=sample,
    bytes_moved=bytes_moved,
    accepts={"ins": _TYPES},
    how_many=lambda ins, outs_dtype, *_: len(outs_dtype),
    roundings=2,
    magnitude=magnitude,
)
