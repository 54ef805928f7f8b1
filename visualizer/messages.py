"""What Unfold says, in its reader's language.

The code says everything in English: `_("Esc closes")` gives the reader's words for that, `ngettext`
those for so many of something, and `N_` only marks what is said later. Identifiers, tokens and what a
compiler or a framework says have no other words. The catalogs are gettext's, `locale/LANGUAGE.po`, kept
by `make messages`; they are read as they stand, when something is said for the first time: there is
nothing to build, and so nothing that can be out of date. Whoever reads English pays for none of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

ENGLISH = "en"
ASKED = "UNFOLD_LANG"  # by --lang: before the settings, and in processes that this one starts too
_FOLDER = Path(__file__).with_name("locale")
_VARIABLES = "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"  # as gettext asks them

Catalog = Mapping[str, tuple[str, ...]]


class _Spoken:
    """The language that is spoken in this process, and its catalog once somebody has spoken."""

    choose: Callable[[], str] = lambda: language_of_system()
    language: str | None = None
    catalog: Catalog = {}  # noqa: RUF012
    form: Callable[[int], int] = lambda number: 0


def language_of_system(environment: Mapping[str, str] = os.environ) -> str:
    """The language for which the environment asks: `zh` for `zh_CN.UTF-8`."""
    asked = next(filter(None, map(environment.get, _VARIABLES)), "")
    for one in asked.split(":"):  # LANGUAGE may name several
        code = one.partition("_")[0].partition(".")[0].lower()
        if code == ENGLISH or code in languages():
            return code
    return ENGLISH


def languages() -> list[str]:
    """Those that there is a catalog for, besides English."""
    return sorted(path.stem for path in _FOLDER.glob("*.po"))


def speak(language: str | Callable[[], str]) -> None:
    """What the settings name, from now on; nothing means the system's. Who has yet to find out what
    they name is asked when something is said."""
    _Spoken.choose = language if callable(language) else lambda: language
    _Spoken.language = None


def spoken() -> str:
    if _Spoken.language is None:
        asked = os.environ.get(ASKED)
        _Spoken.language = asked or _Spoken.choose() or language_of_system()
        path = _FOLDER / f"{_Spoken.language}.po"
        _Spoken.catalog = {} if _Spoken.language == ENGLISH else read(path)
        if _Spoken.catalog:
            _Spoken.form = _plural_form(_Spoken.catalog[""][0])
    return _Spoken.language


def _(text: str) -> str:
    if _Spoken.language is None:
        spoken()
    said = _Spoken.catalog.get(text)
    return said[0] if said is not None and text else text


def ngettext(one: str, many: str, number: int) -> str:
    spoken()
    said = _Spoken.catalog.get(one)
    if said is None:
        return one if number == 1 else many
    return said[_Spoken.form(number)]


def N_(text: str, many: str = "") -> str:
    """Only marks a text, or one and that of several, which is looked up where it is said."""
    return text


def read(path: Path) -> Catalog:
    """The messages of a catalog: what is said for each, or its forms where it counts something. One
    that has no words yet is left out, and so said in English. There may be no such catalog."""
    if not path.is_file():
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for entry in _entries(path):
        said = tuple(text for key, text in entry.items() if key.startswith("msgstr"))
        if all(said):
            found[entry["msgid"]] = said
    return found


def _entries(path: Path) -> Iterator[dict[str, str]]:
    """Each entry's texts by their keywords: `msgid`, `msgid_plural`, `msgstr`, `msgstr[0]` …"""
    import json  # whose strings are written as a catalog's are

    entry: dict[str, str] = {}
    key = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith('"'):
            entry[key] += json.loads(line)
        elif line.startswith("msg"):
            key, _, text = line.partition(" ")
            if key == "msgid" and entry:
                yield entry
                entry = {}
            entry[key] = json.loads(text)
    if entry:
        yield entry


def _plural_form(header: str) -> Callable[[int], int]:
    from gettext import c2py  # whoever reads English needs none

    line = next(row for row in header.splitlines() if row.startswith("Plural-Forms:"))
    form: Callable[[int], int] = c2py(line.partition("plural=")[2].strip().rstrip(";"))
    return form
