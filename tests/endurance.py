"""Hours at the table, played as fast as they go, and whether anything grows: ``python -m tests.endurance``.

Virtual games, one after the other in one process as an evening plays them: drawn camera, real sight, referee, a
journal on the disk, the screen drawn ten times a second. Prints after each game the memory, what is open, the
threads, and the journal's bytes for a line; exit status 1 where memory grows, something stays open, or a card is told
later and later. One game is short: what grows within a game is not seen by this.

What stays from game to game has a bound, and in the first hours fills up to it: 64 MB of pictures of texts, cards and
signs (``table.display.drawing.surface_cache``), some thousand widths of texts and 512 sizes of fonts, and of the
virtual table the faces of two packs (``table.simulation.rendering.card_artwork``, 33 MB).
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from table.display.view_picture import draw_canvas
from table.games.registry import GAMES
from table.pipeline import Pipeline
from table.simulation.players.game_director import play_game
from table.simulation.simulated_config import make_simulated_config
from table.simulation.simulated_source import SimulatedSource

SCREENS = {"small": (640, 360), "large": (1920, 1080)}
"""A large one costs more time than all else; a small one shows the same."""
DRAWN_NS = 100_000_000
PLAYERS = 4
MORE_MB = 16.0
"""So much may the last third of the games have more than the second third."""
LATER = 1.25
"""So many times as late may a card be told in the last third of the games as in the second third (medians)."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game, and how the process stands after it."""

    name: str
    seconds: float
    """Of play."""
    lines: int
    bytes: int
    """Of its journal, and of what lies beside it."""
    told_ms: float
    """From when a card came to rest to when it was told, the median."""
    resident_mb: float
    open: int
    threads: int


def resident_mb() -> float:
    """The process's memory in MiB, after what nobody needs has been given back."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # the allocator keeps what a large game needed for the next one
    status = Path("/proc/self/status").read_text(encoding="ascii")
    row = next(row for row in status.splitlines() if row.startswith("VmRSS:"))
    return int(row.split()[1]) / 1024


def opened() -> int:
    """How many files and sockets the process has open."""
    return len([*Path("/proc/self/fd").iterdir()])


def play(name: str, seed: int, folder: Path, screen: str = "small") -> Played:
    """Play one game in a folder that goes with it."""
    kind = GAMES[name]
    config = make_simulated_config(
        name, PLAYERS, {**kind.proposed_options, "hands": list(kind.short_game_hands)}, seed=seed
    )
    world = play_game(config, seed)
    folder.mkdir()
    pipeline = Pipeline(config, SimulatedSource(world), journal=folder / "game.jsonl")
    drawn = 0
    for now_ns in pipeline.run():
        if now_ns - drawn >= DRAWN_NS:
            draw_canvas(pipeline.view(now_ns), SCREENS[screen])
            drawn = now_ns
    lines = pipeline.referee.journal.lines
    pipeline.referee.journal.close()
    late = [line["decided_ns"] - line["t_ns"] for line in lines if line["event"] == "card_played"]
    size = sum(path.stat().st_size for path in folder.iterdir())
    del pipeline
    return Played(
        name=name,
        seconds=(world.end_ns - world.start_ns) / 1e9,
        lines=len(lines),
        bytes=size,
        told_ms=statistics.median(late) / 1e6,
        resident_mb=resident_mb(),
        open=opened(),
        threads=threading.active_count(),
    )


def growth(games: Sequence[Played]) -> list[str]:
    """What grew from one third of the games to the next, in words."""
    third = len(games) // 3
    middle, last = games[third : 2 * third], games[-third:]
    found = []
    more_mb = _median(last, "resident_mb") - _median(middle, "resident_mb")
    print(f"{more_mb:+.1f} MiB from the second third to the last")
    if more_mb > MORE_MB:
        found.append("memory grows")
    if max(one.open for one in last) > max(one.open for one in middle):
        found.append("files stay open")
    if max(one.threads for one in last) > max(one.threads for one in middle):
        found.append("threads stay")
    if _told(last) > LATER * _told(middle):
        found.append("cards are told later and later")
    return found


def _median(games: Sequence[Played], what: str) -> float:
    return float(statistics.median(getattr(one, what) for one in games))


def _told(games: Sequence[Played]) -> float:
    """How late a card was told: by game, since they wait for cards differently."""
    names = sorted({one.name for one in games})
    return statistics.mean(_median([one for one in games if one.name == name], "told_ms") for name in names)


def main() -> int:
    """Run the bench."""
    parser = argparse.ArgumentParser(prog="tests.endurance", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--hours", type=float, default=8.0, help="hours of play (default: 8)")
    parser.add_argument("--game", choices=tuple(GAMES), metavar="G", help="only this one")
    parser.add_argument(
        "--screen", choices=tuple(SCREENS), default="small", help="how large it is (default: small)"
    )
    arguments = parser.parse_args()
    names = (arguments.game,) if arguments.game else tuple(GAMES)
    began, hours = time.monotonic(), 0.0
    games: list[Played] = []
    with tempfile.TemporaryDirectory() as folder:
        while hours < arguments.hours or len(games) % len(names) or len(games) < 3 * len(names):
            where = Path(folder) / str(len(games))
            one = play(names[len(games) % len(names)], len(games) + 1, where, arguments.screen)
            games.append(one)
            hours += one.seconds / 3600
            print(
                f"{hours:6.2f} h  {one.resident_mb:7.1f} MiB  {one.open:3} open  {one.threads:2} threads  "
                f"{one.bytes / one.lines:5.0f} bytes a line  told {one.told_ms:5.0f} ms  {one.name}",
                flush=True,
            )
    found = growth(games)
    speed = hours * 3600 / (time.monotonic() - began)
    print(f"{len(games)} games, {sum(one.lines for one in games)} lines; {speed:.1f} times as fast as played")
    print("; ".join(found) or "Nothing grew.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
