"""Who is let in by `unfold serve`, and who is not."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import aiohttp
import pytest
from visiting import Served

from tests.waiting import PATIENCE
from visualizer.serving import password

Start = Callable[..., Served]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served")
    (folder / "own.cc").write_text("#define ANSWER 42\nint x = ANSWER;\n")
    return folder


@pytest.fixture(scope="module")
def served(start: Start, folder: Path) -> Served:
    return start(folder)


@pytest.fixture(scope="module")
def with_a_file(start: Start, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Served:
    file = tmp_path_factory.mktemp("secrets") / "password"
    file.touch(0o600)
    file.write_text("correct horse\n")
    return start(folder, "--password-file", str(file))


@pytest.mark.parametrize(
    "cookie", ["", "../../etc", "a" * 42, "a" * 43, "a" * 44, "ä" * 43, "a" * 42 + "\n"]
)
async def test_who_has_only_the_address_sees_nothing(served: Served, cookie: str) -> None:
    """On loopback too, which other users share; and no cookie is believed that isn't ours."""
    port = served.url.split(":")[-1].rstrip("/")
    headers = {"Cookie": f"unfold-{port}={cookie.strip()}"}
    async with aiohttp.ClientSession(served.url, headers=headers) as session:
        async with session.get("/") as response:
            assert response.status == 403
            assert 'type="password"' in await response.text()
            assert not response.cookies
        async with session.get("/download/x") as response:
            assert response.status == 404
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            async with session.ws_connect("/ws", headers={"Origin": served.url.rstrip("/")}):
                pass
        assert refused.value.status == 403
    assert not served.children()


async def test_the_printed_address_lets_in_and_its_token_does_not_stay(served: Served) -> None:
    async with served.browser() as browser:
        async with browser.get(f"{served.address}&fontsize=20") as response:
            assert response.status == 200
            assert str(response.url) == f"{served.url}?fontsize=20"
        async with browser.get("/") as response:  # by the cookie alone
            assert response.status == 200
            assert 'id="terminal"' in await response.text()


async def test_a_password_from_a_file_is_asked_for_and_not_printed(with_a_file: Served) -> None:
    assert with_a_file.token is None
    url = with_a_file.url
    jar = aiohttp.CookieJar(unsafe=True)
    headers = {"Origin": url.rstrip("/")}
    async with aiohttp.ClientSession(url, cookie_jar=jar, headers=headers) as session:
        for guess, status in (("wrong", 403), ("", 403), ("correct horse", 200)):
            async with session.post("/", data={"password": guess}) as response:
                assert response.status == status
        async with with_a_file.page(session) as page:
            await page.until("macros/1")


async def test_another_pages_form_is_refused(with_a_file: Served) -> None:
    headers = {"Origin": "http://evil.example"}
    async with (
        aiohttp.ClientSession(with_a_file.url, headers=headers) as session,
        session.post("/", data={"password": "correct horse"}) as response,
    ):
        assert response.status == 403


async def test_guesses_are_made_one_at_a_time(with_a_file: Served) -> None:
    """A wrong one takes a while, and another from its address doesn't shorten that."""

    async def guess(session: aiohttp.ClientSession) -> int:
        async with session.get("/", params={"token": "wrong"}) as response:
            return response.status

    async with aiohttp.ClientSession(with_a_file.url) as session:
        statuses = await asyncio.gather(*(guess(session) for _ in range(20)))
    assert statuses.count(403) == 1
    assert statuses.count(429) == 19


async def test_nobody_is_asked_where_that_is_said(start: Start, folder: Path) -> None:
    served = start(folder, "--no-password")
    assert served.token is None
    async with served.browser() as browser, served.page(browser) as page:
        await page.until("macros/1")


@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        ("short\n", 0o600, "at least 8 characters"),
        ("\ncorrect horse", 0o600, "at least 8 characters"),
        ("correct horse", 0o644, "chmod 600"),
        ("x" * 2000, 0o600, "no password can be read"),
        (None, 0, "no password can be read"),
    ],
)
def test_a_file_without_a_good_password_is_refused(
    tmp_path: Path, text: str | None, mode: int, said: str
) -> None:
    file = tmp_path / "password"
    if text is not None:
        file.write_text(text)
        file.chmod(mode)
    done = subprocess.run(
        [sys.executable, "-m", "visualizer", "serve", str(tmp_path), "--password-file", str(file)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("unfold: error: ")
    assert said in done.stderr


def test_no_two_servers_make_up_the_same() -> None:
    made = {password.made_up().secret for _ in range(100)}
    assert len(made) == 100
    assert all(secret is not None and len(secret) == 43 for secret in made)
