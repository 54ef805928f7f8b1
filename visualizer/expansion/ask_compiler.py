"""Asking an installed compiler what it defines, where it looks for headers, and what it has.

One call says it all: `-dM` prints the macros that are defined at the end of its input, `-v` the
include path; and the input defines a macro for each answer to a question like `__has_builtin(X)`. A
file's own flags are among its words, since only the compiler knows what `-march=native` defines: those
that may reach it (`compiler_flags`). What it doesn't take is left out and said. It is started in an
empty folder, and is never one that a file names: only what is called so on PATH.

The answer is kept on disk for as long as the compiler is the same file, and the folders of its include
path are there, or not there, as it said.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from visualizer.expansion.cache_folder import fits, name_of, read_entry, write_entry
from visualizer.expansion.compiler import HAS_EMBED, OPERATORS, Compiler, Question, no_compiler
from visualizer.expansion.diagnostics import InputError
from visualizer.expansion.predefined import (
    ASSEMBLER,
    CXX,
    DEFAULT_C,
    DEFAULT_CXX,
    USUAL_C,
    USUAL_CXX,
    C,
    before,
    canonical,
    is_cxx,
    other_names,
    told_by,
)
from visualizer.expansion.readable import is_confined
from visualizer.expansion.tokens import Source

if TYPE_CHECKING:
    from visualizer.expansion.options import Options

COMPILERS = ("gcc", "clang", "g++", "clang++", "cc", "c++")  # of a machine itself, on its PATH

_CXX_DRIVER = re.compile(r"(?:g|c|clang)\+\+(?:-[0-9.]+)?\Z")
_ASKED_FOR = (*OPERATORS, HAS_EMBED)
_SECONDS = 30
# An answer beside 0 and 1 is the month in which a paper was voted in, or an extension made: 202311.
_BITS = 20
_ANSWER = re.compile(r"#define __unfold_answer_(\d+)_(\d+) 1\n")
_OPERATOR = re.compile(r"#define __unfold_operator_(\d+) 1\n")
_FOLDERS = re.compile(r"^#include <...> search starts here:\n(.*?)^End of search list", re.M | re.S)
_ABSENT = re.compile(r'^ignoring nonexistent directory "(.*)"$', re.M)
_ENVIRONMENT = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX", "SDKROOT")


def compiler_for(choice: str, std: str, flags: Sequence[str] = ()) -> Compiler:
    """The compiler of `--cc`: a name such as `gcc` or `clang-14`, `none`, or `auto`, the first of gcc
    and clang that is there.

    Raises InputError if the one that was asked for by name is not installed, or does not answer.
    """
    taken = _that_reach(flags)
    for name in _names(choice):
        path = called(name)
        if path is not None:
            try:
                return _willing(path, name, std, taken)
            except (OSError, ValueError) as error:
                if choice != "auto":
                    raise _failed(choice, f"does not answer: {error}") from None
    if choice not in ("auto", "none"):
        raise _failed(choice, "is not installed")
    found = no_compiler(std)
    if choice == "none":  # by the user's will
        return found
    return replace(found, remarks=_left_out("the built-in tables", taken))


def usual_standard(choice: str, cxx: bool) -> str:
    """The standard that the compiler of `--cc` takes where it is told none: of clang 14 gnu++14, of gcc
    15 gnu23. The tables' where there is no such compiler, or it does not answer."""
    path = next(filter(None, map(called, _names(choice))), None)
    try:
        if path is not None:
            return _usual(path, _version(path), USUAL_CXX if cxx else USUAL_C)
    except (OSError, ValueError):  # which is said where it is asked for all the rest
        pass
    return DEFAULT_CXX if cxx else DEFAULT_C


@lru_cache(maxsize=16)
def _usual(path: str, version: tuple[str, ...], language: str) -> str:
    name = f"standard-{name_of('standard 2', path, *version, language)}"
    data = read_entry(name)
    if data is not None and canonical(data.decode()) in {**C, **CXX}:
        return data.decode()
    known = _all_answers(path, language, ())
    told = told_by(known["macros"])
    # All that is asked of a compiler with its own standard is answered by that: one call, not two.
    write_entry(_entry(path, told, ()), json.dumps(known).encode())
    write_entry(name, told.encode())
    return told


def _names(choice: str) -> tuple[str, ...]:
    return {"auto": ("gcc", "clang"), "none": ()}.get(choice, (choice,))


def takes_c_for_cxx(name: str) -> bool:
    """Whether this compiler reads a `.c` as C++, which is what `g++` is for."""
    return _CXX_DRIVER.search(name) is not None


def is_here(name: str) -> bool:
    """Whether this is a compiler's name, and there is one on PATH that is called so."""
    return called(name) is not None


def called(name: str) -> str | None:
    """The path of the compiler that is called so, if this is how one is called. A visitor's process
    may start none but `COMPILERS`: for it, the others are not here."""
    if name not in COMPILERS:  # what every start asks for takes no list of names
        if is_confined():
            return None
        from visualizer.expansion.compiler_flags import is_compiler

        if not is_compiler(name):
            return None
    return _on_path(name)


def _that_reach(flags: Sequence[str]) -> tuple[str, ...]:
    if not flags or is_confined():
        return ()
    from visualizer.expansion.compiler_flags import may_reach

    return tuple(filter(may_reach, flags))


def system_folders(options: Options) -> list[str]:
    """The folders whose headers are those of the system: the user's `-isystem`, the compiler's own."""
    own = compiler_for(options.cc, options.std, options.compiler_flags).folders
    return [*options.system_folders, *own, *options.after_folders]


def of_system(options: Options) -> Callable[[str], bool]:
    """Whether a file that was read is a header of the system."""
    folders = [Path(folder).absolute() for folder in system_folders(options)]
    return lambda file: any(Path(file).absolute().is_relative_to(folder) for folder in folders)


def _willing(path: str, name: str, std: str, flags: tuple[str, ...]) -> Compiler:
    """The compiler's answer with all that it takes of the standard and the flags."""
    version = f"{name} here"
    try:
        return _asked(path, std, flags)
    except ValueError:
        refused = tuple(f for f in flags if not _takes(path, std, f))
    older: str | None = std
    while older is not None:
        for known in (older, *other_names(older)):
            try:
                found = _asked(path, known, tuple(f for f in flags if f not in refused))
            except ValueError as error:
                failed = error
                continue
            remarks = _left_out(version, refused)
            if older != std:
                remarks += ((f"{version} doesn't know {std}", f"read as {known}"),)
            return replace(found, remarks=remarks)
        older = before(older)
    raise failed


def _left_out(whose: str, flags: Sequence[str]) -> tuple[tuple[str, str], ...]:
    what = " ".join(flags)
    if not flags:
        return ()
    hint = "what that defines is missing here; --cc NAME asks another compiler"
    return ((f"{whose} can't be asked about {what}", hint),)


def _takes(path: str, std: str, flag: str) -> bool:
    """Whether the compiler takes this flag, whatever it says of the standard."""
    try:
        _ask(path, DEFAULT_CXX if is_cxx(std) else DEFAULT_C, (flag,), [])
    except ValueError:
        return False
    return True


def _failed(choice: str, what: str) -> InputError:
    hint = "install it, or use --cc none, the built-in tables"
    return InputError(f"--cc {choice}: {choice} {what}", Source("unfold", 1, 1), hint)


def _on_path(name: str) -> str | None:
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder, name)
        if not os.path.isabs(path):  # of the working folder, whose files aren't run
            continue
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def _asked(path: str, std: str, flags: tuple[str, ...]) -> Compiler:
    name = _entry(path, std, flags)
    known = _remembered(name)
    if known is None:
        known = _all_answers(path, std, flags)
        write_entry(name, json.dumps(known).encode())

    def ask_more(asked: Sequence[Question]) -> dict[str, int]:
        try:
            answers: dict[str, int] = _ask(path, std, flags, list(asked))["answers"]
        except (OSError, ValueError):
            return ask_more(asked[:1]) if len(asked) > 1 else {}
        known["answers"].update(answers)
        write_entry(name, json.dumps(known).encode())
        return answers

    return Compiler(
        identity=name,
        macros=known["macros"],
        folders=tuple(map(os.path.normpath, known["folders"])),
        spelled=tuple((os.path.normpath(folder), folder) for folder in known["folders"]),
        operators=frozenset(known["operators"]) - {HAS_EMBED},
        embeds=HAS_EMBED in known["operators"],
        answers=dict(known["answers"]),
        ask=ask_more,
    )


def _all_answers(path: str, std: str, flags: tuple[str, ...]) -> dict[str, Any]:
    from visualizer.expansion.questions import questions

    return _ask(path, std, flags, list(questions()))


def _entry(path: str, std: str, flags: tuple[str, ...]) -> str:
    """What its answer is kept under."""
    surroundings = [os.environ.get(name, "") for name in _ENVIRONMENT]
    key = ("compiler 8", path, *_version(path), std, *surroundings)
    return f"compiler-{name_of(*key, *flags)}"


def _version(path: str) -> tuple[str, ...]:
    """Tells one state of a compiler from the next. Raises OSError where it is not there."""
    real = os.path.realpath(path)
    stat = os.stat(real)
    return real, str(stat.st_mtime_ns), str(stat.st_size)


_SHAPE = {
    "macros": str,
    "folders": [str],
    "absent": [str],
    "operators": [str],
    "answers": {...: int},
}


def _remembered(name: str) -> dict[str, Any] | None:
    data = read_entry(name)
    if data is None:
        return None
    try:
        known: dict[str, Any] = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not fits(known, _SHAPE):
        return None
    holds = all(map(os.path.isdir, known["folders"]))
    holds = holds and not any(map(os.path.isdir, known["absent"]))
    return known if holds and known["macros"] else None


def _ask(
    path: str, std: str, flags: tuple[str, ...], asked: list[tuple[str, str]]
) -> dict[str, Any]:
    """One call. Raises OSError or ValueError if it gives no answer."""
    import subprocess
    import tempfile

    language = "c++" if is_cxx(std) else "c"
    spoken = ["-x", language, *([f"-std={std}"] if std not in (USUAL_C, USUAL_CXX) else [])]
    if std == ASSEMBLER:
        spoken = ["-x", "assembler-with-cpp"]
    if language == "c":
        asked = [(operator, operand) for operator, operand in asked if "::" not in operand]
    try:
        with tempfile.TemporaryDirectory(prefix="unfold-") as empty:
            done = subprocess.run(
                [path, "-E", "-dM", "-v", "-w", *spoken, *flags, "-"],
                input="".join(_program(asked)),
                env={**os.environ, "LC_ALL": "C"},
                cwd=empty,
                capture_output=True,
                text=True,
                timeout=_SECONDS,
                check=False,
            )
    except subprocess.TimeoutExpired:
        raise ValueError(f"no answer within {_SECONDS} seconds") from None
    found = _FOLDERS.search(done.stderr)
    if done.returncode or found is None:
        said = [line for line in done.stderr.splitlines() if "error: " in line]
        raise ValueError(said[0] if said else f"exit code {done.returncode}")
    folders = [f.strip().split(" (")[0] for f in found[1].splitlines()]
    operators = [_ASKED_FOR[int(i)] for i in _OPERATOR.findall(done.stdout)]
    answers = {f"{operator}({of})": 0 for operator, of in asked if operator in operators}
    for n, bit in _ANSWER.findall(done.stdout):
        answers["{}({})".format(*asked[int(n)])] |= 1 << int(bit)
    return {
        "macros": _ANSWER.sub("", _OPERATOR.sub("", done.stdout)),
        "folders": list(dict.fromkeys(folders)),
        "absent": list(dict.fromkeys(map(os.path.normpath, _ABSENT.findall(done.stderr)))),
        "operators": operators,
        "answers": answers,
    }


def _program(asked: list[tuple[str, str]]) -> Iterable[str]:
    """Input that defines a macro for each operator that there is, and for each bit of each answer."""
    for n, operator in enumerate(_ASKED_FOR):
        yield f"#ifdef {operator}\n#define __unfold_operator_{n} 1\n#endif\n"
    for n, (operator, operand) in enumerate(asked):
        value = f"{operator}({operand})"
        yield f"#ifdef {operator}\n#if {value}\n"
        for bit in range(_BITS):
            yield f"#if {value} & {1 << bit}\n#define __unfold_answer_{n}_{bit} 1\n#endif\n"
        yield "#endif\n#endif\n"
