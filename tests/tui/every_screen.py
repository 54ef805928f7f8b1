"""Every screen of the app, each with something chosen on it: what it begins with, and the keys."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.app import App
from textual.content import Content

from tests.migration.operator_text import operator_text
from tests.tui.bare_app import BareApp
from tests.tui.test_benchmark_screen import measure
from visualizer.expansion.tokens import Source
from visualizer.frameworks.runnable import Measurable
from visualizer.learning import lesson
from visualizer.learning.parts import Exercise, Predict
from visualizer.learning.recall import Recall
from visualizer.migration import migrate
from visualizer.scene.scene import Scene
from visualizer.tui.app import UnfoldApp
from visualizer.tui.compare.screen import CompareScreen
from visualizer.tui.dialogs.dialog import Dialog
from visualizer.tui.dialogs.jump import JumpScreen
from visualizer.tui.dialogs.panel import Panel
from visualizer.tui.dialogs.question import QuestionScreen, Reply
from visualizer.tui.dialogs.saving import SaveScreen
from visualizer.tui.entry import opening as entry_screens
from visualizer.tui.home.choices import RECALL, ListedLesson
from visualizer.tui.home.loading import LoadingScreen
from visualizer.tui.home.open_file import OpenFileScreen
from visualizer.tui.home.screen import HomeScreen
from visualizer.tui.lesson.exercise import ExerciseScreen, open_exercise
from visualizer.tui.lesson.solutions import SolutionsScreen
from visualizer.tui.migrate.screen import MigrateScreen
from visualizer.tui.run.benchmark import BenchmarkScreen
from visualizer.tui.stepper.definition import DefinitionScreen
from visualizer.tui.stepper.diagnostics import DiagnosticsScreen
from visualizer.tui.stepper.patterns import where_to_stop
from visualizer.tui.stepper.share import ShareScreen
from visualizer.tui.stepper.source_pane import SourceText
from visualizer.tui.stepper.walking import WalkingScreen
from visualizer.tui.verify.screen import VerifyScreen
from visualizer.tui.workshop.files import which_file
from visualizer.tui.workshop.screen import WorkshopScreen
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.samples import samples_folder
from visualizer.workshop.comparison import Side

SIZE = (80, 24)
BASES = {Dialog, Panel, WalkingScreen}  # nobody sees these themselves
FILES = [Path("/me/kernel.cc"), Path("/me/macros.h"), Path("/me/other.h")]
ANSWERS = [Reply("save", "s", "save"), Reply("drop", "d", "drop"), Reply("back", "b", "back")]
WRONG = "#define P(a, b) a##b\nint P(+, /);\n#warning soon\nint P(1);\n"
CHOSEN = ("on:paste", "PD_CONCATENATE")


def entry(path: str, name: str) -> tuple[Workbench, Any]:
    bench = open_file(samples_folder() / path)
    return bench, next(e for e in bench.entries if e.registration.kernel_name == name)


def written(name: str, text: str) -> Path:
    Path(name).write_text(text)
    return Path(name)


def about(path: str, name: str) -> App[None]:
    return BareApp(entry_screens.all_about(*entry(path, name)))


def to_run(path: str, name: str) -> App[None]:
    return BareApp(entry_screens.to_run(*entry(path, name), 4))


def measured(bench: Workbench) -> App[None]:
    return BareApp(BenchmarkScreen(Measurable("bitwise_and CPU bool", "", measure)))


def compared(bench: Workbench) -> App[None]:
    text = "#define ADD(x, y) x PLUS y\n#define PLUS {}\nint a = ADD(1, 2);\n"
    before, after = (open_file(written(f"{n}.c", text.format(n))) for n in ("plus", "minus"))
    return BareApp(CompareScreen(Side("before", before, 0), Side("after", after, 0)))


def home(bench: Workbench) -> App[None]:
    lessons = [
        ListedLesson("macros/1", "macros/1  Twice", 1.0),
        ListedLesson("macros/2", "macros/2  Once"),
    ]
    return BareApp(HomeScreen(print, print, lambda: lessons, lambda: lessons, print))


def migrated(bench: Workbench) -> App[None]:
    body = '    auto* x = ctx.Input<framework::Tensor>("X");\n    framework::Odd odd;\n'
    return BareApp(MigrateScreen(migrate(written("scale_op.cc", operator_text(body)))))


def waiting(bench: Workbench) -> App[None]:
    screen: Any = LoadingScreen("kernel.cc", lambda: None)
    screen._wait = lambda: None  # it is never done
    return BareApp(screen)


def defined(bench: Workbench) -> App[None]:
    file = written("guarded.h", "#if 0\n#define N 1\n#else\n#define N 2\n#endif\nint n = N;\n")
    lines, at = file.read_text().splitlines(), Source(str(file), 4, 9)
    text = SourceText(str(file), lines, [range(2, 3)])
    return BareApp(DefinitionScreen(bench, text, at, "guarded.h:4  N as in force on line 6"))


def exercise(bench: Workbench) -> App[None]:
    read = lesson.load(lesson.find("macros/1"))
    task = next(part for part in read.pages[0].parts if isinstance(part, Exercise))
    made = open_exercise(read, task)
    return BareApp(ExerciseScreen(made, read, task, "0.3", "Write `THRICE(x)`."))


def recalled(bench: Workbench) -> App[None]:
    read = lesson.load(lesson.find("macros/1"))
    at = next(at for at, part in enumerate(read.pages[0].parts) if isinstance(part, Predict))
    app: Any = UnfoldApp(lesson=RECALL)
    app.open_lesson = lambda _: app.open_recall([Recall(read, 0, at, 0)])
    return app


def scene(bench: Workbench) -> Scene:
    return Scene(bench, 3, 60)


# What the app begins with, and the keys that lead to the screen and onto something in it.
PICTURES: dict[str, tuple[Callable[[Workbench], App[None]], list[str]]] = {
    "BenchmarkScreen": (measured, []),
    "ChoiceScreen": (lambda _: BareApp(which_file(FILES, FILES[1:2])), ["down"]),
    "Palette": (lambda bench: UnfoldApp(bench, 3, 8), ["ctrl+p", *"theme", "down"]),
    "CompareScreen": (compared, ["down"]),
    "DefinitionScreen": (defined, ["down"]),
    "DiagnosticsScreen": (
        lambda _: BareApp(DiagnosticsScreen(open_file(written("wrong.c", WRONG)).diagnostics)),
        ["down"],
    ),
    "EntryScreen": (lambda _: about("phi/bitwise_kernel.cc", "bitwise_and"), ["b"]),
    "ExerciseScreen": (exercise, ["f5"]),
    "FindScreen": (
        lambda _: BareApp(WorkshopScreen(open_file(written("wrong.c", WRONG)), 4)),
        ["ctrl+f", *"no such word"],  # what is found is drawn behind it, some time later
    ),
    "HomeScreen": (home, ["up"]),  # a lesson: a file's preview has its path
    "JumpScreen": (lambda _: BareApp(JumpScreen(8, 142)), [*"999", "enter"]),
    "KeysScreen": (lambda bench: UnfoldApp(bench, 3, 8), ["question_mark"]),
    "LessonScreen": (lambda _: UnfoldApp(lesson="macros/1"), ["down"]),
    "LoadingScreen": (waiting, []),
    "MigrateScreen": (migrated, ["down"]),
    "OpenFileScreen": (lambda _: BareApp(OpenFileScreen(Path("macros"))), ["tab", "tab", "down"]),
    "PatternsScreen": (
        lambda bench: BareApp(where_to_stop(scene(bench), CHOSEN)),
        ["down", "down"],
    ),
    "QuestionScreen": (
        lambda _: BareApp(QuestionScreen("Save?", Content("It has changed."), ANSWERS)),
        ["right"],
    ),
    "RecallScreen": (recalled, ["down"]),
    "RunScreen": (lambda _: to_run("phi/bitwise_kernel.cc", "bitwise_and"), ["down"]),
    "SaveScreen": (
        lambda _: BareApp(
            SaveScreen("Save a copy", "It is there.", FILES[0], lambda typed, path: "")
        ),
        [],
    ),
    "ShareScreen": (lambda bench: BareApp(ShareScreen(scene(bench), Path("/me"))), ["down"]),
    "SolutionsScreen": (
        lambda _: BareApp(SolutionsScreen([("shortest", "x + x\n"), ("safest", "((x) + (x))\n")])),
        ["right"],
    ),
    "StepperScreen": (lambda bench: UnfoldApp(bench, 3, 60), ["i", "right"]),
    "UnabridgedScreen": (lambda bench: UnfoldApp(bench, 3, 40), ["i", "u"]),
    "VerifyScreen": (
        lambda _: BareApp(VerifyScreen(open_file(written("wrong.c", WRONG)))),
        [],
    ),
    "WorkshopScreen": (
        lambda _: BareApp(WorkshopScreen(open_file(written("wrong.c", WRONG)), 4)),
        ["shift+right", "shift+right", "f8"],
    ),
}
