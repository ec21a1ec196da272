"""The page of a game: it holds all that it needs, is valid, tells what the journal tells, and speaks every language."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from table.__main__ import main
from table.history.archive import read_summary
from table.history.export import hand_rows
from table.history.moment_pictures import MAX_PICTURE_BYTES
from table.history.page.game_page import game_page
from table.history.played_hands import read_hands
from table.i18n.catalogue import languages, load_catalogue
from table.i18n.phrase_rendering import LEFT_TO_RIGHT, PhraseRenderer, renderer_for
from table.referee.records.checksummed_journal_rows import scan_rows
from table.referee.records.journal import JournalLine, read_lines
from tests.history.simulated_journal import simulated_journal
from tests.history.test_archive import written
from tests.history.test_export import SEATS, played
from tests.i18n.nonsense import latin, nonsense

NAMES = {"Ben": "Ben </script><b>", "Cleo": 'Cl"é & <!--', "Dan": "דנה", "Eve": "\u202eEve"}
"""Names that must not break out of where they stand; the last would turn what follows it around."""
HANDS = [7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 3, 2, 1]
MAX_BYTES = 1_000_000
VOID = frozenset(["meta", "link", "br", "img", "input"])


class Page(HTMLParser):
    """A parsed page; raises where its elements are not nested as they must be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        """Each attribute's element, name and value."""
        self.texts: list[tuple[str, str]] = []
        """Each text with the element that it stands in."""
        self.tags: Counter[str] = Counter()
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, names)
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append((self.open[-1] if self.open else "", data.strip()))

    def values(self, name: str) -> list[str]:
        return [value for _, attribute, value in self.attributes if attribute == name]

    @property
    def data(self) -> dict[str, Any]:
        """What the script reads."""
        _, text = next(item for item in self.texts if item[0] == "script")
        read: dict[str, Any] = json.loads(text)
        return read

    @property
    def said(self) -> list[str]:
        """All that a person reads or hears."""
        seen = [text for element, text in self.texts if element not in ("script", "style")]
        steps = [str(step["text"]) for hand in self.data["hands"] for step in hand["steps"]]
        return [*seen, *self.values("aria-label"), *steps]


@pytest.fixture(scope="module")
def long_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nineteen hands of seven players."""
    path = tmp_path_factory.mktemp("games") / "2026-11-20-203000+0100.jsonl"
    return simulated_journal(path, "whysteria", 7, {"hands": HANDS}, names=NAMES)


@cache
def page_text(path: Path, words: PhraseRenderer) -> str:
    return game_page(read_summary(path), scan_rows(path).lines, words)


@pytest.mark.parametrize("language", languages())
def test_a_page_is_valid_in_each_language_and_names_nothing_outside_itself(
    language: str, long_game: Path
) -> None:
    text = page_text(long_game, renderer_for(language))
    page = Page(text)
    assert len(text.encode()) < MAX_BYTES
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert set(page.values("for")) <= set(ids)
    assert {name for value in page.values("aria-labelledby") for name in value.split()} <= set(ids)
    assert page.values("src") == page.values("srcset") == page.values("action") == []
    assert {value for value in page.values("href") if value[1:] not in ids} == {"data:,"}
    [style] = [content for element, content in page.texts if element == "style"]
    assert "@import" not in style
    assert "url(" not in style
    assert re.findall(r"\w+://", text) == []
    assert page.values("lang") == [language]
    assert page.values("dir")[0] == ("rtl" if load_catalogue(language).rtl else "ltr")


def test_photo_finishes_stand_beside_their_rulings_as_far_as_the_page_has_room(long_game: Path) -> None:
    lines = [*scan_rows(long_game).lines]
    tied = [line["seq"] for line in lines if line["event"] == "leads_tied"]
    asked: list[int] = []

    def picture_of(seq: int) -> bytes | None:
        asked.append(seq)
        return bytes(MAX_PICTURE_BYTES)

    text = game_page(read_summary(long_game), lines, renderer_for(), picture_of)
    assert asked == tied
    assert len(text.encode()) < MAX_BYTES
    page = Page(text)
    shown = [int(name.removeprefix("photo-")) for name in page.values("id") if name.startswith("photo-")]
    assert shown == tied[: len(shown)]
    assert len(tied) > len(shown) == 6
    assert all(source.startswith("data:image/jpeg;base64,AAAA") for source in page.values("src"))
    steps = [step for hand in page.data["hands"] for step in hand["steps"]]
    assert [step["photo"] for step in steps if "photo" in step] == shown


def test_players_are_named_in_their_order_whatever_the_direction_of_their_names(tmp_path: Path) -> None:
    names = {"Ada": "דנה", "Ben": "רון"}
    path = simulated_journal(tmp_path / "game.jsonl", options={"hands": [1]}, names=names)
    page = page_text(path, renderer_for())
    assert "דנה, רון" not in page, "a browser would show these two the other way round"
    assert f"דנה{LEFT_TO_RIGHT}, רון" in page


def test_after_a_change_of_chairs_a_hand_is_shown_as_people_sit(tmp_path: Path) -> None:
    around = ("Dan", "Ada", "Cleo", SEATS[1])
    played(tmp_path / "game.jsonl", around=around)
    page = Page(page_text(tmp_path / "game.jsonl", renderer_for()))
    places = [SEATS.index(seat) for seat in around]
    assert [hand["around"] for hand in page.data["hands"]] == [places] * len(page.data["hands"]) != []


def test_no_name_breaks_out_of_where_it_stands(long_game: Path) -> None:
    page = Page(page_text(long_game, renderer_for()))
    assert page.tags["script"] == 2
    seats = read_summary(long_game).seats
    assert [name.replace("\\u202e", "\u202e") for name in map(str, page.data["seats"])] == list(seats)
    assert "\u202e" not in page_text(long_game, renderer_for())
    assert not [text for element, text in page.texts if element == "b" and "Ben" in text and "</b>" in text]


@pytest.mark.parametrize(
    ("game", "players", "options"),
    [
        ("whysteria", 7, {"hands": HANDS}),
        ("israeli-whist", 4, {"hands": [13] * 3}),
        ("prediction-whist", 3, {}),
        ("oh-hell", 4, {"hands": [4, 3, 2, 1]}),
    ],
)
def test_nothing_on_a_page_is_outside_the_catalogue(
    game: str, players: int, options: dict[str, object], tmp_path: Path
) -> None:
    path = simulated_journal(tmp_path / "2026-11-20-203000+0100.jsonl", game, players, options)
    page = Page(page_text(path, nonsense()))
    seats = read_summary(path).seats
    assert {text: left for text in page.said if (left := latin(text, seats))} == {}


def test_the_score_sheet_has_what_the_hands_have(long_game: Path) -> None:
    page = Page(page_text(long_game, renderer_for()))
    rows = hand_rows(read_lines(long_game))
    assert len(rows) == 7 * len(HANDS)
    wanted = [f"{row['bid']}/{row['tricks']}" for row in rows]
    assert [text for element, text in page.texts if element == "span" and text in set(wanted)] == wanted


def test_each_line_of_a_hand_is_a_step_and_each_ruling_is_marked(long_game: Path) -> None:
    page = Page(page_text(long_game, renderer_for()))
    hands = read_hands(read_lines(long_game))
    assert len(page.data["hands"]) == len(hands) == len(HANDS)
    for shown, hand in zip(page.data["hands"], hands, strict=True):
        steps = shown["steps"]
        assert sum("ruling" in step for step in steps) == len(hand.rulings)
        assert sum("won" in step for step in steps) >= len(hand.tricks) == hand.cards
    assert any(hand.rulings for hand in hands)


def test_a_trick_whose_last_card_was_withdrawn_counts_once(long_game: Path) -> None:
    lines = read_lines(long_game)
    won = Counter(
        (hand.number, line["trick"])
        for hand in read_hands(lines)
        for line in hand.lines
        if line["event"] == "trick_won"
    )
    assert max(won.values()) > 1, "the game has such a trick"
    for hand in read_hands(lines):
        assert Counter(trick.winner for trick in hand.tricks) == +Counter(hand.taken)


def test_a_correction_stands_among_the_rulings_of_its_hand() -> None:
    def line(seq: int, event: str, **fields: object) -> JournalLine:
        return {"seq": seq, "t_ns": seq, "decided_ns": seq, "event": event, **fields}

    hand = {"hand": 1, "cards": 1, "dealer": "Ada"}
    corrected = {"what": "bid", "from": 1, "to": 0, "by": "Ada"}
    lines = [
        line(1, "game_started", game="whysteria", seats=["Ada", "Ben"], options={}),
        line(2, "hand_started", **hand),
        line(3, "bid", seat="Ben", bid=1),
        line(4, "corrected", **corrected, since=3),
        line(5, "bid", seat="Ben", bid=0),
    ]
    [found] = read_hands(lines)
    assert [entry["seq"] for entry in found.lines] == [2, 4, 5]
    assert [entry["seq"] for entry in found.rulings] == [4]
    # What is corrected from the hand's start on belongs to the hand as it is told anew.
    again = [*lines, line(6, "corrected", **corrected, since=2), line(7, "hand_started", **hand)]
    [found] = read_hands(again)
    assert [entry["seq"] for entry in found.lines] == [4, 6, 7]


@pytest.mark.parametrize("over", [True, False])
def test_an_old_unfinished_or_damaged_game_has_a_page_too(
    over: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path / "evening.jsonl", over=over)
    assert main(["export", "--html", str(path)]) == 0
    whole = Page(capsys.readouterr().out)
    assert ("scores" in whole.values("class")) == over
    path.write_bytes(path.read_bytes() + b"{damaged\n")
    assert main(["export", "--html", str(path)]) == 1
    assert Page(capsys.readouterr().out).texts == whole.texts


def test_a_garbled_line_is_one_line_of_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "evening.jsonl", over=True)
    path.write_text(
        path.read_text().replace('"trick": 1', '"trick": 1, "odd": 2').replace('"Ben"', '"Bob"', 1)
    )
    assert main(["export", "--html", str(path)]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
