"""What a bid promises, as a number."""

from __future__ import annotations

from table.events.happenings import BidValue


def target(bid: BidValue | None) -> int | None:
    """The number of tricks that a bid promises: ``double nil`` 0, ``6C`` 6; None without a bid."""
    if bid is None or isinstance(bid, int):
        return bid
    digits = "".join(letter for letter in bid if letter.isdigit())
    return int(digits) if digits else 0


def made(bid: BidValue | None, tricks: int) -> bool:
    """Whether exactly the tricks bid were won."""
    return tricks == target(bid)
