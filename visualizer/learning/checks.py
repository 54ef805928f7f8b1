"""Whether an exercise is solved: the learner's text goes through the engine, and the outcome is judged.

Nothing is compared with a solution's spelling, so that every right answer is accepted. A check is a
table in the lesson's file, with one of these keys:

- `errors = false`: the file has no errors (`true`: it has some).
- `yields = [["COUNT(a, b)", "2"], …]`: what invocations become that the learner has never seen.
- `values = [["SQUARE(1 + 2)", 9], …]`: what integer the compiler makes of them.
- `registers = {kernel = "abs", backend = "CPU", dtypes = ["float32"]}`: the registry holds these;
  with `exactly = true` beside it, and no other kernel.
- `slots = [["abs CPU output 0 dtype", "int64"], …]`: the rows of a registered kernel's KernelArgsDef.
- `runs = {kernel = "abs", dtype = "float32"}`: it builds, runs, and agrees with NumPy.
- `keeps = ["COUNT(a, b)"]`: these tokens still stand in the file, comments apart.
- `uses`, `avoids = ["PD_NARGS"]`: macros that are replaced somewhere, or nowhere.

`says` replaces the message of a check that fails. The checks run in order, and stop at the first that
fails: what comes after it mostly follows from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from visualizer.expansion import Diagnostic, InputError, Options, preprocess
from visualizer.expansion.arithmetic import Trouble, evaluate
from visualizer.expansion.lexer import tokenize
from visualizer.expansion.tokens import Source, Token, spell
from visualizer.expansion.trace import Trace
from visualizer.learning.lesson import Exercise, Lesson
from visualizer.learning.places import Place
from visualizer.learning.player import options_of
from visualizer.learning.questions import Unanswerable, answer, same
from visualizer.workbench import Workbench, open_file

MOST = 200_000  # characters of an exercise; whoever has more has pasted something else
_PROBE = "unfold_probe_"
_ENDS_INSIDE = "the file ends inside of something: a directive, a comment or a list"
_SIZE = 1000  # elements with which a kernel is run


@dataclass(frozen=True, slots=True)
class Verdict:
    """`failed` says what is not so yet, and is empty if the exercise is solved. `where` is the place in
    the learner's text, if there is one."""

    failed: str = ""
    where: Source | None = None
    hint: str = ""

    @property
    def passed(self) -> bool:
        return not self.failed


def check(lesson: Lesson, exercise: Exercise, text: str) -> Verdict:
    """Runs the checks over the learner's text. Never raises for what a learner wrote."""
    if len(text) > MOST:
        return Verdict(
            f"the file has {len(text):,} characters; an exercise needs no more than {MOST:,}"
        )
    path, options = lesson.folder / exercise.file, options_for(lesson, exercise, text)
    try:
        bench = open_file(path, options)
    except InputError as error:
        return _of(error.diagnostic)
    stopped = next((d for d in bench.diagnostics if "limit" in d.message), None)
    if stopped is not None:
        return _of(stopped)
    learner = _Learner(path, options, text, bench)
    for table in exercise.checks:
        for key, wanted in table.items():
            if key in _CHECKS:
                verdict = _CHECKS[key](learner, wanted, table)
                if not verdict.passed:
                    said = table.get("says")
                    return Verdict(said, verdict.where, verdict.hint) if said else verdict
    return Verdict()


def options_for(lesson: Lesson, exercise: Exercise, text: str) -> Options:
    """How an exercise is preprocessed, with `text` in the place of its file."""
    path = lesson.folder / exercise.file
    return replace(options_of(lesson), unsaved=((str(path.absolute()), text),))


@dataclass(frozen=True, eq=False)
class _Learner:
    path: Path
    options: Options
    text: str
    bench: Workbench


Check = Callable[[_Learner, Any, Mapping[str, Any]], Verdict]


def _errors(learner: _Learner, wanted: bool, _: Mapping[str, Any]) -> Verdict:
    found = next((d for d in learner.bench.diagnostics if d.severity == "error"), None)
    if wanted:
        return Verdict() if found else Verdict("the file has no error, and should have one")
    return _of(found) if found else Verdict()


def _yields(learner: _Learner, wanted: list[list[str]], _: Mapping[str, Any]) -> Verdict:
    results = _probed(learner, [invocation for invocation, _ in wanted])
    for (invocation, expected), result in zip(wanted, results, strict=True):
        if result is None:
            return Verdict(_ENDS_INSIDE)
        if not same(result, expected):
            became = result or "nothing"
            return Verdict(
                f"{invocation} becomes {_short(became)}; it should be {expected or 'nothing'}"
            )
    return Verdict()


def _values(learner: _Learner, wanted: list[tuple[str, int]], _: Mapping[str, Any]) -> Verdict:
    results = _probed(learner, [expression for expression, _ in wanted])
    for (expression, expected), result in zip(wanted, results, strict=True):
        if result is None:
            return Verdict(_ENDS_INSIDE)
        spelled = [t.text for line in tokenize(result, "exercise") for t in line]
        try:
            value = evaluate(spelled, cxx=True).number()
        except Trouble:
            return Verdict(f"{expression} becomes {_short(result)}, which is no number")
        if value != expected:
            became = f"{expression} becomes {_short(result)}"
            return Verdict(f"{became}, and that is {value}; it should be {expected}")
    return Verdict()


def _probed(learner: _Learner, invocations: list[str]) -> Iterator[str | None]:
    """What each invocation becomes behind the learner's text."""
    probes = "".join(f"\n{_PROBE}{i}\n{text}" for i, text in enumerate(invocations))
    text = f"{learner.text}{probes}\n{_PROBE}{len(invocations)}\n"
    options = replace(learner.options, unsaved=((str(learner.path.absolute()), text),))
    output = preprocess(learner.path, options, skip_included_text=True).output
    marks = {t.text: i for i, t in enumerate(output) if t.text.startswith(_PROBE)}
    for i in range(len(invocations)):
        first, last = marks.get(f"{_PROBE}{i}"), marks.get(f"{_PROBE}{i + 1}")
        yield None if first is None or last is None else spell(output[first + 1 : last])


def _registers(learner: _Learner, wanted: dict[str, Any], table: Mapping[str, Any]) -> Verdict:
    name, backend = wanted["kernel"], wanted.get("backend", "CPU")
    kernels = {e.registration.kernel_name for e in learner.bench.entries}
    if name not in kernels:
        others = f"; it holds {_listed(kernels)}" if kernels else ", which is empty"
        return Verdict(f"no kernel {name} is in the registry{others}")
    keys = [e.registration.key for e in learner.bench.entries if e.registration.kernel_name == name]
    there = {str(key.dtype) for key in keys if str(key.backend) == backend}
    expected = set(wanted.get("dtypes", there))
    if expected - there:
        return Verdict(f"{name} is not registered on {backend} for {_listed(expected - there)}")
    if there - expected:
        return Verdict(
            f"{name} should not be registered on {backend} for {_listed(there - expected)}"
        )
    if table.get("exactly") and kernels != {name}:
        return Verdict(f"the registry should hold {name} only, not {_listed(kernels - {name})}")
    return Verdict()


def _slots(learner: _Learner, wanted: list[list[str]], _: Mapping[str, Any]) -> Verdict:
    for words, expected in wanted:
        try:
            found = answer(f"slot {words}", learner.bench, Place(0, 0))
        except Unanswerable as error:
            return Verdict(str(error))
        if found != expected:
            return Verdict(f"{words} is {found}; it should be {expected}")
    return Verdict()


def _runs(learner: _Learner, wanted: dict[str, Any], _: Mapping[str, Any]) -> Verdict:
    from registry_runtime.kernels import KernelError
    from registry_runtime.trial import find_registered, try_kernel

    name, backend, dtype = wanted["kernel"], wanted.get("backend"), wanted.get("dtype")
    try:
        trial = try_kernel(find_registered(learner.bench.runtime, name, backend, dtype), _SIZE)
    except KernelError as error:
        return Verdict(str(error))
    return Verdict() if trial.agrees else Verdict(f"{name} runs, and does not agree with NumPy")


def _keeps(learner: _Learner, wanted: list[str], _: Mapping[str, Any]) -> Verdict:
    written = _spellings(learner.text)
    for text in wanted:
        tokens = _spellings(text)
        starts = range(len(written) - len(tokens) + 1)
        if not any(written[i : i + len(tokens)] == tokens for i in starts):
            return Verdict(f"leave {text} as it is")
    return Verdict()


def _uses(learner: _Learner, wanted: list[str], _: Mapping[str, Any]) -> Verdict:
    missing = [name for name in wanted if name not in _replaced(learner.bench.trace)]
    return Verdict(f"{missing[0]} is never replaced") if missing else Verdict()


def _avoids(learner: _Learner, wanted: list[str], _: Mapping[str, Any]) -> Verdict:
    found = [name for name in wanted if name in _replaced(learner.bench.trace)]
    return Verdict(f"do it without {found[0]}") if found else Verdict()


_CHECKS: dict[str, Check] = {
    "errors": _errors,
    "yields": _yields,
    "values": _values,
    "registers": _registers,
    "slots": _slots,
    "runs": _runs,
    "keeps": _keeps,
    "uses": _uses,
    "avoids": _avoids,
}


def _replaced(trace: Trace) -> set[str]:
    """The macros that are replaced at any depth."""
    names: set[str] = set()
    waiting = [e.steps for e in trace.expansions]
    while waiting:
        for step in waiting.pop():
            if step.kind in ("function", "object"):
                names.add(step.macro)
            waiting += [a.prescan.steps for a in step.arguments if a.prescan]
    return names


def _spellings(text: str) -> list[str]:
    lines: list[list[Token]] = tokenize(text, "exercise")
    return [token.text for line in lines for token in line]


def _of(diagnostic: Diagnostic) -> Verdict:
    return Verdict(diagnostic.message, diagnostic.where, diagnostic.hint or "")


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))


def _short(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:80]} … ({len(text):,} characters)"
