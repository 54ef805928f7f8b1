"""How finely an expansion can be stepped through, and how many steps that leaves.

A registration is read by what makes declarations. Where nothing does, a macro of six hundred steps is
read by depth: its outermost replacements first, then a level more. And whoever wrote only some of the
macros wants to see those.
"""

from __future__ import annotations

from dataclasses import replace

from visualizer.expansion.hiding import OTHERS
from visualizer.expansion.views import Look, makes_declarations
from visualizer.messages import N_, _, ngettext
from visualizer.scene.scene import Scene

_LEVELS = 9  # that are offered at most
_AT_A_GLANCE = 40  # steps

EVERY_STEP = N_("every step")
Fold = tuple[str, Look, int]  # what it is called, how one looks then, how many steps there are


def folds(scene: Scene) -> list[Fold]:
    """All that there are here, every step first; none that leaves as many steps as the one before."""
    whole = scene.view.whole
    others = tuple(word for word in scene.look.hidden if word != OTHERS)
    fine = Look(hidden=others)
    deepest = max((moment.level for moment in whole.moments), default=0)
    looks = [
        (_(EVERY_STEP), fine),
        *[(_("what makes declarations"), replace(fine, coarse=True))] * makes_declarations(whole),
        *(
            (
                ngettext("{count} level", "{count} levels", n).format(count=n),
                replace(fine, levels=n),
            )
            for n in range(1, min(deepest, _LEVELS) + 1)
        ),
        (_("only macros of my files"), replace(fine, hidden=(*others, OTHERS))),
    ]
    views = (scene.bench.view(scene.expansion, look) for name, look in looks)
    offered = [(*told, len(view.timeline)) for told, view in zip(looks, views, strict=True)]
    return [
        fold
        for n, fold in enumerate(offered)
        if not n or fold[2] not in (offered[0][2], offered[n - 1][2])
    ]


def proposed(scene: Scene, offered: list[Fold]) -> Fold:
    """The one that most readers want next: every step, if some are folded; else what makes
    declarations, or as many levels as can be taken in at a glance."""
    if scene.look != offered[0][1]:
        return offered[0]
    coarse = next((fold for fold in offered if fold[1].coarse), None)
    few = [fold for fold in offered[1:] if fold[1].levels and fold[2] <= _AT_A_GLANCE]
    return coarse or (few or offered)[-1]
