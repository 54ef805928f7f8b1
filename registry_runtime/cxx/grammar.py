"""The grammar of C++: what parses a text, and what queries of its tree are written in."""

from __future__ import annotations

from functools import cache

import tree_sitter_cpp
from tree_sitter import Language


@cache
def language() -> Language:
    return Language(tree_sitter_cpp.language())
