"""Honours of a game, drawn from what was observed: boldest bid, longest streak, fastest bidder, closest tie."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import Final

from table.errors import TableError, convert_errors
from table.history.archive import GARBLED_LINE
from table.history.played_hands import PlayedHand, read_hands
from table.history.statistics import thinking_times
from table.phrase import make_phrase
from table.referee.model.view import Honour
from table.referee.records.journal import JournalLine, effective_lines

MIN_BOLD_BID: Final = 2
MIN_STREAK: Final = 2
MIN_BIDS_TIMED: Final = 3
"""The fewest bids of a player whose time counts: one slow bid is no habit."""


def game_honours(lines: Iterable[JournalLine]) -> tuple[Honour, ...]:
    """Return the honours of a journal's game, those for which there is something; ``TableError`` if garbled."""
    lines = list(lines)
    hands = [hand for hand in read_hands(lines) if hand.is_scored]
    with convert_errors(TableError), convert_errors(GARBLED_LINE, "row.garbled"):
        return (*_boldest_bid(hands), *_longest_streak(hands), *_bidding_speed(lines), *_closest_tie(lines))


def _boldest_bid(hands: Sequence[PlayedHand]) -> Iterator[Honour]:
    """The highest bid that was made; of equal ones the first."""
    made = [
        (hand.taken[seat], hand, seat) for hand in hands for seat in hand.bids if hand.outcome(seat) == "made"
    ]
    boldest = max(made, key=lambda entry: entry[0], default=None)
    if boldest is not None and boldest[0] >= MIN_BOLD_BID:
        tricks, hand, seat = boldest
        figure = make_phrase("honour.bid_made", bid=tricks, cards=hand.cards, hand=hand.number)
        yield Honour(make_phrase("honour.boldest_bid"), (seat,), figure)


def _longest_streak(hands: Sequence[PlayedHand]) -> Iterator[Honour]:
    """The most hands in a row in which a player made the bid; all who have as many."""
    current: defaultdict[str, int] = defaultdict(int)
    longest: defaultdict[str, int] = defaultdict(int)
    for hand in hands:
        for seat in hand.bids:
            outcome = hand.outcome(seat)
            if outcome is not None:
                current[seat] = current[seat] + 1 if outcome == "made" else 0
                longest[seat] = max(longest[seat], current[seat])
    most = max(longest.values(), default=0)
    if most >= MIN_STREAK:
        seats = tuple(seat for seat, count in longest.items() if count == most)
        yield Honour(make_phrase("honour.longest_streak"), seats, make_phrase("honour.in_a_row", n=most))


def _bidding_speed(lines: Iterable[JournalLine]) -> Iterator[Honour]:
    """The fastest and the slowest bidder, by the median time for a bid."""
    times: defaultdict[str, list[int]] = defaultdict(list)
    for wait in thinking_times(lines):
        if wait.action == "bid":
            times[wait.seat].append(wait.duration_ns)
    medians = {seat: median(spans) for seat, spans in times.items() if len(spans) >= MIN_BIDS_TIMED}
    if len(set(medians.values())) < 2:
        return
    for code, choose in (("honour.fastest_bidder", min), ("honour.slowest_bidder", max)):
        seat = choose(medians, key=lambda seat: medians[seat])
        yield Honour(make_phrase(code), (seat,), make_phrase("plot.seconds", seconds=medians[seat] / 1e9))


def _closest_tie(lines: Iterable[JournalLine]) -> Iterator[Honour]:
    """The tied bids that lay closest together."""
    ties = [line for line in effective_lines(lines) if line["event"] == "bids_tied" and "spread_ns" in line]
    if ties:
        closest = min(ties, key=lambda line: line["spread_ns"])
        figure = make_phrase("honour.apart", spread_ns=closest["spread_ns"])
        yield Honour(make_phrase("honour.closest_tie"), tuple(closest["seats"]), figure)
