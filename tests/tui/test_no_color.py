"""Without colours: a picture of every screen, and focus and cursor can be seen."""

import inspect
import pkgutil
from importlib import import_module
from typing import Any

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

from tests.tui.every_screen import BASES, PICTURES, SIZE
from tests.tui.settled import pressing, settled
from tests.tui.test_snapshots_lessons import made_up  # noqa: F401 a fixture
from visualizer import tui
from visualizer.export import directives
from visualizer.workbench.bench import Workbench


@pytest.fixture(autouse=True)
def _no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(directives, "includes", lambda trace, width: ["     0.10 ms  header.h"])


def test_every_screen_has_a_picture() -> None:
    there = set()
    for found in pkgutil.walk_packages(tui.__path__, f"{tui.__name__}."):
        module = import_module(found.name)
        classes = (c for _, c in inspect.getmembers(module, inspect.isclass))
        there |= {c for c in classes if issubclass(c, Screen) and c.__module__ == found.name}
    assert {c.__name__ for c in there - BASES} == PICTURES.keys()


@pytest.mark.parametrize("name", PICTURES)
def test_a_screen(snap_compare: Any, bitwise: Workbench, name: str) -> None:
    begin, keys = PICTURES[name]

    async def there(pilot: Pilot[None]) -> None:
        await pressing(*keys)(pilot)
        assert type(pilot.app.screen).__name__ == name

    assert snap_compare(begin(bitwise), terminal_size=SIZE, run_before=there)


@pytest.mark.parametrize("name", PICTURES)
async def test_the_cursor_and_the_focus_can_be_seen(bitwise: Workbench, name: str) -> None:
    begin, keys = PICTURES[name]
    app = begin(bitwise)
    async with app.run_test(size=SIZE) as pilot:
        await pressing(*keys[:-1])(pilot)
        before = seen(app)
        await pressing(*keys[-1:])(pilot)
        assert seen(app) != before or not keys
        pictures: dict[Any, Any] = {}
        for widget in app.screen.focus_chain:
            widget.focus()
            await settled(pilot)
            there = pictures.setdefault(app.focused, seen(app))  # some hand the focus on
            assert list(pictures.values()).count(there) == 1, f"nothing shows that {widget} has it"


def seen(app: App[Any]) -> list[tuple[str, tuple[bool | None, ...]]]:
    """What a reader sees where there are no colours: signs, and how each of them is set."""
    return [
        (sign, (style.bold, style.reverse, style.underline, style.italic, style.strike))
        for strip in app.screen._compositor.render_strips()
        for text, style, _ in strip
        if style is not None
        for sign in text
    ]
