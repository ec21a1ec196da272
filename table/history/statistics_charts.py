"""Bar charts of the statistics over many games."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from table.bar_chart_data import Bar, BarChart
from table.history.statistics import BidTally, Person, Statistics
from table.phrase import Phrase, make_phrase

MAX_PEOPLE = 16
"""The most people in a chart: those who have played most."""
NS_PER_SECOND = 1e9


def make_charts(statistics: Statistics) -> tuple[BarChart, ...]:
    """Return the charts that have data: bids made by hand size and by seat, over and under, the time per action."""
    by_place = sorted(statistics.by_seat_position.items(), key=lambda item: (item[0] == 0, item[0]))
    people = statistics.people[:MAX_PEOPLE]
    charts = (
        BarChart(
            "made-by-size",
            make_phrase("plot.made_by_size"),
            tuple(
                _made_bar(make_phrase("count.card", n=size), tally)
                for size, tally in sorted(statistics.by_hand_size.items())
            ),
        ),
        BarChart(
            "made-by-seat",
            make_phrase("plot.made_by_seat"),
            tuple(
                _made_bar(
                    make_phrase("plot.seat", place=place) if place else make_phrase("plot.dealer"), tally
                )
                for place, tally in by_place
            ),
        ),
        BarChart(
            "over-and-under",
            make_phrase("plot.over_and_under"),
            tuple(_over_and_under_bar(person) for person in people if person.hands),
            (make_phrase("plot.made"), make_phrase("plot.over"), make_phrase("plot.under")),
        ),
        _times_chart("time-to-bid", make_phrase("plot.time_to_bid"), people, "bid"),
        _times_chart("time-to-play", make_phrase("plot.time_to_play"), people, "card"),
    )
    return tuple(chart for chart in charts if chart.bars)


def _made_bar(label: Phrase, tally: BidTally) -> Bar:
    """Return the bar for the share of bids made."""
    return Bar(
        label, (tally.made / tally.total,), make_phrase("plot.made_of", made=tally.made, bids=tally.total)
    )


def _over_and_under_bar(person: Person) -> Bar:
    """Return the bar for a person's shares of hands made, over and under."""
    counts = (person.made, person.over, person.under)
    counts_phrase = make_phrase("plot.counts", made=person.made, over=person.over, under=person.under)
    return Bar(person.name, tuple(count / person.hands for count in counts), counts_phrase)


def _times_chart(name: str, title: Phrase, people: Iterable[Person], what: str) -> BarChart:
    """Return the chart of each person's median thinking time."""
    seconds = {
        person.name: median(person.thinking_times_ns[what]) / NS_PER_SECOND
        for person in people
        if person.thinking_times_ns[what]
    }
    bars = tuple(
        Bar(person, (duration,), make_phrase("plot.seconds", seconds=duration))
        for person, duration in seconds.items()
    )
    return BarChart(name, title, bars, full_scale=max(seconds.values(), default=0.0) or 1.0)
