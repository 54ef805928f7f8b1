"""Workbenches to open screens on, which are never changed, so that tests may share them; and pictures
of screens on which nothing is under way."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual import app as textual_app
from textual import pilot as textual_pilot
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot

from tests.tui.settled import idle, pressing, settled
from visualizer.tui.lesson import pane
from visualizer.workbench.bench import Workbench, open_file


@pytest.fixture(autouse=True)
def no_glance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who plays a lesson here has read what comes as soon as it stands."""
    monkeypatch.setattr(pane, "GLANCE", 0.0)


@pytest.fixture(autouse=True)
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key has had its effect when nothing is under way any more, and not some time after it."""
    for module in (textual_app, textual_pilot):
        monkeypatch.setattr(module, "wait_for_idle", idle)


@pytest.fixture(autouse=True, scope="session")
def _styles_are_parsed_once() -> Iterator[None]:
    """Each test has an app of its own, and parsing its style sheet is a fifth of what that takes. The
    rules that the same text becomes with the same variables are never changed."""
    known: dict[tuple[object, ...], list[RuleSet]] = {}
    parse = Stylesheet._parse_rules

    def parsed(
        sheet: Stylesheet, css: str, read_from: Any, *how: Any, **more: Any
    ) -> list[RuleSet]:
        key = css, read_from, how, tuple(more.items()), tuple(sheet._variables.items())
        if key not in known:
            known[key] = parse(sheet, css, read_from, *how, **more)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", parsed)
        yield


SAMPLES = Path(__file__).parents[2] / "cpp_samples" / "phi"


@pytest.fixture(scope="session")
def bitwise() -> Workbench:
    """The sample whose expansion 3 registers bitwise_and for six types, in 142 moments."""
    return open_file(SAMPLES / "bitwise_kernel.cc")


@pytest.fixture
def source(tmp_path: Path) -> Callable[[str], Workbench]:
    """A workbench on a file with this text."""

    def opened(text: str) -> Workbench:
        path = tmp_path / "sample.cc"
        path.write_text(text)
        return open_file(path)

    return opened


@pytest.fixture
def snap_compare(snap_compare: Callable[..., bool]) -> Callable[..., bool]:
    """As it is, but what is drawn is what the screen comes to in the end, however long it takes."""

    def compare(
        app: App[Any],
        press: Iterable[str] = (),
        terminal_size: tuple[int, int] = (80, 24),
        run_before: Callable[[Pilot[Any]], Any] | None = None,
    ) -> bool:
        async def before(pilot: Pilot[Any]) -> None:
            await settled(pilot)
            if run_before is not None and inspect.isawaitable(done := run_before(pilot)):
                await done
                await settled(pilot)
            await pressing(*press)(pilot)

        return snap_compare(app, terminal_size=terminal_size, run_before=before)

    return compare
