"""The camera and the buttons, and how they fail: what people do comes in, facts go out, some of them damaged.

The faults, each at one place of the hand:

- ``missed``: a card is never seen, neither when it lands nor when it goes.
- ``misread``: the best reading is wrong (.6), the truth stands second (.35).
- ``surely-misread``: a wrong card at .98; the truth is not among the readings.
- ``owner-unknown``: no arm was seen. ``owner-wrong``: another player's arm, at .9.
- ``twice``: .4 to 2.5 s after a landing a card that lies there lands a second time in its place, under a new
  number; half the time the old number goes in the same moment, else it goes with the pick-up.
- ``ghost``: .1 to 1.2 s after a landing a card lands that nobody played (any card of the pack, any arm or none,
  read surely or not); half of them go on their own after .5 to 8 s, the others with the pick-up.
- ``gone-early``: .4 to 1.5 s after a landing a card that lies there is said to go; its pick-up is not told.
- ``gone-late``: one card of a pick-up goes .5 to 4 s after the others.
- ``three-grabs``: a trick is picked up in three grabs (two of two cards) within 1.6 to 2.6 s.
- ``pushed``: .4 to 1.5 s after a landing somebody pushes a card that lies there up to 150 mm: it goes and lands
  under a new number at once or a second later, with the pusher's arm.
- ``leads-swapped``: of tied leads the arms are exchanged or, in a pile, the order beneath.
- ``call-lost``: a bid or a rap never arrives. (Not that of a tie, and no taps on the dial: whoever turns it sees
  that it doesn't move.)

The card turned up for trumps and cards laid out of turn are never damaged. A fault's chance at a landing is the
rate times the landings since the last one at which a fault that is asked for could happen (at most .5); which one
is drawn evenly from those that can. What happens to a trick being picked up is drawn at its last card. At a call
the chance is the rate itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from table.cards import Card
from table.observed_facts import MS, Call, Gesture, Reading
from tests.referee.faults.eye import ARM_SURE, ARM_UNSEEN, Eye, Laid, Place, plain
from tests.referee.faults.world import World

LANDING = (
    "missed",
    "misread",
    "surely-misread",
    "owner-unknown",
    "owner-wrong",
    "twice",
    "ghost",
    "gone-early",
    "pushed",
)
PICK_UP = ("gone-late", "three-grabs")
TIED = ("leads-swapped",)
CALL = ("call-lost",)
KINDS = (*LANDING, *PICK_UP, *TIED, *CALL)
RATE = 1 / 30


@dataclass(slots=True)
class Fault:
    """A fault that happened."""

    kind: str
    hand: int
    """From 0."""
    part: int
    """Of the hand: 0 before the play, then the trick."""
    laid: Laid | None = None
    """The card that was missed or misread."""
    read: str | None = None
    """What it was read as."""
    alone: bool = False
    """Of a ghost: it went on its own before anything else landed or the trick was picked up."""
    act: int | None = None
    """How many acts of the hand came before it."""


@dataclass(slots=True)
class Sight:
    """How a card that lands is seen."""

    readings: tuple[Reading, ...]
    arm: tuple[float | None, float]
    number: int | None = None
    order: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    """The numbers of the cards that it lies upon and overlaps; None: as the eye sees them."""


class Camera:
    """Sees what people do with cards, and hears what they do with buttons."""

    def __init__(
        self,
        world: World,
        eye: Eye,
        pack: Sequence[Card],
        rng: random.Random,
        kinds: Sequence[str],
        rate: float,
        where: Callable[[], tuple[int, int, int]],
    ) -> None:
        """``where``: the hand, from 0, its part, and how many acts it has had."""
        self.world = world
        self.eye = eye
        self.rng = rng
        self.kinds = frozenset(kinds)
        self.rate = rate
        self.faults: list[Fault] = []
        self.busy_ns = 0
        """Until then things go on that everybody waits for."""
        self._pack = sorted({str(card) for card in pack})
        self._where = where
        self._since = 0
        self._pick_up: str | None = None
        self._ghosts: dict[int, Fault] = {}

    # --- buttons ------------------------------------------------------------------------------------------------

    def press(
        self, seat: str, gesture: Gesture, count: int, t_ns: int, end_ns: int, *, safe: bool = False
    ) -> None:
        """A call; ``safe``: it is not lost."""
        if not safe and self.kinds & {*CALL} and self.rng.random() < self.rate:
            self._happens("call-lost")
            return
        self.world.at(t_ns, lambda _: self.world.tell(Call(t_ns, end_ns, seat, gesture, count)))

    # --- cards --------------------------------------------------------------------------------------------------

    def lay(self, laid: Laid, t_ns: int, *, last: bool = False, safe: bool = False) -> None:
        """A card is laid down; ``last``: it makes the trick complete; ``safe``: nothing goes wrong."""
        kind = None if safe else self._draw((*LANDING, *PICK_UP) if last else LANDING)
        if kind in PICK_UP:
            self._pick_up = kind
        sight = self._sight(kind, laid)
        if sight is not None:
            self.world.at(t_ns, lambda t: self._land(t, laid, sight))
        self._afterwards(kind, laid, t_ns)

    def lay_tied(self, leads: Sequence[tuple[Laid, int]], *, pile: bool) -> None:
        """Leads at the same time, each with its moment; ``pile``: each lies upon those before."""
        kind = self._draw((*TIED, *LANDING))
        at = self.rng.randrange(len(leads))
        sights = [self._sight(kind if n == at else None, laid) for n, (laid, _) in enumerate(leads)]
        numbers = [self.eye.take_number() for _ in leads]
        below: list[tuple[int, ...]] = [
            tuple(number for number, sight in zip(numbers[:n], sights, strict=False) if sight) if pile else ()
            for n in range(len(leads))
        ]
        upon = list(below)
        if kind == "leads-swapped":
            self._happens(kind)
            if pile and self.rng.random() < 0.5:
                upon[0], upon[1] = (numbers[1],), ()
                below[0] = (numbers[1],)
            else:
                arms = [sight.arm for sight in sights if sight]
                for sight, arm in zip(sights, [*arms[1:], arms[0]], strict=True):
                    assert sight is not None
                    sight.arm = arm
        for n, (laid, t_ns) in enumerate(leads):
            sight = sights[n]
            if sight is not None:
                sight.number, sight.order = numbers[n], (upon[n], below[n])
                self.world.at(t_ns, lambda t, laid=laid, sight=sight: self._land(t, laid, sight))  # type: ignore[misc]
        self._afterwards(kind, leads[at][0], leads[-1][1])

    def lift(self, laid: Laid, t_ns: int) -> None:
        """Its player takes a card from the mark."""
        self.world.at(t_ns, lambda t: self.eye.go(t, self.eye.numbers(laid), self.eye.arm(laid.seat)))

    def pick_up(self, laid: Sequence[Laid], seat: str, t_ns: int) -> tuple[int, bool]:
        """A trick is picked up: when the last card has left the mark, and whether the arm was seen."""
        kind, self._pick_up = self._pick_up, None
        arm = None if self.rng.random() < ARM_UNSEEN else self.eye.arm(seat)
        lasts = self._ms(1600, 2600) if kind == "three-grabs" else 0

        def grab(t: int) -> None:
            self._ghosts.clear()
            numbers = [one.id for one in self.eye.lying.values() if one.laid is None or one.laid in laid]
            self.rng.shuffle(numbers)
            if kind is None or len(numbers) < 2:
                self.eye.go(t, sorted(numbers), arm)
                return
            self._happens(kind)
            if kind == "gone-late":
                self.eye.go(t, sorted(numbers[1:]), arm)
                self.world.at(t + self._ms(500, 4000), lambda t: self.eye.go(t, numbers[:1], arm))
                return
            # Each grab takes a card at least, the middle one at any moment between the others.
            first = self.rng.randint(1, max(1, len(numbers) - 2))
            second = self.rng.randint(first + 1, len(numbers) - 1) if len(numbers) > 2 else first
            between = round(lasts * self.rng.uniform(0.15, 0.85))
            self.eye.go(t, numbers[:first], arm)
            self.world.at(t + between, lambda t: self.eye.go(t, numbers[first:second], arm))
            self.world.at(t + lasts, lambda t: self.eye.go(t, numbers[second:], arm))

        self.world.at(t_ns, grab)
        return t_ns + lasts, arm is not None

    # --- what goes wrong ----------------------------------------------------------------------------------------

    def _draw(self, here: Sequence[str]) -> str | None:
        """Whether a fault happens here, and which."""
        self._since += 1
        can = [kind for kind in here if kind in self.kinds]
        if not can:
            return None
        chance, self._since = min(0.5, self.rate * self._since), 0
        return self.rng.choice(can) if self.rng.random() < chance else None

    def _happens(self, kind: str, laid: Laid | None = None, read: str | None = None) -> Fault:
        hand, part, act = self._where()
        fault = Fault(kind, hand, part, laid, read, act=act)
        self.faults.append(fault)
        return fault

    def _ms(self, low: float, high: float) -> int:
        return round(self.rng.uniform(low, high) * MS)

    def _sight(self, kind: str | None, laid: Laid) -> Sight | None:
        """How a card that lands is seen; None: not at all."""
        sight = Sight(plain(laid.card), self._arm(laid.seat))
        if kind == "missed":
            self._happens(kind, laid)
            return None
        if kind in ("misread", "surely-misread"):
            wrong = self._wrong(str(laid.card))
            self._happens(kind, laid, wrong)
            sight.readings = (Reading(wrong, 0.98),)
            if kind == "misread":
                sight.readings = (Reading(wrong, 0.6), Reading(str(laid.card), 0.35))
        elif kind == "owner-unknown":
            self._happens(kind)
            sight.arm = (None, 0.0)
        elif kind == "owner-wrong":
            self._happens(kind)
            sight.arm = self._arm(self.rng.choice([seat for seat in self.eye.angles if seat != laid.seat]))
        return sight

    def _afterwards(self, kind: str | None, laid: Laid, t_ns: int) -> None:
        """What goes wrong a moment after a landing."""
        if kind == "ghost":
            self._ghost(t_ns)
        elif kind in ("twice", "gone-early", "pushed"):
            self._meddle(kind, laid, t_ns)

    def _arm(self, seat: str) -> tuple[float | None, float]:
        return self.eye.arm(seat), ARM_SURE

    def _wrong(self, name: str) -> str:
        """What a card is taken for: half the time of its suit or rank, else any of the pack."""
        others = [other for other in self._pack if other != name]
        alike = [other for other in others if other[-1] == name[-1] or other[:-1] == name[:-1]]
        return self.rng.choice(alike if alike and self.rng.random() < 0.5 else others)

    def _land(self, t_ns: int, laid: Laid, sight: Sight) -> None:
        self._ghosts.clear()  # a ghost that is still there was not alone
        self.eye.land(
            t_ns, laid, sight.readings, sight.arm, laid.place, number=sight.number, order=sight.order
        )

    def _ghost(self, t_ns: int) -> None:
        t_ns += self._ms(100, 1200)
        alone = self.rng.random() < 0.5
        stays = self._ms(500, 8000)
        name = self.rng.choice(self._pack)
        readings: tuple[Reading, ...] = (Reading(name, 0.95),)
        if self.rng.random() < 0.5:
            readings = (Reading(name, 0.5), Reading(self._wrong(name), 0.3))
        arm = (None, 0.0) if self.rng.random() < 0.5 else self._arm(self.rng.choice([*self.eye.angles]))
        place = (self.rng.uniform(-60, 60), self.rng.uniform(-60, 60))
        fault = self._happens("ghost", read=name)

        def land(t: int) -> None:
            number = self.eye.take_number()
            self.eye.land(t, None, readings, arm, place, number=number)
            if alone:
                self._ghosts[number] = fault
                self.world.at(t + stays, lambda at: leave(at, number))

        def leave(t: int, number: int) -> None:
            if number in self.eye.lying:
                self.eye.go(t, [number], None)
            if self._ghosts.pop(number, None) is not None:
                fault.alone = True

        self.world.at(t_ns, land)

    def _meddle(self, kind: str, laid: Laid, t_ns: int) -> None:
        """What happens a moment later to a card that lies on the mark."""
        candidates = [one.laid for one in self.eye.lying.values() if one.laid is not None]
        victim = self.rng.choice([*candidates, laid])
        at = t_ns + (self._ms(400, 2500) if kind == "twice" else self._ms(400, 1500))
        pause = 1_000 * MS if kind == "pushed" and self.rng.random() < 0.5 else 0
        self.busy_ns = at + pause + 100 * MS
        self._happens(kind)
        if kind == "gone-early":
            self.world.at(at, lambda t: self._vanish(t, victim, None))
        elif kind == "twice":
            gone = self.rng.random() < 0.5
            self.world.at(at, lambda t: self._twice(t, victim, gone=gone))
        else:
            pusher = self.rng.choice([*self.eye.angles])
            arm = self._arm(pusher)
            far, way = self.rng.uniform(10, 150), self.rng.uniform(0, 2 * pi)
            new = (victim.place[0] + far * cos(way), victim.place[1] + far * sin(way))
            self._push(victim, at, at + pause, arm, new)

    def _vanish(self, t_ns: int, laid: Laid, arm: float | None) -> None:
        self.eye.go(t_ns, self.eye.numbers(laid), arm)

    def _twice(self, t_ns: int, laid: Laid, *, gone: bool) -> None:
        old = self.eye.numbers(laid)
        if old:
            self.eye.land(t_ns, laid, plain(laid.card), (None, 0.0), laid.place)
            if gone:
                self.eye.go(t_ns, old, None)

    def _push(self, laid: Laid, at: int, again: int, arm: tuple[float | None, float], new: Place) -> None:
        def land(t: int) -> None:
            laid.place = new
            self.eye.land(t, laid, plain(laid.card), arm, new)

        self.world.at(at, lambda t: self._vanish(t, laid, arm[0]))
        self.world.at(again, land)
