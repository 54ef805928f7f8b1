"""Whether the registry holds what an exercise asks for, and whether that runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from registry_runtime.cxx import CxxError, CxxFunction, Span, UndefinedFunction
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from registry_runtime.phi.enforce import AlreadyExists
from registry_runtime.phi.kernel_key import KernelKey
from registry_runtime.phi.kernel_template import KernelError
from visualizer.expansion.tokens import Source
from visualizer.expansion.wording import listed
from visualizer.frameworks.by_name import try_by_name
from visualizer.frameworks.phi.questions import registered
from visualizer.learning.verdict import Check, Learner, Verdict

if TYPE_CHECKING:
    from registry_runtime.phi.kernel_body import Output

_SIZE = 1000  # elements with which a kernel is run


def _registers(learner: Learner, wanted: dict[str, Any], table: Mapping[str, Any]) -> Verdict:
    name, backend = wanted["kernel"], wanted.get("backend", "CPU")
    kernels = {e.registration.kernel_name for e in learner.bench.entries}
    if name not in kernels:
        held = f"; it holds {_listed(kernels)}" if kernels else ", which is empty"
        return Verdict(f"no kernel {name} is in the registry{held}")
    if key := wanted.get("key"):
        return _registers_for(learner, name, key, table)
    named = [
        e.registration.key for e in learner.bench.entries if e.registration.kernel_name == name
    ]
    keys = [key for key in named if isinstance(key, KernelKey) and str(key.backend) == backend]
    there = {str(key.dtype) for key in keys}
    expected = set(wanted.get("dtypes", there))
    if expected - there:
        return Verdict(f"{name} is not registered on {backend} for {_listed(expected - there)}")
    if there - expected:
        return Verdict(
            f"{name} should not be registered on {backend} for {_listed(there - expected)}"
        )
    if layout := wanted.get("layout"):
        others = {str(key.layout) for key in keys} - {str(DataLayout[layout])}
        if others:
            held = listed(sorted(others), "layout", "layouts")
            said = f"{name} is registered on {backend} for the {held}"
            return Verdict(f"{said}; it should be {layout}")
    if table.get("exactly") and kernels != {name}:
        return Verdict(f"the registry should hold {name} only, not {_listed(kernels - {name})}")
    return Verdict()


def _registers_for(learner: Learner, name: str, key: str, table: Mapping[str, Any]) -> Verdict:
    """One of PyTorch's operators for a dispatch key, or `schema`."""
    there = [(e.registration.kernel_name, str(e.registration.key)) for e in learner.bench.entries]
    if (name, key) not in there:
        keys = _listed({k for n, k in there if n == name} - {"schema"})
        held = f"a kernel for {keys}" if keys else "no kernel"
        return Verdict(f"{name} has {held}; it should have one for {key}")
    if table.get("exactly") and len(there) > there.count((name, key)):
        others = {f"{n} for {k}" for n, k in there} - {f"{name} for {key}"}
        return Verdict(
            f"{name} should be registered for {key} only, and there is {_listed(others)}"
        )
    return Verdict()


def _runs(learner: Learner, wanted: dict[str, Any], _: Mapping[str, Any]) -> Verdict:
    name, backend, dtype = wanted["kernel"], wanted.get("backend"), wanted.get("dtype")
    try:
        trial = try_by_name(learner.bench, name, backend, dtype, _SIZE)
    except (KernelError, AlreadyExists) as error:
        return Verdict(str(error))
    wrong = trial.agrees is False
    return Verdict(f"{name} runs, and does not agree with NumPy") if wrong else Verdict()


def _body(learner: Learner, wanted: dict[str, Any], _: Mapping[str, Any]) -> Verdict:
    from registry_runtime.phi.kernel_body import Output, run_body

    dtype, dims = wanted["dtype"], wanted["dims"]
    function = registered(learner.bench, wanted["kernel"], f"CPU:{dtype}").kernel.function
    if not isinstance(function, CxxFunction):
        return Verdict()
    output = Output(*dims)
    try:
        if not run_body(function, *(_given(value, dtype) for value in wanted["given"]), output):
            return Verdict()
    except UndefinedFunction as error:
        return Verdict(error.message, _written(learner, error), error.hint)
    except CxxError as error:
        said = f"in the body of {function.name}: {error.message}"
        otherwise = "" if "gives" in wanted else "an empty body will do: { }"
        return Verdict(said, _written(learner, error), error.hint or otherwise)
    return _filled(function.name, output, wanted)


def _written(learner: Learner, error: CxxError) -> Source | None:
    """Where the learner wrote what is refused; None where that is another text, as a header's."""
    span, text = error.span, learner.bench.expanded.text
    if error.text is not None:
        # Of an instance all is as it was behind the template's head, which another takes the place of.
        behind = len(text) - len(error.text)
        span = Span(span.start + behind, span.end + behind)
        if span.start < 0 or text[span.start :] != error.text[error.span.start :]:
            return None
    where = learner.bench.written_at(span)
    return where if where.file == learner.bench.trace.file else None


def _given(value: Any, dtype: str) -> object:
    """A tensor for a list, nothing for `none`, a data type by its name, or a number."""
    types = {str(known): known for known in DataType}
    if isinstance(value, list):
        return DenseTensor.of(np.asarray(value, types[dtype].numpy))
    return None if value == "none" else types.get(value, value)


def _filled(name: str, output: Output, wanted: Mapping[str, Any]) -> Verdict:
    if str(output.dtype) != wanted["type"]:
        held = f"memory for {output.dtype}" if output.dtype else "no memory"
        made = f"with T = {wanted['dtype']}, the body of {name} gives its output {held}"
        return Verdict(f"{made}; it should be {wanted['type']}")
    expected = wanted.get("gives", output.elements)
    if output.elements != expected:
        of = " and ".join(str(value) for value in wanted["given"])
        made = f"of {of}, the body of {name} makes {_elements(output.elements)}"
        return Verdict(f"{made}; it should be {_elements(expected)}")
    return Verdict()


def _elements(values: list[Any]) -> str:
    return str(["nothing" if value is None else value for value in values]).replace("'", "")


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))


CHECKS: dict[str, Check] = {"registers": _registers, "runs": _runs, "body": _body}
