"""The pages in a browser, as a person uses them. Needs Chromium and its driver; skipped where they are missing."""

import re

import pytest

from tests.web.browsing import (
    BOARD,
    Browser,
    address,
    browser,
    desk,
    paste,
    started,
    words_of,
)

from selenium.webdriver import ActionChains, Keys  # isort: skip
from selenium.webdriver.common.by import By  # isort: skip
from selenium.webdriver.support.ui import Select  # isort: skip

from solvers.grid import parse_board

__all__ = ["address", "browser", "desk", "started"]
pytestmark = pytest.mark.browser


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


def test_the_list_is_of_the_pages_language(browser: Browser) -> None:
    browser.open()
    browser.all(".cell")[0].click()
    browser.press("fietnnasboomkaas")
    language = browser.driver.find_element(By.TAG_NAME, "html").get_attribute("lang")
    browser.shows(words_of("fietnnasboomkaas", {"nl": "opentaal_nl", "en": "enable1"}[language])[0])
    assert browser.at("found").get_attribute("lang") == language
    assert {"nl": "OpenTaal", "en": "ENABLE1"}[language] in browser.at("from-list").text


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
    assert len(browser.all("#field .kk")) == 16
    empty = len(browser.all("#drawing svg text"))
    browser.driver.execute_script("document.getElementById('show').click()")
    assert len(browser.all("#drawing svg text")) == empty + 16
    drawn = browser.driver.execute_script("return document.getElementById('drawing').innerHTML")
    text = str(browser.at("map").get_property("value"))
    shared = browser.driver.current_url
    browser.driver.execute_script("document.getElementById('puzzle').value = arguments[0]", text)
    browser.driver.find_element(By.CSS_SELECTOR, "#solve-form [value=solve]").click()
    script = "return document.getElementById('drawing').innerHTML"
    browser.until(lambda: "seed" not in browser.query(), "the pasted puzzle")
    browser.until(lambda: browser.driver.execute_script(script) == drawn, "the same solution")
    browser.driver.get(shared)
    browser.until(lambda: browser.at("map").get_property("value") == text, "the shared puzzle")


def test_a_puzzle_that_is_none_is_refused_in_words(desk: Browser) -> None:
    desk.open("/kenken")
    desk.at("puzzle").send_keys("<script>alert(1)</script>")
    desk.driver.find_element(By.CSS_SELECTOR, "#solve-form [value=play]").click()
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
