"""A game on the machine: a recorded game is its camera, its players press simulated buttons in time with the film."""

from __future__ import annotations

import subprocess
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import cv2
import tomlkit

from hardware.bench import host
from table.events.event_registry import COMPARED_EVENTS
from table.history.truth_comparison import compare
from table.observed_facts import Frame
from table.phrase import WrongValueError
from table.referee.records.checksummed_journal_rows import unseal_row
from table.referee.records.journal import JournalLine, read_lines
from table.simulation.recording_writer import render_toml
from table.sources.recordings.recording import Recording, open_recording
from tests.machine.image import PROJECT, get_file, list_folder, make_file_system, put_file
from tests.machine.qemu import Machine

GAMES: Final = "/var/lib/cardtable/games"
SET_UP: Final = "/etc/cardtable/table.toml"
FILM: Final = "/etc/cardtable/video.mp4"
CAMERA: Final = "/srv/camera"
"""Where the disk with the film is mounted: after a cut nothing but the machine itself may touch the other one."""
FSTAB: Final = f"/dev/vda / ext4 {{options}} 0 1\n/dev/vdb {CAMERA} ext4 ro 0 0\n"
CAMERA_DISK_MIB: Final = 32
SIZE, FPS = "640x480", 10
"""The smallest film of which each card is read: an emulated processor takes a second for a picture of it."""
READY_S: Final = 1800
"""How long an emulated processor may take from power to the first picture."""
LEAD_IN_NS: Final = 5_000_000_000
"""How long the film stands still first, at least: the table draws its first picture, and the bench sees that it is
ready."""
REACH_NS: Final = 1_000_000_000
"""A hand comes into the picture so long before its card rests."""
TIMES: Final = ("t_ns", "spread_ns")
SCORED_NS: Final = 1_200_000_000
"""So long after a hand's end everybody has seen the score, and nobody has begun to deal."""


def record_game(game: str, seed: int, folder: Path) -> Recording:
    """Record a game of simulated players, as ``cardtable virtual`` does, unless ``folder`` has it already."""
    if not folder.exists():
        command = [
            sys.executable,
            "-m",
            "table",
            "virtual",
            "--game",
            game,
            "--seed",
            str(seed),
            "--hands",
            "2",
        ]
        command += ["--size", SIZE, "--fps", str(FPS), "--plain", str(folder)]
        subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    return open_recording(folder)


class PlayedGame:
    """A recorded game as its players play it at the machine's table, power cuts included.

    What was decided before a cut stays; after it they go on with what the table does not have yet.
    """

    def __init__(self, recording: Recording, *, lead_in_ns: int = LEAD_IN_NS) -> None:
        """``lead_in_ns``: how long the film stands still first."""
        self.recording = recording
        self._lead_in_ns = lead_in_ns
        self.truth = [line for line in read_lines(recording.truth_path) if line["event"] in COMPARED_EVENTS]
        self._times_ns = recording.frame_times or ()
        self.from_ns = self._times_ns[0]
        """Where the film goes on, by the recording's clock."""
        self._film_started_ns = 0
        """When the film stops standing still, by the machine's clock."""

    def put(self, disk: Path, *, is_calibrated: bool = True, root_options: str = "defaults,noatime") -> None:
        """Write a set-up, whose camera is :meth:`make_camera`'s film, onto a disk that isn't running."""
        set_up: Any = tomlkit.parse(render_toml(self.recording.config))
        if not is_calibrated:
            del set_up["camera"]["homography"]
        put_file(disk, SET_UP, tomlkit.dumps(set_up).encode())
        put_file(disk, "/etc/fstab", FSTAB.format(options=root_options).encode())

    def make_camera(self, disk: Path) -> Path:
        """Make a disk with the film, from where the game stands, and return its path."""
        config = self.recording.config.camera
        with TemporaryDirectory() as folder:
            path = Path(folder) / Path(FILM).name
            film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), config.fps, config.size)
            for frame in self._film_frames():
                film.write(frame.image)
            film.release()
            disk.unlink(missing_ok=True)
            Path(folder).chmod(0o755)
            make_file_system(Path(folder), disk, CAMERA_DISK_MIB)
        return disk

    def _film_frames(self) -> Iterator[Frame]:
        first = max(0, bisect_right(self._times_ns, self.from_ns) - 1)
        for delivery in self.recording.deliveries():
            if delivery.frame is None or delivery.frame.index < first:
                continue
            still = delivery.frame.index == first
            yield from [delivery.frame] * (
                1 + still * round(self._lead_in_ns / 1e9 * self.recording.config.camera.fps)
            )

    @property
    def seconds_left(self) -> float:
        """How long the film goes on."""
        return (self._times_ns[-1] - self.from_ns) / 1e9

    def begin(self, machine: Machine) -> float:
        """Wait until the table is ready, and have the players press their buttons from then on.

        Returns the seconds from the machine's power to the table's readiness.
        """
        machine.ask({"opened": FILM}, READY_S)  # without being disturbed until then
        ready_s = wait_until_ready(machine)
        opened_ns = machine.ask({"opened": FILM}, READY_S)["times"][-1]
        self._film_started_ns = opened_ns + self._lead_in_ns
        lines = {
            (seat.name, control): line
            for seat in self.recording.config.seats
            for control, line in (("bid", seat.bid), ("rap", seat.rap))
        }
        edges = sorted((edge for _, edge in self.recording.edges), key=lambda edge: edge.t_ns)
        steps = [
            (self._machine_time(edge.t_ns), lines[edge.seat, edge.control], 1 - edge.level)
            for edge in edges
            if edge.t_ns > self.from_ns
        ]
        machine.ask({"pull": steps}, READY_S)
        return ready_s

    def play(self, machine: Machine, seconds: float) -> None:
        """Play until the film has run for so long; before 0 it stands still."""
        machine.ask({"wait_until": self._film_started_ns + round(seconds * 1e9)}, READY_S)

    def go_on_from(self, journal: Sequence[JournalLine]) -> bool:
        """Have the players go on where the table stands by its journal; return whether there is anything left."""
        known = self._count_known(journal)
        if known == len(self.truth):
            return False
        next_ns = self.truth[known]["t_ns"]
        before_ns = self.truth[known - 1]["t_ns"] if known else self._times_ns[0]
        dealt, scored = (
            sum(line["event"] == event for line in journal) for event in ("dealt", "hand_scored")
        )
        if dealt > scored:
            latest_ns = max(next_ns - REACH_NS, (before_ns + next_ns) // 2)
            presses = any(before_ns < edge.t_ns < next_ns for _, edge in self.recording.edges)
            self.from_ns = latest_ns if presses else self._find_stillest(before_ns, latest_ns)
        else:
            self.from_ns = before_ns + (SCORED_NS if known else 0)
        return True

    def _find_stillest(self, after_ns: int, before_ns: int) -> int:
        """Return the time of the frame between two moments that differs least from the one before it: no hand moves.

        What lies on the table as its power comes back lies there for some time.
        """
        frames = [delivery.frame for delivery in self.recording.deliveries() if delivery.frame is not None]
        changes = (
            (cv2.norm(frame.image, former.image, cv2.NORM_L1), frame.t_ns)
            for former, frame in pairwise(frames)
            if after_ns < former.t_ns and frame.t_ns < before_ns
        )
        return min(changes, default=(0.0, before_ns))[1]

    def _count_known(self, journal: Sequence[JournalLine]) -> int:
        """Return how many of the recording's events, from its first one, are in a journal."""
        return max(
            known
            for known in range(len(self.truth) + 1)
            if not any(row.startswith("-") for row in self._differences(self.truth[:known], journal))
        )

    def differences(self, journal: Sequence[JournalLine]) -> tuple[str, ...]:
        """Return what a journal lacks, has twice or has invented, a row each."""
        return self._differences(self.truth, journal)

    @staticmethod
    def _differences(truth: Sequence[JournalLine], journal: Sequence[JournalLine]) -> tuple[str, ...]:
        # The machine has a clock of its own: what happened is compared, not when.
        timeless = [{key: value for key, value in line.items() if key not in TIMES} for line in truth]
        return compare(timeless, journal).differences

    def _machine_time(self, t_ns: int) -> int:
        return self._film_started_ns + t_ns - self.from_ns


def is_ready(machine: Machine) -> bool:
    """Return whether the table has told systemd that it is ready."""
    return machine.run("systemctl", "is-active", "cardtable", ok=(0, 3)).strip() == "active"


def wait_until_ready(machine: Machine) -> float:
    """Wait until the table is ready; return the seconds since the machine was switched on, by its own clock."""
    machine.wait_for(lambda: is_ready(machine), "the table is not ready", READY_S)
    if restarts := read_property(machine, "NRestarts"):
        raise host.FailedError(f"the table was started {restarts} times again\n{read_log(machine)}")
    return read_property(machine, "ActiveEnterTimestampMonotonic") / 1e6


def read_property(machine: Machine, name: str) -> int:
    """Return a number that systemd keeps of the service."""
    return int(machine.run("systemctl", "show", "--property", name, "--value", "cardtable"))


def read_log(machine: Machine) -> str:
    """Return what the service has said since the machine's start."""
    return machine.run("journalctl", "--unit=cardtable", "--boot", "--output=cat", "--no-pager")


def read_running_journal(machine: Machine) -> list[JournalLine]:
    """Return the lines of the games on a running machine."""
    return _parse(machine.run("sh", "-c", f"cat {GAMES}/*.jsonl", ok=(0, 1)))


def read_journal(disk: Path) -> list[JournalLine]:
    """Return the lines of the games on a disk that isn't running; ``FailedError`` for a damaged line."""
    names = sorted(name for name in list_folder(disk, GAMES) if name.endswith(".jsonl"))
    return _parse("".join(get_file(disk, f"{GAMES}/{name}").decode() for name in names))


def _parse(text: str) -> list[JournalLine]:
    try:
        return [unseal_row(row.encode())[0] for row in text.splitlines()]
    except WrongValueError as wrong:
        raise host.FailedError(f"the journal has a damaged line: {wrong}") from None
