"""Pictures of one idea each, drawn of the trace or the registry as it is where the reader stands.

A paragraph tells how numbers slide along under arguments; a picture shows it. Nothing in a picture is
made up: each looks for its idea in the invocation that is open, and draws the tokens that it finds
there. So it changes with each step, and with what a learner writes into the file. What hasn't
happened yet isn't drawn, for it may be what is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from visualizer.layout.words import Parts
from visualizer.messages import N_
from visualizer.scene.pictures.counting import counting
from visualizer.scene.pictures.maps import maps
from visualizer.scene.pictures.passes import passes
from visualizer.scene.pictures.peeling import peeling

if TYPE_CHECKING:
    from visualizer.scene.scene import Scene

Draw = Callable[["Scene", int], list[Parts]]

# What each is called in a lesson, and to a reader.
PICTURES: dict[str, tuple[str, Draw]] = {
    "counting": (N_("picture: counting by sliding"), counting),
    "peeling": (N_("picture: a list that shortens"), peeling),
    "passes": (N_("picture: two passes over one line"), passes),
    "maps": (N_("picture: a name, then a key"), maps),
}
# Those that are drawn of a call that is told, and not of an invocation.
OF_CALLS = ("strides",)


def drawn(name: str, scene: Scene, width: int) -> list[Parts]:
    """The rows of a picture, `width` cells at most; none where there is nothing for it to draw."""
    return PICTURES[name][1](scene, width) if name in PICTURES else []


def next_picture(scene: Scene) -> str:
    """The picture behind the one that is shown, of those that there are here; "" behind the last."""
    here = [name for name in PICTURES if name == scene.picture or drawn(name, scene, 80)]
    at = here.index(scene.picture) + 1 if scene.picture in here else 0
    return here[at] if at < len(here) else ""
