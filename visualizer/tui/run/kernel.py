"""One kernel at a time, tried on what the reader chooses: built, run, compared, measured.

The form says what is to be run, and the tabs hold what came of it. Whatever takes time is done by a
thread. A compiler can't be stopped in the middle; what it makes of a job that was cancelled is not
looked at, and the next job waits until it is done.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, Static

from registry_runtime.benchmark import experiment as stopwatch
from registry_runtime.kernels import KernelError
from registry_runtime.kernels.machine_code import simd_width
from registry_runtime.lab.phi import experiment as laboratory
from registry_runtime.lab.phi.operands import SAMPLE_SIZE
from registry_runtime.lab.timing import Cancelled
from visualizer.frameworks.phi import report as run_report
from visualizer.layout.words import Parts
from visualizer.tui.ink.footer import Footer
from visualizer.tui.ink.listing import Listing
from visualizer.tui.run.choice_row import FIELDS
from visualizer.tui.run.form import RunForm
from visualizer.tui.run.output import CODE, RunOutput

if TYPE_CHECKING:
    from registry_runtime.benchmark.experiment import Timed
    from registry_runtime.kernels import Build, Instance
    from registry_runtime.lab.phi.code import Code
    from registry_runtime.lab.phi.experiment import Experiment
    from registry_runtime.lab.phi.outcome import Outcome
    from registry_runtime.phi.runtime import Registration, Runtime

_SECONDS = 1.0  # that measuring takes
_TABS = "Result, time, and the code that it became"
_NOTHING = "✗ Nothing is registered: there is no kernel to run."

Show = Callable[[], None]  # what is left to do on the screen when a thread is done


class Job:
    """Something that a thread does; `cancelled()` says that nobody waits for it any more."""

    def __init__(self, doing: str) -> None:
        self.doing, self.since = doing, time.monotonic()
        self.given_up = False

    def cancelled(self) -> bool:
        return self.given_up

    def __str__(self) -> str:
        return f"{self.doing} … {time.monotonic() - self.since:.0f} s   Esc cancels"


class RunScreen(Screen[None]):
    AUTO_FOCUS = "#run-kernel"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "build", "build", tooltip="Build the kernel and show its code"),
        Binding("r", "run", "run", tooltip="Run it beside NumPy"),
        Binding("m", "measure", "measure", tooltip="Measure how long it takes, beside NumPy"),
        Binding("b", "benchmark", "bench", tooltip="Send exactly this to the benchmark"),
        *(
            Binding(str(n), f"tab({n - 1})", f"tab {n}", tooltip=_TABS, show=False)
            for n in range(1, 6)
        ),
        Binding("up", "app.focus_previous", "field above", tooltip=FIELDS, show=False),
        Binding("down", "app.focus_next", "field below", tooltip=FIELDS, show=False),
        Binding("escape", "leave", "close", key_display="Esc", tooltip="Cancel; back to the steps"),
        Binding("q", "close", "close", tooltip="Back to the steps", show=False),
    ]

    class Done(Message):
        """A thread has come to the end of its job."""

        def __init__(self, job: Job, show: Show) -> None:
            super().__init__()
            self.job, self.show = job, show

    def __init__(
        self, runtime: Runtime, registration: Registration | None = None, size: int = SAMPLE_SIZE
    ) -> None:
        """The kernel that is chosen first is the registration's; without one, the first of all.
        `size` is how many elements its tensors have at first."""
        super().__init__()
        self._runtime, self._first, self._sample_size = runtime, registration, size
        self._job: Job | None = None
        self._read: dict[Instance, list[Code]] = {}

    def compose(self) -> ComposeResult:
        names = [*self._runtime.factory.kernels, *self._runtime.custom_kernels.kernels]
        name = self._first.kernel_name if self._first else min(names, default="")
        key = self._first.key if self._first else None
        yield Static(id="run-heading")
        with Horizontal(id="run-body"):
            if names:
                yield RunForm(self._runtime, name, key, self._sample_size, id="run-form")
            yield RunOutput(id="run-output")
        yield Static("" if names else _NOTHING, id="run-status")
        yield Footer()

    def on_mount(self) -> None:
        self.set_interval(0.2, self._tick)

    def on_unmount(self) -> None:
        self._cancel()

    @property
    def busy(self) -> bool:
        return self._job is not None

    @property
    def output(self) -> RunOutput:
        return self.query_one(RunOutput)

    # What is asked for

    def action_build(self) -> None:
        self._start("Building", self._build)

    def action_run(self) -> None:
        self._start("Building and running", self._run)

    def action_measure(self) -> None:
        self._start("Measuring", self._measure)

    def action_benchmark(self) -> None:
        from visualizer.tui.run.benchmark import BenchmarkScreen

        experiment = self._fit_to_run()
        if experiment is not None:
            self._cancel()
            self.app.push_screen(BenchmarkScreen(experiment, self._runtime))

    def action_tab(self, index: int) -> None:
        self.output.open(index)

    def action_leave(self) -> None:
        """Cancel what is running; if nothing is, leave the field; if there is none, the screen."""
        if self.busy:
            self._cancel()
            self._say("Cancelled. A compiler that is at work comes to its end unseen.")
        elif isinstance(self.focused, Input):
            self.query_one(Listing).focus()
        else:
            self.dismiss()

    def action_close(self) -> None:
        self.dismiss()

    @on(RunForm.Submitted)
    def _submitted(self) -> None:
        self.action_run()

    @on(RunForm.Changed)
    def _changed(self, message: RunForm.Changed) -> None:
        if self.busy:
            self._cancel()
            self._say("Cancelled: something else is to be run.")
        if message.kernel:
            self._head()
            self._say("")
            self.output.introduce(self._introduction)
        else:
            self.output.outdate()

    # What a thread does. Each returns what is left to do on the screen.

    def _build(self, one: Experiment, job: Job) -> Show:
        return self._built(one, read=True)

    def _built(self, one: Experiment, *, read: bool) -> Show:
        """Build it; and if asked to, read what it became. Disassembling takes longer than a run."""
        try:
            build: Build | None = laboratory.build(one)
            error = ""
        except KernelError as refusal:
            build, error = None, str(refusal)
        on_gpu = one.instance.backend == "GPU"  # whose source there is without a build
        if one.instance not in self._read and ((read and build is not None) or on_gpu):
            self._read[one.instance] = list(laboratory.codes(one))
        return partial(self._show_built, one, build, self._read.get(one.instance, []), error)

    def _run(self, one: Experiment, job: Job) -> Show:
        before = self._built(one, read=False)
        if job.cancelled():
            return before
        try:
            there = laboratory.run(one)
        except KernelError as refusal:
            return partial(self._show_refusal, before, str(refusal))
        return partial(self._show_outcome, before, one, there)

    def _measure(self, one: Experiment, job: Job) -> Show:
        before = self._built(one, read=False)
        try:
            there = stopwatch.time_it(one, _SECONDS, job.cancelled)
        except KernelError as refusal:
            return partial(self._show_refusal, before, str(refusal))
        return partial(self._show_times, before, one, there)

    @work(thread=True)
    def _work(self, job: Job, what: Callable[[Experiment, Job], Show], one: Experiment) -> None:
        try:
            show = what(one, job)
        except Cancelled:
            return
        except Exception as error:  # whatever goes wrong, the reader should see it and go on
            show = partial(self._show_refusal, None, f"{type(error).__name__}: {error}")
        with suppress(RuntimeError):  # the app has ended meanwhile
            self.post_message(self.Done(job, show))

    @on(Done)
    def _done(self, message: Done) -> None:
        if message.job is self._job:
            self._job = None
            self._say("")
            message.show()

    def _start(self, doing: str, what: Callable[[Experiment, Job], Show]) -> None:
        experiment = self._fit_to_run()
        if experiment is not None:
            self._cancel()
            self._job = Job(doing)
            self._tick()
            self._work(self._job, what, experiment)

    def _fit_to_run(self) -> Experiment | None:
        """What is filled in; None if it can't be run, and then the reason is shown."""
        form = self.query(RunForm).first() if self.query(RunForm) else None
        if form is not None and form.problem:
            self.output.show_refusal(form.problem)
        return form.experiment if form is not None and not form.problem else None

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.given_up, self._job = True, None

    # What is shown

    def _show_built(
        self, one: Experiment, build: Build | None, codes: list[Code], error: str
    ) -> None:
        self.output.hold_codes(codes)
        if build is None:
            self._show_refusal(None, error)
        else:
            bits = max((simd_width(code.text) for code in codes[:1]), default=0)
            self._say(run_report.built(one, build, bits) + ("" if codes else "; u shows its code"))
            self.output.open(CODE)

    def _show_outcome(self, before: Show, one: Experiment, there: Outcome) -> None:
        before()
        self.output.show_result(partial(run_report.outcome, one, there))

    def _show_times(self, before: Show, one: Experiment, there: Timed) -> None:
        before()
        self.output.show_times(partial(run_report.measured, one, there))

    def _show_refusal(self, before: Show | None, text: str) -> None:
        if before is not None:
            before()
        self._say(f"✗ {text.partition(chr(10))[0]}")
        self.output.show_refusal(text)

    def _introduction(self, width: int) -> list[Parts]:
        one = self.query_one(RunForm).experiment
        waiting = one.key not in self._runtime.factory.kernels.get(one.kernel_name, {})
        return run_report.introduction(one, waiting, width)

    def _head(self) -> None:
        one = self.query_one(RunForm).experiment
        name = Content.assemble((f"{one.kernel_name} ", "bold"), (str(one.key), "$quiet"))
        self.query_one("#run-heading", Static).update(Content.styled("Run  ", "$quiet") + name)

    def _say(self, text: str) -> None:
        self.query_one("#run-status", Static).update(Content(text))

    def _tick(self) -> None:
        if self._job is not None:
            self._say(str(self._job))
