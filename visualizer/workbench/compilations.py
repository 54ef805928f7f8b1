"""A file that is compiled more than once.

PyTorch writes the loop of an operator once and compiles the file for each instruction set, with other
macros each time; the program that comes out has it three times over. Which flags a file is compiled
with stands in `compile_commands.json`: in the one that the user names, or else in the nearest one that
has entries for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from visualizer.expansion import Diagnostic, Options, compile_commands
from visualizer.expansion.found_database import build_flags


@dataclass(frozen=True, slots=True)
class Compilation:
    """One of them: what sets its flags apart, the flags, and what to say of those."""

    label: str
    options: Options
    note: Diagnostic | None = None


def compilations(
    path: str | Path,
    given: Options | None = None,
    database: str | None = None,
) -> list[Compilation]:
    """Each compilation of a file, at least one; `given` are the flags that all of them have.

    Raises InputError where the `database` that was asked for can't be read.
    """
    given = given or Options()
    flags = build_flags(path, database, given.cc)
    if not flags:
        return [Compilation("", given)]
    each = [compile_commands.with_flags(f.options, given) for f in flags]
    labels = _labels(each)
    return [
        Compilation(label, options, f.note(path))
        for label, options, f in zip(labels, each, flags, strict=True)
    ]


def _labels(each: Sequence[Options]) -> list[str]:
    """The definition that tells one from the others: `CPU_CAPABILITY=AVX2`. Where no macro has
    another value in each of them, all definitions that not all of them have."""
    if len(each) == 1:
        return [""]
    defined = [{text for letter, text in o.macros if letter == "D"} for o in each]
    shared = set.intersection(*defined)
    own = [
        [t for _, t in o.macros if t in all_ - shared]
        for o, all_ in zip(each, defined, strict=True)
    ]
    for name in (text.partition("=")[0] for text in own[0] if "=" in text):
        values = [next((t for t in texts if t.partition("=")[0] == name), "") for texts in own]
        if all(values) and len(set(values)) == len(values):
            return values
    return [
        " ".join(f"-D{t}" for t in texts) or f"compilation {n}" for n, texts in enumerate(own, 1)
    ]
