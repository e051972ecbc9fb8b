"""The pages in a browser, as a person uses them. Needs Chromium and its driver; skipped where they are missing."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

pytestmark = pytest.mark.browser
selenium = pytest.importorskip("selenium")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if not (CHROMIUM and DRIVER):
    pytest.skip("Chromium is missing: chromium and chromedriver are not on the path", allow_module_level=True)

from selenium import webdriver  # noqa: E402
from selenium.webdriver import ActionChains, Keys  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.remote.webelement import WebElement  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

from solvers.boggle.solve import find_words  # noqa: E402
from solvers.grid import parse_board  # noqa: E402
from tests.golden_data import golden_boards, lexicon  # noqa: E402
from tests.waiting import wait_until  # noqa: E402
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

    def open(self, path: str = "/") -> None:
        self.driver.get(self.address + path)

    def at(self, name: str) -> WebElement:
        return self.driver.find_element(By.ID, name)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def until(self, condition: Callable[[], Any], what: str) -> Any:
        try:
            return wait_until(condition, what, pause=0.05)
        except AssertionError as error:
            raise AssertionError(f"{error}; the page says {self.at('said').text!r}") from None

    def press(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

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


def test_a_typed_board_shows_the_words_of_the_solver(browser: Browser) -> None:
    browser.open("/?words=enable1")
    browser.all(".cell")[0].click()
    browser.press(BOARD)
    words, score = words_of(BOARD)
    browser.shows(words)
    assert re.sub(r"\D", "", browser.at("figure-count").text) == str(len(words))
    assert re.sub(r"\D", "", browser.at("figure-score").text) == str(score)
    assert len(browser.at("figure-longest").text) == max(map(len, words))
    assert browser.query()["board"] == BOARD.upper()


def test_dutch_words_are_the_default(browser: Browser) -> None:
    browser.open()
    browser.all(".cell")[0].click()
    browser.press("fietnnasboomkaas")
    browser.shows(words_of("fietnnasboomkaas", "opentaal_nl")[0])


def test_pointing_at_a_word_draws_its_path(browser: Browser) -> None:
    browser.open(f"/?words=enable1&board={BOARD}")
    browser.until(browser.found, "words")
    word = next(one for one in browser.all(".word") if one.text.startswith("plaster"))
    browser.driver.execute_script("arguments[0].scrollIntoView()", word)
    if browser.driver.execute_script("return innerWidth") < 1000:
        word.click()
    else:
        ActionChains(browser.driver).move_to_element(word).perform()
    browser.until(lambda: len(browser.lit()) >= len("plaster"), "a path")
    script = "return document.querySelector('.path polyline').points.length"
    assert browser.driver.execute_script(script) == len(browser.lit())
    letters = "".join(BOARD[cell] for cell in browser.lit())
    assert sorted(letters) == sorted(browser.driver.execute_script("return arguments[0].firstChild.data", word))


def test_the_order_can_be_changed(browser: Browser) -> None:
    browser.open(f"/?words=enable1&board={BOARD}")
    words, _ = words_of(BOARD)
    browser.shows(words)
    browser.driver.execute_script("document.querySelector('[name=order][value=length]').click()")
    browser.shows(sorted(words, key=lambda word: (-len(word), word)))
    assert browser.query()["order"] == "length"


def test_a_shake_can_be_repeated_and_shared(browser: Browser) -> None:
    browser.open("/?words=enable1")
    browser.at("shake").click()
    browser.until(lambda: all(browser.tiles()) and browser.found(), "a shaken board")
    tiles, words, shared = browser.tiles(), browser.found(), browser.driver.current_url
    assert "seed" in browser.query()
    browser.open("/kenken")
    browser.driver.get(shared)
    browser.shows(words)
    assert browser.tiles() == tiles
    browser.driver.execute_script("document.getElementById('settings').open = true")
    browser.at("seed").send_keys(browser.query()["seed"])
    browser.driver.execute_script("scrollTo(0, 0)")
    browser.at("clear").click()
    assert not any(browser.tiles())
    browser.at("shake").click()
    browser.until(lambda: browser.tiles() == tiles, "the same board again")


@pytest.mark.parametrize("dice", ["deluxe_master", "super_big_2012"])
def test_dice_sets_bring_their_size(browser: Browser, dice: str) -> None:
    browser.open(f"/?words=enable1&dice={dice}")
    size = {"deluxe_master": 25, "super_big_2012": 36}[dice]
    assert len(browser.all(".cell")) == size
    browser.at("shake").click()
    browser.until(lambda: all(browser.tiles()) and browser.query().get("board"), "a shaken board")
    assert browser.query()["dice"] == dice
    browser.until(lambda: not browser.at("results").get_attribute("hidden"), "an answer")


def test_the_language_switch_keeps_the_board(browser: Browser) -> None:
    browser.open(f"/?words=enable1&board={BOARD}")
    browser.until(browser.found, "words")
    before = browser.driver.find_element(By.TAG_NAME, "html").get_attribute("lang")
    for language, button in (("nl", "Zoek woorden"), ("en", "Find words")):
        browser.driver.find_element(By.CSS_SELECTOR, f"[data-language={language}]").click()
        browser.until(lambda button=button: browser.at("find").text == button, button)
        browser.shows(words_of(BOARD)[0])
    browser.open("/kenken")
    assert browser.driver.find_element(By.TAG_NAME, "html").get_attribute("lang") == "en"
    assert before == ("en" if browser.driver.execute_script("return innerWidth") > 1000 else "nl")


def paste(browser: Browser, element: WebElement, text: str) -> None:
    script = """
        const data = new DataTransfer();
        data.setData("text", arguments[1]);
        const init = { clipboardData: data, bubbles: true, cancelable: true };
        arguments[0].dispatchEvent(new ClipboardEvent("paste", init));
    """
    browser.driver.execute_script(script, element, text)


@pytest.mark.parametrize(
    ("text", "tiles"),
    [
        ("abcdefghijklmnop", list("ABCDEFGHIJKLMNOP")),
        ("abcd/efgh/ijkl/mnoq", [*"ABCDEFGHIJKLMNO", "Qu"]),
        ("QuATThE.QuATThE.XYZA", [*["Qu", "A", "T", "Th", "E", "."] * 2, *"XYZA"]),
        ("Qu a T Th e . x y z a b c d e f g", ["Qu", "A", "T", "Th", "E", ".", *"XYZABCDEFG"]),
    ],
)
def test_a_pasted_board_fills_the_grid(desk: Browser, text: str, tiles: list[str]) -> None:
    desk.open("/?words=enable1")
    paste(desk, desk.all(".cell")[3], text)
    shown = [tile for tile in desk.tiles() if tile]
    assert shown == tiles
    assert shown == [face or "." for face in parse_board(text, 4, 4)]


def test_keys_move_and_erase(desk: Browser) -> None:
    desk.open()
    desk.all(".cell")[0].click()
    desk.press("ab")
    desk.press(Keys.ARROW_DOWN, "c", Keys.ARROW_LEFT, Keys.ARROW_LEFT, "q", Keys.HOME)
    assert desk.tiles()[:2] == ["A", "B"]
    assert desk.tiles()[5] == "Qu"
    assert desk.tiles()[6] == "C"
    desk.press(Keys.END, "z", Keys.BACKSPACE)
    assert desk.tiles()[15] == ""
    desk.press(Keys.BACKSPACE, Keys.BACKSPACE)
    desk.press(Keys.HOME, Keys.ARROW_RIGHT, Keys.BACKSPACE)
    assert desk.tiles()[:2] == ["A", ""]
    desk.press(Keys.BACKSPACE)
    assert desk.tiles()[:2] == ["", ""]
    desk.press(" ")
    assert desk.tiles()[0] == "."


def test_the_text_field_and_the_grid_show_the_same(desk: Browser) -> None:
    desk.open("/?words=enable1")
    desk.at("text").send_keys(BOARD)
    desk.shows(words_of(BOARD)[0])
    assert desk.tiles() == list(BOARD.upper())
    desk.at("text").send_keys("x")
    desk.until(lambda: desk.at("problem").is_displayed(), "a complaint about seventeen letters")
    Select(desk.at("rows")).select_by_value("3")
    Select(desk.at("columns")).select_by_value("3")
    desk.all(".cell")[0].click()
    desk.press("streaedlp")
    desk.shows(words_of("streaedlp", rows=3, columns=3)[0])
    assert desk.query()["size"] == "3x3"
    shared = desk.driver.current_url
    desk.open("/")
    desk.driver.get(shared)
    desk.shows(words_of("streaedlp", rows=3, columns=3)[0])


def test_a_word_is_checked_and_shown(browser: Browser) -> None:
    browser.open(f"/?words=enable1&board={BOARD}")
    browser.until(browser.found, "words")
    for word, said, path in (("plaster", "PLASTER", 7), ("quiz", "QUIZ", 0), ("<img>", "<IMG>", 0)):
        browser.at("check-word").clear()
        browser.at("check-word").send_keys(word, Keys.ENTER)
        browser.until(lambda said=said: said in browser.at("check-answer").text, said)
        assert len(browser.lit()) == path


def test_kenken_is_generated_and_solved(browser: Browser) -> None:
    browser.open("/kenken")
    Select(browser.at("size")).select_by_value("4")
    browser.driver.find_element(By.CSS_SELECTOR, "#generate-form button").click()
    browser.until(lambda: browser.all("#drawing svg"), "a puzzle")
    assert browser.query()["size"] == "4"
    empty = len(browser.all("#drawing svg text"))
    browser.driver.execute_script("document.getElementById('show').click()")
    assert len(browser.all("#drawing svg text")) == empty + 16
    drawn = browser.driver.execute_script("return document.getElementById('drawing').innerHTML")
    text = str(browser.at("map").get_property("value"))
    shared = browser.driver.current_url
    browser.driver.execute_script("document.getElementById('puzzle').value = arguments[0]", text)
    browser.driver.find_element(By.CSS_SELECTOR, "#solve-form button").click()
    script = "return document.getElementById('drawing').innerHTML"
    browser.until(lambda: "seed" not in browser.query(), "the pasted puzzle")
    browser.until(lambda: browser.driver.execute_script(script) == drawn, "the same solution")
    browser.driver.get(shared)
    browser.until(lambda: browser.at("map").get_property("value") == text, "the shared puzzle")


def test_a_puzzle_that_is_none_is_refused_in_words(desk: Browser) -> None:
    desk.open("/kenken")
    desk.at("puzzle").send_keys("<script>alert(1)</script>")
    desk.driver.find_element(By.CSS_SELECTOR, "#solve-form button").click()
    desk.until(lambda: desk.at("problem").text, "a refusal")
    assert not desk.at("answer").is_displayed()
    # the browser itself notes every refusal of the server
    assert all("422" in entry["message"] for entry in desk.driver.get_log("browser"))


def test_everything_can_be_done_by_keyboard(desk: Browser) -> None:
    desk.open("/?words=enable1")

    def focused() -> str:
        return str(desk.driver.execute_script("const e = document.activeElement; return e.id || e.className || e.name"))

    def tab_to(name: str) -> None:
        for _ in range(60):
            desk.press(Keys.TAB)
            if name in focused():
                return
        raise AssertionError(f"Tab does not come to {name}")

    tab_to("cell")
    desk.press(BOARD)
    desk.shows(words_of(BOARD)[0])
    for name in (
        "find",
        "shake",
        "clear",
        "copy",
        "words",
        "dice",
        "rows",
        "columns",
        "min",
        "seed",
        "text",
        "check-word",
    ):
        tab_to(name)
    desk.press("plaster", Keys.ENTER)
    desk.until(lambda: len(desk.lit()) == 7, "the checked word")
    tab_to("order")
    tab_to("word")
    assert desk.lit()
    first = desk.lit()
    desk.press(Keys.ARROW_RIGHT)
    assert focused() == "word"
    assert desk.lit() != first
    outline = "const s = getComputedStyle(document.activeElement); return [s.outlineStyle, parseFloat(s.outlineWidth)]"
    style, width = desk.driver.execute_script(outline)
    assert style != "none"
    assert width >= 2


CONTRAST = r"""
const channel = (byte) => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};
const pixel = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
const canvas = pixel.getContext("2d", { willReadFrequently: true });
const rgba = (text) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = text;
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a / 255];
};
const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const behind = (element) => {
  if (element.matches(".cell")) return rgba(getComputedStyle(document.querySelector(".tile")).backgroundColor);
  for (let one = element; one; one = one.parentElement) {
    const colour = rgba(getComputedStyle(one).backgroundColor);
    if (colour[3] > 0.99) return colour;
  }
  return [255, 255, 255, 1];
};
const poor = [];
let seen = 0;
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const field = element.matches("input[type=text], select, textarea");
  if (!(own || field) || element.matches("option, script, noscript *") || !element.checkVisibility()) continue;
  if (element.closest(".hidden, .skip, svg")) continue;
  const style = getComputedStyle(element);
  const [a, b] = [light(rgba(style.color)), light(behind(element))].sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  const size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
  seen += 1;
  const name = `${element.tagName}.${element.className} ${element.textContent.slice(0, 20)}`;
  if (ratio < (large ? 3 : 4.5)) poor.push(`${name} ${ratio.toFixed(2)}`);
}
return [seen, poor];
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", [f"/?words=enable1&board={BOARD}", "/kenken?size=4&seed=1", "/runs", "/docs"])
def test_contrast_is_at_least_aa_and_nothing_overflows(browser: Browser, path: str, scheme: str) -> None:
    features = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", features)
    browser.open(path)
    if "board" in path:
        browser.until(browser.found, "words")
    if "seed" in path:
        browser.until(lambda: browser.all("#drawing svg"), "a puzzle")
    seen, poor = browser.driver.execute_script(CONTRAST)
    assert seen > 10
    assert poor == []
    assert browser.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")


def test_nothing_is_asked_of_another_host(desk: Browser) -> None:
    for path in (f"/?words=enable1&board={BOARD}", "/kenken?size=4&seed=1", "/runs", "/docs"):
        desk.open(path)
        desk.driver.execute_script("return document.readyState")
        names = desk.driver.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
        assert names
        assert all(name.startswith(desk.address) for name in names)
