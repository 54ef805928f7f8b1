"""What the screen on Fluid's entries asks and answers: the key of a call, and the way to its kernel."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from registry_runtime.fluid.op_kernel_type import LibraryType, OpKernelType, VarType
from registry_runtime.fluid.selection import Selection, explain_selection
from registry_runtime.phi.data_layout import DataLayout
from registry_runtime.phi.place import CPU_PLACE, AllocationType, Place
from visualizer.frameworks.fluid import rows as fluid
from visualizer.frameworks.fluid.story import key_label, short
from visualizer.frameworks.presenter import Choice, Subject, Tell
from visualizer.layout.rows import BAD, GOOD, marked
from visualizer.layout.words import Parts
from visualizer.workbench.linking import linked

if TYPE_CHECKING:
    from registry_runtime.fluid.registered import Registration
    from visualizer.workbench.bench import Workbench
    from visualizer.workbench.entries import Entry

_PLACES = {
    "cpu": CPU_PLACE,
    "gpu:0": Place(AllocationType.GPU),
    "xpu:0": Place(AllocationType.XPU),
    "ipu:0": Place(AllocationType.IPU),
}
_LIBRARIES = {
    str(one): one
    for one in (LibraryType.kPlain, LibraryType.kCUDNN, LibraryType.kMKLDNN, LibraryType.kKP)
}
_DTYPES = {short(str(one)): one for one in VarType if one is not VarType.SIZE_T}


def subject(bench: Workbench, entry: Entry, registration: Registration) -> Subject:
    """What to ask about this entry. A kernel's own key is chosen at first; of an operator, that of its
    first kernel."""
    there = [
        other.registration.key
        for other in bench.entries
        if other.registration.kernel_name == registration.op_type
        and isinstance(other.registration.key, OpKernelType)
    ]
    key = registration.key
    if not isinstance(key, OpKernelType):
        key = there[0] if there else OpKernelType(VarType.FP32, CPU_PLACE)
    return Subject(
        registration.op_type,
        key_label(registration.key),
        partial(fluid.all_about, bench, entry, registration),
        partial(_way, bench, registration.op_type),
        {
            "place": _choice(
                "place", list(_PLACES), _place_word(key), {_place_word(k) for k in there}
            ),
            "library": _choice(
                "library",
                list(_LIBRARIES),
                str(key.library_type),
                {str(k.library_type) for k in there},
            ),
            "dtype": _choice(
                "dtype",
                list(_DTYPES),
                short(str(key.data_type)),
                {short(str(k.data_type)) for k in there},
            ),
        },
    )


def _place_word(key: OpKernelType) -> str:
    return next(word for word, one in _PLACES.items() if one.type == key.place.type)


def _choice(title: str, words: list[str], value: str, registered: set[str]) -> Choice:
    notes = ["✓ " if word in registered else "" for word in words]
    return Choice(title, words, value, notes)


def _way(bench: Workbench, op_type: str, chosen: Mapping[str, str]) -> tuple[str, Tell]:
    library = _LIBRARIES[chosen["library"]]
    mkldnn = library is LibraryType.kMKLDNN
    key = OpKernelType(
        _DTYPES[chosen["dtype"]],
        _PLACES[chosen["place"]],
        DataLayout.kMKLDNN if mkldnn else DataLayout.kAnyLayout,
        library,
    )
    selection = explain_selection(linked(bench).fluid, op_type, key)
    return "A call with this key, after the whole file", partial(_told_way, selection)


def _told_way(selection: Selection, width: int) -> list[Parts]:
    rows: list[Parts] = []
    if selection.kernel is None:
        rows += marked("✗", f"not found: {selection.error}", width, BAD)
    else:
        said = f"{selection.outcome}: {short(selection.function)}"
        rows += marked("✓", said, width, GOOD)
    rows.append([])
    for number, step in enumerate(selection.steps, 1):
        rows += marked(f"{number}.", short(step), width)
    return rows
