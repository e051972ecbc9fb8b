"""Runs in a browser: found, read, compared, started, watched, stopped and gone on with; and the API tried."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import duckdb
import httpx
import pytest

from tests.web.browsing import Browser, browser, desk, started

from selenium.webdriver import Keys  # isort: skip
from selenium.webdriver.common.by import By  # isort: skip
from selenium.webdriver.support.ui import Select  # isort: skip

from pipeline.runs.opening import open_run
from pipeline.web.texts import TEXTS
from tests.waiting import LONG, wait_until
from tests.web.serving import running_server
from tests.web.test_browser_page import CONTRAST

__all__ = ["browser", "desk", "started"]
pytestmark = pytest.mark.browser
COPIES = 30
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
HOSTILE = """<!doctype html><html><head><title>x</title><meta http-equiv="refresh" content="0; url=/kenken"></head>
<body onload="document.title='ran'"><p id="own">text</p><script>document.title = "ran"</script>
<img src="/static/icon.svg" onerror="document.title='ran'"><form action="/api/v1/runs" method="post">
<button id="go">go</button></form><iframe src="/runs"></iframe></body></html>"""


@pytest.fixture(scope="module")
def served(outputs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Address of a server that may start runs, and its outputs/: two runs, copies of one, and a broken one."""
    folder = tmp_path_factory.mktemp("runs") / "outputs"
    for name in ("first", "second", "broken"):
        shutil.copytree(outputs / name, folder / name)
    for number in range(COPIES):
        shutil.copytree(outputs / "first", folder / f"copy-{number:02}")
    with running_server(folder.parent, "--allow-runs", "20M") as (port, _):
        yield f"http://127.0.0.1:{port}", folder


@pytest.fixture(scope="module")
def address(served: tuple[str, Path]) -> str:
    return served[0]


def texts(page: Browser) -> dict[str, str]:
    return TEXTS[str(page.driver.find_element(By.TAG_NAME, "html").get_attribute("lang"))]


def names(page: Browser) -> list[str]:
    return [str(row.get_attribute("data-run")) for row in page.all("tr[data-run]")]


def digits(text: str) -> list[int]:
    """Whole numbers of a text, whatever splits their thousands."""
    return [int(re.sub(r"\D", "", found)) for found in re.findall(r"\d[\d.,]*", text)]


def stored(page: Browser) -> int:
    return digits(page.driver.find_element(By.CSS_SELECTOR, "[data-stored]").text)[0]


def state(page: Browser) -> str:
    return str(page.driver.find_element(By.CSS_SELECTOR, "[data-state]").get_attribute("class")).split()[1]


def rows_of(folder: Path) -> int:
    """Rows by an independent reader of the parts that are there."""
    parts = [str(path) for path in folder.glob("boards/*/part-*.parquet")]
    if not parts:
        return 0
    ((count,),) = duckdb.sql("select count(*) from read_parquet($parts)", params={"parts": parts}).fetchall()
    return int(count)


def test_runs_are_searched_sorted_and_turned_over(browser: Browser) -> None:
    browser.open("/runs?sort=name")
    first = names(browser)
    assert first == ["broken", *(f"copy-{number:02}" for number in range(24))]
    assert browser.driver.find_element(By.CSS_SELECTOR, "tr[data-run=broken] .state").text == texts(browser)["broken"]
    browser.driver.find_element(By.CSS_SELECTOR, "[rel=next]").click()
    assert names(browser)[:7] == [*(f"copy-{number:02}" for number in range(24, COPIES)), "first"]
    field = browser.driver.find_element(By.NAME, "search")
    field.send_keys("new", Keys.ENTER)
    assert names(browser) == ["second"]
    assert digits(browser.driver.find_element(By.CSS_SELECTOR, "[data-stored]").text) == [300, 300]
    assert Select(browser.driver.find_element(By.NAME, "sort")).first_selected_option.get_attribute("value") == "name"


def test_the_best_boards_of_a_run_are_solved_with_one_click(browser: Browser, served: tuple[str, Path]) -> None:
    browser.open("/runs/first")
    ((score, board),) = duckdb.sql(
        "select score, board from read_parquet($path) order by score desc, board_id limit 1",
        params={"path": str(served[1] / "first" / "boards" / "*" / "*.parquet")},
    ).fetchall()
    link = browser.all("a[href*='board=']")[0]
    assert link.text == board
    link.click()
    browser.until(browser.found, "words")
    assert digits(browser.at("figure-score").text) == [score]
    assert browser.query()["dice"] == "classic"


def test_a_report_leads_back_to_its_run_and_to_the_list(browser: Browser) -> None:
    browser.open("/runs/first")
    browser.driver.find_element(By.LINK_TEXT, texts(browser)["open_report"]).click()
    assert browser.all("main svg")
    page = urlsplit(browser.driver.current_url).path
    for number, path in ((0, "/runs/first"), (1, "/runs")):
        browser.open(page)
        link = browser.all(".way-back a")[number]
        if browser.phone:
            # The driver touches by a script, of which the page runs none.
            browser.driver.get(str(link.get_attribute("href")))
        else:
            link.click()
        browser.until(lambda path=path: urlsplit(browser.driver.current_url).path == path, path)


def test_a_hostile_report_runs_nothing_and_asks_for_nothing(desk: Browser, served: tuple[str, Path]) -> None:
    folder = served[1] / "hostile"
    shutil.copytree(served[1] / "first", folder)
    (folder / "report" / "index.html").write_text(HOSTILE)
    before = set(served[1].iterdir())
    try:
        for path in ("/runs/hostile/report", "/api/v1/runs/hostile/report"):
            desk.open(path)
            assert desk.at("own").text == "text"
            desk.at("go").click()
            assert desk.driver.title == "x"
            assert urlsplit(desk.driver.current_url).path == path
            script = "return performance.getEntriesByType('resource').filter((entry) => entry.responseStatus).length"
            assert desk.driver.execute_script(script) == 0
            complaints = [entry["message"] for entry in desk.driver.get_log("browser")]
            assert any("script" in message for message in complaints)
        assert set(served[1].iterdir()) == before
    finally:
        shutil.rmtree(folder)


def test_compare_offers_a_second_run_that_fits(browser: Browser) -> None:
    browser.open("/runs/second")
    browser.driver.find_element(By.LINK_TEXT, texts(browser)["compare"]).click()
    first, second = (Select(field).first_selected_option.text for field in browser.all("select[name=run]"))
    assert first == "second"
    assert second not in ("second", "broken", "")
    table = browser.driver.find_element(By.CSS_SELECTOR, "table.compared")
    heads = [cell.text for cell in table.find_elements(By.CSS_SELECTOR, "tbody th")]
    said = texts(browser)
    assert heads == [said[f"metric_{name}"] for name in ("words", "score", "longest", "dead_tiles", "nodes")]
    right, width = browser.driver.execute_script(
        "const box = arguments[0].parentElement; return [box.scrollWidth, box.clientWidth]", table
    )
    if not browser.phone:
        assert right <= width


@pytest.mark.parametrize(
    ("boards", "seed"), [("-5", "1"), ("1e9", "1"), ("0", "1"), ("99999999999999", "1"), ("10", "-1")]
)
def test_senseless_numbers_in_the_form_start_nothing(
    desk: Browser, served: tuple[str, Path], boards: str, seed: str
) -> None:
    before = set(served[1].iterdir())
    desk.open("/runs")
    desk.driver.find_element(By.CSS_SELECTOR, "details > summary").click()
    for field, value in (("run-boards", boards), ("run-seed", seed)):
        desk.at(field).clear()
        desk.at(field).send_keys(value)
    desk.driver.find_element(By.CSS_SELECTOR, "#start-form [type=submit]").click()
    valid = desk.driver.execute_script("return document.getElementById('start-form').checkValidity()")
    if valid:
        desk.until(lambda: desk.at("problem").text, "a refusal")
        assert "422" in desk.driver.get_log("browser")[0]["message"]
    assert desk.at("said").text == ""
    assert set(served[1].iterdir()) == before


def test_a_run_is_started_watched_in_two_windows_stopped_and_finished_in_a_terminal(
    desk: Browser, served: tuple[str, Path]
) -> None:
    folder = served[1]
    desk.open("/runs")
    desk.driver.find_element(By.CSS_SELECTOR, "details > summary").click()
    for field, value in (("run-boards", "20000000"), ("run-seed", "77")):
        desk.at(field).clear()
        desk.at(field).send_keys(value)
    Select(desk.at("run-cores")).select_by_visible_text("1")
    desk.at("run-seed").send_keys(Keys.ENTER)
    path = wait_until(lambda: re.fullmatch(r"/runs/([\w-]+)", urlsplit(desk.driver.current_url).path), "its page")
    name, one = path[1], desk.driver.current_window_handle
    desk.driver.switch_to.new_window("window")
    two = desk.driver.current_window_handle
    desk.open("/runs?search=" + name)
    try:
        for window in (two, one):
            desk.driver.switch_to.window(window)
            assert wait_until(lambda: (count := stored(desk)) and state(desk) == "running" and count, "rows", pause=0.1)
            assert stored(desk) <= rows_of(folder / name)
        desk.until(lambda: re.search(r"\d", desk.driver.find_element(By.CSS_SELECTOR, "[data-speed]").text), "a speed")
        desk.at("stop").click()
        for window in (one, two):
            desk.driver.switch_to.window(window)
            wait_until(lambda: state(desk) == "stopped", "the end of it", pause=0.1)
        held = rows_of(folder / name)
        assert 0 < held < 20_000_000
        wait_until(lambda: stored(desk) == held, "its number", pause=0.1)
        desk.driver.switch_to.window(one)
        command = wait_until(lambda: [pre.text for pre in desk.all("pre")], "the command to go on", pause=0.1)[0]
        store = open_run(str(folder / name))
        store.rewritten(plan=store.run.plan.model_copy(update={"boards": held + 10}))
        arguments = [sys.executable, "-m", "pipeline", *shlex.split(command)[1:]]
        arguments[arguments.index("--boards") + 1] = str(held + 10)
        subprocess.run(arguments, cwd=folder.parent, check=True, capture_output=True, timeout=LONG)
        for window in (one, two):
            desk.driver.switch_to.window(window)
            wait_until(lambda: (state(desk), stored(desk)) == ("done", held + 10), "all of it", pause=0.1)
        assert rows_of(folder / name) == held + 10
    finally:
        desk.driver.switch_to.window(two)
        desk.driver.close()
        desk.driver.switch_to.window(one)


def test_the_page_says_what_a_run_died_of_and_the_server_lives_on(desk: Browser, served: tuple[str, Path]) -> None:
    address, folder = served
    request = {"boards": 20_000_000, "workers": 1, "seed": 78}
    name = httpx.post(f"{address}/api/v1/runs", json=request, timeout=LONG).json()["name"]
    wait_until(
        lambda: httpx.get(f"{address}/api/v1/runs/{name}", timeout=LONG).status_code == 200, "its listing", pause=0.1
    )
    desk.open(f"/runs/{name}")
    wait_until(lambda: state(desk) == "running", "a run that goes on", pause=0.1)
    os.killpg(int((folder / name / "run.lock").read_text().split()[1]), signal.SIGKILL)
    wait_until(lambda: "signal 9" in desk.at("problem").text, "what it ended in", pause=0.1)
    wait_until(lambda: desk.all("pre"), "the command to go on, which the page loads anew", pause=0.1)
    assert state(desk) == "stopped"
    assert httpx.get(f"{address}/api/v1/health", timeout=LONG).json()["status"] == "ok"


def test_operations_are_tried_from_their_description(browser: Browser) -> None:
    browser.open("/docs")

    def tried(operation: str) -> tuple[int, str]:
        form = browser.driver.find_element(By.CSS_SELECTOR, f"#{operation} form")
        browser.driver.execute_script("arguments[0].querySelector('[type=submit]').click()", form)
        said = form.find_element(By.CSS_SELECTOR, ".tried .status")
        browser.until(lambda: said.text[:1].isdigit(), operation)
        return int(said.text[:3]), form.find_element(By.CSS_SELECTOR, ".tried pre").text

    status, text = tried("post-api-v1-solve")
    assert status == 200
    assert json.loads(text)["count"] > 0
    assert json.loads(tried("get-api-v1-shake")[1])["boards"]
    name = browser.driver.find_element(By.CSS_SELECTOR, "#get-api-v1-runs-name [data-in=path]")
    name.clear()
    name.send_keys("first")
    # A long answer is shown in part.
    assert '"stored": 300' in tried("get-api-v1-runs-name")[1]
    runs = browser.driver.find_element(By.CSS_SELECTOR, "#get-api-v1-compare [name=run]")
    runs.clear()
    runs.send_keys("first second")
    assert len(json.loads(tried("get-api-v1-compare")[1])["comparisons"]) == 1


PAGES = ["/runs", "/runs/first", "/runs/broken", "/compare?run=first&run=second", "/docs", "/runs/first/report"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES[:5])
def test_contrast_is_at_least_aa_and_nothing_overflows(browser: Browser, path: str, scheme: str) -> None:
    features = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", features)
    browser.open(path)
    browser.driver.execute_script("for (const one of document.querySelectorAll('details')) one.open = true")
    seen, poor = browser.driver.execute_script(CONTRAST)
    assert seen > 10
    assert poor == []
    assert browser.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is missing: npm install --no-save axe-core")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/kenken?size=4&seed=1", *PAGES])
def test_axe_finds_nothing(browser: Browser, path: str, scheme: str, tmp_path: Path) -> None:
    features = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", features)
    browser.open(path)
    if path.endswith("report"):
        # What is served runs no script, axe's neither: the same page from a file does.
        page = tmp_path / "report.html"
        page.write_bytes(httpx.get(browser.driver.current_url, timeout=LONG).content)
        browser.driver.get(page.as_uri())
    browser.driver.execute_script("for (const one of document.querySelectorAll('details')) one.open = true")
    browser.driver.execute_script(AXE.read_text())
    script = "const done = arguments[arguments.length - 1]; axe.run().then((found) => done(found.violations), done)"
    found = browser.driver.execute_async_script(script)
    assert [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found] == []


def test_the_form_and_the_list_are_used_by_keyboard_alone(desk: Browser) -> None:
    desk.open("/runs?sort=name")

    def tab_to(name: str) -> None:
        script = "const e = document.activeElement; return [e.id, e.name, e.value, e.textContent, e.tagName].join(' ')"
        for _ in range(80):
            desk.press(Keys.TAB)
            if name in str(desk.driver.execute_script(script)):
                return
        raise AssertionError(f"Tab does not come to {name}")

    tab_to("SUMMARY")
    desk.press(Keys.ENTER)
    for name in ("run-boards", "run-words", "run-seed", "run-cores", "run-dice", "run-other", "run-keep", "search"):
        tab_to(name)
    desk.press("second", Keys.ENTER)
    desk.until(lambda: names(desk) == ["second"], "the search")
    tab_to("run second")
    desk.press(Keys.SPACE)
    tab_to("BUTTON")
    desk.press(Keys.ENTER)
    desk.until(lambda: "/compare" in desk.driver.current_url, "the comparison")
