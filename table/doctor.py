"""What a table needs, checked one by one; each fault says what to do about it."""

from __future__ import annotations

import itertools
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from table.busy import check_free
from table.buttons.gpio import KernelButtons, PinButtons, open_buttons, places_of
from table.buttons.lamps import gpio_leds
from table.config import TableConfig, load_config
from table.display.screen import has_display
from table.errors import TableError
from table.facts import Frame
from table.findings import Finding
from table.pipeline import game_of
from table.reader.bench import look_cost
from table.reader.detector import Detector
from table.reader.enrolled import load_pack
from table.setup.mat import RULER_MM
from table.setup.moved import MOVED_MM, Lookout
from table.setup.pictures import judge_pictures
from table.setup.view import fault, measure, told
from table.sources.camera import Camera

ROOM_BYTES = 200 * 1024 * 1024
"""Journals are small; below this much free room the system itself is in trouble."""
SLOW_LOOK_MS = 400.0
"""A look that takes longer than this keeps players waiting after each card."""
LISTEN_S = 0.1
"""How long one reading of the buttons waits."""
PICTURES = 45
"""So many of the camera's pictures are looked at ..."""
LEAST_PICTURES = 6
"""... and of fewer nothing is said."""
SLOW_CAMERA = 0.8
"""In bad light a camera that may choose gives fewer pictures than asked for."""
FIRST_YEAR = 2026
"""A clock before this was never set; only dates suffer, never rulings."""


def examine(config_path: Path) -> Iterator[Finding]:
    """Check everything in turn; a fault in one part keeps no other from being checked."""
    config: TableConfig | None = None
    try:
        config = load_config(config_path)
        game = game_of(config)
        yield Finding("set-up", True, f"{game.title} for {', '.join(config.names)}")
    except TableError as error:
        yield Finding("set-up", False, f"{error}; cardtable init writes one")
    yield _check("model", _model)
    if config is not None:
        found = config
        yield _check("pack", lambda: _pack(found))
        frames: list[Frame] = []
        yield _check("camera", lambda: _camera(found, frames))
        if len(frames) >= LEAST_PICTURES:
            yield from judge_pictures(frames, found.camera.mat_ruler / RULER_MM)
        yield _check("mark", lambda: _mark(found))
        yield _check("buttons", lambda: _buttons(found))
        yield _check("lamps", lambda: _lamps(found))
    yield _check("screen", _screen)
    yield _check("disk", _disk)
    yield _check("clock", _clock)


def _check(part: str, check: Callable[[], str]) -> Finding:
    try:
        return Finding(part, True, check())
    except TableError as error:
        return Finding(part, False, str(error))


def _model() -> str:
    detector = Detector()
    if detector.read(np.full((512, 512, 3), 60, np.uint8)):
        raise TableError("the detector sees cards where there are none: install the package again")
    look = look_cost(detector, rounds=5).look_ms
    if look > SLOW_LOOK_MS:
        raise TableError(
            f"a look takes {look:.0f} ms (expected {SLOW_LOOK_MS:.0f} at most): see what else runs"
        )
    return f"a look at the mark takes {look:.0f} ms"


def _pack(config: TableConfig) -> str:
    if config.camera.pack is None:
        return "none is enrolled (cardtable enrol): cards are read as of any pack"
    return f"{len(load_pack(config.camera.pack).cards)} cards are enrolled"


def _camera(config: TableConfig, frames: list[Frame]) -> str:
    """What there is to say of the camera; the pictures it gave are put into ``frames``."""
    check_free()
    with Camera(config.camera) as camera:
        frames += itertools.islice(camera, PICTURES)
        accuracy, held = camera.accuracy, camera.held
    stamps = [frame.t_ns for frame in frames]
    source, wanted = config.camera.source, config.camera.fps
    if len(stamps) < 2:
        raise TableError(f"camera.source {source!r} gives no pictures: expected {wanted:g} a second")
    fps = (len(stamps) - 1) * 1e9 / (stamps[-1] - stamps[0])
    if fps < SLOW_CAMERA * wanted:
        raise TableError(
            f"{source!r} gives {fps:.0f} pictures a second (expected {wanted:g}): more light, or another camera.fps"
        )
    lookout = Lookout.of(config.camera)
    off = lookout.off_mm(frames[-1].image) if lookout is not None else None
    if off is not None and off > MOVED_MM:
        raise TableError(
            f"the camera, or the mat, has moved by {off:.0f} mm since it was calibrated: calibrate again "
            "(cardtable calibrate)"
        )
    width, height = config.camera.size
    return f"{source!r} gives {fps:.0f} pictures of {width} x {height} a second, {accuracy}; {held}"


def _mark(config: TableConfig) -> str:
    if config.camera.homography is None:
        raise TableError(
            "camera.homography is missing in table.toml: print the mat (cardtable calibrate --mat FILE.pdf), lay it "
            "on the table and calibrate (cardtable calibrate)"
        )
    view = measure(config.camera.homography, config.camera.size)
    wrong = fault(view)
    if wrong is not None:
        raise TableError(wrong)
    return told(view)


def _buttons(config: TableConfig) -> str:
    check_free()
    reader = open_buttons(config.seats)
    down = reader.down() if isinstance(reader, (KernelButtons, PinButtons)) else ()
    reader.close()
    if down:
        which = ", ".join(f"{seat}'s {control}" for seat, control in down)
        raise TableError(f"{which}: down; let go of it, or look for a short in its cable")
    alone = [seat.name for seat in config.seats if seat.one_button]
    one = f"; one button (no rap in table.toml): {', '.join(alone)}" if alone else ""
    return f"{reader.accuracy}{one}"


def try_buttons(config: TableConfig, seconds: float) -> Iterator[Finding]:
    """Listen while somebody presses every button once: each as it is heard, then those that were not.

    No check can tell a dead button from one that nobody presses, so this one needs a finger. It ends when all have
    been heard, or after ``seconds``.
    """
    check_free()
    reader = open_buttons(config.seats)
    waiting = {place: line for line, place in places_of(config.seats).items()}
    ends = time.monotonic() + seconds
    try:
        while waiting and time.monotonic() < ends:
            for edge in reader.read(LISTEN_S).edges:
                line = waiting.pop((edge.seat, edge.control), None)
                if line is not None:
                    yield Finding(edge.seat, True, f"{edge.control} heard (GPIO {line})")
    finally:
        reader.close()
    for (seat, control), line in waiting.items():
        instead = " (or leave rap out of table.toml: bid then does everything)" if control == "rap" else ""
        text = f"{control} not heard (GPIO {line}): look at its cable and at its line in table.toml{instead}"
        yield Finding(seat, False, text)


def _lamps(config: TableConfig) -> str:
    wanted = [seat.name for seat in config.seats if seat.led is not None]
    if not wanted:
        return "none in table.toml"
    check_free()
    try:
        leds = gpio_leds(config.seats)
    except TableError:
        raise
    except Exception as error:  # whatever gpiozero raises where there are no such pins
        raise TableError(f"lamps can't be lit ({error}): check the led lines in table.toml") from None
    for led in leds.values():
        led.close()
    return f"lamps of {', '.join(wanted)}"


def _screen() -> str:
    if not has_display():
        raise TableError("no X, Wayland or KMS display: connect a screen, or log in to a desktop")
    return "there is a display"


def _disk() -> str:
    free = shutil.disk_usage(Path.cwd()).free
    if free < ROOM_BYTES:
        raise TableError(f"{free // 2**20} MiB are free (expected {ROOM_BYTES // 2**20}): make room")
    return f"{free / 2**30:.1f} GiB are free"


def _clock() -> str:
    tick_ns = time.get_clock_info("monotonic").resolution * 1e9
    if tick_ns > 1000:
        raise TableError(f"the monotonic clock ticks every {tick_ns:.0f} ns (expected 1000 at most)")
    if time.gmtime().tm_year < FIRST_YEAR:
        raise TableError("the date is not set: connect to a network once, or set it (sudo date -s ...)")
    return f"monotonic, a tick every {tick_ns:.0f} ns"
