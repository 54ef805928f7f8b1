"""What is filled in makes a form: without a screen, for each framework."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from visualizer.frameworks.presenter import Choice, presenter_of
from visualizer.frameworks.runnable import Form, Runnable, texts
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.samples import samples_folder

SAMPLES = samples_folder()


def runnable_of(bench: Workbench, name: str) -> Runnable:
    entry = next(e for e in bench.entries if e.registration.kernel_name == name)
    found = presenter_of(entry.registration).to_run(bench, entry, entry.registration, 1024)
    assert found is not None
    return found


def chosen(runnable: Runnable, **words: str) -> Form:
    return runnable.form(replace(runnable.first, chosen={**runnable.first.chosen, **words}))


def never() -> bool:
    return False


@pytest.mark.parametrize(
    ("file", "name", "tabs"),
    [
        ("phi/softmax_kernel.cc", "softmax", ["Result"]),
        ("aten/add.cc", "aten::add.Tensor", ["Result", "Story", "Time"]),
        ("fluid/trace_op.cc", "trace", ["Result", "Story"]),
    ],
)
def test_what_stands_there_at_first_runs_and_every_row_is_told(
    file: str, name: str, tabs: list[str]
) -> None:
    runnable = runnable_of(open_file(SAMPLES / file), name)
    form = runnable.form(runnable.first)
    assert form.name == name
    for choice in (row for row in form.choices.values() if isinstance(row, Choice)):
        assert choice.value in choice.words
    done = form.does["r"].work(never)
    assert not done.is_refusal
    assert list(done.tabs) == tabs
    told = "\n".join("".join(text for text, _ in row) for row in form.introduction(80))
    assert all(doing.told in told for doing in form.does.values())


def test_own_values_are_rows_of_their_own_and_leave_a_shape_that_was_typed() -> None:
    runnable = runnable_of(open_file(SAMPLES / "phi" / "softmax_kernel.cc"), "softmax")
    typed = replace(runnable.first, typed={"x": "4x3"})
    own = runnable.form(replace(typed, chosen={**typed.chosen, "data": "my own values"}))
    assert texts(own.blanks, {}) == {"x[]": "[[0, 1, 2]]", "axis": "-1"}
    assert texts(runnable.form(typed).blanks, {}) == {"x": "4x3", "axis": "-1"}


def test_own_values_leave_out_what_the_sample_does_without() -> None:
    bench = open_file(SAMPLES / "phi" / "fused_attention_kernel.cc")
    runnable = runnable_of(bench, "fused_attention")
    said = texts(runnable.form(runnable.first).blanks, {})
    own = texts(chosen(runnable, data="my own values").blanks, {})
    assert {name for name, text in said.items() if not text}
    assert all(own[name] == "" for name, text in said.items() if not text)


def test_what_cannot_be_run_has_no_key_and_says_why() -> None:
    runnable = runnable_of(open_file(SAMPLES / "phi" / "selected_rows_kernel.cc"), "scale_sr")
    form = runnable.form(runnable.first)
    assert not form.does
    assert "nobody wrote the kernel" in form.problem
    assert "can't be called by itself yet" in form.problem


def test_a_kernel_that_nobody_wrote_in_python_has_its_body() -> None:
    runnable = runnable_of(open_file(SAMPLES / "phi" / "flip_kernel.cc"), "flip")
    form = runnable.form(runnable.first)
    assert list(form.does) == ["c"]
    assert form.problem == "axis has to be filled in: it is a const std::vector<int>&"


def test_another_operator_keeps_what_was_chosen_for_all() -> None:
    runnable = runnable_of(open_file(SAMPLES / "aten" / "add.cc"), "aten::add.Tensor")
    form = chosen(runnable, call="aten::add_.Tensor", device="Meta")
    assert (form.name, form.choices["device"].value) == ("aten::add_.Tensor", "Meta")


@pytest.mark.parametrize(
    ("file", "name", "row"),
    [
        ("phi/softmax_kernel.cc", "softmax", "x"),
        ("aten/add.cc", "aten::add.Tensor", "self"),
        ("fluid/trace_op.cc", "trace", "Input"),
    ],
)
def test_a_blank_takes_a_file_that_numpy_wrote(
    file: str, name: str, row: str, tmp_path: Path
) -> None:
    np.save(tmp_path / "a.npy", np.array([[1.0, 2], [3, 4]], np.float32))
    runnable = runnable_of(open_file(SAMPLES / file), name)
    typed = {row: str(tmp_path / "a.npy"), **({"other": "2x2:ones"} if row == "self" else {})}
    form = runnable.form(replace(runnable.first, typed=typed))
    assert not form.problem
    done = form.does["r"].work(never)
    assert not done.is_refusal
    rows = done.tabs["Result"](80)
    told = "\n".join("".join(text for text, *_ in row) for row in rows)
    assert {"x": "0.26", "self": "2", "Input": "5"}[row] in told
