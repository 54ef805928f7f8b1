"""One operator, tried: called by names on random data, timed, and compared with NumPy.

What `unfold run` shows for an operator of Fluid's. The data and the reference are those of PHI's
kernel of that name, whose parameters the operator's names are lined up with: by its argument mapping,
or by its maker. So what is compared is all the way: names, InferShape, choosing a kernel, the kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from registry_runtime.cxx import CxxFunction, name_span
from registry_runtime.fluid.blame import told
from registry_runtime.fluid.default_signature import default_signature
from registry_runtime.fluid.name_check import operator_names
from registry_runtime.fluid.phi_choice import signature_of_all_names
from registry_runtime.fluid.run_op import OpStory, tell_op
from registry_runtime.kernels import find
from registry_runtime.kernels.template import Instance, KernelTemplate
from registry_runtime.lab.elements import elements, labelled
from registry_runtime.lab.fluid.experiment import OpExperiment
from registry_runtime.lab.phi.operands import arguments as arguments_of
from registry_runtime.lab.phi.operands import dtype_given
from registry_runtime.lab.timing import median_seconds
from registry_runtime.phi.arg_map_context import KernelSignature
from registry_runtime.phi.call.op_call import OpError
from registry_runtime.phi.data_type import data_type_named, trans_to_phi_data_type
from registry_runtime.phi.kernel_template import KernelError, as_tuple

if TYPE_CHECKING:
    from registry_runtime.fluid.runtime import Runtime

_RUNS = 5


@dataclass(frozen=True)
class OpTrial:
    """What came of it. `agrees` is None where nobody has a reference for the operator."""

    story: OpStory
    inputs: Mapping[str, Any]
    outputs: Mapping[str, Any]
    seconds: float
    agrees: bool | None

    @property
    def results(self) -> Mapping[str, Any]:
        return {name: np.asarray(value) for name, value in self.outputs.items()}

    def values(self, name: str) -> tuple[str, ...]:
        inputs = [np.asarray(value) for value in self.inputs.values()]
        return tuple(elements(name, inputs, np.asarray(next(iter(self.outputs.values())))))

    def report(self, values: Iterable[str] = ()) -> Iterator[str]:
        """Lines to read: what the call did, these values of it, whether NumPy agrees, and last how
        long it took."""
        yield f"operator    {self.story.op_type}"
        for step in self.story.steps:
            yield f"{step.kind:<12}{step.sentence}"
        yield f"inputs      {_shapes(self.inputs)}"
        yield f"outputs     {_shapes(self.outputs)}"
        yield from labelled(values)
        if self.agrees is not None:
            yield f"NumPy       {'agrees' if self.agrees else 'DISAGREES'}"
        yield f"time        {self.seconds * 1e6:,.1f} µs"


def _shapes(named: Mapping[str, Any]) -> str:
    arrays = {name: np.asarray(value) for name, value in named.items()}
    return ", ".join(f"{name} {a.dtype}{list(a.shape)}" for name, a in arrays.items())


def try_op(
    fluid: Runtime,
    op_type: str,
    dtype: str | None = None,
    size: int = 1_000_000,
    seed: int = 0,
    texts: Mapping[str, str] | None = None,
) -> OpTrial:
    """Call the operator on about `size` random elements, or on what `texts` give, by names.

    Raises OpError, and KernelError for what the kernel refuses, for a data type that it isn't
    registered for, and for an operator that nobody can make data for.
    """
    if texts and template_of(fluid, op_type) is None:
        return _without_reference(fluid, op_type, texts)
    given = operands(fluid, op_type, dtype, size, seed, texts)
    inputs, attrs = given.inputs, given.attrs
    story = tell_op(fluid, op_type, inputs, attrs)
    if story.error is not None:
        raise story.error
    assert story.outputs is not None
    seconds = _timed(fluid, op_type, inputs, attrs)
    agrees = _agrees(given.instance, given.arguments, list(story.outputs.values()))
    return OpTrial(story, inputs, story.outputs, seconds, agrees)


def _without_reference(fluid: Runtime, op_type: str, texts: Mapping[str, str]) -> OpTrial:
    """A call of an operator that is in nobody's library, on what is given of its maker's names."""
    one = OpExperiment(op_type, texts)
    inputs, attrs = one.inputs(fluid), one.attrs(fluid)
    story = tell_op(fluid, op_type, inputs, attrs)
    if story.error is not None:
        raise story.error
    assert story.outputs is not None
    seconds = _timed(fluid, op_type, inputs, attrs)
    return OpTrial(story, inputs, story.outputs, seconds, None)


def _timed(
    fluid: Runtime, op_type: str, inputs: Mapping[str, Any], attrs: Mapping[str, Any]
) -> float:
    return median_seconds(lambda _: fluid.call_op(op_type, inputs, attrs), _RUNS)


@dataclass(frozen=True, slots=True)
class Operands:
    """What a call gets by names, and the kernel of PHI's that takes the same in its order."""

    instance: Instance
    arguments: tuple[Any, ...]
    inputs: Mapping[str, Any]
    attrs: Mapping[str, Any]


def operands(
    fluid: Runtime,
    op_type: str,
    dtype: str | None,
    size: int,
    seed: int = 0,
    texts: Mapping[str, str] | None = None,
) -> Operands:
    """About `size` random elements for the operator, or what `texts` give of its names. Raises OpError
    and KernelError."""
    instance = _instance(fluid, op_type, dtype)
    signature = _signature(fluid, op_type)
    names = (*signature.input_names, *signature.attr_names)
    taken = instance.template.inputs
    if len(names) != len(taken):
        raise _unlike(fluid, op_type, signature, [p.name for p in taken])
    texts = texts or {}
    typed = {p.name: texts[n] for n, p in zip(names, taken, strict=True) if n in texts}
    if dtype is None and (held := dtype_given(instance.template, typed)) is not None:
        instance = _instance(fluid, op_type, str(held))
    rng = np.random.default_rng(seed)
    try:
        if typed:
            arguments = arguments_of(instance.template, instance.dtype, typed, "random", rng, size)
        else:
            arguments = instance.template.sample(instance.dtype, size, rng)
    except (MemoryError, ValueError, OverflowError):
        raise KernelError(f"{size:,} elements do not fit into memory: try fewer") from None
    given = dict(zip(names, arguments, strict=True))
    inputs = {name: given[name] for name in signature.input_names}
    attrs = {name: given[name] for name in signature.attr_names}
    return Operands(instance, arguments, inputs, attrs)


def template_of(fluid: Runtime, op_type: str) -> KernelTemplate | None:
    """PHI's kernel of the operator's name, in Python; None if nobody wrote it."""
    base = fluid.phi.op_utils.GetBaseKernelName(op_type)
    return find(f"phi::{_camel(base)}Kernel")


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _instance(fluid: Runtime, op_type: str, dtype: str | None) -> Instance:
    """PHI's kernel of the operator, in Python, for a data type that somebody registered."""
    with told(op_type, None):
        fluid.op_info_map.Get(op_type)
    base = fluid.phi.op_utils.GetBaseKernelName(op_type)
    template = template_of(fluid, op_type)
    if template is None:
        raise KernelError(
            f"nobody can make data for {op_type}: there is no phi::{_camel(base)}Kernel in Python to "
            "take it from; call the operator from Python: load([…]).fluid.call_op(…)"
        )
    keys = [trans_to_phi_data_type(k.data_type) for k in fluid.op_kernels.get(op_type, {})]
    keys += [key.dtype for key in fluid.phi.factory.kernels.get(base, {})]
    registered = [d for d in dict.fromkeys(keys) if d in template.dtypes]
    if not registered:
        raise KernelError(
            f"There are no kernels which are registered in the {op_type} operator. "
            "(add a --file that registers them, Fluid's or PHI's)"
        )
    try:
        wanted = None if dtype is None else data_type_named(dtype)
    except ValueError as error:
        raise KernelError(str(error)) from None
    for known in registered:
        if wanted in (None, known):
            made: Instance = template.instantiate(known, "CPUContext")
            return made
    there = ", ".join(map(str, registered))
    raise KernelError(f"{op_type} is not registered for {dtype}; it is for {there}")


def _signature(fluid: Runtime, op_type: str) -> KernelSignature:
    """The operator's names in the order of PHI's kernel; of a gradient, those of its maker."""
    default = fluid.default_signature(op_type)
    if default is not None or fluid.phi.op_utils.Contains(op_type):
        return signature_of_all_names(fluid, op_type)
    names = operator_names(fluid.world, op_type)
    if names is None:
        raise KernelError(f"nobody knows the names of {op_type}: it has no maker and no mapping")
    forward = fluid.op_info_map.Get(names.forward).Proto()
    attrs = default_signature(forward, op_type).attr_names
    return KernelSignature(op_type, names.inputs, attrs, names.outputs)


def _unlike(
    fluid: Runtime, op_type: str, signature: KernelSignature, taken: list[str]
) -> KernelError:
    """The error for lists of names that can't be lined up with the kernel's parameters."""
    names = (*signature.input_names, *signature.attr_names)
    takes = f"PHI's kernel takes {len(taken)}: {', '.join(taken)}"
    fn = fluid.phi.argument_mapping_fn(op_type)
    if isinstance(fn, CxxFunction):
        said = f"its argument mapping {fn.name} lists {len(names)} inputs and attributes"
        message = f"{op_type}: {said} ({', '.join(names) or 'none'}), and {takes}"
        return OpError(message, signature.span or name_span(fn), fn.program.source.text)
    return KernelError(
        f"{op_type} has {len(names)} names ({', '.join(names) or 'none'}), and {takes}; register an "
        "argument mapping for it"
    )


def _agrees(instance: Instance, arguments: tuple[Any, ...], outputs: list[Any]) -> bool:
    """Compared by elements: a shape of Fluid's may have an axis that PHI's has not."""
    references = as_tuple(instance.reference(*arguments))
    results = [np.asarray(value) for value in outputs]
    if [r.size for r in results] != [r.size for r in references]:
        return False
    shaped = tuple(r.reshape(ref.shape) for r, ref in zip(results, references, strict=True))
    return instance.agrees(arguments, shaped if len(shaped) > 1 else shaped[0])
