"""An editor with its server, for all tests of a module that need no other flags."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from wire import Editor, started


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    with started(tmp_path_factory.mktemp("edited"), "--cc", "none") as editor:
        yield editor


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A file that is only edited, and never saved."""
    return tmp_path / "file.cc"
