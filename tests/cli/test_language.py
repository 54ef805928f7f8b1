"""`--lang zh` may stand anywhere: help is Chinese, and so are the steps. A JSON document keeps its
keys, and tokens are never translated."""

from __future__ import annotations

import json

import pytest

from visualizer.cli import main
from visualizer.workbench.samples import samples_folder

BITWISE = f"{samples_folder()}/phi/bitwise_kernel.cc"


@pytest.mark.parametrize(
    "words", [["--lang", "zh", "steps", "--help"], ["steps", "--help", "--lang=zh"]]
)
def test_help_is_in_the_language_that_is_asked_for(capsys, words):
    with pytest.raises(SystemExit):
        main(words)
    told = capsys.readouterr().out
    assert "打印文件里展开的每一步。" in told
    assert "选项:" in told
    assert all(word in told for word in ("--format", "--until MACRO", "svg"))


def test_the_system_is_asked_where_nobody_says(capsys, monkeypatch):
    monkeypatch.setenv("LANGUAGE", "zh_CN:en")
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "位置参数" in capsys.readouterr().out


def test_a_language_that_is_missing_is_wrong_usage(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["lessons", "--lang"])
    assert ended.value.code == 2
    assert "--lang" in capsys.readouterr().err


def test_the_steps_are_told_in_chinese_and_tokens_stay(capsys):
    assert main(["steps", f"{BITWISE}:72", "--format", "json", "--lang", "zh"]) == 0
    printed = capsys.readouterr().out
    (expansion,) = json.loads(printed)["expansions"]
    assert "转交给 _PD_REGISTER_KERNEL" in printed
    assert expansion["macro"] == "PD_REGISTER_KERNEL"
