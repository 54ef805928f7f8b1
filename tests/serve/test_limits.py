"""What a crowd of connections, and of visitors, can take of the machine that serves them."""

import contextlib
import os
import resource
import signal
import socket
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from visiting import Served, sockets

from tests.waiting import PATIENCE, until

Start = Callable[..., Served]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    (folder / "own.cc").write_text("int x;\n")
    return folder


@pytest.fixture(scope="module")
def served(start: Start, folder: Path) -> Served:
    """With room for two visitors, so for 16 connections of one address, and 32 of all."""
    return start(folder, "--visitors", "2")


def asked(connection: socket.socket, host: str = "127.0.0.1") -> bytes:
    """The first line of the answer."""
    with contextlib.suppress(ConnectionError):
        connection.sendall(f"GET /page/page.css HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        return connection.recv(65536).partition(b"\r\n")[0]
    return b""


@pytest.mark.parametrize("host", ["", "[::1", "a:99999", "a:b", "]", "a b", "a/b:c", "::", "%"])
def test_a_host_that_is_none_is_a_bad_request(served: Served, host: str) -> None:
    with sockets(served, 1) as (connection,):
        assert asked(connection, host).startswith(b"HTTP/1.1 400 ")


FORM = "application/x-www-form-urlencoded"


def test_who_is_not_let_in_can_send_nothing_that_costs_anything(start: Start, folder: Path) -> None:
    """No time, no memory, and no traceback in the log, which a thousand a second would fill."""
    served = start(folder)
    host = served.url.split("/")[2]
    head = f"POST / HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: "
    with sockets(served, 1) as (gone,):
        gone.sendall(f"{head}{FORM}\r\nContent-Length: 100\r\n\r\n".encode())
    for kind, body, code in (
        ("multipart/form-data", b"x", 415),
        ("multipart/form-data; boundary=a", b"--a\r\n\r\n", 415),
        (f"{FORM}; charset=hex", b"password=\xff", 400),
        (FORM, b"&".join([b"a=1"] * 1000), 400),
        (FORM, b"x" * 5000, 413),
        (f"{FORM}\r\nContent-Encoding: gzip", b"password=x", 415),
        (f"{FORM}\r\nContent-Encoding: deflate", zlib.compress(bytes(300 << 20)), 415),
    ):
        with sockets(served, 1) as (connection,):
            connection.sendall(f"{head}{kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode())
            with contextlib.suppress(ConnectionError):
                connection.sendall(body)
            assert connection.recv(65536).startswith(f"HTTP/1.1 {code} ".encode()), (kind, body[:9])
    with sockets(served, 1) as (connection,):
        connection.sendall(f"GET /page/{'a' * 4000} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert connection.recv(65536).startswith(b"HTTP/1.1 404 ")
    served.process.terminate()
    assert served.process.communicate()[1] == ""


def test_one_address_leaves_room_for_others(served: Served) -> None:
    with sockets(served, 40) as many:
        answers = [asked(one) for one in many]
        with sockets(served, 1, "127.0.0.2") as (another,):
            assert asked(another) == b"HTTP/1.1 200 OK"
    assert answers.count(b"HTTP/1.1 200 OK") == 16
    assert answers[-1] == b"HTTP/1.1 503 Service Unavailable"


def test_who_sends_no_headers_is_let_go(served: Served) -> None:
    """Neither one who says nothing, nor one who sends a letter now and then."""
    with sockets(served, 2, "127.0.0.3") as (silent, slow):
        slow.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        slow.settimeout(0.5)
        received = None
        for _ in range(40):
            try:
                slow.sendall(b"x")
                received = slow.recv(1)
                break
            except TimeoutError:
                continue
            except ConnectionError:
                received = b""
                break
        assert received == b""
        assert silent.recv(1) == b""


def test_a_full_table_of_files_is_waited_out(start: Start, folder: Path) -> None:
    """Without a word in the log, and without the processor's time; then who waits is answered."""
    served = start(folder)
    process = served.process.pid
    files, before = resource.RLIMIT_NOFILE, resource.prlimit(process, resource.RLIMIT_NOFILE)
    lowest = max(int(name) for name in os.listdir(f"/proc/{process}/fd")) + 1
    resource.prlimit(process, files, (lowest, before[1]))
    with sockets(served, 30) as many:
        for one in many:
            one.settimeout(0.1)
        with pytest.raises(TimeoutError):
            asked(many[-1])
        used = _seconds_used(process)
        many[-1].settimeout(2.0)
        with pytest.raises(TimeoutError):
            many[-1].recv(1)
        assert _seconds_used(process) - used < 0.5
        resource.prlimit(process, files, before)
        many[-1].settimeout(PATIENCE)
        assert many[-1].recv(12) == b"HTTP/1.1 200"
    served.process.send_signal(signal.SIGTERM)
    _, said = served.process.communicate(timeout=PATIENCE)
    assert not said


def _seconds_used(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def test_too_few_files_are_said_at_the_start(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "visualizer", "serve", str(folder), "--visitors", "50"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256)),
    )
    assert done.returncode == 1
    assert done.stderr.startswith("unfold: error: 50 visitors need 564 open files")


async def test_who_holds_most_memory_is_ended_and_can_go_on(start: Start, folder: Path) -> None:
    served = start(folder, "--memory", "16")
    assert served.process.stdout is not None
    said = [served.process.stdout.readline() for _ in range(3)]
    assert any("together may hold 0.0 GiB" in line for line in said), said
    async with served.browser() as browser:
        for _ in range(2):
            async with served.page(browser) as page:
                await page.until_closed()
        async with browser.get("/") as response:
            assert response.status == 200


async def test_what_a_killed_server_left_is_removed_by_the_next(start: Start, folder: Path) -> None:
    killed = start(folder)
    async with killed.browser() as browser, killed.page(browser) as page:
        await page.until("macros/1")
        killed.process.kill()
        await until(lambda: killed.process.poll() is not None)
    (left,) = killed.temporary.iterdir()
    assert [*left.rglob("own.cc")]
    following = start(folder, temporary=killed.temporary)
    assert not left.exists()
    (its,) = killed.temporary.iterdir()
    start(folder, temporary=killed.temporary)  # what a living server has stays
    assert its.exists()
    async with following.browser() as browser, following.page(browser) as page:
        await page.until("macros/1")
