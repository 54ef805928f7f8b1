"""From a method that asks a context for everything to a function that is given it.

First goes what PHI has no need of, then each read of the context is answered by a parameter, then
the variables that stay get out of the parameters' way. Last come the idioms that have nothing to do
with the context.

One thing stays and is only told: a kernel that looks at its own output. PHI hands a kernel its
outputs as parameters, but they are what it returns, and hold whatever the memory's last owner left
there. The guide warns of it, no compiler does, and the migrated kernel would look quite right.
"""

from __future__ import annotations

from tree_sitter import Node

from registry_runtime.cxx import Span, early_reads_in
from registry_runtime.phi.output_reads import OF_CLASSES
from visualizer.migration.reading.attributes import tensor_block
from visualizer.migration.reading.fluid_text import line_start
from visualizer.migration.reading.functions import ContextCall, context_of, kept_in, reads
from visualizer.migration.reading.handing import call_with, callees, name_of
from visualizer.migration.reading.names import method_of_call, parts_of_call
from visualizer.migration.rewriting.body import FunctionBody, make_room
from visualizer.migration.rewriting.edits import Rewriter, enclosing_statement
from visualizer.migration.rewriting.idioms import rewrite_idioms
from visualizer.migration.rewriting.questions import ANSWERS
from visualizer.migration.rewriting.shapes import SETTERS


def rewrite_body(body: FunctionBody, function: Node) -> None:
    """Collect the edits for a function_definition's body."""
    rewriter = body.rewriter
    block = function.child_by_field_name("body")
    rewriter.function(function)
    if block is None:
        return
    _note_unread(rewriter, block)
    context = context_of(rewriter.source, rewriter.locals)
    if context is not None:
        found = list(reads(rewriter.fluid, rewriter.source, context))
        _drop_tensor_blocks(body, found)
        _drop_checks(body, found)
        answered: set[int] = set()
        for read in found:
            if not body.is_gone(read.call):
                answered.add(read.use.id)
                _answer(body, read)
        make_room(body)
        for use in context.uses:
            if use.id not in answered and not body.is_gone(use):
                _handed_on(body, use)
        if body.signature is not None and not body.is_meta:
            _note_output_reads(body, block)
    rewrite_idioms(rewriter, block, body.gone)
    _close_gaps(body, block)


def _note_unread(rewriter: Rewriter, block: Node) -> None:
    """A note at each group of a conditional that stands as it was."""
    for span in rewriter.source.unread:
        if block.start_byte < span.start and span.end < block.end_byte:
            around = block.named_descendant_for_byte_range(span.start, span.end) or block
            behind = (n for n in around.named_children if n.start_byte >= span.end)
            rewriter.note(next(behind, around), "kernel", _UNREAD)


_UNREAD = "another branch of the #if here is as it was: it makes no statements of its own"


def _answer(body: FunctionBody, read: ContextCall) -> None:
    method = read.method
    known = method in ANSWERS or (body.is_meta and method in SETTERS)
    parameter = body.parameter_of(read)
    if method in ("device_context", "cuda_device_context"):
        _device_context(body, read)
    elif method == "GetPlace":
        body.rewriter.put(read.call, "dev_ctx.GetPlace()", rule="get_place")
    elif method == "IsRuntime" and body.is_meta:
        body.needs_config = True
        body.rewriter.put(read.call, "config.is_runtime", rule="is_runtime")
    elif body.signature is None:
        body.cannot(read, "only a kernel can read the context: hand this function what it needs")
    elif known and read.name is None:
        body.cannot(read, "which name is meant is only known when this runs")
    elif known and parameter is None:
        body.cannot(read, f'"{read.name}" is no name of the operator\'s maker')
    elif method in ANSWERS and parameter is not None:
        ANSWERS[method](body, read, parameter)
    elif known:
        SETTERS[method](body, read)
    else:
        kind = "InferShapeContext" if body.is_meta else "ExecutionContext"
        body.cannot(read, f"{kind}::{method} has no row in the table")


# --- The context itself ---------------------------------------------------------------------------


_DEVICE_CONTEXTS = (
    "platform::DeviceContext",
    "platform::CPUDeviceContext",
    "platform::CUDADeviceContext",
    "platform::XPUDeviceContext",
    "phi::CPUContext",
    "phi::GPUContext",
)


def _device_context(body: FunctionBody, read: ContextCall) -> None:
    """`ctx.template device_context<DeviceContext>()` is the first parameter."""
    rewriter = body.rewriter
    asked = "::".join(rewriter.aliases.in_full(tuple(read.type.split("::"))))
    known = (*rewriter.device_types, *_DEVICE_CONTEXTS, "")
    if asked not in known:
        rewriter.note(read.call, "device_context", f"dev_ctx is no {read.type} by itself")
    local = kept_in(body.rewriter.locals, read.call)
    if local is not None and local.kind == "&" and local.alone:
        assert local.declaration is not None
        body.take_out(local.declaration, "device_context", "dev_ctx")
        for use in local.uses:
            if rewriter.source.spell(use) != "dev_ctx":
                rewriter.put(use, "dev_ctx", rule="device_context", anchor="dev_ctx")
        return
    rewriter.put(read.call, "dev_ctx", rule="device_context", anchor="dev_ctx")


def _handed_on(body: FunctionBody, use: Node) -> None:
    """The context as an argument: to a function of these files, which gets the device context and
    what it asked for."""
    rewriter = body.rewriter
    call = call_with(use)
    found = callees(rewriter.fluid, rewriter.source, call) if call is not None else []
    name = name_of(rewriter.source, parts_of_call(call)[0]) if call is not None else ""
    only_declared = any(d.name == name for d in rewriter.fluid.declarations)
    if (found or only_declared) and not body.is_meta:
        tables = [body.handed.get(node.id) for _, node in found]
        first = tables[0] if tables else None
        wanted = first.parameters if first is not None else ()
        same = all(t is not None and t.parameters == wanted for t in tables)
        given = ["dev_ctx", *(p.name for p in wanted if same)]
        rewriter.put(use, ", ".join(given), rule="device_context", anchor="dev_ctx")
        return
    reason = "the whole context is handed on: hand on what is needed of it"
    rewriter.note(use, "unknown", reason)


# --- What PHI has no need of ----------------------------------------------------------------------


def _drop_tensor_blocks(body: FunctionBody, found: list[ContextCall]) -> None:
    """`if (ctx.HasInput("AxisTensor")) { … axis = …; }`: a Scalar knows where it comes from."""
    for read in found:
        if body.signature is None or read.name is None:
            continue
        parameter = body.signature.dynamic_for(read.name)
        statement = tensor_block(read) if parameter is not None else None
        if parameter is not None and statement is not None and not body.is_gone(statement):
            rule = "int_array" if "vector" in parameter.cxx_type else "scalar"
            body.take_out(statement, rule, parameter.anchor)


def _drop_checks(body: FunctionBody, found: list[ContextCall]) -> None:
    """`PADDLE_ENFORCE(ctx->HasInput("X"), …)`: a reference is always there."""
    for read in found:
        if read.method not in ("HasInput", "HasInputs", "HasOutput", "HasOutputs"):
            continue
        statement = enclosing_statement(read.call)
        call = statement.named_children[0] if statement.named_children else None
        if call is None or call.type != "call_expression" or body.is_gone(statement):
            continue
        _, macro, _ = method_of_call(body.rewriter.source, call)
        is_check = macro.startswith("PADDLE_ENFORCE") or macro == "OP_INOUT_CHECK"
        parameter = body.parameter_of(read)
        first = parts_of_call(call)[1][:1]
        if is_check and first == [read.call] and parameter is not None and not parameter.optional:
            body.take_out(statement, "checked")


def _close_gaps(body: FunctionBody, block: Node) -> None:
    """Of two empty lines around statements that went, or one below a brace, none is
    left over."""
    text = body.rewriter.source.text
    gone = sorted(body.gone, key=lambda s: s.start)
    for index, span in enumerate(gone):
        after = text.find("\n", span.end) + 1
        following = gone[index + 1].start if index + 1 < len(gone) else block.end_byte
        if not text[after:following].strip() and index + 1 < len(gone):
            for at in range(after, following):  # the next statement goes as well
                if text[at] == "\n" and text[at - 1] == "\n":
                    body.rewriter.put(Span(at, at + 1))
            continue
        first = index
        while first and not text[gone[first - 1].end : gone[first].start].strip():
            first -= 1
        line = line_start(text, gone[first].start)
        above = text[:line].removesuffix("\n")
        if above.endswith(("{", "\n")) and text[after : after + 1] == "\n":
            body.rewriter.put(Span(after, after + 1))


# --- A kernel that looks at its own output --------------------------------------------------------


_BEFORE_MEMORY = "asks output {} for memory before it has any: Alloc it first"
_BEFORE_WRITING = "reads output {} before anything wrote it: only write an output, read the inputs"


def _note_output_reads(body: FunctionBody, block: Node) -> None:
    """A note at each expression that reads an output too early."""
    rewriter = body.rewriter
    for found in early_reads_in(block, rewriter.source.parsed, OF_CLASSES):
        node = block.descendant_for_byte_range(found.span.start, found.span.end)
        if node is not None:
            said = _BEFORE_WRITING if found.has_memory else _BEFORE_MEMORY
            rewriter.note(node, "output_read", f"this {said.format(found.output)}")
