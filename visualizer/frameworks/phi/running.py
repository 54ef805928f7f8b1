"""A kernel of PHI's in the run pane: built, run beside NumPy, measured, and sent to the benchmark.

What is filled in makes an `Experiment`. What InferMeta says of it stands below the form at once: no
memory is touched for that. Tensors that the reader hasn't typed follow the first one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from registry_runtime.benchmark import experiment as stopwatch
from registry_runtime.kernels.machine_code import simd_width
from registry_runtime.kernels.template import Instance
from registry_runtime.lab.phi import experiment as laboratory
from registry_runtime.lab.phi import operands
from registry_runtime.lab.phi.experiment import Experiment
from registry_runtime.lab.phi.operands import DATA
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.kernel_template import KernelError
from visualizer.frameworks.bodies import with_bodies
from visualizer.frameworks.phi import measuring, own_body, own_python, report
from visualizer.frameworks.presenter import Choice, Tell
from visualizer.frameworks.runnable import (
    Blank,
    Cancelled,
    CodeTab,
    Doing,
    Done,
    Filled,
    Form,
    Runnable,
    Tab,
    offered,
    refusal,
    texts,
)
from visualizer.layout.rows import QUIET, refused
from visualizer.messages import _

if TYPE_CHECKING:
    from registry_runtime.lab.phi.code import Code
    from registry_runtime.phi.kernel_key import KernelKey
    from registry_runtime.phi.registered import Registration
    from registry_runtime.phi.runtime import Runtime
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry

_SECONDS = 1.0  # that measuring takes
_OWN = "my own values"
_VALUES = "[]"  # behind a parameter's name: the row in which its values are spelt out

# What was read of a kernel's code: disassembling takes longer than a run.
Codes: TypeAlias = dict[Instance, list["Code"]]


def to_run(
    runtime: Runtime, registration: Registration, size: int, bench: Workbench | None = None
) -> Runnable:
    """The registration is chosen first; `size` is how many elements its tensors have at first. Of the
    entries on the `bench` it is known whose bodies run, and its C++ can be compiled."""
    chosen = {"kernel": registration.kernel_name, "key": _shown(registration.key)}
    return Runnable(Filled(chosen), partial(_form, runtime, bench, size, {}))


# What there is to fill in


def _form(
    runtime: Runtime, bench: Workbench | None, size: int, read: Codes, filled: Filled
) -> Form:
    name = filled.chosen["kernel"]
    held = runtime.factory.kernels.get(name, {})
    # A kernel that waits for its plug-in can be tried too.
    kernels = runtime.custom_kernels.kernels.get(name, {}) | held
    key = _nearest(filled.chosen["key"], kernels)
    names = sorted({*runtime.factory.kernels, *runtime.custom_kernels.kernels})
    one = Experiment(name, key, kernels[key], size=size)
    entries = bench.entries if bench is not None else ()
    of = [e for e in entries if getattr(e.registration, "kernel", None) is one.kernel]
    form = Form(
        name,
        str(key),
        {
            "kernel": Choice("kernel", names, name),
            "key": Choice("key", tuple(map(_shown, kernels)), _shown(key)),
        },
        with_bodies(partial(report.facts, one, key not in held), of),
        tabs={"Time": report.unmeasured},
    )
    # Only what this text registers has its body in this text, and no compiler makes it for a GPU.
    of_text = bench if of and str(key.backend) == "CPU" else None
    try:
        return _with_arguments(runtime, form, one, filled, read, of, of_text)
    except KernelError as error:  # nobody wrote it in Python
        return _without_python(form, one, filled, str(error), of_text)


def _without_python(
    form: Form, one: Experiment, filled: Filled, why: str, of_text: Workbench | None
) -> Form:
    """Its C++ body can be run all the same, where there is one."""
    if of_text is None or one.kernel.function is None:
        return replace(form, problem=why)
    try:
        blanks = own_body.blanks(one)
    except KernelError as error:
        return replace(form, problem=f"{why}\n{error}")
    typed = texts(blanks, filled.typed)
    given = partial(own_body.as_typed, one, typed)
    does = {own_body.KEY: own_body.doing(of_text, one, given)}
    problem = own_body.left_open(one, typed)
    said = _("Nobody wrote this kernel in Python.")
    if (path := own_python.beside(of_text, one.kernel_name)) is not None:
        chosen = own_body.of_inputs(filled.typed)  # the file says what else there is
        does[own_python.KEY] = own_python.doing(of_text, path, one, chosen)
        said, problem = _("{file} lies beside it, in Python.").format(file=path.name), ""
    return replace(
        form,
        blanks={row: replace(b, text=filled.typed.get(row, b.text)) for row, b in blanks.items()},
        does=does,
        told=[[(said, QUIET)]],
        problem=problem,
        tabs={},
    )


def _with_arguments(
    runtime: Runtime,
    form: Form,
    one: Experiment,
    filled: Filled,
    read: Codes,
    of: Sequence[Entry],
    of_text: Workbench | None,
) -> Form:
    """The rows for its arguments, and what follows from them."""
    instance = one.instance
    data = _data(instance, filled.chosen.get("data"))
    blanks = _blanks(one, own=data.value == _OWN)
    spelt = _texts(blanks, filled.typed)
    one = replace(one, texts=spelt, data=next((d for d in DATA if d == data.value), DATA[0]))
    said = one.spelled
    form = replace(
        form,
        choices={**form.choices, "data": data},
        blanks={row: Blank(b.name, said[b.name], _kind(b)) for row, b in blanks.items()},
        does=_does(one, read, of, of_text),
        measurable=measuring.of_experiment(runtime, one),
    )
    try:
        return replace(form, told=report.outline(one.outline(), instance.template.outputs))
    except KernelError as error:
        return replace(form, problem=str(error))


def _data(instance: Instance, chosen: str | None) -> Choice:
    has_nan = operands.has_nan(instance.dtype)
    options = (*(d for d in DATA if has_nan or not d.startswith("NaN")), _OWN)
    return offered("data", options, chosen)


def _blanks(one: Experiment, own: bool) -> dict[str, operands.Blank]:
    """By the names of their rows: a tensor's values are spelt out in a row of their own."""
    there = operands.blanks(one.instance.template, one.instance.dtype, one.size)
    return {f"{b.name}{_VALUES}" if own and b.dtype and b.text else b.name: b for b in there}


def _texts(blanks: Mapping[str, operands.Blank], typed: Mapping[str, str]) -> dict[str, str]:
    """What the parameters' blanks say, but for those that say what the sample does."""
    own = {b.name: operands.own_values(b) for row, b in blanks.items() if row.endswith(_VALUES)}
    return own | {b.name: typed[row] for row, b in blanks.items() if row in typed}


def _kind(blank: operands.Blank) -> str:
    if blank.dtype is not None:
        return str(blank.dtype)
    word = blank.parameter.cpp_type.removeprefix("const ").removesuffix("&")
    return word.replace("std::", "")


def _shown(key: KernelKey) -> str:
    """`CPU Any float32`."""
    layout = "Any" if key.layout is DataLayout.ALL_LAYOUT else key.layout
    return f"{key.backend} {layout} {key.dtype}"


def _nearest(words: str, keys: Iterable[KernelKey]) -> KernelKey:
    """The key with most of these words; the first of all, if it was registered first."""
    return max(keys, key=lambda key: sum(word in words.split() for word in _shown(key).split()))


# What a thread does


def _does(
    one: Experiment, read: Codes, of: Sequence[Entry], of_text: Workbench | None
) -> dict[str, Doing]:
    build = partial(_built, one, read, codes=True)
    given = partial(own_body.as_chosen, one)
    own = {} if of_text is None else {own_body.KEY: own_body.doing(of_text, one, given)}
    if of_text is not None and (path := own_python.beside(of_text, one.kernel_name)) is not None:
        own[own_python.KEY] = own_python.doing(of_text, path, one, one.texts)
    return {
        "u": Doing(
            _("Building"), _("builds it, and shows the machine code"), lambda cancelled: build()
        ),
        "r": Doing(
            _("Building and running"),
            _("runs it on these arguments, beside NumPy"),
            partial(_run, one, read, of),
        ),
        "m": Doing(_("Measuring"), _("measures how long it takes"), partial(_measure, one, read)),
        **own,
    }


def _built(one: Experiment, read: Codes, *, codes: bool) -> Done:
    """Build it; and if asked to, read what it became."""
    try:
        build = laboratory.build(one)
    except KernelError as error:
        return _refused(one, read, str(error))
    there = _codes(one, read, wanted=codes)
    bits = max((simd_width(code.text) for code in there[:1]), default=0)
    said = report.built(one, build, bits) + ("" if there else "; u shows its code")
    return Done(_tabs(there), there[0].title if there else "Result", said)


def _run(one: Experiment, read: Codes, of: Sequence[Entry], cancelled: Cancelled) -> Done:
    def result() -> Tell:
        return with_bodies(partial(report.outcome, one, laboratory.run(one)), of)

    return _built_first(one, read, cancelled, "Result", result)


def _measure(one: Experiment, read: Codes, cancelled: Cancelled) -> Done:
    def times() -> Tell:
        return partial(report.measured, one, stopwatch.time_it(one, _SECONDS, cancelled))

    return _built_first(one, read, cancelled, "Time", times)


def _built_first(
    one: Experiment, read: Codes, cancelled: Cancelled, title: str, what: Callable[[], Tell]
) -> Done:
    built = _built(one, read, codes=False)
    if built.is_refusal or cancelled():
        return built
    try:
        return replace(built, tabs={**built.tabs, title: what()}, opened=title)
    except KernelError as error:
        return _refused(one, read, str(error))


def _refused(one: Experiment, read: Codes, text: str) -> Done:
    """The CUDA source of a kernel that lacks its device is shown anyway."""
    there = _codes(one, read, wanted=False)
    sources = [code.title for code in there if code.language == "CUDA" and code.text]
    done = refusal("Result", text, _tabs(there))
    return replace(done, opened=sources[0]) if sources else done


def _codes(one: Experiment, read: Codes, *, wanted: bool) -> list[Code]:
    """What was read, or is wanted. Of a GPU's kernel there is the source, built or not."""
    instance = one.instance
    if instance not in read and (wanted or instance.backend == "GPU"):
        read[instance] = list(laboratory.codes(one))
    return read.get(instance, [])


def _tabs(codes: Iterable[Code]) -> dict[str, Tab]:
    return {
        code.title: CodeTab(code.language, code.text, code.told)
        if code.text
        else partial(refused, code.told)
        for code in codes
    }
