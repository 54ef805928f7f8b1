"""Whether an exercise is solved: the learner's text goes through the engine, and the outcome is judged.

Nothing is compared with a solution's spelling, so that every right answer is accepted. A check is a
table in the lesson's file, with one of these keys:

- `errors = false`: the file has no errors (`true`: it has some).
- `preprocesses = true`: the preprocessor reports none; what a compiler would say doesn't count.
- `yields = [["COUNT(a, b)", "2"], …]`: what invocations become that the learner has never seen.
- `values = [["SQUARE(1 + 2)", 9], …]`: what integer the compiler makes of them.
- `registers = {kernel = "abs", backend = "CPU", dtypes = ["float32"], layout = "ALL_LAYOUT"}`: the
  registry holds these; with `exactly = true` beside it, and no other kernel.
- `slots = [["abs CPU output 0 dtype", "int64"], …]`: the rows of a registered kernel's KernelArgsDef.
- `runs = {kernel = "abs", dtype = "float32"}`: it builds, runs, and agrees with NumPy. One of
  PyTorch's operators has a namespace in its name; what NumPy has no function for must only run.
- `body = {kernel = "abs", dtype = "float32", given = [[-1.0, 2.0]], dims = [2], type = "float32",
  gives = [1.0, 2.0]}`: so does its body in the text, unless that is empty. Of these inputs and
  attributes it makes an output of that type; without `gives`, it need not fill it.
- `compiled = {kernel = "abs", dtype = "float32", given = [[-1.0]], gives = [1.0]}`: the machine's
  compiler takes the file, and the body gives this; where there is one, in a lesson of Unfold's own.
- `answers = [["selects abs GPU NCHW float32", "found"], …]`: what `questions` says of the file.
- `keeps = ["COUNT(a, b)"]`: these tokens still stand in the file, comments apart.
- `lacks = ["namespace {"]`: these tokens don't.
- `leaves = ["int open(int);"]`: these tokens stand in what the preprocessor makes of the file.
- `uses`, `avoids = ["PD_NARGS"]`: macros that are replaced somewhere, or nowhere.

`says` replaces the message of a check that fails, unless what it asks about ends with an error. For one
check, `dialect` reads the file as another preprocessor does, and `flags = []` without the lesson's
flags. The checks run in order, and stop at the first that fails: what comes after it mostly follows
from it. Behind them all the machine's compiler is asked, if it takes the solution (`judged`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from visualizer.expansion import Diagnostic, InputError, Options
from visualizer.expansion.arithmetic import Trouble, evaluate
from visualizer.expansion.definitions import Definition
from visualizer.expansion.diagnostics import Code
from visualizer.expansion.lexer import spellings, tokenize
from visualizer.expansion.tokens import Source, Token, spell, spelled_at
from visualizer.expansion.trace import Trace
from visualizer.frameworks.answers import EndsWithError, Place, Unanswerable
from visualizer.learning import registry_checks
from visualizer.learning.comparing import first_difference, place_in, read, short, stands_in
from visualizer.learning.compiled_check import compiled, taken
from visualizer.learning.lesson import Lesson
from visualizer.learning.parts import Exercise
from visualizer.learning.player import options_of
from visualizer.learning.probes import probed
from visualizer.learning.questions import answer, same
from visualizer.learning.verdict import Check, Learner, Verdict
from visualizer.learning.wording import sentence
from visualizer.workbench.bench import open_file

STEPS = 20_000  # of one invocation; an exercise that takes more never ends
MOST = 200_000  # characters of an exercise; whoever has more has pasted something else
_INTEGERS = "an integer constant, and the preprocessor's arithmetic takes nothing else"
_ENDS_INSIDE = "the file ends inside of something: a directive, a comment or a list"


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
    stopped = next((d for d in bench.diagnostics if d.code is Code.LIMIT_REACHED), None)
    if stopped is not None:
        return _of(stopped)
    learner = Learner(path, options, text, bench)
    notes: list[str] = []
    for table in exercise.checks:
        reader = _reading(learner, lesson, table)
        for key, wanted in table.items():
            if key in _CHECKS:
                verdict = _judged(key, reader, wanted, table)
                if not verdict.passed:
                    return verdict
                notes += [verdict.note] if verdict.note else []
    return Verdict(note="; ".join(notes))


def judged(lesson: Lesson, exercise: Exercise, text: str) -> Verdict:
    """The same, and the machine's compiler has the last word. That takes a second."""
    verdict = check(lesson, exercise, text)
    if not verdict.passed or any("compiled" in table for table in exercise.checks):
        return verdict
    return taken(lesson, exercise, text)


def _judged(key: str, learner: Learner, wanted: Any, table: Mapping[str, Any]) -> Verdict:
    try:
        verdict = _CHECKS[key](learner, wanted, table)
    except EndsWithError as error:
        return Verdict(str(error))
    except Unanswerable as error:
        verdict = Verdict(str(error))
    said = table.get("says")
    return replace(verdict, failed=said) if said and not verdict.passed else verdict


def options_for(lesson: Lesson, exercise: Exercise, text: str) -> Options:
    """How an exercise is preprocessed, with `text` in the place of its file."""
    path = lesson.folder / exercise.file
    return replace(options_of(lesson).with_text(path, text), step_limit=STEPS)


def _reading(learner: Learner, lesson: Lesson, table: Mapping[str, Any]) -> Learner:
    """The learner's file as this check wants it read."""
    options = learner.options
    if "flags" in table:
        others = options_of(replace(lesson, flags=tuple(table["flags"])))
        options = replace(others, unsaved=options.unsaved, step_limit=options.step_limit)
    options = replace(options, dialect=table.get("dialect", options.dialect))
    if options == learner.options:
        return learner
    return Learner(learner.path, options, learner.text, open_file(learner.path, options))


def _errors(learner: Learner, wanted: bool, _: Mapping[str, Any]) -> Verdict:
    found = next((d for d in learner.bench.diagnostics if d.severity == "error"), None)
    bench = learner.bench
    found = found or next(bench.unparsed(), None) or next(bench.never_run(), None)
    if wanted:
        return Verdict() if found else Verdict("the file has no error, and should have one")
    return _of(found) if found else Verdict()


def _preprocesses(learner: Learner, wanted: bool, _: Mapping[str, Any]) -> Verdict:
    found = _misled(learner)
    if wanted:
        return _of(found) if found else Verdict()
    return Verdict() if found else Verdict("the preprocessor reports no error, and should")


def _misled(learner: Learner) -> Diagnostic | None:
    """The preprocessor's first error."""
    return next((d for d in learner.bench.trace.diagnostics if d.severity == "error"), None)


def _yields(learner: Learner, wanted: list[list[str]], _: Mapping[str, Any]) -> Verdict:
    results = _probed(learner, [invocation for invocation, _ in wanted])
    for (invocation, expected), result in zip(wanted, results, strict=True):
        if result is None:
            return _as_it_began(learner, _ENDS_INSIDE)
        made = spell(result)
        if read(made) != read(expected):
            became, right = first_difference(made or "nothing", expected or "nothing")
            return _as_it_began(learner, f"{invocation} becomes {became}; it should be {right}")
    return Verdict()


def _values(learner: Learner, wanted: list[tuple[str, int]], _: Mapping[str, Any]) -> Verdict:
    results = _probed(learner, [expression for expression, _ in wanted])
    for (expression, expected), result in zip(wanted, results, strict=True):
        if result is None:
            return _as_it_began(learner, _ENDS_INSIDE)
        value, wrong, at = _number(result, learner.bench.trace.definitions)
        if value == expected:
            continue
        said = f"{expression} becomes {short(spell(result) or 'nothing')}"
        if wrong:
            return _as_it_began(learner, f"{said}: {wrong}", _written(learner, at))
        said += "" if value is None else f", and that is {value}"
        return _as_it_began(learner, f"{said}; it should be {expected}")
    return Verdict()


def _number(
    expression: list[Token], macros: Mapping[str, Definition]
) -> tuple[int | None, str, Token | None]:
    """The integer that a compiler makes of it; or what it stumbles over, and where. A name that is left
    would be 0 in an `#if`, to a compiler an enumerator or so."""
    if not expression:
        return None, "", None
    value, wrong, at = None, "", None
    try:
        value = evaluate([token.text for token in expression], cxx=True).number()
    except Trouble as trouble:
        wrong, at = trouble.message, expression[min(trouble.at, len(expression) - 1)]
    for name, behind in zip(expression, [*expression[1:], None], strict=True):
        if not (name.text[0].isalpha() or name.text[0] == "_"):
            continue
        said, macro = f"{name.text} is neither a macro nor {_INTEGERS}", macros.get(name.text)
        if macro and macro.parameters is not None and not (behind and behind.text == "("):
            said = f"{name.text} is a macro with arguments, and no ( stands behind it"
        wrong, at = said, name
        break
    return value, wrong, at


def _written(learner: Learner, token: Token | None) -> Source | None:
    """Where the learner wrote it; None if that is in a header, or in a probe behind the text."""
    at = spelled_at(token) if token else None
    lines = learner.text.count("\n") + 1
    return at if at and at.file == learner.bench.trace.file and at.line <= lines else None


def _as_it_began(learner: Learner, message: str, where: Source | None = None) -> Verdict:
    """The preprocessor's first error where there is one: what else is wrong follows from that."""
    found = _misled(learner)
    return _of(found) if found else Verdict(message, where)


def _probed(learner: Learner, invocations: list[str]) -> Iterator[list[Token] | None]:
    return probed(learner.path, learner.options, learner.text, invocations)


def _leaves(learner: Learner, wanted: list[str], _: Mapping[str, Any]) -> Verdict:
    left = [token.text for token in learner.bench.trace.output]
    missing = next((text for text in wanted if not stands_in(left, text)), None)
    return Verdict(f"{missing} is not in what becomes of the file") if missing else Verdict()


def _slots(learner: Learner, wanted: list[list[str]], table: Mapping[str, Any]) -> Verdict:
    return _answers(learner, [[f"slot {words}", expected] for words, expected in wanted], table)


def _answers(learner: Learner, wanted: list[list[str]], _: Mapping[str, Any]) -> Verdict:
    for question, expected in wanted:
        found = answer(question, learner.bench, Place(0, 0))
        if not same(found, expected):
            _no_error(learner, question)
            return Verdict(sentence(question, found, expected))
    return Verdict()


_ERRORS = {"returns": "says", "gives": "says", "op-returns": "op-says", "op-gives": "op-says"}


def _no_error(learner: Learner, question: str) -> None:
    """Raises Unanswerable for a call that ends with an error, and so gives nothing to judge."""
    words = question.split()
    asked = " ".join(_ERRORS.get(word, word) for word in words)
    if asked == question:
        return
    error = answer(asked, learner.bench, Place(0, 0))
    if error != "none":
        raise EndsWithError(sentence(asked, error, None))


def _keeps(learner: Learner, wanted: list[str], _: Mapping[str, Any]) -> Verdict:
    written = spellings(learner.text)
    changed = next((text for text in wanted if not stands_in(written, text)), None)
    return Verdict(f"leave {changed} as it is") if changed else Verdict()


def _lacks(learner: Learner, wanted: list[str], _: Mapping[str, Any]) -> Verdict:
    written = [token for line in tokenize(learner.text, learner.path.name) for token in line]
    spelled = [token.text for token in written]
    for text in wanted:
        at = place_in(spelled, text)
        if at is not None:
            return Verdict(f"do it without {text}", spelled_at(written[at]))
    return Verdict()


def _uses(learner: Learner, wanted: list[str], _: Mapping[str, Any]) -> Verdict:
    missing = [name for name in wanted if name not in _replaced(learner.bench.trace)]
    return Verdict(f"{missing[0]} is never replaced") if missing else Verdict()


def _avoids(learner: Learner, wanted: list[str], _: Mapping[str, Any]) -> Verdict:
    found = [name for name in wanted if name in _replaced(learner.bench.trace)]
    return Verdict(f"do it without {found[0]}") if found else Verdict()


_CHECKS: dict[str, Check] = {
    "errors": _errors,
    "preprocesses": _preprocesses,
    "yields": _yields,
    "values": _values,
    **registry_checks.CHECKS,
    "compiled": compiled,
    "slots": _slots,
    "answers": _answers,
    "keeps": _keeps,
    "lacks": _lacks,
    "leaves": _leaves,
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


def _of(diagnostic: Diagnostic) -> Verdict:
    return Verdict(diagnostic.message, diagnostic.where, diagnostic.hint or "")
