"""What the code says that has other words in other languages: `make messages` writes it into the
catalogs, and the tests hold the catalogs to it.

A text is found where it is given to `_`, `N_` or `ngettext`, and where a key or a click says what it
does: a `Binding`'s description and tooltip, and `MOUSE`; before rows that are `labelled`; on a page, in
`<!--_ … -->`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

SOURCE = Path(__file__).parents[1] / "visualizer"
LOCALE = SOURCE / "locale"
_SAY = {"_": 1, "N_": 1, "ngettext": 2}
_KEYS = {"Binding": 2, "_hidden": 2, "Group": 0}  # where the description stands


def extracted() -> Catalog:
    """Every message with the files that say it."""
    found = Catalog()
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for message in _messages(ast.parse(text)):
            if message if isinstance(message, str) else message[0]:
                found.add(message, locations=[(str(path.relative_to(SOURCE.parent)), 0)])
    for path in SOURCE.rglob("*.html"):
        for said in re.findall(r"<!--_ (.*?)-->", path.read_text(encoding="utf-8")):
            found.add(said, locations=[(str(path.relative_to(SOURCE.parent)), 0)])
    return found


def _messages(tree: ast.Module) -> Iterator[str | tuple[str, str]]:
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value.value, str)
    }

    def text_of(node: ast.expr) -> str:
        if isinstance(node, ast.Name):
            return constants.get(node.id, "")
        value = node.value if isinstance(node, ast.Constant) else ""
        return value if isinstance(value, str) else ""

    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            name = node.func.attr if isinstance(node.func, ast.Attribute) else name
            if name in _SAY and len(node.args) >= _SAY[name]:
                many = 2 if name == "N_" and len(node.args) == 2 else _SAY[name]
                said = tuple(text_of(argument) for argument in node.args[:many])
                yield said if len(said) == 2 else said[0]
            elif name in ("add_argument", "add_parser", "add", "parser_of"):
                said = [k.value for k in node.keywords if k.arg == "help"]
                said += node.args[2:3] if name == "add" else []
                said += node.args[:2] if name == "parser_of" else []
                yield from map(text_of, said)
            elif name == "labelled" and node.args:
                yield text_of(node.args[0])
            elif name in _KEYS:
                described = node.args[_KEYS[name] : _KEYS[name] + 1]
                tooltips = [k.value for k in node.keywords if k.arg == "tooltip"]
                tooltips += node.args[3:4] if name == "_hidden" else []
                yield from (text_of(argument) for argument in (*described, *tooltips))
        elif isinstance(node, ast.AnnAssign | ast.Assign):
            targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets
            if node.value is not None and any(
                isinstance(t, ast.Name) and t.id == "MOUSE" for t in targets
            ):
                yield from (text_of(n) for n in ast.walk(node.value) if isinstance(n, ast.Constant))


def catalogs() -> list[Path]:
    return sorted(LOCALE.glob("*.po"))


def load(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, locale=path.stem)


def update() -> None:
    """Write what is said now into each catalog: what is new has no words yet, what is gone goes. The
    head of the file stays: nothing in it tells when that was."""
    for path in catalogs():
        head = path.read_text(encoding="utf-8").partition("\n\n")[0]
        catalog = load(path)
        catalog.update(extracted(), no_fuzzy_matching=True)
        catalog.obsolete.clear()
        for message in catalog:  # of one that counts now, or doesn't any more
            if message.fuzzy and message.id:
                message.string, message.flags = "", set()
        with path.open("wb") as file:
            file.write(f"{head}\n\n".encode())
            write_po(file, catalog, width=100, sort_output=True, omit_header=True)


if __name__ == "__main__":
    update()
