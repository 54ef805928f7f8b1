"""The two programs of a trial: one with Fluid's class, one with the function that it became.

Each has a kernel of PHI's with the same parameters. With the samples' headers the new one is the
written file itself. With Paddle's, a function calls the InferMeta before it and is registered under a
name that Paddle has no kernel of; the old one calls InferShape before Compute.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from registry_runtime.native.compiler import CompilerFailed
from registry_runtime.native.program import OF_SAMPLES, Program, Runtime, Source, program_of
from visualizer.migration.compiling import NEW_WORLD, put_pieces
from visualizer.migration.composing.destinations import SourceTree, kernels_folder, namespace_of
from visualizer.migration.composing.kernels import DEVICE_NAMES, template_line
from visualizer.migration.composing.shared_functions import needed_by
from visualizer.migration.migration import Migration
from visualizer.migration.reading.declarations import Class, Declaration, Fluid
from visualizer.migration.reading.fluid_text import span_of
from visualizer.migration.reading.operators import FluidOperator
from visualizer.migration.reading.signature import Parameter
from visualizer.workbench.samples import samples_folder

_OLD_WORLD = Path(__file__).parent.with_name("old_world")
_UNHEARD_OF = "unfold_trial"  # no kernel of Paddle's


@dataclass(frozen=True, slots=True)
class Contested:
    """An operator's kernel for the CPU, Fluid's class and the piece that it became; `types` are those
    to try."""

    migration: Migration
    fluid: Fluid
    operator: FluidOperator
    found: Class
    types: tuple[str, ...]

    @property
    def piece(self) -> str:
        """The path of the new file."""
        return cpu_file(self.migration, self.operator)

    @property
    def infer_meta(self) -> str:
        """The name of the InferMeta that the operator's functor calls; "" where it has none."""
        pattern = rf"FUNCTOR\(\s*{self.operator.op_type},\s*\w+,\s*PD_INFER_META\(phi::(\w+)\)"
        for piece in self.migration.pieces:
            if (match := re.search(pattern, piece.text)) is not None:
                return match[1]
        return ""


@dataclass(frozen=True, slots=True)
class Both:
    """`name` is the kernel's in each; `with_shapes`: whether they set the outputs' dims themselves."""

    old: Program
    new: Program
    name: str
    with_shapes: bool


def cpu_file(migration: Migration, operator: FluidOperator) -> str:
    """Where the operator's kernel for the CPU goes."""
    folder = kernels_folder(operator.op_type, False)
    path = f"{folder}/cpu/{operator.signature.name}_kernel.cc"
    return SourceTree(migration.in_paddle).path(path)


@dataclass(frozen=True, slots=True)
class Toolchain:
    """Whose headers a program has: words for the compiler, and what it is linked with."""

    compiler: str
    words: tuple[str, ...] = ()
    runtime: Runtime = OF_SAMPLES


def programs(
    contested: Contested, tools: Toolchain, folder: Path, cancelled: Callable[[], bool] | None
) -> Both:
    """Both of them, compiled in a folder of theirs. Raises CompilerFailed, OSError."""
    put_pieces(contested.migration, folder)
    if not contested.migration.in_paddle:
        return _of_samples(contested, tools, folder, cancelled)
    if _has_shapes(contested):
        try:
            return _of_paddle(contested, tools, folder, True, cancelled)
        except CompilerFailed:
            if cancelled is not None and cancelled():
                raise
    return _of_paddle(contested, tools, folder, False, cancelled)


def _has_shapes(contested: Contested) -> bool:
    infer = contested.operator.infer
    return infer is not None and "InferShape" in infer.methods and bool(contested.infer_meta)


# --- With the samples' headers --------------------------------------------------------------------


def _of_samples(
    contested: Contested, tools: Toolchain, folder: Path, cancelled: Callable[[], bool] | None
) -> Both:
    operator, samples = contested.operator, samples_folder()
    new = folder / contested.piece
    old = new.with_name(f"{operator.signature.name}_in_fluid.cc")
    text = [
        '#include "kernel_registry.h"',
        f'#include "{_OLD_WORLD / "of_samples.h"}"',
        *_old_lines(contested, False),
        _registered(contested, operator.signature.name, "InFluid"),
    ]
    old.write_text("\n".join(text), encoding="utf-8")
    folders = ("-iquote", str(new.parent), "-I", str(samples / "phi"), "-I", str(samples / "fluid"))
    words = ("-std=gnu++17", *folders, "-include", str(NEW_WORLD))
    function = f"{namespace_of(operator.op_type, False)}::{operator.function_name()}"

    def made(file: Path, function: str) -> Program:
        own = str(samples / "phi")
        source = Source(file.read_bytes(), str(file), tools.compiler, words, own)
        return program_of(source, function, optimise=False, cancelled=cancelled)

    return Both(made(old, "phi::InFluid"), made(new, function), operator.signature.name, False)


# --- With Paddle's --------------------------------------------------------------------------------


def _of_paddle(
    contested: Contested,
    tools: Toolchain,
    folder: Path,
    with_shapes: bool,
    cancelled: Callable[[], bool] | None,
) -> Both:
    included = list(_included(contested))
    old = [*included, f'#include "{_OLD_WORLD / "of_paddle.h"}"']
    old += [*_old_lines(contested, with_shapes), _registered(contested, _UNHEARD_OF, "InFluid")]
    new = list(_new_lines(contested, with_shapes))
    new.append(_registered(contested, _UNHEARD_OF, "InPhi"))

    def made(name: str, lines: Sequence[str]) -> Program:
        text = "\n".join(lines)
        file = folder / name
        file.write_text(text, encoding="utf-8")
        words = ("-std=gnu++17", "-I", str(folder), *tools.words)
        path, compiler = str(file), tools.compiler
        reads = tuple(piece.text.encode() for piece in contested.migration.pieces)
        source = Source(text.encode(), path, compiler, words, "", reads, tools.runtime)
        return program_of(source, "", optimise=False, cancelled=cancelled)

    return Both(made("old.cc", old), made("new.cc", new), _UNHEARD_OF, with_shapes)


def _included(contested: Contested) -> Iterator[str]:
    """What the new files for the CPU include of Paddle's and the system's."""
    pieces = {piece.path for piece in contested.migration.pieces}
    for piece in contested.migration.pieces:
        if piece.path != contested.piece and not _is_for_all(piece.path):
            continue
        for line in re.findall(r"^#include [<\"].*$", piece.text, re.MULTILINE):
            if line.split('"')[1:2] != [] and line.split('"')[1] in pieces:
                continue
            yield line


def _is_for_all(path: str) -> bool:
    return "/kernels/" in path and path.endswith(".h") and not path.endswith(".cu.h")


def _new_lines(contested: Contested, with_shapes: bool) -> Iterator[str]:
    operator, name = contested.operator, contested.infer_meta
    pieces = {piece.path: piece for piece in contested.migration.pieces}
    yield f'#include "{contested.piece}"'
    yield f'#include "{_OLD_WORLD / "metas.h"}"'
    parameters = operator.signature.parameters
    of_metas = [p for path, p in pieces.items() if "/infermeta/" in path and path.endswith(".cc")]
    takes_config = False
    if with_shapes:
        own = next((p for p in of_metas if f"void {name}(" in p.text), None)
        if own is None:  # one of Paddle's own
            listed = ", ".join(p.type("MetaTensor") for p in parameters)
            yield f"namespace phi {{ void {name}({listed}); }}"
        else:
            head = own.text.partition(f"void {name}(")[2].partition("{")[0]
            takes_config = "MetaConfig config" in head
            yield f'#include "{own.path}"'
    yield "namespace phi {"
    yield f"{template_line('T')}void InPhi({_head(parameters)}) {{"
    if with_shapes:
        yield from (
            f"  {'OutMeta' if p.kind == 'output' else 'InMeta'} meta_{p.name}({p.name});"
            for p in parameters
            if p.kind != "attribute"
        )
        given = [p.name if p.kind == "attribute" else f"meta_{p.name}" for p in parameters]
        given += ["MetaConfig()"] if takes_config else []
        yield f"  {name}({', '.join(given)});"
    function = f"{namespace_of(operator.op_type, False)}::{operator.function_name()}"
    own_arguments = "T, Context" if contested.found.base == "OpKernel" else "Context"
    passed = ", ".join(["dev_ctx", *(p.name for p in parameters)])
    yield f"  {function}<{own_arguments}>({passed});"
    yield "}\n}  // namespace phi"


# --- What they have in common ---------------------------------------------------------------------


def _head(parameters: Sequence[Parameter]) -> str:
    return ", ".join(["const Context& dev_ctx", *(p.declared() for p in parameters)])


def _registered(contested: Contested, name: str, function: str) -> str:
    types = ", ".join(contested.types)
    return f"PD_REGISTER_KERNEL({name}, CPU, ALL_LAYOUT, phi::{function}, {types}) {{}}\n"


def _old_lines(contested: Contested, with_shapes: bool) -> Iterator[str]:
    """Fluid's class, and a kernel of PHI's that calls it."""
    fluid, found, infer = contested.fluid, contested.found, contested.operator.infer
    held = needed_by(fluid, found, infer if with_shapes else None)
    yield "namespace paddle {\nnamespace operators {"
    yield from (d.source.cut(d.item) for d in held if not d.owner)
    if infer is not None and (with_shapes or any(d.owner == infer.name for d in held)):
        yield _shapes_class(fluid, infer, held, with_shapes)
    yield found.source.cut(found.item)
    yield "}  // namespace operators\n}  // namespace paddle\nnamespace phi {"
    parameters = contested.operator.signature.parameters
    yield f"{template_line('T')}void InFluid({_head(parameters)}) {{"
    yield "  paddle::framework::ExecutionContext ctx(dev_ctx);"
    yield from (f'  ctx.Keep{p.kind.capitalize()}("{p.fluid_name}", {p.name});' for p in parameters)
    if with_shapes and infer is not None:
        yield "  paddle::framework::InferShapeContext shapes(ctx);"
        yield f"  paddle::operators::{infer.name}().InferShape(&shapes);"
    given = ["Context" if n in DEVICE_NAMES else "T" for n in found.template]
    arguments = f"<{', '.join(given)}>" if given else ""
    yield f"  paddle::operators::{found.name}{arguments}().Compute(ctx);"
    yield "}\n}  // namespace phi"


def _shapes_class(
    fluid: Fluid, infer: Class, held: Sequence[Declaration], with_shapes: bool
) -> str:
    """The operator's class with its InferShape and what is called of its members."""
    wanted = {d.name for d in held if d.owner == infer.name}
    wanted |= {"InferShape"} if with_shapes else set()
    lines = [f"class {infer.name} : public framework::OperatorWithKernel {{ public:"]
    if not with_shapes:
        lines.append("void InferShape(framework::InferShapeContext*) const override {}")
    for name in wanted:
        node = infer.methods[name]
        outer = node.parent
        is_template = outer is not None and outer.type == "template_declaration"
        text = fluid.source_of(node).cut(span_of(outer if is_template and outer else node))
        lines.append(re.sub(rf"\b{infer.name}\s*::\s*(?={name}\b)", "", text, count=1))
    return "\n".join([*lines, "};"])
