"""What the body of an InferMeta may call: its MetaTensors, shapes, vectors, and checks.

Most texts only declare their InferMeta functions. Where one has a body, that is interpreted, and these
are the names that Paddle's own bodies use.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from registry_runtime.cxx import (
    Binding,
    Bindings,
    Class,
    Function,
    Method,
    NamedType,
    Refusal,
    Type,
)
from registry_runtime.cxx.arithmetic import Integer
from registry_runtime.phi.checks import CHECKS
from registry_runtime.phi.ddim import SHAPES, DDim, make_ddim
from registry_runtime.phi.meta_tensor import MetaConfig, MetaTensor

_METHODS: Mapping[type, Mapping[str, Method]] = {
    MetaTensor: {
        "dims": lambda tensor: DDim(tensor.dims),
        "dtype": lambda tensor: tensor.dtype,
        "layout": lambda tensor: tensor.layout,
        "numel": lambda tensor: tensor.numel,
        "initialized": lambda tensor: True,
        "set_dims": lambda tensor, dims: tensor.set_dims(make_ddim(dims)),
        "set_dtype": MetaTensor.set_dtype,
        "set_layout": MetaTensor.set_layout,
        "share_dims": MetaTensor.share_dims,
        "share_lod": MetaTensor.share_lod,
        "share_meta": MetaTensor.share_meta,
    },
    DDim: {"size": lambda dims: Integer(len(dims)), "at": DDim.at, "to_str": str},
}


def _as_bool(tensor: MetaTensor, type: Type) -> bool:
    if type == NamedType("bool"):
        return True  # there is one, or it would be nullptr
    raise Refusal(f"a MetaTensor is no `{type}`")


@cache
def body_bindings() -> Bindings:
    """The table of what bodies use, to be joined to a framework's own."""
    names: dict[str, Binding] = {
        f"{namespace}::{name}": Function(call)
        for name, call in SHAPES.items()
        for namespace in ("common", "phi", "paddle::framework", "paddle::operators")
    }
    ddims = ("phi::DDim", "common::DDim", "paddle::framework::DDim")
    types: dict[str, Type] = {name: NamedType("phi::DDim") for name in ddims}
    fields: dict[type, frozenset[str]] = {MetaConfig: frozenset({"is_runtime"})}
    for name in ddims:
        names[name] = Class(make_ddim, registers=False, from_list=lambda *dims: make_ddim(dims))
    own = Bindings(
        names,
        _METHODS,
        fields,
        types,
        copies={DDim: DDim},
        conversions={MetaTensor: _as_bool},
        changing={
            MetaTensor: frozenset(n for n in _METHODS[MetaTensor] if n[:3] in ("set", "sha"))
        },
    )
    return CHECKS | own
