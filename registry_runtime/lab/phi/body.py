"""A kernel's C++ body, compiled and run: beside Unfold's Python kernel, if there is one, and NumPy."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from registry_runtime.cxx import CxxFunction
from registry_runtime.cxx.bodies import is_empty
from registry_runtime.kernels.skeleton.elements import is_elementwise
from registry_runtime.kernels.template import Instance
from registry_runtime.lab.elements import elements, labelled
from registry_runtime.lab.phi.body_call import (
    NOBODYS_DIMS,
    BodyCall,
    can_pass,
    dims_of,
    outputs_of,
    several,
    words_of,
)
from registry_runtime.lab.phi.outcome import Outcome, outcome_of
from registry_runtime.lab.timing import Timing, median_seconds
from registry_runtime.native import call
from registry_runtime.native.call import Key, Output, Ran
from registry_runtime.native.child import Limits
from registry_runtime.native.program import GIVEN, Program, Source, assembly_of, program_of
from registry_runtime.phi.call.kernel_call import instance_of
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.kernel import Kernel
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_template import KernelError, as_tuple
from registry_runtime.phi.parameter_types import Parameter

RUNS = 7
_MANGLED = {  # Itanium C++ ABI; complex is a template, and its parts' letter follows
    "bool": "b",
    "int8_t": "a",
    "uint8_t": "h",
    "int16_t": "s",
    "int": "i",
    "int32_t": "i",
    "int64_t": "[lx]",
    "float": "f",
    "double": "d",
    "phi::dtype::complex<float>": "7complexIfE",
    "phi::dtype::complex<double>": "7complexIdE",
    "phi::dtype::float16": "7float16",
    "phi::dtype::bfloat16": "8bfloat16",
}


@dataclass(frozen=True)
class Body:
    """A registered kernel of a text, and the program that runs it."""

    name: str
    key: KernelKey
    kernel: Kernel
    parameters: tuple[Parameter, ...]
    program: Program

    @property
    def function(self) -> str:
        return str(self.kernel.function)

    @property
    def is_elementwise(self) -> bool:
        """Whether its output is seen to have its inputs' dims."""
        return has_inputs_dims(self.kernel, self.parameters, self.key.dtype)


@dataclass(frozen=True)
class BodyTrial:
    """What the body made of a call. `beside` is the same beside NumPy, and `python` what Unfold's
    kernel made of it, both None where nobody wrote that. `left_out` are outputs without memory."""

    body: Body
    inputs: tuple[NDArray[Any], ...]
    results: Mapping[str, NDArray[Any]]
    ran: Ran
    beside: Outcome | None = None
    python_agrees: bool | None = None
    python_seconds: tuple[float, float] | None = None
    left_out: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool | None:
        return None if self.beside is None else self.beside.agrees

    def values(self, name: str) -> tuple[str, ...]:
        first = next(iter(self.results.values()), None)
        return () if first is None else tuple(elements(name, self.inputs, first))

    def report(self, values: Iterable[str] = ()) -> Iterator[str]:
        """Lines to read: whose body ran, its values, whether Python and NumPy agree, how fast."""
        program = self.body.program
        yield f"kernel      {self.body.function}, its C++ body"
        kept = ", kept from an earlier run" if program.from_cache else ""
        yield f"compiled    by {program.compiled_by}{kept}"
        for name in program.source.gives:
            yield f"body        Unfold's {name} stands for the one that this text only declares"
        yield f"inputs      {', '.join(f'{a.dtype}{list(a.shape)}' for a in self.inputs)}"
        for result in self.results.values():
            yield f"result      {result.dtype}{list(result.shape)}"
        for name in self.left_out:
            yield f"result      none in '{name}': the body gave it no memory"
        yield from labelled(values)
        if self.beside is None:
            yield "Python      nobody wrote this kernel in Python: there is nothing to compare with;"
            yield "            `unfold kernel new FILE:LINE` writes one"
        else:
            yield f"Python      {'agrees' if self.python_agrees else 'DISAGREES'}"
            yield f"NumPy       {'agrees' if self.agrees else 'DISAGREES'}"
            for difference in self.beside.differences:
                yield f"            {difference}"
        for line in self.ran.printed.splitlines()[:20]:
            yield f"printed     {line}"
        yield from self._times()

    def _times(self) -> Iterator[str]:
        if not self.ran.new_seconds:
            return
        ours = statistics.median(self.ran.new_seconds), statistics.median(self.ran.same_seconds)
        python = self.python_seconds
        for place, i in (("new memory", 0), ("the same memory", 1)):
            beside = f"; Python {_microseconds(python[i])}" if python is not None else ""
            yield f"{'' if i else 'time':<12}C++ {_microseconds(ours[i])}{beside}, into {place}"


def body_of(
    name: str,
    key: KernelKey,
    kernel: Kernel,
    source: Source,
    sanitize: bool = False,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Body:
    """Compile the body of a registered kernel. Raises KernelError for one that can't be run so,
    CompilerFailed for what the compiler refuses."""
    function, parameters = parameters_of(name, kernel)
    source = replace(source, gives=left_to_us(function))
    program = program_of(source, function.name, sanitize, progress=progress, cancelled=cancelled)
    return Body(name, key, kernel, parameters, program)


def body_in(program: Program, name: str, key: KernelKey, kernel: Kernel) -> Body:
    """The same for a program that has it. Raises KernelError."""
    return Body(name, key, kernel, parameters_of(name, kernel)[1], program)


def parameters_of(name: str, kernel: Kernel) -> tuple[CxxFunction, tuple[Parameter, ...]]:
    """The kernel's function and its parameters. Raises KernelError for one that can't be run so."""
    function = kernel.function
    if function is None or function.type is None:
        raise KernelError(f"{name} has no C++ function in this text")
    parameters = tuple(Parameter(p.name, str(p.type)) for p in function.type.parameters)
    for parameter in parameters:
        if not can_pass(parameter.type):
            said = f"{parameter.name} is a {parameter.cpp_type}"
            raise KernelError(f"{function.name} can't be called by itself yet: {said}")
    return function, parameters


def has_inputs_dims(kernel: Kernel, parameters: Sequence[Parameter], dtype: DataType) -> bool:
    """Whether the output of a kernel with these parameters is seen to have its inputs' dims."""
    of = kernel.function
    return of is not None and is_elementwise(of, tuple(parameters), frozenset({dtype}))


def left_to_us(function: CxxFunction) -> tuple[str, ...]:
    """What the text declares, defines nowhere, and we have."""
    known = function.program.declarations.functions
    declared = {name: known.get(name, ()) for name in GIVEN}
    return tuple(
        name
        for name, each in declared.items()
        if each and all(d.body is None for d in each) and not function.program.elsewhere(name)
    )


def code_of(kernel: Kernel, source: Source, progress: Callable[[float], None] | None = None) -> str:
    """The assembly of the kernel's instance: of its own function, where that was not inlined into the
    wrapper. Raises CompilerFailed."""
    function = kernel.function
    assert function is not None
    source = replace(source, gives=left_to_us(function))
    whole = assembly_of(source, function.name, progress)
    dtype = str(function.arguments[0]) if function.arguments else ""
    return "\n".join(_functions(whole, function.name.rpartition("::")[2], dtype))


def _functions(assembly: str, name: str, T: str) -> Iterator[str]:
    """Those that are instances of `name` for `T`, as symbols are mangled (Itanium C++ ABI): the name
    behind its length, and the argument behind an I."""
    wanted = re.compile(rf"^_Z\w*{len(name)}{name}I(?:N\w{{,20}}?)?{_MANGLED.get(T, '')}\w*:", re.M)
    for start in wanted.finditer(assembly):
        end = assembly.find("\n\t.size\t", start.end())
        yield assembly[start.start() : end if end >= 0 else len(assembly)]


def run(
    body: Body,
    given: BodyCall,
    runs: int = RUNS,
    cancelled: Callable[[], bool] | None = None,
    limits: Limits = call.LIMITS,
    python: bool = True,
) -> BodyTrial:
    """Run it in a child, and beside NumPy and, if that is wanted, Python, where they can. Raises
    BodyFailed; KernelError for arguments that the kernel refuses, and for an output that it leaves
    without dims or memory."""
    instance = instance_of(body.kernel) if body.kernel.runnable else None
    words, inputs = words_of(body.parameters, given, instance)
    key = Key(body.name, str(body.key.backend), int(body.key.dtype))
    ran = call.run(body.program, key, words, _itemsize, (runs, runs), limits, cancelled)
    named = dict(zip(_names(body, ran, given, instance), ran.outputs, strict=True))
    # A kernel may leave out an output that this call has no use for, unless Python's makes it.
    out = [name for name, one in named.items() if instance is None and one.data is None]
    if len(out) == len(named) or any(named[name].dims == NOBODYS_DIMS for name in out):
        out = []
    results = {name: _array(body, name, one) for name, one in named.items() if name not in out}
    if instance is None:
        return BodyTrial(body, inputs, results, ran, left_out=tuple(out))
    made = tuple(results.values())
    outcome = outcome_of(instance, body.function, given.arguments, made, 0.0)
    if not python:
        return BodyTrial(body, inputs, results, ran, outcome)
    theirs = as_tuple(instance.launch(*given.arguments))
    masks = instance.off(given.arguments, made, tuple(map(np.asarray, theirs)))
    same = all(mask is not None and not mask.any() for mask in masks)
    return BodyTrial(
        body, inputs, results, ran, outcome, same, _python_seconds(instance, given, theirs, runs)
    )


def timing(body: Body, arguments: tuple[Any, ...], rounds: int = 15) -> Timing:
    """Of calls into new memory, as a user's are, in a child of its own. Raises as `run`."""
    instance = instance_of(body.kernel) if body.kernel.runnable else None
    words, _ = words_of(body.parameters, BodyCall(arguments), instance)
    key = Key(body.name, str(body.key.backend), int(body.key.dtype))
    return Timing(call.run(body.program, key, words, _itemsize, (0, rounds)).new_seconds)


def _python_seconds(
    instance: Instance, given: BodyCall, made: tuple[Any, ...], runs: int
) -> tuple[float, float] | None:
    """Of a call into new memory, and into the same."""
    if not runs:
        return None
    out = made if len(made) > 1 else made[0]
    fresh = median_seconds(lambda _: instance.launch(*given.arguments), runs)
    return fresh, median_seconds(lambda _: instance.launch(*given.arguments, out=out), runs)


def _microseconds(seconds: float) -> str:
    """`12.3 µs`; of a few nanoseconds two digits count, too."""
    number = seconds * 1e6
    return f"{number:,.1f} µs" if number >= 0.1 else f"{number:.2g} µs"


def _itemsize(dtype: int) -> int:
    return DataType(dtype).numpy.itemsize


def _array(body: Body, name: str, output: Output) -> NDArray[Any]:
    if output.data is None:
        function = body.kernel.function
        if function is not None and is_empty(function):
            raise KernelError(f"the body of {function.name} is empty: '{name}' gets no memory")
        if output.dims == NOBODYS_DIMS:
            raise KernelError(
                f"nobody says the dims of '{name}', so it gets no memory: give --dims {name}=3, or let "
                "the body call Resize on it before Alloc"
            )
        raise KernelError(f"the body gave '{name}' no memory: call Alloc on it")
    return np.frombuffer(output.data, DataType(output.dtype).numpy).reshape(output.dims)


def _names(body: Body, ran: Ran, given: BodyCall, instance: Instance | None) -> Sequence[str]:
    if instance is not None:
        return instance.template.result_names(len(ran.outputs))
    names = [p.name for p in outputs_of(body.parameters)]
    return [one for name in names for one in several(name, len(dims_of(name, given.outs)))]
