"""Compiled kernels survive the process, and threads and forks do not hurt them.

Each test runs Python anew, with its own cache folder, as what it tests is global to a process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import registry_runtime
from tests.waiting import PATIENCE

PRELUDE = """
import os, sys, threading
import numpy as np
from registry_runtime.kernels import find
from registry_runtime.phi.data_type import DataType

instance = find("phi::BitwiseAndKernel").instantiate(DataType.UINT8, "CPUContext")
x = np.arange(20_000_000).astype(np.uint8)
y = x[::-1].copy()
"""


def run(code: str, folder: Path | None = None, **environment: str) -> str:
    root = str(Path(registry_runtime.__file__).parents[1])
    inherited = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "XDG_"))}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PRELUDE + textwrap.dedent(code)],
        env={**inherited, "PYTHONPATH": root, **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_second_process_finds_the_compiled_code(tmp_path: Path) -> None:
    code = "print(instance.build().from_cache, instance.launch(x, y).sum() == (x & y).sum())"
    assert run(code, XDG_CACHE_HOME=str(tmp_path)) == "False True"
    assert run(code, XDG_CACHE_HOME=str(tmp_path)) == "True True"
    assert list((tmp_path / "unfold" / "kernels").rglob("*.nbi"))


def test_numbas_own_variable_says_where_the_code_is_kept(tmp_path: Path) -> None:
    run("instance.build()", XDG_CACHE_HOME=str(tmp_path / "x"), NUMBA_CACHE_DIR=str(tmp_path / "n"))
    assert list((tmp_path / "n").rglob("*.nbi"))
    assert not (tmp_path / "x").exists()


def test_numbas_settings_are_left_as_they_were(tmp_path: Path) -> None:
    code = "import numba; instance.build(); print(repr(numba.config.CACHE_DIR))"
    assert run(code, XDG_CACHE_HOME=str(tmp_path)) == "''"


def test_no_writable_folder_costs_time_and_is_no_failure(tmp_path: Path) -> None:
    # Root may write anywhere, so the folders are files instead, and Numba's own places are denied.
    (tmp_path / "file").touch()
    code = """
    from numba.core import caching
    caching.CacheImpl._locator_classes = [caching.UserProvidedCacheLocator]
    build = instance.build()
    print(build.from_cache, instance.launch(x, y).sum() == (x & y).sum())
    """
    assert run(code, XDG_CACHE_HOME=str(tmp_path / "file")) == "False True"


def test_a_damaged_cache_is_compiled_anew(tmp_path: Path) -> None:
    run("instance.build()", XDG_CACHE_HOME=str(tmp_path))
    for file in tmp_path.rglob("*.nb[ci]"):
        file.write_bytes(b"damaged")
    code = "print(instance.build().from_cache, instance.launch(x, y).sum() == (x & y).sum())"
    assert run(code, XDG_CACHE_HOME=str(tmp_path)) == "False True"


@pytest.mark.parametrize("layer", ["default", "workqueue"])
def test_many_threads_may_launch_at_once(layer: str) -> None:
    # Numba's work queue ends the process if two threads enter it.
    code = """
    expected, wrong = x & y, []
    def work():
        for _ in range(5):
            if not np.array_equal(instance.launch(x, y), expected):
                wrong.append(1)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    print(wrong)
    """
    assert run(code, NUMBA_THREADING_LAYER=layer, NUMBA_NUM_THREADS="2") == "[]"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_launches_too() -> None:
    # GNU OpenMP ends a child that uses its parent's threads.
    code = """
    expected = instance.launch(x, y)
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(instance.launch(x, y), expected) else 3)
    print(os.waitpid(child, 0)[1], np.array_equal(instance.launch(x, y), expected))
    """
    assert run(code, NUMBA_NUM_THREADS="2", PYTHONWARNINGS="default") == "0 True"


def test_one_core_is_enough() -> None:
    code = "print((instance.launch(x, y) == x & y).all())"
    assert run(code, NUMBA_NUM_THREADS="1") == "True"


def test_numbas_file_in_the_working_folder_is_never_read(tmp_path: Path) -> None:
    import yaml  # where it is missing, Numba couldn't read the file either

    settings = {"cache_dir": str(tmp_path / "planted"), "cuda_driver": "/evil.so", "disable_jit": 1}
    (tmp_path / ".numba_config.yaml").write_text(yaml.safe_dump(settings))
    code = """
        from registry_runtime.kernels.own_numba import numba
        instance.build()
        os.environ["NUMBA_OPT"] = "2"
        numba.config.reload_config()
        import yaml
        c = numba.config
        print(c.CACHE_DIR, c.CUDA_DRIVER, c.DISABLE_JIT, int(c.OPT))
    """
    cache = tmp_path / "cache"
    assert run(code, tmp_path, XDG_CACHE_HOME=str(cache)).split() == ["0", "2"]
    assert not (tmp_path / "planted").exists()


@pytest.mark.parametrize("mode", [0o770, 0o707])
@pytest.mark.parametrize("named_by", ["XDG_CACHE_HOME", "NUMBA_CACHE_DIR"])
def test_a_cache_that_others_can_write_to_is_left_alone(
    tmp_path: Path, mode: int, named_by: str
) -> None:
    cache = tmp_path / "unfold" / "kernels"
    named = {named_by: str(cache if named_by.startswith("NUMBA") else tmp_path)}
    run("instance.build()", **named)
    assert cache.stat().st_mode & 0o777 == 0o700
    cache.chmod(mode)
    code = """
        import warnings
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("default")
            build = instance.build()
        assert "can be written to by others" in str(said[0].message), said
        print(build.from_cache)
    """
    assert run(code, **named) == "False"


def test_the_process_that_times_builds_imports_nothing_of_the_working_folder(
    tmp_path: Path,
) -> None:
    (tmp_path / "numpy.py").write_text("raise SystemExit('planted')")
    code = f"""
        os.chdir({str(tmp_path)!r})
        sys.path.remove("")
        from registry_runtime.benchmark.build_cost import build_costs
        from registry_runtime.benchmark.sweep import plan
        print(len(build_costs(plan(["bitwise_and"], ["bool"], [1], "CPU"))))
    """
    assert run(code, XDG_CACHE_HOME=str(tmp_path)) == "1"
