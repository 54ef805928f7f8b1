"""The texts that can be stepped into from here: those that this one includes, and this one as it is
read at other times.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from visualizer.expansion.passes import chain
from visualizer.expansion.source_files import HEADERS
from visualizer.messages import _
from visualizer.tui.dialogs.choice import Candidate, ChoiceScreen, fitting
from visualizer.workbench.bench import passes_of

if TYPE_CHECKING:
    from visualizer.expansion.trace import IncludedFile
    from visualizer.workbench.bench import Workbench


def texts(bench: Workbench) -> list[Candidate[IncludedFile]]:
    """The other passes, beginning with the next one, and then what this text includes."""
    trace = bench.trace
    passes = [*enumerate(passes_of(bench), 1)]
    others = [*passes[trace.nth :], *passes[: trace.nth - 1]]
    return [
        *(
            Candidate(
                _("pass {nth} of {count}, {through}").format(
                    nth=nth, count=len(passes), through=chain(one.through)
                ),
                one,
            )
            for nth, one in others
        ),
        *(
            Candidate(
                _("line {line}: {file}").format(
                    line=one.through[-1].line, file=one.file.rpartition("/")[2]
                ),
                one,
            )
            for one in trace.includes
        ),
    ]


def includes_text(bench: Workbench) -> bool:
    """Whether it includes what is no header."""
    return not all(map(_is_header, bench.trace.includes))


def _is_header(text: IncludedFile) -> bool:
    suffix = os.path.splitext(text.file)[1]
    return suffix in ("", *HEADERS)  # the standard library's have none


def which_text(bench: Workbench, line: int) -> ChoiceScreen[IncludedFile]:
    """Ends with the one to step into. The cursor begins at the next pass, if there is one, or at the
    nearest `#include` of what is no header: such a text is included for what it invokes."""
    found = texts(bench)

    def near(row: Candidate[IncludedFile]) -> tuple[bool, int]:
        return _is_header(row.value), abs(row.value.through[-1].line - line)

    first = found[0] if len(bench.trace.passes) > 1 else min(found, key=near)
    return ChoiceScreen(_("Step into"), partial(fitting, found), first=first.words)
