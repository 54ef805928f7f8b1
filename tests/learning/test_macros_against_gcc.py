"""The track on macros teaches what compilers do: each of its files, the wrong answers among them, and
whatever a question writes behind one, becomes the same tokens for the engine, for gcc and for clang."""

import shutil
import subprocess

import pytest
from compilers import INSTALLED, needs_compiler, preprocessed_by, spellings

from visualizer.expansion import preprocess
from visualizer.learning import lesson
from visualizer.learning.parts import Changeable, Go, Predict
from visualizer.learning.player import changed, opened, options_of

pytestmark = [pytest.mark.compiler, needs_compiler]

LESSONS = [lesson.load(f) for f in lesson.folders() if f.parent.name == "macros"]
IN_PASSING = (  # what a lesson says and doesn't ask: the text behind which file becomes what
    ("macros/1", "solution.c", "SQUARE(i++)", "((i++) * (i++))"),
    ("macros/4", "painted.c", "same(same)(1)", "same(1)"),
    ("macros/7", "again.c", "SCAN(OBSTRUCT(BOX)(1))", "BOX (1)"),
)


def files():
    for read in LESSONS:
        for path in sorted(read.folder.rglob("*.[ch]")):
            name = path.relative_to(read.folder)
            yield pytest.param(read, path, id=f"{read.folder.name}-{name}")


def questions():
    """Those about a text that the lesson's file doesn't have, with the file they are asked of."""
    for read in LESSONS:
        file = read.sample
        for part in (part for page in read.pages for part in page.parts):
            if isinstance(part, Go):
                file = part.file or file
            elif isinstance(part, Predict):
                word, _, text = part.truth.partition(" ")
                if word in ("becomes", "value", "error-in"):
                    yield pytest.param(read, file, word, text, id=f"{read.folder.name}-{text}")


def changes():
    """Each text that is to be changed in a file, as it is there and as it may be in the end."""
    for read in LESSONS:
        for number, page in enumerate(read.pages):
            for at, part in enumerate(page.parts):
                if isinstance(part, Changeable) and part.is_in_file:
                    yield pytest.param(read, number, at, id=f"{read.folder.name}-{part.solution}")


def ours(read, path):
    trace = preprocess(path, options_of(read), skip_included_text=False)
    if any(d.severity == "error" for d in trace.diagnostics):
        return None
    return spellings(" ".join(token.text for token in trace.output))


@pytest.mark.parametrize(("read", "path"), files())
def test_compilers_make_the_same_of_each_file(read, path):
    for compiler in INSTALLED:
        assert ours(read, path) == preprocessed_by(compiler, path, ("-I", str(read.folder)))


@pytest.mark.parametrize(("name", "file", "text", "becomes"), IN_PASSING)
def test_what_a_lesson_says_in_passing_is_so(name, file, text, becomes, tmp_path):
    folder, path = lesson.find(name), tmp_path / "said.c"
    assert f"`{text}`" in (folder / "lesson.md").read_text()
    path.write_text(f"{(folder / file).read_text()}\n{text}\n")
    said = spellings(becomes)
    assert ours(lesson.load(folder), path)[-len(said) :] == said
    for compiler in INSTALLED:
        assert preprocessed_by(compiler, path)[-len(said) :] == said


@pytest.mark.parametrize("read", LESSONS, ids=lambda read: read.id)
def test_a_sample_is_without_errors_so_that_none_gives_an_answer_away(read):
    goes = (part for page in read.pages for part in page.parts if isinstance(part, Go))
    for name in {read.sample, *(go.file for go in goes if go.file)}:
        assert not opened(read, name).has_errors()


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("read", LESSONS, ids=lambda read: read.id)
def test_a_solution_is_a_program_that_compiles(read):
    for _, exercise in read.exercises():
        command = ["gcc", "-std=gnu17", "-fsyntax-only", str(read.file(exercise.solution))]
        assert subprocess.run(command, check=False).returncode == 0


@pytest.mark.parametrize(("read", "file", "word", "text"), questions())
def test_and_of_what_is_asked_about(read, file, word, text, tmp_path):
    path = tmp_path / "asked.c"
    path.write_text(f"{read.file(file).read_text()}\n{text}\n")
    for compiler in INSTALLED:
        theirs = preprocessed_by(compiler, path, ("-I", str(read.folder)))
        assert (theirs is None) == (word == "error-in")
        assert ours(read, path) == theirs


@pytest.mark.parametrize(("read", "page", "at"), changes())
def test_and_of_a_file_that_a_learner_has_changed(read, page, at, tmp_path):
    bench = changed(read, page, at, read.pages[page].parts[at].solution).stand.bench
    path = tmp_path / bench.path.name
    path.write_text("\n".join([*bench.source_lines, ""]))
    for compiler in INSTALLED:
        assert ours(read, path) == preprocessed_by(compiler, path, ("-I", str(read.folder)))
