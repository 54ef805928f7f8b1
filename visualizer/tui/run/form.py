"""What is to be run: a kernel, one of its keys, the data, and a row for each parameter.

Every change makes a new `Experiment`, and what InferMeta says of it stands below at once: no memory is
touched for that. Tensors that the reader hasn't typed follow the first one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from registry_runtime.kernels import KernelError
from registry_runtime.lab.phi.experiment import Experiment
from registry_runtime.lab.phi.operands import DATA, blanks, has_nan, own_values
from registry_runtime.lab.values import shown_shape
from registry_runtime.phi.data_layout import DataLayout
from visualizer.tui.run.blank_row import BlankRow
from visualizer.tui.run.choice_row import ChoiceRow

if TYPE_CHECKING:
    from registry_runtime.lab.phi.operands import Outline
    from registry_runtime.phi.kernel import Kernel
    from registry_runtime.phi.kernel_key import KernelKey
    from registry_runtime.phi.runtime import Runtime

OWN = "my own values"


class RunForm(VerticalScroll, can_focus=False):
    """`problem` says what is wrong with what is filled in; empty if it can be run."""

    class Changed(Message):
        """Something else is to be run; `kernel` says that it is another one, or another key."""

        def __init__(self, *, kernel: bool) -> None:
            super().__init__()
            self.kernel = kernel

    class Submitted(Message):
        """Enter in a row."""

    def __init__(
        self, runtime: Runtime, name: str, key: KernelKey | None, size: int, *, id: str
    ) -> None:
        super().__init__(id=id)
        self._runtime, self._sample_size = runtime, size
        self._kernel_name, self._key = name, key
        self._keys: dict[str, KernelKey] = {}
        self.problem = ""

    def compose(self) -> ComposeResult:
        yield ChoiceRow("kernel", id="run-kernel")
        yield ChoiceRow("key", id="run-key")
        yield ChoiceRow("data", id="run-data")
        yield Vertical(id="run-blanks")
        yield Static(id="run-told")

    async def on_mount(self) -> None:
        row = self.query_one("#run-kernel", ChoiceRow)
        row.options, row.value = tuple(sorted(self._names())), self._kernel_name
        self._offer_keys(self._key)
        await self._fill_in()

    @property
    def experiment(self) -> Experiment:
        """What is filled in, whether it can be run or not."""
        data = self.query_one("#run-data", ChoiceRow).value
        return Experiment(
            self._kernel_name,
            self._chosen_key,
            self.kernel,
            {row.blank.name: row.typed for row in self._rows() if row.typed is not None},
            next((one for one in DATA if one == data), "random"),
            self._sample_size,
        )

    @property
    def kernel(self) -> Kernel:
        return self._registered(self._kernel_name)[self._chosen_key]

    @property
    def _chosen_key(self) -> KernelKey:
        return self._keys[self.query_one("#run-key", ChoiceRow).value]

    def _rows(self) -> Iterable[BlankRow]:
        return self.query(BlankRow)

    def _names(self) -> set[str]:
        return {*self._runtime.factory.kernels, *self._runtime.custom_kernels.kernels}

    def _registered(self, name: str) -> dict[KernelKey, Kernel]:
        """In either map: a kernel that waits for its plug-in can be tried too."""
        waiting = self._runtime.custom_kernels.kernels.get(name, {})
        return waiting | self._runtime.factory.kernels.get(name, {})

    def _offer_keys(self, key: KernelKey | None) -> None:
        there = self._registered(self._kernel_name)
        self._keys = {_shown(one): one for one in there}
        row = self.query_one("#run-key", ChoiceRow)
        row.options = tuple(self._keys)
        row.value = _shown(key) if key in there else _shown(_nearest(row.value, there))

    async def _fill_in(self) -> None:
        """Rows for the parameters of this kernel: what was typed for one of that name stays."""
        typed = {row.blank.name: row.typed for row in self._rows()}
        runnable = self.kernel.runnable
        box = self.query_one("#run-blanks", Vertical)
        await box.remove_children()
        data = self.query_one("#run-data", ChoiceRow)
        data.display = runnable
        if runnable:
            instance = self.experiment.instance
            dtype, template = instance.dtype, instance.template
            usual = tuple(one for one in DATA if has_nan(dtype) or not one.startswith("NaN"))
            data.options = (*usual, OWN)
            data.value = data.value if data.value in data.options else data.options[0]
            await box.mount_all(
                BlankRow(blank) for blank in blanks(template, dtype, self._sample_size)
            )
            for row in self._rows():
                text = typed.get(row.blank.name)
                if text is not None:
                    row.spell_out(text)
        self._tell()
        self.post_message(self.Changed(kernel=True))

    def _tell(self) -> None:
        """Say below what comes out of it, or why it can't be run."""
        told = self.query_one("#run-told", Static)
        self.problem = ""
        try:
            experiment = self.experiment
            instance = experiment.instance
            said = experiment.spelled
            for row in self._rows():
                if row.typed is None:
                    row.say(said[row.blank.name])
            told.update(_outs(experiment.outline(), instance.template.outputs))
        except KernelError as error:
            self.problem = str(error)
            told.update(Content.assemble(("✗ ", "bold $error"), self.problem))

    @on(ChoiceRow.Changed, "#run-kernel")
    async def _kernel_chosen(self, message: ChoiceRow.Changed) -> None:
        self._kernel_name = message.row.value
        for row in self._rows():
            row.typed = None
        self._offer_keys(None)
        await self._fill_in()

    @on(ChoiceRow.Changed, "#run-key")
    async def _key_chosen(self) -> None:
        await self._fill_in()

    @on(ChoiceRow.Changed, "#run-data")
    def _data_chosen(self, message: ChoiceRow.Changed) -> None:
        for row in self._rows():
            if row.blank.dtype is not None:
                if message.row.value == OWN:
                    row.spell_out(own_values(row.blank))
                elif row.typed is not None and row.typed.strip().startswith("["):
                    row.say(row.blank.text)
        self._change()

    @on(BlankRow.Changed)
    def _change(self) -> None:
        self._tell()
        self.post_message(self.Changed(kernel=False))

    @on(BlankRow.Submitted)
    def _submit(self) -> None:
        self.post_message(self.Submitted())


def _shown(key: KernelKey) -> str:
    """`CPU Any float32`."""
    layout = "Any" if key.layout is DataLayout.ALL_LAYOUT else key.layout
    return f"{key.backend} {layout} {key.dtype}"


def _nearest(before: str, keys: Iterable[KernelKey]) -> KernelKey:
    """The key with most of the words of the one before; the first of all, if it was registered
    first."""
    words = before.split()
    return max(keys, key=lambda key: sum(word in words for word in _shown(key).split()))


def _outs(outline: Outline, names: Iterable[str]) -> Content:
    names = [*names, "memory"]
    width = max(map(len, names)) + 1
    lines = [
        Content.assemble(
            (name.ljust(width), "$quiet"), shown_shape(meta.dims), (f" {meta.dtype}", "$quiet")
        )
        for name, meta in zip(names, outline.outs, strict=False)
    ]
    size = outline.bytes
    unit, divisor = ("GB", 1e9) if size >= 1e9 else ("MB", 1e6) if size >= 1e5 else ("kB", 1e3)
    lines.append(Content.styled(f"{names[-1]:{width}}{size / divisor:,.1f} {unit}", "$quiet"))
    return Content("\n").join(lines)
