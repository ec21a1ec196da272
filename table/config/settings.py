"""The settings of ``table.toml``, read with strict checks.

A missing key has its default; an unknown or ill-formed one is a :class:`TableError` that names file, key and what was
expected.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from table.errors import TableError
from table.files.safe_reading import MOST_PIXELS, read_toml, resolve_path
from table.i18n.catalogue import ENGLISH, languages
from table.names import has_valid_joiners, is_printable_letter, same_person
from table.observed_facts import MS
from table.phrase import Phrase, PhrasedError, expected_error, make_phrase
from table.url_secrets import without_secrets

Matrix: TypeAlias = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]

COURTS = ("JQK", "BDK", "VDR")
MAINS_HZ = (50, 60, 0)
MATS = ("A4", "letter", "A3")
RULER_RANGE: Final = (80.0, 125.0)
"""The accepted lengths of the mat's line; a printer that changes the size by more has been set to do so."""
NAME_LENGTH: Final = 24
"""The most letters of a name; a longer one fits no place on the screen."""
TURNS: Final = (0, 90, 180, 270)
MENU_SCREEN_KEYS: Final = ("language", "sound", "four_colours", "lies_flat")
"""The keys of ``[screen]`` that the menu can change."""

MIN_WINDOW_SIZE: Final = (320, 200)
"""The smallest window; nothing could be read on a smaller one."""
NEIGHBOURS_DEG: Final = 5.0
"""The least angle between two seats; arms from closer seats could not be told apart."""
EXPECTED_CONFIG: Final = make_phrase("expected.set_up")


@dataclass(frozen=True, slots=True)
class SeatConfig:
    """A seat: its player's name and direction, and its GPIO lines."""

    name: str
    angle: float
    """The player's direction, seen from the mark, degrees clockwise from the picture's top edge."""
    bid: int | None = None
    """The GPIO line (BCM number) of the bid button."""
    rap: int | None = None
    """The line of the rap button or knock sensor; None on a one-button table."""
    knock: bool = False
    """True: ``rap`` is a knock sensor, which can't be held."""
    led: int | None = None
    named: bool = True
    """False: the menu chooses the player; until then ``name`` is the seat's number."""

    @property
    def one_button(self) -> bool:
        """Whether this seat has only the bid button."""
        return self.rap is None

    @property
    def kind(self) -> Literal["two", "one", "knock"]:
        """The seat's equipment: two buttons, one button, or a button and a knock sensor (which can't be held)."""
        return "one" if self.one_button else "knock" if self.knock else "two"


def source_kind(source: str | int) -> Literal["picamera", "v4l2", "url", "file"]:
    """Return the kind of source that a ``camera.source`` names."""
    if source == "picamera":
        return "picamera"
    if isinstance(source, int) or source.isdigit() or source.startswith("/dev/"):
        return "v4l2"
    return "url" if "://" in source else "file"


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """The camera and its view of the table."""

    source: str | int = field(default="picamera", repr=False)
    """The source; it may hold a password, so show people :attr:`source_without_password` instead."""
    size: tuple[int, int] = (1280, 720)
    fps: float = 30.0
    mains_hz: int = 50
    """The mains frequency, for exposure without flicker (lamps pulse twice a period); 0: exposure is not controlled."""
    homography: Matrix | None = None
    """Table plane in mm (origin: the mark; x right, y down as in the picture) to pixels; None: not calibrated."""
    mat: str | None = None
    """The paper of the printed mat used for calibration; a camera movement is detected by its markers."""
    mat_turn: float = 0.0
    """The turn of that mat on the table, degrees clockwise."""
    mat_ruler: float = 100.0
    """The measured length of the mat's line of 100 mm."""
    tie_window_ms: int = 250
    courts: str = "JQK"
    keep_complaints: bool = True
    """Whether the pictures before somebody said "that's wrong", or before a correction by the table, are stored."""
    pack: Path | None = None
    """The path of the enrolled pack (`cardtable enrol`), relative to the folder of ``table.toml``."""

    @property
    def source_without_password(self) -> str | int:
        """The source without its password, for display."""
        return without_secrets(self.source) if isinstance(self.source, str) else self.source

    @property
    def tie_window_ns(self) -> int:
        """The lead tie window: leads that come to rest closer together than this are tied."""
        return self.tie_window_ms * MS


@dataclass(frozen=True, slots=True)
class ButtonsConfig:
    """The buttons' time settings, in milliseconds as in the file."""

    tie_window_ms: int = 30
    tap_gap_ms: int = 500
    hold_ms: int = 600
    wrong_ms: int = 2000
    dial_ms: int = 2500
    debounce_ms: float = 5
    release_ms: float = 25


@dataclass(frozen=True, slots=True)
class ScreenConfig:
    """The settings of screen, language and sound."""

    language: str = ENGLISH
    """The language of all output: one of :func:`table.i18n.catalogue.languages`."""
    sound: bool = True
    """Whether decisions are also signalled by sound, where the machine has a sound device."""
    size: tuple[int, int] = (1280, 720)
    """The size of a window, in pixels; a full screen keeps its own size."""
    turned: int = 0
    """The rotation of the picture in degrees clockwise, for a screen that is mounted upright or upside down."""
    lies_flat: bool = False
    """Whether the screen lies on the table: what belongs to a player is turned to that player's seat."""
    four_colours: bool = False
    """Whether clubs are green and diamonds blue."""


@dataclass(frozen=True, slots=True)
class TableConfig:
    """All settings of a ``table.toml``."""

    game: str
    """The game's name; empty if it is left to the menu."""
    options: Mapping[str, Any]
    seats: tuple[SeatConfig, ...]
    camera: CameraConfig = CameraConfig()
    buttons: ButtonsConfig = ButtonsConfig()
    screen: ScreenConfig = ScreenConfig()
    path: Path | None = field(default=None, compare=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The seats' names in playing order."""
        return tuple(seat.name for seat in self.seats)

    @property
    def is_complete(self) -> bool:
        """Whether the file names the game and all players, so that nothing is left to the menu."""
        return bool(self.game and self.seats) and all(seat.named for seat in self.seats)


# --- reading ----------------------------------------------------------------------------------------------

Check: TypeAlias = Callable[[Any], Any]
"""A check of a value: returns it as the dataclass needs it, or raises ``ValueError`` with what was expected."""


def _check_text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise expected_error("expected.text")
    if not all(map(is_printable_letter, value)):
        raise expected_error("expected.printable")
    return value


def check_player_name(value: Any) -> str:
    """Check a player's name and return it; raise ``ValueError`` with what was expected."""
    name = _check_text(value)
    if len(name) > NAME_LENGTH:
        raise expected_error("expected.letters", most=NAME_LENGTH)
    if name != name.strip():
        raise expected_error("expected.no_spaces")
    if not has_valid_joiners(name):
        raise expected_error("expected.joiners")
    return name


def _check_flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise expected_error("expected.truth")
    return value


def _whole_check(low: int, high: int) -> Check:
    """Return a check for whole numbers from ``low`` to ``high``."""

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise expected_error("expected.whole", low=low, high=high)
        return value

    return check


def _number_check(low: float, high: float) -> Check:
    """Return a check for finite numbers from ``low`` to ``high``."""

    def check(value: Any) -> float:
        good = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not good or not math.isfinite(value) or not low <= value <= high:
            raise expected_error("expected.range", low=low, high=high)
        return float(value)

    return check


def _check_source(value: Any) -> str | int:
    good = isinstance(value, str) and value.strip() and all(map(is_printable_letter, value))
    if isinstance(value, bool) or not (isinstance(value, int) or good):
        raise expected_error("expected.source")
    source: str | int = value
    return source


def _check_size(value: Any) -> tuple[int, int]:
    good = isinstance(value, list) and len(value) == 2 and all(type(side) is int for side in value)
    if not good or not all(16 <= side <= 16384 for side in value) or value[0] * value[1] > MOST_PIXELS:
        raise expected_error("expected.size")
    return (value[0], value[1])


def _check_window_size(value: Any) -> tuple[int, int]:
    width, height = _check_size(value)
    if width < MIN_WINDOW_SIZE[0] or height < MIN_WINDOW_SIZE[1]:
        raise expected_error("expected.window_size", least=str(list(MIN_WINDOW_SIZE)))
    return width, height


def _check_homography(value: Any) -> Matrix:
    error = expected_error("expected.homography")
    try:
        rows = [[float(number) for number in row] for row in value]
    except (TypeError, ValueError):
        raise error from None
    if len(rows) != 3 or any(len(row) != 3 for row in rows):
        raise error
    (a, b, c), (d, e, f), (g, h, i) = rows
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if not math.isfinite(determinant) or abs(determinant) < 1e-12:
        raise error
    return ((a, b, c), (d, e, f), (g, h, i))


def _check_mat(value: Any) -> str:
    if value not in MATS:
        raise expected_error("expected.one_of", choices=MATS)
    return str(value)


def _check_mains_hz(value: Any) -> int:
    if isinstance(value, bool) or value not in MAINS_HZ:
        raise expected_error("expected.mains")
    return int(value)


def _check_turned(value: Any) -> int:
    if isinstance(value, bool) or value not in TURNS:
        raise expected_error("expected.one_of", choices=tuple(map(str, TURNS)))
    return int(value)


def _check_language(value: Any) -> str:
    if value not in languages():
        raise expected_error("expected.one_of", choices=languages())
    return str(value)


def _check_courts(value: Any) -> str:
    if value not in COURTS:
        raise expected_error("expected.courts")
    return str(value)


_LINE_CHECK = _whole_check(0, 1023)
_SEAT_CHECKS: Mapping[str, Check] = {
    "name": check_player_name,
    "angle": _number_check(-360, 360),
    "bid": _LINE_CHECK,
    "rap": _LINE_CHECK,
    "knock": _check_flag,
    "led": _LINE_CHECK,
}
_CAMERA_CHECKS: Mapping[str, Check] = {
    "source": _check_source,
    "size": _check_size,
    "fps": _number_check(1, 1000),
    "mains_hz": _check_mains_hz,
    "homography": _check_homography,
    "mat": _check_mat,
    "mat_turn": _number_check(-360, 360),
    "mat_ruler": _number_check(*RULER_RANGE),
    "tie_window_ms": _whole_check(0, 10_000),
    "courts": _check_courts,
    "keep_complaints": _check_flag,
    "pack": _check_text,
}
_SCREEN_CHECKS: Mapping[str, Check] = {
    "language": _check_language,
    "size": _check_window_size,
    "turned": _check_turned,
    "lies_flat": _check_flag,
    "four_colours": _check_flag,
    "sound": _check_flag,
}
_BUTTON_CHECKS: Mapping[str, Check] = {
    "tie_window_ms": _whole_check(0, 10_000),
    "tap_gap_ms": _whole_check(50, 10_000),
    "hold_ms": _whole_check(50, 10_000),
    "wrong_ms": _whole_check(100, 60_000),
    "dial_ms": _whole_check(100, 60_000),
    "debounce_ms": _number_check(0, 100),
    "release_ms": _number_check(0, 100),
}


class _Reader:
    """Reads the sections of one file, so that every error names the file and the key."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def complain(self, key: str, message: str | Phrase | PhrasedError, **fields: Any) -> TableError:
        """Return an error about a key of the file."""
        return TableError(message, at=(self.path, key), **fields)

    def place(self, key: str, given: str) -> Path:
        """Return the path that a key names, relative to the file's folder."""
        try:
            return resolve_path(given, self.path.parent)
        except ValueError as error:
            raise self.complain(key, "wrong.not", error=error, instead=given) from None

    def section(self, value: Any, where: str, checks: Mapping[str, Check]) -> dict[str, Any]:
        """Check a section's keys and values and return the values."""
        if not isinstance(value, dict):
            raise self.complain(where, expected_error("expected.keys"))
        values = {}
        for key, given in value.items():
            if key not in checks:
                raise self.complain(f"{where}.{key}", "set_up.unknown_key", known=tuple(checks))
            try:
                values[key] = checks[key](given)
            except ValueError as error:
                raise self.complain(f"{where}.{key}", "wrong.not", error=error, instead=given) from None
        return values


def read_language(path: Path) -> str:
    """Return the language that a ``table.toml`` names; English if it names none or is unreadable (reported later)."""
    try:
        return _check_language(read_toml(path, EXPECTED_CONFIG).get("screen", {}).get("language", ENGLISH))
    except (TableError, ValueError, AttributeError):
        return ENGLISH


def load_config(path: Path, *, menu: bool = False) -> TableConfig:
    """Read a ``table.toml``; raise `TableError` with what is wrong with it in one line.

    ``menu``: the game, the players' names, or all seats may be missing.
    """
    return parse_config(read_toml(path, EXPECTED_CONFIG), path, menu=menu)


def parse_config(data: Mapping[str, Any], path: Path, *, menu: bool = False) -> TableConfig:
    """Check parsed TOML data and return the settings; ``path`` is for errors, ``menu`` as in :func:`load_config`."""
    reader = _Reader(path)
    for key in data:
        if key not in ("game", "seat", "camera", "buttons", "screen"):
            raise reader.complain(key, "set_up.unknown_section")
    game = dict(data.get("game", {})) if isinstance(data.get("game", {}), dict) else data["game"]
    options = game.pop("options", {}) if isinstance(game, dict) else {}
    name = reader.section(game, "game", {"name": _check_text}).get("name")
    if name is None and not menu:
        raise reader.complain("game.name", "set_up.no_game")
    if not isinstance(options, dict):
        raise reader.complain("game.options", expected_error("expected.options"))
    buttons = ButtonsConfig(**reader.section(data.get("buttons", {}), "buttons", _BUTTON_CHECKS))
    if not buttons.hold_ms < buttons.wrong_ms:
        raise reader.complain(
            "buttons.wrong_ms", expected_error("expected.more_than_hold", ms=buttons.hold_ms)
        )
    if not buttons.tie_window_ms < buttons.tap_gap_ms:
        raise reader.complain(
            "buttons.tie_window_ms", expected_error("expected.less_than_tap_gap", ms=buttons.tap_gap_ms)
        )
    camera = reader.section(data.get("camera", {}), "camera", _CAMERA_CHECKS)
    if "pack" in camera:
        camera["pack"] = reader.place("camera.pack", camera["pack"])
    if "source" in camera and source_kind(camera["source"]) == "file":
        camera["source"] = str(reader.place("camera.source", camera["source"]))
    seats = _parse_seats(data.get("seat", []), reader, menu)
    return TableConfig(
        game=name or "",
        options=_spell_first_dealer(options, seats),
        seats=seats,
        camera=CameraConfig(**camera),
        buttons=buttons,
        screen=ScreenConfig(**reader.section(data.get("screen", {}), "screen", _SCREEN_CHECKS)),
        path=path,
    )


def _parse_seats(value: Any, reader: _Reader, menu: bool) -> tuple[SeatConfig, ...]:
    """Check the ``[[seat]]`` tables and return the seats."""
    if not isinstance(value, list) or (not value and not menu):
        raise reader.complain("seat", expected_error("expected.seats"))
    seats: list[SeatConfig] = []
    lines: dict[int, str] = {}
    for number, given in enumerate(value, start=1):
        section = f"seat {number}"
        values = reader.section(given, section, _SEAT_CHECKS)
        for key in ("angle",) if menu else ("name", "angle"):
            if key not in values:
                raise reader.complain(f"{section}.{key}", "set_up.missing")
        seat = SeatConfig(**{"name": str(number), "named": "name" in values, **values})
        same_name = next((other.name for other in seats if same_person(other.name, seat.name)), None)
        if same_name is not None:
            code = "set_up.same_name" if same_name == seat.name else "set_up.alike_names"
            raise reader.complain(f"{section}.name", code, name=seat.name, other=same_name)
        for key in ("bid", "rap", "led"):
            line = values.get(key)
            if line is not None and line in lines:
                raise reader.complain(f"{section}.{key}", "set_up.same_line", line=line, other=lines[line])
            if line is not None:
                lines[line] = f"{section}.{key}"
        seats.append(seat)
    _check_angles(seats, reader)
    return tuple(seats)


def _spell_first_dealer(options: Mapping[str, Any], seats: Sequence[SeatConfig]) -> Mapping[str, Any]:
    """Return the options with the first dealer's name spelled as at the seat."""
    dealer = options.get("first_dealer")
    seat = next((seat for seat in seats if isinstance(dealer, str) and same_person(seat.name, dealer)), None)
    return options if seat is None else {**options, "first_dealer": seat.name}


def _check_angles(seats: Sequence[SeatConfig], reader: _Reader) -> None:
    """Check that seats are apart, and go once around the table clockwise in playing order."""
    for number, seat in enumerate(seats, start=1):
        neighbour = next(
            (
                n
                for n, other in enumerate(seats[: number - 1], start=1)
                if _angle_between(other, seat) < NEIGHBOURS_DEG
            ),
            None,
        )
        if neighbour is not None:
            raise reader.complain(
                f"seat {number}.angle",
                "set_up.same_place",
                angle=seat.angle,
                seat=neighbour,
                other=seats[neighbour - 1].angle,
                least=NEIGHBOURS_DEG,
            )
    turned = 0.0
    for number, (previous, seat) in enumerate(pairwise(seats), start=2):
        turned += (seat.angle - previous.angle) % 360.0
        if turned >= 360.0:
            raise reader.complain(
                f"seat {number}.angle",
                "set_up.not_in_order",
                angle=seat.angle,
                seat=number - 1,
                other=previous.angle,
            )


def _angle_between(first: SeatConfig, second: SeatConfig) -> float:
    """Return the angle between two seats, 0 to 180 degrees."""
    return abs((first.angle - second.angle + 180.0) % 360.0 - 180.0)
