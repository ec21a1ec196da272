"""A game as one page of HTML that holds all it needs: it opens from disk in any browser, without a network.

The template beside this module makes it: result, chart, honours, score sheet, all hands and statistics stand in the
markup, so that they are there without scripts and on paper. The script steps through a hand, from the data in the page.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from table.errors import TableError, convert_errors
from table.games.registry import game_begun_by
from table.history.archive import GARBLED_LINE, Summary
from table.history.honours import game_honours
from table.history.page.page_text import card_text, sentence_text, trump_text
from table.history.page.replay_steps import replay_steps
from table.history.page.total_lines import chart_lines
from table.history.played_hands import PlayedHand, read_hands
from table.history.statistics import Statistics, make_table
from table.i18n.phrase_rendering import PhraseRenderer, escape_unprintable
from table.phrase import Phrase, make_phrase
from table.referee.model.moments import PictureOf
from table.referee.records.journal import JournalLine, effective_lines

MAX_PHOTO_BYTES: Final = 500_000
"""Limit of all photo finishes on a page, as Base64: it stays small enough to be sent, and opens at once."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A player's place in the ranking."""

    number: int
    seat: str
    total: int
    won: bool


def game_page(
    game: Summary,
    lines: Sequence[JournalLine],
    words: PhraseRenderer,
    picture_of: PictureOf = lambda seq: None,
) -> str:
    """Return the page of a game, finished or not, in the language of ``words``; ``TableError`` for a garbled line.

    ``picture_of``: returns the photo finish of the line with a number, if there is one.
    """
    # Loaded late: a table that starts needs no templates.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("table.history", "page"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    environment.filters["text"] = words
    environment.filters["name"] = escape_unprintable
    environment.filters["all_of"] = lambda seats: words.join_list(map(escape_unprintable, seats))
    environment.filters["commas"] = lambda seats: words.join_commas(map(escape_unprintable, seats))
    environment.filters["bid"] = words.render_bid
    environment.filters["card"] = partial(card_text, words=words)
    environment.filters["sentence"] = partial(sentence_text, words=words)
    environment.globals["say"] = lambda code, **fields: words(make_phrase(code, **fields))
    with convert_errors(TableError), convert_errors((*GARBLED_LINE, ValueError), "row.garbled"):
        page = environment.get_template("template.html.jinja").render(
            _content(game, lines, words, picture_of)
        )
    # (A damaged journal may hold letters that are no text.)
    return page.encode("utf-8", "replace").decode()


def _content(
    game: Summary, lines: Sequence[JournalLine], words: PhraseRenderer, picture_of: PictureOf
) -> dict[str, Any]:
    hands = read_hands(lines)
    photos = _photos(hands, picture_of)
    scored = [hand for hand in hands if hand.is_scored]
    trumps = [trump_text(hand.trump, words) for hand in hands]
    chart = chart_lines(scored, game.seats)
    statistics = Statistics()
    statistics.add_game(game, lines)
    return {
        "catalogue": words.catalogue,
        "title": words.render_code("game", game.game),
        "game": game,
        "day": _day(game),
        "total": make_phrase("screen.lives" if _has_lives(lines[0]) else "screen.total"),
        "ranking": _ranking(game, lines),
        "chart": chart if chart.hands > 1 else None,
        "honours": game_honours(lines),
        "hands": hands,
        "scored": scored,
        "outcomes": [{seat: _outcome(hand, seat) for seat in game.seats} for hand in scored],
        "trumps": trumps,
        "photos": photos,
        "statistics": make_table(statistics, games=False),
        "is_red": lambda card: card[-1:] in ("H", "D"),
        "data": {
            "seats": list(map(escape_unprintable, game.seats)),
            "hands": [
                {
                    "trump": trump,
                    "around": [game.seats.index(seat) for seat in hand.seats],
                    "steps": replay_steps(hand, game.seats, words, photos),
                }
                for hand, trump in zip(hands, trumps, strict=True)
            ],
        },
    }


def _photos(hands: Sequence[PlayedHand], picture_of: PictureOf) -> dict[int, str]:
    """Return the photo finishes as Base64 by the numbers of their lines: the first ones, for which there is room."""
    photos: dict[int, str] = {}
    room = MAX_PHOTO_BYTES
    for line in (line for hand in hands for line in hand.rulings if line["event"] == "leads_tied"):
        seq = line.get("seq")
        picture = picture_of(seq) if isinstance(seq, int) else None
        text = b64encode(picture or b"").decode()
        if text and len(text) <= room:
            photos[line["seq"]] = text
            room -= len(text)
    return photos


def _day(game: Summary) -> Phrase | str | None:
    """Return the local day and time at which the game began; None where they are not known."""
    if game.began is None:
        return None
    day = ", ".join(game.began)
    return make_phrase("menu.day_unsure", day=day) if game.unsure else day


def _has_lives(head: JournalLine) -> bool:
    """Return whether the totals of the game of this first line are lives."""
    try:
        game = game_begun_by(head)
        return game.has_lives(game.start().state)
    except (TableError, ValueError, LookupError, TypeError, AttributeError):
        return False  # a game that this version does not know


def _ranking(game: Summary, lines: Sequence[JournalLine]) -> list[_Place]:
    """Return the players from the first place to the last, as the game's end ranks them, or else by their totals."""
    ended = [line["ranking"] for line in effective_lines(lines) if line["event"] == "game_over"]
    by_total = sorted(set(game.totals.values()), reverse=True)
    groups = (
        ended[-1]
        if ended
        else [[seat for seat in game.totals if game.totals[seat] == total] for total in by_total]
    )
    places: list[_Place] = []
    for group in groups:
        number = len(places) + 1
        places += [_Place(number, seat, game.totals[seat], seat in game.winners) for seat in group]
    return places


def _outcome(hand: PlayedHand, seat: str) -> str:
    """Return ``made`` or ``missed`` for a seat's bid of a scored hand; empty where it made none."""
    outcome = hand.outcome(seat)
    return "missed" if outcome in ("over", "under") else outcome or ""
