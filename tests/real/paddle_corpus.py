"""What `unfold migrate` makes of Fluid's operators, beside what Paddle's people made of them.

    python -m tests.real.paddle_corpus OLD_TREE NEW_TREE [OPERATOR…]

OLD_TREE is a checkout of Paddle in which the operators are Fluid's, NEW_TREE a later one in which they
are PHI's; nothing is fetched, and nothing of theirs is kept. For the figures in RESULTS.md these were
the trees of April 2023 and of May 2024; January and July 2022 are as good. Without names, all operators
whose file has a kernel of Fluid's are taken, and those that the new tree has no kernel of are counted
and left out.

For each: the kernel's parameters by their types, in order; what is registered, by backend; the files of
the backends; the InferMeta's parameters; the names that the mapping lists. A difference need not be a
mistake: Paddle's people gave some operators other attributes, and some no InferMeta of their own.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from visualizer.expansion import InputError
from visualizer.migration import migrate

_FLUIDS = re.compile(r"\b(?:REGISTER_OP_\w*KERNEL|PD_REGISTER_STRUCT_KERNEL)\w*\(")
_REGISTERED = re.compile(
    r"^PD_REGISTER_KERNEL\(\s*(\w+),\s*(\w+),\s*\w+,\s*([\w:]+),?([^{]*)\)\s*\{", re.MULTILINE
)
_DECLARED = re.compile(r"^void (\w+(?:Kernel|InferMeta))\(([^;{}]*)\)\s*[;{]", re.MULTILINE)
_MAPPED = re.compile(r'KernelSignature\(\s*"(\w+)",\s*(\{.*?\}),\s*(\{.*?\}),\s*(\{.*?\})\)', re.S)


@dataclass
class Kernel:
    """One kernel as files say: `keys` are (backend, types), `files` those of backends."""

    function: str = ""
    parameters: tuple[str, ...] = ()
    keys: dict[str, frozenset[str]] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)
    infer_meta: tuple[str, ...] | None = None
    mapping: str = ""


def kernels_in(texts: Mapping[str, str]) -> dict[str, Kernel]:
    """All that these files register, by name. `texts` by their paths below phi."""
    found: dict[str, Kernel] = {}
    functions: dict[str, tuple[str, ...]] = {}
    for path, text in texts.items():
        for name, parameters in _DECLARED.findall(without_comments(text)):
            functions.setdefault(name, tuple(types_of(parameters)))
        for name, backend, function, types in _REGISTERED.findall(without_comments(text)):
            kernel = found.setdefault(name, Kernel())
            kernel.function = function.rpartition("::")[2]
            listed = (spelled(each) for each in re.split(r",(?![^<]*>)", types) if each.strip())
            kernel.keys[backend] = kernel.keys.get(backend, frozenset()) | frozenset(listed)
            kernel.files.add(path)
    for name, kernel in found.items():
        kernel.parameters = functions.get(kernel.function, ())
        camel = "".join(word[:1].upper() + word[1:] for word in name.split("_"))
        kernel.infer_meta = functions.get(f"{camel}InferMeta")
    for text in texts.values():
        for name, *lists in _MAPPED.findall(text):
            if name in found:
                found[name].mapping = "".join("".join(lists).split())
    return found


def without_comments(text: str) -> str:
    """Code alone."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def spelled(name: str) -> str:
    """A type, whatever namespace it was written with."""
    plain = re.sub(r"(?:\b(?:phi|dtype|paddle|std|common))?::|\s", "", name)
    return re.sub(r"\bint32_t\b", "int", plain).replace("const", "const ", 1)


def types_of(parameters: str) -> Iterator[str]:
    """Of `const Context& dev_ctx, const DenseTensor& x`: the types behind the context."""
    for each in re.split(r",(?![^<]*>)", parameters):
        words = re.sub(r"\s+UNUSED\b|\s*=.*", "", each.strip(), flags=re.DOTALL)
        type_ = spelled(re.sub(r"(?<=[\s&*>])\w+$", "", words))
        if type_ and "Context&" not in type_ and "MetaConfig" not in type_:
            yield type_


def texts_below(root: Path) -> dict[str, str]:
    """The files of PHI's kernels, InferMetas and mappings in a tree."""
    phi = root / "paddle/phi"
    folders = ("kernels", "infermeta", "ops/compat")
    files = (f for name in folders for f in sorted((phi / name).rglob("*")) if f.is_file())
    return {
        str(f.relative_to(root)): f.read_text(errors="replace")
        for f in files
        if f.suffix in (".h", ".cc", ".cu") and "/funcs/" not in f.as_posix()
    }


def differences(ours: Kernel, theirs: Kernel) -> Iterator[str]:
    """What differs, a line each."""
    if ours.parameters != theirs.parameters:
        yield f"parameters: {', '.join(ours.parameters)} | {', '.join(theirs.parameters)}"
    for backend in sorted(ours.keys | theirs.keys):
        mine, other = ours.keys.get(backend), theirs.keys.get(backend)
        if mine != other:
            told = [", ".join(sorted(each)) if each else "none" for each in (mine, other)]
            yield f"{backend}: {' | '.join(told)}"
    if ours.files != theirs.files:
        yield f"files: {', '.join(sorted(ours.files ^ theirs.files))}"
    if None not in (ours.infer_meta, theirs.infer_meta) and ours.infer_meta != theirs.infer_meta:
        yield f"InferMeta: {ours.infer_meta} | {theirs.infer_meta}"
    if ours.mapping and theirs.mapping and ours.mapping != theirs.mapping:
        yield f"mapping: {ours.mapping} | {theirs.mapping}"


def operators(tree: Path, names: list[str]) -> Iterator[Path]:
    """The files to migrate: of those names, or all that register a kernel of Fluid's."""
    folder = tree / "paddle/fluid/operators"
    for path in sorted(folder.glob("*_op.cc")):
        family = [path, path.with_suffix(".cu"), path.with_name(f"{path.stem}.cu.cc")]
        text = "".join(f.read_text(errors="replace") for f in family if f.is_file())
        wanted = path.name.removesuffix("_op.cc") in names if names else _FLUIDS.search(text)
        if wanted:
            yield path


def main(words: list[str] | None = None) -> int:
    """Prints a report; 0 whatever it says."""
    parser = argparse.ArgumentParser(prog="python -m tests.real.paddle_corpus", description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("names", nargs="*", metavar="operator")
    asked = parser.parse_args(words)
    theirs = kernels_in(texts_below(asked.new))
    counts = dict.fromkeys(("same", "differ", "not there", "refused"), 0)
    settled = 0
    for path in operators(asked.old, asked.names):
        try:
            migration = migrate(path)
        except InputError as error:
            print(f"{path.name}: refused: {error.diagnostic.message}")
            counts["refused"] += 1
            continue
        settled += not migration.left
        ours = kernels_in({piece.path: piece.text for piece in migration.pieces})
        for name, kernel in ours.items():
            if name not in theirs:
                counts["not there"] += 1
                continue
            told = list(differences(kernel, theirs[name]))
            counts["differ" if told else "same"] += 1
            marks = f"{migration.count('guess')} guesses, {migration.count('left to you')} left"
            print(f"{path.name}: {name}: {'differs' if told else 'the same'} ({marks})")
            print("".join(f"    {line}\n" for line in told), end="")
    listed = ", ".join(f"{count} {word}" for word, count in counts.items())
    print(f"kernels: {listed}; {settled} operators with nothing left")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
