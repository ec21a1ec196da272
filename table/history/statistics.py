"""Statistics of people over many games, and their charts: games won, bids made, over and under, thinking times.

A player who returns is the same person however the name is written (:func:`table.names.normalize_name`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import starmap
from statistics import median
from typing import Final, Literal

from table.chart_data import Bar, BarChart, FiguresTable
from table.errors import convert_errors
from table.history.archive import GARBLED_LINE, Summary
from table.history.played_hands import Outcome, PlayedHand, read_hands
from table.names import normalize_name
from table.observed_facts import MS
from table.phrase import Phrase, make_phrase
from table.referee.records.journal import JournalLine, effective_lines

MAX_PEOPLE: Final = 16
"""The most people in a chart: those who have played most."""
MAX_THINKING_NS: Final = 180_000 * MS
"""Longer times are left out: the player was not at the table."""
_OPENING_EVENTS: Final = frozenset(
    [
        "hand_started",
        "trump",
        "dealt",
        "pass",
        "trick_taken",
        "joker_named",
        "card_taken_back",
        "cards_passed",
    ]
)
"""The events besides bids and cards after which a player can act."""

Action = Literal["bid", "card"]
_ACTION_OF_EVENT: Final[dict[str, Action]] = {"bid": "bid", "card_played": "card"}


@dataclass(frozen=True, slots=True)
class Wait:
    """The thinking time of one action."""

    seat: str
    action: Action
    duration_ns: int


@dataclass(slots=True)
class Person:
    """One player's statistics over all games."""

    name: str
    """The name as it was written last."""
    games: int = 0
    finished: int = 0
    won: int = 0
    """The number of finished games won."""
    hands: int = 0
    """The number of hands with a bid for a number of tricks."""
    made: int = 0
    over: int = 0
    under: int = 0
    thinking_times_ns: dict[str, list[int]] = field(default_factory=lambda: {"bid": [], "card": []})


class Statistics:
    """Counts over games, which are added one after the other."""

    def __init__(self) -> None:
        self._people: dict[str, Person] = {}
        self.by_hand_size: defaultdict[int, Counter[Outcome]] = defaultdict(Counter)
        """The outcomes of bids by the number of cards in each player's hand."""
        self.by_seat_position: defaultdict[int, Counter[Outcome]] = defaultdict(Counter)
        """The outcomes of bids by the seat: 1 is the dealer's left, 2 the next one; 0 is the dealer."""

    @property
    def people(self) -> list[Person]:
        """All persons, those with most games first, then by name."""
        return sorted(self._people.values(), key=lambda person: (-person.games, normalize_name(person.name)))

    def add_game(self, game: Summary, lines: Sequence[JournalLine]) -> None:
        """Add the game of a journal; ``TableError`` for a line that lacks or garbles a field."""
        with convert_errors((*GARBLED_LINE, ValueError), "row.garbled"):
            waits = tuple(thinking_times(lines))
            self.add(game.seats, game.winners, read_hands(lines), over=game.over, waits=waits)

    def add(
        self,
        seats: Iterable[str],
        winners: Iterable[str],
        hands: Iterable[PlayedHand],
        *,
        over: bool,
        waits: Iterable[Wait] = (),
    ) -> None:
        """Add a game by its players, its winners (who count if it is ``over``) and its hands (those scored count)."""
        for person in {normalize_name(seat): self._person(seat) for seat in seats}.values():
            person.games += 1
            person.finished += over
        for winner in winners if over else ():
            self._person(winner).won += 1
        for hand in hands:
            for seat in hand.totals:
                self._add_bid(hand, seat)
        for wait in waits:
            self._person(wait.seat).thinking_times_ns[wait.action].append(wait.duration_ns)

    def _add_bid(self, hand: PlayedHand, seat: str) -> None:
        outcome = hand.outcome(seat)
        if outcome is None:
            return
        person = self._person(seat)
        person.hands += 1
        person.made += outcome == "made"
        person.over += outcome == "over"
        person.under += outcome == "under"
        self.by_hand_size[hand.cards][outcome] += 1
        self.by_seat_position[_place(hand, seat)][outcome] += 1

    def _person(self, name: str) -> Person:
        """Return the person with this name, and store the name as the one written last."""
        person = self._people.setdefault(normalize_name(name), Person(name))
        person.name = name
        return person


def _place(hand: PlayedHand, seat: str) -> int:
    """Return the number of seats to the left of the dealer, among those who bid in a hand."""
    bidders = [other for other in hand.seats if hand.bids.get(other) is not None]
    if hand.dealer not in bidders:
        return bidders.index(seat) + 1
    return (bidders.index(seat) - bidders.index(hand.dealer)) % len(bidders)


def thinking_times(lines: Iterable[JournalLine]) -> Iterator[Wait]:
    """Yield how long each bid and card that stands in the end took after the action before it; no unseen cards.

    Secret bids are all counted from when bidding opened. ``KeyError`` or ``TypeError`` for a line that lacks or garbles
    a field.
    """
    since_ns: int | None = None
    secret_since: int | None = None
    """The start of the time for secret bids, which stand in the journal once all are in."""
    for line in effective_lines(lines):
        event, t_ns = line["event"], line["t_ns"]
        action = _ACTION_OF_EVENT.get(event)
        start_ns = secret_since if action == "bid" and secret_since is not None else since_ns
        if action is not None and start_ns is not None and line.get("card") != "?":
            duration_ns = t_ns - start_ns
            if 0 <= duration_ns <= MAX_THINKING_NS:
                yield Wait(line["seat"], action, duration_ns)
        if event == "bids_revealed":
            secret_since, since_ns = since_ns, t_ns
        elif event in _OPENING_EVENTS or action == "card":
            secret_since, since_ns = None, t_ns
        elif action == "bid" and secret_since is None:
            since_ns = t_ns


# --- as charts ------------------------------------------------------------------------------------------------------


def make_charts(statistics: Statistics) -> tuple[BarChart, ...]:
    """Return the charts that have data: bids made by hand size and by seat, over and under, the time per action."""
    people = statistics.people[:MAX_PEOPLE]
    by_size = [
        (make_phrase("count.card", n=size), counts)
        for size, counts in sorted(statistics.by_hand_size.items())
    ]
    by_seat = [
        (make_phrase("plot.seat", place=place) if place else make_phrase("plot.dealer"), counts)
        for place, counts in sorted(
            statistics.by_seat_position.items(), key=lambda item: (item[0] == 0, item[0])
        )
    ]
    by_person = [_person_bar(person) for person in people if person.hands]
    legend = (make_phrase("plot.made"), make_phrase("plot.over"), make_phrase("plot.under"))
    charts = (
        BarChart("made-by-size", make_phrase("plot.made_by_size"), tuple(starmap(_made_bar, by_size))),
        BarChart("made-by-seat", make_phrase("plot.made_by_seat"), tuple(starmap(_made_bar, by_seat))),
        BarChart("over-and-under", make_phrase("plot.over_and_under"), tuple(by_person), legend),
        _times_chart("time-to-bid", make_phrase("plot.time_to_bid"), people, "bid"),
        _times_chart("time-to-play", make_phrase("plot.time_to_play"), people, "card"),
    )
    return tuple(chart for chart in charts if chart.bars)


def _made_bar(label: Phrase, counts: Counter[Outcome]) -> Bar:
    made, bids = counts["made"], counts.total()
    return Bar(label, (made / bids,), make_phrase("plot.made_of", made=made, bids=bids))


def _person_bar(person: Person) -> Bar:
    counts = {"made": person.made, "over": person.over, "under": person.under}
    shares = tuple(count / person.hands for count in counts.values())
    return Bar(person.name, shares, make_phrase("plot.counts", **counts))


def _times_chart(name: str, title: Phrase, people: Iterable[Person], action: Action) -> BarChart:
    bars = []
    for person in people:
        if times_ns := person.thinking_times_ns[action]:
            seconds = median(times_ns) / 1e9
            bars.append(Bar(person.name, (seconds,), make_phrase("plot.seconds", seconds=seconds)))
    longest = max((bar.parts[0] for bar in bars), default=0.0)
    return BarChart(name, title, tuple(bars), full_scale=longest or 1.0)


# --- as a table -----------------------------------------------------------------------------------------------------


def make_table(statistics: Statistics, *, games: bool = True, brief: bool = False) -> FiguresTable:
    """Return the statistics of all people as a table.

    ``games``: with the columns about whole games. ``brief``: few columns, for a screen on which charts show the rest.
    """
    columns: list[tuple[Phrase, bool, Callable[[Person], Phrase | str]]] = [
        (make_phrase("statistics.games"), games, lambda person: str(person.games)),
        (make_phrase("statistics.finished"), games and not brief, lambda person: str(person.finished)),
        (make_phrase("statistics.won"), games, lambda person: str(person.won)),
        (make_phrase("statistics.bids"), True, lambda person: str(person.hands)),
        (make_phrase("statistics.made"), True, lambda person: str(person.made)),
        (make_phrase("statistics.over"), not brief, lambda person: str(person.over)),
        (make_phrase("statistics.under"), not brief, lambda person: str(person.under)),
        (make_phrase("statistics.bid_time"), not brief, lambda person: _median_cell(person, "bid")),
        (make_phrase("statistics.card_time"), not brief, lambda person: _median_cell(person, "card")),
    ]
    shown = [(heading, cell) for heading, is_shown, cell in columns if is_shown]
    return FiguresTable(
        make_phrase("statistics.title"),
        (make_phrase("statistics.player"), *(heading for heading, _ in shown)),
        tuple((person.name, tuple(cell(person) for _, cell in shown)) for person in statistics.people),
    )


def _median_cell(person: Person, action: Action) -> Phrase | str:
    times_ns = person.thinking_times_ns[action]
    return make_phrase("plot.seconds", seconds=median(times_ns) / 1e9) if times_ns else "–"
