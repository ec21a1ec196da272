"""The events at the table, as the referee judged them, each with the spec of its journal line.

Other lines (a trick won, a hand scored) follow from these; so a journal is read back by applying its events again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from table.cards import NO_TRUMP, Card
from table.events.event_spec import (
    BID_VALUE_CODEC,
    BIDS_CODEC,
    CALL_TOLERANCE_NS,
    CARD_CODEC,
    CARD_OR_NULL_CODEC,
    CARD_TOLERANCE_NS,
    DERIVED_FIELD,
    LEAD_CODEC,
    LEADS_CODEC,
    POINTS_CODEC,
    SEATS_CODEC,
    TEXT_CODEC,
    WHOLE_NUMBER_CODEC,
    EventSpec,
    LineFields,
    Play,
    added_field,
    event_field,
    is_flag,
    is_not_derived,
    is_number,
    is_short_text,
    is_stamp,
    is_whole_number,
    list_of,
    mapping_of,
    null_or,
    without_header,
)
from table.phrase import Phrase, make_phrase

BidValue: TypeAlias = int | str
"""A number of tricks; in Israeli Whist's auction such as ``6C`` or ``9NT``; ``double nil``."""

_SEAT = event_field("seat", TEXT_CODEC)


def score_phrases(line: LineFields) -> tuple[Phrase, ...]:
    """Return a phrase for each player with the points of the hand and the total."""
    return tuple(
        make_phrase("word.score", seat=seat, points=points, total=line["totals"][seat])
        for seat, points in line["points"].items()
    )


# --- the deal -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dealt:
    """The dealer rapped: all cards have been dealt."""

    seat: str


DEALT = EventSpec("dealt", (event_field("dealer", TEXT_CODEC, of="seat"),), Dealt)


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """The turned-up card was detected on the mark."""

    card: Card


def _trump_sentence(line: LineFields) -> Phrase:
    if line["suit"] == NO_TRUMP:
        code = "line.trump.none_turned" if line.get("card") else "line.trump.none"
    else:
        code = "line.trump.turned" if line.get("card") else "line.trump"
    return Phrase(code, without_header(line))


TRUMP = EventSpec(
    "trump",
    (added_field("suit", is_short_text), event_field("card", CARD_OR_NULL_CODEC), DERIVED_FIELD),
    TurnedUp,
    compared=True,
    tolerance_ns=CARD_TOLERANCE_NS,
    # Trumps that the rules or a declarer fix have no card: their line follows from another.
    is_own=lambda line: is_not_derived(line) and bool(line["card"]),
    make_sentence=_trump_sentence,
)


@dataclass(frozen=True, slots=True)
class CardsPassed:
    """All players have handed on their cards (gulash, exchange)."""


CARDS_PASSED = EventSpec(
    "cards_passed",
    (added_field("cards", is_whole_number), added_field("to", is_short_text), DERIVED_FIELD),
    CardsPassed,
)


@dataclass(frozen=True, slots=True)
class ThrownIn:
    """The hand is thrown in, and the same dealer deals it again."""

    why: str
    """A code: ``misdeal``, ``all passed``, ``left``."""


THROWN_IN = EventSpec("thrown_in", (event_field("why", TEXT_CODEC), DERIVED_FIELD), ThrownIn)


# --- calls --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rapped:
    """A rap: pass, ready or confirm, depending on the phase."""

    seat: str


RAP = EventSpec("rap", (_SEAT,), Rapped)


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid by a player."""

    seat: str
    bid: BidValue


BID = EventSpec(
    "bid",
    (_SEAT, event_field("bid", BID_VALUE_CODEC), DERIVED_FIELD),
    Bid,
    compared=True,
    tolerance_ns=CALL_TOLERANCE_NS,
    sound="bid",
)


@dataclass(frozen=True, slots=True)
class Passed:
    """A pass in the auction."""

    seat: str


PASS = EventSpec("pass", (_SEAT,), Passed, compared=True, tolerance_ns=CALL_TOLERANCE_NS, sound="bid")


@dataclass(frozen=True, slots=True)
class BidsTied:
    """Several simultaneous bids, in the order of their first edges: none of them counts."""

    seats: tuple[str, ...]


def _bids_tied_sentence(line: LineFields) -> Phrase:
    has_spread = "spread_ns" in line
    return Phrase("line.bids_tied.spread" if has_spread else "line.bids_tied", without_header(line))


BIDS_TIED = EventSpec(
    "bids_tied",
    (
        event_field("seats", SEATS_CODEC),
        added_field("spread_ns", is_stamp, optional=True),
        added_field("next", null_or(is_short_text)),
    ),
    BidsTied,
    compared=True,
    tolerance_ns=CALL_TOLERANCE_NS,
    sound="tie",
    make_sentence=_bids_tied_sentence,
)


@dataclass(frozen=True, slots=True)
class BidsRevealed:
    """All bids of a hand with secret bids."""

    bids: tuple[tuple[str, BidValue], ...]


BIDS_REVEALED = EventSpec("bids_revealed", (event_field("bids", BIDS_CODEC),), BidsRevealed)


# --- cards --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LeadsTied:
    """Several simultaneous leads. The kept one (if any) is played by a ``Played`` that follows at once."""

    kept: Play | None
    taken_back: tuple[Play, ...]
    """In the order of landing."""


def _leads_tied_sentence(line: LineFields) -> Phrase:
    return Phrase("line.leads_tied.kept" if line["kept"] else "line.leads_tied", without_header(line))


def _leads_tied_brief(line: LineFields) -> Phrase:
    return Phrase("brief.leads_tied.kept" if line["kept"] else "brief.leads_tied", without_header(line))


LEADS_TIED = EventSpec(
    "leads_tied",
    (
        event_field("kept", LEAD_CODEC),
        event_field("taken_back", LEADS_CODEC),
        added_field("next", null_or(is_short_text)),
    ),
    LeadsTied,
    compared=True,
    tolerance_ns=CARD_TOLERANCE_NS,
    sound="tie",
    make_sentence=_leads_tied_sentence,
    make_brief=_leads_tied_brief,
)


@dataclass(frozen=True, slots=True)
class Played:
    """A player played a card: the lead, or the next card of the trick."""

    seat: str
    card: Card


def _played_sentence(line: LineFields) -> Phrase:
    code = "line.card_played"
    if line["card"] == "?":
        code = "line.card_played.unseen"
    elif line.get("by") == "corrected":
        code = "line.card_played.corrected"
    return Phrase(code, without_header(line))


_UNSEEN_BRIEFS = {
    (False, False): "brief.card_played.unseen",
    (False, True): "brief.card_played.unseen_won",
    (True, False): "brief.card_played.unseen_suit",
    (True, True): "brief.card_played.unseen_suit_won",
}
"""The codes for an unseen card, by whether its suit is known, and whether it won its trick."""


def _played_brief(line: LineFields) -> Phrase:
    if line["card"] != "?":
        return Phrase("brief.card_played", without_header(line))
    return Phrase(_UNSEEN_BRIEFS[bool(line.get("suit")), bool(line.get("won"))], without_header(line))


CARD_PLAYED = EventSpec(
    "card_played",
    (
        _SEAT,
        event_field("card", CARD_CODEC),
        added_field("won", is_flag, optional=True),
        added_field("suit", null_or(is_short_text), optional=True),
        added_field("confidence", null_or(is_number), optional=True, compared=False),
        added_field("by", is_short_text, optional=True, compared=False),
    ),
    Played,
    compared=True,
    tolerance_ns=CARD_TOLERANCE_NS,
    make_sentence=_played_sentence,
    make_brief=_played_brief,
)


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A player withdrew a card of the current trick from the mark."""

    seat: str
    card: Card


CARD_TAKEN_BACK = EventSpec(
    "card_taken_back",
    (
        _SEAT,
        event_field("card", CARD_CODEC),
        added_field("won", is_flag, optional=True),
        added_field("suit", null_or(is_short_text), optional=True),
        added_field("played", is_flag, optional=True),
    ),
    TakenBack,
    compared=True,
    # Without `played` it was never a card of the trick (a tied or out-of-turn one).
    is_own=lambda line: is_not_derived(line) and bool(line.get("played")),
)


@dataclass(frozen=True, slots=True)
class SuitNamed:
    """The leader of a joker named the suit that it stands for."""

    seat: str
    suit: str


JOKER_NAMED = EventSpec("joker_named", (_SEAT, event_field("suit", TEXT_CODEC)), SuitNamed)


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """The player ``seat`` picked up the complete trick from the mark."""

    seat: str


TRICK_TAKEN = EventSpec("trick_taken", (_SEAT,), TrickTaken)


# --- who plays, and the score -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Left:
    """A player leaves the game, or sits out; the totals stay."""

    seat: str


PLAYER_LEFT = EventSpec("player_left", (_SEAT,), Left)


@dataclass(frozen=True, slots=True)
class Came:
    """A player who was away (or comes late) plays from the next deal on."""

    seat: str


PLAYER_CAME = EventSpec("player_came", (_SEAT,), Came)


@dataclass(frozen=True, slots=True)
class Reseated:
    """Players change chairs between hands; their scores go with them."""

    seats: tuple[str, ...]
    """All players in the new playing order, beginning with the same chair as before."""


RESEATED = EventSpec("reseated", (event_field("seats", SEATS_CODEC),), Reseated)


@dataclass(frozen=True, slots=True)
class Ended:
    """The players end an endless game (or leave a game early); the finished hands count."""


def _game_over_sentence(line: LineFields) -> Phrase:
    """Return the sentence with the totals in the order of the ranking, if the ranking has all players."""
    totals = dict(sorted(line["totals"].items(), key=lambda item: -item[1]))
    ranked = [seat for group in line.get("ranking", ()) for seat in group]
    if set(ranked) == set(totals):
        totals = {seat: totals[seat] for seat in ranked}
    return make_phrase("line.game_over", winners=line["winners"], totals=totals)


GAME_OVER = EventSpec(
    "game_over",
    (
        added_field("totals", mapping_of(is_whole_number)),
        added_field("ranking", list_of(list_of(is_short_text))),
        added_field("winners", list_of(is_short_text)),
        added_field("ended", is_flag, optional=True),
    ),
    Ended,
    compared=True,
    is_own=lambda line: is_not_derived(line) and bool(line.get("ended")),
    make_sentence=_game_over_sentence,
)


@dataclass(frozen=True, slots=True)
class Rescored:
    """The score of a finished hand is corrected; the hands dealt and played since stay."""

    hand: int
    points: tuple[tuple[str, int], ...]
    """The new points of these players for the hand; the others keep theirs."""


HAND_RESCORED = EventSpec(
    "hand_rescored",
    (
        event_field("hand", WHOLE_NUMBER_CODEC),
        event_field("points", POINTS_CODEC),
        added_field("totals", mapping_of(is_whole_number)),
    ),
    Rescored,
    make_sentence=lambda line: make_phrase(
        "line.hand_rescored", hand=line["hand"], scores=score_phrases(line)
    ),
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
