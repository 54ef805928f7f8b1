"""Whatever a body is made of, only what a rule names changes in it."""

import re
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.migration.operator_text import operator_text, piece
from visualizer.expansion import InputError
from visualizer.migration.reading.fluid_text import parse, syntax_error
from visualizer.migration.stages import migrate_texts

# What a rule would take for an idiom, were it not in a comment or a literal.
BAIT = st.sampled_from(
    [
        'ctx.Input<Tensor>("X")', "framework::Tensor", "DeviceContext", "mutable_data<T>(place)",
        "platform::errors::NotFound", "ctx.GetPlace()", "axis", "x->dims()", "REGISTER_OP_CPU_KERNEL(a",
        "CUDA_KERNEL_LOOP(i, n)", "<<<1, 2>>>", "HOSTDEVICE", "Tensor", "é", "名", "  ", "\\t",
    ]
)  # fmt: skip
WORDS = st.lists(BAIT, max_size=4).map(" ".join)
OPAQUE = st.one_of(
    WORDS.map(lambda t: f"// {t}\n"),
    WORDS.map(lambda t: f"/* {t} */"),
    WORDS.map(lambda t: 'F("' + t.replace('"', '\\"') + '");'),
    WORDS.map(lambda t: f'F(R"x({t}\n    {t})x");'),
)
PLAIN = st.sampled_from(
    [
        "int n = 0;", "for (int i = 0; i < n; ++i) { n += i; }", "if (n  >  1) { G( n ); }",
        "auto f = [](int a) { return a; };", "std::vector<int> v{1,2};", "G<T>(n,n);", "\n\n",
    ]
)  # fmt: skip
CHANGED = st.sampled_from(
    [
        'F(ctx.Input<framework::Tensor>("X")->dims());',
        'F(ctx.Attr<int>("axis"));',
        "F(ctx.GetPlace());",
        "framework::Tensor t;",
        "F(platform::is_cpu_place(ctx.GetPlace()));",
        "framework::Odd o;",
    ]
)
LITERAL = re.compile(r'R"x\(.*?\)x"|"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


def kernel_of(body: str) -> str:
    text = operator_text(body, op_type="scale")
    return piece(migrate_texts((parse(Path("test_op.cc"), text),)), "cpu/scale_kernel.cc")


@settings(max_examples=60)
@given(st.lists(st.one_of(OPAQUE, PLAIN, CHANGED), max_size=8))
def test_comments_and_literals_never_change(parts: list[str]) -> None:
    body = "\n    ".join(parts)
    new = kernel_of(body)
    start = new.index(") {\n", new.index("void TestKernel"))
    kept = [m[0] for m in LITERAL.finditer(new, start, new.rindex("}  // namespace phi"))]
    names = ('"X"', '"axis"')  # read from the context, and now a parameter's
    wanted = [m[0] for m in LITERAL.finditer(body) if m[0] not in names]
    ours = [t for t in kept if not t.startswith("// TODO(migrate)") and t not in names]
    assert ours == wanted


TOKENS = re.findall(
    r'\w+|\s+|"[^"\n]*"|[^\w\s]',
    operator_text(
        'auto* x = ctx.Input<framework::Tensor>("X");\n'
        'auto* out = ctx.Output<framework::Tensor>("Out");\n'
        "if (x->numel() > 0) out->mutable_data<T>(x->dims(), ctx.GetPlace());"
    ),
)


@settings(max_examples=80)
@given(st.integers(0, len(TOKENS) - 1), st.integers(0, len(TOKENS) - 1), st.booleans())
@example(at=221, other=222, drop=False)  # leaves a lone `;`
def test_a_damaged_file_is_migrated_or_refused(at: int, other: int, drop: bool) -> None:
    tokens = [*TOKENS]
    tokens[at] = "" if drop else f"{tokens[at]} {tokens[other]}"
    try:
        found = migrate_texts((parse(Path("test_op.cc"), "".join(tokens)),))
    except InputError:
        return
    assert all(syntax_error(p.text) is None for p in found.pieces)


@settings(max_examples=60)
@given(st.lists(st.one_of(OPAQUE, PLAIN), max_size=8))
def test_text_that_no_rule_names_is_kept(parts: list[str]) -> None:
    body = "\n    ".join(parts)
    new = kernel_of(body)
    lines = [line.strip() for line in body.split("\n")]
    inside = new.split("DenseTensor* out) {\n", 1)[1].split("\n}\n\n}  // namespace phi", 1)[0]
    assert [line.strip() for line in inside.split("\n")] == lines
