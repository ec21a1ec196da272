"""Scores card facts on films of real cards: ``python -m tests.real DIR...``.

A folder has ``video.*``, a ``table.toml`` with size, frame rate and homography, and ``cards.csv`` (``t_s,card,event``:
``lies`` from the start, or ``lands`` then; nothing is taken away). The pack is the ordinary one of 52.

A card is right if one fact of its name is published, stamped within 1.5 s of the card's time, in order, and keeps its
name. A card at the border of the square that is read may be published or not.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from table.cards import pack
from table.config.settings import TableConfig, load_config
from table.detection.detector import Detector
from table.errors import TableError, convert_errors
from table.files.picture_and_video_reading import open_video, read_next_picture
from table.observed_facts import CardFact, CardGone, CardLanded, CardReread, Frame, Reading
from table.phrase import make_phrase
from table.sources.recordings.recording import VIDEO_SUFFIXES
from table.table_geometry import MARK_PX, PX_PER_MM
from table.tracking.tracker import CardTracker
from tests.tracking_rules import RuleOptions, add_options, report_answers

NEAR_S = 1.5
"""Most seconds between a card's time and its fact's stamp; also after which a right fact counts as late."""
BORDER_MM = 32.0
"""Half a card: a card whose centre is so near the square's border may be published or not."""
AFTER_S = 3.0
"""The last picture is shown for so long, so that everything can be decided."""
PACK = [str(card) for card in pack()]
COLUMNS = (
    "cards", "right", "missed", "misnamed", "twice", "renamed", "out of order", "invented", "gone", "late",
)  # fmt: skip


@dataclass(frozen=True)
class TrueCard:
    """A card of ``cards.csv``."""

    t_s: float
    name: str
    lies: bool


@dataclass
class PublishedCard:
    """A card as its facts tell of it."""

    landed: CardLanded
    published_s: float
    names: list[str] = field(default_factory=list)
    """The most probable name of each fact, in order; none where nothing was read."""
    gone: bool = False

    @property
    def t_s(self) -> float:
        """The stamp."""
        return self.landed.t_ns / 1e9

    @property
    def name(self) -> str:
        """The first name."""
        return self.names[0] if self.names else "?"

    @property
    def at_border(self) -> bool:
        """Whether it lies at the border of the square."""
        return max(abs(place) for place in self.landed.place_mm) > MARK_PX / PX_PER_MM / 2 - BORDER_MM


@dataclass
class Score:
    """Counts by kind of error, the delays of what was right, and a line for each error."""

    counts: Counter[str] = field(default_factory=Counter)
    delays_s: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        """Add another film's score."""
        self.counts += other.counts
        self.delays_s += other.delays_s


def read_truth(path: Path) -> list[TrueCard]:
    """Read ``cards.csv``, in the order of time; ``TableError`` if it can't be read."""
    with (
        convert_errors(OSError, "file.unread", at=path, expected="t_s,card,event"),
        path.open(newline="") as file,
    ):
        cards = [
            TrueCard(float(row["t_s"]), row["card"], row["event"] == "lies") for row in csv.DictReader(file)
        ]
    return sorted(cards, key=lambda card: card.t_s)


def facts_of(folder: Path) -> Iterator[tuple[float, CardFact]]:
    """Yield each card fact of a film with the time of the frame after which it was published, in seconds."""
    config = load_config(folder / "table.toml", menu=True)
    tracker = CardTracker(config.camera, Detector(courts=config.camera.courts, pack=PACK))
    for frame in _frames(folder, config):
        for fact in tracker.see(frame).facts:
            yield frame.t_ns / 1e9, fact


def _frames(folder: Path, config: TableConfig) -> Iterator[Frame]:
    (video,) = (path for path in folder.glob("video.*") if path.suffix.lower() in VIDEO_SUFFIXES)
    film = open_video(video, make_phrase("expected.video"))
    assert film is not None, video
    step_ns = 1_000_000_000 / config.camera.fps
    count, last = 0, None
    try:
        while (image := read_next_picture(film)) is not None:
            yield Frame(round(count * step_ns), image, count)
            count, last = count + 1, image
    finally:
        film.release()
    assert last is not None, video
    for index in range(count, count + round(AFTER_S * config.camera.fps)):
        yield Frame(round(index * step_ns), last.copy(), index)


def published_cards(facts: Sequence[tuple[float, CardFact]]) -> list[PublishedCard]:
    """Put the facts of each card together, in the order of their stamps."""
    cards: dict[int, PublishedCard] = {}
    for at_s, fact in facts:
        if isinstance(fact, CardLanded):
            cards[fact.id] = PublishedCard(fact, at_s, _names(fact.readings))
        elif fact.id in cards and isinstance(fact, CardReread):
            cards[fact.id].names += _names(fact.readings)
        elif fact.id in cards and isinstance(fact, CardGone):
            cards[fact.id].gone = True
    return sorted(cards.values(), key=lambda card: card.t_s)


def _names(readings: Sequence[Reading]) -> list[str]:
    return [readings[0].card] if readings else []


def score(truth: Sequence[TrueCard], cards: Sequence[PublishedCard]) -> Score:
    """Compare what was published with the cards of a film."""
    result = Score(Counter(dict.fromkeys(COLUMNS, 0)))
    result.counts["cards"] = len(truth)
    pairs, unmatched, extra = _match(truth, cards)
    names = {true.name for true, _ in pairs}
    twice = {card.name for card in extra if card.name in names}
    extra = [card for card in extra if card.name not in names and not card.at_border]
    for true in unmatched:
        wrong = next((card for card in extra if abs(card.t_s - true.t_s) <= NEAR_S), None)
        if wrong is not None:
            extra.remove(wrong)
        _note(result, "misnamed" if wrong else "missed", true, wrong)
    in_order = _longest_rising([card.t_s for _, card in pairs])
    for number, (true, card) in enumerate(pairs):
        if true.name in twice:
            _note(result, "twice", true, card)
        elif any(name != true.name for name in card.names):
            _note(result, "renamed", true, card)
        elif number not in in_order:
            _note(result, "out of order", true, card)
        else:
            result.counts["right"] += 1
            result.delays_s.append(card.published_s - true.t_s)
            result.counts["late"] += card.published_s - true.t_s > NEAR_S
    for card in cards:
        if card.gone:
            result.counts["gone"] += 1
            result.notes.append(f"{card.t_s:6.2f} s  {card.name} is published as gone")
    for card in extra:
        result.counts["invented"] += 1
        result.notes.append(f"{card.t_s:6.2f} s  {'/'.join(card.names) or '?'} invented")
    return result


def _match(
    truth: Sequence[TrueCard], cards: Sequence[PublishedCard]
) -> tuple[list[tuple[TrueCard, PublishedCard]], list[TrueCard], list[PublishedCard]]:
    """Match cards by name and time; return the pairs, the true cards without a match, and the other cards."""
    left = list(cards)
    pairs = []
    unmatched = []
    for true in truth:
        near = (card for card in left if card.name == true.name and abs(card.t_s - true.t_s) <= NEAR_S)
        if (match := next(near, None)) is None:
            unmatched.append(true)
        else:
            left.remove(match)
            pairs.append((true, match))
    return pairs, unmatched, left


def _note(result: Score, kind: str, true: TrueCard, card: PublishedCard | None) -> None:
    result.counts[kind] += 1
    seen = f", published as {'/'.join(card.names) or '?'} at {card.t_s:.2f} s" if card else ""
    result.notes.append(f"{true.t_s:6.2f} s  {true.name} {kind}{seen}")


def _longest_rising(times: Sequence[float]) -> set[int]:
    """Return the numbers of a longest subsequence whose times do not fall."""
    chains: list[list[int]] = [[]]
    for number, time_s in enumerate(times):
        fitting = [chain for chain in chains if not chain or times[chain[-1]] <= time_s]
        chains.append([*max(fitting, key=len), number])
    best = max(chains, key=len)
    return set(best)


def main() -> int:
    """Print a row for each film and the sum."""
    parser = argparse.ArgumentParser(prog="python -m tests.real", description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--notes", action="store_true", help="print every error")
    add_options(parser)
    arguments = parser.parse_args()
    try:
        answers = RuleOptions.of(arguments).apply()
    except TableError as error:
        print(error, file=sys.stderr)
        return 2
    try:
        total = _score_films(arguments.folder, notes=arguments.notes)
    except TableError as error:
        print(error, file=sys.stderr)
        return 2
    if total.delays_s:
        median, worst = statistics.median(total.delays_s), max(total.delays_s)
        print(f"published after the card's time: median {median:.2f} s, worst {worst:.2f} s")
    for line in report_answers(answers):
        print(line)
    return 0


def _score_films(folders: Sequence[Path], *, notes: bool) -> Score:
    """Print a row for each film and the sum, which is returned."""
    width = max(len(folder.name) for folder in folders)
    print(" " * width, *(f"{column:>{max(len(column), 5)}}" for column in COLUMNS))
    total = Score()
    for folder in folders:
        result = score(read_truth(folder / "cards.csv"), published_cards(list(facts_of(folder))))
        total.add(result)
        _print_row(folder.name.ljust(width), result)
        for note in result.notes if notes else ():
            print("  ", note)
    _print_row("all".ljust(width), total)
    return total


def _print_row(name: str, result: Score) -> None:
    print(name, *(f"{result.counts[column]:>{max(len(column), 5)}}" for column in COLUMNS), flush=True)


if __name__ == "__main__":
    sys.exit(main())
