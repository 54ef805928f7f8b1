"""Code in colour, a line at a time: assembly, LLVM IR, PTX, CUDA, C++.

A listing has thousands of lines of which forty are seen, so nothing may depend on the lines before.
One regular expression a language finds what stands out; all else stays as it is.
"""

from __future__ import annotations

import re
from functools import lru_cache

from visualizer.layout.words import Parts

LOOKS = (
    "code--comment",
    "code--string",
    "code--label",
    "code--directive",
    "code--vector",
    "code--register",
    "code--number",
    "code--keyword",
    "code--operation",
)

_NUMBER = r"(?P<number>[$#]?-?\b(?:0x[0-9a-fA-F]+|\d+\.?\d*(?:e[+-]?\d+)?)\b)"
_STRING = r'(?P<string>"[^"]*"?)'
_LANGUAGES = {
    "assembly": re.compile(
        rf"(?P<comment>(?:\s#|//|;).*)|{_STRING}|^(?P<label>[\w.$]+:)|(?P<directive>(?<=\t)\.\w+)"
        r"|^\s+(?P<operation>[a-z][\w.]*)|(?P<vector>%?\b[xyz]mm\d+|\b[vqz]\d+\b)"
        rf"|(?P<register>%\w+)|{_NUMBER}"
    ),
    "PTX": re.compile(
        rf"(?P<comment>//.*)|{_STRING}|^(?P<label>[\w$]+:)|^\s*(?P<operation>[a-z]\w*(?:\.\w+)*)"
        rf"|(?P<directive>\.\w+)|(?P<register>%\w+(?:\.\w)?)|{_NUMBER}"
    ),
    "LLVM IR": re.compile(
        rf"(?P<comment>;.*)|{_STRING}|^(?P<label>[\w.$-]+:)|(?P<register>[%@!#][\w.$-]+)"
        r"|(?P<vector><\d+ x \w+>)|(?P<keyword>\b(?:define|declare|ret|br|switch|label|to|i\d+|ptr"
        r"|float|double|half|bfloat|void|null|true|false|undef|poison|x)\b)"
        r"|(?:(?<==\s)|^\s+)(?P<operation>(?:tail )?[a-z]\w*)"
        rf"|{_NUMBER}"
    ),
    "CUDA": re.compile(
        rf"(?P<comment>//.*)|(?P<directive>^\s*#\s*\w+)|{_STRING}|(?P<keyword>\b(?:__\w+__|typedef"
        r"|const|template|typename|using|struct|class|static|inline|extern|if|else|for|while|return"
        r"|void|bool|char|signed|unsigned|short|int|long|float|double|auto|ptrdiff_t|size_t)\b)"
        rf"|{_NUMBER}"
    ),
    "C++": re.compile(
        rf"(?P<comment>//.*)|(?P<directive>^\s*#\s*\w+)|{_STRING}|(?P<keyword>\b(?:namespace|using"
        r"|template|typename|class|struct|enum|public|protected|private|virtual|override|final|const"
        r"|constexpr|static|inline|if|else|for|while|do|switch|case|default|break|continue|return"
        r"|void|bool|char|signed|unsigned|short|int|long|float|double|auto|size_t|u?int\d+_t|nullptr"
        r"|true|false|new|delete|this|operator)\b)"
        rf"|{_NUMBER}"
    ),
}


@lru_cache(maxsize=4096)
def _coloured(line: str, language: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    parts: list[tuple[str, tuple[str, ...]]] = []
    end = 0
    for match in _LANGUAGES[language].finditer(line):
        kind = match.lastgroup
        if kind is None or not match[kind]:
            continue
        begin, finish = match.span(kind)
        parts += [(line[end:begin], ()), (line[begin:finish], (f"code--{kind}",))]
        end = finish
    return tuple(part for part in (*parts, (line[end:], ())) if part[0])


def coloured(line: str, language: str) -> Parts:
    """One line, its tabs as blanks."""
    return list(_coloured(line, language)) if "\t" not in line else _expanded(line, language)


def _expanded(line: str, language: str, tab: int = 8) -> Parts:
    parts: Parts = []
    column = 0
    for text, look in _coloured(line, language):
        pieces = text.split("\t")
        for i, piece in enumerate(pieces):
            column += len(piece)
            if i < len(pieces) - 1:
                blanks = tab - column % tab
                piece, column = piece + " " * blanks, column + blanks
            if piece:
                parts.append((piece, look))
    return parts
