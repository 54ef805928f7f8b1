"""The files of an operator's kernels: a declaration, an implementation for each device, registrations.

One class that served two devices becomes one function in impl/, which the files of both include.
Where each device has a class of its own, its file has the function, too. What the old files include
the new ones include as well, by PHI's names for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from tree_sitter import Node

from registry_runtime.cxx import Span
from visualizer.messages import N_
from visualizer.migration.composing.destinations import (
    CONTEXTS,
    FOLDERS,
    kernels_folder,
    namespace_of,
)
from visualizer.migration.composing.drafts import Drafts, PieceDraft
from visualizer.migration.composing.element_types import UNSEEN, dtypes, output_types
from visualizer.migration.composing.kernels import (
    IN_ORDER_OF_USE,
    Kernel,
    template_line,
    write_head,
    write_kernel,
)
from visualizer.migration.composing.shared_functions import (
    Sharing,
    headers_of,
    is_for,
    write_declaration,
)
from visualizer.migration.fluid_names import HEADERS, KERNEL_REGISTRY
from visualizer.migration.migration import GUESS
from visualizer.migration.reading.conditionals import directives_around
from visualizer.migration.reading.declarations import Declaration, Fluid, KernelRegistration
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
        return N_("kernel") if self.stays else f"{registration.backend} kernel"


def write_kernels(
    drafts: Drafts,
    fluid: Fluid,
    operator: FluidOperator,
    kernels: Mapping[str, Kernel],
    sharing: Sharing,
) -> None:
    """All files of one operator. `kernels` are its classes, by their keys."""
    stays = any(kernel.stays_in_fluid for kernel in kernels.values())
    home = _Home(drafts, fluid, operator, sharing, stays)
    found = [operator.class_for(fluid, registration) for registration in operator.kernels]
    keys = [c.key if c is not None else "" for c in found]
    shared = {key for key in kernels if keys.count(key) > 1}
    if kernels:
        _write_header(home, next(iter(kernels.values())))
    for key in sorted(shared):
        draft = drafts.at(home.implementation, N_("shared kernel"))
        draft.write("#pragma once\n\n")
        _write_implementation(home, draft, kernels[key], None)
    for key, registration in zip(keys, operator.kernels, strict=True):
        draft = drafts.at(home.device_file(registration), home.device_role(registration))
        if key not in kernels:
            _write_missing(home, draft, registration)
            continue
        if key in shared:
            _write_beside_shared(home, draft, registration, kernels[key])
        else:
            _write_implementation(home, draft, kernels[key], registration)
        draft.write("\n")
        _write_registration(home, draft, registration, kernels[key])


def _write_header(home: _Home, kernel: Kernel) -> None:
    signature = home.operator.signature
    draft = home.drafts.at(home.header, N_("kernel header"))
    draft.write("#pragma once\n\n")
    wanted = ["paddle/phi/core/dense_tensor.h", *headers(signature)]
    draft.write_sorted(home.drafts.include(h) for h in wanted)
    with draft.namespace(home.namespace):
        if not signature.by_maker:
            draft.write(f"{COMMENT}{GUESS}{IN_ORDER_OF_USE}\n")
        draft.write(template_line(kernel.type_parameter))
        tensor = "phi::DenseTensor" if home.stays else "DenseTensor"
        write_head(draft, signature, home.function, tensor, kept=False)
        draft.write(";\n\n")


def _write_implementation(
    home: _Home, draft: PieceDraft, kernel: Kernel, registration: KernelRegistration | None
) -> None:
    """The function, and what only it uses; without a registration, one that serves several
    backends."""
    held = [
        declared
        for declared in home.sharing.own(home.fluid, home.operator, kernel.found)
        if _is_in_common(declared.source, kernel)
        or (registration is not None and is_for(declared.source, registration.backend))
    ]
    _write_includes(home, draft, kernel, registration, held)
    with draft.namespace(home.namespace):
        _write_held(home, draft, kernel, held)
        write_kernel(draft, kernel, home.operator.signature, home.function)
        draft.write("\n")


def _is_in_common(source: FluidText, kernel: Kernel) -> bool:
    """Whether whatever compiles the class compiles this file, too."""
    return source.path.suffix == ".h" or source is kernel.found.source


def _write_held(
    home: _Home, draft: PieceDraft, kernel: Kernel, held: Iterable[Declaration]
) -> None:
    for declared in held:
        stays = kernel.stays_in_fluid
        write_declaration(draft, home.fluid, declared, stays, home.sharing.handed)
        draft.write("\n")


def _write_includes(
    home: _Home,
    draft: PieceDraft,
    kernel: Kernel,
    registration: KernelRegistration | None,
    held: Iterable[Declaration],
) -> None:
    """The kernel's own header first; then the system's; then PHI's."""
    drafts, fluid, sharing = home.drafts, home.fluid, home.sharing
    draft.write(drafts.include_piece(draft, home.header))
    backend = registration.backend if registration is not None else ""
    headers = {s.index for s in fluid.sources if s.path.suffix == ".h"}
    involved = {kernel.found.source.index, *headers}
    involved |= {registration.source.index} if registration is not None else set()
    carried = _includes(fluid, involved)
    if carried.system:
        draft.write("\n" + "".join(f"{line}\n" for line in carried.system))
    wanted = {*kernel.headers, *carried.plain} - {KERNEL_REGISTRY}
    shared = sharing.shared_for(home.operator, backend)
    for declared in (*held, *chain.from_iterable(shared.values())):
        wanted |= headers_of(fluid, declared, sharing.handed)
    if backend:
        wanted.add(CONTEXTS[backend])
    if kernel.stays_in_fluid:
        wanted.add("paddle/fluid/framework/op_registry.h")
    lines = {drafts.include(header) for header in wanted}
    lines.add(drafts.layout.include_registry(not kernel.type_parameter))
    lines |= {drafts.include_piece(draft, path) for path in shared}
    if kernel.stays_in_fluid:
        lines |= {f'#include "{name}"\n' for _, name, _ in carried.unknown}
    draft.write("\n")
    draft.write_sorted(lines)
    _write_conditional(draft, drafts, carried, lines)
    for source, included, span in carried.unknown if not kernel.stays_in_fluid else ():
        reason = f"PHI can't include {included}: move what is needed of it, or find it in PHI"
        draft.instead(source, span, f"{COMMENT}{reason}\n", "dependency", reason)


def _write_beside_shared(
    home: _Home, draft: PieceDraft, registration: KernelRegistration, kernel: Kernel
) -> None:
    """What a device's file has beside the function in impl/: the includes of its old file, and what
    that declares for the function."""
    drafts, fluid, backend = home.drafts, home.fluid, registration.backend
    own = home.sharing.own(fluid, home.operator, kernel.found)
    held = [
        declared
        for declared in own
        if is_for(declared.source, backend) and not _is_in_common(declared.source, kernel)
    ]
    draft.write(drafts.include_piece(draft, home.header))
    carried = _includes(fluid, {registration.source.index})
    if carried.system and held:
        draft.write("\n" + "".join(f"{line}\n" for line in carried.system))
    lines = {
        drafts.include(CONTEXTS[backend]),
        drafts.layout.include_registry(not kernel.type_parameter),
        drafts.include_piece(draft, home.implementation),
        *(drafts.include_piece(draft, p) for p in home.sharing.shared_for(home.operator, backend)),
    }
    for declared in held:
        lines |= {
            drafts.include(header) for header in headers_of(fluid, declared, home.sharing.handed)
        }
    lines |= {drafts.include(header) for header in carried.plain} if held else set()
    draft.write("\n")
    draft.write_sorted(lines)
    if held:
        _write_conditional(draft, drafts, carried, lines)
        with draft.namespace(home.namespace):
            _write_held(home, draft, kernel, held)


def _write_missing(home: _Home, draft: PieceDraft, registration: KernelRegistration) -> None:
    reason = _why_missing(home.fluid, registration)
    statement = span_of(registration.statement)
    draft.instead(registration.source, statement, f"{COMMENT}{reason}\n", "register", reason)


def _why_missing(fluid: Fluid, registration: KernelRegistration) -> str:
    """Why there is no function for it."""
    classes = list(dict.fromkeys(c.name for c in registration.classes))
    if len(classes) > 1:
        return f"{', '.join(classes)} are registered together: one function must do what they do"
    if any(d.name in classes for d in fluid.declarations):
        return (
            f"{classes[0]} has its Compute from another class: write one function of what that does "
            "and what this one overrides"
        )
    named = ", ".join(source.path.name for source in fluid.sources)
    return f"the class of this kernel is in none of {named}"


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
    statement = span_of(registration.statement)
    reasons = list(_reasons_at(registration, statement))
    text = "".join(f"{COMMENT}{reason}\n" for reason in reasons) + text
    around = directives_around(registration.source, registration.statement)
    draft.write("".join(f"{line}\n" for line in around))
    draft.instead(registration.source, statement, text, "register", "; ".join(reasons))
    types = {i: t for i, t in output_types(fluid, signature, kernel).items() if t[0] != UNSEEN}
    end = "#endif\n" * len(around)
    if not types:
        draft.write(f" {{}}\n{end}")
        return
    draft.write(" {\n")
    for index, (data_type, node) in types.items():
        draft.write("  ")
        line = f"kernel->OutputAt({index}).SetDataType(phi::DataType::{data_type});"
        draft.instead(kernel.found.source, span_of(node), line, "output_dtype")
        draft.write("\n")
    draft.write(f"}}\n{end}")


def _reasons_at(registration: KernelRegistration, statement: Span) -> Iterator[str]:
    """Why a person must look at a registration."""
    if "\n#" in registration.source.cut(statement):
        yield "some of these types stood under an #if: put it around them again"
    if registration.customized:
        yield (
            f"Fluid found this kernel by {registration.customized}, beside its key: PHI has no such "
            "number, so one kernel must ask which of them is meant"
        )
    body = registration.statement.child_by_field_name("body")
    if body is not None and registration.source.spell(body).strip("{} \n"):
        yield "the old registration had more in its braces: put it in again"


# --- What the old files include -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Included:
    """system: whole lines. headers: PHI's, for Fluid's that are known, each with the `#if`s that it
    stands in, of which another line may have others. unknown: the others, which are Fluid's own, with
    the name and the place of each line."""

    system: tuple[str, ...]
    headers: tuple[tuple[str, tuple[str, ...]], ...]
    unknown: tuple[tuple[FluidText, str, Span], ...]

    @property
    def plain(self) -> set[str]:
        """Those that stand in no `#if`."""
        return {header for header, around in self.headers if not around}


def _write_conditional(
    draft: PieceDraft, drafts: Drafts, carried: Included, lines: Collection[str]
) -> None:
    """The lines of those that stood in an `#if`, in one again."""
    for header, around in carried.headers:
        if around and (line := drafts.include(header)) and line not in lines:
            draft.write("".join(f"{one}\n" for one in around) + line + "#endif\n" * len(around))


def _includes(fluid: Fluid, wanted: Collection[int]) -> Included:
    """What those files include."""
    own = {source.path.name for source in fluid.sources}
    system: dict[str, None] = {}
    found: dict[tuple[str, tuple[str, ...]], None] = {}
    unknown: dict[str, tuple[FluidText, str, Span]] = {}
    for source in fluid.sources:
        if source.index not in wanted:
            continue
        for node, spelled in includes_of(source):
            name = spelled.strip('"<>')
            if spelled.startswith("<") and not name.startswith("paddle/"):
                around = _condition(source, node)
                system[f"#include {spelled}" if around is None else around] = None
                continue
            if name.rpartition("/")[2] in own:
                continue
            known = HEADERS.get(name, "" if name.startswith("paddle/fluid/") else name)
            if known and known.startswith("paddle/"):
                found[known, tuple(directives_around(source, node))] = None
            elif name not in HEADERS and name.startswith("paddle/fluid/"):
                unknown[name] = (source, name, Span(node.start_byte, node.end_byte))
    return Included(tuple(system), tuple(found), tuple(unknown.values()))


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
