"""What is told of the place under the pointer: the macro, what its invocation comes to, what it
registers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from visualizer.editor.laid_out import laid_out
from visualizer.editor.standing import Standing
from visualizer.expansion import Step, Token
from visualizer.expansion.definitions import Definition
from visualizer.expansion.predefined import is_cxx
from visualizer.expansion.tokens import spell
from visualizer.expansion.wording import counted, elided, outline
from visualizer.frameworks.presenter import presenter_of
from visualizer.messages import _
from visualizer.workbench.bench import Workbench
from visualizer.workbench.entries import Entry

_ROWS = 6  # of what an invocation becomes
_LONG = 400  # characters of a definition
_ENTRIES = 8
_LOOKED_AT = 200  # tokens that are laid out for those rows


def hover(at: Standing, is_whole: bool) -> str:
    """Markdown about an invocation, or about the macro of one in its arguments. `is_whole`: whether
    all of the file has been read, so that it is known what is registered."""
    step = at.step
    if step is not None and not at.is_name:
        return "\n\n".join(_of_argument(at, step))
    return "\n\n".join(_of_invocation(at, is_whole))


def _of_invocation(at: Standing, is_whole: bool) -> Iterator[str]:
    expansion, language = at.expansion, _language(at.bench)
    steps = expansion.recorded().steps
    if at.argument is not None:
        parameter = at.argument[1].parameter
        said = _("the argument `{parameter}` of `{macro}`")
        yield said.format(parameter=parameter, macro=elided(expansion.macro))
    if steps and steps[0].definition is not None and not expansion.directive:
        yield definition(steps[0].definition, language)
    if steps and steps[0].kind == "refused":
        yield from (d.message for d in at.bench.diagnostics if d.where == expansion.where)
        return
    yield _code(_rows(expansion.after), language)
    moments = len(at.bench.timeline(at.index))
    yield _("{steps}, {tokens}").format(
        steps=counted(moments, "step"), tokens=counted(len(expansion.after), "token")
    )
    if is_whole:
        made = at.bench.entries_by_expansion.get(at.index, ())
        yield from filter(None, ["\n".join(_entries(made))])
    where = expansion.where
    yield f"`unfold open {where.file}:{where.line}`"


def _of_argument(at: Standing, step: Step) -> Iterator[str]:
    """Of a macro that is invoked in the arguments of another."""
    if step.definition is not None:
        yield definition(step.definition, _language(at.bench))
    if step.kind == "painted":
        yield _("`{name}` is painted here: it stands inside of its own replacement").format(
            name=elided(step.macro)
        )
        return
    made = outline(step.insert, _LONG) if step.insert else _("nothing")
    yield _("becomes {text}, as an argument of `{macro}`").format(
        text=f"`{made.strip('`')}`", macro=elided(at.expansion.macro)
    )


def definition(macro: Definition, language: str) -> str:
    """The definition, and where it stands."""
    text = spell(macro.replacement)
    text = text if len(text) <= _LONG else f"{text[:_LONG]} …"
    where = macro.where
    place = f"{where.file}:{where.line}" if not where.file.startswith("<") else where.file
    return f"{_code(f'#define {macro.head()} {text}'.rstrip(), language)}\n{place}"


def _rows(tokens: Sequence[Token]) -> str:
    """The first rows of what tokens are as text, and how many tokens are left."""
    if not tokens:
        return _("// nothing")
    text, starts = laid_out(tokens[:_LOOKED_AT])
    rows = text.split("\n")
    if len(rows) <= _ROWS and len(tokens) <= _LOOKED_AT:
        return text
    begun = "\n".join(rows[:_ROWS])
    shown = sum(start < len(begun) for start in starts)
    return f"{begun}\n… {counted(len(tokens) - shown, 'token')}"


def _entries(made: Sequence[Entry]) -> Iterator[str]:
    for entry in made[:_ENTRIES]:
        yield f"- `{entry.registration.kernel_name}` {label(entry)}"
    if len(made) > _ENTRIES:
        yield _("- and {count} more").format(count=len(made) - _ENTRIES)


def label(entry: Entry) -> str:
    """The entry's key, as the registry pane has it."""
    return presenter_of(entry.registration).label(entry.registration)


def _language(bench: Workbench) -> str:
    return "cpp" if is_cxx(bench.options.std) else "c"


def _code(text: str, language: str) -> str:
    """Markdown of code: behind as many backticks as the code has none of."""
    ticks = "```"
    while ticks in text:
        ticks += "`"
    return f"{ticks}{language}\n{text}\n{ticks}"
