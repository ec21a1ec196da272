"""``cardtable doctor``: checks everything that a table needs; each fault says what to do about it."""

from __future__ import annotations

import argparse
import itertools
import math
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ParamSpec

import numpy as np

from table.benchmark.detection_speed import measure_detection
from table.buttons.bounce_measurement import Bounce, BounceMeter
from table.buttons.gpio_edges import EdgeReading, map_gpio_lines, open_buttons
from table.buttons.lamps import gpio_leds
from table.calibration.camera_movement import MOVED_MM, MarkerWatch
from table.calibration.homography.check_findings import Finding
from table.calibration.homography.homography_checks import describe_view, find_view_fault, measure_view
from table.calibration.homography.mat_design import RULER_MM
from table.calibration.image_quality import check_image_quality
from table.commands.arguments import DEFAULT_CONFIG, add_command, add_config_option, number_type
from table.config.pin_plan import load_table, plan_chairs
from table.config.settings import CameraConfig, TableConfig, source_kind
from table.detection.detector import Detector
from table.detection.indices.enrolled_pack import load_pack
from table.display.window import has_display
from table.errors import TableError, convert_errors
from table.files.safe_reading import exists
from table.history.archive import games_folder, lock_path
from table.i18n.terminal_output import print_line, print_phrase
from table.observed_facts import MS, Control, Frame
from table.phrase import Phrase, make_phrase
from table.pipeline import game_from_config
from table.session.devices_in_use_check import require_free_devices
from table.session.first_set_up import find_camera, has_gpio_header
from table.sources.camera.live_camera import MIN_FPS, LiveCamera
from table.sources.camera.v4l2 import find_stable_name
from table.system.clock_reliability import FIRST_YEAR, is_date_reliable
from table.system.disks import file_system_kind, is_volatile, nearest_existing_folder
from table.url_secrets import PRIVATE_MODE, has_secret

P = ParamSpec("P")
MIN_FREE_BYTES = 200 * 1024 * 1024
"""The least free space: journals are small, so below this the system itself is in trouble."""
MAX_DETECTION_MS = 400.0
"""The longest acceptable detection pass; a longer one keeps players waiting after each card."""
READ_TIMEOUT_S = 0.1
MEASURE_S = 1.0
"""Once every button has been pressed, the time to wait for those whose bounce has not been measured."""
FRAME_COUNT = 45
MIN_FRAMES = 6
MIN_FPS_SHARE = 0.8
"""The least acceptable share of the frame rate: in bad light a camera that may choose gives fewer pictures than
asked for."""

LISTEN_S = 60.0


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "doctor", run)
    add_config_option(parser)
    seconds, usual = number_type(0.01, 3600), {"usual": LISTEN_S}
    parser.add_argument("--buttons", metavar="SECONDS", nargs="?", type=seconds, const=LISTEN_S, fields=usual)


def run(arguments: argparse.Namespace) -> int:
    """Run the health checks, or the test of the buttons; return 1 where there is a fault."""
    if arguments.buttons is None:
        return _print_findings(check_table(arguments.config))
    config = load_table(arguments.config)
    print_phrase("doctor.press", seconds=arguments.buttons)
    width = 2 + max(len(name) for name in config.names)
    return _print_findings(listen_for_buttons(config, arguments.buttons), width)


def _print_findings(findings: Iterable[Finding], width: int | None = None) -> int:
    faults = 0
    for finding in findings:
        faults += not finding.good
        print_line(finding.format_line(width))
    return 1 if faults else 0


# --- the checks ---------------------------------------------------------------------------------------------------


def check_table(config_path: Path) -> Iterator[Finding]:
    """Check everything in turn; a fault in one part does not keep the others from being checked."""
    config: TableConfig | None = None
    try:
        config = _load_or_guess(config_path)
        if config.path is None:
            source = config.camera.source
            yield Finding(
                "set-up", True, make_phrase("doctor.first_set_up", path=str(config_path), source=source)
            )
        elif config.is_complete:
            game = game_from_config(config)
            yield Finding("set-up", True, make_phrase("doctor.set_up", game=game.name, seats=config.names))
        else:
            yield Finding("set-up", True, make_phrase("doctor.menu", seats=len(config.seats)))
        if has_secret(str(config.camera.source)) and config_path.stat().st_mode & ~PRIVATE_MODE & 0o777:
            yield Finding("set-up", False, make_phrase("doctor.not_private", path=str(config_path)))
    except TableError as error:
        yield Finding("set-up", False, make_phrase("doctor.no_set_up", error=error))
    yield _check("model", _model)
    if config is not None:
        yield _check("pack", _pack, config)
        frames: list[Frame] = []
        yield _check("camera", _camera, config, frames)
        yield from _named_by_number(config.camera)
        if len(frames) >= MIN_FRAMES:
            yield from check_image_quality(frames, config.camera.mat_ruler / RULER_MM)
        yield _check("mark", _mark, config)
        if has_gpio_header():
            yield _check("buttons", _buttons, config)
            yield _check("lamps", _lamps, config)
        else:
            yield Finding("buttons", True, make_phrase("doctor.keys_instead"))
    yield _check("screen", _screen)
    yield _check("disk", _disk)
    yield _check("clock", _clock)


def _load_or_guess(path: Path) -> TableConfig:
    """Read the set-up; where there is none yet, return what ``play`` would begin with on this machine."""
    if path != DEFAULT_CONFIG or exists(path):
        return load_table(path)
    return TableConfig("", {}, plan_chairs(), CameraConfig(source=find_camera()))


def _check(part: str, check: Callable[P, Phrase], *given: P.args, **named: P.kwargs) -> Finding:
    try:
        return Finding(part, True, check(*given, **named))
    except TableError as error:
        return Finding(part, False, error.phrase)


def _model() -> Phrase:
    detector = Detector()
    if detector.read(np.full((512, 512, 3), 60, np.uint8)):
        raise TableError("doctor.odd_model")
    look = measure_detection(detector, rounds=5).detection_ms
    if look > MAX_DETECTION_MS:
        raise TableError("doctor.slow_look", ms=look, most=MAX_DETECTION_MS)
    return make_phrase("doctor.look", ms=look)


def _pack(config: TableConfig) -> Phrase:
    if config.camera.pack is None:
        return make_phrase("doctor.no_pack")
    return make_phrase("doctor.pack", n=len(load_pack(config.camera.pack).index_counts))


def _camera(config: TableConfig, frames: list[Frame]) -> Phrase:
    """Check the camera and describe it; its pictures are added to ``frames``."""
    require_free_devices()
    with LiveCamera(config.camera) as camera:
        frames += itertools.islice(camera, FRAME_COUNT)
        accuracy, held = camera.accuracy, camera.exposure_state
    stamps = [frame.t_ns for frame in frames]
    source, wanted_fps = config.camera.source_without_password, config.camera.fps
    if len(stamps) < 2:
        raise TableError("doctor.no_pictures", source=repr(source), wanted=wanted_fps)
    fps = (len(stamps) - 1) * 1e9 / (stamps[-1] - stamps[0])
    if fps < MIN_FPS:
        raise TableError("doctor.few_pictures", source=repr(source), fps=fps, least=MIN_FPS)
    if fps < MIN_FPS_SHARE * wanted_fps:
        raise TableError("doctor.slow_camera", source=repr(source), fps=fps, wanted=wanted_fps)
    marker_watch = MarkerWatch.for_camera(config.camera)
    off_mm = marker_watch.measure_shift_mm(frames[-1].image) if marker_watch is not None else None
    if off_mm is not None and off_mm > MOVED_MM:
        raise TableError("doctor.moved", mm=off_mm)
    width, height = config.camera.size
    state = {"source": repr(source), "fps": fps, "width": width, "height": height}
    return make_phrase("doctor.camera", **state, accuracy=accuracy, held=held)


def _named_by_number(camera: CameraConfig) -> Iterator[Finding]:
    """Report a camera that is named by its number although it has a stable name."""
    name = find_stable_name(camera.source) if source_kind(camera.source) == "v4l2" else None
    if name not in (None, camera.source):
        yield Finding("camera", True, make_phrase("doctor.stable_name", source=camera.source, name=name))


def _mark(config: TableConfig) -> Phrase:
    if config.camera.homography is None:
        raise TableError("doctor.not_calibrated")
    view = measure_view(config.camera.homography, config.camera.size)
    view_fault = find_view_fault(view)
    if view_fault is not None:
        raise TableError(view_fault)
    return describe_view(view)


def _buttons(config: TableConfig) -> Phrase:
    require_free_devices()
    reader = open_buttons(config.seats)
    buttons_down = reader.pressed_buttons()
    reader.close()
    if buttons_down:
        names = tuple(
            make_phrase("doctor.button", seat=seat, control=control) for seat, control in buttons_down
        )
        raise TableError("doctor.down", buttons=names)
    one_button_seats = [seat.name for seat in config.seats if seat.one_button]
    code = "doctor.one_button" if one_button_seats else "doctor.buttons"
    return make_phrase(code, accuracy=reader.accuracy, seats=tuple(one_button_seats))


def listen_for_buttons(config: TableConfig, seconds: float) -> Iterator[Finding]:
    """Listen while somebody presses every button once, and report each press, its bounce and missing buttons.

    No check can distinguish a dead button from one that nobody presses, so this one needs a finger. It ends
    when all buttons have been pressed and measured, or after ``seconds``. A knock sensor rings, which is not
    measured.
    """
    require_free_devices()
    reader = open_buttons(config.seats)
    unpressed_lines = {place: line for line, place in map_gpio_lines(config.seats).items()}
    knocks = {(seat.name, "rap") for seat in config.seats if seat.knock}
    meters = {place: BounceMeter() for place in unpressed_lines if place not in knocks}
    measured: dict[tuple[str, Control], Bounce] = {}
    end_s = time.monotonic() + seconds
    all_pressed_s: float | None = None
    try:
        while time.monotonic() < end_s:
            reading = reader.read(READ_TIMEOUT_S)
            for edge in reading.edges:
                place = (edge.seat, edge.control)
                line = unpressed_lines.pop(place, None)
                if line is not None:
                    heard = make_phrase("doctor.heard", control=edge.control, line=line)
                    yield Finding(edge.seat, True, heard)
            yield from _bounces(reading, meters, measured, config.buttons.release_ms)
            if not unpressed_lines:
                all_pressed_s = all_pressed_s or time.monotonic()
                time_is_over = time.monotonic() - all_pressed_s >= MEASURE_S
                waiting = (meter for place, meter in meters.items() if place not in measured)
                if all(time_is_over and meter.at_rest for meter in waiting):
                    break
    finally:
        reader.close()
    for (seat, control), line in unpressed_lines.items():
        code = "doctor.rap_not_heard" if control == "rap" else "doctor.not_heard"
        yield Finding(seat, False, make_phrase(code, control=control, line=line))


def _bounces(
    reading: EdgeReading,
    meters: Mapping[tuple[str, Control], BounceMeter],
    measured: dict[tuple[str, Control], Bounce],
    release_ms: float,
) -> Iterator[Finding]:
    """Report the bounce of each button pressed and released: once, and again where it bounces longer."""
    bounces = [
        ((edge.seat, edge.control), meters[edge.seat, edge.control].add_edge(edge.t_ns, edge.level))
        for edge in reading.edges
        if (edge.seat, edge.control) in meters
    ]
    bounces += [(place, meter.advance(reading.until_ns)) for place, meter in meters.items()]
    for place, bounce in bounces:
        if bounce is None or (place in measured and bounce.longest_ns <= measured[place].longest_ns):
            continue
        measured[place] = bounce
        seat, control = place
        times = {"press_ns": bounce.press_ns, "release_ns": bounce.release_ns}
        if bounce.longest_ns < release_ms * MS:
            yield Finding(seat, True, make_phrase("doctor.bounces", control=control, **times))
        else:
            limits = {"limit": release_ms, "wanted": math.ceil(bounce.longest_ns / MS / 5 + 1) * 5}
            yield Finding(seat, False, make_phrase("doctor.bounces_long", control=control, **limits, **times))


def _lamps(config: TableConfig) -> Phrase:
    seats_with_lamp = [seat.name for seat in config.seats if seat.led is not None]
    if not seats_with_lamp:
        return make_phrase("doctor.no_lamps")
    require_free_devices()
    try:
        leds = gpio_leds(config.seats)
    except TableError:
        raise
    except Exception as error:  # whatever gpiozero raises where there are no such pins
        raise TableError("doctor.unlit", error=error) from None
    for led in leds.values():
        led.close()
    return make_phrase("doctor.lamps", seats=tuple(seats_with_lamp))


def _screen() -> Phrase:
    if not has_display():
        raise TableError("doctor.no_display")
    return make_phrase("doctor.display")


def _disk() -> Phrase:
    """Check that games can be stored in the games folder, and stay there."""
    folder = games_folder()
    folder_or_parent = nearest_existing_folder(folder)
    with convert_errors(OSError, "doctor.not_written", at=folder):
        with tempfile.TemporaryFile(dir=folder_or_parent) as file:
            file.write(b"x")
            os.fsync(file.fileno())
        free, kind = shutil.disk_usage(folder_or_parent).free, file_system_kind(folder_or_parent)
    if free < MIN_FREE_BYTES:
        raise TableError("doctor.full", at=folder, free=free // 2**20, least=MIN_FREE_BYTES // 2**20)
    if is_volatile(kind):
        raise TableError("doctor.volatile", at=folder, kind=kind)
    lock = lock_path(folder)
    if exists(lock) and not os.access(lock, os.R_OK | os.W_OK):
        raise TableError("doctor.others_lock", at=lock)
    return make_phrase("doctor.room", free=free / 2**30, folder=str(folder), kind=kind)


def _clock() -> Phrase:
    tick_ns = time.get_clock_info("monotonic").resolution * 1e9
    if tick_ns > 1000:
        raise TableError("doctor.coarse_clock", tick=tick_ns)
    if time.gmtime().tm_year < FIRST_YEAR:
        raise TableError("doctor.no_date")
    return make_phrase("doctor.clock" if is_date_reliable() else "doctor.clock_unsure", tick=tick_ns)
