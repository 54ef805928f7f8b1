"""What a language standard changes about reading characters: trigraphs, raw strings, separators.

C and C++ took such things up, and dropped them, in different years; gcc's `gnu…` names take up some
earlier and never had trigraphs. The years are those of gcc (`lang_defaults` in `libcpp/init.cc`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from visualizer.expansion.predefined import CXX, C, canonical

DIALECTS = ("standard", "msvc-traditional")


@dataclass(frozen=True, slots=True)
class Language:
    """`strict` is a standard by its own name, without GNU's extensions where they contradict it.
    `msvc_traditional` is Microsoft's older preprocessor, in what its documentation says of it:
    "MSVC new preprocessor overview", learn.microsoft.com/cpp/preprocessor.
    """

    cxx: bool = True
    msvc_traditional: bool = False
    strict: bool = False
    trigraphs: bool = False
    raw_strings: bool = True
    digit_separators: bool = True
    literal_suffixes: bool = True


def language(std: str, dialect: str = "standard") -> Language:
    """The language of a standard by gcc's name: `c17`, `gnu++20`; `dialect` is of `DIALECTS`."""
    of_the_standard = _language(std)
    return replace(of_the_standard, msvc_traditional=dialect == "msvc-traditional")


def _language(std: str) -> Language:
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
        )
    return Language(
        cxx=False,
        strict=strict,
        trigraphs=strict and C[name] < C["c23"],
        raw_strings=not strict,
        digit_separators=C[name] >= C["c23"],
        literal_suffixes=False,
    )
