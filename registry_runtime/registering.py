"""Whether a text may register anything: told by its words, before anything that could is imported.

An object registers whose class a framework's registries have bound, or whose constructor calls a
function that they have. All that takes to run C++ is read
for that, but a text without one of these words needs none of it: most of C.
"""

from __future__ import annotations

# The last names of what registers, in every framework: classes by their objects, and functions.
NAMES = (
    *("ArgumentMappingFnRegistrar", "BaseKernelNameRegistrar", "DispatchStub"),
    *("InferMetaFnRegistrar", "KernelRegistrar", "OpKernelRegistrar", "OpKernelRegistrarEx"),
    *("OperatorRegistrar", "PD_RegisterOperator", "PD_RegisterPhiKernel"),
    *("RegisterCUDADispatch", "RegisterHIPDispatch"),
    *("RegisterHPUDispatch", "RegisterMPSDispatch", "RegisterMTIADispatch", "RegisterOperators"),
    *("RegisterPRIVATEUSE1Dispatch", "RegisterXPUDispatch", "StableTorchLibraryInit"),
    "TorchLibraryInit",
)


def may_register(text: str) -> bool:
    """Whether a text has one of these names in it, which takes the registries to say more of."""
    return any(name in text for name in NAMES)
