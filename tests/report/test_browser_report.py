"""The page as a browser shows it: headless Chromium at the width of a desk and of a phone, light and dark."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.report.page import make_page
from pipeline.report.summary import summarize
from pipeline.runs.opening import reader
from pipeline.store.run_store import RunStore

pytestmark = pytest.mark.browser
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync",
    "--no-first-run", "--hide-scrollbars",
)  # fmt: skip


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("Chromium and its driver are not installed")
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chromium = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield chromium
    chromium.quit()


@pytest.fixture(scope="module")
def address(two_sets: RunStore, tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("page") / "index.html"
    path.write_text(make_page(reader(two_sets), summarize(reader(two_sets))).html)
    return path.as_uri()


def show(browser: Any, address: str, width: int, scheme: str) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    browser.get(address)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_page_fits_draws_every_chart_and_says_nothing_to_the_console(
    browser: Any, address: str, width: int, scheme: str
) -> None:
    show(browser, address, width, scheme)
    assert browser.get_log("browser") == []
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    drawn = browser.execute_script(
        """return [...document.querySelectorAll("figure svg")].map(svg => {
             const box = svg.getBoundingClientRect();
             return [box.width, box.height, svg.querySelectorAll("path, rect, line, text").length];
           })"""
    )
    assert len(drawn) >= 17
    for wide, high, marks in drawn:
        assert 200 < wide <= width
        assert high > 150
        assert marks > 20


@pytest.mark.parametrize("width", [1280, 390])
def test_no_text_of_a_chart_is_cut_off(browser: Any, address: str, width: int) -> None:
    show(browser, address, width, "light")
    cut = browser.execute_script(
        """return [...document.querySelectorAll("figure svg")].flatMap(svg => {
             const frame = svg.getBoundingClientRect();
             return [...svg.querySelectorAll("text")].filter(text => {
               const box = text.getBoundingClientRect();
               return box.width && (box.left < frame.left - 2 || box.right > frame.right + 2);
             }).map(text => text.textContent);
           })"""
    )
    assert cut == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_stand_out_from_what_is_behind_them(browser: Any, address: str, scheme: str) -> None:
    """Contrast of the chart titles and the text of at least 4.5, as WCAG 2.2 asks."""
    show(browser, address, 1280, scheme)
    ratios = browser.execute_script(
        """const light = css => {
             const [r, g, b] = css.match(/[\\d.]+/g).slice(0, 3).map(part => part / 255)
               .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
             return 0.2126 * r + 0.7152 * g + 0.0722 * b;
           };
           const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
           const paper = light(getComputedStyle(document.querySelector("figure")).backgroundColor);
           const back = light(getComputedStyle(document.body).backgroundColor);
           return [...document.querySelectorAll("figure svg .role-title-text text, figure svg .role-axis-label text")]
             .map(text => ratio(light(getComputedStyle(text).fill), paper))
             .concat([...document.querySelectorAll("h1, .about, .note")]
               .map(text => ratio(light(getComputedStyle(text).color), back)));"""
    )
    assert len(ratios) > 50
    assert min(ratios) >= 4.5


def test_the_first_screen_of_a_phone_holds_the_answer(browser: Any, address: str) -> None:
    show(browser, address, 390, "light")
    assert browser.execute_script("return document.querySelector('h1').getBoundingClientRect().bottom") < 500


def test_the_keyboard_reaches_every_fold_and_table(browser: Any, address: str) -> None:
    show(browser, address, 1280, "light")
    reachable = browser.execute_script(
        "return [...document.querySelectorAll('summary, a[href], [tabindex]')].every(one => one.tabIndex >= 0)"
    )
    assert reachable
    folds = browser.execute_script(
        "const one = document.querySelector('details'); one.querySelector('summary').click(); return one.open"
    )
    assert folds
