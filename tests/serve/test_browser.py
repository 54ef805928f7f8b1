"""The app in a real browser, headless: what a visitor sees and does."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from visiting import PATIENCE, Served

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
    page.goto(served.url)
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
