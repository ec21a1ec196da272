"""What happens at the table, as the referee judged it: each event with the line that is its own beside it.

What a game says besides (a trick won, a hand scored) follows from these; so a journal is read back by applying its
events again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from table.cards import NO_TRUMP, Card
from table.events.kind import (
    BID_VALUE,
    BIDS,
    CALL_NS,
    CARD,
    CARD_NS,
    CARD_OR_NONE,
    DERIVED,
    LEAD,
    LEADS,
    POINTS,
    SEATS,
    TEXT,
    WHOLE,
    Kind,
    LineFields,
    Play,
    bare,
    by_name,
    every_line,
    flag,
    list_of,
    more,
    number,
    or_none,
    own,
    stamp,
    text,
    whole,
)
from table.phrase import Phrase, say

BidValue: TypeAlias = int | str
"""A number of tricks; in Israeli Whist's auction such as ``6C`` or ``9NT``; ``double nil``."""

_SEAT = own("seat", TEXT)


def scores(line: LineFields) -> tuple[Phrase, ...]:
    """What each player got, and has now."""
    return tuple(
        say("word.score", seat=seat, points=points, total=line["totals"][seat])
        for seat, points in line["points"].items()
    )


# --- the deal -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dealt:
    """The dealer rapped: all cards have been dealt."""

    seat: str


DEALT = Kind("dealt", (own("dealer", TEXT, of="seat"),), Dealt)


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """The turned-up card was read on the mark."""

    card: Card


def _tell_trump(line: LineFields) -> Phrase:
    if line["suit"] == NO_TRUMP:
        code = "line.trump.none_turned" if line.get("card") else "line.trump.none"
    else:
        code = "line.trump.turned" if line.get("card") else "line.trump"
    return Phrase(code, bare(line))


TRUMP = Kind(
    "trump",
    (more("suit", text), own("card", CARD_OR_NONE), DERIVED),
    TurnedUp,
    compared=True,
    within_ns=CARD_NS,
    # Trumps that the rules or a declarer fix have no card: the line follows from another.
    is_own=lambda line: every_line(line) and bool(line["card"]),
    tells=_tell_trump,
)


@dataclass(frozen=True, slots=True)
class CardsPassed:
    """Everybody has handed on the cards (gulash, exchange)."""


CARDS_PASSED = Kind("cards_passed", (more("cards", whole), more("to", text), DERIVED), CardsPassed)


@dataclass(frozen=True, slots=True)
class ThrownIn:
    """The hand is thrown in and dealt again by the same dealer."""

    why: str
    """A code: ``misdeal``, ``all passed``, ``left``."""


THROWN_IN = Kind("thrown_in", (own("why", TEXT), DERIVED), ThrownIn)


# --- calls --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rapped:
    """A rap: pass, ready, confirm (what it means depends on the phase)."""

    seat: str


RAP = Kind("rap", (_SEAT,), Rapped)


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid."""

    seat: str
    bid: BidValue


BID = Kind("bid", (_SEAT, own("bid", BID_VALUE), DERIVED), Bid, compared=True, within_ns=CALL_NS, sound="bid")


@dataclass(frozen=True, slots=True)
class Passed:
    """A pass in the auction."""

    seat: str


PASS = Kind("pass", (_SEAT,), Passed, compared=True, within_ns=CALL_NS, sound="bid")


@dataclass(frozen=True, slots=True)
class BidsTied:
    """Several bids at the same time, in the order of their first edges: none of them counts."""

    seats: tuple[str, ...]


def _tell_bids_tied(line: LineFields) -> Phrase:
    spread = "spread_ns" in line
    return Phrase("line.bids_tied.spread" if spread else "line.bids_tied", bare(line))


BIDS_TIED = Kind(
    "bids_tied",
    (own("seats", SEATS), more("spread_ns", stamp, optional=True), more("next", or_none(text))),
    BidsTied,
    compared=True,
    within_ns=CALL_NS,
    sound="tie",
    tells=_tell_bids_tied,
)


@dataclass(frozen=True, slots=True)
class BidsRevealed:
    """All the bids of a hand that is bid at once, in secret."""

    bids: tuple[tuple[str, BidValue], ...]


BIDS_REVEALED = Kind("bids_revealed", (own("bids", BIDS),), BidsRevealed)


# --- cards --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LeadsTied:
    """Several leads at the same time. The kept one (if any) is played by a ``Played`` that follows at once."""

    kept: Play | None
    taken_back: tuple[Play, ...]
    """In the order of landing."""


def _tell_leads_tied(line: LineFields) -> Phrase:
    return Phrase("line.leads_tied.kept" if line["kept"] else "line.leads_tied", bare(line))


def _name_leads_tied(line: LineFields) -> Phrase:
    return Phrase("brief.leads_tied.kept" if line["kept"] else "brief.leads_tied", bare(line))


LEADS_TIED = Kind(
    "leads_tied",
    (own("kept", LEAD), own("taken_back", LEADS), more("next", or_none(text))),
    LeadsTied,
    compared=True,
    within_ns=CARD_NS,
    sound="tie",
    tells=_tell_leads_tied,
    names=_name_leads_tied,
)


@dataclass(frozen=True, slots=True)
class Played:
    """A card was played: the lead, or the next card of the trick."""

    seat: str
    card: Card


def _tell_played(line: LineFields) -> Phrase:
    code = "line.card_played"
    if line["card"] == "?":
        code = "line.card_played.unseen"
    elif line.get("by") == "corrected":
        code = "line.card_played.corrected"
    return Phrase(code, bare(line))


_UNSEEN = {
    (False, False): "brief.card_played.unseen",
    (False, True): "brief.card_played.unseen_won",
    (True, False): "brief.card_played.unseen_suit",
    (True, True): "brief.card_played.unseen_suit_won",
}
"""A card that nobody saw: by whether its suit is known, and whether it won its trick."""


def _name_played(line: LineFields) -> Phrase:
    if line["card"] != "?":
        return Phrase("brief.card_played", bare(line))
    return Phrase(_UNSEEN[bool(line.get("suit")), bool(line.get("won"))], bare(line))


CARD_PLAYED = Kind(
    "card_played",
    (
        _SEAT,
        own("card", CARD),
        more("won", flag, optional=True),
        more("suit", or_none(text), optional=True),
        more("confidence", or_none(number), optional=True, compared=False),
        more("by", text, optional=True, compared=False),
    ),
    Played,
    compared=True,
    within_ns=CARD_NS,
    tells=_tell_played,
    names=_name_played,
)


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A card of the current trick was withdrawn from the mark."""

    seat: str
    card: Card


CARD_TAKEN_BACK = Kind(
    "card_taken_back",
    (
        _SEAT,
        own("card", CARD),
        more("won", flag, optional=True),
        more("suit", or_none(text), optional=True),
        more("played", flag, optional=True),
    ),
    TakenBack,
    compared=True,
    # Without `played` it was never a card of the trick (a tied or out-of-turn one).
    is_own=lambda line: every_line(line) and bool(line.get("played")),
)


@dataclass(frozen=True, slots=True)
class SuitNamed:
    """The suit that a led joker stands for."""

    seat: str
    suit: str


JOKER_NAMED = Kind("joker_named", (_SEAT, own("suit", TEXT)), SuitNamed)


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """The complete trick has been picked up from the mark by ``seat``."""

    seat: str


TRICK_TAKEN = Kind("trick_taken", (_SEAT,), TrickTaken)


# --- who plays, and the score -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Left:
    """A player leaves the game, or sits out; the totals stay."""

    seat: str


PLAYER_LEFT = Kind("player_left", (_SEAT,), Left)


@dataclass(frozen=True, slots=True)
class Came:
    """A player who was away (or comes late) plays from the next deal on."""

    seat: str


PLAYER_CAME = Kind("player_came", (_SEAT,), Came)


@dataclass(frozen=True, slots=True)
class Reseated:
    """Between hands people change chairs; their scores go with them."""

    seats: tuple[str, ...]
    """Everybody, in the new playing order, from the same chair on as before."""


RESEATED = Kind("reseated", (own("seats", SEATS),), Reseated)


@dataclass(frozen=True, slots=True)
class Ended:
    """The players end an endless game (or leave a game early); the finished hands count."""


def _tell_game_over(line: LineFields) -> Phrase:
    """The totals in the order of the ranking, where there is one of them all."""
    totals = dict(sorted(line["totals"].items(), key=lambda item: -item[1]))
    ranked = [seat for group in line.get("ranking", ()) for seat in group]
    if set(ranked) == set(totals):
        totals = {seat: totals[seat] for seat in ranked}
    return say("line.game_over", winners=line["winners"], totals=totals)


GAME_OVER = Kind(
    "game_over",
    (
        more("totals", by_name(whole)),
        more("ranking", list_of(list_of(text))),
        more("winners", list_of(text)),
        more("ended", flag, optional=True),
    ),
    Ended,
    compared=True,
    is_own=lambda line: every_line(line) and bool(line.get("ended")),
    tells=_tell_game_over,
)


@dataclass(frozen=True, slots=True)
class Rescored:
    """The score of a finished hand is put right; what was dealt and played since stands."""

    hand: int
    points: tuple[tuple[str, int], ...]
    """What these seats get for it instead; the others keep theirs."""


HAND_RESCORED = Kind(
    "hand_rescored",
    (own("hand", WHOLE), own("points", POINTS), more("totals", by_name(whole))),
    Rescored,
    tells=lambda line: say("line.hand_rescored", hand=line["hand"], scores=scores(line)),
)


Event: TypeAlias = (
    Dealt
    | TurnedUp
    | CardsPassed
    | ThrownIn
    | Rapped
    | Bid
    | Passed
    | BidsTied
    | BidsRevealed
    | LeadsTied
    | Played
    | TakenBack
    | SuitNamed
    | TrickTaken
    | Left
    | Came
    | Reseated
    | Ended
    | Rescored
)
