"""The macros at the end of Fluid's files, and what each of them registers.

REGISTER_OP_CPU_KERNEL and its sisters have the backend in their name; REGISTER_OP_KERNEL is told a
library and a place, which PHI made one backend of.
"""

from __future__ import annotations

from tree_sitter import Node

from visualizer.migration.fluid_text import FluidText
from visualizer.migration.names import qualified, template_arguments
from visualizer.migration.reading.calls import method_of_call, parts_of_call
from visualizer.migration.reading.declarations import (
    Fluid,
    KernelRegistration,
    OperatorRegistration,
    RegisteredClass,
)

_BACKENDS = {
    "REGISTER_OP_CPU_KERNEL": ("CPU", "ALL_LAYOUT"),
    "REGISTER_OP_CUDA_KERNEL": ("GPU", "ALL_LAYOUT"),
    "REGISTER_OP_XPU_KERNEL": ("XPU", "ALL_LAYOUT"),
    "REGISTER_OP_CPU_KERNEL_FUNCTOR": ("CPU", "ALL_LAYOUT"),
    "REGISTER_OP_CUDA_KERNEL_FUNCTOR": ("GPU", "ALL_LAYOUT"),
}


_LIBRARIES = {"CUDNN": ("GPUDNN", "ALL_LAYOUT"), "MKLDNN": ("OneDNN", "ONEDNN")}
_PLACES = {"CPUPlace": "CPU", "CUDAPlace": "GPU", "XPUPlace": "XPU"}


def read_registration(fluid: Fluid, source: FluidText, statement: Node) -> None:
    """A statement that may be one of the macros; the registration is added to `fluid`."""
    call = statement.named_children[0] if statement.named_children else None
    if call is None or call.type != "call_expression":
        return
    _, macro, _ = method_of_call(source, call)
    arguments = parts_of_call(call)[1]
    if not arguments:
        return
    op_type = source.spell(arguments[0])
    if macro in ("REGISTER_OPERATOR", "REGISTER_OP_WITHOUT_GRADIENT"):
        names = tuple(qualified(source, a).parts[-1] for a in arguments[1:])
        fluid.operator_registrations.append(OperatorRegistration(op_type, names, source, statement))
    elif macro in _BACKENDS:
        registered = tuple(_registered(source, a) for a in arguments[1:])
        backend, layout = _BACKENDS[macro]
        if macro.endswith("_FUNCTOR"):  # a data type before each class
            registered = tuple(
                RegisteredClass(c.name, (t,), c.node)
                for t, c in zip(arguments[1::2], registered[1::2], strict=False)
            )
        fluid.kernel_registrations.append(
            KernelRegistration(op_type, backend, layout, registered, source, statement)
        )
    elif macro == "REGISTER_OP_KERNEL" and len(arguments) > 3:
        place = qualified(source, arguments[2]).parts[-1]
        library = source.spell(arguments[1])
        backend, layout = _LIBRARIES.get(library, (_PLACES.get(place, "CPU"), "ALL_LAYOUT"))
        registered = tuple(_registered(source, a) for a in arguments[3:])
        fluid.kernel_registrations.append(
            KernelRegistration(op_type, backend, layout, registered, source, statement)
        )


def _registered(source: FluidText, node: Node) -> RegisteredClass:
    name = qualified(source, node).parts[-1]
    return RegisteredClass(name, tuple(template_arguments(node)), node)
