"""A translation stands beside the text and shares its files."""

import shutil

from visualizer.learning import lesson


def test_a_translation_is_read_where_there_is_one(tmp_path):
    folder = tmp_path / "macros" / "01-two-kinds"
    shutil.copytree(lesson.find("macros/1"), folder)
    english = (folder / "lesson.md").read_text()
    title = lesson.load(folder).title
    (folder / "lesson.zh.md").write_text(english.replace(f'title = "{title}"', 'title = "两种宏"'))
    translated = lesson.load(folder, "zh")
    assert translated.title == "两种宏"
    assert len(translated.pages) == len(lesson.load(folder).pages)
    assert translated.file("solution.c").is_file()
    assert lesson.load(folder, "fr").title == title
