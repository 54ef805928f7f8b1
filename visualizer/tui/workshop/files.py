"""The files that make up what is traced: the source, and the headers with its macros."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from visualizer.expansion.source_files import display_path
from visualizer.messages import _
from visualizer.tui.dialogs.choice import Candidate, ChoiceScreen


def which_file(files: Sequence[Path], unsaved: Sequence[Path]) -> ChoiceScreen[Path]:
    """Ends with the chosen file; the first of them is the source."""
    candidates = [_candidate(file, file in unsaved, file == files[0]) for file in files]

    def left(typed: str) -> list[Candidate[Path]]:
        return [o for o in candidates if typed.lower() in display_path(o.value).lower()]

    return ChoiceScreen(_("Edit which file?"), left, _("a part of the name"))


def _candidate(file: Path, is_unsaved: bool, is_source: bool) -> Candidate[Path]:
    kind = _("the source  ") if is_source else ""
    mark = "●" if is_unsaved else " "
    return Candidate(f"{mark} {file.name}", file, f"{kind}{display_path(file.parent)}")
