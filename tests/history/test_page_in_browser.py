"""The page of a game in a real browser: opened from disk, stepped through, printed; no error, nothing requested.

The browser is Debian's Chromium. Without it these tests are skipped; `.ci/machine` installs it where it may.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from table.history.archive import read_summary
from table.history.page.game_page import game_page
from table.history.played_hands import PlayedHand, read_hands
from table.i18n.catalogue import languages, load_catalogue
from table.i18n.phrase_rendering import renderer_for
from table.referee.records.journal import read_lines
from tests.history.browser import Browser, is_installed, open_browser
from tests.history.simulated_journal import simulated_journal
from tests.history.test_game_page import HANDS, NAMES

PHONE, DESK = (360, 740), (1280, 800)

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not is_installed(), reason="no browser: apt-get install chromium chromium-driver"),
]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with open_browser(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "2026-11-20-203000+0100.jsonl"
    return simulated_journal(path, "whysteria", 7, {"hands": HANDS}, names=NAMES)


def page_of(journal: Path, language: str = "en") -> Path:
    """The page's file, made once."""
    path = journal.with_suffix(f".{language}.html")
    if not path.exists():
        path.write_text(game_page(read_summary(journal), read_lines(journal), renderer_for(language)))
    return path


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("size", [PHONE, DESK])
def test_a_page_opens_from_disk_requests_nothing_and_fits_the_width(
    language: str, size: tuple[int, int], browser: Browser, journal: Path
) -> None:
    page = page_of(journal, language)
    browser.requested()
    browser.open(page, size)
    assert browser.requested() <= {page.as_uri(), "data:,"}
    assert browser.log("browser") == []
    assert browser.run("return document.compatMode") == "CSS1Compat"
    assert browser.run("return document.documentElement.scrollWidth") <= size[0]
    assert browser.run("return getComputedStyle(document.body).direction") == (
        "rtl" if load_catalogue(language).rtl else "ltr"
    )


def steps_through(browser: Browser, hand: PlayedHand, number: int) -> list[str]:
    """What is told at each step of a hand, by the button that steps on."""
    choice = browser.find("#replay-hand")
    browser.run(f"const hand = document.getElementById('replay-hand'); hand.value = '{number}';")
    browser.run("document.getElementById('replay-hand').dispatchEvent(new Event('change'))")
    assert choice.get_attribute("value") == str(number)
    sentence, following = browser.find("#replay-told"), browser.find("#replay-next")
    told = [sentence.get_property("textContent")]
    while following.is_enabled():
        following.click()
        told.append(sentence.get_property("textContent"))
    return list(map(str, told))


def test_a_hand_is_stepped_through_card_by_card(browser: Browser, journal: Path) -> None:
    browser.open(page_of(journal), DESK)
    hands = read_hands(read_lines(journal))
    number = next(number for number, hand in enumerate(hands) if hand.rulings)
    hand = hands[number]
    told = steps_through(browser, hand, number)
    data = browser.run("return JSON.parse(document.getElementById('replay-data').textContent)")
    assert told == [step["text"] for step in data["hands"][number]["steps"]]
    # In the end each player's points stand there; at the step before, the tricks and the bid.
    browser.find("#replay-back").click()
    figures = [element.text for element in browser.all(".seat .figures")]
    seats = read_summary(journal).seats
    assert figures == [f"{hand.taken[seat]} / {hand.bids[seat]}" for seat in seats]
    assert browser.log("browser") == []


def test_a_card_lies_before_its_player_until_the_next_trick(browser: Browser, journal: Path) -> None:
    browser.open(page_of(journal), DESK)
    data = browser.run("return JSON.parse(document.getElementById('replay-data').textContent)")
    steps = data["hands"][0]["steps"]
    won = next(place for place, step in enumerate(steps) if "won" in step)
    browser.run(f"const at = document.getElementById('replay-at'); at.value = {won};")
    browser.run("document.getElementById('replay-at').dispatchEvent(new Event('input'))")
    assert len(browser.all(".seat .card")) == len(data["seats"])
    [winner] = browser.all(".seat.wins .name")
    assert winner.text == data["seats"][steps[won]["won"][1]]


@pytest.mark.parametrize("language", ["en", "he"])
def test_the_keyboard_steps_too_in_the_direction_of_the_language(
    language: str, browser: Browser, journal: Path
) -> None:
    browser.open(page_of(journal, language), DESK)
    control = browser.find("#replay-at")
    forward = Keys.ARROW_LEFT if load_catalogue(language).rtl else Keys.ARROW_RIGHT
    control.send_keys(forward, forward)
    assert control.get_attribute("value") == "2"
    assert "3" in str(control.get_attribute("aria-valuetext"))
    control.send_keys(Keys.END)
    assert not browser.find("#replay-next").is_enabled()


@pytest.mark.parametrize("language", languages())
def test_a_screen_reader_has_a_name_for_each_control_and_table(
    language: str, browser: Browser, journal: Path
) -> None:
    browser.open(page_of(journal, language), DESK)
    browser.run("for (const hand of document.querySelectorAll('details')) hand.open = true")
    controls = browser.all("button, select, input, [role=region], [role=img]")
    assert len(controls) > 10
    assert [control.get_attribute("outerHTML") for control in controls if not control.accessible_name] == []


def test_a_hand_leads_to_its_steps(browser: Browser, journal: Path) -> None:
    browser.open(page_of(journal), DESK)
    browser.run("document.getElementById('hand-3').open = true")
    browser.find("#hand-3 button").click()
    assert browser.find("#replay-hand").get_attribute("value") == "3"
    assert browser.driver.switch_to.active_element.get_attribute("id") == "replay-next"


def test_all_hands_are_on_paper(browser: Browser, journal: Path) -> None:
    browser.open(page_of(journal), DESK)
    assert base64.b64decode(browser.driver.print_page()).startswith(b"%PDF")
    assert browser.run("return [...document.querySelectorAll('details')].every((hand) => hand.open)")


def test_without_scripts_all_but_the_steps_is_there(browser: Browser, journal: Path) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open(page_of(journal), DESK)
        assert not browser.find("#replay").is_displayed()
        assert browser.find(".scores").is_displayed()
        assert len(browser.all(".tricks")) == len(HANDS)
        assert not any(button.is_displayed() for button in browser.all(".step-through button"))
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
