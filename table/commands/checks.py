"""What a table needs, checked one by one; each fault says what to do about it."""

from __future__ import annotations

import itertools
import math
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np

from table.buttons.bounce import Bounce, BounceMeter
from table.buttons.gpio import KernelButtons, PinButtons, Read, open_buttons, places_of
from table.buttons.lamps import gpio_leds
from table.config import CameraConfig, TableConfig, kind_of
from table.display.screen import has_display
from table.errors import TableError
from table.facts import MS, Control, Frame
from table.files.reading import exists
from table.files.secrets import PRIVATE_MODE, has_secret
from table.host.busy import check_free
from table.host.clock import FIRST_YEAR, date_is_sure
from table.host.mounts import existing, file_system, is_volatile
from table.journals.archive import games_folder, lock_path
from table.phrase import Phrase, say
from table.pipeline import game_of
from table.reader.detector import Detector
from table.reader.enrolled import load_pack
from table.setup.findings import Finding
from table.setup.mat import RULER_MM
from table.setup.moved import MOVED_MM, Lookout
from table.setup.pictures import judge_pictures
from table.setup.pins import load_table
from table.setup.view import fault, measure, sentence
from table.sources.camera import LEAST_FPS, Camera
from table.sources.plugged import stable_name
from table.speed.look import look_cost

ROOM_BYTES = 200 * 1024 * 1024
"""Journals are small; below this much free room the system itself is in trouble."""
SLOW_LOOK_MS = 400.0
"""A look that takes longer than this keeps players waiting after each card."""
LISTEN_S = 0.1
"""How long one reading of the buttons waits."""
MEASURE_S = 1.0
"""Once every button has been heard, those are waited for so long whose bounce has not been measured."""
PICTURES = 45
"""So many of the camera's pictures are looked at ..."""
LEAST_PICTURES = 6
"""... and of fewer nothing is said."""
SLOW_CAMERA = 0.8
"""In bad light a camera that may choose gives fewer pictures than asked for."""


def examine(config_path: Path) -> Iterator[Finding]:
    """Check everything in turn; a fault in one part keeps no other from being checked."""
    config: TableConfig | None = None
    try:
        config = load_table(config_path)
        if config.whole:
            game = game_of(config)
            yield Finding("set-up", True, say("doctor.set_up", game=game.name, seats=config.names))
        else:
            yield Finding("set-up", True, say("doctor.menu", seats=len(config.seats)))
        if has_secret(str(config.camera.source)) and config_path.stat().st_mode & ~PRIVATE_MODE & 0o777:
            yield Finding("set-up", False, say("doctor.not_private", path=str(config_path)))
    except TableError as error:
        yield Finding("set-up", False, say("doctor.no_set_up", error=error))
    yield _check("model", _model)
    if config is not None:
        found = config
        yield _check("pack", lambda: _pack(found))
        frames: list[Frame] = []
        yield _check("camera", lambda: _camera(found, frames))
        yield from _named_by_number(found.camera)
        if len(frames) >= LEAST_PICTURES:
            yield from judge_pictures(frames, found.camera.mat_ruler / RULER_MM)
        yield _check("mark", lambda: _mark(found))
        yield _check("buttons", lambda: _buttons(found))
        yield _check("lamps", lambda: _lamps(found))
    yield _check("screen", _screen)
    yield _check("disk", _disk)
    yield _check("clock", _clock)


def _check(part: str, check: Callable[[], Phrase]) -> Finding:
    try:
        return Finding(part, True, check())
    except TableError as error:
        return Finding(part, False, error.phrase)


def _model() -> Phrase:
    detector = Detector()
    if detector.read(np.full((512, 512, 3), 60, np.uint8)):
        raise TableError("doctor.odd_model")
    look = look_cost(detector, rounds=5).look_ms
    if look > SLOW_LOOK_MS:
        raise TableError("doctor.slow_look", ms=look, most=SLOW_LOOK_MS)
    return say("doctor.look", ms=look)


def _pack(config: TableConfig) -> Phrase:
    if config.camera.pack is None:
        return say("doctor.no_pack")
    return say("doctor.pack", n=len(load_pack(config.camera.pack).cards))


def _camera(config: TableConfig, frames: list[Frame]) -> Phrase:
    """What there is to say of the camera; the pictures it gave are put into ``frames``."""
    check_free()
    with Camera(config.camera) as camera:
        frames += itertools.islice(camera, PICTURES)
        accuracy, held = camera.accuracy, camera.held
    stamps = [frame.t_ns for frame in frames]
    source, wanted = config.camera.shown, config.camera.fps
    if len(stamps) < 2:
        raise TableError("doctor.no_pictures", source=repr(source), wanted=wanted)
    fps = (len(stamps) - 1) * 1e9 / (stamps[-1] - stamps[0])
    if fps < LEAST_FPS:
        raise TableError("doctor.few_pictures", source=repr(source), fps=fps, least=LEAST_FPS)
    if fps < SLOW_CAMERA * wanted:
        raise TableError("doctor.slow_camera", source=repr(source), fps=fps, wanted=wanted)
    lookout = Lookout.of(config.camera)
    off = lookout.off_mm(frames[-1].image) if lookout is not None else None
    if off is not None and off > MOVED_MM:
        raise TableError("doctor.moved", mm=off)
    width, height = config.camera.size
    return say(
        "doctor.camera",
        source=repr(source),
        fps=fps,
        width=width,
        height=height,
        accuracy=accuracy,
        held=held,
    )


def _named_by_number(camera: CameraConfig) -> Iterator[Finding]:
    """That a camera is named by its number, though it has a name that stays."""
    name = stable_name(camera.source) if kind_of(camera.source) == "v4l2" else None
    if name not in (None, camera.source):
        yield Finding("camera", True, say("doctor.stable_name", source=camera.source, name=name))


def _mark(config: TableConfig) -> Phrase:
    if config.camera.homography is None:
        raise TableError("doctor.not_calibrated")
    view = measure(config.camera.homography, config.camera.size)
    wrong = fault(view)
    if wrong is not None:
        raise TableError(wrong)
    return sentence(view)


def _buttons(config: TableConfig) -> Phrase:
    check_free()
    reader = open_buttons(config.seats)
    down = reader.down() if isinstance(reader, (KernelButtons, PinButtons)) else ()
    reader.close()
    if down:
        which = tuple(say("doctor.button", seat=seat, control=control) for seat, control in down)
        raise TableError("doctor.down", buttons=which)
    alone = [seat.name for seat in config.seats if seat.one_button]
    code = "doctor.one_button" if alone else "doctor.buttons"
    return say(code, accuracy=reader.accuracy, seats=tuple(alone))


def try_buttons(config: TableConfig, seconds: float) -> Iterator[Finding]:
    """Listen while somebody presses every button once: each as it is heard, how it bounces, then those not heard.

    No check can tell a dead button from one that nobody presses, so this one needs a finger. It ends when all have
    been heard and measured, or after ``seconds``. A knock sensor rings, which is not measured.
    """
    check_free()
    reader = open_buttons(config.seats)
    waiting = {place: line for line, place in places_of(config.seats).items()}
    knocks = {(seat.name, "rap") for seat in config.seats if seat.knock}
    meters = {place: BounceMeter() for place in waiting if place not in knocks}
    measured: dict[tuple[str, Control], Bounce] = {}
    ends = time.monotonic() + seconds
    heard_all: float | None = None
    try:
        while time.monotonic() < ends:
            read = reader.read(LISTEN_S)
            for edge in read.edges:
                place = (edge.seat, edge.control)
                line = waiting.pop(place, None)
                if line is not None:
                    yield Finding(edge.seat, True, say("doctor.heard", control=edge.control, line=line))
            yield from _bounces(read, meters, measured, config.buttons.release_ms)
            if not waiting:
                heard_all = heard_all or time.monotonic()
                waited = time.monotonic() - heard_all >= MEASURE_S
                if all(place in measured or (waited and meter.at_rest) for place, meter in meters.items()):
                    break
    finally:
        reader.close()
    for (seat, control), line in waiting.items():
        code = "doctor.rap_not_heard" if control == "rap" else "doctor.not_heard"
        yield Finding(seat, False, say(code, control=control, line=line))


def _bounces(
    read: Read,
    meters: Mapping[tuple[str, Control], BounceMeter],
    measured: dict[tuple[str, Control], Bounce],
    release_ms: float,
) -> Iterator[Finding]:
    """How long buttons bounce that have been pressed and let go: each once, and again where it bounces longer."""
    edges = [edge for edge in read.edges if (edge.seat, edge.control) in meters]
    found = [
        ((edge.seat, edge.control), meters[edge.seat, edge.control].edge(edge.t_ns, edge.level))
        for edge in edges
    ]
    found += [(place, meter.settle(read.until_ns)) for place, meter in meters.items()]
    for place, bounce in found:
        if bounce is None or (place in measured and bounce.longest_ns <= measured[place].longest_ns):
            continue
        measured[place] = bounce
        seat, control = place
        times = {"press_ns": bounce.press_ns, "release_ns": bounce.release_ns}
        if bounce.longest_ns < release_ms * MS:
            yield Finding(seat, True, say("doctor.bounces", control=control, **times))
        else:
            wanted = math.ceil(bounce.longest_ns / MS / 5 + 1) * 5
            said = say("doctor.bounces_long", control=control, limit=release_ms, wanted=wanted, **times)
            yield Finding(seat, False, said)


def _lamps(config: TableConfig) -> Phrase:
    wanted = [seat.name for seat in config.seats if seat.led is not None]
    if not wanted:
        return say("doctor.no_lamps")
    check_free()
    try:
        leds = gpio_leds(config.seats)
    except TableError:
        raise
    except Exception as error:  # whatever gpiozero raises where there are no such pins
        raise TableError("doctor.unlit", error=error) from None
    for led in leds.values():
        led.close()
    return say("doctor.lamps", seats=tuple(wanted))


def _screen() -> Phrase:
    if not has_display():
        raise TableError("doctor.no_display")
    return say("doctor.display")


def _disk() -> Phrase:
    """Whether games can be kept, and stay, where they are kept."""
    folder = games_folder()
    there = existing(folder)
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"x")
            os.fsync(file.fileno())
        free, kind = shutil.disk_usage(there).free, file_system(there)
    except OSError as error:
        raise TableError("doctor.not_written", at=folder, error=error) from None
    if free < ROOM_BYTES:
        raise TableError("doctor.full", at=folder, free=free // 2**20, least=ROOM_BYTES // 2**20)
    if is_volatile(kind):
        raise TableError("doctor.volatile", at=folder, kind=kind)
    lock = lock_path(folder)
    if exists(lock) and not os.access(lock, os.R_OK | os.W_OK):
        raise TableError("doctor.others_lock", at=lock)
    return say("doctor.room", free=free / 2**30, folder=str(folder), kind=kind)


def _clock() -> Phrase:
    tick_ns = time.get_clock_info("monotonic").resolution * 1e9
    if tick_ns > 1000:
        raise TableError("doctor.coarse_clock", tick=tick_ns)
    if time.gmtime().tm_year < FIRST_YEAR:
        raise TableError("doctor.no_date")
    return say("doctor.clock" if date_is_sure() else "doctor.clock_unsure", tick=tick_ns)
