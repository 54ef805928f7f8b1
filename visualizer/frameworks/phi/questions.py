"""Questions about the registry: what is in it, what a kernel takes and gives, what a call finds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from visualizer.frameworks.answers import Answer, Place, Unanswerable, numbers

if TYPE_CHECKING:
    from registry_runtime.phi.kernel import AttributeArgDef, TensorArgDef
    from registry_runtime.phi.meta_tensor import MetaTensor
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


def _meta(bench: Workbench, place: Place, words: list[str]) -> str:
    """`meta KERNEL TYPE[DIMS]|NUMBER…`: what the InferMeta that is registered for the kernel says of
    these, `float32[4]`, or its error."""
    said = _asked(bench, words)
    if isinstance(said, str):
        return said
    return f"{said.dtype}[{','.join(map(str, said.dims))}]" if said.shaped else "no shape"


def _refuses(bench: Workbench, place: Place, words: list[str]) -> str:
    """`refuses KERNEL TYPE[DIMS]|NUMBER…`: whether that InferMeta refuses these, `yes` or `no`."""
    return "yes" if isinstance(_asked(bench, words), str) else "no"


def _asked(bench: Workbench, words: list[str]) -> MetaTensor | str:
    kernel, *given = words
    return _inferred(bench, kernel, [_meta_tensor(word) or _value(word) for word in given])


def _meta_tensor(word: str) -> MetaTensor | None:
    from registry_runtime.phi.data_type import DataType
    from registry_runtime.phi.meta_tensor import MetaTensor

    name, bracket, dims = word.removesuffix("]").partition("[")
    dtype = next((known for known in DataType if str(known) == name), None)
    if dtype is None or not bracket:
        return None
    try:
        return MetaTensor(numbers(dims), dtype, shaped=True)
    except ValueError:
        raise Unanswerable(f"'{word}' is no tensor: float32[4,3] is one") from None


def _inferred(bench: Workbench, kernel: str, given: Sequence[object]) -> MetaTensor | str:
    """The output that the kernel's InferMeta describes, or what it says is wrong."""
    from registry_runtime.cxx import CxxError
    from registry_runtime.phi.enforce import EnforceNotMet
    from registry_runtime.phi.infermeta_context import InferMetaContext
    from registry_runtime.phi.meta_tensor import MetaTensor

    factory = bench.program.phi.meta_fns
    if not factory.Contains(kernel):
        raise Unanswerable(f"no InferMeta is registered for {kernel}")
    output, ctx = MetaTensor(), InferMetaContext()
    for each in given:
        if isinstance(each, MetaTensor):
            ctx.EmplaceBackInput(each)
        else:
            ctx.EmplaceBackAttr(each)
    ctx.EmplaceBackOutput(output)
    try:
        factory.Get(kernel).Call(ctx)
    except (CxxError, EnforceNotMet) as error:
        return str(getattr(error, "message", error)).partition("\n")[0]
    return output


def _value(word: str) -> object:
    try:
        return json.loads(word)
    except ValueError:
        raise Unanswerable(f"'{word}' is neither a tensor nor a number") from None


def _body(bench: Workbench, place: Place, words: list[str]) -> str:
    """`body KERNEL DTYPE TENSOR|NUMBER…`: what the text's own body makes of these. Its InferMeta says
    the output's dims; without one, they are the first tensor's."""
    import numpy as np

    from registry_runtime.cxx import CxxError, CxxFunction
    from registry_runtime.phi.dense_tensor import DenseTensor
    from registry_runtime.phi.kernel_body import Output, run_body
    from registry_runtime.phi.meta_tensor import MetaTensor

    kernel, dtype, *given = words
    registration = registered(bench, kernel, f"CPU:{dtype}")
    function, key = registration.kernel.function, registration.key
    if not isinstance(function, CxxFunction):
        raise Unanswerable(f"nobody knows the C++ function of {kernel}")
    values: list[object] = []
    for value in map(_value, given):
        try:
            is_tensor = isinstance(value, list)
            values.append(
                DenseTensor.of(np.asarray(value, key.dtype.numpy)) if is_tensor else value
            )
        except ValueError:
            raise Unanswerable(f"{value} is no tensor: its rows differ in length") from None
    tensors = [value for value in values if isinstance(value, DenseTensor)]
    dims = tensors[0].dims if tensors else ()
    if bench.program.phi.meta_fns.Contains(kernel):
        described = [MetaTensor.of(v) if isinstance(v, DenseTensor) else v for v in values]
        inferred = _inferred(bench, kernel, described)
        if isinstance(inferred, str):
            return inferred
        dims = inferred.dims
    output = Output(*dims)
    try:
        if not run_body(function, *values, output):
            raise Unanswerable(f"the body of {kernel} is empty")
    except CxxError as error:
        return error.message
    return str([*output.elements]).replace("None", "nothing")


ANSWERS: dict[str, Answer] = {
    "body": _body,
    "meta": _meta,
    "refuses": _refuses,
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
AT_LEAST = {"body": 3, "meta": 2, "refuses": 2}
