"""From a journal's line back to the event that it came from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from table.cards import Card, card, unseen
from table.games.base import (
    Bid,
    BidsRevealed,
    BidsTied,
    Came,
    CardsPassed,
    Dealt,
    Ended,
    Event,
    LeadsTied,
    Left,
    Passed,
    Play,
    Played,
    Rapped,
    Rescored,
    SuitNamed,
    TakenBack,
    ThrownIn,
    TrickTaken,
    TurnedUp,
)

Line = Mapping[str, Any]


def _card(line: Line) -> Card:
    """The card of a line; of one that nobody saw (``?``) the line says whether it won its trick."""
    if line["card"] == "?":
        return unseen(won=bool(line.get("won")), suit=line.get("suit"))
    return card(line["card"])


def _play(fields: Line) -> Play:
    return Play(fields["seat"], card(fields["card"]))


def _leads_tied(line: Line) -> Event:
    kept = line["kept"]
    return LeadsTied(_play(kept) if kept else None, tuple(_play(one) for one in line["taken_back"]))


_EVENTS: dict[str, Callable[[Line], Event | None]] = {
    "dealt": lambda line: Dealt(line["dealer"]),
    # Trumps that the rules or a declarer fix have no card: the line follows from another.
    "trump": lambda line: TurnedUp(card(line["card"])) if line["card"] else None,
    "rap": lambda line: Rapped(line["seat"]),
    "bid": lambda line: Bid(line["seat"], line["bid"]),
    "pass": lambda line: Passed(line["seat"]),
    "bids_tied": lambda line: BidsTied(tuple(line["seats"])),
    "bids_revealed": lambda line: BidsRevealed(tuple(line["bids"].items())),
    "leads_tied": _leads_tied,
    "card_played": lambda line: Played(line["seat"], _card(line)),
    # Without `played` it was never a card of the trick (a tied or out-of-turn one).
    "card_taken_back": lambda line: TakenBack(line["seat"], _card(line)) if line.get("played") else None,
    "joker_named": lambda line: SuitNamed(line["seat"], line["suit"]),
    "trick_taken": lambda line: TrickTaken(line["seat"]),
    "cards_passed": lambda line: CardsPassed(),
    "thrown_in": lambda line: ThrownIn(line["why"]),
    "hand_rescored": lambda line: Rescored(line["hand"], tuple(line["points"].items())),
    "player_left": lambda line: Left(line["seat"]),
    "player_came": lambda line: Came(line["seat"]),
    "game_over": lambda line: Ended() if line.get("ended") else None,
}


def event_of(line: Line) -> Event | None:
    """The event whose own line this is; None for a line that only follows from others.

    Following lines are ``hand_started``, ``trick_won``, ``hand_scored`` and the like, remarks of the referee
    (``bid_refused``, ``out_of_turn`` ...), and those marked ``derived``. ``ValueError`` for a line whose fields
    are missing or impossible.
    """
    make = _EVENTS.get(line["event"])
    if make is None or line.get("derived"):
        return None
    try:
        return make(line)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"the journal's {line['event']} lacks or garbles a field ({error})") from None
