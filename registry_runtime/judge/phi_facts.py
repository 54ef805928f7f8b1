"""PHI's registry as facts: as it was interpreted, and as a native registry lists it.

Both native registries, the recording one and Paddle's own, list an entry as the same JSON object
(`Listed`). A C++ program remembers a parameter's type as `std::type_index`, which knows no reference
and no `const`, and Paddle prints no names of namespaces; so types are compared without them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypedDict

from registry_runtime.judge.facts import Holding
from registry_runtime.phi.kernel import KernelArgsDef
from registry_runtime.phi.kernel_registrar import RegType
from registry_runtime.phi.registered import Registration


class ListedTensor(TypedDict):
    """A tensor parameter: what is expected there, and its type in C++."""

    backend: str
    layout: str
    dtype: str
    type: str


class Listed(TypedDict):
    """One kernel as a native registry lists it, in the spelling of Paddle's `operator<<`."""

    name: str
    backend: str
    layout: str
    dtype: str
    reg_type: str
    registered_type: str
    inputs: list[ListedTensor]
    outputs: list[ListedTensor]
    attributes: list[str]


def interpreted(registrations: Iterable[Registration]) -> Holding:
    """What the text registered; of several for one key the last, which has replaced the others."""
    facts: dict[tuple[str, str], dict[str, str] | None] = {}
    unknown: dict[str, None] = {}
    for made in registrations:
        kernel = made.kernel
        of = {"registered as": kernel.registered_type.name}
        known: dict[str, str] | None = of | _described(kernel.args_def)
        if kernel.args_def.open_slot is not None:
            known = None
            unknown[made.kernel_name] = None
        facts[made.kernel_name, _key(str(made.key), made.reg_type is RegType.OUTER)] = known
    left_out = (f"arguments of {name}: nothing that was read declares it" for name in unknown)
    return Holding(facts, tuple(left_out))


def listed(entries: Sequence[Listed]) -> Holding:
    """What a native registry lists."""
    facts = {}
    for entry in entries:
        key = f"({entry['backend']}, {entry['layout']}, {entry['dtype']})"
        known = {"registered as": entry["registered_type"]}
        for kind, tensors in (("input", entry["inputs"]), ("output", entry["outputs"])):
            for n, t in enumerate(tensors):
                known[f"{kind} {n}"] = _tensor(t["backend"], t["layout"], t["dtype"], t["type"])
        known |= {f"attribute {n}": each for n, each in enumerate(entry["attributes"])}
        facts[entry["name"], _key(key, entry["reg_type"] == "OUTER")] = known
    return Holding(facts)


def _key(key: str, outer: bool) -> str:
    """A plug-in's kernels lie in a map of their own."""
    return f"{key} in CustomKernelMap" if outer else key


def _described(args_def: KernelArgsDef) -> dict[str, str]:
    known = {}
    for kind, tensors in (("input", args_def.input_defs), ("output", args_def.output_defs)):
        for n, t in enumerate(tensors):
            known[f"{kind} {n}"] = _tensor(
                str(t.backend), str(t.layout), str(t.dtype), t.type_index
            )
    return known | {
        f"attribute {n}": str(each.type_index) for n, each in enumerate(args_def.attribute_defs)
    }


def _tensor(backend: str, layout: str, dtype: str, cxx: str) -> str:
    return f"{backend}, {layout}, {dtype}, {_type(cxx)}"


def _type(cxx: str) -> str:
    """`const paddle::optional<DenseTensor>&` as `optional<DenseTensor>`."""
    allocator = re.compile(r", ?std::allocator<[^<>]*>")
    return re.sub(r"\b(?:\w+::)+|\bconst\b|[\s&]", "", allocator.sub("", cxx))
