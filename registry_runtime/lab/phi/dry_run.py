"""Whether a kernel runs, found out without compiling it.

A call checks the most before it launches: the key that its tensors make, which kernel that finds, what
the registration wants each tensor to be, what the body reads, what InferMeta says. So a call is made on
a few made-up elements and stopped there. What comes after, the build, depends on the Python kernel and
its data type alone; that each of these can be built is known beforehand. A GPU's kernel is called
as if there were one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from registry_runtime.phi.call.kernel_call import instance_of
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import EnforceNotMet, NotFound
from registry_runtime.phi.kernel_factory import has_strided_kernel
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.place import Place, TransToPhiPlace
from registry_runtime.phi.registered import Registration
from registry_runtime.phi.runtime import Runtime

_SIZE = 2


def dry_run(runtime: Runtime, registration: Registration) -> Mapping[str, str]:
    """By the data type of a `runnable` kernel, why it isn't run, or nothing where it is."""
    return {str(registration.key.dtype): _refusal(runtime, registration)}


def _refusal(runtime: Runtime, registration: Registration) -> str:
    name, key, kernel = registration.kernel_name, registration.key, registration.kernel
    held = runtime.factory.kernels.get(name, {}).get(key)
    if held is not kernel and runtime.custom_kernels.kernels.get(name, {}).get(key) is not kernel:
        return "another registration has taken its place"
    instance = instance_of(kernel)
    arguments = instance.template.sample(instance.dtype, _SIZE, np.random.default_rng(0))
    try:
        bound = instance.template.bind(*arguments)
        instance.template.resized(bound, instance.template.infer(instance.dtype, bound))
        if held is kernel and _is_asked_for(runtime, registration):
            place = TransToPhiPlace(key.backend, runtime.devices)
            runtime.check_call(name, *_held_at(place, arguments))
    except EnforceNotMet as error:
        return error.message
    except KernelError as error:
        return str(error).partition("\n")[0]
    return ""


def _is_asked_for(runtime: Runtime, registration: Registration) -> bool:
    """Whether calls find it: they look for any layout, and one that is registered for NCHW alone is
    for executors of programs."""
    factory, name, key = runtime.factory, registration.kernel_name, registration.key
    asked = KernelKey(key.backend, DataLayout.ALL_LAYOUT, key.dtype)
    try:
        found = factory.SelectKernelOrThrowError(name, asked, has_strided_kernel(factory, name))
    except NotFound:
        return False
    return found.kernel is registration.kernel and not found.has_fallback_cpu


def _held_at(place: Place, arguments: Iterable[Any]) -> Iterator[Any]:
    """The arguments with tensors that say they lie there: none is copied, and none is read."""
    for argument in arguments:
        if isinstance(argument, list):
            yield list(_held_at(place, argument))
        elif isinstance(argument, DenseTensor | np.ndarray):
            yield replace(DenseTensor.of(argument), held_at=place)
        else:
            yield argument
