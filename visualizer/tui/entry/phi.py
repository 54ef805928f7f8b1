"""All about one entry of PHI's registry: what each C++ parameter became, and which calls find it.

The kernel is the one under the cursor, as it is in the registry now. Three lists choose the key of a
call, and the way through the registry is told anew at every row. `l` loads the runtime of the
plug-ins and unloads it again, so that one sees kernels go from one map into the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from registry_runtime.phi.backend import Backend
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.enforce import AlreadyExists
from registry_runtime.phi.kernel_key import KernelKey
from visualizer.frameworks.phi import rows as phi
from visualizer.tui.dialogs.choice_list import ChoiceList
from visualizer.tui.dialogs.tab_row import TabRow
from visualizer.tui.ink.footer import Footer
from visualizer.tui.ink.listing import Listing

if TYPE_CHECKING:
    from registry_runtime.phi.runtime import Registration
    from visualizer.workbench.bench import Entry, Workbench

_Member = TypeVar("_Member", bound=IntEnum)
_TABS = ("Registration", "Selection")
_TAB = "What it is, which calls find it"
_CALLERS = (Backend.CPU, Backend.GPU, Backend.GPUDNN, Backend.XPU)  # whom most calls are for
_SPARSE = (DataLayout.SPARSE_COO, DataLayout.SPARSE_CSR)
WIDE = 120


class EntryScreen(Screen[None]):
    AUTO_FOCUS = "#entry-told"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "turn('backend')", "backend", tooltip="The next backend of a call"),
        Binding("y", "turn('layout')", "layout", tooltip="The next layout of a call"),
        Binding("d", "turn('dtype')", "dtype", tooltip="The next data type of a call"),
        Binding("l", "load", "load", tooltip="Load or unload the plug-in", show=False),
        Binding("1", "tab(0)", "registration", tooltip=_TAB, show=False),
        Binding("2", "tab(1)", "selection", tooltip=_TAB),
        Binding("escape,q", "close", "close", key_display="Esc", tooltip="Back to the steps"),
    ]

    def __init__(self, bench: Workbench, entry: Entry, registration: Registration) -> None:
        super().__init__()
        self._bench, self._entry, self._registration = bench, entry, registration
        self._refusal = ""
        named = [
            key
            for other in bench.entries
            if other.registration.kernel_name == registration.kernel_name
            and isinstance(key := other.registration.key, KernelKey)
        ]
        self._backends = _offered(Backend, [*(key.backend for key in named), *_CALLERS])
        self._layouts = _offered(DataLayout, (key.layout for key in named))
        self._dtypes = _offered(DataType, (key.dtype for key in named))
        self._registered = {str(part) for k in named for part in (k.backend, k.layout, k.dtype)}

    def compose(self) -> ComposeResult:
        registration = self._registration
        yield Static(
            Content.assemble(
                (f"{registration.kernel_name} ", "bold"), (str(registration.key), "$quiet")
            ),
            id="entry-heading",
        )
        yield TabRow(id="entry-tabs")
        with Horizontal(id="entry-body"):
            yield Listing(id="entry-told")
            with Vertical(id="entry-selection"):
                with Horizontal(id="entry-choices"):
                    yield ChoiceList("backend: ✓ registered", id="entry-backend")
                    yield ChoiceList("layout: ✓ registered", id="entry-layout")
                    yield ChoiceList("dtype: ✓ registered", id="entry-dtype")
                yield Listing(id="entry-path")
        yield Footer()

    def on_mount(self) -> None:
        key = self._registration.key
        takes = (d.layout for d in self._registration.kernel.args_def.input_defs)
        layout = next((one for one in takes if one in _SPARSE), DataLayout.NCHW)
        for what, words, value in (
            ("backend", self._backends, key.backend),
            ("layout", self._layouts, layout),
            ("dtype", self._dtypes, key.dtype),
        ):
            notes = ["✓ " if word in self._registered else "" for word in words]
            self._list(what).offer(list(words), str(value), notes)
        tabs = self.query_one("#entry-tabs", TabRow)
        tabs.tabs = _TABS
        self.action_tab(0)
        self._tell()

    def on_resize(self, event: events.Resize) -> None:
        self.action_tab(self.query_one("#entry-tabs", TabRow).current, focus=False)

    @property
    def call(self) -> KernelKey:
        """The key that the tensors of the call make."""
        return KernelKey(
            self._backends[self._list("backend").value or "CPU"],
            self._layouts[self._list("layout").value or "NCHW"],
            self._dtypes[self._list("dtype").value or "float32"],
        )

    def _list(self, what: str) -> ChoiceList:
        return self.query_one(f"#entry-{what}", ChoiceList)

    def _tell(self) -> None:
        told = self.query_one("#entry-told", Listing)
        subject = self._bench, self._entry, self._registration
        told.show(partial(phi.all_about, *subject, self._refusal))
        self._tell_path()

    @on(ChoiceList.Moved)
    def _tell_path(self) -> None:
        name, key = self._registration.kernel_name, self.call
        way = self.query_one("#entry-path", Listing)
        selection = self._bench.program.phi.explain_selection(name, key)
        way.show(partial(phi.path, selection))
        way.entitle(f"A call with tensors of {key}")

    def action_turn(self, what: str) -> None:
        choices = self._list(what)
        if choices.has_focus or choices.here + 1 == len(choices.words):
            choices.here = (choices.here + 1) % len(choices.words)
        else:
            choices.action_move(1)
        self.action_tab(1, focus=False)
        choices.focus()

    def action_tab(self, index: int, focus: bool = True) -> None:
        """In a narrow terminal one of the two is seen at a time."""
        self.query_one("#entry-tabs", TabRow).current = index
        wide = self.app.size.width >= WIDE
        self.query_one("#entry-told").display = wide or index == 0
        self.query_one("#entry-selection").display = wide or index == 1
        if focus:
            self.query_one("#entry-told" if index == 0 else "#entry-backend").focus()

    @on(TabRow.Wanted)
    def _tab_wanted(self, message: TabRow.Wanted) -> None:
        self.action_tab(message.index)

    def action_load(self) -> None:
        runtime, device = self._bench.program.phi, str(self._registration.key.backend)
        if device not in runtime.custom_devices:
            return
        try:
            if runtime.custom_devices[device]:
                runtime.unload_custom_device(device)
            else:
                runtime.load_custom_device(device)
        except AlreadyExists as error:
            self._refusal = f"(AlreadyExists) {error}"
        self._tell()

    def action_close(self) -> None:
        self.dismiss()


def _offered(kind: type[_Member], named: Iterable[_Member]) -> dict[str, _Member]:
    """Those that kernels of this name are registered with, then the others that tensors can have,
    and last the one that says nothing."""
    there = {str(one): one for one in named}
    for one in sorted(kind, key=lambda one: one == 0):
        if not one.name.startswith("NUM_"):
            there.setdefault(str(one), one)
    return there
