"""Files for Fluid's tests: what includes the samples' headers, opened into a program."""

from __future__ import annotations

from pathlib import Path

from registry_runtime.program import Program
from visualizer.expansion import Options
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.samples import samples_folder

FLUID = samples_folder() / "fluid"


class Opened:
    """A program, and a folder for the files that are opened into it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = Program()
        self._files = 0

    def sample(self, name: str) -> Workbench:
        return open_file(FLUID / name, None, self.program)

    def text(self, text: str, *macros: str) -> Workbench:
        """Opens a text behind `#include "op_registry.h"`, from line 2 on."""
        self._files += 1
        path = self.folder / f"{self._files}.cc"
        path.write_text(f'#include "{FLUID / "op_registry.h"}"\n{text}')
        return open_file(path, Options(macros=tuple(("D", m) for m in macros)), self.program)

    def edited(self, name: str, *changes: tuple[str, str]) -> Workbench:
        """Opens a sample with changes."""
        text = (FLUID / name).read_text()
        for header in ("trace_op.h", "enforce.h", "op_utils.h"):
            text = text.replace(f'#include "{header}"', f'#include "{FLUID / header}"')
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        self._files += 1
        path = self.folder / f"{self._files}.cc"
        path.write_text(text)
        return open_file(path, None, self.program)


def told(bench: Workbench) -> list[str]:
    """Each diagnostic: its severity, message, and the source token that it points at."""
    lines = bench.source_lines
    return [
        f"{d.severity}: {d.message} @ {lines[d.where.line - 1][d.where.column - 1 :]}"
        for d in bench.diagnostics
    ]
