"""The short way through a call whose long way is known.

`x + y` goes through the argument parser, the dispatcher and its hops, `meta`, the iterator, the stub
and the loops; for one element that takes a hundred times as long as the addition. Yet almost all of
it depends on few facts: which methods and kernels are registered, the keys that this thread adds and
takes away, the types of the arguments, the value of `alpha`, and that all is flat memory of one shape.
So the first call of its kind goes the long way and is watched, and if it came down to one loop over
exactly the arguments' memory, that loop is remembered under those facts: a plan. A call that has the
same facts runs the loop; any other goes the long way, which also has all the error messages.

The dispatcher keeps the plans, so that a call is short whichever way it came: from Python, by its
name, or from the body of another kernel. It forgets them when anything is registered or taken back,
there, in a stub, or among the halves of structured kernels. None is made where somebody else's Python
function was called on the way: it might do something else than hand on. And whoever wants to be told
of a call gets the long way.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from registry_runtime.aten.dispatch.hop import Hop
from registry_runtime.aten.dispatch.local_keys import raw_local_dispatch_key_set
from registry_runtime.aten.dispatch.operator_handle import OperatorHandle
from registry_runtime.aten.dispatch.operator_name import OperatorName
from registry_runtime.aten.loops.cpu_kernel_vec import Noted, noting
from registry_runtime.aten.loops.for_each import GRAIN_SIZE
from registry_runtime.aten.loops.vectorized_loop2d import VectorizedLoop2d
from registry_runtime.aten.python_front import PythonFront
from registry_runtime.aten.python_front.operators import ARITHMETIC, Tell
from registry_runtime.aten.structured import listening
from registry_runtime.aten.tensor.device import DeviceType
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor
from registry_runtime.aten.tensor_iterator import FastSetupType
from registry_runtime.aten.world import World
from registry_runtime.cxx import CxxFunction

PLANNED = frozenset(OperatorName(one.of.name, one.of.overload_name) for one in ARITHMETIC)
_MOST = 256  # plans of one operator
_REAL = frozenset({bool, int, float})
_ndarray = np.ndarray


class Plan(NamedTuple):
    """A loop over two flat inputs into a new flat output of type `dtype`.

    `run` and `run_on_all_cores` are of `loops.flat`. `call` is the address of what they read, `kept`
    what lies there and what that points to. `included` and `excluded` are the thread's keys with
    which the plan was made.
    """

    run: Callable[..., int]
    run_on_all_cores: Callable[..., None]
    call: int
    dtype: np.dtype[Any]
    included: int
    excluded: int
    kept: tuple[VectorizedLoop2d, Any]


LongWay = Callable[..., Any]
KeyOf = Callable[[ScalarType, tuple[Any, ...], dict[str, Any]], Any]
_NOTHING: Any = object()


@dataclass(frozen=True, slots=True)
class ShortWays:
    """Gives `aten::add.Tensor` and its like their short way in this world whenever somebody defines
    them."""

    world: World

    def onOperatorRegistered(self, op: OperatorHandle) -> None:
        world = self.world
        name = op.operator_name()
        if name not in PLANNED:
            return

        def long_way(*arguments: Any) -> Any:
            return _watched(world, op, arguments)

        op.operatorDef_.short_way = with_plans(world, name, _key_of_values, long_way)

    def onOperatorDeregistered(self, op: OperatorHandle) -> None:
        op.operatorDef_.short_way = None


class PlannedFront(PythonFront):
    """A world's `PythonFront` that asks for a plan before it parses: `add`, `plus`, and their like.

    While it tells of its steps there is only the long way.
    """

    def __init__(self, world: World) -> None:
        super().__init__(world.dispatcher, world.warnings.append)
        self._planned = {
            method: with_plans(
                world,
                OperatorName(one.of.name, one.of.overload_name),
                _key_of_named,
                getattr(self, method),
            )
            for one in ARITHMETIC
            for method in (one.name, one.word)
        }
        self.__dict__.update(self._planned)

    @property
    def tell(self) -> Tell | None:
        return super().tell

    @tell.setter
    def tell(self, tell: Tell | None) -> None:
        PythonFront.tell.__set__(self, tell)  # type: ignore[attr-defined]
        for name in self._planned:
            self.__dict__.pop(name, None)
        if tell is None:
            self.__dict__.update(self._planned)


def with_plans(world: World, name: OperatorName, key_of: KeyOf, long_way: LongWay) -> LongWay:
    """`long_way` with the short way of the operator before it.

    Whatever isn't a call of two tensors, and of an `alpha` that `key_of` can tell, is handed over as
    it came.
    """
    dispatcher, stub_stories = world.dispatcher, world.stub_stories
    plans: dict[Any, Plan] = dispatcher.plans.setdefault(name, {})
    local, listens = raw_local_dispatch_key_set, listening.get
    empty, new = np.empty, Tensor.__new__

    def planned(self: Any, other: Any = _NOTHING, /, *args: Any, **kwargs: Any) -> Any:
        # What is cheapest to ask comes first.
        if type(self) is Tensor is type(other):
            T = self.dtype
            plan = plans.get(key_of(T, args, kwargs) if args or kwargs else T)
            if plan is not None:
                run, run_on_all_cores, call, dtype, included, excluded, _ = plan
                a = self._array if self._storage is None else self.numpy_or_cupy()
                b = other._array if other._storage is None else other.numpy_or_cupy()
                if (
                    type(a) is _ndarray is type(b)
                    and not (self.requires_grad or other.requires_grad)
                    and local.included == included
                    and local.excluded == excluded
                    and dispatcher.tell is None is listens()
                    and not stub_stories
                    # A number's type is weak, and it has no dimensions.
                    and (
                        (sizes := self._sizes or a.shape)
                        or not (self.is_wrapped_number or other.is_wrapped_number)
                    )
                ):
                    out = empty(sizes, dtype)
                    done = run(call, out, a, b)
                    if done > 0:
                        run_on_all_cores(call, out, a, b, out.nbytes, done)
                    if done >= 0:
                        result = new(Tensor)
                        result._array, result.dtype = out, T
                        return result
        given = args if other is _NOTHING else (other, *args)
        return long_way(self, *given, **kwargs)

    return planned


def _key_of_named(T: ScalarType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a call from Python finds its plan under: `add(self, other, *, alpha=1)`."""
    return None if args or len(kwargs) != 1 else _key(T, kwargs.get("alpha"))


def _key_of_values(T: ScalarType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a call of the operator finds it under: `alpha` is a Scalar, behind the tensors."""
    return None if kwargs or len(args) != 1 else _key(T, getattr(args[0], "value", None))


def _key(T: ScalarType, alpha: Any) -> Any:
    """None where such a call can't have a plan; where `alpha` is 1, as if it weren't given.

    The sign of a zero isn't told by comparing, so there is no plan for `alpha` = 0.
    """
    kind = type(alpha)
    if kind is int and alpha == 1:
        return T
    return (T, alpha, kind) if kind in _REAL and alpha else None


def _watched(world: World, op: OperatorHandle, arguments: tuple[Any, ...]) -> Any:
    """The long way of `aten::add.Tensor` or its like; a plan is made of it if that is possible."""
    dispatcher = world.dispatcher
    self, other, *rest = arguments
    key = None
    if type(self) is Tensor is type(other):
        key = _key_of_values(self.dtype, tuple(rest), {}) if rest else self.dtype
    plans = dispatcher.plans[op.operator_name()]
    if (
        key is None
        or key in plans
        or dispatcher.tell is not None
        or world.stub_stories
        or noting.get() is not None
        or listening.get() is not None
    ):
        return dispatcher.call_the_long_way(op, *arguments)
    if self is other:  # so that the loop's operands can be told apart
        other = copy(other)
        arguments = (self, other, *rest)
    version, hops, noted = dispatcher.version, list[Hop](), Noted()
    dispatcher.tell = hops.append
    token = noting.set(noted)
    try:
        result = dispatcher.call_the_long_way(op, *arguments)
    finally:
        noting.reset(token)
        dispatcher.tell = None
    plan = _plan(hops, noted, self, other, result)
    if plan is not None and dispatcher.version == version:
        if len(plans) >= _MOST:
            plans.clear()
        plans[key] = plan
    return result


def _plan(hops: list[Hop], noted: Noted, self: Tensor, other: Tensor, result: Any) -> Plan | None:
    """What a call came down to, if it was nothing but one loop over the arguments' memory."""
    if len(noted.loops) != 1 or noted.looked or not hops or not isinstance(result, Tensor):
        return None
    # With which Numba comes; a loop that ran has brought it.
    from registry_runtime.aten.loops.flat import run_flat, run_on_all_cores

    ((iter, loop, grain_size),) = noted.loops
    operands, T, run = iter.operands, self.dtype, run_flat()
    if (
        run is not None
        and grain_size == GRAIN_SIZE
        and iter.fast_setup_type is FastSetupType.CONTIGUOUS
        and [operand.tensor for operand in operands] == [result, self, other]
        and all(o.original_tensor is None and o.current_dtype is T for o in operands)
        and all(tensor.device.type is DeviceType.CPU for tensor in (self, other))
        and not any(map(_is_special, (self, other, result)))
        and all(isinstance(hop.kernel.kernel.source, CxxFunction) for hop in hops)
    ):
        local = raw_local_dispatch_key_set
        words = np.array([loop.address, loop.captured_at, T.itemsize, GRAIN_SIZE], np.int64)
        at, kept = int(words.ctypes.data), (loop, words)
        return Plan(run, run_on_all_cores, at, T.numpy, local.included, local.excluded, kept)
    return None


def _is_special(tensor: Tensor) -> bool:
    """Whether more than its elements matters: autograd, a number's weak type."""
    return tensor.requires_grad or tensor.is_wrapped_number
