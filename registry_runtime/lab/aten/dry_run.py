"""Whether a call comes to an end, found out without compiling a loop.

A body of the text that names nothing unknown may still ask an object for what it hasn't, or call an
operator that no file defines. So its operator is called, once for each data type, on a few made-up
elements: all bodies on the way are interpreted, and a stub's kernel is asked for its loops, which
aren't built. What Numba refuses is all that this doesn't find.
"""

from __future__ import annotations

from collections.abc import Mapping

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.runtime import Runtime
from registry_runtime.aten.stub.stub_kernel import planning
from registry_runtime.lab.aten.trial import (
    device_named,
    dtype_named,
    made_up_may_be_resized,
    refusal,
    sample_arguments,
    schema_of,
)
from registry_runtime.lab.refused import Refused
from registry_runtime.phi.kernel_template import KernelError

DRY_DTYPES = ("float32", "float64", "int32", "int64", "bool")
_SHAPES = ((2,), (1,))  # some operators are for a single element


def dry_run(runtime: Runtime, name: str, backend: str = "CPU") -> Mapping[str, str]:
    """By data type, why a call of the operator is refused; empty where it isn't."""
    return {dtype: _refusal(runtime, name, dtype, backend) for dtype in DRY_DTYPES}


def _refusal(runtime: Runtime, name: str, dtype: str, backend: str) -> str:
    refused = (_refusal_of(runtime, name, dtype, backend, shape) for shape in _SHAPES)
    first = next(refused)
    return first and next(refused) and first


def _refusal_of(
    runtime: Runtime, name: str, dtype: str, backend: str, shape: tuple[int, ...]
) -> str:
    try:
        schema, device = schema_of(runtime, name), device_named(backend)
        values = sample_arguments(schema, dtype_named(dtype), shape, device)
        with planning(), made_up_may_be_resized():
            runtime.call(name, **values)
    except KernelError as error:
        return Refused.of(error)
    except TorchError as error:
        return Refused.of(refusal(str(error), error))
    return ""
