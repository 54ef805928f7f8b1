"""What is asked about PHI's entries: the key of a call, and the way through the registry to its kernel.

The kernel is the one under the cursor, as it is in the registry now. Loading the runtime of a plug-in
and unloading it again shows kernels go from one map into the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from registry_runtime.phi.backend import Backend
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.data_type import DataType
from registry_runtime.phi.enforce import AlreadyExists
from registry_runtime.phi.kernel_key import KernelKey
from visualizer.frameworks.phi import rows
from visualizer.frameworks.presenter import Choice, Subject, Tell
from visualizer.layout.words import Parts

if TYPE_CHECKING:
    from registry_runtime.phi.registered import Registration
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry

_Member = TypeVar("_Member", bound=IntEnum)
_CALLERS = (Backend.CPU, Backend.GPU, Backend.GPUDNN, Backend.XPU)  # whom most calls are for
_SPARSE = (DataLayout.SPARSE_COO, DataLayout.SPARSE_CSR)


def subject(bench: Workbench, entry: Entry, registration: Registration) -> Subject:
    """What to ask about this entry: its own key is chosen at first, in a layout that tensors have."""
    keys = _keys_of(bench, registration.kernel_name)
    backends = _offered(Backend, [*(key.backend for key in keys), *_CALLERS])
    layouts = _offered(DataLayout, (key.layout for key in keys))
    dtypes = _offered(DataType, (key.dtype for key in keys))
    registered = {str(part) for key in keys for part in (key.backend, key.layout, key.dtype)}
    takes = (d.layout for d in registration.kernel.args_def.input_defs)
    layout = next((one for one in takes if one in _SPARSE), DataLayout.NCHW)

    def choice(title: str, words: Iterable[str], value: object) -> Choice:
        listed = list(words)
        notes = ["✓ " if word in registered else "" for word in listed]
        return Choice(title, listed, str(value), notes)

    def answer(chosen: Mapping[str, str]) -> tuple[str, Tell]:
        key = KernelKey(
            backends[chosen["backend"] or "CPU"],
            layouts[chosen["layout"] or "NCHW"],
            dtypes[chosen["dtype"] or "float32"],
        )
        selection = bench.program.phi.explain_selection(registration.kernel_name, key)
        return f"A call with tensors of {key}", partial(rows.path, selection)

    plug_in = _PlugIn(bench, entry, registration)
    return Subject(
        registration.kernel_name,
        str(registration.key),
        plug_in.told,
        answer,
        {
            "backend": choice("backend", backends, registration.key.backend),
            "layout": choice("layout", layouts, layout),
            "dtype": choice("dtype", dtypes, registration.key.dtype),
        },
        plug_in.load,
    )


@dataclass(slots=True)
class _PlugIn:
    """The entry told, and its plug-in, if it is one's; `refusal` is why that can't load."""

    bench: Workbench
    entry: Entry
    registration: Registration
    refusal: str = ""

    def told(self, width: int) -> list[Parts]:
        return rows.all_about(self.bench, self.entry, self.registration, self.refusal, width)

    def load(self) -> None:
        runtime, device = self.bench.program.phi, str(self.registration.key.backend)
        if device not in runtime.custom_devices:
            return
        try:
            if runtime.custom_devices[device]:
                runtime.unload_custom_device(device)
            else:
                runtime.load_custom_device(device)
        except AlreadyExists as error:
            self.refusal = f"(AlreadyExists) {error}"


def _keys_of(bench: Workbench, name: str) -> list[KernelKey]:
    named = (e.registration.key for e in bench.entries if e.registration.kernel_name == name)
    return [key for key in named if isinstance(key, KernelKey)]


def _offered(kind: type[_Member], named: Iterable[_Member]) -> dict[str, _Member]:
    """Those that kernels of this name are registered with, then the others that tensors can have,
    and last the one that says nothing."""
    there = {str(one): one for one in named}
    for one in sorted(kind, key=lambda one: one == 0):
        if not one.name.startswith("NUM_"):
            there.setdefault(str(one), one)
    return there
