"""Text that is selected with the mouse, and copied."""

import pytest

from visualizer.tui.app import UnfoldApp
from visualizer.tui.stepper.line_view import LineView
from visualizer.tui.stepper.source_pane import SourcePane

WIDE = (160, 48)


async def drag(pilot, widget, start, end):
    """Press the button over one letter of a widget's text, and let go over another."""
    corner = widget.content_region.offset - widget.region.offset
    await pilot.mouse_down(widget, offset=corner + start)
    await pilot.hover(widget, offset=corner + end)
    await pilot.mouse_up(widget, offset=corner + end)
    await pilot.pause()


def text_of(widget, row):
    return "".join(text for text, _ in widget.draw(row))


async def test_what_the_mouse_selects_in_the_line_is_copied_and_follows_no_token(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=WIDE) as pilot:
        line = app.screen.query_one(LineView)
        at = text_of(line, 0).index("bitwise_and")
        await drag(pilot, line, (at, 0), (at + len("bitwise_an"), 0))
        await pilot.press("ctrl+c")
        assert app.clipboard == "bitwise_and"
        assert app.screen.scene.token is None
        assert app.is_running
        drawn = [segment for strip in line.render_lines(line.size.region) for segment in strip]
        marked = [s.text for s in drawn if s.style and s.style.reverse]
        assert "".join(marked) == "bitwise_and"


async def test_lines_of_the_source_are_copied_without_their_numbers(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=WIDE) as pilot:
        source = app.screen.query_one(SourcePane)
        await drag(pilot, source, (0, 1), (30, 3))
        await pilot.press("ctrl+c")
        first, *inner, _ = app.clipboard.split("\n")
        rows = bitwise.source_lines[source.top + 1 : source.top + 3]
        assert [first, *inner] == [row.rstrip() for row in rows]


async def test_a_click_still_follows_a_token_and_takes_the_selection_away(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=WIDE) as pilot:
        line = app.screen.query_one(LineView)
        await drag(pilot, line, (5, 0), (9, 0))
        at = text_of(line, 0).index("bitwise_and") + 1
        await pilot.click(line, offset=(at + 1, 1))
        assert app.screen.scene.token.text == "bitwise_and"
        assert app.screen.get_selected_text() is None


@pytest.mark.parametrize("key", ["escape", "right"])
async def test_ctrl_c_without_a_selection_says_how_to_quit(bitwise, key):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.press(key, "ctrl+c")
        assert app.is_running
        assert sum("Ctrl+Q quits" in n.message for n in app._notifications) == 1
