"""The machine's compiler has the last word on what solves an exercise, where there is one.

Whatever passes the checks goes through it (`taken`): what the reader of C++ takes, a compiler may
refuse, and a text that no compiler takes solves nothing. With the check `compiled` the learner's
own kernel runs too. Only a lesson of ours is compiled so: a course may come from anywhere, and its
files run at nobody's word. Where there is no compiler, or the app is served, the other checks have
to do, and the verdict says why. So it does where the compiler won't take our own solution either:
that is no fault of the learner's.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from registry_runtime.cxx import CxxFunction
from registry_runtime.phi.kernel_template import KernelError
from visualizer.expansion import Options
from visualizer.expansion.predefined import is_cxx
from visualizer.expansion.source_files import display_path
from visualizer.expansion.tokens import Source as At
from visualizer.frameworks.phi.questions import registered
from visualizer.learning.lesson import Lesson
from visualizer.learning.parts import Exercise
from visualizer.learning.player import options_of
from visualizer.learning.verdict import Learner, Verdict
from visualizer.personal import consent
from visualizer.workbench.samples import lessons_folder
from visualizer.workbench.stand_ins import Body

if TYPE_CHECKING:
    from registry_runtime.native.compiler import CompilerFailed, Place


def taken(lesson: Lesson, exercise: Exercise, text: str) -> Verdict:
    """Whether the machine's compiler takes this text in the place of the exercise's file."""
    from registry_runtime.native.compiler import CompilerFailed
    from visualizer.workbench.machine_compiler import NoCompiler

    path = lesson.folder / exercise.file
    if not _is_ours(path):
        return Verdict()  # whose course has no such check has asked for none
    if reason := consent.why_not_here():
        return Verdict(note=f"not compiled: {reason}")
    try:
        options = options_of(lesson)
        _compile(path, options, text)
    except (NoCompiler, OSError) as error:
        return Verdict(note=f"not compiled: {error}")
    except CompilerFailed as refused:
        try:
            _compile(path, options, lesson.text(exercise.solution))
        except CompilerFailed:
            said = "this machine's compiler refuses the lesson's own solution too"
            return Verdict(note=f"not compiled: {said}")
        return _says(refused)
    return Verdict()


def _is_ours(path: Path) -> bool:
    return path.absolute().is_relative_to(lessons_folder())


def _compile(path: Path, options: Options, text: str) -> None:
    """Raises NoCompiler, CompilerFailed or OSError."""
    from registry_runtime.native.child import Limits
    from registry_runtime.native.compiler import PLAIN, compile_with
    from visualizer.workbench.machine_compiler import cxx_compiler, words_for

    named = str(path.absolute())
    in_cxx = is_cxx(options.settled(path).std)
    # The samples include nothing of the library, and neither does what a learner writes behind them.
    library = [word for name in _LIBRARY for word in ("-include", name)] if in_cxx else []
    words = [cxx_compiler(options.cc), *words_for(options, path), *library, *PLAIN]
    words += ["-fsyntax-only", "-w", "-x", "c++" if in_cxx else "c", "-"]
    with TemporaryDirectory(prefix="unfold-") as folder:
        source = f'# 1 "{named}"\n{text}'.encode(errors="surrogateescape")
        compile_with(words, source, Path(folder), named, limits=Limits(seconds=30))


_LIBRARY = (
    *("algorithm", "array", "cmath", "cstdint", "functional", "memory", "optional", "string"),
    *("tuple", "type_traits", "vector"),
)


def _says(error: CompilerFailed) -> Verdict:
    where = _at(error.errors[0].where) if error.errors else None
    said = error.errors[0].message if error.errors else str(error)
    return Verdict(f"the compiler says: {said}", where)


def compiled(learner: Learner, wanted: dict[str, Any], _: Mapping[str, Any]) -> Verdict:
    from registry_runtime.lab.phi.body import body_in, run
    from registry_runtime.lab.phi.body_call import BodyCall
    from registry_runtime.native.compiler import CompilerFailed
    from registry_runtime.native.crash import BodyFailed
    from registry_runtime.native.program import program_of
    from visualizer.workbench.bodies import NoRuntime, source_of
    from visualizer.workbench.machine_compiler import NoCompiler

    name = wanted["kernel"]
    found = registered(learner.bench, name, f"CPU:{wanted['dtype']}")
    function = found.kernel.function
    if not isinstance(function, CxxFunction):
        return Verdict()
    reason = consent.why_not_here()
    if not (reason or _is_ours(learner.path)):
        reason = "that is done for Unfold's own lessons alone"
    if reason:
        return Verdict(note=f"not compiled: {reason}")
    try:
        source = source_of(learner.bench)
        program = program_of(source, function.name, optimise=False)
        if _is_empty(learner, name):
            return Verdict(note="compiled; its body is empty, and Python's runs")
        body = body_in(program, name, found.key, found.kernel)
        T = found.key.dtype.numpy
        given = tuple(np.asarray(v, T) if isinstance(v, list) else v for v in wanted["given"])
        made = next(iter(run(body, BodyCall(given), runs=0, python=False).results.values()))
    except (NoCompiler, NoRuntime, OSError) as error:
        return Verdict(note=f"not compiled: {error}")
    except KernelError as error:
        return Verdict(str(error))
    except CompilerFailed as error:
        return _says(error)
    except BodyFailed as error:
        return Verdict(str(error), _at(error.where) if error.where else None)
    if made.tolist() != wanted["gives"]:
        of = " and ".join(str(value) for value in wanted["given"])
        return Verdict(f"compiled, {name} makes {made.tolist()} of {of}, not {wanted['gives']}")
    return Verdict(note=f"compiled by {program.compiled_by}, and run")


def _is_empty(learner: Learner, name: str) -> bool:
    each = [e.stand_in for e in learner.bench.entries if e.registration.kernel_name == name]
    return any(one is not None and one.body in (Body.EMPTY, Body.NONE) for one in each)


def _at(place: Place) -> At:
    return At(display_path(place.file), place.line, place.column)
