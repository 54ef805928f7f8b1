"""The measuring loop, on a clock that only the timed functions move: every number is known."""

import gc

import pytest

from registry_runtime.lab.timing import Cancelled, Contender, Timing, by, measure


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def taking(self, seconds):
        """A function that takes so long, or, one after the other, each of a list, then the last."""
        left = list(seconds) if isinstance(seconds, list) else [seconds]

        def call(*arguments):
            self.now += left.pop(0) if len(left) > 1 else left[0]

        return call


def test_a_call_takes_what_it_takes():
    clock = Clock()
    contenders = [
        Contender("ours", clock.taking(1e-6), [()]),
        Contender("theirs", clock.taking(3e-6), [()]),
    ]
    timings = measure(contenders, 0.05, clock=clock)
    assert timings["ours"].median == pytest.approx(1e-6)
    assert timings["theirs"].median == pytest.approx(3e-6)
    assert timings["ours"].times_faster_than(timings["theirs"]) == pytest.approx(3)
    assert timings["ours"].spread == pytest.approx(0, abs=1e-12)
    assert 0.05 <= clock.now < 0.1


def test_the_first_calls_do_not_count():
    clock = Clock()
    slow_at_first = Contender("ours", clock.taking([10.0, 5.0, 2.0]), [(), ()])
    assert measure([slow_at_first], 0.01, clock=clock)["ours"].rounds == (2.0,) * 5


def test_a_noisy_stretch_hits_both_and_leaves_the_ratio():
    timing = Timing((1.0, 1.0, 8.0, 9.0, 7.0))
    other = Timing((2.0, 2.0, 16.0, 18.0, 14.0))
    assert timing.times_faster_than(other) == 2
    assert timing.median == 7
    assert Timing((1.0, 2.0, 3.0, 4.0, 100.0)).spread == 2  # of the quartiles 2 and 4


@pytest.mark.parametrize(
    ("ours", "theirs", "told"),
    [
        ((1.0, 1.1, 1.0, 1.2), (2.0, 2.1, 2.0, 2.2), True),
        ((2.0, 2.1, 2.0, 2.2, 2.0), (1.0, 1.1, 1.0, 9.0, 1.0), True),  # one round says otherwise
        ((1.0, 2.0, 1.0, 2.0), (2.0, 1.0, 2.0, 1.0), False),  # now one, now the other
        ((1.0, 1.0), (1.0, 1.0), False),
        # Each round says that the other takes a third longer, but the rounds differ by far more.
        ((1.0, 1.2, 17.0, 18.0), (1.33, 1.6, 22.6, 23.9), False),
        # Most rounds say that the other is faster, and its median is the larger number.
        ((1.0, 2.0, 3.0, 9.0, 9.9), (9.0, 1.9, 2.9, 5.0, 5.5), False),
    ],
)
def test_who_is_faster_is_said_where_the_rounds_and_the_medians_agree_and_noise_is_less(
    ours, theirs, told
):
    assert Timing(ours).told_from(Timing(theirs)) is told
    assert Timing(theirs).told_from(Timing(ours)) is told


def test_contenders_take_turns_and_the_order_turns_round():
    clock, calls = Clock(), []

    def note(name):
        def call():
            calls.append(name)
            clock.now += 1.0

        return call

    measure([Contender(n, note(n), [()]) for n in "abc"], 1.0, clock=clock)
    warm_up = 6  # once round the arguments, and once to count
    assert "".join(calls[warm_up:]) == "abccbaabccbaabc"


def test_every_set_of_arguments_gets_its_turn_even_where_a_round_is_one_call():
    clock, seen = Clock(), []

    def call(buffer):
        seen.append(buffer)
        clock.now += 1.0

    measure([Contender("ours", call, [("x",), ("y",), ("z",)])], 1.0, clock=clock)
    assert "".join(seen).startswith("xyzxyzxy")


def test_a_device_is_waited_for_inside_the_clock():
    clock, queued = Clock(), []

    def wait():
        clock.now += 1e-3 * len(queued)
        queued.clear()

    on_device = Contender("ours", lambda: queued.append(1), [()], by(clock, wait))
    assert measure([on_device], 0.1, clock=clock)["ours"].median == pytest.approx(1e-3)


def test_no_more_calls_at_once_than_a_contender_may_have_waiting():
    clock, batches = Clock(), []

    def stopwatch(work):
        clock.now, batches[len(batches) :] = clock.now + 1e-6, [0]
        work()
        return 1e-6

    def call():
        batches[-1] += 1

    measure([Contender("ours", call, [()], stopwatch, most=100)], 0.001, clock=clock)
    assert max(batches) == 100
    assert set(batches[-5:]) == {100}


def test_it_stops_between_two_batches():
    clock = Clock()
    contender = Contender("ours", clock.taking(1.0), [()])
    with pytest.raises(Cancelled):
        measure([contender], 1e9, clock=clock, cancelled=lambda: clock.now > 20)
    assert 20 < clock.now < 23


def test_the_collector_runs_again_afterwards():
    clock = Clock()

    def fail():
        assert not gc.isenabled()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        measure([Contender("ours", fail, [()])], 1.0, clock=clock)
    assert gc.isenabled()
