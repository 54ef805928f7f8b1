"""The short way through a call whose long way is known.

`x + y` goes through the argument parser, the dispatcher and its hops, `meta`, the iterator, the stub
and the loops; for one element that takes a hundred times as long as the addition. Yet almost all of
it depends on few facts: which methods and kernels are registered, the keys that this thread adds and
takes away, the types of the arguments, the value of `alpha`, and that all is flat memory of one shape.
So the first call of its kind goes the long way and is watched, and if it came down to one loop over
exactly the arguments' memory, that loop is remembered under those facts: a plan. A call that has the
same facts runs the loop; any other goes the long way, which also has all the error messages.

A plan is forgotten when anything is registered or taken back, in the dispatcher or in a stub. None is
made where somebody else's Python function was called on the way: it might do something else than hand
on. And whoever wants to be told of a call gets the long way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from registry_runtime.aten.dispatch.hop import Hop
from registry_runtime.aten.dispatch.local_keys import raw_local_dispatch_key_set
from registry_runtime.aten.loops.cpu_kernel_vec import noting
from registry_runtime.aten.loops.for_each import GRAIN_SIZE
from registry_runtime.aten.loops.vectorized_loop2d import VectorizedLoop2d
from registry_runtime.aten.python_front import PythonFront
from registry_runtime.aten.structured import listening
from registry_runtime.aten.tensor.device import DeviceType
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.aten.tensor_iterator import FastSetupType
from registry_runtime.cxx import CxxFunction

if TYPE_CHECKING:
    from registry_runtime.aten.world import World

_MOST = 256  # plans of one world
_REAL = frozenset({bool, int, float})
_ndarray = np.ndarray
Tell = Callable[[str], None]


class Plan(NamedTuple):
    """A loop over two flat inputs into a new flat output of type `dtype`.

    `call` is the address of what `run_flat` reads, `kept` what lies there and what that points to.
    `included` and `excluded` are the thread's keys with which the plan was made.
    """

    call: int
    dtype: np.dtype[Any]
    included: int
    excluded: int
    kept: tuple[VectorizedLoop2d, Any]


LongWay = Callable[..., Any]
_NOTHING: Any = object()


class PlannedFront(PythonFront):
    """A world's `PythonFront` with the short way before `add` and `plus`.

    While it tells of its steps there is only the long way.
    """

    def __init__(self, world: World) -> None:
        super().__init__(world.dispatcher, world.warnings.append)
        self._short = {
            "add": with_plans(world, "add", self.add),
            "plus": with_plans(world, "plus", self.plus),
        }
        self.__dict__.update(self._short)

    @property
    def tell(self) -> Tell | None:
        return super().tell

    @tell.setter
    def tell(self, tell: Tell | None) -> None:
        PythonFront.tell.__set__(self, tell)  # type: ignore[attr-defined]
        for name in self._short:
            self.__dict__.pop(name, None)
        if tell is None:
            self.__dict__.update(self._short)


def with_plans(world: World, name: str, long_way: LongWay) -> LongWay:
    """`long_way(self, other, *, alpha=1)` with the short way before it.

    Whatever isn't a call of two tensors, with `alpha` a real number if given, is handed over as it
    came. `name` keeps the plans of two long ways apart.
    """
    from registry_runtime.aten.loops.flat import MISMATCH, run_flat, run_on_all_cores

    run = run_flat()
    if run is None:
        return long_way
    plans = world.plans.setdefault(name, {})
    local, listens = raw_local_dispatch_key_set, listening.get
    dispatcher, stub_stories = world.dispatcher, world.stub_stories
    empty, new = np.empty, Tensor.__new__

    def planned(self: Any, other: Any = _NOTHING, /, *args: Any, **kwargs: Any) -> Any:
        # What is cheapest to ask comes first.
        if type(self) is Tensor is type(other) and not args:
            T = self.dtype
            plan = plans.get(_key(T, kwargs) if kwargs else T)
            if plan is None:
                return _watched(world, plans, long_way, self, other, kwargs)
            call, dtype, included, excluded, _ = plan
            a = self._array if self._storage is None else self.numpy_or_cupy()
            b = other._array if other._storage is None else other.numpy_or_cupy()
            if (
                type(a) is _ndarray is type(b)
                and not (self.requires_grad or other.requires_grad)
                and self.names is None is other.names
                and local.included == included
                and local.excluded == excluded
                and dispatcher.tell is None is listens()
                and not stub_stories
            ):
                sizes = self._sizes or a.shape
                out = empty(sizes, dtype)
                # A number's type is weak, and it has no dimensions.
                if sizes or not (self.is_wrapped_number or other.is_wrapped_number):
                    done = run(call, out, a, b)
                else:
                    done = MISMATCH
                if done > 0:
                    run_on_all_cores(call, out, a, b, out.nbytes, done)
                if done >= 0:
                    result = new(Tensor)
                    result._array, result.dtype = out, T
                    return result
        given = args if other is _NOTHING else (other, *args)
        return long_way(self, *given, **kwargs)

    return planned


def _key(T: ScalarType, kwargs: dict[str, Any]) -> Any:
    """What a plan of such a call is found under; None where it can't have one.

    The sign of a zero isn't told by comparing, so there is no plan for `alpha` = 0.
    """
    alpha = kwargs.get("alpha")
    if len(kwargs) == 1 and type(alpha) in _REAL and alpha:
        return T, alpha, type(alpha)
    return None


def _is_special(tensor: Tensor) -> bool:
    """Whether more than its elements matters: autograd, names, a number's weak type."""
    return tensor.requires_grad or tensor.is_wrapped_number or tensor.names is not None


def _watched(
    world: World,
    plans: dict[Any, Plan],
    long_way: LongWay,
    self: Tensor,
    other: Tensor,
    kwargs: dict[str, Any],
) -> Any:
    """The long way; a plan is made of it if that is possible."""
    key = _key(self.dtype, kwargs) if kwargs else self.dtype
    if (
        key is None
        or not world.has_own_kernels_only
        or world.is_watched()
        or noting.get() is not None
        or listening.get() is not None
    ):
        return long_way(self, other, **kwargs)
    version, hops, loops = world.version, list[Hop](), list[tuple[Any, VectorizedLoop2d, int]]()
    world.dispatcher.tell = hops.append
    token = noting.set(loops)
    try:
        result = long_way(self, other, **kwargs)
    finally:
        noting.reset(token)
        world.dispatcher.tell = None
    plan = _plan(hops, loops, self, other, result)
    if plan is not None and world.version == version:
        if len(plans) >= _MOST:
            plans.clear()
        plans[key] = plan
    return result


def _plan(
    hops: list[Hop],
    loops: list[tuple[Any, VectorizedLoop2d, int]],
    self: Tensor,
    other: Tensor,
    result: Any,
) -> Plan | None:
    """What a call came down to, if it was nothing but one loop over the arguments' memory."""
    if len(loops) != 1 or not hops or not isinstance(result, Tensor):
        return None
    ((iter, loop, grain_size),) = loops
    operands, T = iter.operands, self.dtype
    if (
        grain_size == GRAIN_SIZE
        and iter.fast_setup_type is FastSetupType.CONTIGUOUS
        and [operand.tensor for operand in operands] == [result, self, other]
        and all(o.original_tensor is None and o.current_dtype is T for o in operands)
        and all(tensor.device.type is DeviceType.CPU for tensor in (self, other))
        and not any(map(_is_special, (self, other, result)))
        and all(isinstance(hop.kernel.kernel.source, CxxFunction) for hop in hops)
    ):
        local = raw_local_dispatch_key_set
        words = np.array([loop.address, loop.captured_at, T.itemsize, GRAIN_SIZE], np.int64)
        at = int(words.ctypes.data)
        return Plan(at, T.numpy, local.included, local.excluded, (loop, words))
    return None
