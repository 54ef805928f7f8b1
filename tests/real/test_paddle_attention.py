"""The InferMeta functions of fused_attention are the wheel's: the same dims, the same refusals."""

from __future__ import annotations

import json
import shutil
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from registry_runtime.phi.enforce import InvalidArgument
from registry_runtime.phi.infermeta import fused_attention
from registry_runtime.phi.meta_tensor import MetaTensor
from tests.real import real_phi

pytestmark = [pytest.mark.paddle, pytest.mark.compiler]

Dims = tuple[int, ...] | None
FORWARD: Any = fused_attention.FusedAttentionInferMeta  # called with the parameters in one list
GRADIENT: Any = fused_attention.FusedAttentionGradInferMeta
PLAIN, TURNED = (3, 2, 4, 8), (8, 24)


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    source = Path(__file__).with_name("attention_probe.cc")
    return real_phi.compiled(source, tmp_path_factory.mktemp("attention"))


def written(tensors: list[Dims], *attributes: int) -> str:
    dims = ["-1" if d is None else " ".join(map(str, (len(d), *d))) for d in tensors]
    return " ".join([*dims, *(str(int(a)) for a in attributes)])


def metas(tensors: list[Dims]) -> list[MetaTensor | None]:
    return [None if dims is None else MetaTensor(dims) for dims in tensors]


def outputs(count: int) -> list[MetaTensor]:
    return [MetaTensor((-7,)) for _ in range(count)]


def inputs(
    x: Dims = (5, 7, 8),
    weight: Dims = PLAIN,
    bias: Dims = None,
    cache: Dims = None,
    mask: Dims = None,
) -> list[Dims]:
    return [x, (8,), (8,), weight, bias, cache, mask, (8, 8), (8,), (8,), (8,)]


def ours(tensors: list[Dims], heads: int, turned: int, pre: int, test: int, ring: int) -> Any:
    outs = outputs(20)
    how = (heads, turned, pre, 1e-5, 0.1, test, False, 0, "", 0.1, False, 0, "", 1e-5, True, ring)
    FORWARD(*metas(tensors), *how, *outs)
    return [list(out.dims) for out in outs]


def test_the_dims_of_all_that_comes_out(probe: Path) -> None:
    calls: list[tuple[list[Dims], int, int, int, int, int]] = []
    for pre, test in product([0, 1], repeat=2):
        given = [
            inputs(),
            inputs(bias=(3, 2, 4), mask=(5, 1, 7, 7)),
            inputs(cache=(2, 5, 2, 3, 4), mask=(5, 1, 7, 10)),
            inputs(x=(1, 0, 8), bias=(3, 2, 4)),
        ]
        calls += [(tensors, 9, 0, pre, test, -1) for tensors in given]
        calls.append((inputs(weight=TURNED, bias=(24,)), 2, 1, pre, test, -1))
        calls.append((inputs(weight=(8, 12)), 2, 1, pre, test, 0))
        calls.append((inputs(weight=(3, 1, 4, 8)), 2, 0, pre, test, 0))
    asked = [("attention", written(*call[:1], *call[1:])) for call in calls]
    for call, answer in zip(calls, real_phi.ask(asked, [probe]), strict=True):
        assert ours(*call) == json.loads(str(answer)), call


def test_what_paddle_refuses(probe: Path) -> None:
    calls: list[tuple[list[Dims], int, int, int, int, int]] = [
        *((inputs(weight=PLAIN), 2, 1, 0, 0, -1), (inputs(weight=TURNED), 0, 1, 0, 0, -1)),
        *((inputs(weight=TURNED), 3, 1, 0, 0, -1), (inputs(weight=(8, 20)), 2, 1, 0, 0, -1)),
        *((inputs(weight=TURNED), 2, 0, 0, 0, -1), (inputs(weight=(2, 2, 4, 8)), 2, 0, 0, 0, -1)),
        *((inputs(weight=(3, 2, 3, 8)), 2, 0, 0, 0, -1), (inputs(x=(5, 8)), 2, 0, 0, 0, -1)),
        *((inputs(x=(5, 7, 9)), 2, 0, 0, 0, -1), (inputs(cache=(2, 5, 2, 3)), 2, 0, 0, 0, -1)),
        (inputs(cache=(1, 5, 2, 3, 4)), 2, 0, 0, 0, -1),
        (inputs(cache=(2, 4, 2, 3, 4)), 2, 0, 0, 0, -1),
        (inputs(cache=(2, 5, 3, 3, 4)), 2, 0, 0, 0, -1),
        (inputs(cache=(2, 5, 2, -3, 4)), 2, 0, 0, 0, -1),
        (inputs(cache=(2, 5, 2, 3, 5)), 2, 0, 0, 0, -1),
    ]
    asked = [("attention", written(*call[:1], *call[1:])) for call in calls]
    for call, answer in zip(calls, real_phi.ask(asked, [probe]), strict=True):
        with pytest.raises(InvalidArgument) as caught:
            ours(*call)
        assert caught.value.message in " ".join(str(answer).split()), call


def test_the_dims_of_gradients(probe: Path) -> None:
    whole: list[Dims] = [(n + 1, n + 2) for n in range(29)]
    lacking = [[None if i in gone else dims for i, dims in enumerate(whole)] for gone in (
        [], [9], [10], [9, 10], [11], [12], [3], [8], [18]
    )]  # fmt: skip
    calls = [(tensors, pre, 0) for tensors in lacking for pre in (0, 1)]
    asked = [("attention_grad", written(*call[:1], *call[1:])) for call in calls]
    asked.append(("attention_grad", written(whole, 0, 1)))
    *answers, refusal = real_phi.ask(asked, [probe])

    def grads(tensors: list[Dims], pre: int, test: int) -> Any:
        outs = outputs(21)
        how = (2, False, pre, 1e-5, 0.1, test, False, 0, "", 0.1, False, 0, "", 1e-5, True, -1)
        GRADIENT(*metas(tensors), *how, *outs)
        return [list(out.dims) for out in outs]

    for call, answer in zip(calls, answers, strict=True):
        assert grads(*call) == json.loads(str(answer)), call
    with pytest.raises(InvalidArgument) as caught:
        grads(whole, 0, 1)
    assert caught.value.message in str(refusal)
