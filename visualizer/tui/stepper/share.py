"""What is on the screen, for others: on the clipboard, or in a file.

A file is written as a whole or not at all, and never in the place of another without a question. In a
browser there is no folder to write to; there, the file is handed to the browser.
"""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from visualizer.messages import N_, _
from visualizer.personal import safe_file
from visualizer.scene.scene import Scene
from visualizer.tui.dialogs.dialog import Dialog
from visualizer.tui.dialogs.path_input import PathInput, place
from visualizer.tui.dialogs.question import QuestionScreen, Reply
from visualizer.workbench.background import in_background

if TYPE_CHECKING:
    from visualizer.frameworks.story import Story

_NONE = Content("")
_IN_LIST, _IN_PATH = (
    N_("Enter does it, Esc closes"),
    N_("Enter saves, Tab completes, Esc goes back"),
)
_DONE, _WRONG = Content.styled("✓ ", "bold $success"), Content.styled("✗ ", "bold $error")
_READABLE = 0o644  # what is shared is for others to read


@dataclass(frozen=True, slots=True)
class ToldCall:
    """A call that is told in place of a macro's steps, down to the step `at`."""

    story: Story
    at: int


@dataclass(frozen=True, slots=True)
class WayToShare:
    """One way to share a scene, or a call. Without a `suffix`, the text goes to the clipboard."""

    title: str
    make: Callable[[Any, Write], None]
    suffix: str = ""


Write = Callable[[str], None]


def _expansion(scene: Scene, write: Write) -> None:
    from visualizer.scene.code import laid_out

    index = scene.expansion
    write("\n".join(laid_out([*scene.invocation.after, *scene.bench.tail(index)])) + "\n")


def _line(scene: Scene, write: Write) -> None:
    from visualizer.scene.code import laid_out

    write("\n".join(laid_out(scene.tokens)) + "\n")


def _markdown(scene: Scene, write: Write) -> None:
    from visualizer.export.markdown import markdown
    from visualizer.scene.tour import tour

    _each(markdown(tour(scene.bench.trace, scene.invocation, scene.bench, scene.view)), write)


def _html(scene: Scene, write: Write) -> None:
    from visualizer.export.html import html
    from visualizer.scene.tour import tour

    _each(html(tour(scene.bench.trace, scene.invocation, scene.bench, scene.view)), write)


def _svg(scene: Scene, write: Write) -> None:
    from visualizer.export.svg import WIDTH, svg
    from visualizer.scene.pictures import drawn
    from visualizer.scene.tour import tour

    seen = tour(scene.bench.trace, scene.invocation, scene.bench, scene.view)
    _each(svg(seen, scene.state, picture=drawn(scene.picture, scene, WIDTH)), write)


def _json(scene: Scene, write: Write) -> None:
    from visualizer.export.json_trace import write_json_trace

    write_json_trace(write, [(scene.bench, [scene.invocation])])
    write("\n")


def _story(call: ToldCall, write: Write) -> None:
    from visualizer.frameworks.story import as_lines

    write("\n".join([call.story.call, *as_lines(call.story)]) + "\n")


def _operands(call: ToldCall, write: Write) -> None:
    from visualizer.export.svg import WIDTH, drawing
    from visualizer.scene.pictures.strides import of_story

    drawn = of_story(call.story, call.at, WIDTH)
    _each(drawing(call.story.call, drawn, call.story.steps[call.at].text), write)


def _each(pieces: Iterable[str], write: Write) -> None:
    for piece in pieces:
        write(piece)


WAYS = (
    WayToShare(N_("Copy what the compiler reads"), _expansion),
    WayToShare(N_("Copy the line as it is at this step"), _line),
    WayToShare(N_("Copy the walk-through as Markdown"), _markdown),
    WayToShare(N_("Save the walk-through as Markdown"), _markdown, ".md"),
    WayToShare(N_("Save it as a page that steps with the arrow keys (HTML)"), _html, ".html"),
    WayToShare(N_("Save this step as a picture (SVG)"), _svg, ".svg"),
    WayToShare(N_("Save the trace for other programs (JSON)"), _json, ".json"),
)
OF_A_CALL = (
    WayToShare(N_("Copy the story of the call"), _story),
    WayToShare(N_("Save this step as a picture (SVG)"), _operands, ".svg"),
)


class ShareScreen(Dialog[None]):
    """`folder` is where files go, unless another is typed. It begins with way number `chosen`, if that
    is known already."""

    AUTO_FOCUS = "OptionList"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", tooltip="Back to the list, or to the stepper"),
        *(
            Binding(str(n), f"choose({n - 1})", way.title, show=False)
            for n, way in enumerate(WAYS, 1)
        ),
    ]

    def __init__(
        self, shared: Scene | ToldCall, folder: Path = Path(), chosen: int | None = None
    ) -> None:
        super().__init__(_("Share"), _IN_LIST)
        self._shared = shared
        self._ways = OF_A_CALL if isinstance(shared, ToldCall) else WAYS
        self._chosen_first = chosen
        self._folder = folder
        self._way = self._ways[0]
        self._making = False

    def inside(self) -> ComposeResult:
        shared, step = self._shared, _("step {state} of {count}")
        if isinstance(shared, ToldCall):
            named = shared.story.call
            state = step.format(state=shared.at + 1, count=len(shared.story.steps))
        else:
            named = shared.invocation.macro
            state = step.format(state=shared.state, count=len(shared.timeline))
        yield Static(Content(f"{named}, {state}"), classes="told")
        yield OptionList(*(_option(n, way) for n, way in enumerate(self._ways, 1)))
        yield PathInput()
        yield Static(id="share-said")

    def on_mount(self) -> None:
        self.query_one(PathInput).display = False
        if self._chosen_first is not None:
            self.action_choose(self._chosen_first)

    def action_choose(self, index: int) -> None:
        if not isinstance(self.focused, Input) and index < len(self._ways):
            self.query_one(OptionList).highlighted = index
            self._choose(self._ways[index])

    def action_back(self) -> None:
        if self._making:
            self.workers.cancel_node(self)
            self._put_path_away()
            self._say(_("Given up: nothing was written."))
        elif self.query_one(PathInput).display:
            self._put_path_away()
            self._say("")
        else:
            self.dismiss()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self._choose(self._ways[event.option_index])

    def _choose(self, way: WayToShare) -> None:
        self._way = way
        if not way.suffix:
            self._put_path_away()
            self._copy(way)
        elif self.app.is_web:
            self._deliver(way)
        else:
            path = self.query_one(PathInput)
            path.display = True
            path.propose(self._folder / self._file_name(way))
            path.focus()
            self.tell_keys(_IN_PATH)
            self._say("")

    def _file_name(self, way: WayToShare) -> str:
        """`bitwise_kernel-72.md`, `bitwise_kernel-72-step-8.svg`"""
        shared = self._shared
        if isinstance(shared, ToldCall):
            return f"{shared.story.steps[shared.at].name or 'call'}{way.suffix}"
        step = f"-step-{shared.state}" if way.make is _svg else ""
        where = shared.invocation.where
        return f"{Path(where.file).stem}-{where.line}{step}{way.suffix}"

    def _put_path_away(self) -> None:
        self.query_one(PathInput).display = False
        self.query_one(OptionList).focus()
        self.tell_keys(_IN_LIST)

    @on(Input.Submitted)
    def _named(self, event: Input.Submitted) -> None:
        typed = event.value.strip()
        try:
            path = place(typed)
        except ValueError as error:
            self._say(str(error), _WRONG)
            return
        if not typed or typed.endswith("/") or os.path.isdir(path):
            self._say(_("Type a file's name."), _WRONG)
        elif not os.path.isdir(path.parent):
            self._say(_("There is no folder {parent}.").format(parent=path.parent), _WRONG)
        elif os.path.exists(path):  # a name that is too long is said when it is written to
            self._ask(path)
        else:
            self._save(self._way, path)

    def _ask(self, path: Path) -> None:
        answers = [Reply("overwrite", "o", _("overwrite it")), Reply("keep", "k", _("keep it"))]
        told = Content(_("There is a file {path} already.").format(path=path))

        def answered(answer: str | None) -> None:
            if answer == "overwrite":
                self._save(self._way, path)

        self.app.push_screen(QuestionScreen(_("Overwrite?"), told, answers), answered)

    # Doing it

    @work(exclusive=True)
    async def _copy(self, way: WayToShare) -> None:
        text = await self._made(way)
        self.app.copy_to_clipboard(text)
        self._say(
            _("Copied {size}, if this terminal lets programs copy.").format(size=_size(text)), _DONE
        )

    @work(exclusive=True)
    async def _deliver(self, way: WayToShare) -> None:
        text = await self._made(way)
        self.app.deliver_text(io.StringIO(text), save_filename=self._file_name(way))
        self._say(
            _("{file}, {size}, is for your browser to keep.").format(
                file=self._file_name(way), size=_size(text)
            ),
            _DONE,
        )

    @work(exclusive=True)
    async def _save(self, way: WayToShare, path: Path) -> None:
        try:
            text = await self._made(way)
            await in_background(lambda: safe_file.write(path, text, _READABLE))
        except OSError as error:
            self._say(
                _("{path} can't be written: {error}.").format(
                    path=path, error=error.strerror or error
                ),
                _WRONG,
            )
        else:
            self._folder = path.parent
            if self.is_mounted:
                self._put_path_away()
            self._say(_("Saved {path}, {size}.").format(path=path, size=_size(text)), _DONE)

    async def _made(self, way: WayToShare) -> str:
        """The text, made by a thread: of a long trace, that takes its time, and Esc ends it."""
        self._say(_("Writing …  Esc cancels"))
        pieces: list[str] = []
        given_up = threading.Event()

        def write(piece: str) -> None:
            if given_up.is_set():
                raise _GivenUp
            pieces.append(piece)

        self._making = True
        try:
            await in_background(lambda: way.make(self._shared, write))
        finally:
            given_up.set()
            self._making = False
        return "".join(pieces)

    def _say(self, text: str, mark: Content = _NONE) -> None:
        if self.is_mounted:
            self.query_one("#share-said", Static).update(mark + Content(text))


class _GivenUp(Exception):
    """Ends the thread of a text that nobody waits for."""


def _option(number: int, way: WayToShare) -> Option:
    return Option(Content.assemble((str(number), "bold"), f"  {_(way.title)}"))


def _size(text: str) -> str:
    size = len(text.encode("utf-8"))
    return (
        _("{size:,} bytes").format(size=size)
        if size < 1_000
        else _("{size:,.0f} KB").format(size=size / 1000)
    )
