"""A call of one of PHI's kernels, told: how a key finds it, and what its description asks for.

    relu GPU NCHW float32

First the key goes through the registry. Of the kernel that is found one sees how its registration was
made: `ConstructKernel` read the function's parameters one by one into a `KernelArgsDef`, and the braces
may have changed its rows. Then comes what those rows ask of inputs with that key; and last `Compute`
peels the parameters off again, each with the number that it has come to. Sources:
`paddle/phi/core/kernel_factory.cc`, `kernel_registry.cc`, `kernel_utils.h`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from registry_runtime.lab.phi.selection import key_named
from registry_runtime.phi.registered import Registration
from visualizer.frameworks.answers import Unanswerable
from visualizer.frameworks.phi.story import ArgumentStep, Peel, argument_steps, peeling
from visualizer.frameworks.story import Chapter, Grid, Story, StoryStep
from visualizer.messages import _

if TYPE_CHECKING:
    from registry_runtime.phi.selection import Selection
    from visualizer.workbench.bench import Workbench

_ROWS = ("row", "backend", "layout", "data type", "type_index")
_TAKEN = ("taken", "number")


def written(bench: Workbench, words: Sequence[str]) -> Story:
    """KERNEL BACKEND LAYOUT DTYPE, in the open file's program. Raises Unanswerable."""
    name, *key = words
    runtime = bench.program.phi
    try:
        selection = runtime.explain_selection(name, key_named(runtime, *key))
    except ValueError as error:
        raise Unanswerable(str(error)) from None
    found = selection.result
    registered = None if found is None else _registration(bench, found.kernel)
    steps = [] if registered is None else argument_steps(registered)
    chapters = [
        Chapter("SelectKernelOrThrowError", tuple(_looked(selection))),
        Chapter("ConstructKernel", (*_described(steps), *_changed(steps))),
        Chapter("The inputs", tuple(StoryStep("", told) for told in _moved(selection))),
        Chapter("Compute", tuple(_peeled([] if registered is None else peeling(registered)))),
    ]
    there = tuple(chapter for chapter in chapters if chapter.steps)
    return Story(" ".join(words), there, failed=selection.result is None)


def _registration(bench: Workbench, kernel: object) -> Registration | None:
    for entry in bench.entries:
        one = entry.registration
        if isinstance(one, Registration) and one.kernel is kernel:
            return one
    return None


def _described(steps: Sequence[ArgumentStep]) -> Iterator[StoryStep]:
    """Parameter by parameter, with the rows that there are by then."""
    for number, step in enumerate(steps, 1):
        sentence = (
            _("becomes {becomes}").format(becomes=step.becomes)
            if step.kind != "context"
            else _("is left out")
        )
        note = f" ({step.note})" if step.note else ""
        yield StoryStep(step.parameter, f"{sentence}{note}", _rows(steps[:number], after=False))


def _changed(steps: Sequence[ArgumentStep]) -> Iterator[StoryStep]:
    for step in steps:
        for fact, before, after in step.changes:
            if before != after:
                told = _("{becomes}: its {fact} was {before}, and is {after} from now on").format(
                    becomes=step.becomes, fact=fact, before=before, after=after
                )
                yield StoryStep("the braces", told, _rows(steps, after=True))


def _rows(steps: Sequence[ArgumentStep], after: bool) -> Grid:
    rows = []
    for step in steps:
        if step.kind == "context":
            continue
        if step.kind == "attribute":
            facts = ["", "", ""]
        else:
            facts = (step.after if after else step.before).split()
        rows.append((step.becomes, *facts, step.type_index))
    return Grid(_ROWS, tuple(rows))


def _looked(selection: Selection) -> Iterator[StoryStep]:
    for told in selection.steps:
        yield StoryStep("", told)
    yield StoryStep("", selection.error or f"{selection.outcome}: {_function(selection)}")


def _function(selection: Selection) -> str:
    assert selection.result is not None
    return selection.result.kernel.fn.name.replace("phi::", "")


def _moved(selection: Selection) -> Iterator[str]:
    if selection.result is not None:
        yield from selection.transforms or (_("nothing has to be done to them"),)


def _peeled(peels: Sequence[Peel]) -> Iterator[StoryStep]:
    kinds = ("contexts", "inputs", "attributes", "outputs")
    for peel in peels:
        rows = tuple((kind, str(n)) for kind, n in zip(kinds, peel.at, strict=True))
        yield StoryStep(peel.specialisation, peel.takes, Grid(_TAKEN, rows))
