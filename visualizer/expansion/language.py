"""What a language standard changes about reading characters: trigraphs, raw strings, separators.

C and C++ took such things up, and dropped them, in different years; gcc's `gnu…` names take up some
earlier and never had trigraphs. The years are those of gcc (`lang_defaults` in `libcpp/init.cc`); where
clang's are others, `in_clang` has them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from visualizer.expansion.predefined import ASSEMBLER, CXX, C, canonical

DIALECTS = ("standard", "msvc-traditional")
_CLANG = re.compile(r"^#define __clang_major__ (\d+)", re.MULTILINE)
_RAW_STRINGS_IN_C = 19  # clang's release


@dataclass(frozen=True, slots=True)
class Language:
    """`strict` is a standard by its own name, without GNU's extensions where they contradict it.
    `msvc_traditional` is Microsoft's older preprocessor, in what its documentation says of it:
    "MSVC new preprocessor overview", learn.microsoft.com/cpp/preprocessor.
    """

    cxx: bool = True
    assembler: bool = False  # `$` is no letter, and what C would refuse may mean something to it
    msvc_traditional: bool = False
    strict: bool = False
    trigraphs: bool = False
    raw_strings: bool = True
    digit_separators: bool = True
    literal_suffixes: bool = True
    unicode_literals: bool = True  # u8"" u"" U"" u'' U'': else `u` is a name before a string
    utf8_characters: bool = True  # u8''
    extended_names: bool = True  # with letters beside ASCII's
    universal_names: bool = True  # with such letters as `\\u00e9`
    universal_when_pasted: bool = (
        True  # what `##` makes of two names is read for such letters again
    )
    keeps_space: bool = False  # of a token, though a macro's name that vanished up to it has none
    elifdef: bool = True  # `#elifdef` and `#elifndef`; else nothing is said by them
    division_before_comment: bool = False  # `a //* b */ c` of C90: a `/` and a comment


def language(
    std: str, dialect: str = "standard", flags: Sequence[str] = (), macros: str = ""
) -> Language:
    """The language of a standard by gcc's name: `c17`, `gnu++20`; `dialect` is of `DIALECTS`, `flags`
    are a compiler's, and which that is, its predefined `macros` tell."""
    of_the_standard = _language(std)
    spoken = replace(
        of_the_standard,
        msvc_traditional=dialect == "msvc-traditional",
        trigraphs=of_the_standard.trigraphs or "-trigraphs" in flags,
        keeps_space=dialect == "standard",
    )
    clang = _CLANG.search(macros)
    return in_clang(spoken, int(clang[1])) if clang is not None else spoken


def in_clang(language: Language, version: int) -> Language:
    """It has `#elifdef` and all letters in all standards, reads assembler as C, has raw strings in C
    since its release 19, and takes two names that `##` joins as they are spelled."""
    return replace(
        language,
        elifdef=True,
        extended_names=True,
        universal_names=language.universal_names or language.assembler,
        universal_when_pasted=False,
        keeps_space=False,
        unicode_literals=language.unicode_literals or language.assembler,
        raw_strings=language.raw_strings and (language.cxx or version >= _RAW_STRINGS_IN_C),
    )


def _language(std: str) -> Language:
    if std == ASSEMBLER:
        return Language(
            cxx=False,
            assembler=True,
            extended_names=False,
            universal_names=False,
            raw_strings=False,
            digit_separators=False,
            literal_suffixes=False,
            unicode_literals=False,
            utf8_characters=False,
        )
    name = canonical(std)
    strict = not std.startswith("gnu")
    if name in CXX:
        modern = CXX[name] >= CXX["c++11"]
        return Language(
            cxx=True,
            strict=strict,
            trigraphs=strict and CXX[name] < CXX["c++17"],
            raw_strings=modern,
            digit_separators=CXX[name] >= CXX["c++14"],
            literal_suffixes=modern,
            unicode_literals=modern,
            utf8_characters=CXX[name] >= CXX["c++17"],
            elifdef=not strict or CXX[name] >= CXX["c++23"],
        )
    return Language(
        cxx=False,
        strict=strict,
        trigraphs=strict and C[name] < C["c23"],
        raw_strings=not strict and C[name] >= C["c99"],
        digit_separators=C[name] >= C["c23"],
        literal_suffixes=False,
        unicode_literals=C[name] >= C["c99" if not strict else "c11"],
        utf8_characters=C[name] >= C["c23"],
        extended_names=C[name] >= C["c99"],
        universal_names=C[name] >= C["c99"],
        elifdef=not strict or C[name] >= C["c23"],
        division_before_comment=strict and C[name] < C["c99"],
    )
