"""No sentence stands outside the catalogue: in another language nothing on the screen is English."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from table.display.view_picture import draw_canvas
from table.events.event_registry import line_sentence
from table.observed_facts import MS, Call, Gesture
from table.referee.model.view import OpenOptions, View
from tests.display.views import NAMES, game_moments, moments, odd_moments
from tests.i18n.nonsense import latin, nonsense
from tests.referee.tabletop import TableTop
from tests.referee.test_referee_cards import bidden, trick

SEATS = NAMES[:4]
KNOWN = (*NAMES, "QWERTYU")


def english(view: View, known: tuple[str, ...]) -> dict[str, list[str]]:
    """What a picture of the view in the nonsense language says in Latin letters."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("table.display.drawing.canvas.renderer_for", lambda _: nonsense())
        texts = [placed.text for placed in draw_canvas(view, (1280, 720)).placed]
    assert texts
    return {text: left for text in texts if (left := latin(text, known))}


def without_notices(view: View) -> View:
    """The moments' notices are made of English sentences by the tests themselves."""
    return replace(view, notices=())


@pytest.mark.parametrize(
    ("name", "view"),
    [*moments(SEATS), *odd_moments(SEATS), *game_moments(SEATS)],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_no_english_stands_on_the_screen(name: str, view: View) -> None:
    keys = tuple(key for controls in view.controls.values() for key in controls.keys)
    assert english(without_notices(view), (*KNOWN, *keys)) == {}


def at_the_table() -> Iterator[tuple[str, TableTop]]:
    """Tables at which the referee has something to say."""
    refused = TableTop(hands=[2])
    refused.bid("Ben", 1, 500)
    refused.rap("Ada", 1000)
    refused.bid("Cleo", 5, 2000)
    refused.settle(2700)
    yield "bids refused", refused
    tied = TableTop(hands=[2])
    tied.rap("Ada", 1000)
    tied.bid("Cleo", 1, 2000)
    tied.bid("Ben", 0, 2004)
    tied.settle(2700)
    yield "bids tied", tied
    second = bidden()
    second.lay("9H", 6000, "Ada")
    second.lay("8H", 9000, "Ada")
    second.settle()
    yield "out of turn", second
    won = bidden()
    trick(won)
    won.settle()
    yield "trick won", won


@pytest.mark.parametrize(("name", "table"), [*at_the_table()], ids=lambda value: str(value)[:12])
def test_no_ruling_is_english(name: str, table: TableTop) -> None:
    for moment in (0, 5000, 12_000):
        view = table.referee.view(moment * MS)
        assert english(view, KNOWN) == {}


@pytest.mark.parametrize(("name", "table"), [*at_the_table()], ids=lambda value: str(value)[:12])
def test_no_line_of_the_panel_is_english(name: str, table: TableTop) -> None:
    table.facts.append(Call(20_000 * MS, 20_500 * MS, "Ada", Gesture.WRONG, 0))
    table.settle(20_600)
    panel = table.referee.view(0).panel
    assert isinstance(panel, OpenOptions)
    words = nonsense()
    lines = (panel.title, *panel.path, *panel.options)
    assert {words(line) for line in lines if latin(words(line), KNOWN)} == set()


@pytest.mark.parametrize(("name", "table"), [*at_the_table()], ids=lambda value: str(value)[:12])
def test_no_line_of_the_journal_is_told_in_english(name: str, table: TableTop) -> None:
    words = nonsense()
    told = [words(line_sentence(line)) for line in table.referee.journal.lines]
    assert [text for text in told if latin(text, KNOWN)] == []
