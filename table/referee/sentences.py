"""What the referee tells the players: a code with fields, and the sentence that it stands for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Tone = Literal["ruling", "hint", "trouble"]


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for the players: a ruling with its reason, a hint, or something in trouble."""

    t_ns: int
    kind: Tone
    text: str
    seats: tuple[str, ...] = ()
    """Whom it concerns, if not everybody."""
    code: str = ""
    """What it says, in one word for programs."""


SENTENCES: dict[str, str] = {
    # Cards
    "unread": "A card lies on the mark that can't be read: turn it or lay it apart",
    "taken_for": "Seen as {seen}, which can't be: taken for {card}",
    "arm_disagrees": "The arm looked like {arm}'s; it is {seat}'s turn, so the card is {seat}'s",
    "turn_another": "{seat}: {why}",
    "take_back": "{seat}: take the {card} back, {why}",
    "took_back": "{seat} took the {card} back",
    "took_anothers_trick": "{seat} took {winner}'s trick",
    "not_read": "{seat}'s card can't be read: turn it, or say what it is",
    "not_heard": "{seat}'s bid was not heard",
    "not_seen": "{seat}'s card was not seen",
    "tied_kept": "Led at the same time: {seat}'s stays ({why}); {back}",
    "tied_back": "Led at the same time: {back} ({why}); {seat} leads",
    "revoke": "{seat} revoked: the {card} in trick {trick} did not follow suit, as the {proof} proves",
    "out": "{names} {verb} out: {left} left",
    # Calls
    "gesture_unknown": "{seat}: that gesture means nothing here",
    "too_soon": "{seat}'s call does not count: it began before the tie was over",
    "refused": "{why}",
    "bids_tied": "{names} bid at the same time ({ms:.1f} ms apart): {none} counts, {seat} bids",
    "close_call": "{first} was {ms:.0f} ms earlier than {second}",
    "after_the_pump": "{seat}: bid after the pump",
    "bid_again": "{seat}: your bid did not count, bid again",
    "not_your_dial": "it is {seat}'s turn",
    # Questions
    "asked_card": "{seat}'s card was not seen for sure: which was it?",
    "asked_bid": "{seat}'s bid was not heard: how many?",
    "asked_owner": "Whose was the {card}?",
    "asked_order": "Who led first: {seat}?",
    "answered": "{by} answered: {choice}",
    # Changes of mind
    "resumed": "The game goes on where it was: {place}",
    "undone": "{by} undid {what}",
    "redone": "{by} did {what} again",
    "corrected": "{by} corrected: {was} is {now}",
    "unsaid": "{by} took back: {what}",
    "cant_be": "{by}: {what} can't be, by what was played and bid",
    "said_so": "{by} says so: {what}",
    "changed_mind": "{now}, not {was}: what came later fits that better",
    "found_out": "{now}: what came later fits that better",
}


PANEL: dict[str, str] = {
    # What is asked
    "what_is_wrong": "What is wrong",
    "what_next": "What comes next",
    "which_card": "Which card",
    "which_bid": "Which bid",
    "which_hand": "Which hand",
    "whose_score": "Whose score",
    "how_far": "Back to before",
    "who": "Who",
    "what_instead": "What instead",
    "which_suit": "Which suit",
    "which_rank": "Which rank",
    "sure": "Is that meant",
    "settled": "That has settled itself: rap to go on",
    # What is offered
    "question": "Answer: {asks}",
    "answer": "the answer {choice}",
    "next_game": "Play another game",
    "card_is": "{seat}'s {was} is the {card}",
    "owner_is": "The {card} is {seat}'s",
    "bid_is": "{seat} bid {bid}, not {was}",
    "passed": "{seat} passed",
    "undo": "Undo: {what}",
    "redo": "Do again: {what}",
    "unsay": "Take back: {what}",
    "picked_up": "{seat} has picked up the trick",
    "this_trick": "A card of this trick",
    "last_trick": "A card of the last trick",
    "bids": "A bid",
    "scores": "An earlier hand's score",
    "undo_more": "Undo more than that",
    "misdeal": "Misdeal: throw the hand in and deal it again",
    "comes_and_goes": "A player leaves or comes",
    "comes": "{seat} comes in",
    "leaves": "{seat} leaves",
    "end": "End the game here",
    "close": "Close: all is right",
    "hand_again": "Play hand {hand} again from its deal",
    "play": "{seat}'s {card}",
    "another_card": "Another card ...",
    "another": "Another?",
    "bid": "{seat}'s bid of {bid}",
    "pass": "{seat}'s pass",
    "earlier_bid": "{seat}'s bid of {bid} in hand {hand}",
    "earlier_pass": "{seat}'s pass in hand {hand}",
    "hand": "Hand {hand}: {points}",
    "seat_points": "{seat}: {points}",
    "tens": "{first} to {last}",
    "no": "No: leave it as it is",
    "yes": "Yes: {what}",
    # What is said beneath
    "lost": "Lost is: {what}",
    "nothing_lost": "Nothing is lost",
    "by_tap": "tap to answer",
    "by_panel": "hold RAP to answer",
}
"""The lines of the panel and what it asks."""


def line(code: str, **fields: object) -> str:
    """A line of the panel."""
    return PANEL[code].format(**fields)


def counted(number: int, what: str) -> str:
    """``1 trick``, ``2 tricks``."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def notice(t_ns: int, kind: Tone, code: str, *seats: str | None, **fields: object) -> Notice:
    """A notice of that code; ``seats`` are whom it concerns (None is left out)."""
    text = SENTENCES[code].format(**fields)
    return Notice(t_ns, kind, text, tuple(seat for seat in seats if seat), code)


def listed(names: Iterable[str]) -> str:
    """``Ada``, ``Ada and Ben``, ``Ada, Ben and Cleo``."""
    every = list(names)
    return " and ".join([", ".join(every[:-1]), every[-1]] if len(every) > 1 else every)
