"""The page that solves boards: the board in view, sizes that fit, paths, filter, undo, and play against the clock."""

import re

import pytest

from tests.web.browsing import BOARD, Browser, address, browser, desk, paste, started, words_of

from selenium.webdriver import ActionChains, Keys  # isort: skip

from solvers.boggle.word_paths import tile_paths

__all__ = ["address", "browser", "desk", "started"]
pytestmark = pytest.mark.browser
SEES_BOARD = """
const box = document.getElementById("grid").getBoundingClientRect();
return box.top >= -1 && box.bottom <= innerHeight && box.width > 150;
"""
IN_VIEW = """
const box = arguments[0].getBoundingClientRect();
return box.top >= 0 && box.top < innerHeight;
"""


def solved(page: Browser, more: str = "") -> None:
    page.open(f"/?words=enable1&board={BOARD}{more}")
    page.until(page.found, "words")


def word_button(page: Browser, word: str):  # type: ignore[no-untyped-def]
    return next(one for one in page.all(".word") if one.text.split()[0] == word)


def test_the_board_stays_in_view_to_the_last_word(browser: Browser) -> None:
    solved(browser)
    last = browser.all(".word")[-1]
    browser.driver.execute_script("arguments[0].scrollIntoView()", last)
    last.click()
    browser.until(browser.lit, "a path")
    assert browser.driver.execute_script(SEES_BOARD)
    assert browser.driver.execute_script(IN_VIEW, last)


def test_results_come_before_forms_on_a_phone_and_into_view(browser: Browser) -> None:
    browser.open("/?words=enable1")
    browser.at("shake").click()
    browser.until(browser.found, "words")
    title = browser.at("results-title")
    browser.until(lambda: browser.driver.execute_script(IN_VIEW, title), "the results in view")
    if browser.phone:
        top = "return arguments[0].getBoundingClientRect().top"
        form = browser.driver.execute_script(top, browser.at("check-form"))
        assert browser.driver.execute_script(top, title) < form
        assert browser.driver.execute_script(top, browser.at("settings")) < form


@pytest.mark.parametrize(
    ("text", "offered", "taken"),
    [
        ("abcdefghi", ["3 × 3"], (3, 3)),
        ("abcdefghijklmnopqrstvwxyz", ["5 × 5"], (5, 5)),
        ("abcdefghijkl", ["3 × 4", "4 × 3", "2 × 6", "6 × 2"], (3, 4)),
        ("quabcdefghij" + "klmnop" + "rstvwxyz", ["5 × 5"], (5, 5)),
    ],
)
def test_a_text_of_another_size_offers_what_fits(
    desk: Browser, text: str, offered: list[str], taken: tuple[int, int]
) -> None:
    desk.open("/?words=enable1")
    paste(desk, desk.all(".cell")[0], text)
    desk.until(lambda: desk.all("#offers button"), "an offer")
    buttons = desk.all("#offers button")
    assert [button.text.removeprefix("Make it ") for button in buttons] == offered
    assert str(16) in desk.at("problem").text
    buttons[0].click()
    desk.until(lambda: len(desk.all(".cell")) == taken[0] * taken[1], "the board of that size")
    assert all(desk.tiles())
    desk.until(lambda: "board" in desk.query() and desk.query()["size"] == f"{taken[0]}x{taken[1]}", "its address")
    assert not desk.at("problem").is_displayed()


def test_a_text_that_no_board_holds_is_refused_in_words(desk: Browser) -> None:
    desk.open("/?words=enable1")
    paste(desk, desk.all(".cell")[0], "a" * 37)
    assert "37 tiles" in desk.at("problem").text
    assert desk.all("#offers button") == []
    assert not any(desk.tiles())


def test_q_then_u_is_one_tile(desk: Browser) -> None:
    desk.open("/?words=enable1")
    desk.all(".cell")[0].click()
    desk.press("quietlyuqqu")
    assert desk.tiles()[:9] == ["Qu", "I", "E", "T", "L", "Y", "U", "Qu", "Qu"]
    assert "Qu" in desk.at("said").text
    assert desk.tiles()[9] == ""
    desk.press("u")
    assert desk.tiles()[9] == "U"


def test_the_list_can_be_filtered(desk: Browser) -> None:
    solved(desk)
    words = words_of(BOARD)[0]
    for typed, fits in (
        ("ste", lambda word: "ste" in word),
        ("?a*s", lambda word: len(word) > 2 and word[1] == "a" and word[-1] == "s"),
        ("(", lambda word: False),
    ):
        desk.at("filter").clear()
        desk.at("filter").send_keys(typed)
        desk.shows([word for word in words if fits(word)])
        assert f"of {len(words):,}" in desk.at("filter-said").text


def test_dead_tiles_are_marked(desk: Browser) -> None:
    board = "catsdzzzrzzzbzzz"
    desk.open(f"/?words=enable1&board={board}")
    desk.until(desk.found, "words")
    faces = list(board)
    used = {cell for word in desk.found() for path in tile_paths(faces, 4, 4, word, 1000) for cell in path}
    marked = [cell for cell, tile in enumerate(desk.all(".tile")) if "dead" in str(tile.get_attribute("class"))]
    assert marked == [cell for cell in range(16) if cell not in used]
    assert len(marked) == int(desk.at("figure-dead").text)
    assert "in no word" in str(desk.all(".cell")[marked[0]].get_attribute("aria-label"))
    assert "in no word" not in str(desk.all(".cell")[0].get_attribute("aria-label"))


def test_every_path_of_a_word_is_shown_with_arrows_and_told(desk: Browser) -> None:
    solved(desk)
    word = "ane"
    paths = tile_paths(list(BOARD), 4, 4, word, 1000)
    assert len(paths) > 1
    word_button(desk, word).click()
    desk.until(lambda: f"of {len(paths)}" in desk.at("path-which").text, "the number of paths")
    seen = []
    for _ in paths:
        seen.append(tuple(desk.lit()))
        assert len(desk.all(".path polygon")) == len(word) - 1
        said = str(desk.at("path-said").get_attribute("textContent"))
        assert said.startswith(f"{word}, path {len(seen)} of {len(paths)}: A row ")
        desk.at("path-next").click()
    assert seen == [tuple(sorted(path)) for path in paths]
    word_button(desk, "plaster").click()
    desk.until(lambda: desk.at("path-which").text == "the only path", "a single path")
    assert not desk.at("path-next").is_displayed()


def test_shakes_can_be_undone(desk: Browser) -> None:
    desk.open("/?words=enable1")
    assert not desk.at("undo").is_enabled()
    boards = []
    for _ in range(3):
        desk.at("shake").click()
        desk.until(lambda: desk.query().get("board") and desk.tiles() not in boards and desk.found(), "a shaken board")
        boards.append(desk.tiles())
    for board in reversed(boards[:-1]):
        desk.at("undo").click()
        assert desk.tiles() == board
        assert "seed" in desk.query()
    assert not desk.at("undo").is_enabled()


def test_the_link_is_copied_without_the_clipboard_api(desk: Browser) -> None:
    solved(desk)
    desk.driver.execute_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    desk.at("copy").click()
    desk.until(lambda: desk.at("said").text in ("Link copied.", "Copy the link from this field (Ctrl+C):"), "a word")
    desk.driver.execute_script("document.execCommand = () => false")
    desk.at("copy").click()
    desk.until(lambda: desk.at("link").is_displayed(), "the link in a field")
    assert desk.at("link").get_property("value") == desk.driver.current_url


def test_dice_and_list_of_different_languages_are_said(desk: Browser) -> None:
    solved(desk, "&dice=it_4x4")
    assert "Italian" in desk.at("mismatch").text
    assert "English" in desk.at("mismatch").text
    solved(desk, "&dice=classic")
    assert not desk.at("mismatch").is_displayed()


def test_words_can_stay_hidden(desk: Browser) -> None:
    desk.open(f"/?words=enable1&hide=1&board={BOARD}")
    desk.until(lambda: desk.at("results").is_displayed(), "an answer")
    assert desk.found() == []
    assert not desk.at("figure-longest").is_displayed()
    assert desk.at("figure-count").text == f"{len(words_of(BOARD)[0]):,}"
    desk.at("hide").click()
    desk.shows(words_of(BOARD)[0])
    assert "hide" not in desk.query()


def begin(page: Browser) -> None:
    page.open(f"/?words=enable1&hide=1&board={BOARD}")
    page.until(lambda: page.at("results").is_displayed(), "an answer")
    page.at("play").click()
    page.until(lambda: page.at("play-start").is_displayed(), "the game")
    page.at("play-start").click()
    page.until(lambda: page.at("guess").is_displayed(), "a field for words")


def drag(page: Browser, path: tuple[int, ...]) -> None:
    tiles = page.all(".tile")
    action = ActionChains(page.driver, duration=20).move_to_element(tiles[path[0]]).click_and_hold()
    for cell in path[1:]:
        action.move_to_element(tiles[cell])
    action.release().perform()


def test_a_game_counts_typed_and_dragged_words_and_shows_what_was_missed(browser: Browser) -> None:
    begin(browser)
    assert browser.found() == []
    for typed, said in (
        ("plaster", "plaster: 5 |5 "),
        ("PLASTER", "plaster"),
        ("quiz", "QUIZ"),
        ("zz", "ZZ"),
        ("gtr", "GTR is not|GTR staat niet"),
    ):
        browser.at("guess").send_keys(typed, Keys.ENTER)
        browser.until(
            lambda said=said: any(one in browser.at("guess-said").text for one in said.split("|")), f"about {typed}"
        )
    path = tile_paths(list(BOARD), 4, 4, "sit")[0]
    browser.driver.execute_script("scrollTo(0, 0)")
    drag(browser, path)
    browser.until(lambda: "sit" in browser.at("guess-said").text, "the dragged word")
    mine = ["plaster", "sit"]
    words, score = words_of(BOARD)
    browser.at("play-stop").click()
    browser.until(lambda: browser.at("results").is_displayed(), "the end")
    said = re.sub(r"(?<=\d)[.,](?=\d{3})", "", browser.at("said").text)
    assert [int(number) for number in re.findall(r"\d+", said)] == [len(mine), len(words), 6, score]
    browser.shows([word for word in words if word not in mine])
    browser.driver.execute_script("document.getElementById('missed').click()")
    browser.shows(words)
    got = [one.text.split()[0] for one in browser.all(".word.got")]
    assert got == mine


def test_the_clock_ends_a_game(desk: Browser) -> None:
    begin(desk)
    # an hour passes at once for the page's clock
    desk.driver.execute_script("const now = performance.now.bind(performance); performance.now = () => now() + 3.6e6")
    desk.until(lambda: desk.at("results").is_displayed(), "the end")
    assert not desk.at("game").is_displayed()
    desk.shows(words_of(BOARD)[0])
    desk.all(".cell")[0].click()
    desk.press("x")
    assert desk.tiles()[0] == "X"
