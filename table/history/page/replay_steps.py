"""A hand as steps for the page's script: what each line of the journal says, and what it changes on the table."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Any, Final

from table.events.event_registry import RULINGS
from table.history.page.page_text import card_text, sentence_text
from table.history.played_hands import PlayedHand
from table.i18n.phrase_rendering import PhraseRenderer
from table.referee.records.journal import JournalLine

_NOT_SHOWN: Final = frozenset(["hand_started", "rap", "trick_taken", "asked", "answered"])
"""The events that no step is for: the heading says who deals, and nobody learns anything from the others."""

Step = dict[str, Any]
"""``text``: the sentence. ``ruling``: true where it is one. ``photo``: the number of its photo finish. The rest changes
the table; seats are indices.

``bids``: pairs of a seat and its bid. ``cards``: triples of a seat, a card and whether it stays (a card that goes back
is shown for this step alone). ``back``: the seat whose card has gone. ``won``: the number of a trick and its winner;
it is won anew where its last card was taken back. ``points``: pairs of a seat and its points.
"""


def replay_steps(
    hand: PlayedHand, seats: Sequence[str], words: PhraseRenderer, photos: Container[int] = ()
) -> list[Step]:
    """Return the steps of a hand; ``photos``: the numbers of the lines for which the page has a photo finish."""
    return [
        {
            "text": sentence_text(line, words),
            **({"ruling": True} if line["event"] in RULINGS else {}),
            **({"photo": line["seq"]} if line.get("seq") in photos else {}),
            **dict(_changes(line, [*seats], words)),
        }
        for line in hand.lines
        if line["event"] not in _NOT_SHOWN
    ]


def _changes(line: JournalLine, seats: list[str], words: PhraseRenderer) -> Iterator[tuple[str, Any]]:
    """Yield what a line changes on the table."""
    match line["event"]:
        case "bid":
            yield "bids", [(seats.index(line["seat"]), words.render_bid(line["bid"]))]
        case "bids_revealed" | "bidding_over":
            yield (
                "bids",
                [
                    (seats.index(seat), words.render_bid(bid))
                    for seat, bid in line["bids"].items()
                    if bid is not None
                ],
            )
        case "card_played":
            yield "cards", [_card(line, seats, words, stays=True)]
        case "leads_tied":
            kept = [_card(line["kept"], seats, words, stays=True)] if line["kept"] else []
            yield "cards", [*kept, *(_card(play, seats, words, stays=False) for play in line["taken_back"])]
        case "out_of_turn":
            yield "cards", [_card(line, seats, words, stays=False)]
        case "card_taken_back" if line.get("played"):
            yield "back", seats.index(line["seat"])
        case "trick_won":
            yield "won", (line["trick"], seats.index(line["seat"]))
        case "hand_scored":
            yield "points", [(seats.index(seat), f"{points:+d}") for seat, points in line["points"].items()]


def _card(
    play: JournalLine, seats: list[str], words: PhraseRenderer, *, stays: bool
) -> tuple[int, str, bool]:
    return seats.index(play["seat"]), card_text(play["card"], words), stays
