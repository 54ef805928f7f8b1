"""A lesson that can't be read is told with its file and line, before anybody opens it."""

import pytest

from visualizer.commands.command_line import COMMANDS
from visualizer.learning import lesson

FRONT = '+++\ntitle = "T"\nidea = "I"\n+++\n\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("## Page\n", "lesson.md:1: a lesson begins with front matter"),
        ('+++\ntitle = "T"\n+++\n## P\n', "lesson.md:1: front matter must have 'idea'"),
        ('+++\ntitle = "T"\nideal = "I"\n+++\n', "lesson.md:3: front matter has no 'ideal'"),
        (FRONT + "No page.\n", "lesson.md:5: a lesson has at least one page"),
        (FRONT + "## P\n\n```toml jump\n```\n", "lesson.md:8: no command 'jump'; there are go,"),
        (FRONT + "## P\n\n```toml go\nbefore = \n```\n", "lesson.md:9: not TOML"),
        (FRONT + "## P\n\n```toml go\nnth = 1\nafterr = 'X'\n```\n", "lesson.md:10: no 'afterr'"),
        (FRONT + "## P\n\n```toml go\nline = 'x'\n```\n", "lesson.md:9: line must be a int"),
        (FRONT + "## P\n\n```toml go\nlook = 'card:4'\n```\n", "lesson.md:9: look is one of line,"),
        (
            FRONT + "## P\n\n```toml go\ncompiled = 'AVX2'\n```\n",
            "lesson.md:9: compiled says how a file is opened: name the file",
        ),
        (
            FRONT + "## P\n\n```toml go\nfile = 'x.cc'\ncompiled = 'MMX'\n```\n",
            "lesson.md:10: compiled is one of DEFAULT, AVX2, AVX512",
        ),
        (
            FRONT + "## P\n\n```toml predict\nask = 'A'\ntruth = 'answer'\n```\n",
            "lesson.md:10: no truth 'answer'",
        ),
        (
            FRONT + "## P\n\n```toml predict\nask = 'A'\ntruth = 'reslt'\n```\n",
            "lesson.md:10: no truth 'reslt'; did you mean result?",
        ),
        (
            FRONT + "## P\n\n```toml exercise\nfile = 'gone.cc'\n[[check]]\nerrors = false\n```\n",
            "lesson.md:8: there is no file gone.cc",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path, text, said):
    (tmp_path / "lesson.md").write_text(text)
    with pytest.raises(lesson.LessonError) as told:
        lesson.load(tmp_path)
    assert said in str(told.value)


def test_a_lessons_short_id_opens_it():
    for folder in lesson.folders():
        assert lesson.find(lesson.load(folder).short_id) == folder


def test_an_unknown_lesson_is_told(capsys):
    from visualizer.cli import main

    assert "lesson" in COMMANDS
    assert main(["lesson", "phi/99"]) == 2
    assert "no lesson is called 'phi/99'" in capsys.readouterr().err
    for mistaken, meant in (("macro/1", "macros/1?"), ("prescan", "macros/02-prescan-and-rescan?")):
        assert main(["lesson", mistaken]) == 2
        assert capsys.readouterr().err.endswith(f"; do you mean {meant}\n")
    assert (
        main(["lessons", "nowhere"]) == 2
    )  # as of an unknown lesson: a wrong word, not a wrong file
    assert "there are macros, phi" in capsys.readouterr().err


def test_a_file_is_checked_without_a_terminal(capsys, tmp_path):
    from visualizer.cli import main

    solution = lesson.find("macros/1") / "solution.c"
    assert main(["lesson", "macros/1", "--check", str(solution)]) == 0
    assert capsys.readouterr().out.endswith("solution.c: solved\n")
    wrong = tmp_path / "mine.c"
    wrong.write_text("#define SQUARE(x) x * x\n\nint area = SQUARE(1 + 2);\n")
    assert main(["lesson", "macros/1", "--check", str(wrong)]) == 1
    assert "mine.c" in capsys.readouterr().err
    assert main(["lesson", "macros/1", "--check", str(tmp_path / "gone.c")]) == 1
