"""Bad input to `unfold migrate`: what is said, the exit code, and that nothing is half-written."""

from pathlib import Path

import pytest

from tests.migration.operator_text import operator_text, piece
from visualizer.cli import main
from visualizer.migration import migrate
from visualizer.personal import safe_file


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "test_op.cc"
    path.write_text(operator_text("F();"))
    return path


def test_a_file_that_does_not_parse(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = source.read_text().replace("F();", "F(;")
    source.write_text(text)
    out = source.parent / "out"
    assert main(["migrate", str(source), "--output", str(out)]) == 1
    said = capsys.readouterr().err
    line = text[: text.index("F(;")].count("\n") + 1
    assert said.startswith(f"{source}:{line}:")
    assert ": error: " in said
    assert "migrate" in said
    assert not out.exists()
    assert source.read_text() == text


def test_what_a_parenthesis_is_missing_after(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source.write_text(operator_text('int a = ctx.Attr<int>("axis";'))
    assert main(["migrate", str(source)]) == 1
    assert '`)` is missing after `"axis"`' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("int x;\n", "no kernel is registered here"),
        ("int x;\n", "cpp_samples/fluid/trace_op.cc)"),
        ("", "no kernel is registered here"),
        (operator_text()[:-1].replace("public framework::OpKernel<T> {", "x"), "error: "),
    ],
)
def test_files_without_a_kernel(
    text: str, said: str, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source.write_text(text)
    assert main(["migrate", str(source)]) == 1
    assert said in capsys.readouterr().err


def test_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate", str(tmp_path / "none.cc")]) == 1
    assert "no such file" in capsys.readouterr().err


def test_what_no_row_knows_is_a_warning_at_its_place(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source.write_text(operator_text("  framework::Odd odd;"))
    assert main(["migrate", str(source)]) == 0
    captured = capsys.readouterr()
    assert "// TODO(migrate): no row of the table says what framework::Odd is" in captured.out
    assert ":10:3: warning: left as it is: no row" in captured.err
    assert "look for TODO(migrate) in phi/kernels/cpu/scale_kernel.cc" in captured.err


def test_files_are_overwritten_only_if_asked(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = source.parent / "out"
    assert main(["migrate", str(source), "--output", str(out)]) == 0
    header = out / "phi/kernels/scale_kernel.h"
    assert str(header) in capsys.readouterr().out.split("\n")
    header.write_text("mine")
    assert main(["migrate", str(source), "--output", str(out)]) == 1
    assert "is there already: choose another folder, or say --overwrite" in capsys.readouterr().err
    assert header.read_text() == "mine"
    assert main(["migrate", str(source), "--output", str(out), "--overwrite"]) == 0
    assert "ScaleKernel" not in header.read_text()
    assert "TestKernel" in header.read_text()


def test_the_original_is_never_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "fluid" / "operators" / "test_op.cc"
    source.parent.mkdir(parents=True)
    source.write_text(operator_text("F();"))
    assert main(["migrate", str(source), "--output", str(tmp_path), "--overwrite"]) == 1
    said = capsys.readouterr().err
    assert "never overwritten: choose another folder" in said
    assert "--overwrite" not in said
    assert source.read_text() == operator_text("F();")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["fluid"]


def test_a_write_that_fails_leaves_nothing(
    source: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = safe_file.write
    written: list[Path] = []

    def failing(path: Path, text: str, mode: int = 0o600) -> None:
        if len(written) == 2:
            raise OSError(28, "No space left on device", str(path))
        written.append(path)
        real(path, text, mode)

    monkeypatch.setattr(safe_file, "write", failing)
    out = source.parent / "out"
    assert main(["migrate", str(source), "--output", str(out)]) == 1
    assert "nothing was written: No space left on device" in capsys.readouterr().err
    assert len(written) == 2
    assert not [p for p in out.rglob("*") if p.is_file()]


def test_a_report_writes_nothing(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(source.parent.iterdir())
    assert main(["migrate", str(source), "--check", "--no-compile"]) == 0
    said = capsys.readouterr().out
    was = "template <typename DeviceContext, typename T> class TestKernel"
    assert (
        f"{source}:6:1: written: {was}" in said
    )  # what goes into a pipe has no width: nothing is cut
    assert "…" not in said
    assert said.rstrip().endswith("0 guesses, 0 left to you")
    assert sorted(source.parent.iterdir()) == before


@pytest.mark.parametrize("flags", [["--overwrite"], ["--check", "--output", "out"]])
def test_flags_that_contradict_each_other(
    flags: list[str], source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["migrate", str(source), *flags]) == 2
    assert capsys.readouterr().err.startswith("unfold: error: ")


def test_a_file_beside_it_that_is_not_understood_stays_with_a_comment(source: Path) -> None:
    odd = "#pragma once\n\f\nint a(;\n"  # a form feed ends no line
    (source.parent / "test_op.cu").write_text(odd)
    found = migrate(source)
    kept = piece(found, "test_op.cu").split("\n")
    assert kept[2].startswith(
        "// TODO(migrate): this file stays as it is, for here it isn't understood"
    )
    assert [*kept[:2], *kept[3:]] == odd.split("\n")
    assert found.left[-1].old.span.start == odd.index("int a")
    assert found.left[-1].status == "left to you"
    assert "test_op.cu" not in {path.name for path in found.superseded}
