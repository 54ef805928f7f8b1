"""One thing at a time, tried on what the reader chooses: run, and where it can be, built and measured.

The form says what is to be run, and the tabs hold what came of it; which framework it is of, only the
form's maker knows. Whatever takes time is done by a thread. A compiler can't be stopped in the middle;
what it makes of a job that was cancelled is not looked at, and the next job waits until it is done.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, Static

from registry_runtime.kernels import KernelError
from registry_runtime.lab.timing import Cancelled
from visualizer.frameworks.runnable import Cancelled as IsCancelled
from visualizer.frameworks.runnable import Done, Form, Runnable, refusal
from visualizer.messages import _
from visualizer.tui.ink.footer import Footer
from visualizer.tui.permission import Permission
from visualizer.tui.run.choice_row import FIELDS
from visualizer.tui.run.form import RunForm
from visualizer.tui.run.output import RunOutput
from visualizer.workbench.bench import Workbench
from visualizer.workbench.refusals import located, with_its_place

_TABS = "What came of it, and the code that it became"


class Job:
    """Something that a thread does; `cancelled()` says that nobody waits for it any more."""

    def __init__(self, doing: str) -> None:
        self.doing, self.since = doing, time.monotonic()
        self.given_up = False

    def cancelled(self) -> bool:
        return self.given_up

    def __str__(self) -> str:
        return _("{doing} … {seconds:.0f} s   Esc cancels").format(
            doing=self.doing, seconds=time.monotonic() - self.since
        )


class RunScreen(Screen[None]):
    AUTO_FOCUS = "#run-choices ChoiceRow"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "do('u')", "build", tooltip="Build it, and show its code"),
        Binding("r", "do('r')", "run", tooltip="Run it on what is filled in"),
        Binding("f5", "do_typed", "run", key_display="Enter", tooltip="Run it, from a field"),
        Binding("m", "do('m')", "measure", tooltip="Measure how long it takes, beside NumPy"),
        Binding("c", "do('c')", "C++ body", tooltip="Compile the text's own C++ body; run that"),
        Binding(
            "p", "do('p')", "Python", tooltip="Run the Python kernel that lies beside the file"
        ),
        Binding("b", "benchmark", "bench", tooltip="Send exactly this to the benchmark"),
        Binding("b", "nothing_to_measure", show=False),
        *(
            Binding(str(n), f"tab({n - 1})", f"tab {n}", tooltip=_TABS, show=False)
            for n in range(1, 8)
        ),
        Binding("up", "app.focus_previous", "field above", tooltip=FIELDS, show=False),
        Binding("down", "app.focus_next", "field below", tooltip=FIELDS, show=False),
        Binding("escape", "leave", "close", tooltip="Cancel; back to the steps"),
        Binding("q", "close", "close", tooltip="Back to the steps", show=False),
    ]

    class Ended(Message):
        """A thread has come to the end of its job."""

        def __init__(self, job: Job, done: Done) -> None:
            super().__init__()
            self.job, self.done = job, done

    def __init__(self, runnable: Runnable, permission: Permission | None = None) -> None:
        super().__init__()
        self._rows = RunForm(runnable, id="run-form")
        self._permission, self._asked = permission, ""
        self._job: Job | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="run-heading")
        with Horizontal(id="run-body"):
            yield self._rows
            yield RunOutput(id="run-output")
        yield Static(id="run-status")
        yield Footer()

    def on_mount(self) -> None:
        self.set_interval(0.2, self._tick)
        self._introduce()

    def on_unmount(self) -> None:
        self._cancel()

    @property
    def busy(self) -> bool:
        return self._job is not None

    @property
    def form(self) -> Form:
        """What is filled in, and what follows from it."""
        return self._rows.form

    @property
    def output(self) -> RunOutput:
        return self.query_one(RunOutput)

    @property
    def text(self) -> str:
        """What the open tab shows, without colour."""
        return self.output.shown.text

    # What is asked for

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What can't be done isn't offered. In a field the keys are letters, and Enter runs."""
        types = isinstance(self.focused, Input)
        if action == "tab":
            return any(parameters[0] in range(output.count) for output in self.query(RunOutput))
        if action == "do":
            return parameters[0] in self.form.does and not types
        if action == "do_typed":
            return self._typed is not None and types
        if action == "nothing_to_measure":
            return self.form.measurable is None and not types
        return action != "benchmark" or (self.form.measurable is not None and not types)

    def action_do(self, key: str) -> None:
        doing = self.form.does[key]
        if not self._is_fit_to_run():
            return
        does = doing.work
        if doing.python is not None:
            try:
                text = doing.python.read_bytes()
            except OSError as error:
                self._say(f"✗ {doing.python.name}: {error.strerror}")
                return
            said = _(
                "This runs the Python of {file}. The same key again does it, and keeps the word"
            ).format(file=doing.python.name)
            asks = partial(Permission.has_to_be_asked_of, python=doing.python, text=text)
            if not self._may_run(said, asks):
                return
            does = partial(does, text=text)
        elif doing.own_code:
            said = _(
                "This compiles and runs code of the file. The same key again does it, and keeps "
                "the word"
            )
            if not self._may_run(said, Permission.has_to_be_asked):
                return
        self._cancel()
        self._job = Job(doing.said)
        self._tick()
        self._work(self._job, does, self.form.result)

    @on(RunForm.Submitted)
    def action_do_typed(self) -> None:
        if self._typed is not None:
            self.action_do(self._typed)

    @property
    def _typed(self) -> str | None:
        """The key that Enter stands for in a field."""
        return next((key for key in "rc" if key in self.form.does), None)

    def action_benchmark(self) -> None:
        from visualizer.tui.run.benchmark import BenchmarkScreen

        measurable = self.form.measurable
        if measurable is not None and self._is_fit_to_run():
            self._cancel()
            self.app.push_screen(BenchmarkScreen(measurable))

    def action_nothing_to_measure(self) -> None:
        why = (
            _("it can't be run")
            if self.form.problem
            else _("there is no peer to measure it beside")
        )
        self.notify(_("There is nothing to measure here: {why}.").format(why=why))

    def action_tab(self, index: int) -> None:
        self.output.open(index)
        self.output.shown.focus()

    def action_leave(self) -> None:
        """Cancel what is running; if nothing is, leave the field; if there is none, the screen."""
        if self.busy:
            self._cancel()
            self._say(_("Cancelled. A compiler that is at work comes to its end unseen."))
        elif isinstance(self.focused, Input):
            self.output.shown.focus()
        else:
            self.dismiss()

    def action_close(self) -> None:
        self.dismiss()

    @on(RunForm.Changed)
    def _changed(self, message: RunForm.Changed) -> None:
        if self.busy:
            self._cancel()
            self._say(_("Cancelled: something else is to be run."))
        if message.another:
            self._introduce()
        else:
            self.output.outdate()
        self.refresh_bindings()

    # What is done

    def _is_fit_to_run(self) -> bool:
        """Whether what is filled in can be run; if it can't, the reason is shown."""
        if self.form.problem:
            self.output.show(refusal(self.form.result, self.form.problem))
        return not self.form.problem

    def _may_run(self, said: str, has_to_be_asked: Callable[[Permission], bool]) -> bool:
        """Whether the file's own code may, or that of a Python file; it is asked once for its
        contents, and the same key again says yes."""
        permission = self._permission
        if permission is None or permission.refused:
            self._say(permission.refused if permission else _("no file is open here"))
            return False
        before, self._asked = self._asked, ""
        if not has_to_be_asked(permission):
            return True
        if before == permission.asked_for:
            permission.give(self.notify)
            return True
        self._asked = permission.asked_for
        self._say(said)
        return False

    @work(thread=True)
    def _work(self, job: Job, does: Callable[[IsCancelled], Done], title: str) -> None:
        try:
            done = does(job.cancelled)
        except Cancelled:
            return
        except KernelError as error:
            benches = [self._permission.bench] if self._permission is not None else []
            done = refusal(title, _with_its_place(error, benches))
        except Exception as error:  # whatever goes wrong, the reader should see it and go on
            done = refusal(title, f"{type(error).__name__}: {error}")
        with suppress(RuntimeError):  # the app has ended meanwhile
            self.post_message(self.Ended(job, done))

    @on(Ended)
    def _ended(self, message: Ended) -> None:
        if message.job is self._job:
            self._job = None
            self._say(message.done.said)
            self.output.show(message.done)

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.given_up, self._job = True, None

    # What is shown

    def _introduce(self) -> None:
        form = self.form
        name = f"{form.name} " if form.key else form.name
        heading = ((_("Run  "), "$quiet"), (name, "bold"), (form.key, "$quiet"))
        self.query_one("#run-heading", Static).update(Content.assemble(*heading))
        self._say("")
        self.output.introduce(form)

    def _say(self, text: str) -> None:
        self.query_one("#run-status", Static).update(Content(text))

    def _tick(self) -> None:
        if self._job is not None:
            self._say(str(self._job))


def _with_its_place(error: KernelError, benches: Sequence[Workbench]) -> str:
    """Of what a body refused while it ran: the file's name, line and column before it."""
    found = located(error, benches)
    if found is None:
        return str(error)
    return with_its_place(str(error), found.where)
