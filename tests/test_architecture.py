"""ARCHITECTURE.md, held against the code: `make check` has the layers, here are circles and words."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def modules(package: str) -> dict[str, Path]:
    found = {}
    for path in (ROOT / package).rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


Import = ast.Import | ast.ImportFrom
Function = ast.FunctionDef | ast.AsyncFunctionDef


def imports(tree: ast.AST, inside: bool = False) -> Iterator[tuple[Import, bool]]:
    """A file's, each with whether it is inside a function; not those that only types need."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Import):
            yield node, inside
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from imports(ast.Module(node.orelse, []), inside)
        else:
            yield from imports(node, inside or isinstance(node, Function))


def named(node: Import, known: dict[str, Path]) -> set[str]:
    """The modules that one import names."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names} & known.keys()
    inner = {f"{node.module}.{alias.name}" for alias in node.names}
    return inner & known.keys() or {str(node.module)} & known.keys()


def imported(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules that a file imports, inside functions too; not those that only types need."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {name for node, _ in imports(tree) for name in named(node, known)}


def test_what_a_function_imports_counts_and_what_only_types_need_does_not(tmp_path: Path) -> None:
    path = tmp_path / "c.py"
    path.write_text("if TYPE_CHECKING:\n    import a\ndef f():\n    from b import d\n")
    assert imported(path, {"a": path, "b": path, "b.d": path}) == {"b.d"}


@pytest.mark.parametrize("package", ["visualizer", "registry_runtime"])
def test_no_modules_import_each_other_in_a_circle(package: str) -> None:
    known = modules(package)
    graph = {name: imported(path, known) - {name} for name, path in known.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(reversed(error.args[1])))


def test_an_import_inside_a_function_saves_a_module_from_being_read() -> None:
    known = modules("visualizer") | modules("registry_runtime")
    trees = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in known.items()}
    # These two read a module when it is asked for.
    asking = {"visualizer.expansion", "visualizer.workbench"}
    begun: dict[str, set[str]] = {}
    for module, tree in trees.items():
        above = {module.rsplit(".", n)[0] for n in range(1, module.count(".") + 1)}
        begun[module] = above.union(
            *(named(node, known) for node, inside in imports(tree) if not inside)
        )

    def read_with(module: str) -> set[str]:
        read, waiting = {module}, [module]
        while waiting:
            new = begun[waiting.pop()] - read
            read |= new
            waiting += new
        return read

    in_vain = [
        f"{module}:{node.lineno}"
        for module, tree in trees.items()
        for node, inside in imports(tree)
        if inside and (names := named(node, known) - asking) and names <= read_with(module)
    ]
    assert not in_vain, "what is imported there is read anyway: import it above"


# Where one name in two modules is one idea: a family's builder for each device; the same walk in a
# build and in its reference, which share nothing; a row of the form of each framework.
ONE_IDEA_TWICE = {
    ("registry_runtime.kernels", "Elementwise"),
    ("registry_runtime.kernels", "Walk"),
    ("registry_runtime.lab", "Field"),
}


def vocabulary(module: str) -> str:
    """Where a word has one meaning: in all of `visualizer`, in each room of `registry_runtime`, whose
    frameworks name their things as they do themselves."""
    package, *rooms = module.split(".")
    return package if package == "visualizer" or len(rooms) < 2 else f"{package}.{rooms[0]}"


def public_classes(path: Path) -> list[str]:
    """Those of the module: one inside another class is told by that one's name."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    names = [node.name for node in body if isinstance(node, ast.ClassDef)]
    return [name for name in names if not name.startswith("_")]


@pytest.mark.parametrize("package", ["visualizer", "registry_runtime"])
def test_no_two_modules_name_a_class_alike(package: str) -> None:
    there: dict[tuple[str, str], list[str]] = defaultdict(list)
    for module, path in modules(package).items():
        for name in public_classes(path):
            there[vocabulary(module), name].append(module)
    alike = {word: where for word, where in there.items() if len(where) > 1}
    assert alike.keys() == {word for word in ONE_IDEA_TWICE if word[0].startswith(package)}, alike


# Of these, words are all that there is to ask: argparse's, a compiler's, the kernel's in /proc, and
# what the static_assert of a header says.
OTHERS_WORDS = {
    "registry_runtime/benchmark/machine.py",
    "registry_runtime/judge/asked_torch.py",
    "registry_runtime/native/compiler.py",
    "registry_runtime/native/crash.py",
    "registry_runtime/phi/explain.py",
    "visualizer/commands/parser.py",
    "visualizer/expansion/ask_compiler.py",
}
ASKING = {
    "compile",
    "endswith",
    "findall",
    "finditer",
    "fullmatch",
    "get",
    "match",
    "search",
    "startswith",
}
SENTENCE = re.compile(r"(?<![#\w])[a-z]{2,} [a-z]{2,}")


def is_message(node: ast.AST, errors: set[str]) -> bool:
    """What a diagnostic or an error says, or part of it; the name of a caught error is in `errors`."""
    match node:
        case ast.Attribute(attr="message" | "hint"):
            return True
        case ast.Call(func=ast.Name(id="str"), args=[ast.Name(id=name)]):
            return name in errors
    return any(is_message(child, errors) for child in ast.iter_child_nodes(node))


def is_sentence(node: ast.AST) -> bool:
    """A pattern or a literal in which words follow upon words, as they do in prose."""
    match node:
        case ast.Constant(value=str(text)):
            return SENTENCE.search(text) is not None
        case ast.Call(func=ast.Attribute(attr="compile")) if "VERBOSE" in ast.unparse(node):
            return False
    return any(is_sentence(child) for child in ast.iter_child_nodes(node))


def asked_of_words(tree: ast.AST) -> list[int]:
    """The lines that decide something by how a message is worded."""
    errors = {h.name for h in ast.walk(tree) if isinstance(h, ast.ExceptHandler) and h.name}
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, ops=ops):
                literal = any(isinstance(op, ast.In | ast.NotIn) for op in ops)
                asked = is_message(node, errors) or (literal and is_sentence(left))
            case ast.Call(func=ast.Attribute(value=of, attr=name), args=args) if name in ASKING:
                asked = any(is_message(part, errors) for part in (of, *args)) or is_sentence(node)
            case ast.Subscript(slice=key):
                asked = is_message(key, errors)
            case ast.Match(subject=subject):
                asked = is_message(subject, errors)
            case _:
                continue
        if asked:
            found.append(node.lineno)
    return found


@pytest.mark.parametrize("package", ["visualizer", "registry_runtime"])
def test_what_an_unknown_name_may_mean_is_found_in_one_room(package: str) -> None:
    using = {
        path.name
        for path in modules(package).values()
        if "get_close_matches" in path.read_text(encoding="utf-8")
    }
    assert using <= {"near.py"}


@pytest.mark.parametrize("package", ["visualizer", "registry_runtime"])
def test_nothing_hangs_on_how_a_message_is_worded(package: str) -> None:
    places = {
        f"{path.relative_to(ROOT)}:{line}"
        for path in modules(package).values()
        if str(path.relative_to(ROOT)) not in OTHERS_WORDS
        for line in asked_of_words(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert not places, "give the diagnostic a code, and ask for that"


@pytest.mark.parametrize(
    "line",
    [
        'd.message.startswith("stopped")',
        '"is missing" in d.message',
        'd.hint == "none"',
        'GONE = re.compile("undefined reference to (.*)")',
        "PLAINER[error.message]",
        "try:\n    f()\nexcept ValueError as error:\n    worse = 'x' in str(error)",
    ],
)
def test_a_question_to_a_message_is_found(line: str) -> None:
    assert asked_of_words(ast.parse(line))
