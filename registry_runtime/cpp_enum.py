"""Enums as in C++: numbers, with an `operator<<` of their own."""

from __future__ import annotations

from enum import IntEnum


class CppEnum(IntEnum):
    """`str()` is what `operator<<` prints. In an f-string an IntEnum would be its number."""

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)
