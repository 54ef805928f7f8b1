"""An operator called in an installed PyTorch, where nothing here can run it.

A body may call what no text that is loaded defines: `a.mul(b)`, `torch::empty`. PyTorch has all of it;
so the file is compiled and loaded there, and its own dispatcher makes the call on the same arguments.
What came of it is told as of any run, and whose it is: it was not interpreted.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.judge.compiling import Compilation, JudgeFailed, Watch
from registry_runtime.judge.of_torch import Torch, called_in_torch
from registry_runtime.lab.aten.trial import dtype_named
from registry_runtime.lab.elements import elements, labelled


@dataclass(frozen=True)
class TorchCall:
    """What came of it. `inputs` are the tensors as they were given, `written` those that the call has
    changed; `others` are results that are no tensors. `seconds` is one call's median, None where it was
    called once because it writes."""

    who: str
    schema: str
    inputs: Mapping[str, NDArray[Any]]
    written: Mapping[str, NDArray[Any]]
    outputs: Sequence[NDArray[Any]]
    others: Sequence[str]
    seconds: float | None
    agrees: None = None

    @property
    def results(self) -> Mapping[str, NDArray[Any]]:
        names = ["out"] if len(self.outputs) == 1 else [f"out{n}" for n in range(len(self.outputs))]
        return dict(zip(names, self.outputs, strict=True)) or self.written

    def values(self, name: str) -> tuple[str, ...]:
        """The first elements of what came of it, or of what it wrote."""
        for result in self.results.values():
            inputs = [v for k, v in self.inputs.items() if k not in self.written]
            return tuple(elements(name, inputs, result))
        return ()

    def report(self, values: Iterable[str] = ()) -> Iterator[str]:
        """Lines to read, whose it is first."""
        yield f"operator    {self.schema}"
        yield f"ran in      {self.who}"
        yield f"inputs      {', '.join(map(_shown, self.inputs.values())) or 'no tensors'}"
        yield from (f"result      {_shown(one)}" for one in self.outputs)
        yield from (f"result      {one}" for one in self.others)
        yield from (f"wrote       {name}: {_shown(one)}" for name, one in self.written.items())
        yield from labelled(values)
        if self.seconds is not None:
            yield f"time        {self.seconds * 1e6:,.1f} µs"


def call_in_torch(
    name: str,
    arguments: Mapping[str, Any],
    files: Sequence[Compilation],
    torch: Torch,
    watch: Watch,
) -> TorchCall:
    """Call it there, once the files are loaded. Raises CompilerFailed, and JudgeFailed in the words of
    what PyTorch threw."""
    given = {k: _spelled(v) if isinstance(v, Tensor) else v for k, v in arguments.items()}
    answer = called_in_torch(name, given, files, torch, watch)
    inputs = {k: v.numpy() for k, v in arguments.items() if isinstance(v, Tensor)}
    after = {k: _array(v) for k, v in answer["given"].items()}
    tensors = [one for one in answer["results"] if isinstance(one, dict)]
    loaded = f", which loaded {', '.join(f.file.name for f in files)}" if files else ""
    return TorchCall(
        f"PyTorch {answer['version']}{loaded}: it was not interpreted",
        answer["schema"],
        inputs,
        {k: v for k, v in after.items() if v.tobytes() != inputs[k].tobytes()},
        [_array(one) for one in tensors],
        [one for one in answer["results"] if not isinstance(one, dict)],
        answer["seconds"],
    )


def _spelled(tensor: Tensor) -> dict[str, Any]:
    data = np.ascontiguousarray(tensor.numpy()).tobytes()
    return {
        "dtype": tensor.dtype.torch_name,
        "sizes": list(tensor.sizes),
        "data": base64.b64encode(data).decode(),
    }


def _array(told: Mapping[str, Any]) -> NDArray[Any]:
    try:
        dtype = dtype_named(told["dtype"]).numpy
    except TypeError:
        raise JudgeFailed(f"a result is {told['dtype']}, for which NumPy has no type") from None
    flat = np.frombuffer(base64.b64decode(told["data"]), dtype)
    return flat.reshape(told["sizes"])


def _shown(array: NDArray[Any]) -> str:
    return f"{array.dtype}{list(array.shape)}"
