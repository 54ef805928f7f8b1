"""Whatever the text holds, running it ends, and raises nothing."""

import re
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from registry_runtime.cxx import parse as parsing
from tests.cxx.toy import run
from tests.pace import quickest

TEXT = """
struct S {}; static_assert(std::is_same<::S, S>::value, "global");
namespace n { template <typename T, int N = 3> void f(const T& x, std::vector<T*> y) { g(x); } }
template decltype(n::f<int>) n::f<int>;
static void body(const toy::Box& b, toy::Box* p);
static const toy::Show s(::toy::Colour::RED, "a" "b", toy::TypeOf<decltype(&n::f<int>), &body>::text,
    &body, reinterpret_cast<void*>(&n::f<bool, 2>), true ? 1 : -2 + 3, !false && 1 == 1);
using A = const toy::Tensor&; typedef int I; using namespace toy; using toy::Show;
void body(const toy::Box& b, toy::Box* p) { if (b.colour() == Colour::RED) { p->paint(RED); } }
"""
TOKENS = re.findall(r'"[^"]*"|\w+|::|->|\s+|.', TEXT)
OTHERS = [
    *"{}()<>;,:&*=+-!.#\"'\\",
    *("::", "namespace", "template", "static", "operator", "decltype", "é", "🚀", "\0", "\ud800"),
    *("1e99999", "9" * 99, "using A = A;", "struct", "if", "else", "return", "auto", "\n"),
]


@settings(max_examples=300)
@given(
    st.lists(
        st.tuples(
            st.integers(0, len(TOKENS) - 1),
            st.sampled_from(["delete", "replace", "insert", "swap"]),
            st.sampled_from(OTHERS),
            st.integers(0, len(TOKENS) - 1),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_a_mangled_text_gives_errors_inside_the_text(
    edits: list[tuple[int, str, str, int]],
) -> None:
    tokens = list(TOKENS)
    for at, edit, other, elsewhere in edits:
        if edit == "delete":
            tokens[at] = ""
        elif edit == "replace":
            tokens[at] = other
        elif edit == "insert":
            tokens[at] += other
        else:
            tokens[at], tokens[elsewhere] = tokens[elsewhere], tokens[at]
    text = "".join(tokens)
    result = run(text)
    spans = [error.span for error in (*result.errors, *result.warnings)]
    spans += [item.span for item in result.objects] + [i.span for i in result.instantiations]
    for span in spans:
        assert 0 <= span.start <= span.end <= len(text)


DEEP = 4000


@pytest.mark.parametrize(
    "text",
    [
        f"toy::Show s({'(' * DEEP}1{')' * DEEP});",
        f"toy::Show s({'!' * DEEP}true);",
        f"toy::Show s{{{'toy::' * DEEP}x}};",
        f"template <typename T> void f(T{'*' * DEEP} x); toy::Show s(&f<int>);",
        f"void f({'std::vector<' * DEEP}int{'>' * DEEP} x); toy::Show s(&f);",
        f"toy::Show s(toy::Box(){'.paint(toy::Colour::RED)' * DEEP});",
        f"void f({'void (' * DEEP}int{')' * DEEP}); toy::Show s(&f);",
    ],
    ids=["parentheses", "not", "names", "pointers", "templates", "calls", "functions"],
)
def test_nesting_without_end_is_an_error(text: str) -> None:
    assert len(run(text).errors) == 1


@pytest.mark.parametrize(("piece", "few"), [("}", 10_000), ("V<", 1_500)], ids=["braces", "angles"])
def test_what_is_wrong_many_times_takes_no_square_of_that(piece: str, few: int) -> None:
    once = quickest(lambda: run(piece * few), tries=3)
    assert quickest(lambda: run(piece * (4 * few)), tries=2) < 9 * once


def test_what_tree_sitter_would_read_again_and_again_is_refused_at_its_place() -> None:
    """Each time the next `<` is met: of 8,000 that took half a minute, and no key was heard."""
    deep = f"toy::Show s(1);\nint i = {'a<1>::' * 8000}b;\ntoy::Show t(2);\n"
    found = run(deep)
    assert [object.name for object in found.objects] == ["s"]
    assert [error.span.start for error in found.errors] == [deep.index("int i")]
    assert "nested here so deeply" in found.errors[0].message
    assert len(run(deep.replace("a<1>::" * 8000, "a<1>::" * 100)).objects) == 2


def test_length_is_no_nesting() -> None:
    text = f"toy::Show s({' || '.join(['false'] * DEEP)});"
    assert run(text).errors == ()
    blocks = "namespace a { " * DEEP + "toy::Show s(1);" + "}" * DEEP
    assert len(run(blocks).objects) == 1
    unions = f"struct S {{ int a; {'union { ' * DEEP}int a; {'};' * DEEP} }};"
    assert [error.span.start for error in run(unions).errors] == [unions.rindex("a;")]


@pytest.mark.parametrize(
    ("before", "piece", "behind", "few"),
    [
        ("", "void f(int);", "", 250),
        ("struct S {", "void f(S<{}>);", "};", 300),
        ("", "struct N {{", "", 1000),
        ("", "template <class T> ", "void f();", 250),
    ],
    ids=["one function", "overloads in a class", "nested classes", "nested templates"],
)
def test_what_stands_many_times_takes_no_square_of_that(
    before: str, piece: str, behind: str, few: int
) -> None:
    def text(times: int) -> str:
        end = behind or "};" * times * piece.endswith("{{")
        return f"{before}{''.join(map(piece.format, range(times)))}{end}"

    once = quickest(lambda: run(text(few)), tries=3)
    assert quickest(lambda: run(text(4 * few)), tries=2) < 9 * once


def test_another_thread_goes_on_while_a_long_text_is_parsed(monkeypatch) -> None:
    """That of the keys above all: tree-sitter takes a second a megabyte, and holds Python's lock."""
    goes_on, parsed = [0], threading.Event()

    def go_on() -> None:
        while not parsed.wait(0.001):
            goes_on[0] += 1

    other = threading.Thread(target=go_on)
    seen: list[int] = []
    monkeypatch.setattr(parsing, "taken_too_kindly", lambda *_: seen.append(goes_on[0]) or ())
    monkeypatch.setattr(parsing, "mend", lambda text, braces: seen.append(goes_on[0]) or text)
    other.start()
    try:
        source = parsing.parse("int f(int a) { return a + 1; }\n" * 30_000)
    finally:
        parsed.set()
        other.join()
    before, after = seen
    assert after - before > 10
    assert source.root.children[-1].text == b"int f(int a) { return a + 1; }"


def test_several_threads_parse_at_once() -> None:
    """Who calls a reading off may begin another before the first one notices: with one parser for both
    the process crashed."""
    found: list[int] = []

    def parse(number: int) -> None:
        text = f"int f(int a) {{ return a + {number}; }}\n" * 20_000
        found.append(len(parsing.parse(text).root.children))

    threads = [threading.Thread(target=parse, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [20_000] * 3


def test_names_of_a_long_text_are_not_asked_for_their_spelling(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """For each, tree-sitter asks Python for the text once more."""
    asked: list[int] = []
    piece = parsing._Pieces.__call__

    def counted(pieces: parsing._Pieces, start: int, point: object) -> bytes:
        asked.append(start)
        return piece(pieces, start, point)

    monkeypatch.setattr(parsing._Pieces, "__call__", counted)
    text = "int f(int a) { return a + 1; }\n" * 3_000
    source = parsing.parse(text + "int while = 1;\n")
    assert len(asked) < 20
    assert [source.spell(node) for node, _ in source.too_kind] == ["while"]
