"""The kinds of scenes that only films have: piles, packs, further hands, and cards handled twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from table.simulation.rendering.motions_over_time import HandPose, offset_point
from tests.scenes.film.script import FilmScript
from tests.scenes.script import EASY, FAST, Pace

LINGERING: Final[tuple[HandPose, ...]] = ("rest", "point", "drum")


def _pace(script: FilmScript) -> Pace:
    return FAST if script.rng.random() < 0.5 else EASY


def _squarely_by_one(script: FilmScript) -> None:
    seat, pace = script.someone(), _pace(script)
    script.pile_from(seat)
    for _ in range(6):
        script.lay_squarely(seat, pace)
        script.pause()
    script.gather()


def _squarely_in_turn(script: FilmScript) -> None:
    script.pile_from(script.someone())
    order = [str(name) for name in script.rng.permutation(list(script.seats))]
    pace = _pace(script)
    for number in range(7):
        script.lay_squarely(order[number % len(order)], pace, turned=True)
        script.pause()
    script.gather()


def _dealt(script: FilmScript) -> None:
    script.deal(script.someone(), 6)
    script.gather()


def _both_hands(script: FilmScript) -> None:
    """One player lays with both hands, or leaves one of them on the table."""
    seat, pace = script.someone(), _pace(script)
    script.pile_from(seat)
    alternately = script.rng.random() < 0.5
    if not alternately:
        aside = script.seats[seat].angle + script.uniform(35, 60)
        place = offset_point((0, 0), aside, script.uniform(90, 130))
        script.linger(seat, place, 8_000, "rest", before=True, other_hand=True)
    for number in range(4):
        script.lay_squarely(seat, pace, left=alternately and number % 2 == 1)
        script.pause()
    script.t_ns = max(script.t_ns, script.free[seat])
    script.gather()


def _lingering(script: FilmScript) -> None:
    """A hand rests, points or drums near the cards while others lay theirs."""
    idle = script.someone()
    pose = LINGERING[int(script.rng.integers(len(LINGERING)))]
    script.lay(script.someone(idle))
    script.pause()
    place = offset_point((0, 0), script.seats[idle].angle, script.uniform(15, 85))
    script.linger(idle, place, script.uniform(900, 2_600), pose)
    for _ in range(3):
        script.lay(script.someone(idle))
        script.pause()
    script.gather()


def _face_down(script: FilmScript) -> None:
    """Cards face down, in the open and half covered, among others."""
    script.pile_from(script.someone())
    squarely = script.rng.random() < 0.4
    for down in script.rng.permutation([True, True, False, False]).tolist():
        seat = script.someone()
        script.lay(seat, script.on_pile() if squarely else None, face_down=down)
        script.pause()
    script.gather()


def _pushed_on(script: FilmScript) -> None:
    script.lay(script.someone())
    script.pause()
    for _ in range(2):
        script.lay_and_push(script.someone())
        script.pause()
    script.gather()


def _dropped(script: FilmScript) -> None:
    script.lay(script.someone())
    script.pause()
    script.drop_and_pick_up(script.someone())
    script.pause()
    script.gather()


def _hand_at_first(script: FilmScript) -> None:
    """A hand lies over the mark in the first picture, perhaps over a card."""
    seat = script.someone()
    place = offset_point((0, 0), script.seats[seat].angle, script.uniform(-10, 30))
    script.linger(seat, place, script.uniform(1_300, 2_500), "rest", before=True)
    script.t_ns = script.free[seat]
    for _ in range(3):
        script.lay(script.someone(seat))
        script.pause()
    script.gather()


def _twice_the_same(script: FilmScript) -> None:
    """Two packs are played with: a card lies there twice."""
    first = script.lay(script.someone())
    script.pause()
    script.lay(script.someone())
    script.pause()
    script.lay(script.someone(), name=script.cards[first].name)
    script.pause()
    script.gather()


FILM_KINDS: Final[Mapping[str, tuple[Callable[[FilmScript], None], int, int]]] = {
    "pile, one hand": (_squarely_by_one, 6, 110),
    "pile, hands in turn": (_squarely_in_turn, 7, 96),
    "pile, dealt from a pack": (_dealt, 6, 112),
    "both hands of a player": (_both_hands, 4, 100),
    "lingering hand": (_lingering, 4, 100),
    "face down": (_face_down, 4, 100),
    "held and pushed on": (_pushed_on, 3, 134),
    "dropped and picked up": (_dropped, 3, 134),
    "hand in the first picture": (_hand_at_first, 3, 134),
    "the same card twice": (_twice_the_same, 3, 134),
}
"""How each is written, how many cards it takes, and how many of its scenes the frozen set has."""
