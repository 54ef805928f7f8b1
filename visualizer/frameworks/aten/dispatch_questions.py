"""Questions about PyTorch's dispatcher: what an operator's table has for a key, and where a call goes.

Tables are those of the open file. A call is really made, in the program that the file makes together
with PyTorch's own `add`: so a kernel that calls `add` works as it would there. `here` before such a
question leaves out what is registered only further on than the reader has come; `without LINE` drops
the handles of what the block on that line registered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from visualizer.frameworks.answers import Answer, EndsWithError, Unanswerable, first_sentence
from visualizer.frameworks.aten import autograd_questions, made_up_calls
from visualizer.frameworks.aten.asked_program import NOTHING, Dropped, program_of, whole_program

if TYPE_CHECKING:
    from registry_runtime.aten.calling import CallStory
    from registry_runtime.aten.dispatch.dispatch_key import DispatchKey
    from registry_runtime.aten.dispatch.dispatch_table import AnnotatedKernel
    from registry_runtime.aten.dispatch.operator_entry import OperatorEntry
    from registry_runtime.aten.schema.function_schema import FunctionSchema
    from visualizer.workbench.bench import Workbench

Asked = Callable[["Workbench", Dropped, list[str]], str]


# --- The table of an operator ---------------------------------------------------------------------


def _entry(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`entry OPERATOR KEY`: the C++ function that the table has, `fallthrough` or `missing`."""
    from registry_runtime.aten.library.registered import spell

    annotated, reason = _slot(bench, dropped, words)
    return "missing" if reason == "missing" else spell(annotated)


def _reason(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`reason OPERATOR KEY`: PyTorch's word for why; `kernel`, `math kernel`, `missing` …"""
    return _slot(bench, dropped, words)[1]


def _slot(bench: Workbench, dropped: Dropped, words: list[str]) -> tuple[AnnotatedKernel, str]:
    from registry_runtime.aten.dispatch.dispatch_key import is_alias_dispatch_key

    key = _key(words[1])
    if is_alias_dispatch_key(key):
        raise Unanswerable(f"{key} is an alias, and has no place in the table")
    return _operator(bench, dropped, words[0]).computeDispatchTableEntryWithDebug(key)


def _kernels(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`kernels OPERATOR KEY`: all that are registered for the key, the newest first, or `none`."""
    from registry_runtime.aten.library.registered import spell

    found = _operator(bench, dropped, words[0]).kernels_.get(_key(words[1]), ())
    return ", ".join(map(spell, found)) or "none"


def _schema(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`schema OPERATOR`, or `none` where nobody defined it."""
    known = _operator(bench, dropped, words[0]).schema_
    return str(known.schema) if known else "none"


def _writes(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`writes OPERATOR`: the arguments that its schema marks as written to, `(a!)`; or `none`."""
    arguments = _known_schema(bench, dropped, words[0]).arguments
    return ", ".join(a.name for a in arguments if a.alias_info and a.alias_info.is_write) or "none"


def _aliases(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`aliases OPERATOR`: the arguments that share a mark with a result; or `none`."""
    known = _known_schema(bench, dropped, words[0])
    marks = [result.alias_info for result in known.returns if result.alias_info]
    return ", ".join(a.name for a in known.arguments if a.alias_info in marks) or "none"


def _parameters(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`parameters OPERATOR`: as one would write them in Python: `self, other, *, alpha=1`."""
    found: list[str] = []
    for argument in _known_schema(bench, dropped, words[0]).arguments:
        if argument.kwarg_only and "*" not in found:
            found.append("*")
        default = f"={argument.default_value}" if argument.has_default else ""
        found.append(f"{argument.name}{default}")
    return ", ".join(found)


def _known_schema(bench: Workbench, dropped: Dropped, name: str) -> FunctionSchema:
    known = _operator(bench, dropped, name).schema_
    if known is None:
        raise Unanswerable(f"nobody defines {name}")
    return known.schema


def _operator(bench: Workbench, dropped: Dropped, name: str) -> OperatorEntry:
    from registry_runtime.aten.dispatch.operator_name import OperatorName

    dispatcher = program_of(bench, dropped).aten.dispatcher
    found = dispatcher.findOp(OperatorName.parse(name))
    if found is None:
        raise Unanswerable(f"no operator {name} is registered")
    return found.operatorDef_.op


def _key(name: str) -> DispatchKey:
    from registry_runtime.aten.dispatch.dispatch_key import DispatchKey

    if name not in DispatchKey.__members__:
        raise Unanswerable(f"PyTorch has no dispatch key '{name}'")
    return DispatchKey[name]


# --- Calls ----------------------------------------------------------------------------------------


def _carries(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`carries OPERANDS`: the keys of its tensors, the highest first."""
    from registry_runtime.aten.dispatch.dispatch_key_extractor import keys_of_arguments
    from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet

    read = made_up_calls.read(words)
    raw = keys_of_arguments((*read.given, *read.named.values()))
    return _from_the_highest(DispatchKeySet.from_raw_repr(raw))


def _keys(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`keys CALL`: with which keys the table is asked, the highest first."""
    from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet

    hops = _story(bench, dropped, words).hops
    # A backend is left in a set from which its functionality was taken away.
    return _from_the_highest(hops[0].keyset if hops else DispatchKeySet())


def _from_the_highest(keys: object) -> str:
    from registry_runtime.aten.dispatch.dispatch_key_set import DispatchKeySet

    assert isinstance(keys, DispatchKeySet)
    return ", ".join(map(str, reversed(list(keys)))) or "none"


def _hops(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`hops CALL`: whose turn it is, one behind the other: `AutogradCPU → CPU`."""
    story = _story(bench, dropped, words)
    own = [hop for hop in story.hops if str(hop.op) == words[0]]
    return " → ".join(str(hop.key) for hop in own) or "none"


def _inner_hops(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`inner-hops CALL`: the same for the operators that its kernels call, each with its name."""
    story = _story(bench, dropped, words)
    inner = [hop for hop in story.hops if str(hop.op) != words[0]]
    return " → ".join(f"{hop.op} {hop.key}" for hop in inner) or "none"


def _says(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`says CALL`: the first sentence of PyTorch's error, or `none`."""
    return first_sentence(_story(bench, dropped, words).error) or "none"


def _gives(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`gives CALL`: type and shape of the result, as an operand is written; or the error."""
    story = _story(bench, dropped, words)
    return first_sentence(story.error) or made_up_calls.spelled(story.result)


def _returns(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`returns CALL`: the elements of the result; or the error."""
    story = _story(bench, dropped, words)
    return first_sentence(story.error) or made_up_calls.elements(story.result)


def _form(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`form CALL`: the class of the structured kernel's object that the call makes, or `none`."""
    kernels = _story(bench, dropped, words).kernels
    return kernels[0].form if kernels else "none"


def _enters(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`enters CALL`: the functions of the structured kernel, as they are entered."""
    kernels = _story(bench, dropped, words).kernels
    return ", ".join(kernels[0].calls) if kernels else "none"


def _fills(bench: Workbench, dropped: Dropped, words: list[str]) -> str:
    """`fills META IMPL OPERANDS`: the elements that a structured kernel of the file gives, whose halves
    are members of these two classes. No operator need be registered for it."""
    from registry_runtime.aten.errors import TorchError
    from registry_runtime.aten.structured_of_text import call_structured
    from registry_runtime.aten.tensor.scalar import Scalar

    meta, impl, *operands = words
    read = made_up_calls.read(operands)
    scalars = map(Scalar.of, read.named.values())
    world = whole_program(bench, dropped).aten.world
    try:
        filled = call_structured(world, meta, impl, (*read.given, *scalars))
    except TorchError as error:
        raise EndsWithError(error.message) from None
    return made_up_calls.elements(filled)


def _story(bench: Workbench, dropped: Dropped, words: list[str]) -> CallStory:
    operator, *operands = words
    read = made_up_calls.read(operands)
    program = whole_program(bench, dropped)
    try:
        story: CallStory = program.aten.explain_call(operator, *read.given, **read.named)
    except RecursionError:
        raise EndsWithError(
            f"a call of {operator} never ends: a kernel comes back to itself"
        ) from None
    return story


def answer(question: Sequence[str], bench: Workbench, dropped: Dropped) -> str:
    """The answer in a program without what is dropped. Raises Unanswerable."""
    word, *rest = question
    return ASKED[word](bench, dropped, rest)


ASKED: dict[str, Asked] = {
    "entry": _entry,
    "reason": _reason,
    "kernels": _kernels,
    "schema": _schema,
    "writes": _writes,
    "aliases": _aliases,
    "parameters": _parameters,
    "carries": _carries,
    "keys": _keys,
    "hops": _hops,
    "inner-hops": _inner_hops,
    "says": _says,
    "gives": _gives,
    "returns": _returns,
    "form": _form,
    "enters": _enters,
    "fills": _fills,
    "backward": autograd_questions.backward,
    "noted": autograd_questions.noted,
    "opcheck-autograd": autograd_questions.opcheck_autograd,
}


def _of_all_of_it(asked: Asked) -> Answer:
    return lambda bench, place, words: asked(bench, NOTHING, words)


ANSWERS: dict[str, Answer] = {word: _of_all_of_it(asked) for word, asked in ASKED.items()}
ARGUMENTS = {
    **dict.fromkeys(("entry", "reason", "kernels"), 2),
    **dict.fromkeys(("schema", "writes", "aliases", "parameters"), 1),
}
AT_LEAST = {**{word: 1 for word in ASKED if word not in ARGUMENTS}, "fills": 3, "backward": 2}
