"""What runs inside the bench's virtual machine: presses the simulated chip's lines and reads them in four ways.

Prints what it has measured as a JSON object on the console after each measurement, and a marker line at the end.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

MS = 1_000_000
US = 1_000
LINES = 8
DEBOUNCE_MS = 5
TIE_NS = 30 * MS
DISTANCES_NS = tuple(us * US for us in (1, 2, 3, 5, 10, 100, 1000, 5000, 10_000, 29_900, 30_100, 40_000))
PRESS_NS, BOUNCE_NS, PERIOD_NS = 14 * MS, 3 * MS, 20 * MS
"""How long a press lasts, how long its contact bounces, and how long until the next pair begins."""
TOLD_NS = 38 * MS
"""A press is looked for among what was told this long after it; its line is not pressed again sooner."""
PI_4 = 0xC03115
SETTLED_S = 0.25
CONFIG = Path("/sys/kernel/config/gpio-sim")


class Step(NamedTuple):
    """The finger's script: when, which line, to which physical level (0: to ground, pressed)."""

    at_ns: int
    line: int
    level: int


class Press(NamedTuple):
    """A press as a way of reading tells it."""

    t_ns: int
    line: int


class Truth(NamedTuple):
    """When the finger truly moved: between these two."""

    line: int
    level: int
    before_ns: int
    after_ns: int


# --- the chip ---------------------------------------------------------------------------------------------


def make_chip() -> tuple[str, list[str]]:
    """A chip of eight lines: its device and the files that pull its lines."""
    bank = CONFIG / "table" / "bank"
    bank.mkdir(parents=True)
    (bank / "num_lines").write_text("32")
    (CONFIG / "table" / "live").write_text("1")
    device = (CONFIG / "table" / "dev_name").read_text().strip()
    chip = (bank / "chip_name").read_text().strip()
    pulls = [f"/sys/devices/platform/{device}/{chip}/sim_gpio{line}/pull" for line in range(2, 2 + LINES)]
    for pull in pulls:
        Path(pull).write_text("pull-up")
    return f"/dev/{chip}", pulls


# --- the ways of reading ----------------------------------------------------------------------------------


class Buttons:
    """gpiozero as it comes: Button with bounce_time, when_pressed; the time is that of the call."""

    name = "gpiozero, when_pressed"

    def __init__(self, chip: str, bounce_s: float | None = DEBOUNCE_MS / 1000) -> None:
        from gpiozero import Button

        self.factory = lgpio_factory(chip)
        self.presses: list[Press] = []
        self.edges = 0
        self.dropped: int | None = None
        self.buttons = []
        for line in range(LINES):
            button = Button(line + 2, pull_up=True, bounce_time=bounce_s, pin_factory=self.factory)
            button.when_pressed = self.handler(line)
            button.when_released = self.released
            self.buttons.append(button)

    def handler(self, line: int) -> Callable[[], None]:
        """What gpiozero calls for a press of this line."""

        def pressed() -> None:
            self.presses.append(Press(time.monotonic_ns(), line))
            self.edges += 1

        return pressed

    def released(self) -> None:
        """What gpiozero calls for a release."""
        self.edges += 1

    def read(self) -> None:
        """Gpiozero's thread reads; wait."""
        time.sleep(0.01)

    def close(self) -> None:
        """Give the lines back."""
        for button in self.buttons:
            button.close()
        self.factory.close()


class Reader:
    """A way that brings raw edges with stamps: our own debounce finds the presses."""

    name = ""

    def __init__(self, chip: str) -> None:
        from table.buttons.debounce import Debouncer

        self.reader = self.open(chip)
        self.presses: list[Press] = []
        self.raw: list[Any] = []
        """Every edge as it came."""
        self._lines = [Debouncer(DEBOUNCE_MS * MS) for _ in range(LINES)]

    def open(self, chip: str) -> Any:
        """The reader of raw edges."""
        raise AssertionError

    @property
    def dropped(self) -> int | None:
        """How many edges it says are lost; None where it can't say."""
        return self.reader.request.dropped if hasattr(self.reader, "request") else None

    @property
    def edges(self) -> int:
        """How many edges came."""
        return len(self.raw)

    def read(self) -> None:
        """Take what has come."""
        read = self.reader.read(0.01)
        self.raw += read.edges
        for edge in read.edges:
            self._take(int(edge.seat), edge.t_ns, edge.level)
        for line in range(LINES):
            self._keep(line, self._lines[line].advance(read.until_ns))

    def _take(self, line: int, t_ns: int, level: int) -> None:
        self._keep(line, self._lines[line].add_edge(t_ns, level))

    def _keep(self, line: int, changes: list[Any]) -> None:
        self.presses += (Press(change.t_ns, line) for change in changes if change.pressed)

    def close(self) -> None:
        """Settle what is left and give the lines back."""
        for line in range(LINES):
            self._keep(line, self._lines[line].advance(2**62))
        self.reader.close()


def seats() -> list[Any]:
    """The lines as one-button seats."""
    from table.config.settings import SeatConfig

    return [SeatConfig(str(line), 0.0, bid=line + 2) for line in range(LINES)]


class Ticks(Reader):
    """gpiozero's pins with their ticks: our fall-back."""

    name = "gpiozero, pins' ticks"

    def open(self, chip: str) -> Any:
        """The pins of gpiozero's default factory."""
        from table.buttons.gpio_edges import PinButtons

        return PinButtons(seats(), lgpio_factory(chip))


class Ours(Reader):
    """The kernel's own queue."""

    name = "ours, one request"

    def open(self, chip: str) -> Any:
        """All lines in one request."""
        from table.buttons.gpio_edges import KernelButtons

        return KernelButtons(seats(), chip=chip)


def lgpio_factory(chip: str) -> Any:
    """gpiozero's own default factory, told that this is a Raspberry Pi 4."""
    from gpiozero.pins import local
    from gpiozero.pins.lgpio import LGPIOFactory

    local.get_pi_revision = lambda: PI_4
    return LGPIOFactory(chip=int(chip.removeprefix("/dev/gpiochip")))


class OurPins(Reader):
    """gpiozero's pins on our pin factory, through the same reader as the fall-back."""

    name = "gpiozero, our pin factory"

    def open(self, chip: str) -> Any:
        """The pins of our factory."""
        from gpiozero.pins import local

        from table.buttons.gpio_edges import PinButtons
        from table.buttons.gpiozero_pin_factory import GpiodFactory

        local.get_pi_revision = lambda: PI_4
        self.factory = GpiodFactory(chip)
        return PinButtons(seats(), self.factory)

    @property
    def dropped(self) -> int | None:
        """How many edges the factory's request says are lost."""
        return self.factory.dropped


WAYS: tuple[type[Buttons] | type[Reader], ...] = (Ours, OurPins, Ticks, Buttons)


PAIRS: dict[Any, tuple[int, int]] = {Ours: (100, 50), OurPins: (50, 10)}
OTHER_PAIRS = (50, 10)
SHORT_PAIRS = (2, 1)
"""Pairs at each distance in each order of the lines: quiet, and under load (which costs the host every nanosecond)."""


# --- scripts ----------------------------------------------------------------------------------------------


class Pair(NamedTuple):
    """Two presses: the numbers of their first edges in the script, and how far apart they are meant to be."""

    distance_ns: int
    first: int
    second: int


def train(rng: random.Random, at_ns: int, line: int, level: int) -> Iterator[Step]:
    """A change with contact bounce: after the first edge up to six more within 3 ms, ending where it began."""
    yield Step(at_ns, line, level)
    stamps = sorted(rng.randrange(60 * US, BOUNCE_NS) for _ in range(2 * rng.randrange(4)))
    for number, after in enumerate(stamps):
        yield Step(at_ns + after, line, level if number % 2 else 1 - level)


def pairs(each_order: int, seed: int) -> tuple[list[Step], list[Pair]]:
    """Pairs of bouncing presses at each distance, so many in each order of the lines.

    Pairs take turns with two halves of the lines, so that no line is pressed in two pairs that follow each other.
    """
    rng = random.Random(seed)
    steps: list[Step] = []
    meant: list[tuple[int, Step, Step]] = []
    at = 20 * MS
    half = LINES // 2
    for distance in DISTANCES_NS:
        for number in range(2 * each_order):
            lines = sorted(rng.sample(range(half), 2), reverse=number // 2 % 2 == 1)
            first, second = (line + half * (number % 2) for line in lines)
            for line, start in ((first, at), (second, at + distance)):
                steps += train(rng, start, line, 0)
                steps += train(rng, start + PRESS_NS, line, 1)
            meant.append((distance, Step(at, first, 0), Step(at + distance, second, 0)))
            at += PERIOD_NS + distance
    steps.sort()
    places = {step: number for number, step in enumerate(steps)}
    return steps, [Pair(distance, places[one], places[two]) for distance, one, two in meant]


def burst(edges: int, spacing_ns: int, seed: int) -> list[Step]:
    """Edges on all lines, one after the other."""
    rng = random.Random(seed)
    levels = [1] * LINES
    steps = []
    for number in range(edges):
        line = rng.randrange(LINES)
        levels[line] = 1 - levels[line]
        steps.append(Step(20 * MS + number * spacing_ns, line, levels[line]))
    last = steps[-1].at_ns
    up = [line for line in range(LINES) if not levels[line]]
    return [*steps, *(Step(last + (n + 1) * spacing_ns, line, 1) for n, line in enumerate(up))]


# --- measuring --------------------------------------------------------------------------------------------


@contextmanager
def load(processes: int) -> Iterator[None]:
    """Processes that do nothing but compute."""
    compute = ["/bin/busybox", "sh", "-c", "while :; do :; done"]
    busy = [subprocess.Popen(compute) for _ in range(processes)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def stop_me(after_s: float, for_s: float) -> None:
    """Stop this whole process for a while, from outside."""
    code = f"sleep {after_s}; kill -STOP {os.getpid()}; sleep {for_s}; kill -CONT {os.getpid()}"
    subprocess.Popen(["/bin/busybox", "sh", "-c", code])


def run(
    way: Any, pulls: list[str], steps: list[Step], before: Callable[[], None] | None = None
) -> list[Truth]:
    """Let the finger work a script off while ``way`` reads; what truly happened."""
    with tempfile.TemporaryFile("w+") as script, tempfile.TemporaryFile("w+") as log:
        script.write("".join(f"{step.at_ns} {step.line} {step.level}\n" for step in steps))
        script.flush()
        script.seek(0)
        time.sleep(0.05)
        finger = subprocess.Popen(["/presser", *pulls], stdin=script, stdout=log)
        if before:
            before()
        while finger.poll() is None:
            way.read()
        end = time.monotonic() + SETTLED_S
        while time.monotonic() < end:
            way.read()
        assert finger.returncode == 0, "the finger failed"
        log.seek(0)
        return [Truth(*map(int, row.split())) for row in log]


def judge_pairs(way: Any, truths: list[Truth], meant: list[Pair]) -> dict[str, Any]:
    """Order errors, lost presses and wrong tie rulings by distance; the stamps' errors."""
    told: list[list[Press]] = [sorted(p for p in way.presses if p.line == line) for line in range(LINES)]
    rows: dict[int, dict[str, Any]] = {
        d: {"pairs": 0, "lost": 0, "wrong_order": 0, "wrong_ruling": 0, "true_us": []} for d in DISTANCES_NS
    }
    late: list[int] = []
    for pair in meant:
        row = rows[pair.distance_ns]
        row["pairs"] += 1
        one, two = truths[pair.first], truths[pair.second]
        row["true_us"].append((two.before_ns - one.before_ns) / 1000)
        found = [
            next((p for p in told[t.line] if t.before_ns <= p.t_ns < t.before_ns + TOLD_NS), None)
            for t in (one, two)
        ]
        first, second = found
        if first is None or second is None:
            row["lost"] += found.count(None)
            continue
        late += [first.t_ns - one.before_ns, second.t_ns - two.before_ns]
        row["wrong_order"] += not first.t_ns < second.t_ns
        tied = truly_tied(one, two)
        if tied is not None:
            row["wrong_ruling"] += (abs(second.t_ns - first.t_ns) < TIE_NS) != tied
    for row in rows.values():
        row["worst_true_us"] = round(max(row["true_us"]), 1)
        row["true_us"] = round(sorted(row["true_us"])[len(row["true_us"]) // 2], 1)
    late.sort()
    marks = {"median_us": 0.5, "p99_us": 0.99, "worst_us": 1.0}
    spread = {
        key: late[min(len(late) - 1, int(len(late) * part))] / 1000 if late else None
        for key, part in marks.items()
    }
    extra = len(way.presses) - 2 * len(meant) + sum(row["lost"] for row in rows.values())
    return {"by_distance": list(rows.items()), "stamp_error": spread, "extra_presses": extra}


def truly_tied(one: Truth, two: Truth) -> bool | None:
    """Whether two presses are a tie; None where the true distance may lie on either side of the window."""
    least, most = two.before_ns - one.after_ns, two.after_ns - one.before_ns
    return least < TIE_NS if (least < TIE_NS) == (most < TIE_NS) else None


# --- rulings ----------------------------------------------------------------------------------------------


def rulings(edges: list[Any], truths: list[Truth], meant: list[Pair], rng: random.Random | None) -> list[str]:
    """What our gestures and our referee rule when each pair of presses are two players' bids.

    ``rng``: the edges are handed over up to 50 ms late, in another order.
    """
    from table.buttons.calls_of_all_seats import Gestures
    from table.config.settings import ButtonsConfig, SeatConfig
    from table.games.registry import make_game
    from table.observed_facts import END_NS, Call, Gesture
    from table.referee.model.search_context import RefereeTimes
    from table.referee.referee import Referee

    names = [str(line) for line in range(LINES)]
    found = []
    for pair in meant:
        start = truths[pair.first].before_ns
        playing = [truths[number].line for number in (pair.first, pair.second)]
        players = tuple(names[line] for line in sorted(playing)) + ("dealer",)
        own = [
            edge
            for edge in edges
            if edge.seat in players and start <= edge.t_ns < start + pair.distance_ns + TOLD_NS
        ]
        late = 50 * MS if rng else 0
        own.sort(key=lambda edge: edge.t_ns + (rng.randrange(late) if rng else 0))
        seats = tuple(SeatConfig(name, 120.0 * number, bid=number) for number, name in enumerate(players))
        options = {"hands": [2], "first_dealer": "dealer"}
        angles = {seat.name: seat.angle for seat in seats}
        referee = Referee(
            make_game("whysteria", players, options), angles, None, RefereeTimes(bid_tie_ns=TIE_NS)
        )
        referee.start(start - MS)
        gestures = Gestures(seats, ButtonsConfig())
        now = start
        referee.take([Call(start - MS, start - MS, "dealer", Gesture.RAP)], 0, now)
        for edge in own:
            now = max(now, edge.t_ns)
            heard = gestures.process_edges([edge], now - late)
            referee.take(heard.calls, heard.until_ns, now)
        heard = gestures.process_edges([], END_NS)
        referee.take(heard.calls, END_NS, now)
        lines = [
            line for line in referee.journal.lines if line["event"] in ("bid", "bids_tied", "bid_refused")
        ]
        found.append(" ".join(f"{line['event']} {line.get('seat') or line.get('seats')}" for line in lines))
    return found


def expected_rulings(truths: list[Truth], meant: list[Pair]) -> list[str | None]:
    """The same by the true times; None where they leave it open."""
    found: list[str | None] = []
    for pair in meant:
        one, two = truths[pair.first], truths[pair.second]
        tied = truly_tied(one, two)
        text = f"bids_tied {[str(one.line), str(two.line)]}" if tied else f"bid {one.line} bid {two.line}"
        found.append(None if tied is None else text)
    return found


# --- all of it --------------------------------------------------------------------------------------------


def measure(make: type[Buttons] | type[Reader], what: str, chip: str, pulls: list[str], short: bool) -> Any:
    """One measurement of one way."""
    if what in ("quiet", "load"):
        busy = 4 if what == "load" else 0
        quiet, loaded = SHORT_PAIRS if short else PAIRS.get(make, OTHER_PAIRS)
        each_order = loaded if busy else quiet
        steps, meant = pairs(each_order, seed=1)
        way = make(chip)
        with load(busy):
            truths = run(way, pulls, steps)
        way.close()
        return judge_pairs(way, truths, meant)
    if what == "rulings":
        steps, meant = pairs(1 if short else 3, seed=3)
        found: dict[str, list[Any]] = {}
        for name, busy in (("quiet", 0), ("load", 4)):
            way = make(chip)
            assert isinstance(way, Reader)
            with load(busy):
                truths = run(way, pulls, steps)
            way.close()
            edges = way.raw
            found[name] = rulings(edges, truths, meant, None)
            found[f"{name}, delivered late and out of order"] = rulings(
                edges, truths, meant, random.Random(5)
            )
            found[f"{name}, by the true times"] = expected_rulings(truths, meant)
        first = found["quiet"]
        return {
            "pairs": len(meant),
            "tied": sum(one.startswith("bids_tied") for one in first),
            "differ": {
                name: sum(a != b for a, b in zip(first, other, strict=True) if b is not None)
                for name, other in found.items()
            },
        }
    way = Buttons(chip, None) if make is Buttons else make(chip)
    stop = (lambda: stop_me(0.2, 0.1)) if what == "stopped" else None
    truths = run(way, pulls, burst(1000 if short else 5000, 250 * US, seed=2), stop)
    dropped, merged = way.dropped, way.reader.request.merged if isinstance(way, Ours) else None
    way.close()
    span = (truths[-1].after_ns - truths[0].before_ns) / 1e9
    return {
        "sent": len(truths),
        "came": way.edges,
        "said_lost": dropped,
        "merged": merged,
        "per_s": round(len(truths) / span),
    }


def apart(task: Callable[[], Any], target: Path) -> Any:
    """Run a measurement in a process of its own: lgpio opens a chip once in a process."""
    child = os.fork()
    if child == 0:
        threading.excepthook = lambda args: print(f"thread died: {args.exc_value!r}", flush=True)
        code = 1
        try:
            target.write_text(json.dumps(task()))
            code = 0
        except BaseException:
            traceback.print_exc()
        os._exit(code)  # lgpio's thread need not end
    _, status = os.waitpid(child, 0)
    assert status == 0, "a measurement failed"
    return json.loads(target.read_text())


def main() -> None:
    """Make each measurement, and print them."""
    import gpiozero  # noqa: F401  (once, before the processes part)

    import table.buttons.gpio_edges
    import table.buttons.gpiozero_pin_factory  # noqa: F401

    words = Path("/proc/cmdline").read_text().split()
    short = "short" in words
    chip, pulls = make_chip()
    result: dict[str, Any] = {"lines": LINES, "kernel": os.uname().release, "ways": {}}
    for make in WAYS:
        is_ours = make in (Ours, OurPins)
        if ("ours" in words and not is_ours) or ("others" in words and is_ours):
            continue
        found: dict[str, Any] = {}
        result["ways"][make.name] = found
        for what in ("quiet", "load", "burst", "stopped", "rulings"):
            if (what == "load" and short and not is_ours) or (what == "rulings" and make is not Ours):
                continue
            task = partial(measure, make, what, chip, pulls, short)
            found[what] = apart(task, Path("/tmp/found.json"))
            print(f"[bench {time.monotonic():.1f} s] {make.name}: {what} done", flush=True)
            print(json.dumps(result), flush=True)  # all so far, should the machine be stopped
    print("=== bench end ===", flush=True)


if __name__ == "__main__":
    main()
