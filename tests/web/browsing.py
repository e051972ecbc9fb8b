"""A browser that drives the pages, and what most tests of pages need; skips where Chromium or its driver is missing."""

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

selenium = pytest.importorskip("selenium")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if not (CHROMIUM and DRIVER):
    pytest.skip("Chromium is missing: chromium and chromedriver are not on the path", allow_module_level=True)

from selenium import webdriver  # noqa: E402
from selenium.webdriver import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.remote.webelement import WebElement  # noqa: E402

from solvers.boggle.solve import find_words  # noqa: E402
from solvers.grid import parse_board  # noqa: E402
from tests.golden_data import golden_boards, lexicon  # noqa: E402
from tests.web.serving import running_server  # noqa: E402

BOARD = "perslatgsineters"
DESK, PHONE = (1280, 900), (390, 844)
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-sync",
    "--no-first-run",
]


def words_of(text: str, name: str = "enable1", rows: int = 4, columns: int = 4) -> tuple[list[str], int]:
    """Words and score by the solver."""
    alphabet = golden_boards()["new"].dice.alphabet
    book = lexicon(name, alphabet, 3, rows * columns)
    ids, figures = find_words(alphabet.ids(parse_board(text, rows, columns)), rows, columns, book, "dfs")
    return [book.words[number] for number in ids], int(figures.score[0])


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_server(tmp_path_factory.mktemp("served")) as (port, _):
        yield f"http://127.0.0.1:{port}"


class Browser:
    def __init__(self, address: str, folder: Path, size: tuple[int, int], language: str) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM or ""
        for flag in (
            *FLAGS,
            f"--user-data-dir={folder}",
            f"--accept-lang={language}",
            "--window-size={},{}".format(*size),
        ):
            options.add_argument(flag)
        if size == PHONE:
            metrics = {"width": size[0], "height": size[1], "pixelRatio": 1.0}
            options.add_experimental_option("mobileEmulation", {"deviceMetrics": metrics})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER or ""))
        self.address = address
        self.phone = size == PHONE

    def open(self, path: str = "/") -> None:
        self.driver.get(self.address + path)

    def at(self, name: str) -> WebElement:
        return self.driver.find_element(By.ID, name)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def until(self, condition: Callable[[], Any], what: str) -> Any:
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if found := condition():
                return found
            time.sleep(0.05)
        raise AssertionError(f"not within 20 s: {what}; the page says {self.at('said').text!r}")

    def press(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, held: str, key: str) -> None:
        ActionChains(self.driver).key_down(held).send_keys(key).key_up(held).perform()

    def tiles(self) -> list[str]:
        return [str(cell.get_property("value")) for cell in self.all(".cell")]

    def found(self) -> list[str]:
        script = "return [...document.querySelectorAll('.word')].map((word) => word.firstChild.data)"
        return list(self.driver.execute_script(script))

    def shows(self, words: list[str]) -> None:
        self.until(lambda: self.found() == words, f"{len(words)} words")

    def query(self) -> dict[str, str]:
        return {key: values[0] for key, values in parse_qs(urlsplit(self.driver.current_url).query).items()}

    def lit(self) -> list[int]:
        """Cells of the path that is drawn."""
        tiles = self.all(".tile")
        return [cell for cell, tile in enumerate(tiles) if "on" in str(tile.get_attribute("class")).split()]

    def no_complaints(self) -> None:
        assert [entry for entry in self.driver.get_log("browser") if entry["level"] != "INFO"] == []


@pytest.fixture(scope="module", params=[(DESK, "en-GB"), (PHONE, "nl-NL")], ids=["desk", "phone"])
def started(
    address: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    browser = Browser(address, tmp_path_factory.mktemp("profile"), *request.param)
    yield browser
    browser.driver.quit()


@pytest.fixture
def browser(started: Browser) -> Iterator[Browser]:
    started.driver.delete_all_cookies()
    yield started
    started.no_complaints()


@pytest.fixture
def desk(browser: Browser) -> Browser:
    if browser.driver.execute_script("return innerWidth") < 1000:
        pytest.skip("one width is enough for this")
    return browser


def paste(browser: Browser, element: WebElement, text: str) -> None:
    script = """
        const data = new DataTransfer();
        data.setData("text", arguments[1]);
        const init = { clipboardData: data, bubbles: true, cancelable: true };
        arguments[0].dispatchEvent(new ClipboardEvent("paste", init));
    """
    browser.driver.execute_script(script, element, text)
