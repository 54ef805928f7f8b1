"""Questions about the registry: what is in it, what a kernel takes and gives, what a call finds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from visualizer.frameworks.answers import Answer, Place, Unanswerable

if TYPE_CHECKING:
    from registry_runtime.phi.kernel import AttributeArgDef, TensorArgDef
    from registry_runtime.phi.registered import Registration
    from registry_runtime.phi.selection import Selection
    from visualizer.workbench.bench import Workbench


def _entries(bench: Workbench, place: Place, _: list[str]) -> str:
    whole = bench.view(place.expansion, place.look).in_whole(place.state)
    return str(sum(not shown.pending for shown in bench.registry_at(place.expansion, whole)))


def _entries_of_file(bench: Workbench, place: Place, _: list[str]) -> str:
    return str(len(bench.entries))


def _newest(bench: Workbench, place: Place, _: list[str]) -> str:
    whole = bench.view(place.expansion, place.look).in_whole(place.state)
    for shown in bench.registry_at(place.expansion, whole):
        if shown.newest:
            return str(shown.entry.registration.key)
    raise Unanswerable("the registry is empty here")


def _registers(bench: Workbench, place: Place, _: list[str]) -> str:
    """How many kernels this invocation registers, from its start to its end."""
    return str(sum(entry.expansion == place.expansion for entry in bench.entries))


def _coming(bench: Workbench, place: Place, _: list[str]) -> str:
    """The key that this invocation registers next."""
    whole = bench.view(place.expansion, place.look).in_whole(place.state)
    here = (e for e in bench.entries if e.expansion == place.expansion)
    births = [(bench.born(e)[1], str(e.registration.key)) for e in here]
    later = [born for born in births if born[0] > whole]
    if not later:
        raise Unanswerable("nothing more is registered here")
    return min(later, key=lambda born: born[0])[1]


def _slot(bench: Workbench, place: Place, words: list[str]) -> str:
    """`slot KERNEL BACKEND[:DTYPE] input|attribute|output N FIELD`"""
    kernel, which, number, field = words[0], *words[2:]
    slots = _described(registered(bench, kernel, words[1]), which)
    if not number.isdecimal() or int(number) >= len(slots):
        raise Unanswerable(f"{kernel} has no {which} {number}")
    slot = slots[int(number)]
    if not hasattr(slot, field):
        raise Unanswerable(f"an {which} has no {field}")
    return str(getattr(slot, field))


def _count(bench: Workbench, place: Place, words: list[str]) -> str:
    """`count KERNEL BACKEND[:DTYPE] input|attribute|output`"""
    return str(len(_described(registered(bench, *words[:2]), words[2])))


def _kind(bench: Workbench, place: Place, words: list[str]) -> str:
    """`kind KERNEL`: `FUNCTION` or `STRUCTURE`."""
    return registered(bench, words[0], "*").kernel.registered_type.name


def _function(bench: Workbench, place: Place, words: list[str]) -> str:
    """`function KERNEL BACKEND[:DTYPE]`: the C++ function, as `phi::ReluKernel<float, …>`. Of one of
    PyTorch's operators, `function OPERATOR KEY`."""
    if "::" in words[0]:
        return _called(bench, *words)
    return str(registered(bench, *words).kernel.function or "none")


def _called(bench: Workbench, operator: str, key: str) -> str:
    """The function that the newest registration of an operator for a key names."""
    for entry in reversed(bench.entries):
        registration = entry.registration
        if (registration.kernel_name, str(registration.key)) == (operator, key):
            return str(registration.function or "none")
    raise Unanswerable(f"{operator} is not registered for {key}")


def registered(bench: Workbench, kernel: str, where: str) -> Registration:
    """The first registration of a kernel there: `CPU`, `GPU:float16`, or `*`. One that another has
    replaced doesn't count."""
    from registry_runtime.phi.registered import Registration
    from visualizer.workbench.entries import replacements

    backend, _, dtype = where.partition(":")
    replaced = replacements(bench.entries).values()
    for entry in bench.entries:
        registration = entry.registration
        if not isinstance(registration, Registration):
            continue
        on, of = str(registration.key.backend), str(registration.key.dtype)
        fits = backend in ("*", on) and dtype in ("", of) and entry not in replaced
        if registration.kernel_name == kernel and fits:
            return registration
    raise Unanswerable(f"no kernel {kernel} is registered for {where}")


def _described(
    registration: Registration, which: str
) -> Sequence[TensorArgDef] | Sequence[AttributeArgDef]:
    args = registration.kernel.args_def
    if which == "attribute":
        return args.attribute_defs
    return args.input_defs if which == "input" else args.output_defs


def _selects(bench: Workbench, place: Place, words: list[str]) -> str:
    """`selects KERNEL BACKEND LAYOUT DTYPE`: `found`, `fell back to the CPU` or `not found`."""
    return _selection(bench, words).outcome


def _transforms(bench: Workbench, place: Place, words: list[str]) -> str:
    """`transforms KERNEL BACKEND LAYOUT DTYPE`: what inputs with this key go through, or `nothing`."""
    selection = _selection(bench, words)
    if selection.result is None:
        raise Unanswerable(f"no kernel {words[0]} is found there")
    return "; ".join(selection.transforms) or "nothing"


def _selection(bench: Workbench, words: list[str]) -> Selection:
    from registry_runtime.lab.phi.selection import key_named

    name, *key = words
    try:
        return bench.program.phi.explain_selection(name, key_named(bench.program.phi, *key))
    except ValueError as error:
        raise Unanswerable(str(error)) from None


def _body(bench: Workbench, place: Place, words: list[str]) -> str:
    """`body KERNEL DTYPE TENSOR|NUMBER…`: what the text's own body makes of these, in an output of the
    first tensor's dims."""
    import numpy as np

    from registry_runtime.cxx import CxxError, CxxFunction
    from registry_runtime.phi.dense_tensor import DenseTensor
    from registry_runtime.phi.kernel_body import Output, run_body

    kernel, dtype, *given = words
    registration = registered(bench, kernel, f"CPU:{dtype}")
    function, key = registration.kernel.function, registration.key
    if not isinstance(function, CxxFunction):
        raise Unanswerable(f"nobody knows the C++ function of {kernel}")
    try:
        values = [json.loads(value) for value in given]
        tensors = [
            DenseTensor.of(np.asarray(value, key.dtype.numpy)) if isinstance(value, list) else value
            for value in values
        ]
        output = Output(*next(each.dims for each in tensors if isinstance(each, DenseTensor)))
        if not run_body(function, *tensors, output):
            raise Unanswerable(f"the body of {kernel} is empty")
    except (ValueError, StopIteration) as error:
        raise Unanswerable(
            f"'body {kernel} {dtype}' takes tensors as [1, 2], and numbers"
        ) from error
    except CxxError as error:
        return error.message
    return str([*output.elements]).replace("None", "nothing")


ANSWERS: dict[str, Answer] = {
    "body": _body,
    "entries": _entries,
    "entries-of-file": _entries_of_file,
    "newest": _newest,
    "registers": _registers,
    "coming": _coming,
    "slot": _slot,
    "count": _count,
    "kind": _kind,
    "function": _function,
    "selects": _selects,
    "transforms": _transforms,
}
AT_LEAST = {"body": 3}
