"""What runs inside the bench's virtual machine: presses the simulated chip's lines and reads them in four ways.

Prints one JSON object between two marker lines on the console.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

MS = 1_000_000
US = 1_000
LINES = 8
DEBOUNCE_MS = 5
TIE_NS = 30 * MS
DISTANCES_NS = (1 * US, 10 * US, 100 * US, 1 * MS, 5 * MS, 10 * MS, 29_900 * US, 30_100 * US, 40 * MS)
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
        from table.buttons.debounce import Line

        self.reader = self.open(chip)
        self.presses: list[Press] = []
        self.edges = 0
        self._lines = [Line(DEBOUNCE_MS * MS) for _ in range(LINES)]

    def open(self, chip: str) -> Any:
        """The reader of raw edges."""
        raise AssertionError

    @property
    def dropped(self) -> int | None:
        """How many edges it says are lost; None where it can't say."""
        return getattr(self.reader, "dropped", None)

    def read(self) -> None:
        """Take what has come."""
        read = self.reader.read(0.01)
        for edge in read.edges:
            self.edges += 1
            self._take(int(edge.seat), edge.t_ns, edge.level)
        for line in range(LINES):
            self._keep(line, self._lines[line].settle(read.until_ns))

    def _take(self, line: int, t_ns: int, level: int) -> None:
        self._keep(line, self._lines[line].edge(t_ns, level))

    def _keep(self, line: int, changes: list[Any]) -> None:
        self.presses += (Press(change.t_ns, line) for change in changes if change.pressed)

    def close(self) -> None:
        """Settle what is left and give the lines back."""
        for line in range(LINES):
            self._keep(line, self._lines[line].settle(2**62))
        self.reader.close()


def seats() -> list[Any]:
    """The lines as one-button seats."""
    from table.config import SeatConfig

    return [SeatConfig(str(line), 0.0, bid=line + 2) for line in range(LINES)]


class Ticks(Reader):
    """gpiozero's pins with their ticks: our fall-back."""

    name = "gpiozero, pins' ticks"

    def open(self, chip: str) -> Any:
        """The pins of gpiozero's default factory."""
        from table.buttons.gpio import PinButtons

        return PinButtons(seats(), lgpio_factory(chip))


class Ours(Reader):
    """The kernel's own queue."""

    name = "ours, one request"

    def open(self, chip: str) -> Any:
        """All lines in one request."""
        from table.buttons.gpio import KernelButtons

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

        from table.buttons.gpio import PinButtons
        from table.buttons.pinfactory import GpiodFactory

        local.get_pi_revision = lambda: PI_4
        self.factory = GpiodFactory(chip)
        return PinButtons(seats(), self.factory)

    @property
    def dropped(self) -> int | None:
        """How many edges the factory's request says are lost."""
        return self.factory.dropped


WAYS: tuple[type[Buttons] | type[Reader], ...] = (Buttons, Ticks, Ours, OurPins)


# --- scripts ----------------------------------------------------------------------------------------------


def train(rng: random.Random, at_ns: int, line: int, level: int) -> Iterator[Step]:
    """A change with contact bounce: after the first edge up to six more within 4 ms, ending where it began."""
    yield Step(at_ns, line, level)
    stamps = sorted(rng.randrange(60 * US, 4 * MS) for _ in range(2 * rng.randrange(4)))
    for number, after in enumerate(stamps):
        yield Step(at_ns + after, line, level if number % 2 else 1 - level)


def pairs(count: int, seed: int) -> tuple[list[Step], list[tuple[int, int, int]]]:
    """Pairs of bouncing presses at each distance, in both orders; and what each pair is: distance, first, second."""
    rng = random.Random(seed)
    steps: list[Step] = []
    meant: list[tuple[int, int, int]] = []
    at = 20 * MS
    for distance in DISTANCES_NS:
        for number in range(count):
            first, second = rng.sample(range(LINES), 2) if number % 2 else sorted(rng.sample(range(LINES), 2))
            meant.append((distance, first, second))
            for line, start in ((first, at), (second, at + distance)):
                steps += train(rng, start, line, 0)
                steps += train(rng, start + 24 * MS, line, 1)
            at += 50 * MS + distance
    return sorted(steps), meant


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
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def stop_me(after_s: float, for_s: float) -> None:
    """Stop this whole process for a while, from outside."""
    pid = os.getpid()
    code = f"import os,time;time.sleep({after_s});os.kill({pid},{int(signal.SIGSTOP)});"
    code += f"time.sleep({for_s});os.kill({pid},{int(signal.SIGCONT)})"
    subprocess.Popen([sys.executable, "-S", "-c", code])


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


def judge_pairs(way: Any, truths: list[Truth], meant: list[tuple[int, int, int]]) -> dict[str, Any]:
    """Order errors, lost presses and wrong tie rulings by distance; the stamps' errors."""
    firsts: list[Truth] = []
    pressed_until = [0] * LINES
    for truth in truths:  # a press's first edge: nothing was pressed on the line for a while
        if truth.level == 0 and truth.before_ns > pressed_until[truth.line]:
            firsts.append(truth)
        pressed_until[truth.line] = truth.before_ns + 12 * MS
    firsts.sort(key=lambda truth: truth.before_ns)
    assert len(firsts) == 2 * len(meant), f"{len(firsts)} presses for {len(meant)} pairs"
    told: list[list[Press]] = [sorted(p for p in way.presses if p.line == line) for line in range(LINES)]
    rows: dict[int, dict[str, Any]] = {
        d: {"pairs": 0, "lost": 0, "wrong_order": 0, "wrong_ruling": 0, "true_us": []} for d in DISTANCES_NS
    }
    late: list[int] = []
    for number, (distance, _, _) in enumerate(meant):
        row = rows[distance]
        row["pairs"] += 1
        one, two = firsts[2 * number : 2 * number + 2]
        row["true_us"].append((two.before_ns - one.before_ns) / 1000)
        found = [
            next((p for p in told[t.line] if t.before_ns <= p.t_ns < t.before_ns + 22 * MS), None)
            for t in (one, two)
        ]
        first, second = found
        if first is None or second is None:
            row["lost"] += found.count(None)
            continue
        late += [first.t_ns - one.before_ns, second.t_ns - two.before_ns]
        row["wrong_order"] += not first.t_ns < second.t_ns
        # Whether it is a tie is certain unless the true distance may lie on either side of the window.
        least, most = two.before_ns - one.after_ns, two.after_ns - one.before_ns
        if (least < TIE_NS) == (most < TIE_NS):
            row["wrong_ruling"] += (abs(second.t_ns - first.t_ns) < TIE_NS) != (least < TIE_NS)
    for row in rows.values():
        row["true_us"] = round(sorted(row["true_us"])[len(row["true_us"]) // 2], 1)
    late.sort()
    marks = {"median_us": 0.5, "p99_us": 0.99, "worst_us": 1.0}
    spread = {
        key: late[min(len(late) - 1, int(len(late) * part))] / 1000 if late else None
        for key, part in marks.items()
    }
    extra = len(way.presses) - 2 * len(meant) + sum(row["lost"] for row in rows.values())
    return {"by_distance": list(rows.items()), "stamp_error": spread, "extra_presses": extra}


def measure(make: type[Buttons] | type[Reader], what: str, chip: str, pulls: list[str], short: bool) -> Any:
    """One measurement of one way."""
    count, edges = (4, 1000) if short else (12, 5000)
    if what in ("quiet", "load"):
        busy = 4 if what == "load" else 0
        steps, meant = pairs(max(2, count // 2) if busy else count, seed=1)
        way = make(chip)
        with load(busy):
            truths = run(way, pulls, steps)
        way.close()
        return judge_pairs(way, truths, meant)
    way = Buttons(chip, None) if make is Buttons else make(chip)
    stop = (lambda: stop_me(0.2, 0.1)) if what == "stopped" else None
    truths = run(way, pulls, burst(edges, 250 * US, seed=2), stop)
    dropped, merged = way.dropped, getattr(getattr(way, "reader", None), "merged", None)
    way.close()
    span = (truths[-1].after_ns - truths[0].before_ns) / 1e9
    return {
        "sent": len(truths),
        "came": way.edges,
        "said_lost": dropped,
        "merged": merged,
        "per_s": round(len(truths) / span),
    }


def main() -> None:
    """Make each measurement in a process of its own (lgpio opens a chip once in a process), and print them."""
    if len(sys.argv) > 1:
        threading.excepthook = lambda args: print(f"thread died: {args.exc_value!r}", flush=True)
        way, what, length, target, chip, *pulls = sys.argv[1:]
        Path(target).write_text(json.dumps(measure(WAYS[int(way)], what, chip, pulls, length == "short")))
        os._exit(0)  # lgpio's thread need not end
    words = Path("/proc/cmdline").read_text().split()
    length = "short" if "short" in words else "long"
    chip, pulls = make_chip()
    result: dict[str, Any] = {"lines": LINES, "kernel": os.uname().release, "ways": {}}
    for number, make in enumerate(WAYS):
        if "ours" in words and make not in (Ours, OurPins):
            continue
        found: dict[str, Any] = {}
        result["ways"][make.name] = found
        for what in ("quiet", "load", "burst", "stopped"):
            if length == "short" and what == "load" and make not in (Ours, OurPins):
                continue
            output = Path(f"/tmp/{number}{what}.json")
            what_to_do = [str(number), what, length, str(output), chip, *pulls]
            subprocess.run([sys.executable, "-S", "/guest.py", *what_to_do], check=True)
            found[what] = json.loads(output.read_text())
            print(f"[bench {time.monotonic():.1f} s] {make.name}: {what} done", flush=True)
    print("\n=== bench result ===", flush=True)
    print(json.dumps(result), flush=True)
    print("=== bench end ===", flush=True)


if __name__ == "__main__":
    main()
