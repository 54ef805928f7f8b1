"""The command that loads what a migration wrote: its files alone, and where their headers are."""

from __future__ import annotations

import shlex
from pathlib import Path

from visualizer.expansion.source_files import display_path
from visualizer.migration.migration import Migration
from visualizer.workbench.samples import samples_folder


def command(migration: Migration, folder: Path) -> str:
    """`unfold kernels out/phi/kernels/cpu/x_kernel.cc … -I …`, for pieces that lie below `folder`.

    Pieces for Paddle's own tree find each other from the folder, and the rest in the tree that the
    old files are of. Where they are in none, it is in an installed paddlepaddle; that brings no
    headers of Fluid's, so what stays in Fluid is left out.
    """
    units = [piece.path for piece in migration.pieces if piece.path.endswith((".cc", ".cu"))]
    flags = [f for name in ("phi", "fluid") for f in ("-I", display_path(samples_folder() / name))]
    if any(path.startswith("paddle/") for path in units):
        tree = _paddle(migration.old[0].path.resolve())
        if tree is None:
            units = [path for path in units if path.startswith("paddle/phi/")]
        rest = ["--paddle"] if tree is None else ["-I", display_path(tree)]
        flags = ["-I", display_path(folder), *rest]
    files = [display_path(folder / path) for path in units]
    return shlex.join(["unfold", "kernels", *files, *flags])


def _paddle(file: Path) -> Path | None:
    """The root of the tree, for a file below ROOT/paddle/fluid."""
    return next((p.parent.parent for p in file.parents if p.match("paddle/fluid")), None)
