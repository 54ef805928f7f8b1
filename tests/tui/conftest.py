"""Workbenches to open screens on. They are never changed, so that tests may share them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from visualizer.workbench import Workbench, open_file

SAMPLES = Path(__file__).parents[2] / "cpp_samples" / "phi"


@pytest.fixture(scope="session")
def bitwise() -> Workbench:
    """The sample whose expansion 3 registers bitwise_and for six types, in 142 moments."""
    return open_file(SAMPLES / "bitwise_kernel.cc")


@pytest.fixture
def source(tmp_path: Path) -> Callable[[str], Workbench]:
    """A workbench on a file with this text."""

    def opened(text: str) -> Workbench:
        path = tmp_path / "sample.cc"
        path.write_text(text)
        return open_file(path)

    return opened
