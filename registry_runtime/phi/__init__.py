"""PHI, PaddlePaddle's kernel library: its registry, in its own vocabulary.

`Runtime` is one world: `run` fills it from expanded C++, `factory` is where kernels are found.
"""

from registry_runtime.diagnostic import Diagnostic
from registry_runtime.phi.backend import Backend, CustomRegisteredDeviceMap, string_to_backend
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.enforce import (
    AlreadyExists,
    EnforceNotMet,
    InvalidArgument,
    NotFound,
    OutOfRange,
    Unavailable,
)
from registry_runtime.phi.kernel import (
    AttributeArgDef,
    AttributeType,
    Kernel,
    KernelArgsDef,
    KernelRegisteredType,
    TensorArgDef,
)
from registry_runtime.phi.kernel_factory import (
    CustomKernelMap,
    KernelFactory,
    KernelResult,
)
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_registrar import KernelRegistrar, RegType
from registry_runtime.phi.kernel_template import FindKernel, KernelTemplate
from registry_runtime.phi.registered import (
    CompatRegistration,
    Initialisation,
    Instantiation,
    Registration,
)
from registry_runtime.phi.runtime import Runtime

__all__ = [
    "AlreadyExists",
    "AttributeArgDef",
    "AttributeType",
    "Backend",
    "CompatRegistration",
    "CustomKernelMap",
    "CustomRegisteredDeviceMap",
    "DataLayout",
    "DataType",
    "Diagnostic",
    "EnforceNotMet",
    "FindKernel",
    "Initialisation",
    "Instantiation",
    "InvalidArgument",
    "Kernel",
    "KernelArgsDef",
    "KernelFactory",
    "KernelKey",
    "KernelRegisteredType",
    "KernelRegistrar",
    "KernelResult",
    "KernelTemplate",
    "NotFound",
    "OutOfRange",
    "RegType",
    "Registration",
    "Runtime",
    "TensorArgDef",
    "Unavailable",
    "string_to_backend",
]
