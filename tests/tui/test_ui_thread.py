"""Files are opened by threads: the one that draws would stand still as long as that takes."""

import threading

import pytest

from tests.tui.settled import pressing, settled
from visualizer.learning import overview, player
from visualizer.tui.app import UnfoldApp
from visualizer.tui.home.list import HomeList
from visualizer.tui.home.screen import HomeScreen
from visualizer.tui.lesson.screen import LessonScreen
from visualizer.tui.run.screen import RunScreen
from visualizer.tui.stepper.registry_pane import RegistryPane
from visualizer.tui.stepper.screen import StepperScreen
from visualizer.tui.workshop.screen import WorkshopScreen
from visualizer.workbench import bench, linking
from visualizer.workbench.opening import Opening
from visualizer.workbench.samples import samples_folder

BITWISE = samples_folder() / "phi" / "bitwise_kernel.cc"


@pytest.fixture
def opened(monkeypatch):
    """The names of the threads in which a text is traced, or what ties it to a registry is made."""
    threads, read, made = [], bench.preprocess, bench.Workbench.__init__

    def preprocess(*arguments, **options):
        threads.append(threading.current_thread())
        return read(*arguments, **options)

    def make(self, *arguments, **options):
        threads.append(threading.current_thread())
        made(self, *arguments, **options)

    monkeypatch.setattr(bench, "preprocess", preprocess)
    monkeypatch.setattr(bench.Workbench, "__init__", make)
    player.opened.cache_clear()  # what another test has opened would not be opened again
    return threads


async def walk(app, pilot, *stations):
    for keys, screen in stations:
        await pressing(*keys)(pilot)
        assert isinstance(app.screen, screen)


async def test_no_screen_opens_a_file_in_the_thread_that_draws(opened):
    app = UnfoldApp(opening=Opening(BITWISE, 72))
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await walk(
            app,
            pilot,
            (["right", "end"], StepperScreen),
            (["r"], RunScreen),
            (["escape", "l"], StepperScreen),
            (["w", "end", "x", "ctrl+z", "ctrl+e"], StepperScreen),
            (["escape"], WorkshopScreen),
            (["escape", "d", "escape"], StepperScreen),
        )
        app.action_go_home()
        await settled(pilot)
        assert isinstance(app.screen, HomeScreen)
    assert opened, "something has been opened"
    assert threading.main_thread() not in opened


async def test_no_lesson_opens_a_file_in_the_thread_that_draws(opened):
    app = UnfoldApp()
    async with app.run_test(size=(120, 40)) as pilot:
        app.open_lesson("phi/1")
        await settled(pilot)
        await walk(app, pilot, (["down", "enter", "down", "enter", "a"], LessonScreen))
        for _ in range(3):
            await walk(app, pilot, (["ctrl+right"], LessonScreen))
        await walk(app, pilot, (["w", "f5", "f7", "f5", "escape"], LessonScreen))
    assert opened, "something has been opened"
    assert threading.main_thread() not in opened


async def test_no_lesson_is_read_for_home_in_the_thread_that_draws(monkeypatch):
    threads, read = [], overview.overview

    def reading(*arguments, **options):
        threads.append(threading.current_thread())
        return read(*arguments, **options)

    monkeypatch.setattr(overview, "overview", reading)
    app = UnfoldApp(opening=Opening(BITWISE, 72))
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        app.action_go_home()
        await settled(pilot)
        assert app.screen.query_one(HomeList).shown
    assert threads, "the lessons have been read"
    assert threading.main_thread() not in threads


async def test_no_program_is_linked_in_the_thread_that_draws(monkeypatch):
    threads, link = [], linking.linked

    def linked(opened):
        threads.append(threading.current_thread())
        return link(opened)

    monkeypatch.setattr(linking, "linked", linked)
    add = bench.open_file(samples_folder() / "aten" / "add.cc")
    entry = next(e for e in add.entries if e.registration.kernel_name == "aten::add.Tensor")
    app = UnfoldApp(add, entry.expansion, 10**6)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        app.screen.query_one(RegistryPane).chosen = entry
        await pressing("r")(pilot)
        assert isinstance(app.screen, RunScreen)
    assert threads, "what is run has been linked"
    assert threading.main_thread() not in threads
