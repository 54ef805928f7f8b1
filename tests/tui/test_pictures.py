"""Pictures of one idea: what they draw is what the trace and the registry hold, and what gcc says."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from compilers import INSTALLED, needs_compiler, preprocessed_by

from tests.tui.settled import settled
from visualizer.export.svg import drawing, svg
from visualizer.frameworks.stories import story_of
from visualizer.frameworks.story import Strided
from visualizer.learning import lesson, player
from visualizer.messages import spoken
from visualizer.scene.pictures import PICTURES, drawn, next_picture
from visualizer.scene.pictures.strides import of_story, strides
from visualizer.scene.scene import Scene
from visualizer.scene.tour import tour
from visualizer.tui.app import UnfoldApp
from visualizer.tui.stepper.card import Card
from visualizer.workbench.bench import open_file
from visualizer.workbench.samples import samples_folder

BITWISE = samples_folder() / "phi" / "bitwise_kernel.cc"
TYPES = ["bool", "uint8_t", "int8_t", "int16_t", "int", "int64_t"]


@pytest.fixture(scope="module")
def bitwise():
    return open_file(BITWISE)


def at(bench, line, state):
    expansion = bench.expansion_at(line)
    whole = len(bench.timeline(expansion))
    return Scene(bench, expansion, whole if state is None else state)


def rows(name, scene, width=80):
    return ["".join(text for text, _ in row).rstrip() for row in drawn(name, scene, width)]


def met(bench, line, macro, nth=1):
    """The state in which that macro comes next for the nth time."""
    moments = bench.timeline(bench.expansion_at(line)).moments
    comes = [k for k, m in enumerate(moments) if m.step.macro == macro and m.partner >= k]
    return comes[nth - 1]


def of_lesson(id, name):
    return player.opened(lesson.load(lesson.find(id)), name)


@needs_compiler
@pytest.mark.compiler
def test_what_is_left_of_the_numbers_is_what_a_compiler_makes_of_the_line():
    bench = of_lesson("macros/6", "count.c")
    made, counted = preprocessed_by(INSTALLED[0], bench.path), 0
    for number, line in enumerate(bench.source_lines, 1):
        if " = COUNT(" in line:
            left = rows("counting", at(bench, number, None))[2].partition("left: ")[2]
            assert made[made.index(line.split()[1]) + 2] == left
            counted += 1
    assert counted == 4


def test_the_numbers_stand_at_home_and_are_pushed_by_as_many_things_as_there_are(bitwise):
    home = rows("counting", at(bitwise, 72, 0))
    assert home[1].split() == [str(n) for n in range(15, -1, -1)]
    assert len(home[0].split()) == 17
    state = met(bitwise, 72, "_PD_ARG_N_EXPAND")
    pushed = rows("counting", at(bitwise, 72, state))
    assert pushed[1].split()[6:16] == [str(n) for n in range(15, 5, -1)]
    assert pushed[2].endswith("N gets 6")
    assert pushed[2].index("▲") == pushed[0].index("N"), "the mark stands below its parameter"
    asked = rows("counting", replace(at(bitwise, 72, state), asked="bound"))
    assert asked == home, "a question would be answered by it"
    narrow = rows("counting", at(bitwise, 72, state), 40)
    assert max(map(len, narrow)) <= 40
    assert "N gets 6" in narrow[2]


@pytest.mark.parametrize("macro", ["_PD_KERNEL_INSTANTIATION_", "_PD_KERNEL_REGISTRAR_INIT_"])
def test_a_list_is_one_shorter_in_each_round(bitwise, macro):
    for left in range(5, 0, -1):
        state = met(bitwise, 72, f"{macro}{left}")
        *rounds, _, said = rows("peeling", at(bitwise, 72, state))
        heads = [row.partition("│")[0].split()[-1] for row in rounds]
        rests = [row.partition("│")[2].split() for row in rounds]
        assert heads == TYPES[: 7 - left]
        assert rests == [TYPES[n + 1 :] for n in range(7 - left)]
        assert rounds[-1].startswith(f"▸ {left}")
        assert said == ("1 thing is left." if left == 1 else f"{left} things are left.")
    end = rows("peeling", at(bitwise, 72, None))
    assert len(end) == 6 + 2
    assert end[-1] == "Nothing is left to be peeled."


def test_a_macro_that_comes_back_to_itself_peels_too():
    bench = of_lesson("macros/7", "again.c")
    line = next(n for n, text in enumerate(bench.source_lines, 1) if "all[]" in text)
    rounds = rows("peeling", at(bench, line, None))[:3]
    assert [row.split("│")[0].split()[-1] for row in rounds] == [*"abc"]


def test_each_pass_is_drawn_when_it_has_come():
    bench = of_lesson("macros/2", "order.c")
    told = [rows("passes", at(bench, 8, state)) for state in range(4)]
    assert told[0][1:] == ["  1st pass    x: ADD(1, 2) ⇒ …", "  put in      …", "  2nd pass    …"]
    assert told[2][1:3] == ["▸ 1st pass    x: ADD(1, 2) ⇒ ((1) + (2))", "  put in      …"]
    assert told[3][2] == "✓ put in      ((((1) + (2))) + (3))"
    again = of_lesson("macros/7", "again.c")
    line = next(n for n, text in enumerate(again.source_lines, 1) if "boxed[]" in text)
    last = rows("passes", at(again, line, None))
    assert last[1:] == [
        "✓ 1st pass    __VA_ARGS__: LATER(1) ⇒ BOX (1)",
        "✓ put in      BOX (1)",
        "✓ 2nd pass    {1}",
    ]


def test_a_name_leads_to_a_map_and_in_that_a_key(bitwise):
    told = rows("maps", at(bitwise, 83, None))
    keys = [row[row.index("(") :] for row in told if "(" in row]
    assert len(keys) == 6
    assert keys[-1].endswith("int64) ★")
    assert told[2].startswith("bitwise_or ─"), "the newest's name leads on"
    assert not rows("maps", at(bitwise, 72, 0)), "nothing is registered yet"
    plug_in = open_file(samples_folder() / "phi" / "plugin_softmax_kernel.cc")
    state = len(plug_in.timeline(plug_in.first_registration()))
    waiting = rows("maps", Scene(plug_in, plug_in.first_registration(), state))
    assert waiting[0].startswith("CustomKernelMap")
    assert waiting[-1] == "They wait for their plug-in: no call looks here."


def test_where_there_is_nothing_to_draw_no_picture_is_offered(bitwise):
    plain = of_lesson("macros/1", None)
    assert next_picture(Scene(plain, 0, 0)) == ""
    scene, seen = at(bitwise, 83, None), []
    while name := next_picture(scene):
        seen.append(name)
        scene = replace(scene, picture=name)
    assert seen == [*PICTURES]


def test_a_saved_picture_has_what_is_drawn_below_the_line(bitwise):
    scene = at(bitwise, 72, met(bitwise, 72, "_PD_ARG_N_EXPAND"))
    seen = tour(bitwise.trace, scene.invocation, bitwise, scene.view)
    picture = drawn("counting", scene, 80)
    root = ElementTree.fromstring("".join(svg(seen, scene.state, picture=picture)))
    texts = ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]
    said = [each.split() for each in texts]
    assert all(row.split() in said for row in rows("counting", scene) if row.strip())
    less = ElementTree.fromstring("".join(svg(seen, scene.state)))
    assert int(root.attrib["height"]) > int(less.attrib["height"])
    assert spoken() == "en"


async def test_a_key_draws_them_and_steps_move_them():
    bench = open_file(of_lesson("macros/6", "count.c").path)
    app = UnfoldApp(bench, bench.expansion_at(15), 0)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("P")
        await settled(pilot)
        card = app.screen.query_one(Card)
        drawn_now = "\n".join("".join(text for text, _ in row) for row in card._content)
        assert "stand while there is nothing" in drawn_now
        await pilot.press("right")
        await settled(pilot)
        drawn_now = "\n".join("".join(text for text, _ in row) for row in card._content)
        assert "d gets 2" in drawn_now
        await pilot.press("P")
        await settled(pilot)
        assert not app.screen.scene.picture
        await pilot.press("P")
        await settled(pilot)
        assert app.screen.scene.picture
        assert "Esc" in str(card.border_subtitle)
        await pilot.press("escape")
        await settled(pilot)
        assert not app.screen.scene.picture


CALLS = {
    "aten::add.Tensor Float[2,3,4] Int[3,1]": [(2, 3, 4), (3, 1)],
    "aten::add.Tensor Float[4,3] Float[3]": [(4, 3), (3,)],
    "aten::add.Tensor Float[3] 1": [(3,), ()],
}


def test_a_tensor_of_any_size_has_its_first_rows_drawn():
    drawn = strides([Strided("of Meta", (10**7, 10**7, 2), (2 * 10**7, 2, 1))], 80)
    rows = ["".join(text for text, _ in row).split() for row in drawn]
    assert rows[1:] == [[str(2 * n), str(2 * n + 1)] for n in range(6)] + [["…"]]


@pytest.mark.parametrize("call", CALLS)
def test_strides_are_drawn_as_numpy_reads_them(call):
    """What stands in the grids is what NumPy finds of 0, 1, 2 … when it broadcasts."""
    bench = open_file(samples_folder() / "aten" / "add.cc")
    story, shapes = story_of(bench, call), CALLS[call]
    at = story.end_of("compute_strides")
    together = np.broadcast_arrays(*(np.arange(np.prod(s, dtype=int)).reshape(s) for s in shapes))
    drawn_rows = ["".join(text for text, _ in row) for row in of_story(story, at, 80)]
    second = drawn_rows[0].index("input 1")
    count = together[0].reshape(-1, together[0].shape[-1]).shape[0]
    for of, columns in zip(together, (slice(0, second), slice(second, None)), strict=True):
        given = [row[columns] for row in drawn_rows[1 : 1 + count]]
        found = [
            [int(n) for n in row.translate({ord("·"): " ", ord("─"): " "}).split()] for row in given
        ]
        assert found == of.reshape(count, -1).tolist()
        marked = sum(row.count("·") for row in given)
        assert marked == of.size - len(np.unique(of))
    assert not of_story(story, story.end_of("populate_operands"), 80), "there are no strides yet"
    text = "".join(drawing(call, of_story(story, at, 100), "what it did"))
    assert ElementTree.fromstring(text).attrib["role"] == "img"
    assert drawn_rows[0].split()[:2] == ["input", "0"]
