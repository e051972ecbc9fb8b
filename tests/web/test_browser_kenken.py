"""KenKen in a browser: played by keyboard and by touch, kept, undone, hinted, shared and printed."""

import base64
import re
from urllib.parse import quote

import pytest

from tests.web.browsing import Browser, address, browser, desk, started

from selenium.webdriver import Keys  # isort: skip
from selenium.webdriver.common.by import By  # isort: skip

from solvers.kenken import read_puzzle, solve

__all__ = ["address", "browser", "desk", "started"]
pytestmark = pytest.mark.browser
PUZZLE = "/kenken?size=4&grade=easy&seed=5"


def opened(page: Browser, path: str = PUZZLE) -> list[int]:
    """A fresh puzzle; gives its solution."""
    page.open("/kenken")
    page.driver.execute_script("localStorage.clear()")
    page.open(path)
    page.until(lambda: page.at("answer").is_displayed(), "a puzzle")
    return list(solve(read_puzzle(str(page.at("map").get_property("value")))).solution)


def digits(page: Browser) -> list[str]:
    script = "return [...document.querySelectorAll('.kk .digit')].map((digit) => digit.textContent)"
    return list(page.driver.execute_script(script))


def notes(page: Browser, cell: int) -> str:
    return str(page.driver.execute_script("return arguments[0].children[2].textContent", page.all(".kk")[cell]))


def open_cells(page: Browser) -> list[int]:
    return [cell for cell, digit in enumerate(digits(page)) if not digit]


def enter(page: Browser, cell: int, key: str) -> None:
    page.driver.execute_script("arguments[0].focus()", page.all(".kk")[cell])
    page.press(key)


def test_a_puzzle_is_solved_by_keyboard_alone(desk: Browser) -> None:
    solution = opened(desk)
    desk.all(".kk")[0].click()
    for row in range(4):
        for column in range(4):
            desk.press(str(solution[4 * row + column]), Keys.ARROW_RIGHT)
        desk.press(Keys.HOME, Keys.ARROW_DOWN)
    desk.until(lambda: "Solved in" in desk.at("told").text, "the end")
    assert digits(desk) == [str(digit) for digit in solution]


def test_a_puzzle_is_solved_by_touch_alone(browser: Browser) -> None:
    solution = opened(browser)
    pad = {button.text: button for button in browser.all("#pad button")}
    assert list(pad) == ["1", "2", "3", "4"]
    for cell in open_cells(browser):
        browser.driver.execute_script(
            "arguments[0].dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))", browser.all(".kk")[cell]
        )
        browser.driver.execute_script("arguments[0].click()", pad[str(solution[cell])])
    browser.until(lambda: re.search(r"(Solved in|Opgelost in) \d+:\d\d", browser.at("told").text), "the end")


def test_digits_and_notes_are_undone_one_by_one_and_kept_over_a_reload(desk: Browser) -> None:
    opened(desk)
    one, two = open_cells(desk)[:2]
    enter(desk, two, "")
    desk.chord(Keys.SHIFT, "1")
    desk.press("n")
    desk.press("3", "n")
    assert notes(desk, two) == "1 3"
    before = digits(desk)
    enter(desk, one, "2")
    assert digits(desk)[one] == "2"
    desk.driver.refresh()
    desk.until(lambda: desk.at("answer").is_displayed() and digits(desk)[one] == "2", "what was filled in")
    assert notes(desk, two) == "1 3"
    assert "go on where you were" in desk.at("told").text
    enter(desk, one, Keys.BACKSPACE)
    assert digits(desk) == before
    desk.chord(Keys.CONTROL, "z")
    assert digits(desk)[one] == "2"
    desk.at("redo").click()
    assert digits(desk) == before
    desk.at("restart").click()
    assert notes(desk, two) == ""
    assert len(open_cells(desk)) == len([digit for digit in before if not digit])


def test_a_placed_digit_leaves_the_notes_of_its_lines(desk: Browser) -> None:
    opened(desk, "/kenken?size=6&grade=hard&seed=2")
    open_ = open_cells(desk)
    one = open_[0]
    other = next(cell for cell in open_[1:] if cell // 6 == one // 6 or cell % 6 == one % 6)
    enter(desk, other, "n")
    desk.press("2", "5", "n")
    enter(desk, one, "2")
    assert notes(desk, other) == "5"
    desk.chord(Keys.CONTROL, "z")
    assert notes(desk, other) == "2 5"


def test_wrong_digits_are_found_by_check_and_by_hint(desk: Browser) -> None:
    solution = opened(desk)
    cell = open_cells(desk)[0]
    wrong = next(digit for digit in (1, 2, 3, 4) if digit != solution[cell])
    enter(desk, cell, str(wrong))
    desk.at("check").click()
    assert "1 digit does not fit" in desk.at("told").text
    assert "does not fit" in str(desk.all(".kk")[cell].get_attribute("aria-label"))
    desk.at("hint").click()
    desk.until(lambda: f"{wrong} is not right" in desk.at("told").text, "what is wrong")
    enter(desk, cell, str(solution[cell]))
    desk.at("check").click()
    assert f"{len(open_cells(desk))} cells to go" in desk.at("told").text


def test_hints_fill_the_puzzle_in(desk: Browser) -> None:
    solution = opened(desk)
    while left := len(open_cells(desk)):
        desk.at("hint").click()
        desk.until(lambda: desk.at("fill-in").is_displayed(), "a hint")
        assert re.match(r"Row \d, column \d is \d: ", desk.at("told").text)
        desk.at("fill-in").click()
        assert len(open_cells(desk)) == left - 1
    assert digits(desk) == [str(digit) for digit in solution]
    assert "hint" in desk.at("told").text


def test_any_puzzle_is_in_the_address(desk: Browser) -> None:
    for text in ("3:_a_aa_3a,a5a4a2m2s2", "aab\nacb\nccb\n\na: 4?\nb: 6?\nc: 6?\n"):
        opened(desk, f"/kenken?puzzle={quote(text)}")
        first = str(desk.at("map").get_property("value"))
        shared = desk.driver.current_url
        assert "puzzle=" in shared
        desk.open("/")
        desk.driver.get(shared)
        desk.until(lambda: desk.at("answer").is_displayed(), "the puzzle again")
        assert desk.at("map").get_property("value") == first


def test_chosen_operators_are_used_and_remembered(browser: Browser) -> None:
    opened(browser, "/kenken?size=4&seed=1&ops=%2B*")
    clues = "return [...document.querySelectorAll('.kk .clue')].map((clue) => clue.textContent).join('')"
    assert set(re.sub(r"\d", "", browser.driver.execute_script(clues))) <= {"+", "×"}
    assert browser.query()["ops"] == "+*"
    browser.driver.execute_script("document.getElementById('hide-operators').click()")
    browser.driver.execute_script("document.querySelector('#generate-form [type=submit]').click()")
    browser.until(lambda: browser.query().get("hidden") == "1", "the new address")
    browser.until(lambda: re.fullmatch(r"\d*", browser.driver.execute_script(clues)), "clues without operators")


def test_the_example_can_be_played(browser: Browser) -> None:
    browser.open("/kenken")
    browser.driver.execute_script("document.querySelector('#solve-form details').open = true")
    browser.driver.execute_script("document.getElementById('example').click()")
    browser.driver.execute_script("document.querySelector('#solve-form [value=play]').click()")
    browser.until(lambda: browser.at("answer").is_displayed(), "the example")
    assert browser.at("said").text.startswith(("One solution", "Eén oplossing"))
    assert len(open_cells(browser)) == 8
    assert not browser.at("show").is_selected()


def test_a_puzzle_without_solution_is_said_to_have_none(desk: Browser) -> None:
    opened(desk, "/kenken?puzzle=" + quote("aab\ncbb\nccd\n\na: 3+\nb: 6*\nc: 6*\nd: 2\n"))
    assert desk.at("said").text.startswith("No solution.")
    assert not desk.at("show").is_enabled()


@pytest.mark.parametrize("solved", [False, True])
def test_it_prints_on_one_sheet_with_the_drawing_alone(desk: Browser, solved: bool) -> None:
    opened(desk, "/kenken?size=9&seed=1")
    if solved:
        desk.at("show").click()
    pdf = base64.b64decode(desk.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
    desk.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert desk.at("drawing").is_displayed()
        assert not desk.at("field").is_displayed()
        assert desk.driver.find_element(By.CSS_SELECTOR, "h1").is_displayed() is False
        assert (len(desk.all("#drawing text")) > 81) is solved
    finally:
        desk.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
