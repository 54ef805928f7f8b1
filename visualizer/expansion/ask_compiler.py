"""Asking an installed compiler what it defines, where it looks for headers, and what it has.

One call says it all: `-dM` prints the macros that are defined at the end of its input, `-v` the
include path; and the input defines a macro for each answer to a question like `__has_builtin(X)`.
The answer is kept on disk for as long as the compiler is the same file, and the folders of its include
path are there, or not there, as it said.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from typing import Any

from visualizer.expansion.cache_folder import name_of, read_entry, write_entry
from visualizer.expansion.compiler import OPERATORS, Compiler, no_compiler
from visualizer.expansion.diagnostics import InputError
from visualizer.expansion.options import Options
from visualizer.expansion.predefined import is_cxx
from visualizer.expansion.tokens import Source

_SECONDS = 30
# What is said beside 0 and 1 is the month in which a paper was voted in, or an extension made.
_MONTHS = (200809, 201309, 201603, 201802, 201803, 201907, 202110, 202207, 202306, 202311, 202403)
_ALL_MONTHS = tuple(100 * year + month for year in range(2000, 2040) for month in range(1, 13))
_ANSWER = re.compile(r"#define __unfold_answer_(\d+) (\d+)\n")
_OPERATOR = re.compile(r"#define __unfold_operator_(\d+) 1\n")
_FOLDERS = re.compile(r"^#include <...> search starts here:\n(.*?)^End of search list", re.M | re.S)
_ABSENT = re.compile(r'^ignoring nonexistent directory "(.*)"$', re.M)
_ENVIRONMENT = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX", "SDKROOT")


def compiler_for(choice: str, std: str) -> Compiler:
    """The compiler of `--cc`: `gcc`, `clang`, `none`, or `auto`, the first of these that is there.

    Raises InputError if the one that was asked for by name is not installed, or does not answer.
    """
    names = {"auto": ("gcc", "clang"), "none": ()}.get(choice, (choice,))
    for name in names:
        path = _on_path(name)
        if path is not None:
            try:
                return _asked(path, std)
            except (OSError, ValueError) as error:
                if choice != "auto":
                    raise _failed(choice, f"does not answer: {error}") from None
    if choice not in ("auto", "none"):
        raise _failed(choice, "is not installed")
    return no_compiler(std)


def system_folders(options: Options) -> list[str]:
    """The folders whose headers are those of the system: the user's `-isystem`, the compiler's own."""
    return [*options.system_folders, *compiler_for(options.cc, options.std).folders]


def _failed(choice: str, what: str) -> InputError:
    hint = "install it, or use --cc none, the built-in tables"
    return InputError(f"--cc {choice}: {choice} {what}", Source("unfold", 1, 1), hint)


def _on_path(name: str) -> str | None:
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def _asked(path: str, std: str) -> Compiler:
    real = os.path.realpath(path)
    stat = os.stat(real)
    surroundings = [os.environ.get(name, "") for name in _ENVIRONMENT]
    key = ("compiler 4", path, real, str(stat.st_mtime_ns), str(stat.st_size), std, *surroundings)
    name = f"compiler-{name_of(*key)}"
    known = _remembered(name)
    if known is None:
        from visualizer.expansion.questions import questions

        known = _ask(path, std, list(questions()))
        write_entry(name, json.dumps(known).encode())

    def ask_one_more(operator: str, operand: str) -> int:
        try:
            answers = _ask(path, std, [(operator, operand)])["answers"]
        except (OSError, ValueError):
            return 0
        known["answers"].update(answers)
        write_entry(name, json.dumps(known).encode())
        return int(answers.get(f"{operator}({operand})", 0))

    return Compiler(
        identity=name,
        macros=known["macros"],
        folders=tuple(known["folders"]),
        operators=frozenset(known["operators"]),
        answers=dict(known["answers"]),
        ask=ask_one_more,
    )


def _remembered(name: str) -> dict[str, Any] | None:
    data = read_entry(name)
    if data is None:
        return None
    try:
        known: dict[str, Any] = json.loads(data)
        holds = all(map(os.path.isdir, known["folders"]))
        holds = holds and not any(map(os.path.isdir, known["absent"]))
        return known if holds and known["macros"] else None
    except (ValueError, KeyError, TypeError):
        return None


def _ask(path: str, std: str, asked: list[tuple[str, str]]) -> dict[str, Any]:
    """One call. Raises OSError or ValueError if it gives no answer."""
    import subprocess

    language = "c++" if is_cxx(std) else "c"
    if language == "c":
        asked = [(operator, operand) for operator, operand in asked if "::" not in operand]
    try:
        done = subprocess.run(
            [path, "-E", "-dM", "-v", "-w", "-x", language, f"-std={std}", "-"],
            input="".join(_program(asked)),
            env={**os.environ, "LC_ALL": "C"},
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ValueError(f"no answer within {_SECONDS} seconds") from None
    found = _FOLDERS.search(done.stderr)
    if done.returncode or found is None:
        said = [line for line in done.stderr.splitlines() if ": error: " in line]
        raise ValueError(said[0] if said else f"exit code {done.returncode}")
    folders = [os.path.normpath(f.strip().split(" (")[0]) for f in found[1].splitlines()]
    answers = {"{}({})".format(*asked[int(n)]): int(v) for n, v in _ANSWER.findall(done.stdout)}
    operators = [OPERATORS[int(i)] for i in _OPERATOR.findall(done.stdout)]
    return {
        "macros": _ANSWER.sub("", _OPERATOR.sub("", done.stdout)),
        "folders": list(dict.fromkeys(folders)),
        "absent": list(dict.fromkeys(map(os.path.normpath, _ABSENT.findall(done.stderr)))),
        "operators": operators,
        "answers": answers,
    }


def _program(asked: list[tuple[str, str]]) -> Iterable[str]:
    """Input that defines a macro for each operator that there is, and for each answer."""
    for n, operator in enumerate(OPERATORS):
        yield f"#ifdef {operator}\n#define __unfold_operator_{n} 1\n#endif\n"
    for n, (operator, operand) in enumerate(asked):
        value = f"{operator}({operand})"
        values = (0, 1, *(_MONTHS if len(asked) > 1 else _ALL_MONTHS))
        yield f"#ifdef {operator}\n"
        for i, v in enumerate(values):
            yield f"#{'elif' if i else 'if'} {value} == {v}\n#define __unfold_answer_{n} {v}\n"
        yield "#endif\n#endif\n"
