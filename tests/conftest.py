"""What all tests share: none reads or writes the user's own files, each ends, and modules beside each
other may import their folder's own by name. What no test changes is made once for all of them."""

import gc
import os
import sys
from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from registry_runtime.native import private_cache
from visualizer import messages
from visualizer.expansion import Options, Trace, cache_folder, memory, preprocess
from visualizer.expansion.trace import Through
from visualizer.workbench.samples import samples_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SLOW = 1200  # seconds
SAMPLES = samples_folder().resolve()

GROWN, MOST = 256 << 20, 4 << 30  # bytes
gc.set_threshold(200_000, 50, 50)  # as the command does: it was a fifth of what the tests took

# What is drawn is the same each time, and takes as long as it takes: a run tells of the code, not of
# luck or of what else the machine does. `make fuzz` draws anew, and more.
_PATIENT = settings(deadline=None, suppress_health_check=list(HealthCheck))
settings.register_profile("fuzz", _PATIENT, max_examples=500)
settings.register_profile("tests", _PATIENT, derandomize=True)
settings.load_profile("tests")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A slow test may take long; one that hangs still ends, and says where it was."""
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOW))


for folder in ("editor", "expansion", "samples", "serve"):
    sys.path.insert(0, str(Path(__file__).parent / folder))


@pytest.fixture(scope="session")
def of_all_workers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this run of the tests, the same for all its workers."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(autouse=True, scope="session")
def _in_english() -> Iterator[None]:
    """Whatever language the machine speaks, also in the processes that tests start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LANGUAGE", messages.ENGLISH)
        patch.delenv(messages.ASKED, raising=False)
        yield


@pytest.fixture(autouse=True)
def _speaks_english_at_first() -> Iterator[None]:
    """What a test before has spoken, this one needn't."""
    messages.speak("")
    yield
    os.environ.pop(messages.ASKED, None)


@pytest.fixture(autouse=True, scope="session")
def _own_cache(of_all_workers: Path) -> Iterator[None]:
    """No test reads what an earlier version of the code has left in the user's cache, nor leaves
    something there, be it a kernel that Numba built, or in a process that it starts. What one worker
    has compiled, another finds there."""
    caches = of_all_workers / "cache"
    users = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache_folder, "cache_folder", lambda: str(caches / "unfold"))
        patch.setattr(private_cache, "folder", lambda kind: caches / "unfold" / kind)
        patch.setenv("XDG_CACHE_HOME", str(caches))
        # Hundreds of processes begin; where nobody lets them keep it, each would compile our code anew.
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        patch.setenv("PYTHONPYCACHEPREFIX", str(caches / "bytecode"))
        if sys.platform == "linux" and "PLAYWRIGHT_BROWSERS_PATH" not in os.environ:
            patch.setenv(
                "PLAYWRIGHT_BROWSERS_PATH", f"{users}/ms-playwright"
            )  # Chromium lies there
        yield


@pytest.fixture(autouse=True, scope="session")
def _samples_are_expanded_once() -> Iterator[None]:
    """Most tests open samples, by the command or a screen. A trace is never changed, nor is a sample:
    so whoever opens one with the same options, in the same folder, gets the same trace."""
    from visualizer.workbench import bench

    @lru_cache(maxsize=60)
    def of_sample(path: Path, options: Options, folder: str) -> Trace:
        return preprocess(path, options, skip_included_text=True)

    def opened(
        path: str | Path,
        options: Options,
        skip_included_text: bool,
        line: int | None = None,
        through: Through | None = None,
        counted: int | None = None,
    ) -> Trace:
        if line is None and through is None and SAMPLES in Path(path).absolute().parents:
            return of_sample(Path(path), options, os.getcwd())
        return preprocess(
            path, options, skip_included_text, line=line, through=through, counted=counted
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bench, "preprocess", opened)
        yield


@pytest.fixture(autouse=True, scope="session")
def _memory_is_bounded() -> Iterator[None]:
    """Each of several workers holds no more than a part of a machine. What makes them grow is mostly
    something of the product that holds what was closed."""
    yield
    gc.collect()
    held = memory.held()
    assert held < MOST, (
        f"these tests hold {held >> 20:,} MB at their end: who keeps what is closed?"
    )


@pytest.fixture(autouse=True, scope="session")
def _collected() -> list[int]:
    """The bytes that were held when garbage was last collected."""
    return [memory.held()]


@pytest.fixture(autouse=True)
def _garbage_is_collected(_collected: list[int]) -> Iterator[None]:
    """With that threshold, which is for a process that ends soon, a program in circles that is dropped
    would stay for thousands of tests."""
    yield
    if memory.held() > _collected[0] + GROWN:
        gc.collect()
        _collected[0] = memory.held()


@pytest.fixture(scope="session")
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folders of the tests to come. They are counted here: pytest, for each new one, looks through
    the names of all that it has made before, so that each test took longer than the one before it."""
    folder = tmp_path_factory.mktemp("own")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def own_folder(_own_folders: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the real settings and recent files: each has a folder for its own."""
    folder = next(_own_folders)
    folder.mkdir()
    monkeypatch.setenv("UNFOLD_CONFIG_DIR", str(folder))
    return folder


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """A headless Chromium, where one is installed."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="no Playwright: make browser")
    from chromium import executable

    path = executable()
    if path is None:
        pytest.skip("no Chromium: make browser")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()
