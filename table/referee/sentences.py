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
    "turn_another": "{seat}: turn up another card, {why}",
    "take_back": "{seat}: take the {card} back, {why}",
    "took_back": "{seat} took the {card} back",
    "took_anothers_trick": "{seat} took {winner}'s trick",
    "not_seen": "{seat}'s card was not seen",
    "refused_card": "{why}",
    "tied_kept": "Led at the same time: {seat}'s stays ({why}); {back}",
    "tied_back": "Led at the same time: {back} ({why}); {seat} leads",
    # Calls
    "gesture_unknown": "{seat}: that gesture means nothing here",
    "too_soon": "{seat}'s call does not count: it began before the tie was over",
    "refused": "{why}",
    "bids_tied": "{names} bid at the same time ({ms:.1f} ms apart): {none} counts, {seat} bids",
    "close_call": "{first} was {ms:.0f} ms earlier than {second}",
    "after_the_pump": "{seat}: bid after the pump",
    "no_such_bid": "{seat}: no such bid, bid again",
    "not_your_dial": "it is {seat}'s turn",
    # Questions
    "asked_card": "{seat}'s card was not seen for sure: which was it?",
    "asked_owner": "Whose was the {card}?",
    "asked_order": "Who led first: {seat}?",
    # Changes of mind
    "resumed": "The game goes on where it was: {place}",
    "undone": "{by} undid {what}",
    "redone": "{by} did {what} again",
    "corrected": "{by} corrected: {was} is {now}",
    "changed_mind": "{now}, not {was}: what came later fits that better",
    "found_out": "{now}: what came later fits that better",
}


def notice(t_ns: int, kind: Tone, code: str, *seats: str | None, **fields: object) -> Notice:
    """A notice of that code; ``seats`` are whom it concerns (None is left out)."""
    text = SENTENCES[code].format(**fields)
    return Notice(t_ns, kind, text, tuple(seat for seat in seats if seat), code)


def listed(names: Iterable[str]) -> str:
    """``Ada``, ``Ada and Ben``, ``Ada, Ben and Cleo``."""
    every = list(names)
    return " and ".join([", ".join(every[:-1]), every[-1]] if len(every) > 1 else every)
