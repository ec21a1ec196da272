"""What was counted over many games, as plots."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from table.journals.statistics import Person, Statistics, Tally
from table.menu.plot import Bar, Plot
from table.phrase import Phrase, say

MOST_PEOPLE = 16
"""Those who have played most."""
NS = 1e9


def plots(statistics: Statistics) -> tuple[Plot, ...]:
    """Bids made by hand size and by seat, over and under, the time per action; those of which something is known."""
    by_place = sorted(statistics.by_place.items(), key=lambda item: (item[0] == 0, item[0]))
    people = statistics.people[:MOST_PEOPLE]
    found = (
        Plot(
            "made-by-size",
            say("plot.made_by_size"),
            tuple(_made(say("count.card", n=size), one) for size, one in sorted(statistics.by_size.items())),
        ),
        Plot(
            "made-by-seat",
            say("plot.made_by_seat"),
            tuple(
                _made(say("plot.seat", place=place) if place else say("plot.dealer"), one)
                for place, one in by_place
            ),
        ),
        Plot(
            "over-and-under",
            say("plot.over_and_under"),
            tuple(_over_and_under(one) for one in people if one.hands),
            (say("plot.made"), say("plot.over"), say("plot.under")),
        ),
        _times("time-to-bid", say("plot.time_to_bid"), people, "bid"),
        _times("time-to-play", say("plot.time_to_play"), people, "card"),
    )
    return tuple(plot for plot in found if plot.bars)


def _made(label: Phrase, tally: Tally) -> Bar:
    return Bar(label, (tally.made / tally.bids,), say("plot.made_of", made=tally.made, bids=tally.bids))


def _over_and_under(person: Person) -> Bar:
    counts = (person.made, person.over, person.under)
    told = say("plot.counts", made=person.made, over=person.over, under=person.under)
    return Bar(person.name, tuple(count / person.hands for count in counts), told)


def _times(name: str, title: Phrase, people: Iterable[Person], what: str) -> Plot:
    seconds = {one.name: median(one.waits[what]) / NS for one in people if one.waits[what]}
    bars = tuple(
        Bar(person, (taken,), say("plot.seconds", seconds=taken)) for person, taken in seconds.items()
    )
    return Plot(name, title, bars, full=max(seconds.values(), default=0.0) or 1.0)
