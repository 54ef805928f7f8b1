"""What an edit does to the registry: which entries come, which go, and which are another kernel now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from registry_runtime.program import Registration
from visualizer.frameworks.presenter import presenter_of
from visualizer.workbench.entries import Entry

Sign = Literal["+", "−", "~", " "]  # came, went, changed, stayed


@dataclass(frozen=True, slots=True)
class RegistryChange:
    sign: Sign
    kernel_name: str
    key: str
    note: str = ""


def registry_changes(before: Iterable[Entry], after: Iterable[Entry]) -> list[RegistryChange]:
    """All entries, in the order in which they are registered now; under each kernel's name those that
    it has no more, and at the end the kernels that are gone."""
    old, new = _by_place(before), _by_place(after)
    found = [_change(old.get(place), entry) for place, entry in new.items()]
    found += [RegistryChange("−", *place) for place in old if place not in new]
    places = {name: n for n, name in enumerate(dict.fromkeys(c.kernel_name for c in found))}
    return sorted(found, key=lambda c: places[c.kernel_name])


def _by_place(entries: Iterable[Entry]) -> dict[tuple[str, str], Entry]:
    return {(e.registration.kernel_name, _key(e.registration)): e for e in entries}


def _change(old: Entry | None, new: Entry) -> RegistryChange:
    now, key = new.registration, _key(new.registration)
    if old is None:
        return RegistryChange("+", now.kernel_name, key)
    then = old.registration
    notes = []
    if then.function != now.function:
        notes.append(f"was {then.function}")
    elif _arguments(then) != _arguments(now):
        notes.append("its arguments changed")
    if then.runnable != now.runnable:
        notes.append("runs now" if now.runnable else "only declared now")
    return RegistryChange("~" if notes else " ", now.kernel_name, key, ", ".join(notes))


def _key(registration: Registration) -> str:
    return presenter_of(registration).label(registration)


def _arguments(registration: Registration) -> object:
    return presenter_of(registration).arguments(registration)
