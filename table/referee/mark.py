"""What lies on the mark, as the referee understands it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from table.cards import Card, card
from table.facts import CardLanded, Reading

Status = Literal["pending", "played", "go back", "turned up"]

SLIM = 0.05
"""A reading less likely than this is no reading."""


@dataclass(slots=True)
class MarkCard:
    """One physical card on the mark."""

    landed: CardLanded
    card: Card | None
    confidence: float
    seat: str | None = None
    status: Status = "pending"
    counts_later: bool = False
    """An out-of-turn card that counts when its player's turn comes, if it still lies then."""
    tied: bool = False
    """A tied lead that its player may leave if the turn is next."""

    @property
    def id(self) -> int:
        """The physical card's number."""
        return self.landed.id


class Mark:
    """The cards on the mark in the order of landing."""

    def __init__(self) -> None:
        self._cards: dict[int, MarkCard] = {}

    def __iter__(self) -> Iterator[MarkCard]:
        return iter(self._cards.values())

    def get(self, number: int) -> MarkCard | None:
        """The card with that number, if it lies here."""
        return self._cards.get(number)

    def add(self, lying: MarkCard) -> None:
        """A card came to lie here."""
        self._cards[lying.id] = lying

    def move(self, lying: MarkCard, seen: CardLanded) -> None:
        """A card that lies here was moved about: it is what it was, in another place and under another number."""
        before = lying.id
        lying.landed = replace(seen, t_ns=lying.landed.t_ns, arm_deg=lying.landed.arm_deg)
        self._cards = {one.id if number == before else number: one for number, one in self._cards.items()}

    def remove(self, number: int) -> MarkCard | None:
        """A card has left."""
        return self._cards.pop(number, None)

    def to_go_back(self, seat: str | None, which: Literal["tied", "counts_later"]) -> MarkCard | None:
        """The earliest landed card that ``seat`` has to take back and that may yet count."""
        return next(
            (
                card
                for card in self
                if card.status == "go back" and card.seat == seat and getattr(card, which)
            ),
            None,
        )


def likeliest(
    readings: tuple[Reading, ...], possible: Callable[[Card], bool]
) -> tuple[Card | None, float, bool]:
    """The best reading that the rules and the cards already seen allow: card, confidence, plain.

    ``plain`` is false when a better reading had to be passed over. Where no reading is possible the best one
    stands (the game will then say why it can't be).
    """
    read = [(card(reading.card), reading.confidence) for reading in readings if reading.confidence >= SLIM]
    if not read:
        return None, 0.0, False
    for number, (found, confidence) in enumerate(read):
        if possible(found):
            return found, confidence, number == 0
    return read[0][0], read[0][1], True
