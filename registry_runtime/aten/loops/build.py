"""Making machine code of the loops: for one function of elements, one type, one instruction set.

C++ instantiates the templates of `Loops.h`; here their text is written out in Python for a number of
inputs, and Numba compiles it with the open names filled in: what loads, what stores, the function of
single elements (`op`) and that of vectors (`vop`). The text follows `Loops.h` line by line, two
vectors at a time, so that what the assembly shows is what PyTorch wrote down.

What is made is a C function `loop2d(data, strides, size0, size1, captured)`: the addresses of an
array of pointers and of one of strides in bytes, the two sizes, and the address of what the lambda
captured (`alpha`). Only modules beside this one that import Numba are imported here.
"""

from __future__ import annotations

import sys
import threading
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import Any

from registry_runtime.aten.loops import element_code, vector_types
from registry_runtime.aten.loops.leftovers import Leftovers, Ways, leftovers
from registry_runtime.aten.loops.targets import compiled, types
from registry_runtime.aten.loops.vector_types import VectorizedType
from registry_runtime.aten.loops.vectorized import vector_size
from registry_runtime.aten.stub.cpu_capability import CPUCapability
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.kernels.loops import bind, checksum
from registry_runtime.kernels.own_numba import numba

COMPILING = threading.RLock()

LOOP2D = types.void(*[types.intp] * 5)

OURS = zlib.crc32(
    b"".join(
        Path(__file__).with_name(f"{name}.py").read_bytes()
        for name in (
            "build",
            "complex_quotient",
            "element_code",
            "exponential",
            "leftovers",
            "narrow_floats",
            "vector_types",
            "targets",
        )
    )
)


@dataclass(frozen=True)
class MachineLoop:
    """A compiled `loop2d`; `address` is a C function's.

    `size` is `Vectorized<T>::size()`, or 0 where the loop has no vectors.
    """

    address: int
    T: ScalarType
    capability: CPUCapability
    arity: int
    size: int
    from_cache: bool
    seconds: float
    assembly: Callable[[], str] = field(repr=False)
    keep: Any = field(repr=False)


# The processor guesses which memory is wanted next, but only within a page of 4 KB. Asked for a
# kilobyte ahead, what lies in the cache that all cores share comes a sixth faster (`add` of a million
# floats). What lies nearer wins nothing by it, and loses a little.
_MUCH, _AHEAD, _LINE = 1 << 19, 1 << 10, 1 << 6


def _one(arity: int, strides: list[str], indent: str, load: str = "loadu") -> list[str]:
    loads = ", ".join(f"{load}(d{i} + i * {strides[i]})" for i in range(1, arity + 1))
    captured = "*CAPTURED" if load == "loadu" else "*CAPTURED_APART"
    return [
        f"{indent}store(d0 + i * {strides[0]}, op({loads}, {captured}))",
        f"{indent}i += 1",
    ]


def _rounded(apart: bool) -> str:
    return "load_apart" if apart else "loadu"


def _basic_loop(
    arity: int, start: str, strides: list[str], indent: str, how: Leftovers | None, item: int
) -> list[str]:
    """One element after the other; see `leftovers` for which are rounded how."""
    lines = [] if start == "i" else [f"{indent}i = {start}"]
    if how is not None and how.first is not None:
        first = _one(arity, strides, indent + " ", _rounded(how.first))
        lines += [f"{indent}if i < size0:", *first]
    if how is not None:
        register = how.bytes // item
        lines.append(f"{indent}stop = i + (size0 - i) // {register} * {register}")
        lines.append(f"{indent}while i < stop:")
        lines += _one(arity, strides, indent + " ", _rounded(how.filled))
    lines.append(f"{indent}while i < size0:")
    return [*lines, *_one(arity, strides, indent + " ", _rounded(how is not None and how.rest))]


def loop_text(
    arity: int,
    captures: Sequence[int],
    vectorized: bool,
    at_a_time: int = 2,
    ways: Ways = MappingProxyType({}),
    item: int = 1,
) -> str:
    """The text of `loop2d` for so many inputs, of `item` bytes; its open names are bound by
    `machine_loop`. `captures` says where each captured number lies, `ways` are those of `leftovers`."""
    every = range(arity + 1)
    scalars, apart, vectors = (
        ", ".join(f"{kind}_{i}" for i in range(len(captures))) for kind in "sav"
    )
    lines = ["def loop2d(data, strides, size0, size1, captured):"]
    lines += [f" d{i} = word(data, {i})" for i in every]
    lines += [f" s{i} = word(strides, {i}); o{i} = word(strides, {arity + 1 + i})" for i in every]
    lines += [f" s_{i} = load_{i}(captured + {at})" for i, at in enumerate(captures)]
    if ways:
        lines += [f" a_{i} = apart_{i}(captured + {at})" for i, at in enumerate(captures)]
    if vectorized:
        lines += [f" v_{i} = broadcast_{i}(captured + {at})" for i, at in enumerate(captures)]

    def advance(indent: str) -> str:
        return indent + "; ".join(f"d{i} += o{i}" for i in every)

    keyword = "if"
    for S in range(arity + 1) if vectorized else ():
        strides = ["0" if S and i == S else "ITEM" for i in every]
        lines.append(f" {keyword} {' and '.join(f's{i} == {strides[i]}' for i in every)}:")
        lines.append("  for j in range(size1):")
        if S:
            lines.append(f"   opt_scalar = broadcast(d{S})")
        lines.append("   i = 0")
        step = [f"    while i <= size0 - {at_a_time} * SIZE:"]
        for k in range(at_a_time):
            loads = ", ".join(
                "opt_scalar" if i == S else f"loadv(d{i} + (i + {k} * SIZE) * ITEM)"
                for i in range(1, arity + 1)
            )
            step.append(f"     out{k} = vop({loads}, {vectors})")
        step += [f"     store(d0 + (i + {k} * SIZE) * ITEM, out{k})" for k in range(at_a_time)]
        step.append(f"     i += {at_a_time} * SIZE")
        if not S:
            lines.append("   if size0 * ITEM >= MUCH:")
            ahead = [f"     prefetch_to_write(d0 + i * ITEM + {_AHEAD})"]
            ahead += [f"     prefetch(d{i} + i * ITEM + {_AHEAD})" for i in every[1:]]
            more = [line.replace(" + ", f" + {_LINE} + ", 1) for line in ahead]
            lines += [step[0], *ahead, "     if WIDE:", *(" " + line for line in more), *step[1:]]
        lines += ["   if True:", *step]
        lines += _basic_loop(arity, "i", strides, "   ", ways.get(S), item)
        lines.append(advance("   "))
        keyword = "elif"
    if vectorized:
        lines.append(" else:")
    else:
        lines.append(" if True:")
    lines.append("  for j in range(size1):")
    lines += _basic_loop(arity, "0", [f"s{i}" for i in every], "   ", ways.get(None), item)
    lines.append(advance("   "))
    return "\n".join(lines).replace("*CAPTURED_APART", apart).replace("*CAPTURED", scalars)


@cache
def machine_loop(
    op: Callable[..., Any],
    vop: Callable[..., Any] | None,
    arity: int,
    captures: tuple[ScalarType, ...],
    T: ScalarType,
    capability: CPUCapability,
    at_a_time: int = 2,
) -> MachineLoop:
    """`op` of single elements and `vop` of vectors, both followed by what was captured, numbers of
    these types: `vop` looks only at those of type `T`.

    Without `vop` every element goes through `op`. The code of a capability that this processor
    doesn't have is compiled all the same; only calling it isn't possible. Raises Numba's errors for
    functions that it can't compile.
    """
    with COMPILING:
        started = time.perf_counter()
        loop, size = _bound(op, vop, arity, captures, T, capability, at_a_time)
        made = compiled(loop, LOOP2D, capability)
        seconds = time.perf_counter() - started

    @cache
    def assembly() -> str:
        # Cached code comes without its assembly, so it is made again.
        with COMPILING:
            return str(compiled(loop, LOOP2D, capability, cached=False).assembly())

    return MachineLoop(
        made.address, T, capability, arity, size, bool(made.cache_hits), seconds, assembly, made
    )


def _bound(
    op: Callable[..., Any],
    vop: Callable[..., Any] | None,
    arity: int,
    captures: tuple[ScalarType, ...],
    T: ScalarType,
    capability: CPUCapability,
    at_a_time: int,
) -> tuple[Callable[..., Any], int]:
    has_fma = capability in (CPUCapability.AVX2, CPUCapability.AVX512)
    size = vector_size(T, capability) if vop else 0
    one, several = VectorizedType(T, 1, has_fma), VectorizedType(T, max(size, 1), has_fma)
    ways = leftovers(op, arity, len(captures), T, capability) if vop else {}
    ends = list(accumulate((of.itemsize for of in captures), initial=0))
    text = loop_text(arity, ends[:-1], vop is not None, at_a_time, ways, T.itemsize)
    space: dict[str, Any] = {}
    # Numba looks for a function's file to know when its cached code is out of date.
    exec(compile(text, __file__, "exec"), space)
    names = {
        "op": inlined(op),
        "vop": inlined(vop or op),
        "loadu": vector_types.loader(one),
        **{
            name: made
            for i, of in enumerate(captures)
            for name, made in {
                f"load_{i}": vector_types.loader(VectorizedType(of, 1, has_fma)),
                f"apart_{i}": vector_types.loader(VectorizedType(of, 1, has_fma=False, apart=True)),
                f"broadcast_{i}": vector_types.broadcaster(
                    VectorizedType(of, max(size, 1), has_fma)
                ),
            }.items()
        },
        "load_apart": vector_types.loader(VectorizedType(T, 1, has_fma=False, apart=True)),
        "loadv": vector_types.loader(several),
        "broadcast": vector_types.broadcaster(several),
        "store": vector_types.store,
        "word": vector_types.word,
        "prefetch": vector_types.prefetch,
        "prefetch_to_write": vector_types.prefetch_to_write,
        "ITEM": T.itemsize,
        "SIZE": size,
        "MUCH": _MUCH if T.itemsize >= 4 else sys.maxsize,
        "WIDE": at_a_time * size * T.itemsize > _LINE,
    }
    functions = "_".join(spelled(function) for function in (op, vop) if function)
    others = "".join(f"_{of}" for of in captures if of is not T)
    label = f"loop2d_{functions}_{T}{others}_{capability}_{OURS:08x}"
    return bind(space["loop2d"], label, names), size


def spelled(function: Callable[..., Any]) -> str:
    """A name for code on disk: what the function is called, what it does, what it calls."""
    names = "_".join(function.__code__.co_names)
    return f"{function.__name__.strip('<>')}_{names}_{checksum(function)}"


@cache
def inlined(function: Callable[..., Any]) -> Any:
    """Compiled into whoever calls it, so that it is compiled for the caller's instruction set."""
    element_code.know_numbers(function)
    return numba.njit(function, inline="always", error_model="numpy")
