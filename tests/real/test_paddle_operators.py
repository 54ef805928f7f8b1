"""The operators of the third seed give what the installed Paddle gives.

Where Paddle still has a way to call one from Python, that is taken: in eager mode, or as an
operator of a program in its old form. Kernels that are left without one are called from C++.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registry_runtime.kernels import find
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.dense_tensor import DenseTensor
from tests.real import real_phi

pytestmark = pytest.mark.paddle

_PROGRAM = """\
import contextlib, io, json, sys, warnings
warnings.simplefilter("ignore")
with contextlib.redirect_stdout(io.StringIO()):
    import numpy as np, paddle
C = paddle._C_ops
def tensor(values, dtype):
    return paddle.to_tensor(np.array(values, dtype))
answers = []
for code in json.load(sys.stdin):
    try:
        space = {}
        exec(code, globals(), space)
        answers.append(space["answer"])
    except Exception as error:
        answers.append(str(error))
print(json.dumps(answers), flush=True)
"""


def asked(*codes: str) -> list[Any]:
    """What each piece of Python leaves in `answer`, in a process that has imported paddle."""
    real_phi.wheel()
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        input=json.dumps(codes),
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    answers: list[Any] = json.loads(done.stdout.splitlines()[-1])
    return answers


def kernel(name: str, T: DataType = DataType.FLOAT32, context: str = "CPUContext") -> Any:
    template = find(f"phi::{name}Kernel")
    assert template is not None
    return template.instantiate(T, context)


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    source = Path(__file__).with_name("operator_probe.cc")
    return real_phi.compiled(source, tmp_path_factory.mktemp("operators"))


MASKS = [
    ([1, 3, 0], "int64", 5, "int32"),
    ([[1, 3], [0, 2]], "int32", -1, "bool"),
    ([1.5, 2.0, float("nan"), -3], "float32", 4, "float64"),
    ([1.5, 2.0, -3], "float64", -1, "int8"),
]


def test_sequence_mask() -> None:
    codes = [
        f"x = C.sequence_mask(tensor({x!r}, '{T}'), {maxlen}, paddle.{out})\n"
        "answer = x.astype('float64').tolist()".replace("nan", "float('nan')")
        for x, T, maxlen, out in MASKS
    ]
    for (x, T, maxlen, out), theirs in zip(MASKS, asked(*codes), strict=True):
        ours = kernel("SequenceMask", DataType.of(T)).launch(
            np.array(x, T), None, maxlen, DataType.of(out)
        )
        assert ours.astype(np.float64).tolist() == theirs


_DEQUANTIZE = """
paddle.enable_static()
with paddle.pir_utils.OldIrGuard():
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        block = main.global_block()
        x = np.array({x}, '{T}')
        given = block.create_var(name="x", shape=x.shape, dtype='{T}', is_data=True,
                                 need_check_feed=False)
        made = block.create_var(name="y", dtype="float32")
        block.append_op(
            type="dequantize", inputs=dict(Input=[given]), outputs=dict(Output=[made]),
            attrs=dict(Scale={scale}, Shift={shift}, use_onednn=True, use_mkldnn=True))
    executor = paddle.static.Executor(paddle.CPUPlace())
    answer = executor.run(main, feed=dict(x=x), fetch_list=["y"])[0].tolist()
"""


@pytest.mark.parametrize(("T", "shift"), [("uint8", 128), ("int8", 0), ("int8", 7)])
def test_dequantize(T: str, shift: int) -> None:
    x = np.arange(256).astype(T)
    for scale, theirs in zip(
        (0.7, 127.0, -3.0),
        asked(
            *(
                _DEQUANTIZE.format(x=x.tolist(), T=T, scale=scale, shift=shift)
                for scale in (0.7, 127.0, -3.0)
            )
        ),
        strict=True,
    ):
        ours = kernel("DeQuant", DataType.of(T), "OneDNNContext").launch(x, scale, float(shift))
        np.testing.assert_allclose(ours, np.array(theirs, np.float32), rtol=2e-7, atol=0)


def test_dequantize_refuses_what_paddle_refuses() -> None:
    code = _DEQUANTIZE.format(x=[1], T="int8", scale="{0}", shift="{1}")
    wrong = [(0.0, 0.0), (1.0, -1.0), (1.0, 256.0)]
    theirs = asked(*(code.replace("{0}", str(a)).replace("{1}", str(b)) for a, b in wrong))
    for (scale, shift), message in zip(wrong, theirs, strict=True):
        with pytest.raises(Exception, match="Dequantization") as caught:
            kernel("DeQuant", DataType.INT8, "OneDNNContext").launch(
                np.ones(1, np.int8), scale, shift
            )
        assert str(caught.value) in message


@pytest.mark.compiler
def test_pow2_decay_with_linear_warmup(probe: Path) -> None:
    schedules = [(10, 100, 0.1, 0.001), (0, 10, 0.5, 0.0), (5, 5, 1.0, 2.0)]
    calls = [(step, *rest) for step in (-1, 0, 4, 9, 50, 99, 500) for rest in schedules]
    asked_for = [("pow2_decay", " ".join(map(str, call))) for call in calls]
    for (step, *rest), answer in zip(calls, real_phi.ask(asked_for, [probe]), strict=True):
        if "nan" in str(answer):
            continue
        (rate,), (after,) = json.loads(str(answer))
        lr = np.ones(1, np.float32)
        ours = kernel("Pow2DecayWithLinearWarmup").launch(lr, np.array([step]), *rest)
        assert (float(ours[0][0]), int(ours[1][0])) == (pytest.approx(rate, rel=2e-7), after)


@pytest.mark.compiler
def test_a_schedule_that_paddle_refuses(probe: Path) -> None:
    (message,) = real_phi.ask([("pow2_decay", "0 5 4 0.1 0.0")], [probe])
    with pytest.raises(Exception, match="warmup_steps") as caught:
        kernel("Pow2DecayWithLinearWarmup").launch(
            np.ones(1, np.float32), np.array([0]), 5, 4, 0.1, 0.0
        )
    assert str(caught.value) in str(message)


# Of Paddle 3.3.1 whole spectra are left out: it allocates half of one as real numbers, and throws.
SIGNALS = [(512, 128, 3000, False), (30, 7, 100, True), (17, 5, 50, False)]
_STFT = """
rng = np.random.default_rng({n})
x = rng.standard_normal((2, {length}))
window = rng.standard_normal({n})
how = ({n}, {hop}, {normalized}, True)
out = C.stft(paddle.to_tensor(x), paddle.to_tensor(window), *how)
grad = rng.standard_normal(out.shape) + 1j * rng.standard_normal(out.shape)
back = C.stft_grad(paddle.to_tensor(x), paddle.to_tensor(window), paddle.to_tensor(grad), *how)
out = out.numpy()
answer = [out.real.tolist(), out.imag.tolist(), back.numpy().tolist()]
"""


@pytest.mark.parametrize(("n", "hop", "length", "normalized"), SIGNALS)
def test_stft_and_its_gradient(n: int, hop: int, length: int, normalized: bool) -> None:
    code = _STFT.format(n=n, hop=hop, length=length, normalized=normalized)
    ((real, imag, back),) = asked(code)
    rng, T = np.random.default_rng(n), DataType.FLOAT64
    x, window = rng.standard_normal((2, length)), rng.standard_normal(n)
    out = kernel("Stft", T).launch(x, window, n, hop, normalized, True)
    np.testing.assert_allclose(out, np.array(real) + 1j * np.array(imag), atol=1e-12)
    grad = rng.standard_normal(out.shape) + 1j * rng.standard_normal(out.shape)
    ours = kernel("StftGrad", T).launch(x, window, grad, n, hop, normalized, True)
    np.testing.assert_allclose(ours, back, atol=1e-12)


@pytest.mark.compiler
@pytest.mark.parametrize("is_test", [False, True])
@pytest.mark.parametrize("kind", ["AVERAGE", "SUM", "SQRT", "MAX", "LAST", "FIRST"])
def test_sequence_pool_and_its_gradient(kind: str, is_test: bool, probe: Path) -> None:
    offsets = (0, 2, 2, 5, 9)
    data = np.random.default_rng(0).standard_normal((9, 3)).astype(np.float32)
    elements = " ".join(f"{x:.9g}" for x in data.flat)
    given = f"{kind} {is_test:d} 9.5 {len(offsets)} {' '.join(map(str, offsets))} 9 3 {elements}"
    (answer,) = real_phi.ask([("sequence_pool", given)], [probe])
    pooled, index, back = json.loads(str(answer))
    x = DenseTensor(data, lod=(offsets,))
    out, rows = kernel("SequencePool").launch(x, is_test, kind, 9.5)
    np.testing.assert_allclose(out.ravel(), pooled, rtol=1e-6)
    assert rows.ravel().tolist() == index
    if kind == "MAX" and is_test:
        return
    grad = np.arange(1, out.size + 1, dtype=np.float32).reshape(out.shape)
    ours = kernel("SequencePoolGrad").launch(x, rows if index else None, grad, is_test, kind, 9.5)
    np.testing.assert_allclose(ours.ravel(), back, rtol=1e-6)


@pytest.mark.compiler
def test_sequences_that_paddle_refuses(probe: Path) -> None:
    elements = " ".join("1" * 10)
    (message,) = real_phi.ask(
        [("sequence_pool", f"SUM 0 0 7 0 1 1 1 1 1 5 5 2 {elements}")], [probe]
    )
    x = DenseTensor(np.ones((5, 2), np.float32), lod=((0, 1, 1, 1, 1, 1, 5),))
    with pytest.raises(Exception, match="batch size") as caught:
        kernel("SequencePool").launch(x, False, "SUM", 0.0)
    assert str(caught.value).removeprefix("phi::SequencePoolKernel: ") in str(message)
