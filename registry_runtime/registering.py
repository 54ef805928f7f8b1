"""Whether a text may register anything: told by its words, before anything that could is imported.

An object registers whose class a framework's registries have bound. All that takes to run C++ is read
for that, but a text without one of these words needs none of it: most of C.
"""

from __future__ import annotations

# The last names of the classes whose objects register, in every framework.
CLASSES = (
    *("ArgumentMappingFnRegistrar", "BaseKernelNameRegistrar", "DispatchStub"),
    *("InferMetaFnRegistrar", "KernelKey", "KernelRegistrar", "OpKernelRegistrar"),
    *("OpKernelRegistrarEx", "OperatorRegistrar", "RegisterCUDADispatch", "RegisterHIPDispatch"),
    *("RegisterHPUDispatch", "RegisterMPSDispatch", "RegisterMTIADispatch", "RegisterOperators"),
    *("RegisterPRIVATEUSE1Dispatch", "RegisterXPUDispatch", "StableTorchLibraryInit"),
    "TorchLibraryInit",
)


def may_register(text: str) -> bool:
    """Whether a text has one of these names in it, which takes the registries to say more of."""
    return any(name in text for name in CLASSES)
