"""The JSON document, and two runs compared."""

import dataclasses
import itertools
import json
import math
import re

import pytest

from registry_runtime.benchmark.call_cost import CallCost
from registry_runtime.benchmark.machine import Machine
from registry_runtime.benchmark.results import Results, as_json, compare, load, save
from registry_runtime.benchmark.sweep import BenchmarkError, Peer, Row
from visualizer.export.benchmark import as_table, plot, verdict


def row(size=1000, seconds=1e-6, spread=1e-8, **peers):
    made = {name: Peer(ratio * seconds, spread, ratio) for name, ratio in peers.items()}
    return Row("add", "float32", size, "CPU", seconds, spread, 12 * size, 0.5, 0.2, False, made)


def results(*rows, complete=True):
    machine = Machine("a chip", 4, 2, "Linux x86_64", {"numpy": "2.4"})
    return Results("2026-11-21T00:00:00+00:00", machine, 4e10, rows, complete=complete)


def test_the_document_has_rows_and_the_mean_over_the_fastest_peers():
    found = results(row(numpy=2.0, torch=3.0), row(10, numpy=9.0, torch=8.0), row(100))
    document = json.loads(json.dumps(as_json(found)))
    assert document["geomean"] == pytest.approx(4)  # of 2 and 8
    first = document["rows"][0]
    assert (first["ratio"], first["fastest_peer"]) == (2.0, "numpy")
    assert first["peers"]["torch"] == {
        "seconds": 3e-6,
        "spread": 1e-8,
        "ratio": 3.0,
        "told": True,
    }
    assert document["rows"][2]["ratio"] is None
    assert as_json(results(row()))["geomean"] is None


def test_what_is_saved_is_loaded(tmp_path):
    found = results(row(numpy=0.5), complete=False)
    save(found, tmp_path / "found.json")
    save(found, tmp_path / "found.json")
    assert load(tmp_path / "found.json") == found
    assert [p.name for p in tmp_path.iterdir()] == ["found.json"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is not JSON"),
        ("[]", "holds no benchmark results"),
        ('{"rows": []}', "holds no benchmark results"),
        ('{"version": 99}', "has version 99, not 1"),
    ],
)
def test_a_file_that_is_none_of_ours_is_refused(tmp_path, text, says):
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(BenchmarkError, match=says):
        load(path)
    with pytest.raises(BenchmarkError, match="No such file"):
        load(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("seconds", 0, "0 seconds"),
        ("size", 1.5, "1.5 elements"),
        ("kernel", ["add"], "not all names"),
    ],
)
def test_a_row_that_cannot_be_measured_again_is_refused(tmp_path, name, value, says):
    document = as_json(results(row(numpy=1.0)))
    document["rows"][0][name] = value
    (tmp_path / "bad.json").write_text(json.dumps(document))
    with pytest.raises(BenchmarkError, match=says):
        load(tmp_path / "bad.json")


def test_nothing_to_compare_is_told_with_its_reason():
    early = "\n".join(as_table(results(row(1), complete=False), []))
    assert "Stopped before there was a row that the earlier run has too." in early
    assert "has none of these rows" not in early
    assert "The earlier run has none of these rows." in "\n".join(as_table(results(row(1)), []))


@pytest.mark.parametrize(
    ("now", "verdict"),
    [
        (row(seconds=0.5e-6), "faster"),
        (row(seconds=2e-6), "slower"),
        (row(seconds=1.04e-6), "same"),  # less than a twentieth
        (row(seconds=1.5e-6, spread=1e-6), "same"),  # within what the rounds differ anyway
    ],
)
def test_only_what_is_beyond_the_noise_has_changed(now, verdict):
    (change,) = compare(results(now), results(row(), row(size=5)))
    assert change.verdict == verdict
    assert change.speedup == pytest.approx(1e-6 / now.seconds)


def test_rows_that_the_earlier_run_lacks_are_left_out():
    other = dataclasses.replace(row(), dtype="int32")
    assert compare(results(row()), results(other)) == []


def test_the_table_says_what_there_is():
    found = results(row(1, numpy=0.5), row(10**6, numpy=2.0, torch=4.0), complete=False)
    text = "\n".join(as_table(found, compare(found, found), width=72))
    lines = text.splitlines()
    header = next(line for line in lines if "GB/s  " in line)
    assert header.endswith("numpy is      torch is")
    assert next(line for line in lines if line.startswith("  10^6 ")).endswith(
        "  2.00× slower  4.00× slower"
    )
    assert next(line for line in lines if line.startswith("     1 ")).endswith(
        "  2.00× faster             –"
    )
    assert "Stopped early. Beside unfold, the fastest peer is as fast: geometric mean" in text
    assert lines[-1].endswith("same")


def test_a_table_with_three_peers_is_as_wide_as_a_terminal():
    peers = {"numpy": 0.25, "torch": 23.4, "paddle": 117.0}
    rows = [row(10**n, 41.4e-6 * 3**n, spread=12e-6 * 3**n, **peers) for n in range(8)]
    long = [dataclasses.replace(r, kernel="full_batch_size_like") for r in rows]
    call = CallCost(
        "full_batch_size_like", "float32", 10**7, "CPU", 2e-7, 3.18e-2, 1.45e-6, 2.02e-2
    )
    found = dataclasses.replace(results(*rows, *long), calls=(call,))
    lines = list(as_table(found, compare(found, found), width=80))
    assert max(map(len, lines)) <= 80
    assert [line for line in lines if line == "full_batch_size_like  float32"] != []
    assert lines[lines.index("add  float32") + 2].endswith(
        "4.00× faster  23.4× slower  117× slower"
    )


def test_a_row_whose_rounds_differ_much_is_marked_noisy():
    found = results(row(1, 1e-6, spread=2.95e-6), row(10, 1e-6, spread=1e-8))
    table = "\n".join(as_table(found))
    assert table.count("noisy") == 1
    assert " noisy 295% " in table
    assert "--seconds" in table
    assert [r["noisy"] for r in as_json(found)["rows"]] == [True, False]
    assert "oisy" not in "\n".join(as_table(results(row())))


def test_a_difference_that_the_rounds_do_not_tell_is_not_claimed():
    told = row(1, 1e-6, numpy=1.5)
    untold = dataclasses.replace(told, peers={"numpy": Peer(1.5e-6, 1e-6, 0.8, told=False)})
    table = "\n".join(as_table(results(told, untold)))
    assert table.count("unclear") == 2  # in its row, and in the verdict
    assert "no difference that this run can tell" in table
    assert (told.wins, untold.wins) == (True, False)
    assert "nclear" not in "\n".join(as_table(results(told)))
    assert "no difference that this run can tell" in verdict(results(untold))
    assert "no difference" not in verdict(results(told))
    # The mean is of the rows that tell: it never says what no row of the table does.
    both = verdict(
        results(told, dataclasses.replace(told, peers={"numpy": Peer(1, 9, 9.0, False)}))
    )
    assert both.endswith("1.50× slower: geometric mean of 1 row (1 unclear).")


def test_the_plot_fits_and_has_a_letter_for_each_line():
    rows = [row(10**n, 1e-6 * 3**n, numpy=20.0) for n in range(8)]
    lines = plot(rows, 4e10, 60, 12).rstrip().splitlines()
    assert len(lines) == 12
    assert max(map(len, lines)) <= 60
    drawn = "\n".join(lines[1:])
    assert drawn.count("u") >= 7
    assert drawn.count("n") >= 7
    assert "\x1b" not in drawn
    assert "\x1b[38;2;1;2;3m" in plot(rows, 4e10, 60, 12, {"numpy": (1, 2, 3)})
    assert plot(rows[:1], 4e10, 60, 12)


@pytest.mark.parametrize("height", range(8, 19))
def test_the_powers_beside_a_plot_are_evenly_apart(height):
    rows = [row(10**n, 1e-6 * 1.5**n, numpy=20.0) for n in range(8)]
    lines = plot(rows, 4e10, 60, height).splitlines()
    labels = (re.match(r" *([\d.]+)[┤├]", line) for line in lines)
    told = [math.log10(float(label[1])) for label in labels if label]
    assert len(told) >= 3
    (apart,) = {round(a - b) for a, b in itertools.pairwise(told)}
    assert apart >= 1
