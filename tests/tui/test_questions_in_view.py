"""What a lesson's question is about can be seen while it is asked, in a small terminal too. What is
still to come can't: the answer stands nowhere but among the choices."""

import re
from dataclasses import replace

import pytest
from textual.reactive import reactive
from textual.screen import Screen

from tests.tui.bare_app import BareApp
from tests.tui.settled import settled
from visualizer.layout.line_layout import GOES_ON
from visualizer.learning import lesson, player, progress
from visualizer.learning.parts import Go, Predict
from visualizer.learning.progress import Progress
from visualizer.scene.scene import Scene
from visualizer.tui.app import UnfoldApp
from visualizer.tui.ink.pane import Pane
from visualizer.tui.lesson.screen import LessonScreen, scene_of
from visualizer.tui.stepper.card import Card
from visualizer.tui.stepper.line_view import LineView
from visualizer.tui.stepper.timeline_bar import TimelineBar
from visualizer.tui.stepper.tree_pane import TreePane

SIZES = [(120, 40), (80, 24)]
NAME = re.compile(r"\w*(?:[A-Z]\w*[A-Z]|_|\w\d)\w*")  # no word of English


def questions(read):
    """The lesson with a page for each of its questions, which leads to where that one is asked. Of the
    text there is nothing: it takes a long time to lay out."""
    pages, led = [], []
    for page in read.pages:
        look, before = Go(), led
        for part in page.parts:
            if isinstance(part, Predict):
                pages.append(replace(page, parts=(*before, part)))
                before = [look]
            elif isinstance(part, Go):
                before.append(part)
                if part.look:
                    look = Go(look=part.look, seen=part.seen)
        led = [replace(go, look=None) for go in before]
    return replace(read, pages=tuple(pages))


def about(question, scene, look):
    """The names in a question that stand on the line, or the first of the source line looked at."""
    if look == "source":
        line = scene.seen or scene.invocation.where.line
        return set(re.findall(r"\w+", scene.bench.source_lines[line - 1])[:1])
    there = {token.text for token in scene.timeline.state(scene.state)}
    return {name for name in NAME.findall(question.ask) if name in there}


def looked_at(page):
    looks = [part.look for part in page.parts if isinstance(part, Go) and part.look]
    return looks[-1] if looks else "line"


def pictures(read):
    """The lesson with a page for each picture that its questions are asked of, and the names that have
    to be in it. Where no question names anything, one picture tells of each pane that is looked at."""
    kept, names, seen, led = [], {}, set(), []
    for number, page in enumerate(read.pages):
        stand, look = player.stand(read, number, len(page.parts)), looked_at(page)
        led += page.parts[:-1]
        if (place := stand.place) is None:
            continue
        scene = Scene(stand.bench, place.expansion, place.state, place.look, seen=place.seen)
        named, pane = about(page.parts[-1], scene, look), (stand.bench.trace, look)
        picture = (stand.bench.trace, place, look)
        if picture in names:
            names[picture] |= named
        elif named or pane not in seen:
            kept.append(replace(page, parts=(*led, Go(look=look, seen=place.seen), page.parts[-1])))
            names[picture], led = named, []
        seen.add(pane)
    return replace(read, pages=tuple(kept)), list(names.values())


def in_view(screen):
    """All that the panes show, names that go on below mended."""
    shown = [pane for pane in screen.query("#views Pane").results(Pane) if pane.region.area]
    rows = [pane.render_line(y).text.rstrip() for pane in shown for y in range(pane.size.height)]
    return re.sub(rf"{GOES_ON}\n *", "", "\n".join(rows))


class Panes(Screen):
    """Those that tell of a scene, with nothing around them."""

    scene: reactive[Scene | None] = reactive(None, repaint=False)

    def compose(self):
        for pane in (LineView, Card, TreePane, TimelineBar):
            yield pane().data_bind(Panes.scene)


def rows(screen, kind):
    pane = screen.query_one(kind)
    count = pane.count if isinstance(pane, Pane) else pane.size.height
    drawn = ["".join(text for text, _ in pane.draw(row)) for row in range(count)]
    return [str(pane.border_title or ""), *drawn]


def nothing_ahead_is_told(screen, scene, why):
    screen.scene = scene
    tree, timeline = rows(screen, TreePane)[1:], rows(screen, TimelineBar)[1]
    assert "What is still to come" in tree[scene.state], why
    assert not any("→" in row for row in tree[scene.state :]), why
    assert not re.search(r"step \S+ of", timeline), why
    assert timeline.count("★") <= sum(state <= scene.state for state in scene.births), why
    assert not any("←" in row or "⇒" in row for row in rows(screen, Card)), why
    assert not scene.bound, f"no hue either says what a parameter is bound to: {why}"
    if scene.asked == "next":
        assert not any(scene.upcoming.step.macro in row for row in rows(screen, Card)), why
        assert not any("▸" in row for row in rows(screen, LineView)[1:]), why


async def test_which_macro_comes_next_is_seen_as_soon_as_it_is_answered():
    read = lesson.load(lesson.find("phi/5"))
    progress.at_page(read, 1, print)
    app = UnfoldApp(lesson="phi/5")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        answer = app.screen.scene.upcoming.step.macro
        assert "next: ?" in rows(app.screen, Card)[0]
        asked = next(part for part in read.pages[1].parts if isinstance(part, Predict))
        await pilot.press(*["down"] * (asked.choices.index(answer) + 1), "enter")
        await settled(pilot)
        assert f"next: {answer}" in rows(app.screen, Card)[0]
        assert any("▸" in row for row in rows(app.screen, LineView)[1:])


ASKING = [folder for folder in lesson.folders() if questions(lesson.load(folder)).pages]


@pytest.mark.parametrize("folder", ASKING, ids=lambda f: f"{f.parent.name}-{f.name}")
async def test_what_a_question_is_about_is_in_view(folder):
    """And nothing that is still to come. In both sizes, of which every other comes first: a page turns
    more cheaply than a terminal."""
    asked = questions(lesson.load(folder))
    stands = [player.stand(asked, n, len(page.parts)) for n, page in enumerate(asked.pages)]
    read, names = pictures(asked)
    reading = player.read(read, 0, Progress())
    app = BareApp(LessonScreen(read, reading, reading.stand.bench))
    async with app.run_test(size=SIZES[1]) as pilot:
        await app.push_screen(panes := Panes())
        await settled(pilot)
        for page, stand in zip(asked.pages, stands, strict=True):
            if stand.place is not None:
                scene = scene_of(stand.bench, stand, page.parts[-1])
                nothing_ahead_is_told(panes, scene, f"{read.short_id}: {page.parts[-1].ask}")
        app.pop_screen()
        await settled(pilot)
        for number, page in enumerate(read.pages):
            if number:
                await pilot.press("ctrl+right")
            await settled(pilot)
            question, look = page.parts[-1], looked_at(page)
            for size in SIZES if number % 2 else SIZES[::-1]:
                if app.size != size:
                    await pilot.resize_terminal(*size)
                    await settled(pilot)
                assert app.screen.query_one(f"#{look}").region.area, question.ask
                told = in_view(app.screen)
                for name in names[number]:
                    why = f"{name} at {size}, {look}: {question.ask}\n{told}"
                    assert re.search(rf"\b{name}\b", told), why
