"""The kinds of scenes, and the sets that are made of them.

A set is a stream of random numbers of its own; scene ``number`` of a kind depends on the stream, the kind and the
number alone. ``frozen`` gives the project's figures: **nothing is ever tuned on it**, nor are its failures looked at to
mend sight; that is what ``tuning`` is for, which has no scene in common with it. When a kind changes, or one is added,
the frozen set is another one: its figures are to be measured anew, and its digest (``test_scenes.py``) pinned anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from table.directions import direction_vector
from table.simulation.rendering.motions_over_time import CardPose
from tests.scenes.film.kinds import FILM_KINDS
from tests.scenes.film.script import FilmScript
from tests.scenes.scenario import Scenario
from tests.scenes.script import EASY, FAST, SLOW, Pace, Script
from tests.simulation.scene_motions import TableObject

STREAMS: Final[Mapping[str, int]] = {
    "frozen": 16_004,
    "tuning": 90_210,
    "film-frozen": 52_711,
    "film-tuning": 81_093,
}
FILMED: Final = ("film-frozen", "film-tuning")
"""The sets that are filmed with the second camera."""


def _trick(
    script: Script, count: int, pace: Pace = EASY, *, slid: bool = False, thrown: bool = False
) -> list[int]:
    """So many people lay a card one after another."""
    order = [str(name) for name in script.rng.permutation(list(script.seats))]
    laid = []
    for number in range(count):
        seat = order[number % len(order)]
        laid.append(script.throw(seat) if thrown else script.lay(seat, pace=pace, slid=slid))
        script.wait(450, 1000)
    return laid


def _tied(script: Script) -> None:
    script.tie(script.uniform(0.05, 0.6))
    script.gather()


def _tied_covered(script: Script) -> None:
    script.tie(script.uniform(0.6, 0.95))
    script.gather()


def _tied_apart(script: Script) -> None:
    script.tie(0.0)
    script.gather()


def _tied_crossing(script: Script) -> None:
    script.tie(script.uniform(0.0, 0.7), crossing=True)
    script.gather()


def _tied_alike(script: Script) -> None:
    script.alike()
    script.tie(script.uniform(0.0, 0.95))
    script.gather()


def _tied_fast(script: Script) -> None:
    script.tie(script.uniform(0.0, 0.95), FAST)
    script.gather()


def _tied_thrown(script: Script) -> None:
    script.tie(script.uniform(0.0, 0.8), thrown=True)
    script.gather()


def _tied_back(script: Script) -> None:
    """The upper one is taken back by its player, as the table asks."""
    one = script.someone()
    other = script.someone(one)
    _, above = script.tie(script.uniform(0.05, 0.8), seats=(one, other))
    script.wait(900, 1500)
    script.take(other, [above], back=True)
    script.wait(300, 600)
    script.gather()


def _plain(script: Script) -> None:
    _trick(script, 3)
    script.gather()


def _dim(script: Script) -> None:
    script.dim()
    _trick(script, 3)
    script.gather()


def _warm(script: Script) -> None:
    script.warm()
    _trick(script, 3)
    script.gather()


def _thrown(script: Script) -> None:
    _trick(script, 3, thrown=True)
    script.gather()


def _slid(script: Script) -> None:
    _trick(script, 2, SLOW, slid=True)
    script.gather()


def _fast(script: Script) -> None:
    _trick(script, 3, FAST)
    script.gather()


def _alike(script: Script) -> None:
    script.alike()
    _trick(script, 3)
    script.gather()


def _crossing(script: Script) -> None:
    """Two lay one after the other, each reaching across to the other's side."""
    one = script.someone()
    other = script.someone(one)
    for seat, side in ((one, other), (other, one)):
        x, y = direction_vector(script.seats[side].angle)
        out, turn = script.uniform(20, 42), script.seats[seat].angle + 180 + float(script.rng.normal(0, 12))
        script.lay(seat, CardPose(x * out, y * out, turn % 360))
        script.wait(280, 700)
    script.gather()


def _pushed(script: Script) -> None:
    laid = _trick(script, 2)
    script.wait(300, 600)
    moved = laid[int(script.rng.integers(2))]
    old = script.poses[moved]
    dx, dy, turn = script.rng.normal(0, (12, 12, 8))
    script.push(
        script.someone(), [(moved, CardPose(old.x + float(dx), old.y + float(dy), old.angle + float(turn)))]
    )
    script.gather()


def _squared(script: Script) -> None:
    """A pile of seven is squared up before it is taken."""
    _trick(script, 7)
    script.wait(200, 500)
    middle = script.rng.normal(0, 6, 2)
    angle = script.uniform(0, 360)
    moved = []
    for number in script.poses:
        dx, dy, turn = script.rng.normal(0, (2, 2, 2))
        half = 180 * (np.cos(np.radians(script.poses[number].angle - angle)) < 0)
        moved.append(
            (number, CardPose(float(middle[0] + dx), float(middle[1] + dy), float(angle + half + turn) % 360))
        )
    script.push(script.someone(), moved)
    script.gather()


def _singly(script: Script) -> None:
    """A trick is picked up card by card, from the topmost."""
    laid = _trick(script, 4)
    script.wait(400, 800)
    seat = script.someone()
    for number in reversed(laid):
        script.take(seat, [number])
        script.wait(250, 500)


def _uncollected(script: Script) -> None:
    """The winner leads to the next trick before the last one has been picked up."""
    old = _trick(script, 3)
    winner = script.someone()
    x, y = direction_vector(script.seats[winner].angle)
    out = script.uniform(55, 75)
    turn = script.seats[winner].angle + 180 + float(script.rng.normal(0, 10))
    script.lay(winner, CardPose(x * out, y * out, turn % 360))
    script.wait(500, 900)
    script.take(script.someone(winner), old)


def _taken_back(script: Script) -> None:
    """Somebody takes a card back and plays another."""
    script.lay(script.someone())
    script.wait(450, 1000)
    seat = script.someone()
    wrong = script.lay(seat)
    script.wait(500, 1200)
    script.take(seat, [wrong], back=True)
    script.wait(300, 600)
    script.lay(seat)
    script.gather()


def _held(script: Script) -> None:
    """Cards in hands at the picture's border, while others are laid."""
    for seat in [str(name) for name in script.rng.permutation(list(script.seats))][:2]:
        script.hold(seat)
    _trick(script, 2)
    script.gather()


def _things(script: Script) -> None:
    """A phone and a glass beside the mark; somebody puts dice down."""
    x, y = direction_vector(turn := script.uniform(0, 360))
    far = script.uniform(160, 180)
    script.put(
        script.someone(),
        TableObject("phone", CardPose(x * far, y * far, turn + script.uniform(-15, 15))),
        before=True,
    )
    script.glass()
    script.lay(script.someone())
    script.wait(450, 900)
    aside = turn + script.uniform(120, 240)
    for number in range(2):
        x, y = direction_vector(aside + 14 * number)
        far = script.uniform(118, 140)
        thing = TableObject("die", CardPose(x * far, y * far, script.uniform(0, 90)))
        script.put(script.someone(), thing, before=number == 0)
    script.wait(700, 1000)
    script.lay(script.someone())
    script.gather()


def _cup(script: Script) -> None:
    """Somebody reaches over the mark with a cup."""
    script.lay(script.someone())
    script.wait(450, 900)
    x, y = script.rng.normal(0, 18, 2)
    script.reach(script.someone(), (float(x), float(y)), script.uniform(150, 900), cup=True)
    script.wait(400, 700)
    script.lay(script.someone())
    script.gather()


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of scene: what happens in it, and how many cards that takes."""

    write: Callable[[FilmScript], None] | Callable[[Script], None]
    cards: int
    share: int
    """How many of its scenes the frozen set has."""
    tied: bool = False
    film_share: int = 20
    """How many of its scenes the filmed frozen set has."""


KINDS: Final[Mapping[str, Kind]] = {
    "tied": Kind(_tied, 2, 125, tied=True, film_share=142),
    "tied, mostly covered": Kind(_tied_covered, 2, 125, tied=True, film_share=143),
    "tied, apart": Kind(_tied_apart, 2, 125, tied=True, film_share=143),
    "tied, arms crossing": Kind(_tied_crossing, 2, 125, tied=True, film_share=143),
    "tied, like colours": Kind(_tied_alike, 2, 125, tied=True, film_share=0),
    "tied, fast hands": Kind(_tied_fast, 2, 125, tied=True, film_share=143),
    "tied, thrown": Kind(_tied_thrown, 2, 125, tied=True, film_share=143),
    "tied, one taken back": Kind(_tied_back, 2, 125, tied=True, film_share=143),
    "plain trick": Kind(_plain, 3, 66),
    "dim": Kind(_dim, 3, 62),
    "warm": Kind(_warm, 3, 62),
    "like colours": Kind(_alike, 3, 62, film_share=0),
    "thrown": Kind(_thrown, 3, 62),
    "slid": Kind(_slid, 2, 62),
    "fast hands": Kind(_fast, 3, 62),
    "arms crossing": Kind(_crossing, 2, 62),
    "pushed": Kind(_pushed, 2, 62),
    "pile of seven squared": Kind(_squared, 7, 62),
    "gathered singly": Kind(_singly, 4, 62),
    "uncollected trick": Kind(_uncollected, 4, 62),
    "taken back": Kind(_taken_back, 3, 66),
    "cards in hands": Kind(_held, 2, 62),
    "phone, dice, glass": Kind(_things, 2, 62),
    "cup over the mark": Kind(_cup, 2, 62),
    **{kind: Kind(write, cards, 0, film_share=share) for kind, (write, cards, share) in FILM_KINDS.items()},
}


def scene(stream: str, kind: str, number: int) -> Scenario:
    """One scene of a set; the same every time."""
    rng = np.random.default_rng((STREAMS[stream], list(KINDS).index(kind), number))
    players = 7 if kind == "pile of seven squared" else None
    script = (FilmScript if stream in FILMED else Script)(stream, kind, number, rng, players)
    write: Callable[[Any], None] = KINDS[kind].write
    write(script)
    return script.scenario()


def scenes(stream: str, every: int = 1, only: str = "", first: int = 0) -> Iterator[tuple[str, str, int]]:
    """The scenes of a set, or each ``every``-th of every kind from ``first``; ``only``: of kinds that begin so.

    Each as what ``scene`` takes.
    """
    for kind, what in KINDS.items():
        if kind.startswith(only):
            count = what.film_share if stream in FILMED else what.share
            yield from ((stream, kind, number) for number in range(first, count, every))
