"""Themes: that they read, that NO_COLOR takes all colour away, and that no role needs any."""

import io
import re

import pytest
from rich.console import Console
from textual.color import Color
from textual.css.model import SelectorType
from textual.widgets import OptionList

from tests.tui.every_screen import PICTURES, SIZE
from tests.tui.settled import pressing, settled
from visualizer.personal import settings
from visualizer.tui.app import UnfoldApp
from visualizer.tui.home.list import HomeList
from visualizer.tui.ink.inked import Inked
from visualizer.tui.ink.themes import DARK, HIGH_CONTRAST, LIGHT, THEMES
from visualizer.tui.stepper.line_view import LineView

AA, AAA = 4.5, 7.0


@pytest.mark.parametrize(
    ("theme", "least"), [(DARK, AA), (LIGHT, AA), (HIGH_CONTRAST, AAA)], ids=lambda v: str(v)[:30]
)
def test_every_colour_of_text_reads_on_every_ground(theme, least):
    grounds = [theme.background, theme.panel]
    grounds += [v for k, v in theme.variables.items() if k.startswith("ground")]
    names = ["quiet", "consumed", "produced", *(k for k in theme.variables if "hue-" in k)]
    colours = [theme.foreground, theme.success, theme.error, theme.accent, theme.primary]
    for ground in grounds:
        for colour in (*colours, *(theme.variables[n] for n in names)):
            assert contrast(colour, ground) >= least, f"{colour} on {ground}"


@pytest.mark.parametrize("where", ["home", "stepper"])
async def test_in_high_contrast_all_text_on_the_screen_is_aaa(bitwise, own_folder, where):
    settings.settings_path().write_text('theme = "high-contrast"\n')
    app = UnfoldApp() if where == "home" else UnfoldApp(bitwise, 3, 86)
    async with app.run_test(size=(160, 48)) as pilot:
        for keys in ("", "question_mark", "ctrl+p", "ctrl+o", "slash x"):
            await pilot.press(*keys.split())
            await settled(pilot)
            shown = app.screen.region
            if app.screen.is_modal:  # what lies beneath is dimmed on purpose
                shown = app.screen.children[0].region
            for y, row in enumerate(app.screen._compositor.render_strips()):
                if shown.y <= y < shown.bottom:
                    for text, style, _ in row.crop(shown.x, shown.right):
                        if re.search(r"\w", text):
                            pair = [
                                Color.from_rich_color(c).hex for c in (style.color, style.bgcolor)
                            ]
                            assert contrast(*pair) >= AAA, f"{text!r} after {keys}: {pair}"
            await pilot.press(*["escape"] * bool(keys))


@pytest.mark.parametrize("theme", THEMES)
async def test_every_word_of_the_selected_message_can_be_read(source, theme):
    bench = source("#define F(a, b) a + b\nint x = F(1);\n")
    app = UnfoldApp(bench)
    app.theme = THEMES[theme].name
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("e")
        await pilot.pause()
        for y in range(3):
            for segment in app.screen.query_one(OptionList).render_line(y):
                if segment.text.strip():
                    worn = segment.style.color, segment.style.bgcolor
                    assert contrast(*(color.get_truecolor().hex for color in worn)) >= AA


@pytest.mark.parametrize(
    ("name", "least"), [("dark", AA), ("light", AA), ("high-contrast", AAA)], ids=str
)
async def test_the_followed_token_reads_though_a_parameter_is_bound_to_it(
    source, own_folder, name, least
):
    settings.settings_path().write_text(f'theme = "{name}"\n')
    app = UnfoldApp(source("#define TWICE(x) x + x\nint n = TWICE(followed);\n"))
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("i", "right", "right")
        assert app.screen.scene.token.text == "followed"
        row = app.screen.query_one(LineView).render_line(0)
        (style,) = [s.style for s in row if "followed" in s.text]
        pair = [Color.from_rich_color(c).hex for c in (style.color, style.bgcolor)]
        assert contrast(*pair) >= least, pair


@pytest.mark.parametrize(
    "name",
    [
        "ChoiceScreen",
        "CompareScreen",
        "DefinitionScreen",
        "EntryScreen",
        "HomeScreen",
        "MigrateScreen",
        "OpenFileScreen",
        "PatternsScreen",
        "QuestionScreen",
        "RunScreen",
        "StepperScreen",
        "WorkshopScreen",
    ],
)
async def test_cursor_and_selection_can_be_read_in_each_theme(bitwise, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    begin, keys = PICTURES[name]
    app = begin(bitwise)
    async with app.run_test(size=SIZE) as pilot:
        await pressing(*keys)(pilot)
        for theme in THEMES.values():
            app.theme = theme.name
            await settled(pilot)
            shown = app.focused.content_region
            for strip in app.screen._compositor.render_strips()[shown.y : shown.bottom]:
                for text, style, _ in strip.crop(shown.x, shown.right):
                    if re.search(r"\w", text):
                        pair = [Color.from_rich_color(c).hex for c in (style.color, style.bgcolor)]
                        assert contrast(*pair) >= AA, f"{text!r} in {theme.name}: {pair}"


async def test_no_color_takes_all_colours_away(bitwise, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    app = UnfoldApp(bitwise, 3, 86)
    async with app.run_test(size=(160, 48)):
        drawn = "\n".join(ansi(strip, app) for strip in app.screen._compositor.render_strips())
        assert "bitwise_and" in drawn
        codes = set(re.findall(r"\x1b\[([\d;]*)m", drawn))
        assert not any(re.search(r"(^|;)(3[0-8]|4[0-8]|9\d|10\d)(;|$)", code) for code in codes)


async def test_an_empty_no_color_asks_for_nothing(bitwise, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "")
    app = UnfoldApp(bitwise, 3)
    assert not app.no_color


async def test_roles_are_told_without_any_colour(source, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    bench = source("#define F(x) F(x) made G\n#define G done\nF(1)\n")
    app = UnfoldApp(bench, 0, 2)
    async with app.run_test(size=(120, 30)):
        line = [s for y in range(5) for s in app.screen.query_one(LineView).render_line(y)]
        assert any(s.style.italic for s in line if "F" in s.text)
        assert any(s.style.underline for s in line if "G" in s.text)
    app = UnfoldApp(bench, 0, 3)
    async with app.run_test(size=(120, 30)):
        line = [s for y in range(5) for s in app.screen.query_one(LineView).render_line(y)]
        assert any(s.style.bold for s in line if "done" in s.text)


async def test_the_row_under_the_cursor_is_told_without_any_colour(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    app = UnfoldApp()
    async with app.run_test(size=(80, 24)):
        listed = app.screen.query_one(HomeList)
        rows = [listed.render_line(y) for y in range(listed.size.height)]
        (here,) = [row for row in rows if "▸" in row.text]
        (strip,) = [
            s for s in app.screen._compositor.render_strips() if here.text.strip() in s.text
        ]
        assert all(segment.style.reverse for segment in strip if segment.text.strip())


async def test_the_chosen_theme_is_there_again_next_time(bitwise):
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("t", "t")
    assert UnfoldApp(bitwise, 3).theme == HIGH_CONTRAST.name


async def test_a_damaged_settings_file_is_said_in_the_app(bitwise, own_folder):
    settings.settings_path().write_text("theme = ")
    app = UnfoldApp(bitwise, 3)
    async with app.run_test(size=(120, 30)):
        (message,) = app._notifications
        assert "settings.toml.damaged-1" in message.message


def ansi(strip, app):
    """A row as it is sent to a terminal that has all colours."""
    for filter in app._filters:
        strip = strip.apply_filter(filter, Color(0, 0, 0)) if filter.enabled else strip
    console = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=500)
    return strip.render(console)


def contrast(one, other):
    """The ratio of WCAG 2.1."""
    bright, dark = sorted((luminance(Color.parse(c)) for c in (one, other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(colour):
    channels = [
        c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.normalized
    ]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), channels, strict=True))


async def test_how_ink_looks_depends_on_nothing_that_is_worn_meanwhile(bitwise):
    """The sheet finds it once for each theme (`ink/inked.py`)."""
    app = UnfoldApp(bitwise)
    async with app.run_test():
        ink = {name for kind in _kinds_of(Inked) for name in kind._get_component_classes()}
        rules = [
            selectors.selectors for rule in app.stylesheet.rules for selectors in rule.selector_set
        ]
    about = [rule for rule in rules if rule[-1].name in ink]
    assert len(about) > 100
    for rule in about:
        assert rule[-1].type is SelectorType.CLASS
        for selector in rule[:-1]:
            assert selector.type is not SelectorType.CLASS, rule
            assert selector.name == "App" or not selector.pseudo_classes, rule


def _kinds_of(widget):
    return {widget}.union(*map(_kinds_of, widget.__subclasses__()))
