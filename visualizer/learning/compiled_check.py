"""`compiled`: the learner's own kernel goes through the machine's compiler, and runs.

What the interpreter of a body takes, a compiler may refuse: here it does. Only a lesson of ours is
compiled so: a course may come from anywhere, and its files run at nobody's word. Where there is no
compiler, or the app is served, the other checks have to do, and the verdict says why.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from registry_runtime.cxx import CxxFunction
from registry_runtime.phi.kernel_template import KernelError
from visualizer.expansion.source_files import display_path
from visualizer.expansion.tokens import Source as At
from visualizer.frameworks.phi.questions import registered
from visualizer.learning.verdict import Learner, Verdict
from visualizer.personal import consent
from visualizer.workbench.samples import lessons_folder
from visualizer.workbench.stand_ins import Body

if TYPE_CHECKING:
    from registry_runtime.native.compiler import Place


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
    if reason := consent.why_not_here():
        return Verdict(note=f"not compiled: {reason}")
    if not learner.path.absolute().is_relative_to(lessons_folder()):
        return Verdict(note="not compiled: that is done for Unfold's own lessons alone")
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
        where = _at(error.errors[0].where) if error.errors else None
        said = error.errors[0].message if error.errors else str(error)
        return Verdict(f"the compiler says: {said}", where)
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
