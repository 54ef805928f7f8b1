"""A piece while it is written, and where it goes.

A draft is text of our own, and stretches of the old files with their edits. PHI keeps declarations
apart from implementations, and these apart by device, so that a program may be built with some of
them only. Paddle's own operators include Paddle's headers from the root of its source tree. Files
that include their framework's headers without any path, as our samples do, get new ones that do the
same.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from registry_runtime.cxx import Span
from visualizer.migration.reading.fluid_text import FluidText, comment_above, license_of
from visualizer.migration.reading.signature import Signature
from visualizer.migration.rewriting.edits import Edit, Edits, render
from visualizer.migration.table import RULES

FOLDERS = {"CPU": "cpu", "GPU": "gpu", "GPUDNN": "gpudnn", "XPU": "xpu", "OneDNN": "onednn"}
CONTEXTS = {
    "CPU": "paddle/phi/backends/cpu/cpu_context.h",
    "GPU": "paddle/phi/backends/gpu/gpu_context.h",
    "GPUDNN": "paddle/phi/backends/gpu/gpu_context.h",
    "XPU": "paddle/phi/backends/xpu/xpu_context.h",
    "OneDNN": "paddle/phi/backends/onednn/onednn_context.h",
}
# What there is of PHI's headers without a path: the samples' own.
_SHORT = {
    "paddle/phi/core/dense_tensor.h": "phi.h",
    "paddle/phi/core/kernel_registry.h": "kernel_registry.h",
    "paddle/phi/core/compat/op_utils.h": "op_utils.h",
    "paddle/phi/core/enforce.h": "enforce.h",
    "paddle/phi/core/meta_tensor.h": "infermeta_utils.h",
    "paddle/phi/core/infermeta_utils.h": "infermeta_utils.h",
    "paddle/fluid/framework/infershape_utils.h": "infershape_utils.h",
    "paddle/fluid/framework/op_registry.h": "op_registry.h",
}


@dataclass(frozen=True, slots=True)
class Layout:
    """`in_paddle`: as in Paddle's source tree, whose files include "paddle/…"."""

    in_paddle: bool

    def path(self, path: str) -> str:
        """Where a piece stands, from the root of the source tree."""
        return f"paddle/{path}" if self.in_paddle else path

    def include(self, header: str) -> str:
        """The line that includes one of PHI's or Fluid's headers; "" if there is none to
        include."""
        if not self.in_paddle:
            header = _SHORT.get(header, "")
        return f'#include "{header}"\n' if header else ""

    def include_registry(self, all_types: bool) -> str:
        """The line for PD_REGISTER_KERNEL, or for its sister for kernels without T."""
        if all_types and not self.in_paddle:
            return '#include "all_dtypes.h"\n'
        return self.include("paddle/phi/core/kernel_registry.h")

    def include_piece(self, piece: str, other: str) -> str:
        """The line by which one piece includes another."""
        if self.in_paddle:
            return f'#include "{other}"\n'
        return f'#include "{posixpath.relpath(other, posixpath.dirname(piece))}"\n'


def _is_fused(op_type: str) -> bool:
    """Whether an operator is several in one: those have a folder and a namespace of their own."""
    return op_type.startswith(("fused_", "fusion_"))


def namespace_of(op_type: str, stays_in_fluid: bool) -> str:
    """In which a kernel is declared."""
    if stays_in_fluid:
        return "paddle::operators"
    return "phi::fusion" if _is_fused(op_type) else "phi"


def kernels_folder(op_type: str, stays_in_fluid: bool) -> str:
    """The folder in which its header stands, with a folder for each device below it."""
    if stays_in_fluid:
        return "fluid/operators"
    return "phi/kernels/fusion" if _is_fused(op_type) else "phi/kernels"


def infer_meta_file(signature: Signature) -> str:
    """Counted by tensors that come in; a gradient's function is in backward."""
    if signature.is_gradient:
        return "backward"
    inputs = signature.of("input")
    if any(p.many for p in inputs) or len(inputs) > 3:
        return "multiary"
    return ("nullary", "unary", "binary", "ternary")[len(inputs)]


# --- Drafts ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Placed:
    """An edit of old file `old`, and where it stands in the piece."""

    edit: Edit
    old: FluidText
    new: Span


@dataclass(slots=True)
class Draft:
    """`role` and `is_shared` are the piece's. anchors: where the parameters stand, by their names in
    Fluid."""

    path: str
    role: str
    is_shared: bool
    parts: list[str] = field(default_factory=list)
    placed: list[Placed] = field(default_factory=list)
    anchors: dict[str, Span] = field(default_factory=dict)
    length: int = 0

    def write(self, text: str, anchor: str = "") -> Span:
        """Text of our own; returns where it stands."""
        span = Span(self.length, self.length + len(text))
        self.parts.append(text)
        self.length = span.end
        if anchor:
            self.anchors.setdefault(anchor, span)
        return span

    def write_sorted(self, lines: Iterable[str]) -> None:
        """Whole lines in their order; "" is none."""
        self.write("".join(sorted(lines)))

    @contextmanager
    def namespace(self, name: str) -> Iterator[None]:
        """What is written meanwhile stands in a namespace."""
        self.write(f"\nnamespace {name} {{\n\n")
        yield
        self.write(f"}}  // namespace {name}\n")

    def copy_comment_above(self, source: FluidText, item: Span) -> None:
        """The comments above a declaration, if there are any."""
        above = comment_above(source, item)
        if above is not None:
            self.write(source.cut(above) + "\n")

    def copy(self, source: FluidText, span: Span, edits: Edits) -> None:
        """A stretch of an old file, edited."""
        rendered = render(source.text, span, edits)
        for edit, at in rendered.placed:
            new = Span(self.length + at.start, self.length + at.end)
            self.placed.append(Placed(edit, source, new))
        self.write(rendered.text)

    def instead(self, source: FluidText, old: Span, text: str, rule: str, reason: str = "") -> None:
        """Text of our own that takes the place of a stretch of an old file."""
        new = self.write(text)
        edit = Edit(old, (text,), RULES[rule], reason)
        self.placed.append(Placed(edit, source, new))

    @property
    def text(self) -> str:
        return "".join(self.parts)


@dataclass(slots=True)
class Drafts:
    """All pieces so far, in the order in which they were begun. `first` is the named file, whose
    license the new files get."""

    layout: Layout
    first: FluidText
    by_path: dict[str, Draft] = field(default_factory=dict)

    def at(self, path: str, role: str, is_shared: bool = False) -> Draft:
        """The piece of that path, begun if there is none. What stays in Fluid has its license
        already."""
        path = self.layout.path(path)
        if path not in self.by_path:
            draft = self.by_path[path] = Draft(path, role, is_shared)
            if not path.startswith(self.layout.path("fluid/operators/")):
                draft.write(license_of(self.first))
        return self.by_path[path]

    def include(self, header: str) -> str:
        """The line by which a piece includes a header of PHI's or Fluid's; "" if it can't."""
        return self.layout.include(header)

    def include_piece(self, draft: Draft, other: str) -> str:
        """The line by which a piece includes another one."""
        return self.layout.include_piece(draft.path, self.layout.path(other))
