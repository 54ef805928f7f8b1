"""A reference shares no function with the build that it judges: who computes both ways in one function
would find his own mistake right.

Told by the syntax trees of the kernels' files: which of their functions a template's `reference` comes
to, which its `builders`, and that no function is in both. One that checks arguments, and returns
nothing, may refuse them for both.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from registry_runtime import kernels

PACKAGE = "registry_runtime.kernels"
FOLDER = Path(kernels.__file__).parent

# How what both get is laid out, and which numbers dropout draws: GPU kernels, each of whose references
# is held to a second way besides (tests/kernels/test_reference_check.py).
OF_BOTH = {
    "CudnnLSTM": "cudnn_lstm: kept laid_out weights",
    "CudnnLSTMGrad": "cudnn_lstm: kept laid_out weights; cudnn_lstm_grad.reference: order shared_out",
    "DistributedFusedLamb": (
        "distributed_fused_lamb.arguments: begin end split; "
        "distributed_fused_lamb.ranks: communicator; "
        "distributed_fused_lamb.step: accumulate all_norms take_step; "
        "distributed_fused_lamb.sums: _share_of_sum _square_norm share_out sum_up"
    ),
    "FusedAttention": (
        "fused_attention.dropout: _words of_output of_shares uniform; "
        "fused_attention.signature: named sizes_of"
    ),
    "FusedAttentionGrad": (
        "fused_attention.dropout: _words of_output of_shares uniform; "
        "fused_attention.signature: named sizes_of"
    ),
    "FusionGroup": "fusion_group: code_of types; device_code: _cuda _value",
}


class Name(NamedTuple):
    """A module of the package, and what is defined at its top level; "" for the module itself."""

    module: str
    of: str


@cache
def trees() -> dict[str, ast.Module]:
    files = {file.relative_to(FOLDER).with_suffix(""): file for file in FOLDER.rglob("*.py")}
    named = {".".join(path.parts).removesuffix(".__init__"): file for path, file in files.items()}
    return {name: ast.parse(file.read_text(encoding="utf-8")) for name, file in named.items()}


@cache
def defined(module: str) -> dict[str, ast.stmt]:
    """Functions and classes of the module, and what is made of them by an assignment."""
    found: dict[str, ast.stmt] = {}
    for node in trees()[module].body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign) and not makes_template(node.value):
            found |= {target.id: node for target in node.targets if isinstance(target, ast.Name)}
    return found


def makes_template(node: ast.AST) -> bool:
    """Which has both the reference and the builds, and is the way from neither to the other."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "KernelTemplate"


@cache
def imported(module: str) -> dict[str, Name]:
    found: dict[str, Name] = {}
    for node in ast.walk(trees()[module]):
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{PACKAGE}."):
            source = str(node.module)[len(PACKAGE) + 1 :]
            for alias in node.names:
                full = f"{source}.{alias.name}".strip(".")
                name = Name(full, "") if full in trees() else Name(source, alias.name)
                found[alias.asname or alias.name] = name
    return found


def own_names(node: ast.AST) -> set[str]:
    """Parameters and variables, which hide what the module calls so."""
    stored = (n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not is_read(n))
    return {*stored, *(n.arg for n in ast.walk(node) if isinstance(n, ast.arg))}


def is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def named_in(module: str, node: ast.AST) -> Iterator[Name]:
    hidden = own_names(node) if isinstance(node, ast.FunctionDef) else set()
    known = {name: Name(module, name) for name in defined(module)} | imported(module)
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and is_read(part) and part.id not in hidden:
            yield known.get(part.id, Name(module, ""))
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            holder = known.get(part.value.id)
            if holder is not None and not holder.of:
                yield Name(holder.module, part.attr)


def refuses(node: ast.AST) -> bool:
    """Whether it is a function that checks, and returns nothing."""
    if not isinstance(node, ast.FunctionDef) or not node.name.lstrip("_").startswith("check"):
        return False
    return isinstance(node.returns, ast.Constant) and node.returns.value is None


def reached(names: Iterable[Name]) -> set[Name]:
    """The functions that these come to, through whatever is called or made on the way."""
    seen: set[Name] = set()
    left = list(names)
    while left:
        name = left.pop()
        node = defined(name.module).get(name.of) if name.module in trees() else None
        if name not in seen and node is not None and not refuses(node):
            seen.add(name)
            left += named_in(name.module, node)
    return {n for n in seen if isinstance(defined(n.module)[n.of], ast.FunctionDef)}


def templates() -> Iterator[tuple[str, str, ast.Call]]:
    """Each template's name, its module, and the call that makes it."""
    for module, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and makes_template(node):
                name = next(word.value for word in node.keywords if word.arg == "name")
                spelled = ast.unparse(name).strip("'\"").rpartition("::")[2]
                yield spelled.removesuffix("Kernel"), module, node


def shared(module: str, made: ast.Call) -> set[str]:
    given = {word.arg: word.value for word in made.keywords}
    reference, builds = (
        reached(named_in(module, given[word])) for word in ("reference", "builders")
    )
    return {f"{name.module}: {name.of}" for name in reference & builds}


def listed(text: str) -> set[str]:
    parts = (part.partition(": ") for part in text.split("; ") if part)
    return {f"{module}: {name}" for module, _, names in parts for name in names.split()}


@pytest.mark.parametrize(
    ("name", "module", "made"), [pytest.param(*one, id=one[0]) for one in templates()]
)
def test_a_reference_shares_no_function_with_the_build_that_it_judges(
    name: str, module: str, made: ast.Call
) -> None:
    assert shared(module, made) == listed(OF_BOTH.get(name, ""))


def test_every_template_is_looked_at() -> None:
    written = {template.signature.__module__ for template in kernels.library()}
    assert len(list(templates())) > 40
    assert {module.partition(".")[0] for _, module, _ in templates()} <= {
        name.removeprefix(f"{PACKAGE}.").partition(".")[0] for name in written
    }
