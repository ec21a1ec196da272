"""After a power cut: what lay on the mark when the journal broke off, so that it is known when it is seen again.

The camera starts anew and reports every card that lies there as one that has just landed. Those that the journal
has already judged are taken for what they are: cards of the trick, the turned-up card, cards to be taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from table.cards import Card, card
from table.facts import CardLanded
from table.games.base import State
from table.referee.journal import Line, effective
from table.referee.mark import SLIM, MarkCard, Status


@dataclass(frozen=True, slots=True)
class Owed:
    """A card that may lie on the mark still, and what was decided about it."""

    card: Card
    seat: str | None
    status: Status
    counts_later: bool = False
    tied: bool = False

    def lying(self, fact: CardLanded, confidence: float) -> MarkCard:
        """The card, seen again."""
        return MarkCard(fact, self.card, confidence, self.seat, self.status, self.counts_later, self.tied)

    def holds(self, state: State) -> bool:
        """Whether what was decided still holds."""
        if self.status == "played":
            return any((play.seat, play.card) == (self.seat, self.card) for play in state.trick.plays)
        if self.status == "turned up":
            return state.turned == self.card and not state.tricks and not state.trick.plays
        return True


def owed_cards(state: State, lines: Iterable[Line]) -> list[Owed]:
    """The cards that may lie on the mark, by where the game stands and by the journal."""
    owed = [Owed(play.card, play.seat, "played") for play in state.trick.plays]
    if state.turned is not None:
        owed.append(Owed(state.turned, None, "turned up"))
    owed += _to_go_back(effective(lines))
    return [one for one in owed if one.holds(state)]


def _to_go_back(lines: Iterable[Line]) -> list[Owed]:
    """The cards of this hand that somebody has still to take back."""
    owed: dict[tuple[str | None, str], Owed] = {}
    in_play = False
    for line in lines:
        event = line["event"]
        if event in ("hand_started", "thrown_in"):
            owed, in_play = {}, False
        elif event in ("dealt", "trick_taken"):
            in_play = True
        elif event == "trick_won":
            in_play = False
        elif event == "leads_tied":
            for back in line["taken_back"]:
                owed[back["seat"], back["card"]] = Owed(
                    card(back["card"]), back["seat"], "go back", tied=True
                )
        elif event == "out_of_turn":
            found = Owed(card(line["card"]), line["seat"], "go back", counts_later=in_play)
            owed[line["seat"], line["card"]] = found
        elif event == "card_taken_back" and line.get("played"):
            in_play = True
        elif event in ("card_taken_back", "card_played"):
            owed.pop((line["seat"], line["card"]), None)
    return list(owed.values())


def seen_again(
    fact: CardLanded, owed: Iterable[Owed], state: State, possible: Callable[[Card], bool]
) -> tuple[Owed, float] | None:
    """Which of the ``owed`` cards has been seen, and how surely; None for a card that is none of them.

    A reading that is no owed card's and can't be (``possible``) is passed over, as for any other card.
    """
    waiting = [one for one in owed if one.holds(state)]
    for reading in fact.readings:
        if reading.confidence < SLIM:
            break
        found = card(reading.card)
        for one in waiting:
            if one.card == found:
                return one, reading.confidence
        if possible(found):
            break
    return None


def told_place(state: State) -> str:
    """Where a game stands, in words for the screen."""
    done, laid = len(state.tricks), len(state.trick.plays)
    if not done and not laid:
        return f"hand {state.hand}" + (", with the bids that were made" if state.bids else "")
    lie = f", {laid} of its cards played" if laid else ""
    return f"hand {state.hand}, trick {done + 1} of {state.cards}{lie}"
