"""The number of tricks that a bid promises."""

from __future__ import annotations

from table.events.game_events import BidValue


def promised_tricks(bid: BidValue | None) -> int | None:
    """Return the number of tricks that a bid promises: ``double nil`` 0, ``6C`` 6; None without a bid."""
    if bid is None or isinstance(bid, int):
        return bid
    digits = "".join(letter for letter in bid if letter.isdigit())
    return int(digits) if digits else 0


def is_bid_made(bid: BidValue | None, tricks: int) -> bool:
    """Return whether exactly the promised number of tricks was won."""
    return tricks == promised_tricks(bid)
