"""The story of a call that is written out: which framework tells it, by the form of its words.

aten::add.Tensor Float[2,3] 1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from visualizer.frameworks.answers import Unanswerable, words_of

if TYPE_CHECKING:
    from visualizer.frameworks.story import Story
    from visualizer.workbench.bench import Workbench


def story_of(bench: Workbench, call: str) -> Story:
    """Make the call in the file's program, and tell it. Raises Unanswerable for what is no call."""
    words = words_of(call)
    if "::" in (words or [""])[0]:
        from visualizer.frameworks.aten import operator_story

        return operator_story.written(bench, words)
    if any("=" in word for word in words[1:]):
        from visualizer.frameworks.fluid import call_story as fluid

        return fluid.written(bench, words)
    if len(words) == 4:
        from visualizer.frameworks.phi import call_story as phi

        return phi.written(bench, words)
    raise Unanswerable(
        "that is no call: aten::add.Tensor Float[2,3] 1 is one of PyTorch's, relu GPU NCHW float32 of "
        "PHI's, trace Input=float32[3,3] of Fluid's"
    )
