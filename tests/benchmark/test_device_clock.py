"""The GPU's stopwatch, on a device whose clock only its own work moves."""

from types import SimpleNamespace

import pytest

from registry_runtime.benchmark import device_clock
from registry_runtime.kernels import nvrtc


class Device:
    """A queue: the host puts work in, in `launching` seconds each; the device does it one by one."""

    def __init__(self, launching):
        self.host = self.device = 0.0
        self.launching = launching
        self.cuda = SimpleNamespace(
            Event=lambda: Event(self), get_elapsed_time=lambda a, b: 1e3 * (b.at - a.at)
        )

    def launch(self, seconds):
        self.host += self.launching
        self.device = max(self.device, self.host) + seconds

    def wait(self):
        self.host = max(self.host, self.device)


class Event:
    def __init__(self, of):
        self.of, self.at = of, None

    def record(self):
        self.at = max(self.of.device, self.of.host)

    @property
    def done(self):
        return self.of.host >= self.at

    def synchronize(self):
        self.of.wait()


@pytest.fixture
def stopwatch(monkeypatch):
    def made(of):
        def hold_up(grid, block, args):
            of.launch(args[0] / 1e9)

        module = SimpleNamespace(get_function=lambda name: hold_up)
        monkeypatch.setattr(nvrtc, "loaded", lambda *args: module)
        return device_clock.stopwatch(of)

    return made


@pytest.mark.parametrize("launching", [1e-6, 20e-6, 100e-6])
def test_what_launching_takes_is_not_counted(stopwatch, launching):
    of = Device(launching)
    timed = stopwatch(of)
    for _ in range(3):
        assert timed(lambda: [of.launch(2e-6) for _ in range(200)]) == pytest.approx(400e-6)


def test_work_that_waits_for_the_device_ends_and_counts_what_the_host_does(stopwatch):
    of = Device(10e-6)

    def work():
        of.launch(2e-6)
        of.wait()

    timed = stopwatch(of)
    timed(work)
    assert timed(work) == pytest.approx(12e-6)
