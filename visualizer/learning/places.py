"""Where a lesson leads: from the words of a `go` block to an invocation and a state of it.

`line` or `macro` (the `nth` invocation of it) choose the invocation; without them it is the one that
is open, or the first that registers something. In it, `step` is a number, `at` an end; `before` stops
where a macro comes next, `replaced` behind its replacement, `after` where its whole expansion is
finished, each for the `nth` time.
"""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from visualizer.expansion.moments import Timeline
from visualizer.expansion.tokens import Token
from visualizer.expansion.views import FINE, Look
from visualizer.frameworks.answers import Place
from visualizer.learning.parts import Go

if TYPE_CHECKING:
    from visualizer.workbench.bench import Workbench


class PlaceError(Exception):
    """A `go` that leads nowhere in this file."""


def find(bench: Workbench, go: Go, here: Place | None = None) -> Place:
    """Where `go` leads from `here`, a place in the same file. Raises PlaceError."""
    if not bench.trace.expansions:
        raise PlaceError(f"{bench.path.name} invokes no macro")
    look = here.look if here is not None else FINE
    if go.coarse is not None:
        look = replace(look, coarse=go.coarse)
    if go.hide is not None:
        look = replace(look, hidden=go.hide)
    expansion = _expansion(bench, go, here)
    timeline = bench.view(expansion, look).timeline
    stays = here is not None and here.expansion == expansion and here.look == look
    state = _state(timeline, go, here.state if here is not None and stays else 0)
    if go.seen is not None and not 1 <= go.seen <= len(bench.source_lines):
        raise PlaceError(f"{bench.path.name} has no line {go.seen}")
    token = _token(bench, expansion, look, state, go.follow)
    return Place(expansion, state, look, token, go.seen)


def _expansion(bench: Workbench, go: Go, here: Place | None) -> int:
    if go.line is not None:
        found = bench.expansion_at(go.line)
        if found is None:
            raise PlaceError(f"no macro is invoked on line {go.line} of {bench.path.name}")
        return found
    if go.macro is not None:
        named = [i for i, e in enumerate(bench.trace.expansions) if e.macro == go.macro]
        inside = go.before or go.after or go.replaced  # then `nth` counts there
        nth = 1 if inside else go.nth
        if len(named) < nth:
            raise PlaceError(f"{bench.path.name} invokes {go.macro} {len(named)} times")
        return named[nth - 1]
    if here is not None:
        return here.expansion
    return bench.first_registration() or 0


def _state(timeline: Timeline, go: Go, here: int) -> int:
    if go.step is not None:
        if not 0 <= go.step <= len(timeline):
            raise PlaceError(f"there is no step {go.step}: they go from 0 to {len(timeline)}")
        return go.step
    if go.at is not None:
        return 0 if go.at == "start" else len(timeline)
    wanted = go.before or go.replaced or go.after
    if wanted is None:
        return here
    met = [
        k
        for k, moment in enumerate(timeline.moments)
        if fnmatchcase(moment.step.macro, wanted) and (moment.meeting or moment.partner >= k)
    ]
    if len(met) < go.nth:
        raise PlaceError(f"{wanted} comes {len(met)} times here, not {go.nth}")
    k = met[go.nth - 1]
    if go.before is not None:
        return k
    replaced = max(k, timeline.moments[k].partner) + 1
    return replaced if go.replaced is not None else timeline.over(k)


def _token(
    bench: Workbench, expansion: int, look: Look, state: int, text: str | None
) -> Token | None:
    if text is None:
        return None
    line = [*bench.view(expansion, look).timeline.state(state), *bench.tail(expansion)]
    token = next((t for t in line if fnmatchcase(t.text, text)), None)
    if token is None:
        raise PlaceError(f"no token {text} stands on the line there")
    return token
