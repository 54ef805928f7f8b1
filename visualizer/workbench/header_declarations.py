"""Declarations that stand in included headers, found when somebody needs them.

A registration names a function: `&phi::FullKernel<float, phi::CPUContext>`, `TORCH_FN(mine::one)`. To
know the kernel's arguments the runtime must see its declaration, then the aliases that this is written
with, and all of it may stand in headers whose text was skipped. So the runtime says which names mean
nothing to it; the headers that may declare one of them are expanded, each alone, with the macros as
they are at the end of the file; and of their tokens only the declarations that were asked for are kept,
each in its namespaces. They are tokens like all others: a message about one points into the header.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path

from visualizer.expansion import InputError, Options, Token, Trace
from visualizer.expansion.ask_compiler import of_system
from visualizer.expansion.preprocessor import expand_alone
from visualizer.expansion.source_files import read_source
from visualizer.expansion.tokens import IDENTIFIER
from visualizer.workbench.namespace_scope import Item, header_texts, items


class Headers:
    """The headers that a file includes, and what was looked up in them. `known` are the last names of
    classes whose bases nobody has to see."""

    def __init__(self, trace: Trace, options: Options, known: Collection[str] = ()) -> None:
        self._trace, self._options, self._known = trace, options, known
        self._asked: set[str] = set()
        self._asked_for: set[str] = set()  # with its body
        self._expanded: dict[str, list[Item]] = {}
        self._aliases: dict[str, Item] = {}  # by how they are spelled
        self._others: dict[str, Item] = {}
        self._called: dict[str, Item] = {}
        self._directives: list[Item] | None = None

    @cached_property
    def _texts(self) -> list[tuple[str, str]]:
        return list(header_texts(self._trace, self._options))

    @cached_property
    def _own(self) -> list[tuple[str, str]]:
        """Those that are none of the system's: what a framework does, nobody reads in its headers."""
        is_others = of_system(self._options)
        return [(path, text) for path, text in self._texts if not is_others(path)]

    def look_up(self, names: Set[str], types: Set[str], called: Set[str] = frozenset()) -> bool:
        """Look for declarations of names, and for aliases, as types may be, or classes that nobody has
        to know; of functions that are called the body is wanted too. Whether there is one that wasn't
        known. Nothing is looked for twice."""
        still_unknown = names & self._asked
        names, types, called = names - self._asked, types - self._asked, called - self._asked_for
        self._asked |= types | names
        self._asked_for |= called
        known = len(self._aliases) + len(self._others) + len(self._called)
        self._aliases |= self._found(types, _aliasing, _aliased)
        wanted = names
        while wanted:
            others = self._found(wanted, _declaring, _declared)
            others = others or self._found(wanted, _pasting, _declared)
            self._others = others | self._others  # a base before what is derived from it
            bases = {base for item in others.values() for base in _bases(item)}
            wanted = {base for base in bases - self._asked if _last(base) not in self._known}
            self._asked |= wanted
        # What one of them calls is asked for in the next round, and stands before it.
        self._called = self._found(called, _declaring, _declared, own=True) | self._called
        more = len(self._aliases) + len(self._others) + len(self._called) > known
        if more or not still_unknown or self._directives is not None:
            return more
        self._directives = [*self._using()]
        return bool(self._directives)

    def _using(self) -> Iterator[Item]:
        """What makes the names of one namespace known in another: each `using namespace c10;`."""
        for path, text in self._texts:
            if re.search(r"\busing\s+namespace\b", text):
                for item in self._items(path, text):
                    if [t.text for t in item.head[:2]] == ["using", "namespace"]:
                        yield item

    def declarations(self) -> list[Token]:
        """All that was found, each declaration behind those that it is written with."""
        placed = {str(i): item.alone() for i, item in enumerate(self._directives or ())}
        begun: set[str] = set()
        for spelled in self._aliases:
            self._place(spelled, placed, begun)
        placed |= {spelled: _alone(item) for spelled, item in self._others.items()}
        placed |= {spelled: _whole(item) for spelled, item in self._called.items()}
        return [token for declaration in placed.values() for token in declaration]

    def _place(self, spelled: str, placed: dict[str, list[Token]], begun: set[str]) -> None:
        if spelled in begun:
            return
        begun.add(spelled)
        words = {t.text for t in self._aliases[spelled].head}
        for other, alias in self._aliases.items():
            if _aliased(alias) & words:
                self._place(other, placed, begun)
        placed[spelled] = _alone(self._aliases[spelled])

    def _found(
        self,
        names: Collection[str],
        asking_for: Callable[[Collection[str]], _Asked],
        declared: Callable[[Item], set[str]],
        *,
        own: bool = False,
    ) -> dict[str, Item]:
        if not names or not self._trace.included:
            return {}
        wanted = {_last(name) for name in names}
        spaces: dict[str, set[str]] = {}
        for name in names:
            spaces.setdefault(_last(name.rpartition("::")[0]), set()).add(_last(name))
        asked = cache(lambda *names: asking_for(names))
        found: dict[str, Item] = {}
        for path, text in self._own if own else self._texts:
            # What stands in a namespace that a text never names, it does not declare. Each header
            # of ATen's has a `call`, and few one of the classes that have those that are asked for.
            near = [name for space, inside in spaces.items() if space in text for name in inside]
            if near and asked(*sorted(set(near)))(text):
                for item in self._items(path, text):
                    if declared(item) & wanted:
                        spelled = " ".join(t.text for t in _alone(item))
                        if spelled not in found or not found[spelled].body:  # the definition counts
                            found[spelled] = item
        return found

    def _items(self, path: str, text: str) -> list[Item]:
        if path not in self._expanded:
            own = list(items(expand_alone(path, text, self._trace, self._options)))
            around = self._around(path)
            self._expanded[path] = [
                replace(item, namespaces=(*namespaces, *item.namespaces))
                for namespaces in around or [()]
                for item in own
            ]
        return self._expanded[path]

    def _around(self, path: str) -> list[Sequence[Sequence[Token]]]:
        """In which namespaces others include a header, each once: `namespace cpu {`, then
        `#include "declarations.inc"`."""
        name = Path(path).name
        found: dict[str, Sequence[Sequence[Token]]] = {}
        for other, text in self._including:
            if name in text and other != path:
                marked = _INCLUDE.sub(rf"{_INCLUDED} \1 ;", text)
                for item in items(expand_alone(other, marked, self._trace, self._options)):
                    if item.head[0].text == _INCLUDED and len(item.head) == 2:
                        spelled = item.head[1].text.strip('"')
                        if Path(path).as_posix().endswith(re.sub(r"^(\.\.?/)+", "", spelled)):
                            opened = [[t.text for t in opening] for opening in item.namespaces]
                            found.setdefault(str(opened), item.namespaces)
        return list(found.values())

    @cached_property
    def _including(self) -> list[tuple[str, str]]:
        """The texts that include something behind the beginning of a namespace."""
        texts = list(self._texts)
        with suppress(InputError):
            main = self._trace.file
            texts.append((main, read_source(main, unsaved=self._options.unsaved)))
        return [(path, text) for path, text in texts if _INSIDE.search(text)]


_INCLUDED = "included_here"
_INCLUDE = re.compile(r'(?m)^[ \t]*#[ \t]*include[ \t]+("[^"\n]+")')
_INSIDE = re.compile(r'(?s)\bnamespace\b[^;]*?\{.*^[ \t]*#[ \t]*include[ \t]+"', re.MULTILINE)


def _alone(item: Item) -> list[Token]:
    """Its declaration. A class and an enumeration come with what is in them."""
    is_type = _defined(item, _CLASS) or _defined(item, _ENUM)
    return item.alone(item.body if is_type else ())


def _whole(item: Item) -> list[Token]:
    return item.alone(item.body if item.is_closed else ())


# --- What text may declare ------------------------------------------------------------------------

_Asked = Callable[[str], object]  # of a header's text, whether it may declare one of the names


def _last(name: str) -> str:
    return name.rpartition("::")[2]


def _any_of(names: Collection[str]) -> str:
    return rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b"


def _aliasing(names: Collection[str]) -> _Asked:
    name = _any_of(names)
    pattern = re.compile(
        rf"\busing\s+(?:[\w:]+::)?{name}\s*[=;]|\btypedef\b[^;{{}}]*{name}[^;{{}}]*;"
        rf"|\benum\s+(?:class\s+|struct\s+)?{name}"
    )
    return _with_one_of(names, pattern)


def _declaring(names: Collection[str]) -> _Asked:
    name = _any_of(names)
    pattern = re.compile(
        rf"{name}\s*(?:\(|(?:final\s*)?:[^:])|\b(?:class|struct)\s+(?:[A-Z_]+\s+)?{name}"
        rf"|\bextern\b[^;{{}}()]*{name}\s*;|\busing\s+[\w:]+::{name}\s*;"
        rf"|^[ \t]*[A-Z]\w*\([^;{{}}]*{name}",  # handed to a macro that declares it
        re.MULTILINE,
    )
    return _with_one_of(names, pattern)


def _with_one_of(names: Collection[str], pattern: re.Pattern[str]) -> _Asked:
    # The names first: a pattern takes longer.
    return lambda text: any(name in text for name in names) and pattern.search(text)


def _pasting(names: Collection[str]) -> _Asked:
    """Whether it hands a part of one of the names to a macro, which may make the name by `##`."""
    return lambda text: any(
        any(part in name for name in names)
        for invocation in _INVOCATION.findall(text)
        for part in _PART.findall(invocation)
    )


_INVOCATION = re.compile(r"^[ \t]*\w+\(([^;{}()]*)\)", re.MULTILINE)
_PART = re.compile(r"\b[A-Za-z_]\w+")


def may_declare(text: str, word: str) -> bool:
    """Whether a header may make a name known, for all that its characters say: it stands there, and not
    only in comments, as a template's parameter, as an argument, or where something of it is made."""
    return word in text and any(
        _may_be_declared(text, found) for found in re.finditer(rf"\b{re.escape(word)}\b", text)
    )


def _may_be_declared(text: str, word: re.Match[str]) -> bool:
    line = text[text.rfind("\n", 0, word.start()) + 1 : word.start()]
    if "//" in line or line.lstrip().startswith(("*", "/*")):
        return False
    before, behind = (
        _BEFORE.search(text, max(0, word.start() - 200), word.start()),
        _BEHIND.match(text, word.end()),
    )
    first, next = (before[1] if before else ""), (behind[1] if behind else "")
    if first == "define":
        return False  # a macro's name makes no other name known, and what it stands for may
    if macro := _DEFINING.match(text, word.start() - len(line)):
        return first != "#" and word[0] not in re.findall(r"\w+", macro[1] or "")
    if first in _USING or (first in ("typename", "class") and next in (",", ">", "=")):
        return False
    if first not in ("(", ",") and _is_a_parameter(text, word.start()):
        return False
    if next == "::":
        return first in ("namespace", ":")
    if next == "(":
        return first.isidentifier() or first in ("*", "&", ">", "]", "")
    return next in ("", "final", "{", "}", ";", "=", ",", ":", "[", ")", "<", "\\")


def _is_a_parameter(text: str, at: int) -> bool:
    """Whether what stands there is inside of parentheses, and none of `(*Name)`."""
    before = re.split(r"[;{}]", text[max(0, at - 400) : at])[-1]
    is_inside = before.count("(") > before.count(")")
    return is_inside and re.search(r"\(\s*\*\s*\Z", before) is None


_DEFINING = re.compile(r"[ \t]*#[ \t]*define[ \t]+\w+(?:\(([^)]*)\))?")
_BEFORE = re.compile(r"(\w+|\.\.\.|->|\S)\s*\Z")
_BEHIND = re.compile(r"\s*(\w+|::|\S)")
_USING = ("<", ".", "->", "...", "#", "return", "new", "sizeof")


# --- What tokens declare --------------------------------------------------------------------------


def _aliased(item: Item) -> set[str]:
    """The name that `using X = …;`, `using a::X;`, a typedef or an enumeration makes known."""
    words = [t.text for t in item.head]
    if name := _defined(item, _ENUM):
        return {name}
    if words[:1] == ["using"] and words[1:2] != ["namespace"]:
        return {words[1] if words[2:3] == ["="] else words[-1]}
    if words[:1] != ["typedef"]:
        return set()
    pointed_to = [w for before, w in pairwise(words) if before == "*"]
    return {words[-1]} if item.head[-1].kind == IDENTIFIER else set(pointed_to)


def _declared(item: Item) -> set[str]:
    """Names of functions and objects that an item declares, and of a class that it defines."""
    head, words = item.head, [t.text for t in item.head]
    if name := _defined(item, _CLASS):
        return {name}
    if words[:1] == ["extern"] and head[-1].kind == IDENTIFIER:
        return {words[-1]}
    return _aliased(item) or {
        token.text
        for before, token, behind in zip(head, head[1:], head[2:], strict=False)
        if token.kind == IDENTIFIER
        and behind.text == "("
        and (before.kind == IDENTIFIER or before.text in ("*", "&", ">", ">>"))
        and before.text != "return"
    }


def _bases(item: Item) -> set[str]:
    """`at::meta::structured_add_Tensor` of a class that is derived from it."""
    words = [t.text for t in item.head]
    if _defined(item, _CLASS) is None or ":" not in words:
        return set()
    behind = "".join(f" {w}" if w not in ("::", "<", ">") else w for w in words[words.index(":") :])
    names = re.sub(r"\s*::\s*", "::", behind.partition("<")[0])
    return set(re.findall(r"[\w:]*\w", names)) - {"public", "protected", "private", "virtual"}


_CLASS = re.compile(
    r"(?:template < .* > )?(?:class|struct) (?:__attribute__ \( \( .* \) \) )?(\w+)"
    r"(?: <.*)?(?: final)?(?: :.*)?"
)
_ENUM = re.compile(r"enum (?:class |struct )?(\w+)(?: :.*)?")


def _defined(item: Item, pattern: re.Pattern[str]) -> str | None:
    """`add_stub` of `struct add_stub final : DispatchStub<fn, add_stub> { … };`, `Wrap` of a template
    `struct Wrap<R (*)(Args...), f> { … };`."""
    if not item.body or not item.is_closed:
        return None
    head = pattern.fullmatch(" ".join(t.text for t in item.head))
    return head[1] if head is not None else None
