"""What is wrong with an answer, as a sentence.

A check asks `selects relu GPU NCHW float32` and gets `not found`. A learner has never seen that
question, and is told of the call that it stands for: "a call of relu with (GPU, NCHW, float32) comes
out as: not found; it should be: found". What stands before a question, `loaded CustomCPU`, comes
before the sentence.
"""

from __future__ import annotations

import re

from visualizer.learning.comparing import short


def sentence(question: str, found: str, wanted: str | None) -> str:
    """What the learner's file answers, and what it should, unless that is None."""
    word, *rest = question.split()
    if word in _BEFORE:
        first, *behind = rest
        where = _BEFORE.get(f"{word} {first}") or _BEFORE[word].format(first)
        return where + sentence(" ".join(behind), found, wanted)
    if word in ("here", "beside"):
        return sentence(" ".join(rest[word == "beside" :]), found, wanted)
    is_so, should_be = _SENTENCES.get(word, _ANY)
    named = {"question": question, "call": " ".join(rest), "tail": " ".join(rest[1:])}
    named["operands"] = " ".join(rest[2:])
    words = [_FIELDS.get(word, _of_type(word)) for word in rest]
    words += [""] * (_MOST - len(rest))
    told = is_so.format(*words, **named, found=short(found or "nothing", 200))
    if wanted is None:
        return told
    return f"{told}; {should_be.format(wanted=wanted or 'nothing')}"


def _of_type(word: str) -> str:
    """`CPU:float32`, as one says it."""
    match = re.fullmatch(r"(\w+):(\w+)", word)
    return f"{match[1]} for {match[2]}" if match else word


_FIELDS = {"dtype": "data type", "type_index": "type"}
_MOST = 5  # words of a question that a sentence names
_BEFORE = {
    "in": "as {} reads it, ",
    "loaded": "once the plug-in of {} is loaded, ",
    "compiled": "compiled for {}, ",
    "without": "without the block on line {}, ",
    "without last": "without the last block, ",
}
_ANY = ("asked for `{question}`, the file says: {found}", "it should say: {wanted}")
_BE, _ARE = "it should be {wanted}", "they should be {wanted}"
_SENTENCES = {
    # The line.
    "becomes": ("{call} becomes {found}", _BE),
    "value": ("{call} is {found}", _BE),
    "error": ("the first error is: {found}", "it should be: {wanted}"),
    "warning": ("the file gets a warning: {found}", "it should get {wanted}"),
    # PHI's registry.
    "entries-of-file": ("the file registers {found} in all", "it should be {wanted}"),
    "selects": (
        "a call of {0} with ({1}, {2}, {3}) comes out as: {found}",
        "it should be: {wanted}",
    ),
    "transforms": ("before a call of {0} with ({1}, {2}, {3}): {found}", "it should be: {wanted}"),
    "function": ("behind {0} for {1} stands {found}", _BE),
    "count": ("{0} on {1} has this many {2}s: {found}", _BE),
    "kind": ("{0} is registered as a {found}", _BE),
    "slot": ("{2} {3} of {0} on {1} has the {4} {found}", _BE),
    # PyTorch's dispatcher.
    "entry": ("for {1}, the table of {0} has {found}", "it should have {wanted}"),
    "reason": ("for {1}, what the table of {0} has is there as: {found}", "it should be: {wanted}"),
    "kernels": ("for {1}, there is registered of {0}: {found}", "it should be: {wanted}"),
    "schema": ("the schema of {0} is {found}", _BE),
    "writes": ("by its schema, {0} writes to: {found}", "it should be: {wanted}"),
    "aliases": ("by its schema, the result of {0} shares its memory with: {found}", _BE),
    "parameters": ("the parameters of {0} are ({found})", "they should be ({wanted})"),
    "hops": ("a call {call} goes to {found}", "it should go to {wanted}"),
    "inner-hops": ("what a call {call} calls in turn goes to {found}", "it should go to {wanted}"),
    "says": ("a call {call} ends with the error: {found}", "it should be: {wanted}"),
    "gives": ("a call {call} gives {found}", "it should give {wanted}"),
    "returns": ("a call {call} returns {found}", "it should return {wanted}"),
    "fills": ("{1} fills the output of {operands} with: {found}", "it should be: {wanted}"),
    # PyTorch's stubs and loops.
    "filled": ("of {0}, these slots are filled: {found}", "it should be: {wanted}"),
    "chosen": ("a processor with {1} takes of {0}: {found}", "it should take {wanted}"),
    "in-slot": ("the slot {1} of {0} holds {found}", "it should hold {wanted}"),
    "builds-of": ("the slot {1} of {0} is filled this many times: {found}", _BE),
    "op": ("for the single elements {tail}, {0} computes {found}", _BE),
    "vop": ("for vectors of {tail}, {0} computes {found}", _BE),
    # An operator that is called by names.
    "mapped": ("for the call {tail}, the mapping says of {0}: {found}", "it should be: {wanted}"),
    "op-says": ("the call {call} ends with the error: {found}", "it should be: {wanted}"),
    "op-gives": ("the call {call} gives {found}", "it should give {wanted}"),
    "op-returns": ("the call {call} returns {found}", "it should return {wanted}"),
    "infers": ("for the call {call}, the shape function finds {found}", _BE),
    "infers-built": ("while the program is built, {call} is found to be {found}", _BE),
    "infers-dims": ("for the call {call}, the shape function finds {found}", _BE),
    "known-type": ("before the kernel runs, the type of {0} is {found}", _BE),
    "computed-by": ("the call {call} is computed by {found}", _BE),
    "gradient": ("the gradient of {tail} has the {0} {found}", _ARE),
    # Fluid's half of an operator.
    "unlinked": ("the linker misses {found}", "it should miss {wanted}"),
    "reads": ("the kernel of {0} asks for the {1} {found}", _ARE),
    "lists": ("the maker of {0} lists the {1} {found}", _ARE),
    "listing": ("of {1}, the maker of {0} says: {found}", "it should say: {wanted}"),
    "shapes-by": ("the shapes of {0} are found by {found}", _BE),
    "build-writes": ("for this file, the build writes: {found}", "it should write: {wanted}"),
}
