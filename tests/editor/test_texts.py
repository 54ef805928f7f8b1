"""An edited text and its places, held against Python's own encodings."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visualizer.editor.texts import Encoding, Spot, path_of, read, tidy
from visualizer.expansion.tokens import Source

WIDTH: dict[Encoding, tuple[str, int]] = {
    "utf-8": ("utf-8", 1),
    "utf-16": ("utf-16-le", 2),
    "utf-32": ("utf-32-le", 4),
}
TEXTS = st.text(st.sampled_from("ab\n\f é中😀\u2028\x85\t"), max_size=40)


def units(text: str, encoding: Encoding) -> int:
    name, width = WIDTH[encoding]
    return len(text.encode(name)) // width


@given(TEXTS, st.sampled_from(sorted(WIDTH)), st.data())
def test_a_place_is_counted_in_the_units_of_its_encoding(
    text: str, encoding: Encoding, data: st.DataObject
) -> None:
    here = read(text, encoding)
    offset = data.draw(st.integers(0, len(text)))
    line = text.count("\n", 0, offset)
    before = text[:offset].rpartition("\n")[2]
    spot = here.spot(offset)
    assert spot == Spot(line, units(before, encoding))
    assert here.offset(spot) == offset
    assert here.place(offset, "f") == Source("f", line + 1, len(before) + 1)
    assert here.offset_of(Source("f", line + 1, len(before) + 1)) == offset


@given(TEXTS, TEXTS, st.data())
def test_an_edit_puts_a_text_between_two_places(text: str, new: str, data: st.DataObject) -> None:
    first, last = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    here = read(text, "utf-16")
    assert (
        here.edited(here.spot(first), here.spot(last), new).text == text[:first] + new + text[last:]
    )


@pytest.mark.parametrize(
    ("spot", "offset"),
    [
        (Spot(0, 99), 2),  # behind the end of a line: its end
        (Spot(9, 0), 7),  # behind the last
        (Spot(-1, 0), 0),
        (Spot(1, -1), 3),
        (Spot(1, 1), 3),  # half an emoji
        (Spot(1, 2), 4),
    ],
)
def test_a_place_that_is_none_is_the_nearest_before_it(spot: Spot, offset: int) -> None:
    assert read("ab\n😀cd\n", "utf-16").offset(spot) == min(offset, len("ab\n😀cd\n"))


def test_lines_end_as_the_protocol_has_it() -> None:
    text = read("a\r\nb\fc\rd\n", "utf-16")
    assert text.crlf
    assert text.text == "a\nb\fc\rd\n"
    assert text.spot(text.text.index("d")) == Spot(2, 0)
    assert text.place(text.text.index("d")) == Source("", 2, 5)  # the engine's line goes on at \r
    assert text.as_in_file("x\ny") == "x\r\ny"


def test_half_a_character_is_shown_as_none() -> None:
    assert tidy("a\ud83d b") == "a� b"


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b%20c.cc", "/a/b c.cc"),
        ("file:///a/./x/../%E4%B8%AD.cc", "/a/中.cc"),
        ("file://localhost/a.cc", "/a.cc"),
        ("file://elsewhere/a.cc", None),
        ("untitled:Untitled-1", None),
        ("unfold:/1.1/a.cc", None),
        ("file:///a%00b", None),
        ("", None),
    ],
)
def test_the_path_of_a_uri(uri: str, path: str | None) -> None:
    assert path_of(uri) == path


def test_a_path_s_own_uri_leads_back(tmp_path: Path) -> None:
    path = tmp_path / "a b #中%.cc"
    assert path_of(path.as_uri()) == str(path)
