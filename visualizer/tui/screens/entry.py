"""All about one entry of the registry: what each C++ parameter became, and which calls find it.

The kernel is the one under the cursor, as it is in the registry now. Two keys choose the key of a
call, for which the way through the registry is shown; a third loads the runtime of the plug-ins and
unloads it again, so that one sees kernels go from one map into the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.content import Content

from registry_runtime.phi.backend import Backend
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.enforce import AlreadyExists
from registry_runtime.phi.kernel import KernelRegisteredType
from registry_runtime.phi.kernel_key import KernelKey
from visualizer.entry_story import (
    ALL_LAYOUT,
    STRUCTURE,
    argument_steps,
    held_in,
    peeling,
)
from visualizer.tui.screens.panel import Panel, table
from visualizer.workbench import replacements

if TYPE_CHECKING:
    from registry_runtime.phi.runtime import Registration
    from visualizer.entry_story import ArgumentStep
    from visualizer.workbench import Entry, Workbench

_Choice = TypeVar("_Choice")
_CALLERS = (Backend.CPU, Backend.GPU, Backend.GPUDNN, Backend.XPU)
_WHERE = {
    "KernelFactory": "in KernelFactory, where calls look for it",
    "CustomKernelMap": "in CustomKernelMap until its plug-in is loaded: no call finds it",
    "replaced": "in no map any more: another registration has replaced it",
}


class EntryScreen(Panel):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "backend", "The next backend of a call"),
        Binding("d", "dtype", "The next data type of a call"),
        Binding("l", "load", "Load or unload the plug-in"),
    ]

    def __init__(self, bench: Workbench, entry: Entry) -> None:
        registration = entry.registration
        super().__init__(f"{registration.kernel_name} {registration.key}")
        self._bench = bench
        self._entry = entry
        self._backend, self._dtype = registration.key.backend, registration.key.dtype
        self._refusal = ""

    def action_backend(self) -> None:
        named = [e.registration.key.backend for e in self._same_name()]
        self._backend = _next(self._backend, [*_CALLERS, *named])
        self.show()

    def action_dtype(self) -> None:
        named = [e.registration.key.dtype for e in self._same_name()]
        self._dtype = _next(self._dtype, [*named, DataType.FLOAT32, DataType.INT32])
        self.show()

    def action_load(self) -> None:
        runtime, device = self._bench.runtime, str(self._entry.registration.key.backend)
        if device not in runtime.custom_devices:
            return
        try:
            if runtime.custom_devices[device]:
                runtime.unload_custom_device(device)
            else:
                runtime.load_custom_device(device)
        except AlreadyExists as error:
            self._refusal = f"(AlreadyExists) {error}"
        self.show()

    def content(self) -> Content:
        sections = (self._facts(), self._arguments(), self._peeling(), self._selection())
        return Content("\n\n").join(section for section in sections if section)

    def _facts(self) -> Content:
        registration = self._entry.registration
        where = self._entry.where
        rows: list[tuple[str | Content, ...]] = [
            (_label(registration.kernel.registered_type.name.lower()), _short(registration)),
            (_label("registered"), f"{registration.reg_type.name}, line {where.line}"),
            (_label("held"), _WHERE[held_in(self._bench.runtime, registration)]),
        ]
        replaced = replacements(self._bench.entries).get(self._entry)
        if replaced is not None:
            place = f"{replaced.where.file}:{replaced.where.line}"
            rows.append((_label("replaces"), f"the one registered at {place}, in silence"))
        device = str(registration.key.backend)
        loaded = self._bench.runtime.custom_devices.get(device)
        if loaded is not None:
            rows.append(
                (_label("plug-in"), f"for {device}, {'loaded' if loaded else 'not loaded'}")
            )
            rows.append((_label("l"), "unloads it" if loaded else "loads it"))
        if self._refusal:
            rows.append((_label("refused"), Content.styled(self._refusal, "$error")))
        return table(rows)

    def _arguments(self) -> Content:
        steps = argument_steps(self._entry.registration)
        title = _title("SetKernelArgsDef describes each parameter")
        if self._entry.registration.kernel.registered_type is KernelRegisteredType.STRUCTURE:
            return title + Content(f"\n{STRUCTURE}")
        if not steps:
            return title + Content("\nthe function is not declared here: its slots are open")
        rows = [row for step in steps for row in _argument_rows(step)]
        text = title + Content("\n") + table(rows)
        if self._entry.registration.key.layout is DataLayout.ALL_LAYOUT:
            text += Content("\n") + Content.styled(ALL_LAYOUT, "$quiet")
        return text

    def _peeling(self) -> Content:
        peels = peeling(self._entry.registration)
        if not peels:
            return Content("")
        title = _title("KernelImpl::Compute peels them off, down to TypeTag<int>")
        rows: list[tuple[str | Content, ...]] = [
            (f"Compute<{', '.join(map(str, p.at))}>", p.specialisation, _quiet(p.takes))
            for p in peels
        ]
        said = "<contexts, inputs, attributes, outputs> are those taken so far."
        return title + Content("\n") + table(rows) + Content("\n") + _quiet(said)

    def _selection(self) -> Content:
        name = self._entry.registration.kernel_name
        takes = (d.layout for d in self._entry.registration.kernel.args_def.input_defs)
        sparse = (DataLayout.SPARSE_COO, DataLayout.SPARSE_CSR)
        layout = next((one for one in takes if one in sparse), DataLayout.NCHW)
        key = KernelKey(self._backend, layout, self._dtype)
        selection = self._bench.runtime.explain_selection(name, key)
        title = _title(f"A call with tensors of {key}") + _quiet("   b, d: another key")
        lines = [Content(f"{i}. {step}") for i, step in enumerate(selection.steps, 1)]
        if selection.result is None:
            lines.append(Content.styled(f"✗ {selection.error}", "$error"))
        else:
            function = selection.result.kernel.fn.name.replace("phi::", "")
            lines.append(Content.styled(f"✓ {selection.outcome}: {function}", "bold $success"))
            lines += [Content(f"  {transform}") for transform in selection.transforms]
        return Content("\n").join([title, *lines])

    def _same_name(self) -> Iterable[Entry]:
        name = self._entry.registration.kernel_name
        return (e for e in self._bench.entries if e.registration.kernel_name == name)


def _argument_rows(step: ArgumentStep) -> Iterator[tuple[str | Content, ...]]:
    told = _quiet(f"skipped; {step.note}") if step.kind == "context" else Content(step.before)
    yield step.parameter, step.becomes, told
    if step.after != step.before:
        yield "", _label("braces"), Content.styled(step.after, "bold $accent")


def _short(registration: Registration) -> str:
    return registration.function.replace("phi::", "")


def _next(current: _Choice, choices: Iterable[_Choice]) -> _Choice:
    there = list(dict.fromkeys(choices))
    return there[(there.index(current) + 1) % len(there)] if current in there else there[0]


def _title(text: str) -> Content:
    return Content.styled(text, "bold $primary")


def _label(text: str) -> Content:
    return _quiet(text)


def _quiet(text: str) -> Content:
    return Content.styled(text, "$quiet")
