"""TensorIterator against torch: its own iterator, seen through `torch._tensor_iterator`, and what
type, shape and strides `torch.add` gives, and what both refuse.

Operands are made at random, each twice: one in torch, one here, over storages of one size, so that
both have the same sizes, strides and offset. Only the metadata is compared; nothing is added here.
"""

# ruff: noqa: B023  (lambdas in loops are called where they stand)
from __future__ import annotations

import random
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from registry_runtime.aten.errors import TorchError
from registry_runtime.aten.tensor.alpha_check import alpha_check
from registry_runtime.aten.tensor.contiguity import storage_numel
from registry_runtime.aten.tensor.device import CPU, META, Device
from registry_runtime.aten.tensor.scalar import Scalar
from registry_runtime.aten.tensor.scalar_type import ScalarType
from registry_runtime.aten.tensor.tensor import Tensor, empty, wrapped_scalar_tensor
from registry_runtime.aten.tensor.tensor_meta import TensorOptions, create_out, resize_out
from registry_runtime.aten.tensor.type_properties import result_type
from registry_runtime.aten.tensor_iterator import (
    BINARY_OP_CONFIG,
    UNARY_OP_CONFIG,
    FastSetupType,
    TensorIterator,
    TensorIteratorBase,
    TensorIteratorConfig,
    comparison_op_config,
)

torch: Any = pytest.importorskip("torch")
pytestmark = [
    pytest.mark.torch,
    pytest.mark.filterwarnings("ignore:ComplexHalf support"),
]

# The thirteen types that `add` is compiled for.
KINDS = [ScalarType(number) for number in (*range(12), 15)]
NUMBERS = [True, 3, -1, 2.5, 1j]


@dataclass(frozen=True)
class Twin:
    """One operand, theirs and ours; `theirs` is a Python number where ours is a wrapped one."""

    theirs: Any
    ours: Tensor


def twin(rng: random.Random, shape: list[int], kind: ScalarType | None = None) -> Twin:
    """A tensor of a random layout, broadcast to the shape or of it."""
    kind = kind or rng.choice(KINDS)
    order = list(range(len(shape)))
    if rng.random() < 0.4:
        rng.shuffle(order)
    elif len(shape) == 4 and rng.random() < 0.4:
        order = [0, 2, 3, 1]
    strides, stride = [0] * len(shape), rng.choice((1, 1, 1, 1, 2))
    for dim in reversed(order):
        strides[dim] = 0 if rng.random() < 0.05 else stride
        stride *= max(shape[dim], 1) * rng.choice((1, 1, 1, 1, 1, 2))
    offset = rng.choice((0, 0, 5))
    length = storage_numel(tuple(shape), tuple(strides), offset) + offset
    dtype = getattr(torch, kind.torch_name)
    theirs = torch.zeros(length, dtype=dtype).as_strided(shape, strides, offset)
    ours = empty((length,), kind).as_strided(tuple(shape), tuple(strides), offset)
    return Twin(theirs, ours)


def number(rng: random.Random) -> Twin:
    value = rng.choice(NUMBERS)
    return Twin(value, wrapped_scalar_tensor(Scalar(value)))


def operands(rng: random.Random) -> tuple[Twin, Twin]:
    """Two operands that broadcast, or, rarely, don't; one may be a number."""
    shape = [
        rng.choice((1, 2, 3, 2, 3, 0 if rng.random() < 0.2 else 4))
        for _ in range(rng.randint(0, 5))
    ]
    same_kind = rng.choice(KINDS) if rng.random() < 0.5 else None
    shapes = []
    for _ in range(2):
        own = [1 if rng.random() < 0.15 else size for size in shape]
        if rng.random() < 0.3:
            own = own[rng.randint(0, len(own)) :]
        if own and rng.random() < 0.03:
            own[rng.randrange(len(own))] += 1
        shapes.append(own)
    if rng.random() < 0.4:
        shapes[1] = shapes[0]
    a, b = (twin(rng, own, same_kind) for own in shapes)
    if rng.random() < 0.2:
        b = number(rng)
    elif rng.random() < 0.1:
        # The very same layout, so that the fast set-up has its chance.
        b = Twin(
            torch.empty_strided(a.theirs.shape, a.theirs.stride(), dtype=a.theirs.dtype),
            empty((storage_numel(a.ours.sizes, a.ours.strides),), a.ours.dtype).as_strided(
                a.ours.sizes, a.ours.strides
            ),
        )
    return a, b


class Structured(TensorIteratorBase):
    """What the code generator makes of a structured kernel: its form with `out=`, or without."""

    def __init__(self, out: Tensor | None) -> None:
        self.out = out

    def maybe_get_output(self, output_idx: int = 0) -> Tensor | None:
        return self.out

    def set_output_raw_strided(
        self,
        output_idx: int,
        sizes: tuple[int, ...],
        strides: tuple[int, ...],
        options: TensorOptions,
    ) -> None:
        if self.out is None:
            self.out = create_out(sizes, strides, options)
        else:
            resize_out(self.out, sizes, strides, options)
        super().set_output_raw_strided(output_idx, sizes, strides, options)


def iterate(config: TensorIteratorConfig, out: Tensor | None, *inputs: Tensor) -> Tensor:
    """The output that a structured kernel with this configuration would fill."""
    iterator = Structured(out)
    config.add_output(out)
    for tensor in inputs:
        config.add_input(tensor)
    iterator.build(config)
    iterator.cast_outputs()
    assert iterator.out is not None
    return iterator.out


def outcome(call: Any) -> tuple[Any, ...]:
    """What comes of it: type, sizes and strides, or the error's sentence; and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", "ComplexHalf support")
        warnings.filterwarnings("ignore", "Casting complex")  # torch says so once a process
        try:
            made: Any = call()
        except (RuntimeError, TorchError) as error:
            return (str(error),)
    told = [str(warning.message).split(" (Triggered")[0] for warning in caught]
    if isinstance(made, Tensor):
        return made.dtype.torch_name, made.sizes, made.strides, told
    return str(made.dtype).removeprefix("torch."), tuple(made.shape), made.stride(), told


def test_result_type_is_torch_s() -> None:
    rng = random.Random(2)
    for _ in range(3000):
        a, b = twin(rng, [2] * rng.randint(0, 1)), twin(rng, [2] * rng.randint(0, 1))
        if rng.random() < 0.4:
            b = number(rng)
        if rng.random() < 0.2:
            a = number(rng)
        expected = str(torch.result_type(a.theirs, b.theirs))
        assert f"torch.{result_type(a.ours, b.ours).torch_name}" == expected


def test_a_new_output_is_what_torch_makes() -> None:
    rng = random.Random(3)
    for _ in range(4000):
        a, b = operands(rng)
        expected = outcome(lambda a=a, b=b: torch.add(a.theirs, b.theirs))
        ours = outcome(lambda a=a, b=b: iterate(BINARY_OP_CONFIG(), None, a.ours, b.ours))
        assert ours == expected, (a, b, a.ours.strides, b.ours.strides)


def test_a_given_output_is_filled_resized_or_refused_as_torch_does() -> None:
    rng = random.Random(4)
    for _ in range(4000):
        a, b = operands(rng)
        shape = list(rng.choice((a, a, b)).ours.sizes)
        if rng.random() < 0.3:
            shape = [rng.choice((0, 1, 2)) for _ in range(rng.randint(0, 3))]
        out = twin(rng, shape, a.ours.dtype if rng.random() < 0.5 else None)

        def in_torch(a: Twin = a, b: Twin = b, out: Twin = out) -> Any:
            return torch.add(a.theirs, b.theirs, out=out.theirs)

        def here(a: Twin = a, b: Twin = b, out: Twin = out) -> Tensor:
            return iterate(BINARY_OP_CONFIG(), out.ours, a.ours, b.ours)

        assert outcome(here) == outcome(in_torch), (a, b, out)


def test_in_place_is_what_torch_does() -> None:
    rng = random.Random(5)
    for _ in range(2000):
        a, b = operands(rng)
        expected = outcome(lambda a=a, b=b: a.theirs.add_(b.theirs))
        ours = outcome(lambda a=a, b=b: iterate(BINARY_OP_CONFIG(), a.ours, a.ours, b.ours))
        assert ours == expected, (a, b)


def test_outputs_that_share_memory_are_refused_as_torch_does() -> None:
    rng = random.Random(6)
    refused = 0
    for _ in range(1000):
        kind = rng.choice(KINDS)
        theirs = torch.zeros(40, dtype=getattr(torch, kind.torch_name))
        ours = empty((40,), kind)
        views = []
        for _ in range(3):
            shape, offset = [2, 3], rng.choice((0, 0, 1, 3, 6, 12))
            strides = rng.choice(((3, 1), (3, 1), (1, 2), (6, 2), (0, 1)))
            views.append(
                Twin(
                    theirs.as_strided(shape, strides, offset),
                    ours.as_strided((2, 3), strides, offset),
                )
            )
        a, b, out = views
        expected = outcome(lambda: torch.add(a.theirs, b.theirs, out=out.theirs))
        assert outcome(lambda: iterate(BINARY_OP_CONFIG(), out.ours, a.ours, b.ours)) == expected
        refused += len(expected) == 1
    assert 100 < refused < 900


def test_comparisons_and_unary_operators_are_torch_s() -> None:
    rng = random.Random(7)
    for _ in range(1500):
        a, b = operands(rng)
        if ScalarType.ComplexHalf in (a.ours.dtype, b.ours.dtype):
            continue  # eq has no kernel for it
        out = twin(rng, list(a.ours.sizes)) if rng.random() < 0.5 else None
        given = None if out is None else out.theirs
        config = comparison_op_config(None if out is None else out.ours)
        expected = outcome(lambda: torch.eq(a.theirs, b.theirs, out=given))
        result = outcome(lambda: iterate(config, None if out is None else out.ours, a.ours, b.ours))
        assert result == expected, (a, b, out)
        if a.ours.dtype is ScalarType.Bool:
            continue  # neg refuses it before it iterates
        expected = outcome(lambda: torch.neg(a.theirs, out=given))
        ours = None if out is None else out.ours
        assert outcome(lambda: iterate(UNARY_OP_CONFIG(), ours, a.ours)) == expected


def test_alpha_is_refused_in_torch_s_words() -> None:
    for kind in KINDS:
        tensor = torch.zeros(2, dtype=getattr(torch, kind.torch_name))
        for alpha in (True, 2, 2.5, 1j):
            try:
                torch.add(tensor, tensor, alpha=alpha)
            except RuntimeError as error:
                sentence = str(error)
                if "without overflow" in sentence:
                    continue
                with pytest.raises(TorchError) as refused:
                    alpha_check(kind, Scalar(alpha))
                assert refused.value.message == sentence
            else:
                alpha_check(kind, Scalar(alpha))


FLAGS = (
    "check_all_same_dtype",
    "check_all_same_device",
    "promote_inputs_to_common_dtype",
    "cast_common_dtype_to_outputs",
    "enforce_safe_casting_to_output",
    "enforce_linear_iteration",
    "resize_outputs",
    "check_mem_overlap",
    "allow_cpu_scalars",
    "is_reduction",
)


def state_of(iterator: Any) -> tuple[Any, ...]:
    """What can be seen of an iterator, theirs or ours."""
    ours = isinstance(iterator, TensorIterator)
    operands = []
    for arg in range(iterator.ntensors):
        tensor, dtype = iterator.tensor(arg), iterator.dtype(arg)
        operands.append(
            (
                dtype.torch_name if ours else str(dtype).removeprefix("torch."),
                iterator.operands[arg].stride_bytes if ours else tuple(iterator.strides(arg)),
                tensor.sizes if ours else tuple(tensor.shape),
                tensor.strides if ours else tensor.stride(),
            )
        )
    common = iterator.common_dtype
    if ours:
        common = None if common is ScalarType.Undefined else common.torch_name
    else:
        common = None if common is None else str(common).removeprefix("torch.")
    return (
        operands,
        common,
        tuple(iterator.shape),
        iterator.numel,
        iterator.is_contiguous() if ours else iterator.is_contiguous,
    )


def test_the_whole_iterator_is_torch_s_whatever_it_is_asked() -> None:
    iterators = pytest.importorskip("torch._tensor_iterator")
    rng = random.Random(8)
    reached = Counter[str]()
    for _ in range(6000):
        a, b = operands(rng)
        inputs = [x for x in (a, b)[: rng.randint(0, 2)] if isinstance(x.theirs, torch.Tensor)]
        outputs: list[Twin | None] = []
        for _ in range(rng.randint(1, 2) if inputs else 1):
            shape = list(rng.choice((a, b)).ours.sizes)
            kind = rng.choice((a, b)).ours.dtype if rng.random() < 0.8 else None
            undefined = inputs and rng.random() < 0.4
            outputs.append(None if undefined else twin(rng, shape, kind))
        flags = dict.fromkeys(FLAGS[:9], True) if rng.random() < 0.3 else {}
        flags |= {flag: rng.random() < 0.5 for flag in rng.sample(FLAGS, rng.randint(0, 3))}
        if flags.get("promote_inputs_to_common_dtype"):
            flags["promote_integer_inputs_to_float"] = rng.random() < 0.3
        if not inputs:
            flags = {"check_all_same_dtype": False, "resize_outputs": False}
        if None in outputs:
            flags["is_reduction"] = False  # what shape it would have nobody can tell
        config = TensorIteratorConfig(**flags)
        # The setters of theirs turn the check off too; the constructor of theirs wants it said.
        flags["check_all_same_dtype"] = config.check_all_same_dtype
        for given in outputs:
            config.add_output(None if given is None else given.ours)
        for tensor in inputs:
            config.add_input(tensor.ours)
        theirs = _asked(
            lambda: iterators.TensorIterator(
                outputs=[None if given is None else given.theirs for given in outputs],
                inputs=[tensor.theirs for tensor in inputs],
                **flags,
            )
        )
        ours = _asked(lambda: TensorIterator.of(config))
        reached[ours[:30] if isinstance(ours, str) else ours.fast_setup_type.name] += 1
        if "INTERNAL ASSERT" in str(theirs) or "initialized dtype" in str(theirs):
            assert "INTERNAL ASSERT" in str(ours), flags
        elif isinstance(theirs, str) or isinstance(ours, str):
            assert ours == theirs, (flags, inputs, outputs)
        else:
            assert state_of(ours) == state_of(theirs), (flags, inputs, outputs)
    assert min(reached[setup.name] for setup in FastSetupType) > 10


def test_devices_that_do_not_go_together_are_refused_in_torch_s_words() -> None:
    iterators = pytest.importorskip("torch._tensor_iterator")
    here, meta = torch.zeros(2), torch.zeros(2, device="meta")
    number = torch.zeros(())
    for theirs in ((here, meta), (meta, here), (meta, number), (number, meta), (number, here)):
        ours = [
            empty(tuple(t.shape), ScalarType.Float, Device.parse(str(t.device))) for t in theirs
        ]
        expected = _asked(lambda: str(iterators.binary_op(None, *theirs).output().device))
        result = _asked(lambda: str(TensorIterator.binary_op(None, *ours).output().device))
        assert result == expected
    with pytest.raises(RuntimeError) as refused:
        iterators.TensorIterator(inputs=[meta, number, number], allow_cpu_scalars=True)
    config = TensorIteratorConfig(allow_cpu_scalars=True)
    for sizes, device in (((2,), META), ((), CPU), ((), CPU)):
        config.add_input(empty(sizes, ScalarType.Float, device))
    assert _asked(lambda: TensorIterator.of(config)) == str(refused.value)


def _asked(call: Callable[[], Any]) -> Any:
    """What the call returns, or what its error says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call()
        except (RuntimeError, TorchError) as error:
            return str(error)
