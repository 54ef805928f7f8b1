"""`load` refuses a file with an error, and says where it stands, as the command line does."""

from pathlib import Path

import pytest

from visualizer.cli import main
from visualizer.expansion import InputError, Options
from visualizer.workbench.linking import load

SAMPLES = Path(__file__).parents[2] / "cpp_samples" / "aten"


def test_an_error_is_told_as_the_command_line_tells_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.cc"
    path.write_text('#include "library.h"\nTORCH_LIBRARY(mine, m) {\n  m.deff("f() -> ()");\n}\n')
    assert main(["kernels", f"-I{SAMPLES}", str(path)]) == 1
    (said,) = [line for line in capsys.readouterr().err.splitlines() if ": error: " in line]
    with pytest.raises(InputError) as refused:
        load([path], Options(include_folders=(str(SAMPLES),)))
    assert str(refused.value).splitlines()[0] == said
    assert said.startswith(f"{path}:3:")
