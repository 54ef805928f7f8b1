"""The macros that register kernels, framework by framework, and what their arguments mean.

Where one of these names, or one like it, is left in an expanded text, a registration was meant, and
what the C++ reader stumbles over there is worth telling.

A survey looks for invocations of these names. Each framework has its own idea of a key: PHI selects a
kernel by backend, layout and dtype, all three in the macro; Fluid has them in a class's template
arguments; PyTorch has a dispatch key only, and its kernels look at the dtype themselves.

A source tree is often surveyed without the headers that define the macros. Then they are given as
`-D`s. What such a stand-in is replaced by matters in one point only: an argument is macro-expanded if
the replacement mentions it without `#` (C23 §6.10.5.2). So a stand-in mentions what the framework's
own macro expands on its way, and stringizes what that one only stringizes and pastes. A definition
that a file includes comes later, and replaces it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from registry_runtime.near import nearest
from visualizer.expansion import under_way
from visualizer.expansion.definitions import Definition
from visualizer.expansion.macro_table import as_written
from visualizer.expansion.tokens import IDENTIFIER
from visualizer.workbench.expanded_text import ExpandedText

REST = "..."  # ends the name of the role that all remaining arguments play


@dataclass(frozen=True, slots=True)
class RegistrationMacro:
    """`roles` says what each argument is; the other fields are what the macro's name says already."""

    framework: str
    roles: tuple[str, ...]
    backend: str = ""
    dtype: str = ""
    as_written: tuple[str, ...] = ()  # roles of arguments that are never macro-expanded

    def stand_in(self, name: str) -> str:
        """A definition as the operand of `-D`."""
        parameters = ["..." if r.endswith(REST) else r for r in self.roles]
        mentions = ["__VA_ARGS__" if r.endswith(REST) else self._mention(r) for r in self.roles]
        return f"{name}({', '.join(parameters)})=registration({', '.join(mentions)})"

    def _mention(self, role: str) -> str:
        return f"#{role}" if role in self.as_written else role


def _macro(
    framework: str, roles: str, backend: str = "", dtype: str = "", as_written: str = ""
) -> RegistrationMacro:
    return RegistrationMacro(
        framework, tuple(roles.split()), backend, dtype, tuple(as_written.split())
    )


PHI, PLUG_IN, C_API, FLUID = "PHI", "plug-in", "C API", "Fluid"
PYTORCH, DISPATCH_STUB = "PyTorch", "DispatchStub"

ALL_BACKEND, ALL_DTYPE = "ALL_BACKEND", "ALL_DTYPE"
_PHI_KEY = "kernel backend layout function dtypes..."
_NO_DTYPE = "kernel backend layout function"
_FLUID_PLACES = ("CPU", "CUDA", "XPU", "NPU", "MLU")
_CPU_CAPABILITIES = ("AVX", "AVX2", "AVX512", "VSX", "ZVECTOR", "SVE", "SVE256")
_STUB_DEVICES = ("CUDA", "HIP", "MPS", "XPU", "MTIA", "HPU", "PRIVATEUSE1")

MACROS: dict[str, RegistrationMacro] = {
    # paddle/phi/core/kernel_registry.h
    "PD_REGISTER_KERNEL": _macro(PHI, _PHI_KEY),
    "PD_REGISTER_STRUCT_KERNEL": _macro(PHI, _PHI_KEY),
    "PD_REGISTER_BUILTIN_KERNEL": _macro(PHI, _PHI_KEY),
    "PD_REGISTER_GENERAL_KERNEL": _macro(PHI, _PHI_KEY),
    "PD_REGISTER_KERNEL_FOR_ALL_DTYPE": _macro(PHI, _NO_DTYPE, dtype=ALL_DTYPE),
    "PD_REGISTER_PLUGIN_KERNEL": _macro(PLUG_IN, _PHI_KEY),
    "PD_CUSTOM_KERNEL_REGISTER": _macro(PLUG_IN, _PHI_KEY),
    "PD_CUSTOM_KERNEL_REGISTER_FOR_ALL_DTYPE": _macro(PLUG_IN, _NO_DTYPE, dtype=ALL_DTYPE),
    # paddle/phi/capi/include/kernel_registry.h
    "PD_BUILD_PHI_KERNEL": _macro(C_API, _PHI_KEY, as_written="kernel backend"),
    "PD_BUILD_NEW_PHI_KERNEL": _macro(
        C_API, "kernel backend layout function infer_meta dtypes...", as_written="kernel backend"
    ),
    # paddle/fluid/framework/op_registry.h
    "REGISTER_OPERATOR": _macro(FLUID, "kernel function makers...", as_written="kernel"),
    "REGISTER_OP_WITHOUT_GRADIENT": _macro(FLUID, "kernel function maker"),
    "REGISTER_OP_KERNEL": _macro(FLUID, "kernel library place kernels..."),
    "REGISTER_OP_KERNEL_WITH_CUSTOM_TYPE": _macro(
        FLUID, "kernel library place custom_name custom_value kernels..."
    ),
    "REGISTER_OP_KERNEL_EX": _macro(
        FLUID, "kernel library place custom_name custom_value pairs..."
    ),
    # torch/library.h, torch/csrc/stable/library.h
    "TORCH_LIBRARY": _macro(PYTORCH, "namespace library", as_written="namespace"),
    "TORCH_LIBRARY_FRAGMENT": _macro(PYTORCH, "namespace library"),
    "TORCH_LIBRARY_IMPL": _macro(PYTORCH, "namespace backend library"),
    "STABLE_TORCH_LIBRARY": _macro(PYTORCH, "namespace library", as_written="namespace"),
    "STABLE_TORCH_LIBRARY_FRAGMENT": _macro(PYTORCH, "namespace library"),
    "STABLE_TORCH_LIBRARY_IMPL": _macro(PYTORCH, "namespace backend library"),
    # ATen/native/DispatchStub.h. Which device REGISTER_DISPATCH means, the compiler decides.
    "REGISTER_DISPATCH": _macro(DISPATCH_STUB, "kernel function"),
    "REGISTER_ARCH_DISPATCH": _macro(DISPATCH_STUB, "kernel backend function"),
    "REGISTER_ALL_CPU_DISPATCH": _macro(DISPATCH_STUB, "kernel function", backend="CPU"),
    "REGISTER_NO_CPU_DISPATCH": _macro(DISPATCH_STUB, "kernel types...", backend="CPU"),
    "REGISTER_NO_AVX512_DISPATCH": _macro(DISPATCH_STUB, "kernel types...", backend="AVX512"),
    "ALSO_REGISTER_AVX512_DISPATCH": _macro(DISPATCH_STUB, "kernel function", backend="AVX512"),
    "ALSO_REGISTER_SVE256_DISPATCH": _macro(DISPATCH_STUB, "kernel function", backend="SVE256"),
}
for _name in ("FOR_ALL_BACKEND_DTYPE", "FOR_ALL_BACKEND_DTYPE_EXCEPT_CUSTOM"):
    MACROS[f"PD_REGISTER_KERNEL_{_name}"] = _macro(
        PHI, "kernel layout function", backend=ALL_BACKEND, dtype=ALL_DTYPE
    )
for _name in _FLUID_PLACES:
    MACROS[f"REGISTER_OP_{_name}_KERNEL"] = _macro(FLUID, "kernel kernels...", backend=_name)
    MACROS[f"REGISTER_OP_{_name}_KERNEL_FUNCTOR"] = _macro(FLUID, "kernel pairs...", backend=_name)
for _name in (*_CPU_CAPABILITIES, *_STUB_DEVICES):
    MACROS[f"REGISTER_{_name}_DISPATCH"] = _macro(DISPATCH_STUB, "kernel function", backend=_name)

_HEADERS = {
    PHI: "paddle/phi/core/kernel_registry.h",
    PLUG_IN: "paddle/phi/core/kernel_registry.h",
    C_API: "paddle/phi/capi/all.h",
    FLUID: "paddle/fluid/framework/op_registry.h",
    PYTORCH: "torch/library.h",
    DISPATCH_STUB: "ATen/native/DispatchStub.h",
}

STAND_INS = tuple(("D", macro.stand_in(name)) for name, macro in MACROS.items())

_PIECE = 1 << 20  # characters that are looked through at once
_BEGUN = re.compile(r"\n[ \t]*+(\w++)[ \t]*+\(")

# What registers no kernel: what joins an operator to PHI, and what names registrations of other files.
_NAMES = {
    *MACROS,
    *("PD_REGISTER_BASE_KERNEL_NAME", "PD_REGISTER_ARG_MAPPING_FN", "PD_REGISTER_INFER_META_FN"),
    *("PD_DECLARE_BASE_KERNEL_NAME", "PD_DECLARE_ARG_MAPPING_FN", "PD_DECLARE_KERNEL"),
    *("USE_OP", "USE_OP_ITSELF", "USE_OP_KERNEL", "USE_OP_DEVICE_KERNEL", "USE_NO_KERNEL_OP"),
}


def defining_header(name: str) -> str:
    """The framework's header that defines this macro, or "" where it is none of a framework's."""
    if name not in MACROS:
        return ""
    return "torch/csrc/stable/library.h" if "STABLE" in name else _HEADERS[MACROS[name].framework]


def names_one(text: str) -> bool:
    """Whether a text that isn't expanded yet has one of their names in it."""
    return not _NAMES.isdisjoint(re.findall(r"\w+", text))


def first_invoked(text: str) -> int | None:
    """The first line of such a text that begins with one of their names, and a parenthesis. Raises
    CalledOff where nobody waits for it."""
    at, text, reading = 0, f"\n{text}", under_way.current()
    while at < len(text):
        reading.step(0)
        end = text.find("\n", at + _PIECE)
        end = len(text) if end < 0 else end
        for m in _BEGUN.finditer(text, at, end):
            if m[1] in _NAMES:
                return text.count("\n", 0, m.start()) + 1
        at = end
    return None


def may_register(expanded: ExpandedText) -> bool:
    """Whether a file invokes one of them, or what is made of one, or a name like these is left in its
    text: it is misspelt, or no header that defines it was found."""
    trace = expanded.trace
    if not all(_NAMES.isdisjoint(expansion.macros()) for expansion in trace.expansions):
        return True
    if not trace.passed_over.isdisjoint(_NAMES):
        return True
    called = pairwise(expanded.tokens)
    left = {t.text for t, behind in called if t.kind == IDENTIFIER and behind.text == "("}
    left = {name for name in left if name.isupper() and name not in trace.definitions}
    known = registering(trace.definitions) if left else ()
    return any(nearest(name, known, 0.85) for name in left)


def registering(definitions: Mapping[str, Definition]) -> set[str]:
    """These macros, and those of the file whose replacement leads to one of them."""
    known, latest = set(_NAMES), set(_NAMES)
    while latest:
        naming = re.compile(rf"\b(?:{'|'.join(latest)})\b")
        latest = {
            name
            for name, definition in definitions.items()
            if name not in known and naming.search(as_written(definition))
        }
        known |= latest
    return known
