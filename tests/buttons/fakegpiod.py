"""As much of libgpiod's Python binding as is used, over lines that a test drives."""

from __future__ import annotations

import enum
import errno
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import SimpleNamespace, TracebackType
from typing import Any


class Type(enum.Enum):
    RISING_EDGE = 1
    FALLING_EDGE = 2


class Value(enum.Enum):
    INACTIVE = 0
    ACTIVE = 1

    def __bool__(self) -> bool:
        return self is Value.ACTIVE


def names(*members: str) -> Any:
    return enum.Enum("names", list(members))


line = SimpleNamespace(
    Direction=names("INPUT", "OUTPUT"),
    Edge=names("NONE", "RISING", "FALLING", "BOTH"),
    Bias=names("PULL_UP", "PULL_DOWN", "DISABLED"),
    Clock=names("MONOTONIC"),
    Value=Value,
)


@dataclass
class LineSettings:
    direction: Any = None
    edge_detection: Any = None
    bias: Any = None
    active_low: bool = False
    debounce_period: timedelta = timedelta()
    event_clock: Any = None


@dataclass
class Event:
    event_type: Type
    timestamp_ns: int
    line_offset: int
    global_seqno: int
    line_seqno: int


class Request:
    def __init__(self, board: Board, settings: Mapping[int, LineSettings], size: int | None) -> None:
        self.board = board
        self.settings = dict(settings)
        self.offsets = list(settings)
        self.size = size or 16 * len(settings)
        self.fd = 99
        self.queue: list[Event] = []
        self.came = threading.Condition()
        self.seqno = 0
        self.seqnos = dict.fromkeys(settings, 0)

    def edge(self, offset: int, t_ns: int, *, merged: int = 0) -> None:
        """The kernel stamps an edge; ``merged``: edges whose stamps it has overwritten with this one."""
        asked, level = self.settings[offset], self.logical(offset)
        wanted = {line.Edge.BOTH: (0, 1), line.Edge.RISING: (1,), line.Edge.FALLING: (0,)}
        if level not in wanted.get(asked.edge_detection, ()):
            return
        with self.came:
            self.seqno += 1 + merged
            self.seqnos[offset] += 1
            if len(self.queue) == self.size:
                del self.queue[0]
            kind = Type.RISING_EDGE if level else Type.FALLING_EDGE
            self.queue.append(Event(kind, t_ns, offset, self.seqno, self.seqnos[offset]))
            self.came.notify()

    def logical(self, offset: int) -> int:
        return self.board.volts[offset] ^ self.settings[offset].active_low

    def wait_edge_events(self, timeout: float | None) -> bool:
        with self.came:
            return self.came.wait_for(lambda: bool(self.queue), timeout)

    def read_edge_events(self, most: int) -> list[Event]:
        with self.came:
            taken, self.queue = self.queue[:most], self.queue[most:]
            return taken

    def get_values(self, offsets: list[int]) -> list[Any]:
        return [line.Value(self.logical(offset)) for offset in offsets]

    def get_value(self, offset: int) -> Any:
        return self.get_values([offset])[0]

    def set_value(self, offset: int, value: Any) -> None:
        assert self.settings[offset].direction is line.Direction.OUTPUT
        self.board.volts[offset] = value.value

    def release(self) -> None:
        self.board.requests.remove(self)


class Board:
    """The module itself, with one chip."""

    EdgeEvent = SimpleNamespace(Type=Type)
    LineSettings = LineSettings
    line = line

    def __init__(self, labels: Mapping[str, str] | None = None) -> None:
        self.labels = dict(labels or {"/dev/gpiochip0": "pinctrl-rp1"})
        self.volts = dict.fromkeys(range(54), 1)
        self.requests: list[Request] = []
        self.asked: list[set[int]] = []

    def request_lines(
        self,
        path: str,
        *,
        consumer: str,
        config: Mapping[tuple[int, ...], Any],
        event_buffer_size: int | None = None,
    ) -> Request:
        settings = {offset: given for offsets, given in config.items() for offset in offsets}
        assert path in self.labels
        assert consumer
        if any(set(settings) & set(request.offsets) for request in self.requests):
            raise OSError(errno.EBUSY, "Device or resource busy")
        request = Request(self, settings, event_buffer_size)
        self.requests.append(request)
        self.asked.append(set(settings))
        return request

    def Chip(self, path: str) -> Chip:  # noqa: N802
        if self.labels[path] == "forbidden":
            raise PermissionError(errno.EACCES, "Permission denied")
        return Chip(self.labels[path])

    # --- the test's side ---

    def drive(self, offset: int, volts: int, t_ns: int | None = None, *, merged: int = 0) -> None:
        """Bring a line up or down and have the edge stamped (now, unless told otherwise)."""
        self.volts[offset] = volts
        for request in self.requests:
            if offset in request.offsets:
                request.edge(offset, time.monotonic_ns() if t_ns is None else t_ns, merged=merged)


class Chip:
    def __init__(self, label: str) -> None:
        self.label = label

    def __enter__(self) -> Chip:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def get_info(self) -> SimpleNamespace:
        return SimpleNamespace(label=self.label)
