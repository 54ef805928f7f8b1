"""One kernel or operator, measured from 1 to 10⁷ elements beside its peers; or exactly as the run pane
was filled in.

A thread measures, a row at a time, and waits while each row is drawn: nothing moves on the screen
while a clock runs. The table says how long a call takes and how much longer the peers do; the plot,
how much memory moves in that time, under the roof of a plain copy.
"""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from textwrap import wrap
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import get_current_worker

from visualizer.frameworks.runnable import Measurable
from visualizer.messages import _
from visualizer.tui.dialogs.panel import table
from visualizer.tui.ink.footer import Footer

if TYPE_CHECKING:
    from registry_runtime.benchmark.results import Results
    from registry_runtime.benchmark.run import Progress

_LOWEST_PLOT, _HIGHEST_PLOT = 8, 30


class BenchmarkScreen(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "stop", "stop", tooltip="Stop, and keep what is measured"),
        Binding("r", "again", "again", tooltip="Measure again"),
        Binding("s", "save", "save", tooltip="Save the results as JSON"),
        Binding("escape,q", "close", "close", tooltip="Back to the steps"),
    ]

    def __init__(self, measurable: Measurable) -> None:
        super().__init__()
        self._measurable = measurable
        self._results: Results | None = None
        self._measuring = self._stopped = False

    def compose(self) -> ComposeResult:
        yield Static(id="bench-heading")
        with VerticalScroll(id="bench-body"):
            yield Static(id="bench-table")
            yield Static(id="bench-remarks")
            yield Static(id="bench-plot")
            yield Static(id="bench-call")
        yield Static(id="bench-progress")
        yield Footer()

    def on_mount(self) -> None:
        self._begin()

    def on_unmount(self) -> None:
        self._stopped = True

    def on_resize(self, event: events.Resize) -> None:
        self._draw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What runs can be stopped, and only what doesn't can be begun again."""
        return {"stop": self._measuring, "again": not self._measuring}.get(action, True)

    def action_again(self) -> None:
        self._begin()

    def action_stop(self) -> None:
        self._stopped = True
        self._say(_("Stopping …"))

    def action_close(self) -> None:
        self.dismiss()

    def action_save(self) -> None:
        if self._results is None or not self._results.rows:
            self.notify(_("There is nothing to save yet."))
            return
        from registry_runtime.benchmark.results import save

        row = self._results.rows[0]
        path = Path(f"bench-{row.kernel}-{row.dtype}-{row.backend}.json").absolute()
        try:
            save(self._results, path)
        except OSError as error:
            self.notify(
                _("Cannot save to {path}: {strerror}").format(path=path, strerror=error.strerror),
                severity="error",
                markup=False,
            )
        else:
            again = _("unfold bench --compare {name} measures it again, and compares.").format(
                name=quote(path.name)
            )
            # That is on sample inputs: nothing measures the run pane's arguments again.
            self.notify(
                _("Saved: {path}").format(path=path) + f"\n{again}" * (not self._measurable.told),
                markup=False,
            )

    def _begin(self) -> None:
        self._results = None
        self._measuring, self._stopped = True, False
        self.refresh_bindings()
        self._say(_("Loading the libraries, measuring the memory …"))
        self._draw()
        self._work()

    @work(thread=True, exclusive=True)
    def _work(self) -> None:
        from registry_runtime.lab.timing import Cancelled

        worker, outcome = get_current_worker(), ""

        def cancelled() -> bool:
            return self._stopped or worker.is_cancelled

        try:
            for progress in self._measurable.measure(cancelled):
                if cancelled():
                    raise Cancelled
                self.app.call_from_thread(self._show, progress)
        except Cancelled:
            outcome = _("Stopped: what was measured stays. r measures again.")
        except Exception as error:  # whatever goes wrong, the reader should see it and go on
            named = type(error).__module__.startswith("registry_runtime")
            outcome = f"✗ {error}" if named else f"✗ {type(error).__name__}: {error}"
        if not worker.is_cancelled:
            self.app.call_from_thread(self._finish, outcome)

    def _show(self, progress: Progress) -> None:
        if not self.is_mounted:
            return
        for warning in progress.warnings if self._results is None and progress.results else ():
            self.notify(warning, severity="warning")
        self._results = progress.results
        done = 20 * progress.done // max(progress.total, 1)
        bar = "█" * done + "░" * (20 - done)
        self._say(
            _("{bar} {done} of {total}  {doing}").format(
                bar=bar, done=progress.done, total=progress.total, doing=progress.doing
            )
        )
        self._draw()

    def _finish(self, outcome: str) -> None:
        self._measuring = False
        if self.is_mounted:
            self.refresh_bindings()
            if outcome or self._results is None:
                self._say(outcome)
            else:
                from visualizer.export.benchmark import verdict

                self._say(verdict(self._results))

    def _say(self, text: str) -> None:
        self.query_one("#bench-progress", Static).update(Content(text))

    def _heading(self, results: Results | None) -> Content:
        lines = [Content.styled(self._measurable.name, "bold")]
        if self._measurable.told:
            lines.append(Content(self._measurable.told))
        if results is not None:
            threads = f"{results.machine.threads} thread{'s' * (results.machine.threads != 1)}"
            copies = _("copies at {copy_bandwidth:.1f} GB/s").format(
                copy_bandwidth=results.copy_bandwidth / 1000000000.0
            )
            machine = f"{results.machine.device}, {threads}, {copies}"
            lines.append(Content.styled(machine, "$quiet"))
        return Content("  ").join(lines)

    def _draw(self) -> None:
        results = self._results
        self.query_one("#bench-heading", Static).update(self._heading(results))
        rows = results.rows if results else ()
        self.query_one("#bench-plot", Static).display = len(rows) > 1
        self.query_one("#bench-call", Static).display = bool(results and results.calls)
        if results is None or not rows:
            self.query_one("#bench-table", Static).update("")
            return
        self.query_one("#bench-table", Static).update(_ratios(results))
        told, remarks = self.query_one("#bench-remarks", Static), _remarks(results)
        told.update(Content.styled(remarks, "$quiet"))
        told.display = bool(remarks)
        self.query_one("#bench-call", Static).update(_calls(results))
        if len(rows) > 1:
            self.query_one("#bench-plot", Static).update(self._plot(results))

    def _plot(self, results: Results) -> Text:
        from visualizer.export.benchmark import plot, series

        width = max(min(self.app.size.width - 4, 120), 40)
        beside = len(results.rows) + len(results.calls) + 5  # the table, the parts, the frame
        beside += len(wrap(_remarks(results), width))
        beside += len(wrap(self._heading(results).plain, width)) - 1
        height = min(max(self.app.size.height - beside, _LOWEST_PLOT), _HIGHEST_PLOT)
        hues = (self.app.theme_variables[f"hue-{n}"] for n in range(8))
        colours = {name: _rgb(hue) for name, hue in zip(series(results.rows), hues, strict=False)}
        drawn = plot(results.rows, results.copy_bandwidth, width, height, colours)
        return Text.from_ansi(drawn.rstrip("\n"))


def _ratios(results: Results) -> Content:
    """The table: bold where our kernel is the fastest of all."""
    from visualizer.export.benchmark import header, row_cells

    lines = [header(results), *(row_cells(row, results) for row in results.rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    cells: list[tuple[str | Content, ...]] = []
    for i, line in enumerate(lines):
        wins = i > 0 and results.rows[i - 1].wins
        style = "$quiet" if i == 0 else "bold $success" if wins else ""
        padded = [text.rjust(width) for text, width in zip(line, widths, strict=True)]
        cells.append(tuple(Content.styled(text, style) if style else text for text in padded))
    return table(cells)


def _remarks(results: Results) -> str:
    from visualizer.export.benchmark import remarks

    return " ".join(remarks(results.rows))


def _calls(results: Results) -> Content:
    """Where one call through the registry spends its time."""
    from visualizer.export.benchmark import PARTS, call_cells

    lines: list[tuple[str | Content, ...]] = [
        tuple(Content.styled(name, "$quiet") for name in (_("one call of"), *PARTS))
    ]
    return table([*lines, *(call_cells(cost) for cost in results.calls)])


def _rgb(hue: str) -> tuple[int, int, int]:
    red, green, blue = (int(hue[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue
