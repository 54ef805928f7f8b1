"""What the screens say in other languages: each catalog has words for all that the code says, and for
nothing else; what is put in is put in; and a term is that of the lessons. Whose keys and names they are
is what Babel's own reader reads."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from inspect import getmembers, isclass
from pkgutil import walk_packages
from string import Formatter

import pytest
from textual.binding import Binding
from textual.dom import DOMNode

import visualizer.tui
from tests import catalog
from visualizer import messages
from visualizer.messages import ngettext
from visualizer.workbench.samples import lessons_folder

CATALOGS = [pytest.param(path, id=path.stem) for path in catalog.catalogs()]
_KEYS = re.compile(r"\b(?:Enter|Esc|Tab|Ctrl\+\w|F\d|Space|Backspace|Shift\+Tab)\b|[←→↑↓▸◂✓✗]")


def keys_of(said):
    return [
        message.id if isinstance(message.id, str) else message.id[0]
        for message in said
        if message.id
    ]


@pytest.mark.parametrize("path", CATALOGS)
def test_a_catalog_has_what_is_said_and_nothing_else(path):
    """`make messages` writes what is new into it."""
    assert sorted(keys_of(catalog.load(path))) == sorted(keys_of(catalog.extracted()))


@pytest.mark.parametrize("path", CATALOGS)
def test_everything_has_words(path):
    without = [m.id for m in catalog.load(path) if m.id and (m.fuzzy or not all([*m.string]))]
    assert without == []


# A half-width mark that touches a Chinese character, or stands between what is put in. `?:` is C's, and
# the key `,` stands between blanks.
_HALF_WIDTH = re.compile(
    r"[\u4e00-\u9fff][,;!?:](?!:)|(?<!\?)[,;!?:][\u4e00-\u9fff]|}[,;:]{(?!line|column)"
)


def test_marks_among_chinese_are_full_width():
    (path,) = (path for path in catalog.catalogs() if path.stem == "zh")
    each = (m.string for m in catalog.load(path))
    said = (form for forms in each for form in ([forms] if isinstance(forms, str) else forms))
    lessons = [path.read_text("utf-8") for path in lessons_folder().glob("*/*/*.zh.md")]
    rows = [line for text in (*said, *lessons) for line in text.splitlines()]
    assert [row for row in rows if _HALF_WIDTH.search(row)] == []


@pytest.mark.parametrize("path", CATALOGS)
def test_what_is_put_in_is_put_in(path):
    """The names in braces, and the keys, are those of the English. One form may leave out a number."""
    for message in catalog.load(path):
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        asked = set().union(*map(_fields, ids))
        for form in forms:
            assert _fields(form) <= asked, message.id
            assert _fields(form) >= set.intersection(*map(_fields, ids)), message.id
            assert set(_KEYS.findall(ids[-1])) == set(_KEYS.findall(form)), message.id
            blanks = len(ids[-1]) - len(ids[-1].lstrip(" "))
            if blanks > 1:
                assert form.startswith(" " * blanks), message.id


def _fields(text: str) -> set[tuple[str, str]]:
    return {(name, spec or "") for _, name, spec, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("path", CATALOGS)
def test_a_term_is_that_of_the_lessons(path):
    glossary = tomllib.loads((lessons_folder() / "glossary.toml").read_text(encoding="utf-8"))
    text = path.read_text(encoding="utf-8")
    for term, words in glossary.items():
        others = [word for word in words.get("not", ()) if word in text]
        assert not others, f"{term} is {words[path.stem]}"


@pytest.mark.parametrize("path", CATALOGS)
def test_the_reader_reads_what_babel_reads(path):
    theirs = {
        message.id if isinstance(message.id, str) else message.id[0]: message.string
        for message in catalog.load(path)
        if message.id
    }
    ours = messages.read(path)
    assert {key: said for key, said in ours.items() if key} == {
        key: said if isinstance(said, tuple) else (said,) for key, said in theirs.items()
    }


def test_what_a_key_says_is_found():
    """Also where its words are put together in a way that no reading of the text finds. The number of
    a tab and the names of two frameworks have no other words."""
    known = set(keys_of(catalog.extracted()))
    said = {
        text
        for module in walk_packages(visualizer.tui.__path__, "visualizer.tui.")
        for _, owner in getmembers(import_module(module.name), isclass)
        if issubclass(owner, DOMNode) and owner.__module__.startswith("visualizer.")
        for binding in Binding.make_bindings(owner.__dict__.get("BINDINGS", ()))
        for text in (
            binding.description,
            binding.tooltip,
            binding.group and binding.group.description,
        )
        if text and not re.fullmatch(r"tab \d|fluid|phi", text)
    }
    assert said - known == set()


def test_the_language_is_the_systems_unless_the_settings_name_one(monkeypatch):
    assert messages.language_of_system({"LANG": "zh_CN.UTF-8"}) == "zh"
    assert messages.language_of_system({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}) == "en"
    assert messages.language_of_system({"LANGUAGE": "xx:zh:en", "LANG": "de_DE"}) == "zh"
    assert messages.language_of_system({}) == "en"
    monkeypatch.setenv("LANGUAGE", "zh")
    messages.speak("")
    assert messages.spoken() == "zh"
    messages.speak("en")
    assert messages.spoken() == "en"
    monkeypatch.setenv(messages.ASKED, "zh")
    messages.speak("en")
    assert messages.spoken() == "zh"


def test_plural_forms_are_the_languages_own():
    messages.speak("en")
    assert ngettext("{count} page", "{count} pages", 1) == "{count} page"
    assert ngettext("{count} page", "{count} pages", 2) == "{count} pages"
    messages.speak("zh")
    assert {ngettext("{count} page", "{count} pages", n) for n in (0, 1, 2)} == {"{count} 页"}
