"""The settings of ``table.toml``, read with strict checks.

A missing key has its default; an unknown or ill-formed one is a :class:`TableError` that names file, key and what was
expected.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
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
SeatKind: TypeAlias = Literal["two", "one", "knock"]
"""The kind of a seat's buttons: two buttons, one button, or a button and a knock sensor."""
MENU_SCREEN_KEYS: Final = ("language", "sound", "four_colours", "lies_flat")
"""The keys of ``[screen]`` that the menu can change."""
MENU_CAMERA_KEYS: Final = ("source", "homography", "mat", "mat_turn", "pack")
"""The keys of ``[camera]`` that the menu can change; only for the session where ``table.toml`` can't be written."""

MIN_WINDOW_SIZE: Final = (320, 200)
"""The smallest window; nothing could be read on a smaller one."""
NEIGHBOURS_DEG: Final = 5.0
"""The least angle between two seats; arms from closer seats could not be told apart."""
EXPECTED_CONFIG: Final = make_phrase("expected.set_up")


# --- checks -----------------------------------------------------------------------------------------------

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
    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise expected_error("expected.whole", low=low, high=high)
        return value

    return check


def _number_check(low: float, high: float) -> Check:
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


def _choice_check(choices: Sequence[Any], expected: str = "expected.one_of") -> Check:
    """Return a check for one of some values; ``expected``: the code of what it says otherwise."""

    def check(value: Any) -> Any:
        if isinstance(value, bool) or value not in choices:
            raise expected_error(expected, choices=tuple(map(str, choices)))
        return choices[choices.index(value)]

    return check


def _key(check: Check, comment: str = "", example: str = "") -> Mapping[str, Any]:
    """Return the metadata of a field that is a key of ``table.toml``.

    ``comment``: the code of its comment in the file that ``cardtable init`` writes, which leaves out a key without one;
    ``example``: its value there, in TOML, where it has no default.
    """
    return {"check": check, "comment": comment, "example": example}


_HOMOGRAPHY_EXAMPLE = "[[1.8, 0.0, 640.0], [0.0, 1.8, 360.0], [0.0, 0.0, 1.0]]"
_LINE_CHECK = _whole_check(0, 1023)
_LANGUAGE_CHECK = _choice_check(languages())


# --- the settings -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeatConfig:
    """A seat: its player's name and direction, and its GPIO lines."""

    name: str = field(metadata=_key(check_player_name, "comment.name"))
    angle: float = field(metadata=_key(_number_check(-360, 360), "comment.angle"))
    """The player's direction, seen from the mark, degrees clockwise from the picture's top edge."""
    bid: int | None = field(default=None, metadata=_key(_LINE_CHECK, "comment.bid"))
    """The GPIO line (BCM number) of the bid button."""
    rap: int | None = field(default=None, metadata=_key(_LINE_CHECK, "comment.rap"))
    """The line of the rap button or knock sensor; None on a one-button table."""
    knock: bool = field(default=False, metadata=_key(_check_flag, "comment.knock"))
    """True: ``rap`` is a knock sensor, which can't be held."""
    led: int | None = field(default=None, metadata=_key(_LINE_CHECK, "comment.led"))
    named: bool = True
    """False: the menu chooses the player; until then ``name`` is the seat's number."""
    placed: bool = True
    """False: nobody has said yet where this seat is; ``angle`` is a guess."""

    @property
    def one_button(self) -> bool:
        """Whether this seat has only the bid button."""
        return self.rap is None

    @property
    def kind(self) -> SeatKind:
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

    source: str | int = field(default="picamera", repr=False, metadata=_key(_check_source, "comment.source"))
    """The source; it may hold a password, so show people :attr:`source_without_password` instead."""
    size: tuple[int, int] = field(default=(1280, 720), metadata=_key(_check_size, "comment.size"))
    fps: float = field(default=30.0, metadata=_key(_number_check(1, 1000), "comment.fps"))
    mains_hz: int = field(
        default=50, metadata=_key(_choice_check(MAINS_HZ, "expected.mains"), "comment.mains")
    )
    """The mains frequency, for exposure without flicker (lamps pulse twice a period); 0: exposure is not controlled."""
    homography: Matrix | None = field(
        default=None, metadata=_key(_check_homography, example=_HOMOGRAPHY_EXAMPLE)
    )
    """Table plane in mm (origin: the mark; x right, y down as in the picture) to pixels; None: not calibrated."""
    mat: str | None = field(default=None, metadata=_key(_choice_check(MATS)))
    """The paper of the printed mat used for calibration; a camera movement is detected by its markers."""
    mat_turn: float = field(default=0.0, metadata=_key(_number_check(-360, 360)))
    """The turn of that mat on the table, degrees clockwise."""
    mat_ruler: float = field(default=100.0, metadata=_key(_number_check(*RULER_RANGE)))
    """The measured length of the mat's line of 100 mm."""
    tie_window_ms: int = field(default=250, metadata=_key(_whole_check(0, 10_000), "comment.lead_tie"))
    courts: str = field(
        default="JQK", metadata=_key(_choice_check(COURTS, "expected.courts"), "comment.courts")
    )
    keep_complaints: bool = field(default=True, metadata=_key(_check_flag, "comment.complaints"))
    """Whether the pictures before somebody said "that's wrong", or before a correction by the table, are stored."""
    pack: Path | None = field(default=None, metadata=_key(_check_text, "comment.pack", '"pack.npz"'))
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

    tie_window_ms: int = field(default=30, metadata=_key(_whole_check(0, 10_000), "comment.bid_tie"))
    tap_gap_ms: int = field(default=500, metadata=_key(_whole_check(50, 10_000), "comment.tap_gap"))
    hold_ms: int = field(default=600, metadata=_key(_whole_check(50, 10_000), "comment.hold"))
    wrong_ms: int = field(default=2000, metadata=_key(_whole_check(100, 60_000), "comment.wrong"))
    dial_ms: int = field(default=2500, metadata=_key(_whole_check(100, 60_000), "comment.dial"))
    debounce_ms: float = field(default=5, metadata=_key(_number_check(0, 100), "comment.debounce"))
    release_ms: float = field(default=25, metadata=_key(_number_check(0, 100), "comment.release"))

    @property
    def wrong_s(self) -> float:
        """How long "that's wrong" is held, in seconds, as people are told."""
        return self.wrong_ms / 1_000


@dataclass(frozen=True, slots=True)
class ScreenConfig:
    """The settings of screen, language and sound."""

    language: str = field(default=ENGLISH, metadata=_key(_LANGUAGE_CHECK, "comment.language"))
    """The language of all output: one of :func:`table.i18n.catalogue.languages`."""
    size: tuple[int, int] = field(default=(1280, 720), metadata=_key(_check_window_size, "comment.window"))
    """The size of a window, in pixels; a full screen keeps its own size."""
    turned: int = field(default=0, metadata=_key(_choice_check(TURNS), "comment.turned"))
    """The rotation of the picture in degrees clockwise, for a screen that is mounted upright or upside down."""
    lies_flat: bool = field(default=False, metadata=_key(_check_flag, "comment.lies_flat"))
    """Whether the screen lies on the table: what belongs to a player is turned to that player's seat."""
    moments: bool = field(default=True, metadata=_key(_check_flag, "comment.moments"))
    """Whether bids turned over, photo finishes, results of hands and honours are shown large for a few seconds."""
    four_colours: bool = field(default=False, metadata=_key(_check_flag, "comment.four_colours"))
    """Whether clubs are green and diamonds blue."""
    sound: bool = field(default=True, metadata=_key(_check_flag, "comment.sound"))
    """Whether decisions are also signalled by sound, where the machine has a sound device."""


PLAIN_SCREEN: Final = ScreenConfig()


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


def _checks(section: Any) -> Mapping[str, Check]:
    """Return the check of each key of a section, given as its dataclass."""
    return {key.name: key.metadata["check"] for key in fields(section) if key.metadata}


def read_language(path: Path) -> str:
    """Return the language that a ``table.toml`` names; English if it names none or is unreadable (reported later)."""
    try:
        screen = read_toml(path, EXPECTED_CONFIG).get("screen", {})
        return str(_LANGUAGE_CHECK(screen.get("language", ENGLISH)))
    except (TableError, ValueError, AttributeError):
        return ENGLISH


def load_config(path: Path, *, menu: bool = False) -> TableConfig:
    """Read a ``table.toml`` or raise `TableError`; ``menu``: game, players' names, or all seats may be missing."""
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
    buttons = ButtonsConfig(**reader.section(data.get("buttons", {}), "buttons", _checks(ButtonsConfig)))
    if not buttons.hold_ms < buttons.wrong_ms:
        more_than_hold = expected_error("expected.more_than_hold", ms=buttons.hold_ms)
        raise reader.complain("buttons.wrong_ms", more_than_hold)
    if not buttons.tie_window_ms < buttons.tap_gap_ms:
        less_than_tap_gap = expected_error("expected.less_than_tap_gap", ms=buttons.tap_gap_ms)
        raise reader.complain("buttons.tie_window_ms", less_than_tap_gap)
    camera = reader.section(data.get("camera", {}), "camera", _checks(CameraConfig))
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
        screen=ScreenConfig(**reader.section(data.get("screen", {}), "screen", _checks(ScreenConfig))),
        path=path,
    )


def _parse_seats(value: Any, reader: _Reader, menu: bool) -> tuple[SeatConfig, ...]:
    if not isinstance(value, list) or (not value and not menu):
        raise reader.complain("seat", expected_error("expected.seats"))
    seats: list[SeatConfig] = []
    lines: dict[int, str] = {}
    for number, given in enumerate(value, start=1):
        section = f"seat {number}"
        values = reader.section(given, section, _checks(SeatConfig))
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
    fault = find_angle_fault(seats)
    if fault is not None:
        raise reader.complain(f"seat {fault[0]}.angle", fault[1])
    return tuple(seats)


def _spell_first_dealer(options: Mapping[str, Any], seats: Sequence[SeatConfig]) -> Mapping[str, Any]:
    """Return the options with the first dealer's name spelled as at the seat."""
    dealer = options.get("first_dealer")
    seat = next((seat for seat in seats if isinstance(dealer, str) and same_person(seat.name, dealer)), None)
    return options if seat is None else {**options, "first_dealer": seat.name}


def find_angle_fault(seats: Sequence[SeatConfig]) -> tuple[int, Phrase] | None:
    """Return the seat (by number) that is too near another, or not clockwise in playing order, and what is wrong."""
    for number, seat in enumerate(seats, start=1):
        for neighbour, other in enumerate(seats[: number - 1], start=1):
            if abs((other.angle - seat.angle + 180.0) % 360.0 - 180.0) < NEIGHBOURS_DEG:
                angles = {"angle": seat.angle, "other": other.angle, "least": NEIGHBOURS_DEG}
                return number, make_phrase("set_up.same_place", seat=neighbour, **angles)
    turned = 0.0
    for number, (previous, seat) in enumerate(pairwise(seats), start=2):
        turned += (seat.angle - previous.angle) % 360.0
        if turned >= 360.0:
            angles = {"angle": seat.angle, "other": previous.angle}
            return number, make_phrase("set_up.not_in_order", seat=number - 1, **angles)
    return None
