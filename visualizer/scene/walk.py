"""Where the keys lead: from one place in a trace to another.

A place is an expansion and a state of it. Each function says where a key leads from a scene, as
another scene; a trace is finished before anybody walks through it, so walking back is no harder.
"""

from __future__ import annotations

from dataclasses import replace

from visualizer.expansion.breakpoints import Breakpoint, following, preceding
from visualizer.expansion.moments import Timeline
from visualizer.expansion.search import find
from visualizer.expansion.tokens import first_made
from visualizer.scene.scene import Scene


def out(timeline: Timeline, k: int) -> int:
    """The state in which the invocation around the next moment is finished."""
    if k >= len(timeline):
        return k
    level = timeline.moments[k].level
    j = k + 1
    while j < len(timeline) and timeline.moments[j].level >= level:
        j += 1
    return j


def to_breakpoint(scene: Scene, stop: Breakpoint, by: int) -> Scene | None:
    """The next place before a moment to stop at, or the previous one (`by` is 1 or -1), also in other
    invocations of the file. None if there is none."""
    among = scene.bench.among(scene.expansion)
    found = (following if by > 0 else preceding)(scene.timeline, scene.state, stop)
    expansion = scene.expansion
    while found is None:
        expansion += by
        if expansion not in among:
            return None
        timeline = scene.bench.view(expansion, scene.look).timeline
        found = (
            following(timeline, -1, stop) if by > 0 else preceding(timeline, len(timeline), stop)
        )
    return replace(scene, expansion=expansion, state=found, seen=None)


def to_birth(scene: Scene, by: int) -> Scene:
    """The closest state behind this one, or before it, in which a registry entry is complete."""
    births = [b for b in scene.births if (b - scene.state) * by > 0]
    return scene.at(min(births, key=lambda b: abs(b - scene.state), default=scene.state))


def beside(scene: Scene, by: int) -> Scene:
    """The token so many places further on the line, followed instead."""
    last = len(scene.tokens) - 1
    at = min(max((scene.followed or 0) + by, 0), last)
    return replace(scene, token=scene.tokens[at]) if last >= 0 else scene


def taken_up(scene: Scene) -> Scene:
    """Some token followed: the first that came onto the line just now, or that goes next."""
    places = scene.produced or scene.consumed or range(len(scene.tokens))
    return replace(scene, token=scene.tokens[places[0]]) if places else scene


def to_its_birth(scene: Scene) -> Scene:
    """The state in which the followed token first stood on the line."""
    assert scene.token is not None
    return scene.at_whole(scene.view.whole.born(scene.token))


def to_its_end(scene: Scene) -> Scene:
    """The state before the followed token is used up, or the last one, if it never is."""
    assert scene.token is not None
    first = first_made(scene.token)
    whole = scene.view.whole
    for found in find(whole, _literally(first.text)):
        if found.token is first:
            gone = len(whole) if found.gone is None else found.gone
            before = scene.at_whole(gone)
            return before if before.whole_state <= gone else scene.at(before.state - 1)
    return scene


def _literally(text: str) -> str:
    """A glob that fits only this text."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in text)
