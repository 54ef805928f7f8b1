"""From a registered kernel to a running one: selecting it for its arguments, building, launching.

Which kernel runs is decided by a key, and the key by the tensors: where they lie and what they hold.
Source: `paddle/phi/api/lib/kernel_dispatch.h`, and the code that Paddle generates for each operator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from registry_runtime.kernels import Instance, KernelError
from registry_runtime.phi.backend import Backend
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import cpp_type_to_data_type
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import NotFound
from registry_runtime.phi.kernel_key import KernelKey

if TYPE_CHECKING:
    from registry_runtime.phi.kernel import Kernel
    from registry_runtime.phi.kernel_factory import KernelFactory


def instance_of(kernel: Kernel) -> Instance:
    """The Python instance behind a registered kernel, not yet built.

    Raises KernelError for a kernel that is only declared.
    """
    if kernel.implementation is None or kernel.function is None:
        name = kernel.function.name if kernel.function else "this kernel"
        raise KernelError(
            f"{name} is registered as declared: its C++ function is known, but nobody wrote the "
            "kernel in Python; add it to registry_runtime/kernels"
        )
    dtype, context = (str(a) for a in kernel.function.arguments)
    instance: Instance = kernel.implementation.instantiate(
        cpp_type_to_data_type(dtype), context.rpartition("::")[2]
    )
    return instance


def launch_registered(factory: KernelFactory, name: str, arguments: tuple[Any, ...]) -> Any:
    """`name` on these arguments: arrays or DenseTensors, and attributes. Raises KernelError."""
    first = next((a for a in arguments if isinstance(a, DenseTensor) or hasattr(a, "shape")), None)
    if first is None:
        raise KernelError(f"{name} needs a tensor to be selected by, got none")
    tensor = DenseTensor.of(first)
    key = KernelKey(Backend[tensor.backend], DataLayout.ALL_LAYOUT, tensor.dtype)
    try:
        selected = factory.SelectKernelOrThrowError(name, key)
    except NotFound as error:
        raise KernelError(str(error)) from None
    instance = instance_of(selected.kernel)
    wanted = instance.template.inputs
    if len(arguments) != len(wanted):
        names = ", ".join(parameter.name for parameter in wanted)
        raise KernelError(f"{name} takes {len(wanted)} arguments ({names}), got {len(arguments)}")
    return instance.launch(*arguments)
