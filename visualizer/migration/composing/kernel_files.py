"""The files of an operator's kernels: a declaration, an implementation for each device, registrations.

One class that served two devices becomes one function in impl/, which the files of both include.
Where each device has a class of its own, its file has the function, too. What the old files include
the new ones include as well, by PHI's names for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.migration.composing.destinations import (
    CONTEXTS,
    FOLDERS,
    kernels_folder,
    namespace_of,
)
from visualizer.migration.composing.drafts import Drafts, PieceDraft
from visualizer.migration.composing.element_types import dtypes, output_types
from visualizer.migration.composing.kernels import Kernel, template_line, write_head, write_kernel
from visualizer.migration.composing.shared_functions import Sharing, headers_of, write_declaration
from visualizer.migration.fluid_names import HEADERS, KERNEL_REGISTRY
from visualizer.migration.reading.declarations import Fluid, KernelRegistration
from visualizer.migration.reading.fluid_text import FluidText, includes_of, span_of
from visualizer.migration.reading.operators import FluidOperator
from visualizer.migration.reading.signature import headers
from visualizer.migration.rewriting.edits import COMMENT


@dataclass(frozen=True, slots=True)
class _Home:
    """Where the kernels of one operator live: `stays` says that it is in Fluid."""

    drafts: Drafts
    fluid: Fluid
    operator: FluidOperator
    sharing: Sharing
    stays: bool

    @property
    def folder(self) -> str:
        return kernels_folder(self.operator.op_type, self.stays)

    @property
    def stem(self) -> str:
        return f"{self.operator.signature.name}_kernel"

    @property
    def header(self) -> str:
        return f"{self.folder}/{self.stem}.h"

    @property
    def implementation(self) -> str:
        return f"{self.folder}/impl/{self.stem}_impl.h"

    @property
    def namespace(self) -> str:
        return namespace_of(self.operator.op_type, self.stays)

    @property
    def function(self) -> str:
        return self.operator.function_name()

    def device_file(self, registration: KernelRegistration) -> str:
        """`phi/kernels/gpu/trace_kernel.cu`; in Fluid all stand together."""
        suffix = ".cc"
        if registration.backend in ("GPU", "GPUDNN"):
            suffix = ".cu.cc" if registration.source.path.name.endswith(".cu.cc") else ".cu"
        folder = self.folder if self.stays else f"{self.folder}/{FOLDERS[registration.backend]}"
        return f"{folder}/{self.stem}{suffix}"

    def device_role(self, registration: KernelRegistration) -> str:
        """The role of such a file."""
        return "kernel" if self.stays else f"{registration.backend} kernel"


def write_kernels(
    drafts: Drafts,
    fluid: Fluid,
    operator: FluidOperator,
    kernels: Mapping[str, Kernel],
    sharing: Sharing,
) -> None:
    """All files of one operator. `kernels` are its classes, by their names."""
    stays = any(kernel.stays_in_fluid for kernel in kernels.values())
    home = _Home(drafts, fluid, operator, sharing, stays)
    found = [operator.class_for(fluid, registration) for registration in operator.kernels]
    names = [c.name if c is not None else "" for c in found]
    shared = {name for name in kernels if names.count(name) > 1}
    if kernels:
        _write_header(home, next(iter(kernels.values())))
    for name in sorted(shared):
        draft = drafts.at(home.implementation, "shared kernel")
        draft.write("#pragma once\n\n")
        _write_implementation(home, draft, kernels[name], "")
    for name, registration in zip(names, operator.kernels, strict=True):
        draft = drafts.at(home.device_file(registration), home.device_role(registration))
        if name not in kernels:
            _write_missing(home, draft, registration)
            continue
        if name in shared:
            _write_shared_includes(home, draft, registration, kernels[name])
        else:
            _write_implementation(home, draft, kernels[name], registration.backend)
        draft.write("\n")
        _write_registration(home, draft, registration, kernels[name])


def _write_header(home: _Home, kernel: Kernel) -> None:
    signature = home.operator.signature
    draft = home.drafts.at(home.header, "kernel header")
    draft.write("#pragma once\n\n")
    wanted = ["paddle/phi/core/dense_tensor.h", *headers(signature)]
    draft.write_sorted(home.drafts.include(h) for h in wanted)
    with draft.namespace(home.namespace):
        draft.write(template_line(kernel.type_parameter))
        tensor = "phi::DenseTensor" if home.stays else "DenseTensor"
        write_head(draft, signature, home.function, tensor, kept=False)
        draft.write(";\n\n")


def _write_implementation(home: _Home, draft: PieceDraft, kernel: Kernel, backend: str) -> None:
    """The function, and what only it uses. `backend` is "" for one that serves several."""
    _write_includes(home, draft, kernel, backend)
    with draft.namespace(home.namespace):
        for declared in home.sharing.own(home.operator):
            write_declaration(draft, home.fluid, declared, kernel.stays_in_fluid)
            draft.write("\n")
        write_kernel(draft, kernel, home.operator.signature, home.function)
        draft.write("\n")


def _write_includes(home: _Home, draft: PieceDraft, kernel: Kernel, backend: str) -> None:
    """The kernel's own header first; then the system's; then PHI's."""
    drafts, fluid, sharing = home.drafts, home.fluid, home.sharing
    draft.write(drafts.include_piece(draft, home.header))
    involved = [kernel.found.source, *(r.source for r in home.operator.kernels)]
    carried = _includes(fluid, {source.index for source in involved})
    if carried.system:
        draft.write("\n" + "".join(f"{line}\n" for line in carried.system))
    wanted = {*kernel.headers, *carried.headers} - {KERNEL_REGISTRY}
    for declared in (*sharing.own(home.operator), *sharing.shared):
        wanted |= headers_of(fluid, declared)
    if backend:
        wanted.add(CONTEXTS[backend])
    if kernel.stays_in_fluid:
        wanted.add("paddle/fluid/framework/op_registry.h")
    lines = {drafts.include(header) for header in wanted}
    lines.add(drafts.layout.include_registry(not kernel.type_parameter))
    if sharing.has_shared(home.operator):
        lines.add(drafts.include_piece(draft, sharing.shared_path))
    if kernel.stays_in_fluid:
        lines |= {f'#include "{name}"\n' for _, name, _ in carried.unknown}
    draft.write("\n")
    draft.write_sorted(lines)
    for source, included, span in carried.unknown if not kernel.stays_in_fluid else ():
        reason = f"PHI can't include {included}: move what is needed of it, or find it in PHI"
        draft.instead(source, span, f"{COMMENT}{reason}\n", "dependency", reason)


def _write_shared_includes(
    home: _Home, draft: PieceDraft, registration: KernelRegistration, kernel: Kernel
) -> None:
    drafts = home.drafts
    draft.write(drafts.include_piece(draft, home.header))
    lines = {
        drafts.include(CONTEXTS[registration.backend]),
        drafts.layout.include_registry(not kernel.type_parameter),
        drafts.include_piece(draft, home.implementation),
    }
    draft.write("\n")
    draft.write_sorted(lines)


def _write_missing(home: _Home, draft: PieceDraft, registration: KernelRegistration) -> None:
    named = ", ".join(source.path.name for source in home.fluid.sources)
    reason = f"the class of this kernel is in none of {named}"
    statement = span_of(registration.statement)
    draft.instead(registration.source, statement, f"{COMMENT}{reason}\n", "register", reason)


def _write_registration(
    home: _Home, draft: PieceDraft, registration: KernelRegistration, kernel: Kernel
) -> None:
    """`PD_REGISTER_KERNEL(trace, CPU, ALL_LAYOUT, phi::TraceKernel, float, …) {}`"""
    fluid, signature = home.fluid, home.operator.signature
    function = f"{home.namespace}::{home.function}"
    arguments = [signature.name, registration.backend, registration.layout, function]
    macro = "PD_REGISTER_KERNEL_FOR_ALL_DTYPE"
    if kernel.type_parameter:
        macro = "PD_REGISTER_KERNEL"
        arguments += dtypes(fluid, registration, kernel.found, kernel.type_parameter)
    text = f"{macro}(" + (",\n" + " " * (len(macro) + 1)).join(arguments) + ")"
    draft.instead(registration.source, span_of(registration.statement), text, "register")
    types = output_types(fluid, signature, kernel)
    if not types:
        draft.write(" {}\n")
        return
    draft.write(" {\n")
    for index, (data_type, node) in types.items():
        draft.write("  ")
        line = f"kernel->OutputAt({index}).SetDataType(phi::DataType::{data_type});"
        draft.instead(kernel.found.source, span_of(node), line, "output_dtype")
        draft.write("\n")
    draft.write("}\n")


# --- What the old files include -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Included:
    """system: whole lines. headers: PHI's, for Fluid's that are known. unknown: the others, which
    are Fluid's own, with the name and the place of each line."""

    system: tuple[str, ...]
    headers: tuple[str, ...]
    unknown: tuple[tuple[FluidText, str, Span], ...]


def _includes(fluid: Fluid, indices: Iterable[int]) -> Included:
    """What those files and their own headers include."""
    wanted = set(indices) | {s.index for s in fluid.sources if s.path.suffix == ".h"}
    own = {source.path.name for source in fluid.sources}
    system: dict[str, None] = {}
    found: dict[str, None] = {}
    unknown: dict[str, tuple[FluidText, str, Span]] = {}
    for source in fluid.sources:
        if source.index not in wanted:
            continue
        for node, spelled in includes_of(source):
            if spelled.startswith("<"):
                around = _condition(source, node)
                system[f"#include {spelled}" if around is None else around] = None
                continue
            name = spelled.strip('"')
            if name.rpartition("/")[2] in own:
                continue
            known = HEADERS.get(name, None)
            if known is not None:
                found[known] = None
            elif name.startswith("paddle/fluid/"):
                unknown[name] = (source, name, Span(node.start_byte, node.end_byte))
            elif name.startswith("paddle/"):
                found[name] = None
    listed = tuple(h for h in found if h)
    return Included(tuple(system), listed, tuple(unknown.values()))


def _condition(source: FluidText, include: Node) -> str | None:
    """The whole #if around an #include, where it holds nothing but such lines."""
    outermost: Node | None = None
    here = include.parent
    while here is not None and here.type.startswith("preproc_"):
        outermost, here = here, here.parent
    if outermost is None or outermost.type not in ("preproc_if", "preproc_ifdef"):
        return None
    text = source.text[outermost.start_byte : outermost.end_byte].rstrip("\n")
    only_includes = all(not line.strip() or line.lstrip()[0] == "#" for line in text.split("\n"))
    return text if only_includes and "#define" not in text else None
