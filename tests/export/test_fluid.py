"""Documents of Fluid's registrations: what they made, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

from markdown_it import MarkdownIt

from visualizer.export.html import html
from visualizer.export.markdown import markdown
from visualizer.scene.tour import Tour, tour
from visualizer.workbench.bench import Workbench, open_file
from visualizer.workbench.samples import samples_folder

FLUID = samples_folder() / "fluid"
PARSER = MarkdownIt("commonmark").enable("table")


def toured(bench: Workbench, index: int) -> Tour:
    return tour(bench.trace, bench.trace.expansions[index], bench)


def test_a_document_lists_fluids_kernels_with_their_keys() -> None:
    bench = open_file(FLUID / "trace_op.cc")
    entry = next(e for e in bench.entries if e.registration.kind == "kernel")
    told = toured(bench, entry.expansion)
    page = PARSER.render("".join(markdown(told)))
    rows = page.partition("What it registered")[2].split("<tr>")[2:]
    assert len(rows) == 7
    assert "library_type[PLAIN]" in rows[0]
    assert "paddle::operators::TraceKernel&lt;phi::CPUContext, float&gt;" in rows[0]
    assert "What is wrong" not in page
    assert "".join(html(told)).count('<li class="entry"') == 7


def test_what_is_wrong_with_a_registration_is_told_with_it(tmp_path: Path) -> None:
    path = tmp_path / "neg_op.cc"
    path.write_text(
        f'#include "{FLUID}/op_registry.h"\n'
        "class NegOp : public paddle::framework::OperatorWithKernel {"
        " public: using paddle::framework::OperatorWithKernel::OperatorWithKernel; };\n"
        "REGISTER_OPERATOR(neg, NegOp, NegOpMaker);\n"
        "REGISTER_OPERATOR(pos, NegOp);\n"
    )
    bench = open_file(path)
    page = PARSER.render("".join(markdown(toured(bench, 0))))
    _, _, wrong = page.partition("What is wrong with it")
    assert f"<code>{path}:3:31</code>" in wrong
    assert "<code>NegOpMaker</code> is nothing that <code>REGISTER_OPERATOR</code> knows" in wrong
    assert "The text doesn't define it" in wrong
    assert "What is wrong" not in "".join(markdown(toured(bench, 1)))


def test_a_page_tells_what_is_wrong_too(tmp_path: Path) -> None:
    path = tmp_path / "neg_op.cc"
    path.write_text(
        f'#include "{FLUID}/op_registry.h"\n'
        "class NegOp : public paddle::framework::OperatorWithKernel {"
        " public: using paddle::framework::OperatorWithKernel::OperatorWithKernel; };\n"
        "REGISTER_OPERATOR(neg, NegOp, NegOpMaker<float>);\n"
        "REGISTER_OPERATOR(pos, NegOp);\n"
    )
    bench = open_file(path)
    wrong = "".join(html(toured(bench, 0))).partition("What is wrong with it</h2>")[2]
    assert f"<strong>error</strong> at <code>{path}:3:31</code>: " in wrong
    assert "<code>NegOpMaker&lt;float&gt;</code> is nothing that REGISTER_OPERATOR knows" in wrong
    assert "What is wrong" not in "".join(html(toured(bench, 1)))
