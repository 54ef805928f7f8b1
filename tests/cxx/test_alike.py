"""What is looked at once for all that is like it: to look at each says the same."""

from __future__ import annotations

import re
from random import Random

import pytest

from registry_runtime.cxx import known_names, read_type
from registry_runtime.cxx.alike import Shapes
from registry_runtime.cxx.program import Program as Text
from registry_runtime.program import Program
from tests.cxx.toy import run

ITEM = """\
template <typename T{0}, typename C> void made{0}(const C& first{0}, T{0}* second{0}) {{
  int local{0} = 1; for (int i = 0; i < local{0}; ++i) {{ int inner{0} = i; }}
  auto l{0} = [](int a{0}) {{ const int b{0} = a{0}; return b{0}; }};
}}
struct Held{0} {{ int one{0}; enum {{ RED{0}, GREEN{0} }}; void f{0}(int x{0}, long x{0}_t); }};
static int __made{0}(unsigned n{0}, const char* s = "n{0}") {{ return static_cast<int>(n{0}); }}
namespace space{0} {{ enum E{0} {{ A{0}, B{0} }}; typedef E{0} Alias{0}; }}
"""
WORDS = (
    "const",
    "static",
    "int",
    "void",
    "extern",
    "class",
    "while",
    "static_cast",
    "__typeof",
    "::",
)
TOKEN = re.compile(r'"[^"\n]*"|\w+|::|[^\w\s]')


def edited(text: str, random: Random) -> str:
    """The text with some of its tokens left out, said twice, or exchanged for others."""
    for _ in range(random.randint(1, 3)):
        tokens = [*TOKEN.finditer(text)]
        at, other = random.choice(tokens), random.choice(tokens)
        new = random.choice(("", f"{at[0]} {at[0]}", f" {random.choice(WORDS)} ", other[0]))
        if random.random() < 0.6:  # a name for a name, which leaves all else as it is
            words = [token for token in tokens if token[0].isidentifier()]
            at, new = random.choice(words), random.choice(words)[0]
        text = f"{text[: at.start()]}{new}{text[at.end() :]}"
    return text


def told(text: str) -> list[tuple[str, str, int, int]]:
    result = run(text)
    found = [*result.errors, *result.warnings, *result.skipped]
    return [(e.message, e.hint, e.span.start, e.span.end) for e in found]


@pytest.mark.parametrize("seed", range(60))
def test_what_is_like_another_is_told_as_if_it_stood_alone(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(seed)
    items = [ITEM.format(n) for n in range(4)]
    at = random.randrange(len(items))
    once = edited(items[at], random)
    # The same edit in another, under other names: what is wrong is wrong in both.
    text = "".join([*items[:at], once, *items[at + 1 :], once.replace(str(at), "9")])
    alike = told(text)
    monkeypatch.setattr(Shapes, "of", lambda self, node: node.id)
    assert alike == told(text)


def test_names_that_are_the_same_make_another_shape() -> None:
    pieces = "void f(int a, int b) {}", "void g(int c, int d) {}", "void h(int e, int e) {}"
    assert [message for message, *_ in told("\n".join(pieces))] == ["`e` is declared twice"]


def test_keywords_and_the_implementations_names_make_another_shape() -> None:
    text = "void f(int a, __real__ b) {}\nvoid g(int c, int while) {}\nvoid h(int d, int e) {}\n"
    assert "`while` is a keyword, and can't be a name" in [message for message, *_ in told(text)]


REGISTRATION = """\
namespace phi {{ template <typename T, typename Context>
void Made{0}Kernel(const Context& dev_ctx, const DenseTensor& x, Own n, DenseTensor* out) {{}} }}
template decltype(phi::Made{0}Kernel<float, ::phi::CPUContext>)
  phi::Made{0}Kernel<float, ::phi::CPUContext>;
static void def{0}(const ::phi::KernelKey& key, ::phi::Kernel* kernel);
static const ::phi::KernelRegistrar reg{0}(::phi::RegType::INNER, "made_{0}", "CPU",
  phi::DataLayout::ALL_LAYOUT, ::phi::CppTypeToDataType<float>::Type(),
  ::phi::KernelArgsParseFunctor<decltype(&phi::Made{0}Kernel<float, ::phi::CPUContext>)>::Parse,
  &def{0},
  ::phi::KernelImpl<decltype(&phi::Made{0}Kernel<float, ::phi::CPUContext>),
    &phi::Made{0}Kernel<float, ::phi::CPUContext> >::Compute,
  reinterpret_cast<void*>(&::phi::KernelImpl<decltype(&phi::Made{0}Kernel<float, ::phi::CPUContext>),
    &phi::Made{0}Kernel<float, ::phi::CPUContext> >::VariadicCompute));
static void def{0}(const ::phi::KernelKey& key, ::phi::Kernel* kernel) {{ {1} }}
"""
BODIES = (
    "",
    "int n = 1; ++n;",
    "kernel->InputAt(0).SetBackend(phi::Backend::ALL_BACKEND);",
    "return;",
)
BESIDE = (
    *(
        "namespace phi { struct KernelKey; }",
        "using namespace phi;",
        "struct phi;",
        "using Key = int;",
    ),
    *("namespace other { using phi::KernelKey; struct DenseTensor {}; }", "typedef float T;"),
    *(
        "namespace phi { using DenseTensor = int; }",
        "namespace phi { namespace phi { struct Kernel; } }",
    ),
    *("namespace phi { enum class CPUContext { A }; }", "void phi();", "int Context;"),
)


def registered(text: str) -> object:
    done = Program().run(text)
    said = [(d.message, d.hint, d.span.start, d.span.end) for d in done.diagnostics]
    of_kernels = done.phi.registrations
    kernels = [(r.kernel_name, r.function, r.span, str(r.args_def_before)) for r in of_kernels]
    return said, kernels, done.unknown, done.unknown_types


@pytest.mark.parametrize("seed", range(60))
def test_what_is_spelled_alike_is_read_as_if_it_stood_alone(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(seed)
    items = [REGISTRATION.format(n, random.choice(BODIES)) for n in range(4)]
    for beside in ("namespace phi { using Own = int; }", random.choice(BESIDE)):
        items.insert(random.randrange(3), f"{beside}\n")
    if seed % 3:
        at = random.randrange(len(items))
        items[at] = edited(items[at], random)
    text = "".join(["using Own = double;\n", *items])
    alike = registered(text)
    with monkeypatch.context() as apart:
        apart.setattr(Shapes, "of", lambda self, node: node.id)
        apart.setattr(Text, "spelled", lambda self, key, at, work_out: work_out())
        for reader in (read_type, known_names):
            apart.setattr(reader, "bound_type", lambda program, node, place: None)
        assert alike == registered(text)
