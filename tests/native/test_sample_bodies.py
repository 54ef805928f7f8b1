"""The bodies of the samples, compiled and run for every type that they are registered for: each gives
what NumPy's reference of the Python kernel gives. One translation unit has them all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from registry_runtime.lab.phi.body import Body, body_in, run
from registry_runtime.lab.phi.body_call import BodyCall, sample
from registry_runtime.native.program import GIVEN, Program, program_of
from registry_runtime.phi.backend import Backend
from registry_runtime.phi.call.kernel_call import instance_of
from registry_runtime.phi.data_type import DataType
from registry_runtime.program import Program as Registries
from visualizer.expansion import Options
from visualizer.workbench.bodies import source_of
from visualizer.workbench.linking import open_files
from visualizer.workbench.samples import samples_folder

pytestmark = pytest.mark.compiler

FILES = ("bitwise", "softmax", "gather", "full", "reduce")
KERNELS = (
    *("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not"),
    *("softmax", "gather", "full_batch_size_like", "mean"),
)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Program, Registries]:
    folder = tmp_path_factory.mktemp("samples")
    path = folder / "all.cc"
    phi = samples_folder() / "phi"
    path.write_text("".join((phi / f"{file}_kernel.cc").read_text() for file in FILES))
    registries = Registries()
    options = Options(include_folders=(str(phi),))
    (bench,) = open_files([path], registries, options)
    source = replace(source_of(bench), gives=tuple(GIVEN))
    return program_of(source, "", optimise=False), registries


def bodies(compiled: tuple[Program, Registries], name: str) -> Iterator[Body]:
    program, registries = compiled
    for key, kernel in registries.phi.factory.kernels[name].items():
        if key.backend is Backend.CPU:
            yield body_in(program, name, key, kernel)


@pytest.mark.parametrize("name", KERNELS)
def test_a_body_gives_what_numpy_gives_for_every_type(
    compiled: tuple[Program, Registries], name: str
) -> None:
    each = list(bodies(compiled, name))
    assert each
    for body in each:
        trial = run(body, sample(instance_of(body.kernel), 300, {}), runs=0, python=False)
        assert trial.agrees, [str(body.function), *map(str, trial.beside.differences)]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("bitwise_and", (np.arange(24).reshape(2, 3, 4) * 7, np.arange(3).reshape(3, 1) + 5)),
        ("bitwise_or", (np.arange(4), np.arange(24).reshape(2, 3, 4))),
        ("gather", (np.arange(24).reshape(2, 3, 4), np.array([2, -1, 0, 0]), 1)),
        ("gather", (np.arange(24).reshape(2, 3, 4), np.array([1], np.int32), -3)),
        ("mean", (np.arange(24).reshape(2, 3, 4) - 50, [0, -1], False)),
        ("mean", (np.arange(24).reshape(2, 3, 4) - 50, [], True)),
        ("mean", (np.zeros((0, 3), np.int64), [0], False)),
    ],
)
def test_shapes_and_axes_are_those_of_numpy(
    compiled: tuple[Program, Registries], name: str, arguments: tuple[object, ...]
) -> None:
    (body,) = (b for b in bodies(compiled, name) if b.key.dtype is DataType.INT64)
    trial = run(body, BodyCall(arguments), runs=0, python=False)
    assert trial.agrees, list(map(str, trial.beside.differences))


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax_runs_along_any_axis(compiled: tuple[Program, Registries], axis: int) -> None:
    x = np.random.default_rng(0).standard_normal((3, 5, 4)) * 300
    (body,) = (b for b in bodies(compiled, "softmax") if b.key.dtype is DataType.FLOAT64)
    assert run(body, BodyCall((x, axis)), runs=0, python=False).agrees


def test_full_writes_every_type() -> None:
    registries = Registries()
    (bench,) = open_files([samples_folder() / "phi" / "full_like_kernel.cc"], registries)
    program = program_of(source_of(bench), "", optimise=False)
    for name in ("full", "full_like"):
        for body in bodies((program, registries), name):
            trial = run(body, sample(instance_of(body.kernel), 30, {}), runs=0, python=False)
            assert trial.agrees, [str(body.function), *map(str, trial.beside.differences)]
