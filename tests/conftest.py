"""Test modules beside each other may import their folder's own modules by name."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from visualizer.expansion import cache_folder

SLOW = 3600  # seconds


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A slow test may take long; one that hangs still ends, and says where it was."""
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOW))


for folder in ("expansion", "samples", "serve"):
    sys.path.insert(0, str(Path(__file__).parent / folder))


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads what an earlier version of the code has left in the user's cache."""
    folder = str(tmp_path_factory.mktemp("cache"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache_folder, "cache_folder", lambda: folder)
        yield


@pytest.fixture(autouse=True)
def own_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the real settings and recent files: each has a folder for its own."""
    folder = tmp_path_factory.mktemp("unfold")
    monkeypatch.setenv("UNFOLD_CONFIG_DIR", str(folder))
    return folder
