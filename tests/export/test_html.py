"""The page: what stands in it, and its script run by Node and by a browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from itertools import pairwise, product

import pytest

from tests.waiting import PATIENCE
from visualizer.expansion.hiding import by_name
from visualizer.expansion.lexer import tokenize, would_fuse
from visualizer.expansion.moments import Timeline
from visualizer.expansion.tokens import spell
from visualizer.expansion.views import FINE, Look, view
from visualizer.export.html import html
from visualizer.layout.line_breaks import declarations, structure
from visualizer.scene.tour import Tour, tour

NODE = shutil.which("node")
_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
BROWSER = os.environ.get("UNFOLD_CHROMIUM") or next(
    filter(None, map(shutil.which, _BROWSERS)), None
)
needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")


class Page(HTMLParser):
    """A page's elements, each with its attributes and the text in it."""

    VOID = frozenset(("meta", "input", "link", "br", "wbr"))

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None], list[str]]] = []
        self._open: list[int] = []
        self.misnested: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), []))
        if tag not in self.VOID:
            self._open.append(len(self.elements) - 1)

    def handle_endtag(self, tag):
        if not self._open or self.elements[self._open.pop()][0] != tag:
            self.misnested.append(tag)

    def handle_data(self, data):
        for i in self._open:
            self.elements[i][2].append(data)

    def all(self, tag: str, **wanted: str) -> list[str]:
        """The texts of all such elements; `class` is spelled `kind`."""
        wanted = {"class" if k == "kind" else k: v for k, v in wanted.items()}
        return [
            "".join(text)
            for name, attributes, text in self.elements
            if name == tag and all(attributes.get(k) == v for k, v in wanted.items())
        ]


def page_of(toured: Tour) -> Page:
    return Page("".join(html(toured)))


def states(toured: Tour) -> list[list[str]]:
    """The line in every state, as the timeline has it and spells it."""
    timeline = toured.timeline
    return [[str(t.text) for t in timeline.state(k)] for k in range(len(timeline) + 1)]


def run(toured: Tour, program: str) -> object:
    """What a program prints that can use the page's script, and its `trace`."""
    page = page_of(toured)
    (script,) = [s for s in page.all("script") if "function replay" in s]
    (trace,) = page.all("script", id="trace")
    text = f"{script}\nconst trace = JSON.parse({json.dumps(trace)});\n{program}"
    done = subprocess.run([NODE, "-"], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


FORWARDS_AND_BACK = """
const film = replay(trace);
const spelled = () => film.line().map((code) => trace.texts[code >> 2]);
const forwards = [], backwards = [];
for (let k = 0; k <= trace.steps.length; k++) { film.go(k); forwards.push(spelled()); }
for (let k = trace.steps.length; k >= 0; k--) { film.go(k); backwards.unshift(spelled()); }
film.go(trace.steps.length); film.go(0);
console.log(JSON.stringify([forwards, backwards, spelled()]));
"""


@needs_node
@pytest.mark.parametrize("look", [FINE, Look(coarse=True)], ids=["fine", "coarse"])
def test_the_script_shows_every_state_forwards_and_backwards(registration, look):
    seen = view(Timeline(registration.expansion), look)
    toured = tour(registration.trace, registration.expansion, seen=seen)
    expected = states(toured)
    assert run(toured, FORWARDS_AND_BACK) == [expected, expected, expected[0]]


@needs_node
def test_the_script_replays_any_text(tricky):
    expected = states(tricky)
    assert run(tricky, FORWARDS_AND_BACK) == [expected, expected, expected[0]]


@needs_node
def test_a_splice_may_be_longer_than_a_call_has_arguments(of_text):
    toured = of_text(f"#define MANY {'x ' * 300_000}\n#define SAME(x) x\nSAME(MANY)\n")
    counts = "const f = replay(trace); f.go(3); const n = f.line().length; f.go(0);"
    assert run(toured, f"{counts} console.log(JSON.stringify([n, f.line().length]))") == [
        300_000,
        4,
    ]


@needs_node
def test_the_script_lays_the_line_out_as_the_stepper_does(registration):
    laid_out = """
    const film = replay(trace);
    const rows = trace.steps.map((_, k) => {
      film.go(k);
      return declarations(film.line().map((code) => trace.texts[code >> 2]));
    });
    console.log(JSON.stringify(rows));
    """
    for k, rows in enumerate(run(registration, laid_out)):
        texts = [token.text for token in registration.timeline.state(k)]
        assert rows == [list(b) for b in declarations(texts, structure(texts))]


@needs_node
def test_the_script_sets_tokens_apart_where_the_lexer_needs_it(registration):
    line = """a B1 1 .5 1e 0x1p 5. "s" 'c' u8 u L R + - * / % & | ^ = < > ! ~ ? : :: . .. ... -> ,
    ; ( ) [ ] { } # ## <= >> << && || ++ -- += <=> ->* .* <: %: :: 漢 é"""
    tokens = tokenize(line.replace("\n", " "), "")[0]
    apart = (
        "const fused = pairs.map(([a, b]) => wouldFuse(a, b)); console.log(JSON.stringify(fused))"
    )
    pairs = list(product(tokens, tokens))
    spelled = json.dumps([(a.text, b.text) for a, b in pairs])
    fused = run(registration, f"const pairs = {spelled}; {apart}")
    wrong = [
        (a.text, b.text) for (a, b), f in zip(pairs, fused, strict=True) if would_fuse(a, b) > f
    ]
    assert wrong == []
    needless = sum(f > would_fuse(a, b) for (a, b), f in zip(pairs, fused, strict=True))
    assert needless < len(pairs) // 50


@needs_node
def test_the_script_steps_over_invocations_as_the_stepper_does(registration):
    timeline = registration.timeline
    both = "trace.steps.map((_, k) => [over(trace.steps, k), backOver(trace.steps, k)])"
    expected = [[timeline.over(k), timeline.back_over(k)] for k in range(len(timeline))]
    assert run(registration, f"console.log(JSON.stringify({both}))") == expected


def test_the_page_is_well_formed_and_loads_nothing(registration, tricky):
    for toured in (registration, tricky):
        page = page_of(toured)
        assert page.misnested == []
        for _, attributes, _ in page.elements:
            assert not {"src", "onclick", "onload"} & attributes.keys()
            assert (attributes.get("href") or "#").startswith("#")
        (policy,) = [a["content"] for _, a, _ in page.elements if "http-equiv" in a]
        assert policy.startswith("default-src 'none'")
        assert not re.search(r"https?:|@import|url\(", "".join(html(toured)))


def test_no_token_can_break_out(tricky):
    page = page_of(tricky)
    assert len(page.all("script")) == 2
    assert "<" not in page.all("script", id="trace")[0]
    (source,) = page.all("pre", kind="code")[:1]
    assert source.split() == spell(tricky.expansion.before).split()


def test_without_javascript_it_is_a_list_of_the_steps(registration):
    page = page_of(registration)
    told = page.all("p", kind="told")
    assert len(told) == len(registration.timeline)
    assert told[13] == "_PD_ARG_N_EXPAND counts: 6 arguments push 6 into N."
    became = page.all("pre", kind="code becomes")
    assert "".join(became[0].split()) == "".join(
        t.text.replace(" ", "") for t in registration.timeline.moments[0].insert
    )
    hidden = [a for tag, a, _ in page.elements if "hidden" in a]
    assert {a["id"] for a in hidden} == {"stage", "card", "controls"}


def test_each_definition_stands_in_it_once(registration):
    page = page_of(registration)
    used = {m.step.definition for m in registration.timeline.moments if m.step.definition}
    assert len(page.all("figure")) == len(used)
    ids = [a["id"] for _, a, _ in page.elements if "id" in a]
    assert len(ids) == len(set(ids))
    links = {a["href"] for tag, a, _ in page.elements if tag == "a"}
    assert links <= {f"#{i}" for i in ids}


def test_hidden_macros_are_left_out(registration):
    seen = view(Timeline(registration.expansion), FINE, by_name("PD_CONCATENATE*"))
    toured = tour(registration.trace, registration.expansion, seen=seen)
    text = "".join(html(toured))
    assert "3 steps are hidden: PD_CONCATENATE, PD_CONCATENATE1 and PD_CONCATENATE2." in text
    assert "#define PD_CONCATENATE1" not in text


def test_the_registry_fills_with_the_steps(registration, bitwise):
    entries = [a for _, a, _ in page_of(registration).elements if a.get("class") == "entry"]
    born = [bitwise.born(e) for e in bitwise.entries if e.expansion == 3]
    assert [(int(a["data-begun"]), int(a["data-complete"])) for a in entries] == born


def test_the_page_grows_with_what_is_spliced_not_with_the_line(of_text):
    def size(words: int) -> int:
        steps = "".join(f"S{i % 7} " for i in range(40))
        defines = "".join(f"#define S{i} s\n" for i in range(7))
        same = "#define SAME(x) x\n"
        return len("".join(html(of_text(f"{defines}{same}SAME({'w ' * words}{steps})\n"))))

    small, large, larger = map(size, (1_000, 3_000, 5_000))
    growth = [b - a for a, b in pairwise((small, large, larger))]
    assert max(growth) < 2_000 * 40  # bytes of a word, once here and there, and not 40 times


@pytest.mark.browser
@pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")
def test_a_browser_steps_with_the_keys(registration, tmp_path):
    press = """
    for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowLeft"])
      document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    document.querySelector("#line u").click();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
    """
    file = tmp_path / "page.html"
    file.write_text("".join(html(registration)) + f"<script>{press}</script>", encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000"]
    done = subprocess.run(
        [BROWSER, *flags, f"--user-data-dir={tmp_path}", "--dump-dom", file.as_uri()],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    page = Page(done.stdout)
    assert page.all("output", id="count") == ["141 / 142"]
    (line,) = page.all("div", id="line")
    tokens = [*registration.timeline.state(141), *registration.tail]
    assert "".join(line.split()) == "".join("".join(t.text.split()) for t in tokens)
    told = page.all("p", kind="told")
    assert page.all("p", id="happened") == [told[140]]
    newest = [a for _, a, _ in page.elements if "newest" in (a.get("class") or "").split()]
    assert [a["data-complete"] for a in newest] == [str(registration.made[-1].complete)]
