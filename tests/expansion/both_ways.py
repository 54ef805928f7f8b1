"""A file printed from its trace, and as it is expanded for its text alone; and what is said of it."""

from __future__ import annotations

from pathlib import Path

from visualizer.expansion import Options, preprocess
from visualizer.expansion.language import language
from visualizer.expansion.pragmas import as_printed
from visualizer.expansion.preprocessor import Preprocessor, expand
from visualizer.export.preprocessed import preprocessed

CXX = Options(std="gnu++20")


def by_trace(file: Path, options: Options, markers: bool) -> tuple[str, list[str]]:
    trace = preprocess(file, options)
    spoken = language(options.settled(file).std)
    tokens = as_printed(Preprocessor(options.settled(file)), trace.output)
    text = preprocessed(tokens, markers, trace.spelled, trace.ascii_names, spoken)
    return "".join(text), sorted(map(str, trace.diagnostics))


def by_itself(file: Path, options: Options, markers: bool) -> tuple[str, list[str]]:
    expanded = expand(file, options)
    names, spoken = expanded.ascii_names, expanded.language
    text = "".join(preprocessed(expanded.tokens, markers, expanded.spelled, names, spoken))
    return text, sorted(map(str, expanded.diagnostics))
