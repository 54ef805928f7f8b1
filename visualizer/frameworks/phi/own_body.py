"""The C++ body of a kernel in the run pane: compiled by this machine's compiler, run in a child and
shown beside the Python kernel and NumPy. A kernel that nobody wrote in Python runs so alone; its
tensors are random where nobody says what they hold, and its attributes have to be filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from registry_runtime.lab.values import parse_shape
from registry_runtime.native.compiler import CompilerFailed
from registry_runtime.phi.kernel_template import KernelError
from registry_runtime.phi.parameter_types import Kind
from visualizer.expansion.source_files import display_path
from visualizer.frameworks.runnable import Blank, Cancelled, Doing, Done, refusal
from visualizer.layout.rows import reported
from visualizer.workbench.bodies import NoRuntime, source_of
from visualizer.workbench.machine_compiler import NoCompiler

if TYPE_CHECKING:
    from registry_runtime.lab.phi.body import Body
    from registry_runtime.lab.phi.body_call import BodyCall
    from registry_runtime.lab.phi.experiment import Experiment
    from visualizer.workbench.bench import Workbench

KEY = "c"
_TAB = "C++"
_OUTPUT = " dims"  # behind an output's name


def doing(bench: Workbench, one: Experiment, given: Callable[[Body], BodyCall]) -> Doing:
    """What the key does. `given` makes the arguments, once the body is compiled."""
    return Doing(
        "Compiling the C++ body and running it",
        "compiles the text's own C++ body, and runs that on them",
        partial(_run, bench, one, given),
        own_code=True,
    )


def as_chosen(one: Experiment, body: Body) -> BodyCall:
    """The arguments that the Python kernel runs on. Raises KernelError."""
    from registry_runtime.lab.phi.body_call import BodyCall

    return BodyCall(one.arguments(np.random.default_rng(0)))


def blanks(one: Experiment) -> dict[str, Blank]:
    """The rows for a kernel that nobody wrote in Python. Raises KernelError for one whose parameters
    can't be made up."""
    from registry_runtime.lab.phi.body import parameters_of

    rows: dict[str, Blank] = {}
    for p in parameters_of(one.kernel_name, one.kernel)[1]:
        if p.type.kind is Kind.INPUT:
            text = "" if p.type.is_optional else str(one.size)
            rows[p.name] = Blank(p.name, text, str(one.key.dtype))
        elif p.type.kind is Kind.ATTRIBUTE:
            rows[p.name] = Blank(p.name, "", p.cpp_type)
        elif p.type.kind is Kind.OUTPUT:
            rows[p.name + _OUTPUT] = Blank(p.name, "", "dims")
    return rows


def left_open(one: Experiment, texts: Mapping[str, str]) -> str:
    """What has to be filled in yet."""
    from registry_runtime.lab.phi.body import parameters_of

    return "\n".join(
        f"{p.name} has to be filled in: it is a {p.cpp_type}"
        for p in parameters_of(one.kernel_name, one.kernel)[1]
        if p.type.kind is Kind.ATTRIBUTE and not texts[p.name].strip()
    )


def as_typed(one: Experiment, texts: Mapping[str, str], body: Body) -> BodyCall:
    """The arguments that those rows spell. Raises KernelError."""
    from registry_runtime.lab.phi.body_call import several, typed

    if problem := left_open(one, texts):
        raise KernelError(problem)
    said = {row: text for row, text in texts.items() if text.strip()}
    try:
        outs = {
            name: parse_shape(word)
            for row, text in said.items()
            if row.endswith(_OUTPUT)
            for words in [text.split(";")]
            for name, word in zip(
                several(row.removesuffix(_OUTPUT), len(words)), words, strict=True
            )
        }
    except ValueError as error:
        raise KernelError(str(error)) from None
    return typed(
        body.parameters, one.key.dtype, one.size, of_inputs(said), outs, body.is_elementwise
    )


def of_inputs(texts: Mapping[str, str]) -> dict[str, str]:
    """What was said of the parameters, without the outputs' dims."""
    return {row: text for row, text in texts.items() if text.strip() and not row.endswith(_OUTPUT)}


def _run(
    bench: Workbench, one: Experiment, given: Callable[[Body], BodyCall], cancelled: Cancelled
) -> Done:
    from registry_runtime.lab.phi import body as bodies
    from registry_runtime.native.crash import BodyFailed

    try:
        source = source_of(bench)
        body = bodies.body_of(one.kernel_name, one.key, one.kernel, source, cancelled=cancelled)
        trial = bodies.run(body, given(body), cancelled=cancelled)
    except (NoCompiler, NoRuntime, OSError) as error:
        return refusal(_TAB, str(error))
    except CompilerFailed as error:
        return refusal(_TAB, _refused(error))
    except BodyFailed as error:
        at = error.where and f"{display_path(error.where.file)}:{error.where.line}: "
        return refusal(_TAB, f"{at or ''}{error}")
    lines = list(trial.report(trial.values(one.kernel_name)))
    return Done({_TAB: partial(reported, lines)}, _TAB, f"Compiled by {body.program.compiled_by}")


def _refused(error: CompilerFailed) -> str:
    """The compiler's errors with their places, one to a line."""
    if not error.errors:
        return str(error)
    places = [(display_path(e.where.file), e) for e in error.errors]
    return "\n".join(f"{f}:{e.where.line}:{e.where.column}: {e.message}" for f, e in places)
