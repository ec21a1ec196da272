"""True answers to the referee's questions: everybody remembers what really happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from table.referee.records.journal import JournalLine, effective_lines
from tests.referee.faults.measure import HandLines, parts_of
from tests.referee.faults.truth import TrueHand, Truth


def true_answer(truth: Truth, lines: Sequence[JournalLine], line: JournalLine) -> tuple[str | None, str]:
    """The answer to a line ``asked`` of the journal ``lines``, and who gives it; None where there is none."""
    before = effective_lines(lines[: line["seq"]])
    hand = _deal(truth, before, line["hand"])
    by = line.get("seat") or truth.game.seats[0]
    trick, choices = line.get("trick") or 0, [str(choice) for choice in line.get("choices", ())]
    match line["about"]:
        case "card":
            return _card(hand, trick, line.get("seat"), choices), by
        case "owner":
            return _owner(hand, trick, line.get("card")), by
        case "order":
            return _leader(hand, trick), by
        case "bid" if trick:
            return _suit(hand, trick), by
        case "bid" if "pass" in choices:
            return _call(hand, _dealt(before, line["hand"])[-1], line.get("seat"), line.get("place")), by
        case "bid":
            bid = hand.bids.get(line.get("seat") or "")
            return None if bid is None else str(bid), by
    return None, by


def _suit(hand: TrueHand, trick: int) -> str | None:
    """What the joker led to a trick stood for."""
    named = (line for part, line in hand.lines if part == trick and line["event"] == "joker_named")
    return next((str(line["suit"]) for line in named), None)


def _dealt(before: Sequence[JournalLine], hand: int) -> list[HandLines]:
    """What a journal says of each deal of a hand: one that was thrown in has the number of the next."""
    numbers = (line["hand"] for line in before if line["event"] == "hand_started")
    deals: list[HandLines] = [
        told for number, told in zip(numbers, parts_of(before), strict=True) if number == hand
    ]
    return [told for told in deals if any(line["event"] == "dealt" for _, line in told)] or deals[-1:]


def _deal(truth: Truth, before: Sequence[JournalLine], hand: int) -> TrueHand:
    """What really happened in the last deal of a hand that the journal knows."""
    deals = [one for one in truth.hands if one.before.hand == hand] or [truth.hand]
    return deals[min(max(1, len(_dealt(before, hand))), len(deals)) - 1]


def _call(hand: TrueHand, lines: HandLines, seat: str | None, place: int | None) -> str | None:
    """What somebody called at that place of the auction, where the journal has a guess."""
    told = _calls_of(lines, seat)
    number = next(
        (n for n, (at, line) in enumerate(told) if at == place and line.get("heard") is False), None
    )
    true = _calls_of(hand.lines, seat)
    return str(true[number][1].get("bid", "pass")) if number is not None and number < len(true) else None


def _calls_of(lines: Sequence[tuple[int, JournalLine]], seat: str | None) -> list[tuple[int, JournalLine]]:
    """A player's calls, each with its place in its auction; after cards have been handed on another begins."""
    found, place = [], 0
    for _, line in lines:
        if line["event"] == "cards_passed":
            place = 0
        elif line["event"] in ("bid", "pass") and not isinstance(line.get("bid"), int):
            found += [(place, line)] if line["seat"] == seat else []
            place += 1
    return found


def _card(hand: TrueHand, trick: int, seat: str | None, choices: Sequence[str]) -> str | None:
    if seat is not None:
        card = hand.played.get((trick, seat))
        return None if card is None else str(card)
    there = {str(card) for (number, _), card in hand.played.items() if number == trick}
    return next((choice for choice in choices if choice in there), None)


def _owner(hand: TrueHand, trick: int, card: Any) -> str | None:
    """Whose the card is; where none is named, it is about the lead."""
    seats = [
        seat for (number, seat), one in hand.played.items() if number == trick and card in (None, str(one))
    ]
    return seats[0] if seats else None


def _leader(hand: TrueHand, trick: int) -> str | None:
    """Who led to a trick that is complete."""
    won = (
        line for _, line in reversed(hand.lines) if line["event"] == "trick_won" and line["trick"] == trick
    )
    return next((str(line["cards"][0]["seat"]) for line in won), None)
