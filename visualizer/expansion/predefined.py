"""The macros that exist before the first line.

A compiler defines some hundreds. These are the ones that a program can expect of every compiler
(C23 §6.10.10, C++ [cpp.predefined]) and the few that tell a GNU-like x86-64 Linux compiler, so that
nothing needs to be installed. `-D`, `-U` add to them or take away.
"""

from __future__ import annotations

CXX = {"c++98": 199711, "c++11": 201103, "c++14": 201402, "c++17": 201703, "c++20": 202002}
CXX |= {"c++23": 202302}
C = {"c99": 199901, "c11": 201112, "c17": 201710, "c23": 202311}
_ALIASES = {
    "c++03": "c++98",
    "c++0x": "c++11",
    "c++1y": "c++14",
    "c++1z": "c++17",
    "c++2a": "c++20",
    "c++2b": "c++23",
    "c9x": "c99",
    "c1x": "c11",
    "c18": "c17",
    "c2x": "c23",
}
DEFAULT_C, DEFAULT_CXX = "gnu17", "gnu++17"  # as gcc and clang have had them for years

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


def is_standard(name: str) -> bool:
    """Whether `--std NAME` is one that gcc knows."""
    return canonical(name) in CXX | C


def is_cxx(std: str) -> bool:
    """Whether a language standard is one of C++."""
    return canonical(std) in CXX


def predefined(std: str) -> str:
    """`#define` lines for a language standard, by gcc's name for it: c17, gnu11, c++20, gnu++2a."""
    name = canonical(std)
    macros = dict(_COMMON)
    if name in CXX:
        macros |= {"__cplusplus": f"{CXX[name]}L", "_GNU_SOURCE": "1"}
    else:
        macros["__STDC_VERSION__"] = f"{C[name]}L"
    if not std.startswith("gnu"):
        macros["__STRICT_ANSI__"] = "1"
    return "".join(f"#define {name} {value}\n" for name, value in macros.items())


def canonical(std: str) -> str:
    name = "c" + std.removeprefix("gnu") if std.startswith("gnu") else std
    return _ALIASES.get(name, name)
