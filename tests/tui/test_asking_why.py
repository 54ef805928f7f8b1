"""Why a name of the source is replaced or not, asked in the stepper."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.waiting import until
from visualizer.tui.app import UnfoldApp
from visualizer.tui.dialogs.choice import ChoiceScreen
from visualizer.tui.palette import commands
from visualizer.tui.stepper.screen import StepperScreen
from visualizer.tui.stepper.source_pane import SourcePane
from visualizer.workbench.bench import open_file

FILE = """\
#define ONE 1
int i = ONE;
#if ONE > 1
int j = ONE;
#endif
"""


@pytest.fixture
def app(tmp_path: Path) -> UnfoldApp:
    path = tmp_path / "x.c"
    path.write_text(FILE)
    return UnfoldApp(open_file(path))


def told(app: UnfoldApp) -> str:
    return "\n".join(str(row.words) for row in app.screen._candidates)


async def test_a_click_on_a_line_tells_why_nothing_is_replaced_there(app: UnfoldApp) -> None:
    async with app.run_test(size=(120, 40)):
        await until(lambda: isinstance(app.screen, StepperScreen))
        app.screen.query_one(SourcePane).post_message(SourcePane.Asked(4))
        await until(lambda: isinstance(app.screen, ChoiceScreen) and told(app))
        assert "the line is skipped: int, j, ONE" in told(app)
        assert "line 3: #if ONE > 1 does not hold: ONE = 1" in told(app)


async def test_the_palette_asks_about_the_line_and_the_macro_that_are_open(app: UnfoldApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await until(lambda: isinstance(app.screen, StepperScreen))
        asked = {command.name: command for command in commands(app, app.screen)}
        asked["Why is it replaced, or not?"].run()
        await until(lambda: isinstance(app.screen, ChoiceScreen) and told(app))
        assert "ONE expands to 1" in told(app)
        await pilot.press("escape")
        await until(lambda: isinstance(app.screen, StepperScreen))
        asked["History of this macro"].run()
        await until(lambda: isinstance(app.screen, ChoiceScreen) and told(app))
        assert "#define ONE 1" in told(app)
