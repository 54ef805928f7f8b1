"""What was written, before a compiler: nothing is called done that it doesn't take.

The files of the CPU's kernels and of InferMeta are compiled with an installed Paddle's headers, as far
as the syntax and the types go (`-fsyntax-only`): nothing of them runs. Operators that include the
samples' headers have theirs. What is for a GPU is compiled where CUDA's own compiler is: a wheel for
the CPU has those headers too, but for what they include of cuBLAS, cuDNN and their like, which packages
of these have. What stays in Fluid needs headers that no wheel brings; of these nothing is said.

An error is for a person, at its line, in the compiler's words. A header that isn't there is none: it
says what is missing on this machine, not in the file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from visualizer.messages import _, ngettext
from visualizer.migration.migration import Migration, Piece
from visualizer.migration.noting import noted
from visualizer.workbench.samples import samples_folder
from visualizer.workbench.wheels import PADDLE, include_folders

if TYPE_CHECKING:
    from registry_runtime.native.compiler import Error

_GPUS = ("/gpu/", "/gpudnn/")
_OTHERS = (*_GPUS, "/xpu/", "/onednn/", "/fluid/")
_MOST = 10  # errors of a file: what comes behind follows from them, as a rule


@dataclass(frozen=True, slots=True)
class Compiled:
    """One of the pieces after the compiler. `missing` is a header that isn't on this machine, "" where
    all are; without errors and without that, the compiler takes it."""

    piece: int
    errors: tuple[Error, ...] = ()
    missing: str = ""

    def told(self) -> str:
        """The verdict in words."""
        if self.missing:
            said = _("not compiled: {header} isn't found (-I DIR names its folder)")
            return said.format(header=self.missing)
        if count := len(self.errors):
            return ngettext(
                "refused by the compiler, {count} error",
                "refused by the compiler, {count} errors",
                count,
            ).format(count=count)
        return _("compiled")


def words_for(migration: Migration, paddle: str = "", folders: Sequence[str] = ()) -> list[str]:
    """The compiler's words for the headers that the pieces include: of the samples, or of a Paddle
    that is installed, `paddle` as `--paddle` names it. Raises InputError where there is none."""
    more = [w for folder in folders for w in ("-isystem", os.path.abspath(folder))]
    if not migration.in_paddle:
        used = ("vector", "string", "type_traits", "cstdint")
        words = [w for name in used for w in ("-include", name)]
        own = (samples_folder() / name for name in ("phi", "fluid"))
        return [*words, *(w for folder in own for w in ("-I", str(folder))), *more]
    # Which BLAS Paddle was built with the wheel doesn't say; this one has packages.
    words = ["-DPADDLE_USE_OPENBLAS"]
    words += [w for folder in include_folders(PADDLE, paddle) for w in ("-isystem", folder)]
    return words + more


def compiled(
    migration: Migration,
    compiler: str,
    words: Sequence[str],
    cancelled: Callable[[], bool] | None = None,
    cuda: str = "",
) -> Iterator[Compiled]:
    """Each piece that can be compiled, one after the other, until `cancelled` says so; `words` are the
    compiler's, for the headers, and `cuda` is the path of CUDA's compiler, if it is there. Raises
    OSError where one can't be started, CompilerFailed where it names no line."""
    from registry_runtime.native.compiler import PLAIN, CompilerFailed, compile_with

    with TemporaryDirectory(prefix="unfold-") as name:
        folder = Path(name)
        if not migration.in_paddle:
            words = ["-include", str(NEW_WORLD), *words]
        put_pieces(migration, folder)
        most = "-ferror-limit" if "clang" in Path(compiler).name else "-fmax-errors"
        asked = [compiler, "-std=c++17", "-fsyntax-only", "-w", f"{most}={_MOST}", *PLAIN]
        asked += ["-I", name, *words]
        in_cuda = [cuda, *_CUDA, "-o", str(folder / "seen"), "-I", name, *words]
        for number, piece in enumerate(migration.pieces):
            is_cudas = is_for_cuda(migration, piece)
            if not (can_be_compiled(piece) or (cuda and is_cudas)):
                continue
            path = str(folder / piece.path)
            try:
                compile_with(
                    [*(in_cuda if is_cudas else asked), path], b"", folder, path, None, cancelled
                )
            except CompilerFailed as failed:
                if cancelled is not None and cancelled():
                    return
                if not failed.errors:
                    raise
                yield _verdict(number, failed.errors)
            else:
                yield Compiled(number)


# Both halves of it, the host's and the device's, as far as CUDA's compiler reads them itself. Paddle's
# build lets a device call what is constexpr, and has Eigen's part for it.
_CUDA = (
    *("-std=c++17", "-w", "-x", "cu", "--cuda", "--expt-relaxed-constexpr"),
    *("-DPADDLE_WITH_CUDA", "-DEIGEN_USE_GPU"),
)
# What a migration writes, and the samples' headers have no need of.
NEW_WORLD = Path(__file__).with_name("new_world.h")
# What is to be added to one of Paddle's own headers stands in its place here, and has it behind.
_THE_REST = """#if __has_include_next(<{path}>)
#include_next <{path}>
#endif
"""


def put_pieces(migration: Migration, folder: Path) -> None:
    """All of them as files below a folder, to be compiled."""
    for piece in migration.pieces:
        file = folder / piece.path
        file.parent.mkdir(parents=True, exist_ok=True)
        text = piece.text
        if migration.in_paddle and piece.is_shared and piece.path.endswith(".h"):
            # Who has the same function there has said its default already.
            text = text.replace("MetaConfig config = MetaConfig()", "MetaConfig config")
            text += _THE_REST.format(path=piece.path)
        file.write_text(text, encoding="utf-8")


def why_not_compiled(migration: Migration, piece: Piece, cuda: str = "") -> str:
    """Why nobody can compile it here; "" for what is compiled, by itself or with what includes it.
    `cuda` is the path of CUDA's compiler, if it is there."""
    if any(part in piece.path for part in _GPUS) or piece.path.endswith(".cu.h"):
        said = "not compiled: CUDA's compiler would have to"
        if not migration.in_paddle:
            return f"{said}, with Paddle's headers for a GPU"
        return "" if cuda else f"{said}, and no nvcc is on PATH"
    if any(part in piece.path for part in ("/xpu/", "/onednn/")):
        return "not compiled: its library's headers come with no wheel"
    if piece.path.removeprefix("paddle/").startswith("fluid/"):
        return "not compiled: what stays in Fluid needs all of Fluid"
    return ""


def is_for_cuda(migration: Migration, piece: Piece) -> bool:
    """Whether it is a whole file for a GPU, of Paddle's: the samples' headers have no such kernels."""
    is_whole = piece.path.endswith((".cu", ".cu.cc"))
    return migration.in_paddle and is_whole and any(part in piece.path for part in _GPUS)


def can_be_compiled(piece: Piece) -> bool:
    """Whether it is a whole file of PHI's, for the CPU or for all backends."""
    path = piece.path.removeprefix("paddle/")
    is_phis = path.startswith("phi/") and path.endswith(".cc")
    is_only_a_name = path == piece.path and "/infermeta/" in path  # to the samples, MetaTensor
    return is_phis and not is_only_a_name and not any(part in piece.path for part in _OTHERS)


def _verdict(number: int, errors: tuple[Error, ...]) -> Compiled:
    missing = next((e.missing_header for e in errors if e.missing_header), "")
    return Compiled(number, () if missing else errors[:_MOST], missing)


# --- What the compiler says, as marks -------------------------------------------------------------


def with_errors(migration: Migration, verdicts: Sequence[Compiled]) -> Migration:
    """The migration with a comment above each line that the compiler refuses, and a mark for it."""
    for verdict in verdicts:
        here = migration.pieces[verdict.piece].path
        for error in reversed(verdict.errors):
            named = error.where.file
            number = next(
                (n for n, p in enumerate(migration.pieces) if named.endswith(f"/{p.path}")), None
            )
            if number is None:  # in a header of Paddle's, which the piece has used wrongly
                number, line = verdict.piece, 1
                reason = f"{here}: {error.message} (at {named}:{error.where.line})"
            else:
                line, reason = error.where.line, error.message
            migration = noted(migration, number, line, f"the compiler: {reason}")
    return migration
