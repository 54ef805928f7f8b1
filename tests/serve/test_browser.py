"""The app in a real browser, headless: what a visitor sees and does."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from visiting import Served, sockets

from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
MILLISECONDS = PATIENCE * 1000
CONNECT = """url => new Promise(told => {
    const socket = new WebSocket(url);
    socket.onopen = () => { told("connected"); socket.close(); };
    socket.onerror = () => told("refused");
})"""


@pytest.fixture
def page(browser: "Browser", served: Served) -> "Iterator[Page]":
    """The page of somebody new, with the app on it. Nothing may come from elsewhere."""
    context = browser.new_context(viewport={"width": 1200, "height": 700})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda r: r.url.startswith(served.url) or errors.append(r.url))
    page.goto(served.address)
    started(page)
    yield page
    context.close()
    assert not errors


@pytest.fixture(scope="module")
def served(start: Callable[..., Served], tmp_path_factory: pytest.TempPathFactory) -> Served:
    folder = tmp_path_factory.mktemp("served")
    (folder / "own.cc").write_text("#define ANSWER 42\nint x = ANSWER;\n")
    return start(folder)


def test_the_app_is_drawn_and_takes_keys(page: "Page", tmp_path: Path) -> None:
    blank = page.context.new_page().screenshot()
    page.bring_to_front()
    home = settled(page, lambda picture: len(picture) > 5 * len(blank))
    page.keyboard.press("Enter")
    stepper = settled(page, lambda picture: picture != home)
    page.keyboard.press("ArrowRight")
    settled(page, lambda picture: picture not in (home, stepper))
    page.screenshot(path=tmp_path / "stepper.png")


def test_it_ends_and_goes_on(page: "Page") -> None:
    page.keyboard.press("Control+q")
    page.wait_for_selector("#ended", timeout=MILLISECONDS)
    page.click("#again")
    started(page)


def test_a_page_from_elsewhere_cannot_drive_it(page: "Page", served: Served) -> None:
    """Not even one that the same browser shows, which has the visitor's cookie."""
    url = served.url.replace("http", "ws") + "ws"
    assert page.evaluate(CONNECT, url) == "connected"
    elsewhere = page.context.new_page()
    elsewhere.route("**", lambda route: route.fulfill(body="elsewhere", content_type="text/html"))
    elsewhere.goto("http://evil.example/")
    assert elsewhere.evaluate(CONNECT, url) == "refused"


def test_no_script_reads_the_cookie_nor_does_another_than_ours_run(page: "Page") -> None:
    assert page.context.cookies()
    assert page.evaluate("document.cookie") == ""
    page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'taken'";
        document.body.append(script);
    }""")
    assert page.title() == "Unfold"


def test_the_password_is_typed_into_a_page(browser: "Browser", served: Served) -> None:
    assert served.token is not None
    context = browser.new_context()
    page = context.new_page()
    page.goto(served.url)
    page.fill("#password", "wrong")
    page.keyboard.press("Enter")
    page.wait_for_selector("#wrong", state="visible", timeout=MILLISECONDS)
    page.fill("#password", served.token)
    page.keyboard.press("Enter")
    started(page)
    assert page.url == served.url
    context.close()


@pytest.mark.slow
def test_fifty_visitors_and_five_hundred_sockets(
    browser: "Browser", start: Callable[..., Served], tmp_path: Path
) -> None:
    """The fifty see the app and it takes their keys, and so does one more in Chromium, whatever else
    connects and says nothing."""
    served = start(tmp_path, "--visitors", "51")
    here, enough = threading.Semaphore(0), threading.Event()
    with sockets(served, 500, "127.0.0.2"), ThreadPoolExecutor() as pool:
        crowd = pool.submit(asyncio.run, _crowd(served, 50, here, enough))
        try:
            for _ in range(50):
                assert here.acquire(timeout=PATIENCE)
            assert len(served.children()) == 50
            context = browser.new_context()
            page = context.new_page()
            page.goto(served.address)
            started(page)
            context.close()
        finally:
            enough.set()
            crowd.result()


async def _crowd(
    served: Served, count: int, here: threading.Semaphore, enough: threading.Event
) -> None:
    starting = asyncio.Semaphore(2)  # on two cores

    async def visit() -> None:
        async with served.browser() as browser, AsyncExitStack() as stack:
            async with starting:
                page = await stack.enter_async_context(served.page(browser))
                await page.until("macros/1")
            here.release()
            while not enough.is_set():
                with suppress(TimeoutError):
                    async with asyncio.timeout(1):
                        await page.socket.receive()
            await page.press("\x0f")
            await page.until("Open a file")

    await asyncio.gather(*(visit() for _ in range(count)))


def started(page: "Page") -> None:
    page.wait_for_selector("body.-first-byte", timeout=MILLISECONDS)
    page.wait_for_selector(".xterm-helper-textarea:focus", state="attached", timeout=MILLISECONDS)


def settled(page: "Page", expected: Callable[[bytes], bool]) -> bytes:
    """A picture of the page, once it is as expected and stays so."""
    last = b""
    for _ in range(int(PATIENCE * 4)):
        page.wait_for_timeout(250)
        picture = page.screenshot()
        if picture == last and expected(picture):
            return picture
        last = picture
    raise AssertionError("the page does not look as expected")
