"""The macros that exist before the first line.

A compiler defines some hundreds. These are the ones that a program can expect of every compiler
(C23 §6.10.10, C++ [cpp.predefined]) and the few that tell a GNU-like x86-64 Linux compiler, so that
nothing needs to be installed. `-D`, `-U` add to them or take away.
"""

from __future__ import annotations

import re

CXX = {"c++98": 199711, "c++11": 201103, "c++14": 201402, "c++17": 201703, "c++20": 202002}
CXX |= {"c++23": 202302, "c++26": 202400}
C = {"c90": 0, "c94": 199409, "c99": 199901, "c11": 201112, "c17": 201710, "c23": 202311}
C |= {"c2y": 202500}
_ALIASES = {
    "c++03": "c++98",
    "c++0x": "c++11",
    "c++1y": "c++14",
    "c++1z": "c++17",
    "c++2a": "c++20",
    "c++2b": "c++23",
    "c++2c": "c++26",
    "c89": "c90",
    "c9x": "c99",
    "c1x": "c11",
    "c18": "c17",
    "c2x": "c23",
    "iso9899:1990": "c90",
    "iso9899:199409": "c94",
    "iso9899:1999": "c99",
    "iso9899:199x": "c99",
    "iso9899:2011": "c11",
    "iso9899:2017": "c17",
    "iso9899:2018": "c17",
    "iso9899:2024": "c23",
}
ANSI = "ansi"  # of `-ansi`: the first standard of whichever language it is
ASSEMBLER = "assembler"  # no standard: what stands in the place of one for a `.S`
USUAL_C, USUAL_CXX = "c", "c++"  # of `-x`: whichever standard of that language the compiler takes
DEFAULT_C, DEFAULT_CXX = "gnu17", "gnu++17"  # of no compiler; gcc's for years, and clang's since 16

_VERSION = re.compile(r"^#define (__cplusplus|__STDC_VERSION__) ([0-9]+)L$", re.M)

_COMMON = {
    "__STDC__": "1",
    "__STDC_HOSTED__": "1",
    "__SIZEOF_INT__": "4",
    "__SIZEOF_LONG__": "8",
    "__SIZEOF_POINTER__": "8",
    "__CHAR_BIT__": "8",
    "__INT_MAX__": "0x7fffffff",
    "__LONG_MAX__": "0x7fffffffffffffffL",
    "__x86_64__": "1",
    "__linux__": "1",
    "__unix__": "1",
    "__LP64__": "1",
}


def settled(std: str, cxx: bool) -> str:
    """The standard that is meant by none, by ANSI, or by that name: USUAL_C or USUAL_CXX for none."""
    if std == ANSI:
        return "c++98" if cxx else "c90"
    return std or (USUAL_CXX if cxx else USUAL_C)


def is_standard(name: str) -> bool:
    """Whether `--std NAME` is one that gcc knows."""
    return canonical(name) in CXX | C


def is_cxx(std: str) -> bool:
    """Whether a language standard is one of C++."""
    return std == USUAL_CXX or canonical(std) in CXX


def told_by(macros: str) -> str:
    """The standard that a compiler's own `#define` lines are of, by gcc's name."""
    values: dict[str, str] = dict(_VERSION.findall(macros))
    known = CXX if "__cplusplus" in values else C
    value = int(values.get("__cplusplus", values.get("__STDC_VERSION__", "0")))
    *_, name = (name for n, (name, since) in enumerate(known.items()) if not n or since <= value)
    return name if "#define __STRICT_ANSI__ 1" in macros else "gnu" + name.removeprefix("c")


def predefined(std: str) -> str:
    """`#define` lines for a language standard, by gcc's name for it: c17, gnu11, c++20, gnu++2a."""
    name = canonical(std)
    macros = dict(_COMMON)
    if std == ASSEMBLER:
        return "".join(f"#define {k} {v}\n" for k, v in {**macros, "__ASSEMBLER__": "1"}.items())
    if name in CXX:
        macros |= {"__cplusplus": f"{CXX[name]}L", "_GNU_SOURCE": "1"}
    elif C[name]:
        macros["__STDC_VERSION__"] = f"{C[name]}L"
    if not std.startswith("gnu"):
        macros["__STRICT_ANSI__"] = "1"
    return "".join(f"#define {name} {value}\n" for name, value in macros.items())


def other_names(std: str) -> list[str]:
    """What else a standard is called, for a compiler that knows it by an older name only."""
    dialect = "gnu" if std.startswith("gnu") else "c"
    named = [a for a, name in _ALIASES.items() if name == canonical(std) and a[0] == "c"]
    return [dialect + alias.removeprefix("c") for alias in reversed(named)]


def before(std: str) -> str | None:
    """The standard before this one, of the same language and dialect."""
    if std == ASSEMBLER:
        return None
    of_the_language = [*(CXX if is_cxx(std) else C)]
    at = of_the_language.index(canonical(std))
    dialect = "gnu" if std.startswith("gnu") else "c"
    return dialect + of_the_language[at - 1].removeprefix("c") if at else None


def canonical(std: str) -> str:
    name = "c" + std.removeprefix("gnu") if std.startswith("gnu") else std
    return _ALIASES.get(name, name)
