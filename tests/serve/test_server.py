"""`unfold serve`, spoken to as a browser does, and as no browser should."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import aiohttp
import pytest
from visiting import Served, is_running

from tests.waiting import PATIENCE, until

Start = Callable[..., Served]
QUIT, OPEN = "\x11", "\x0f"  # ctrl+q, ctrl+o


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    (folder / "own.cc").write_text("#define ANSWER 42\nint x = ANSWER;\n")
    (folder / "curious.cc").write_text('#include "/etc/passwd"\n#define ONE 1\nint x = ONE;\n')
    return folder


@pytest.fixture(scope="module")
def served(start: Start, folder: Path) -> Served:
    return start(folder, "--name", "lab.example")


async def test_a_page_shows_the_app_and_takes_keys(served: Served) -> None:
    async with served.browser() as browser, served.page(browser) as page:
        await page.open_sample()
        await page.until("PD_REGISTER_KERNEL")
        await page.press(QUIT)
        await page.until_closed()


async def test_a_reload_finds_what_was_done_and_nobody_else_does(served: Served) -> None:
    async with served.browser() as one, served.browser() as other:
        async with served.page(one) as page:
            await page.open_sample()
            await page.until("PD_REGISTER_KERNEL")
        async with served.page(one) as page:
            await page.until("just now")
        async with served.page(other) as page:
            await page.until("macros/1")
            assert "just now" not in page.drawn


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/etc/passwd", "There is no file /etc/passwd"),
        ("curious.cc", "/etc/passwd: no such file"),
    ],
)
async def test_no_file_outside_is_shown(served: Served, path: str, said: str) -> None:
    async with served.browser() as browser, served.page(browser) as page:
        await page.until("macros/1")
        await page.press(OPEN)
        await page.until("Open a file")
        await page.press(f"{path}\r")
        await page.until(said)


async def test_nothing_on_the_page_comes_from_elsewhere(served: Served) -> None:
    async with served.browser() as browser:
        async with browser.get("/") as response:
            text = await response.text()
            assert "default-src 'none'" in response.headers["Content-Security-Policy"]
        assert "//" not in text.replace("<!--", "")
        async with browser.get("/page/page.css") as response:
            assert "//" not in await response.text()


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://127.0.0.1:1", "null", "", "http://evil.example/{url}"]
)
async def test_a_page_of_another_origin_cannot_connect(served: Served, origin: str) -> None:
    headers = {"Origin": origin.format(url=served.url)} if origin else {}
    async with served.browser() as browser:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            async with browser.ws_connect("/ws", headers=headers):
                pass
        assert refused.value.status == 403


@pytest.mark.parametrize("path", ["/", "/ws", "/static/js/textual.js"])
async def test_a_name_that_was_made_to_mean_this_machine_is_refused(
    served: Served, path: str
) -> None:
    host = "rebound.example:8000"
    async with aiohttp.ClientSession(served.url) as session:
        headers = {"Host": host, "Origin": f"http://{host}"}
        async with session.get(path, headers=headers) as response:
            assert response.status == 403
            assert "--name" in await response.text()


async def test_it_answers_to_the_name_that_it_was_given(served: Served) -> None:
    async with aiohttp.ClientSession(served.url) as session:
        for host in ("lab.example", "localhost:1", "10.0.0.1:8000", "[::1]:8000"):
            told = {"Host": host}
            async with session.get(served.address, headers=told, allow_redirects=False) as response:
                assert response.status == 303


@pytest.mark.parametrize(
    "path", ["/static/../server.py", "/page/..%2fserver.py", "/etc/passwd", "/static//etc/passwd"]
)
async def test_no_path_leads_out_of_the_static_files(served: Served, path: str) -> None:
    host, port = served.url.removeprefix("http://").rstrip("/").split(":")
    with socket.create_connection(
        (host, int(port)), PATIENCE
    ) as plain:  # a client would tidy it up
        plain.sendall(f"GET {path} HTTP/1.0\r\nHost: {host}:{port}\r\n\r\n".encode())
        answer = b"".join(iter(lambda: plain.recv(65536), b""))
    assert answer.split()[1] in (b"403", b"404")


async def test_what_no_page_of_ours_sends_does_no_harm(served: Served) -> None:
    async with served.browser() as browser, served.page(browser) as page:
        await page.until("macros/1")
        for said in ("{", "[]", '["stdin"]', '["resize", {"width": 1e9}]', '["stdin", "\\ud800"]'):
            await page.socket.send_str(said)
        await page.socket.send_json(["resize", {"width": 10**9, "height": 10**9}])
        await page.socket.send_bytes(b"\0" * 1000)
        await page.press(OPEN)
        await page.until("Open a file")  # it still answers keys


async def test_a_process_ends_with_its_page(served: Served) -> None:
    before = {*served.children()}
    async with served.browser() as browser, served.page(browser) as page:
        await page.until("macros/1")
        (process,) = {*served.children()} - before
    await until(lambda: not is_running(process))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
async def test_no_process_outlives_the_server(
    start: Start, folder: Path, number: signal.Signals
) -> None:
    served = start(folder)
    async with served.browser() as browser, served.page(browser) as page:
        await page.until("macros/1")
        (process,) = served.children()
        served.process.send_signal(number)
        await until(lambda: served.process.poll() is not None and not is_running(process))
    if number != signal.SIGKILL:
        assert served.process.returncode == 0
        assert not [*served.temporary.iterdir()]


async def test_there_is_room_for_so_many(start: Start, folder: Path) -> None:
    served = start(folder, "--visitors", "1")
    async with served.browser() as one, served.browser() as other:
        async with served.page(one) as page:
            await page.until("macros/1")
            async with other.get("/") as response:
                assert response.status == 503
                assert "1 visitor" in await response.text()
        async with served.page(other) as page:  # the place is free again
            await page.until("macros/1")


def test_a_port_that_is_taken_is_said_to_be(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = _unfold("serve", str(folder), "--port", str(port))
    assert done.returncode == 1
    assert done.stderr == (
        f"unfold: error: port {port} is taken; leave --port out, or --port 0, for a free one\n"
    )


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["no/such/folder"], 1, "is not there"),
        ([__file__], 1, "is no folder"),
        (["--host", "999.1.1.1"], 1, "cannot listen on 999.1.1.1"),
        (["--port", "70000"], 2, "'70000' is not a port"),
        (["--visitors", "0"], 2, "'0' is not a number from 1 on"),
    ],
)
def test_what_cannot_be_served_is_said_in_a_line(
    tmp_path: Path, arguments: list[str], code: int, said: str
) -> None:
    done = _unfold("serve", *arguments, cwd=tmp_path)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def _unfold(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "visualizer", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=os.environ,
        timeout=PATIENCE,
        check=False,
    )
