"""A compiler's command line, read for what it says to the preprocessor.

Compilers take most flags in several forms: `-Idir` and `-I dir`, `-include file` and `-includefile`,
`--define-macro=X` and `-DX`. Everything that is not for the preprocessor is passed over; of some such
flags the operand must be passed over too, lest `-o -Ibuild` be taken for an include folder.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence

from visualizer.expansion.options import Options
from visualizer.expansion.predefined import DEFAULT_C, DEFAULT_CXX, is_cxx, is_standard
from visualizer.expansion.readable import may_read

# Each flag by its forms, whose operand may follow at once, after `=` (long forms), or as next word.
_FORMS = {
    "-I": "include",
    "--include-directory": "include",
    "-iquote": "quote",
    "-isystem": "system",
    "-cxx-isystem": "system",
    "-idirafter": "after",
    "--include-directory-after": "after",
    "-D": "D",
    "--define-macro": "D",
    "-U": "U",
    "--undefine-macro": "U",
    "-include": "force",
    "--include": "force",
    "-imacros": "force",
    "--imacros": "force",
    "-std": "std",
    "--std": "std",
    "-x": "language",
    "--language": "language",
}
_BY_LENGTH = sorted(_FORMS, key=len, reverse=True)
# Flags of other parts of the compiler, whose operand is the next word; or that begin like one of ours.
_WITH_OPERAND = (
    "-o -MF -MT -MQ -MJ -arch -target -ccbin -gcc-toolchain -isysroot --sysroot -iprefix -L -l -B "
    "-iwithprefix -iwithprefixbefore -imultilib -include-pch -include-pth -Xlinker -Xassembler "
    "-Xcudafe -Xptxas -Xarch_host -Xarch_device -mllvm -aux-info -dumpbase -e -u -z -T --param "
    "-gencode --generate-code --options-file"
)
_PASSED_OVER = frozenset(_WITH_OPERAND.split())
_WITHOUT_OPERAND = ("-include-pch", "-isysroot", "-iprefix", "-iwithprefix", "-imultilib")
_WRAPPERS = ("-Xclang", "-Xpreprocessor", "-Xcompiler")  # the next word is a flag too
_RESPONSE_DEPTH = 8  # response files inside response files


def flags_among(words: Sequence[str], directory: str, is_c: bool) -> Options:
    """The preprocessor's options among a command's words, relative paths starting from `directory`.
    `is_c`: without `-x` or `-std`, the file is one of C."""
    given: dict[str, list[str]] = {kind: [] for kind in _FORMS.values()}
    macros: list[tuple[str, str]] = []
    for kind, operand in _flags(_all_words(words[1:], directory, 0)):
        if kind in ("D", "U"):
            macros.append((kind, operand))
        else:
            given[kind].append(operand)

    def folders(kind: str) -> tuple[str, ...]:
        return tuple(_in(directory, folder.removeprefix("=")) for folder in given[kind])

    if given["language"]:
        is_c = given["language"][-1] in ("c", "c-header", "cpp-output")
    standards = [std for std in given["std"] if is_standard(std) and is_cxx(std) != is_c]
    return Options(
        include_folders=(*folders("quote"), *folders("include")),
        system_folders=(*folders("system"), *folders("after")),
        macros=tuple(macros),
        forced_includes=tuple(_header(directory, name) for name in given["force"]),
        std=standards[-1] if standards else DEFAULT_C if is_c else DEFAULT_CXX,
    )


def _flags(words: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Those flags that concern the preprocessor: what they are, and their operands."""
    for word in words:
        if word == "--":
            return  # what follows are files
        if word in _PASSED_OVER:
            next(words, None)
            continue
        if word in _WRAPPERS or word.startswith(_WITHOUT_OPERAND):
            continue
        form = next((f for f in _BY_LENGTH if word.startswith(f)), None)
        if form is None:
            continue
        operand = word[len(form) :]
        long = form.startswith("--") or form == "-std"
        if not operand:
            operand = next((w for w in words if w not in _WRAPPERS), "")
        elif long and operand[0] == "=":
            operand = operand[1:]
        elif long:
            continue  # another flag that begins alike, `-stdlib=libc++`
        if operand:
            yield _FORMS[form], operand


def _all_words(words: Sequence[str], directory: str, depth: int) -> Iterator[str]:
    """The words, with `@file` replaced by the words in that file, and `-Wp,-DX,-UY` taken apart."""
    for word in words:
        if word.startswith("-Wp,"):
            yield from word.split(",")[1:]
        elif word.startswith("@") and depth < _RESPONSE_DEPTH:
            path = _in(directory, word[1:])
            try:
                if not may_read(path):
                    raise FileNotFoundError
                with open(path, encoding="utf-8") as file:
                    inside = shlex.split(file.read())
            except (OSError, ValueError):  # as gcc does, take it for what it says
                yield word
            else:
                yield from _all_words(inside, directory, depth + 1)
        else:
            yield word


def _in(directory: str, path: str) -> str:
    return os.path.normpath(os.path.join(directory, path))


def _header(directory: str, name: str) -> str:
    """A forced include: found in the compiler's folder, else later along the include path."""
    path = _in(directory, name)
    return path if os.path.isfile(path) else name
