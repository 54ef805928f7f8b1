"""One of Fluid's operators in the run pane, called by names, with each step of the call told.

There is a row for each of the operator's names. What is called stands in the program of the file on
the bench, and of those that its build links it with: PHI's kernel, if there is one, or else Fluid's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from registry_runtime.fluid.op_kernel_type import OpKernelType
from registry_runtime.lab.fluid.experiment import Field, OpExperiment, fields
from registry_runtime.lab.values import DTYPES
from registry_runtime.phi.data_type import trans_to_phi_data_type
from registry_runtime.phi.kernel_template import KernelError
from visualizer.frameworks.bodies import with_bodies
from visualizer.frameworks.fluid import report
from visualizer.frameworks.presenter import Choice
from visualizer.frameworks.runnable import (
    Blank,
    Cancelled,
    Doing,
    Done,
    Filled,
    Form,
    Runnable,
    dtype_row,
    dtypes,
    named,
    texts,
)
from visualizer.layout.rows import QUIET

if TYPE_CHECKING:
    from registry_runtime.fluid.registered import Registration
    from registry_runtime.fluid.runtime import Runtime
    from visualizer.workbench.entries import Entry

_HAS = "Inputs are random; [1, 2] is its own values, x.npy a file. An empty one is left out."

Known = Callable[[str], "Sequence[Field]"]


def to_run(fluid: Runtime, registration: Registration, entries: Sequence[Entry] = ()) -> Runnable:
    """The registration's operator is chosen first, its inputs of that data type."""
    key, dtype = registration.key, DTYPES[0]
    if isinstance(key, OpKernelType):
        dtype = str(trans_to_phi_data_type(key.data_type))
    words = tuple(dict.fromkeys((*fluid.op_info_map.map(), registration.op_type)))
    known = lru_cache(maxsize=1)(partial(fields, fluid))  # a gradient's are inferred
    return Runnable(
        Filled({"call": registration.op_type}), partial(_form, fluid, entries, words, dtype, known)
    )


def _form(
    fluid: Runtime,
    entries: Sequence[Entry],
    words: Sequence[str],
    dtype: str,
    known: Known,
    filled: Filled,
) -> Form:
    call, typed = filled.chosen["call"], filled.typed
    facts = with_bodies(
        partial(named, call, ""), [e for e in entries if e.registration.kernel_name == call]
    )
    form = Form(call, "", {"call": Choice("call", words, call)}, facts)
    blanks: dict[str, Blank | Choice] = {}
    try:
        for one in known(call):
            blanks[one.name] = Blank(one.name, one.text, one.type.replace("std::", ""))
            blanks |= dtype_row(one.name, typed, dtype) if one.kind == "input" else {}
    except (KernelError, LookupError) as error:
        return replace(form, problem=str(error))
    work = partial(_call, fluid, OpExperiment(call, texts(blanks, typed), dtypes(blanks)))
    return replace(
        form,
        blanks=blanks,
        does={"r": Doing("Calling", "calls it, and tells each step", work)},
        told=[[(_HAS, QUIET)]],
    )


def _call(fluid: Runtime, one: OpExperiment, cancelled: Cancelled) -> Done:
    story = one.call(fluid)
    tabs = {"Result": partial(report.outputs, story), "Story": partial(report.steps, story)}
    said = str(story.error).partition("\n")[0] if story.error else ""
    return Done(tabs, "Result", f"✗ {said}" if said else "")
