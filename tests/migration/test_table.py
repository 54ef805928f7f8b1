"""The tables: misspellings are corrected and listed, and PHI's names are in Paddle's headers."""

import os
import re
from pathlib import Path

import pytest

from visualizer.migration.composing.destinations import CONTEXTS
from visualizer.migration.fluid_names import HEADERS, NAMES
from visualizer.migration.table import ERRATA, GUIDE_ROWS, RULES

LESSONS = Path(__file__).parents[2] / "lessons"
MISSPELT = ("farmework", "mutbale", "erros", "ShareLod", "ScalarArray", "Generato(")


@pytest.mark.parametrize("misspelling", MISSPELT)
def test_no_rule_repeats_a_misspelling(misspelling: str) -> None:
    for rule in RULES.values():
        assert misspelling not in rule.fluid + rule.phi
    assert not any(misspelling in name for name in NAMES)


def test_what_is_misspelt_is_kept_as_it_was_printed() -> None:
    printed = " ".join(rule.printed for rule in RULES.values())
    for misspelling in ("farmework::Tensor", "mutbale_data", "platform::erros", "ShareLod"):
        assert misspelling in printed


def test_each_erratum_has_a_row() -> None:
    rows = [line for line in (LESSONS / "ERRATA.md").read_text().split("\n") if line[:2] == "| "]
    for erratum in ERRATA:
        assert any(f"`{erratum.said}`" in r and f"`{erratum.so}`" in r for r in rows), erratum.said


def test_the_guides_tables_are_whole() -> None:
    counts = {s: sum(r.section == s for r in GUIDE_ROWS) for s in ("3.2.3", "4.1")}
    assert counts == {"3.2.3": 15, "4.1": 2}
    assert len(RULES) == len({*RULES.values()})


def test_each_name_belongs_to_a_rule() -> None:
    assert {name.rule for name in NAMES.values()} <= set(RULES)


def headers() -> Path:
    folder = Path(os.environ.get("PADDLE_INCLUDE", ""))
    if not (folder / "paddle").is_dir():
        pytest.skip("PADDLE_INCLUDE names no folder with Paddle's headers")
    return folder


@pytest.mark.paddle
def test_paddle_has_the_headers() -> None:
    folder = headers()
    named = {*(n.header for n in NAMES.values()), *HEADERS.values(), *CONTEXTS.values()}
    assert [h for h in sorted(named - {""}) if not (folder / h).is_file()] == []


@pytest.mark.paddle
@pytest.mark.parametrize("name", sorted({n.phi for n in NAMES.values()}))
def test_paddle_has_the_name(name: str) -> None:
    folder = headers()
    last = re.sub(r"<.*", "", name).rpartition("::")[2]
    word = re.compile(rf"\b{last}\b")
    places = [*(folder / "paddle/phi").rglob("*.h"), *(folder / "paddle/common").rglob("*.h")]
    assert any(word.search(p.read_text(errors="replace")) for p in places)
