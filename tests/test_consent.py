"""What came from elsewhere runs after its user's word, and after a change asks again."""

from __future__ import annotations

from pathlib import Path

import pytest

from visualizer.personal import consent


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNFOLD_CONFIG_DIR", str(tmp_path))


def test_a_word_is_for_these_contents_alone(tmp_path: Path) -> None:
    what = consent.digest(b"kernel", b"header")
    assert not consent.is_given(what)
    consent.give(what, tmp_path / "k.cc", pytest.fail)
    assert consent.is_given(what)
    assert not consent.is_given(consent.digest(b"kernelheader"))


def test_a_damaged_list_says_no_and_takes_the_next_word(tmp_path: Path) -> None:
    what = consent.digest(b"kernel")
    (tmp_path / "may_run.json").write_text('{"given": [1]}')
    assert not consent.is_given(what)
    consent.give(what, tmp_path / "k.cc", pytest.fail)
    assert consent.is_given(what)


def test_nobody_can_give_it_in_a_served_app(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not consent.why_not_here()
    monkeypatch.setenv("UNFOLD_ROOTS", "/")
    assert consent.why_not_here()
