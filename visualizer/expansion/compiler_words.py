"""A compiler's command line, read for what it says to the preprocessor.

Compilers take most flags in several forms: `-Idir` and `-I dir`, `-include file` and `-includefile`,
`--define-macro=X` and `-DX`. Everything that is not for the preprocessor is passed over; of some such
flags the operand must be passed over too, lest `-o -Ibuild` be taken for an include folder. What is not
known to be for another part may matter: it is passed over too, and `passed_over` names it.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence

from visualizer.expansion.options import Options
from visualizer.expansion.predefined import ANSI, ASSEMBLER, is_cxx, is_standard, settled
from visualizer.expansion.readable import may_read, read_regular

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
    "-imacros": "macros",
    "--imacros": "macros",
    "-std": "std",
    "--std": "std",
    "-x": "language",
    "--language": "language",
    "-target": "target",
    "--target": "target",
    "-isysroot": "sysroot",
    "--sysroot": "sysroot",
}
_BY_LENGTH = sorted(_FORMS, key=len, reverse=True)
# Flags of other parts of the compiler, whose operand is the next word; or that begin like one of ours.
_WITH_OPERAND = (
    "-o -MF -MT -MQ -MJ -arch -ccbin -gcc-toolchain -iprefix -L -l -B "
    "-iwithprefix -iwithprefixbefore -imultilib -include-pch -include-pth -Xlinker -Xassembler "
    "-Xcudafe -Xptxas -Xarch_host -Xarch_device -mllvm -aux-info -dumpbase -e -u -z -T --param "
    "-gencode --generate-code --options-file"
)
_PASSED_OVER = frozenset(_WITH_OPERAND.split())
_MAY_MATTER = ("-B", "-arch", "-include-pch", "-include-pth", "-imultilib", "-mllvm", "-iprefix")
_WITHOUT_OPERAND = ("-include-pch", "-iprefix", "-iwithprefix", "-imultilib")
# Warnings, debugging, what is written where, messages, the linker: nothing that is seen here.
_CHANGES_NOTHING = re.compile(
    r"-(?:[WglLM].*|[cESvPCHswr]|o.+|pipe|p|pg|pedantic.*|static.*|shared.*|rdynamic|no-?pie|pie|nostdlib|"
    r"nodefaultlibs|nostartfiles|save-temps.*|-param=.*|f(?:no-)?(?:diagnostics|dump|debug|color|message|"
    r"caret|show)-.*|X(?:linker|assembler|cudafe|ptxas))"
)
_LAUNCHERS = ("ccache", "sccache", "distcc", "icecc", "gomacc", "env")
_WRAPPERS = ("-Xclang", "-Xpreprocessor", "-Xcompiler")  # the next word is a flag too
_PATHS = ("--sysroot",)  # to be made absolute first
_RESPONSE_DEPTH = 8  # response files inside response files
_LONGEST_RESPONSE = 1_000_000  # bytes
_ALL_RESPONSES, _BLOCK = 4_000_000, 4096  # bytes of all, and that each takes at least


def flags_among(words: Sequence[str], directory: str, is_c: bool) -> Options:
    """The preprocessor's options among a command's words, relative paths starting from `directory`.
    `is_c`: without `-x` or `-std`, the file is one of C."""
    given: dict[str, list[str]] = {kind: [] for kind in _FORMS.values()}
    macros: list[tuple[str, str]] = []
    compiler_flags: list[str] = []
    for kind, operand in _flags(all_words(words[1:], directory)):
        if kind in ("D", "U"):
            macros.append((kind, operand))
        elif kind == "compiler":
            compiler_flags.append(operand)
        elif kind in ("target", "sysroot"):
            named = operand if kind == "target" else _in(directory, operand)
            compiler_flags.append(f"--{kind}={named}")
        elif kind != "unknown":
            given[kind].append(operand)

    def folders(kind: str) -> tuple[str, ...]:
        return tuple(_in(directory, folder.removeprefix("=")) for folder in given[kind])

    words_of = (given[kind] for kind in ("include", "quote", "system", "after", "force", "macros"))
    paths = {_in(directory, word): word for each in words_of for word in reversed(each)}
    if given["language"][-1:] not in ([], ["none"]):
        is_c = given["language"][-1] in ("c", "c-header", "cpp-output")
        if given["language"][-1] == "assembler-with-cpp":
            given["std"] = [ASSEMBLER]
    asked = [settled(std, cxx=not is_c) for std in given["std"]]
    standards = [
        std for std in asked if std == ASSEMBLER or (is_standard(std) and is_cxx(std) != is_c)
    ]
    return Options(
        include_folders=folders("include"),
        system_folders=folders("system"),
        macros=tuple(macros),
        forced_includes=tuple(_header(directory, name) for name in given["force"]),
        quote_folders=folders("quote"),
        after_folders=folders("after"),
        macro_files=tuple(_header(directory, name) for name in given["macros"]),
        compiler_flags=tuple(filter(_may_reach, compiler_flags)),
        spelled=tuple(paths.items()),
        std=standards[-1] if standards else settled("", cxx=not is_c),
    )


def of_another_language(words: Sequence[str], directory: str, std: str) -> list[tuple[str, bool]]:
    """The `-std=` among a command's words that are of C++ where the file is read by `std`, one of C; or
    the other way round. And of each, whether it is the last word on the matter."""
    named = [operand for kind, operand in _flags(all_words(words[1:], directory)) if kind == "std"]
    return [
        (f"-std={one}", i == len(named))
        for i, one in enumerate(named, 1)
        if one != ANSI and is_standard(one) and is_cxx(one) != is_cxx(std)
    ]


def passed_over(words: Sequence[str], directory: str) -> tuple[str, ...]:
    """The flags among a command's words that nobody is asked about, though they may matter."""
    found: list[str] = []
    for kind, operand in _flags(all_words(words[1:], directory)):
        if kind == "std" and operand != ANSI and not is_standard(operand):
            found.append(f"-std={operand}")
        elif kind == "target" and not _may_reach(f"--target={operand}"):
            found.append(f"--target={operand}")
        elif kind == "unknown":
            found.append(operand)
    return tuple(dict.fromkeys(found))


def _may_reach(word: str) -> bool:
    from visualizer.expansion.compiler_flags import may_reach  # its lists take a while to be read

    return may_reach(word)


def compiler_of(words: Sequence[str]) -> str:
    """The compiler that a command starts, by its name: behind `ccache` and the like, which take a
    command, and without its path."""
    names = (os.path.basename(word) for word in words)
    return next((name for name in names if name not in _LAUNCHERS), "")


def _flags(words: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Those flags that concern the preprocessor: what they are, and their operands."""
    for word in words:
        if word == "--":
            return  # what follows are files
        if word in _PASSED_OVER:
            operand = next(words, "")
            if word in _MAY_MATTER:
                yield "unknown", f"{word} {operand}"
            continue
        if word in _WRAPPERS:
            continue
        if word.startswith(_WITHOUT_OPERAND):
            yield "unknown", word
            continue
        if word == "-ansi":
            yield "std", ANSI
            continue
        if _may_reach(word) and not word.startswith(_PATHS):
            yield "compiler", word
            continue
        form = next((f for f in _BY_LENGTH if word.startswith(f)), None)
        if form is None:
            if word[0] == "-" and word != "-" and not _CHANGES_NOTHING.fullmatch(word):
                yield "unknown", word
            continue
        operand = word[len(form) :]
        long = form.startswith("--") or form in ("-std", "-target")
        if not operand:
            operand = next((w for w in words if w not in _WRAPPERS), "")
        elif long and operand[0] == "=":
            operand = operand[1:]
        elif long:  # another flag that begins alike, `-stdlib=libc++`
            yield "unknown", word
            continue
        if operand:
            yield _FORMS[form], operand


def all_words(words: Sequence[str], directory: str) -> Iterator[str]:
    """The words, with `@file` replaced by the words in that file, and `-Wp,-DX,-UY` taken apart. Files
    that name each other ten times each are read as long as all of them are no more than a book."""
    left = _ALL_RESPONSES

    def inside(words: Sequence[str], depth: int) -> Iterator[str]:
        nonlocal left
        for word in words:
            if word.startswith("-Wp,"):
                yield from word.split(",")[1:]
            elif word.startswith("@") and depth < _RESPONSE_DEPTH:
                path = _in(directory, word[1:])
                try:
                    if not may_read(path):
                        raise FileNotFoundError
                    data = read_regular(path, min(left, _LONGEST_RESPONSE))
                    found = shlex.split(data.decode("utf-8"))
                except (OSError, ValueError):  # as gcc does, take it for what it says
                    yield word
                else:
                    left = max(0, left - max(len(data), _BLOCK))
                    yield from inside(found, depth + 1)
            else:
                yield word

    return inside(words, 0)


def _in(directory: str, path: str) -> str:
    return os.path.normpath(os.path.join(directory, path))


def _header(directory: str, name: str) -> str:
    """A forced include: found in the compiler's folder, else later along the include path."""
    path = _in(directory, name)
    return path if os.path.isfile(path) else name
