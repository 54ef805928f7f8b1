"""The picture of a state: well-formed, and its text the line's."""

from __future__ import annotations

import shutil
import subprocess
from xml.etree import ElementTree

import pytest

from visualizer.export.svg import svg
from visualizer.scene.tour import Tour

SVG = "{http://www.w3.org/2000/svg}"
_WITHOUT_SIGNS = str.maketrans("", "", "+−▸ ")
RENDERER = shutil.which("rsvg-convert")


def picture(toured: Tour, state: int, width: int = 100) -> ElementTree.Element:
    return ElementTree.fromstring("".join(svg(toured, state, width)))


def marked(root: ElementTree.Element, role: str) -> str:
    """The text of this look, without blanks."""
    spans = [s for s in root.iter(f"{SVG}tspan") if role in s.attrib["class"].split()]
    return "".join("".join("".join(s.itertext()) for s in spans).split())


def spelled(tokens) -> str:
    return "".join("".join(t.text.split()) for t in tokens)


@pytest.mark.parametrize("state", [0, 8, 60, 142])
def test_the_text_is_the_line_and_the_sentences(registration, state):
    root = picture(registration, state)
    texts = ["".join(t.itertext()) for t in root.iter(f"{SVG}text")]
    line = spelled([*registration.timeline.state(state), *registration.tail])
    assert line.translate(_WITHOUT_SIGNS) in "".join(texts).translate(_WITHOUT_SIGNS)
    assert root.find(f"{SVG}title").text.endswith(f", step {state} of 142")


def test_what_is_consumed_and_produced_is_marked_without_colours(registration):
    moment = registration.timeline.moments[59]
    root = picture(registration, 60)
    following = registration.timeline.moments[60]
    state = registration.timeline.state(60)
    assert marked(root, "produced") == spelled(moment.insert)
    assert marked(root, "consumed") == spelled(
        state[following.at : following.at + following.remove]
    )
    assert "".join(marked(root, f"{role}-sign") for role in ("produced", "head")) == "+▸"


def test_a_painted_name_is_in_italics_and_what_vanished_has_a_sign(of_text):
    root = picture(of_text("#define SELF a + SELF\nSELF\n"), 2)
    assert marked(root, "painted") == "SELF"
    assert ".painted { font-style: italic }" in root.find(f"{SVG}style").text
    vanished = picture(of_text("#define GONE(x)\n#define ID(x) x b\nID(GONE(a))\n"), 2)
    assert marked(vanished, "gone-sign") == "−"


def test_the_last_row_explains_what_is_there_and_nothing_else(of_text):
    toured = of_text("#define SELF a + SELF\nSELF\n")
    legends = ["".join([*picture(toured, n).iter(f"{SVG}text")][-1].itertext()) for n in (0, 1, 2)]
    assert legends[0] == "underlined: what the next step takes"
    assert legends[1].split("   ")[1] == "bold: what the last step made"
    assert legends[2].split("   ")[-1] == "italics: a name that stays as it is"
    assert "underlined" not in legends[2]


def test_any_text_stays_text(tricky):
    for state in range(len(tricky.timeline) + 1):
        shown = "".join("".join(picture(tricky, state).itertext()).split())
        line = spelled(tricky.timeline.state(state))
        assert line.translate(_WITHOUT_SIGNS) in shown.translate(_WITHOUT_SIGNS)


def test_no_row_is_wider_than_the_picture(registration):
    for width in (40, 100):
        root = picture(registration, 100, width)
        longest = max(float(t.attrib["textLength"]) for t in root.iter(f"{SVG}text"))
        assert longest <= float(root.attrib["width"]) - 32 + 1


def test_there_is_no_picture_of_a_state_that_is_not(registration):
    with pytest.raises(IndexError, match="there are 143 states; 143 is none of them"):
        picture(registration, 143)


@pytest.mark.skipif(RENDERER is None, reason="rsvg-convert is not installed")
def test_another_program_can_draw_it(registration, tmp_path):
    file = tmp_path / "state.svg"
    file.write_text("".join(svg(registration, 60)), encoding="utf-8")
    subprocess.run([RENDERER, file, "-o", tmp_path / "state.png"], check=True)
    assert (tmp_path / "state.png").read_bytes().startswith(b"\x89PNG")
