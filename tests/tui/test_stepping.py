"""The keys: forwards, backwards, over, to the ends, and from one invocation to the next."""

import asyncio

import pytest

from tests.tui.settled import settled
from visualizer.expansion.tokens import spell
from visualizer.tui.app import UnfoldApp
from visualizer.tui.stepper.card import Card
from visualizer.tui.stepper.line_view import LineView
from visualizer.tui.stepper.narration import Narration


def text_of(pane):
    """What stands on the screen in a pane, row by row."""
    height = pane.content_size.height
    return [pane.render_line(y).text.rstrip() for y in range(height)]


def words_of(pane):
    return " ".join(" ".join(text_of(pane)).split())


async def test_stepping_to_the_end_and_back_shows_the_states_of_the_timeline(source):
    bench = source("#define A(x) B(x) + x\n#define B(x) [x]\n#define C 1\nA(C)\n")
    timeline = bench.timeline(0)
    app = UnfoldApp(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        for k in [*range(1, len(timeline) + 1), *range(len(timeline) - 1, -1, -1)]:
            await pilot.press("right" if k > app.screen.scene.state else "left")
            assert app.screen.scene.state == k
            line = " ".join(row[3:].strip() for row in text_of(app.screen.query_one(LineView)))
            assert line.strip() == spell(timeline.state(k))


async def test_every_state_of_a_registration_is_reached_and_left_again(bitwise):
    app = UnfoldApp(bitwise, 3)
    seen = []
    async with app.run_test(size=(80, 24)) as pilot:
        app.screen.watch(app.screen, "scene", lambda scene: seen.append(scene.state))
        for key in ["right"] * 143 + ["left"] * 143:
            app.simulate_key(key)
            await asyncio.sleep(0)
        await settled(pilot)
    assert seen == [0, *range(1, 143), *range(141, -1, -1)]


async def test_a_key_leaves_nothing_on_the_screen_that_drawing_it_all_would_not_put_there(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 40)) as pilot:
        for key in [
            *["right"] * 9,
            "n",
            "i",
            *["right"] * 3,
            "escape",
            "pagedown",
            "left",
            "tab",
        ] * 2:
            await pilot.press(key)
            left = app.export_screenshot()
            for widget in app.screen.walk_children():
                widget.refresh()
            await pilot.pause()
            assert app.export_screenshot() == left, key


async def test_what_is_next_can_be_seen_at_every_step(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(80, 24)) as pilot:
        for state in range(len(bitwise.timeline(3))):
            app.screen.go(state)
            await pilot.pause(0)
            shown = text_of(app.screen.query_one(LineView))
            assert any(row[:2].strip() for row in shown), (
                f"neither + nor ▸ is seen at state {state}"
            )


async def test_home_and_end(bitwise):
    app = UnfoldApp(bitwise, 3, 50)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("end")
        assert app.screen.scene.state == len(bitwise.timeline(3))
        assert "Nothing is left to replace" in words_of(app.screen.query_one(Narration))
        await pilot.press("home")
        assert app.screen.scene.state == 0


async def test_over_and_back_over_an_invocation(bitwise):
    timeline = bitwise.timeline(3)
    app = UnfoldApp(bitwise, 3, 8)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("down")
        assert app.screen.scene.state == timeline.over(8) > 9
        await pilot.press("up")
        assert app.screen.scene.state == timeline.back_over(timeline.over(8))


async def test_the_next_and_the_previous_invocation(bitwise):
    app = UnfoldApp(bitwise, 3, 5)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("n")
        assert (app.screen.scene.expansion, app.screen.scene.state) == (4, 0)
        await pilot.press("p", "p")
        assert app.screen.scene.expansion == 2
        for _ in bitwise.trace.expansions:
            await pilot.press("n")
        assert app.screen.scene.expansion == len(bitwise.trace.expansions) - 1


async def test_the_card_shows_the_next_macro_and_turns_to_the_last_one(bitwise):
    app = UnfoldApp(bitwise, 3, 1)
    async with app.run_test(size=(160, 48)) as pilot:
        card = app.screen.query_one(Card)
        assert card.border_title == "next: _PD_REGISTER_KERNEL"
        assert words_of(card).startswith("#define _PD_REGISTER_KERNEL( reg_type, kernel_name,") or (
            words_of(card).startswith("#define _PD_REGISTER_KERNEL(reg_type, kernel_name,")
        )
        await pilot.press("c")
        assert card.border_title == "just happened: PD_REGISTER_KERNEL"
        assert "backend ← CPU" in words_of(card)


async def test_the_card_shows_what_the_prescan_made_of_an_argument(source):
    bench = source("#define ONE 1\n#define F(x, y) x\nF(ONE, )\n")
    app = UnfoldApp(bench, 0, 2)
    async with app.run_test(size=(120, 40)):
        shown = words_of(app.screen.query_one(Card))
        assert "x ← ONE ⇒ 1" in shown
        assert "y ← nothing" in shown


async def test_the_card_of_a_refused_invocation_says_what_was_taken_for_each_argument(source):
    bench = source("#define MAX(a, b) a\nint x = MAX(1);\nint y = MAX(1, (2), 3);\n")
    app = UnfoldApp(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        card = app.screen.query_one(Card)
        assert "argument 1 is a: 1 no argument is left for b" in words_of(card)
        await pilot.press("n")
        await settled(pilot)
        assert "argument 2 is b: (2) argument 3 has no parameter: 3" in words_of(card)


async def test_looks_say_what_is_consumed_produced_and_painted_without_colour(source):
    bench = source("#define LOOP LOOP + 1\nLOOP\n")
    app = UnfoldApp(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        line = app.screen.query_one(LineView)
        assert looks(line, "LOOP").underline
        await pilot.press("right")
        assert looks(line, "+").bold
        await pilot.press("right")
        assert looks(line, "LOOP").italic
        assert not looks(line, "LOOP").strike, "it has not been deleted"


def looks(line, text):
    return next(s.style for s in line.render_line(0) if text in s.text)


async def test_arguments_have_the_hue_of_their_parameter(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(160, 48)):
        line, card = app.screen.query_one(LineView), app.screen.query_one(Card)
        parameter = next(s for s in card.render_line(0) if "backend" in s.text)
        assert looks(line, "CPU").color == parameter.style.color
        assert looks(line, "CPU").color != looks(line, "ALL_LAYOUT").color


@pytest.mark.parametrize("place", [(99, 0), (-1, 0), (3, 9999), (0, -5)])
async def test_a_place_that_is_not_there_is_taken_to_the_nearest(bitwise, place):
    app = UnfoldApp(bitwise, *place)
    async with app.run_test(size=(120, 40)):
        assert 0 <= app.screen.scene.state <= len(app.screen.scene.timeline)


async def test_keys_step_whatever_has_the_focus(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(160, 48)) as pilot:
        for _ in range(6):
            before = app.screen.scene.state
            await pilot.press("right")
            assert app.screen.scene.state == before + 1
            await pilot.press("tab")


async def test_page_keys_scroll_the_line_and_a_step_comes_back(bitwise):
    app = UnfoldApp(bitwise, 3, 60)
    async with app.run_test(size=(80, 24)) as pilot:
        line = app.screen.query_one(LineView)
        await pilot.press("pageup", "pageup")
        await settled(pilot)
        assert not any(row[1:2] == "▸" for row in text_of(line))
        await pilot.press("right")
        assert any(row[1:2] == "▸" for row in text_of(line))
