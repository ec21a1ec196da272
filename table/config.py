"""``table.toml``: the table's set-up, read strictly.

A missing key has its default; an unknown or ill-formed one is a :class:`TableError` that names file, key and
what was expected.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from table.errors import TableError
from table.facts import MS
from table.files.reading import MOST_PIXELS, place_of, read_toml
from table.files.secrets import without_secrets
from table.names import is_printed, joins_inside, same_person
from table.phrase import Phrase, PhrasedError, expected, say
from table.words.catalogue import ENGLISH, languages

Matrix: TypeAlias = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]

COURTS = ("JQK", "BDK", "VDR")
MAINS_HZ = (50, 60, 0)
MATS = ("A4", "letter", "A3")
RULER_RANGE: Final = (80.0, 125.0)
"""A printer that changes the mat's size by more has been set to do so."""
NAME_LENGTH: Final = 24
"""A longer name fits no place on the screen."""
TURNS: Final = (0, 90, 180, 270)
MENU_SCREEN_KEYS: Final = ("language", "sound", "four_colours", "lies_flat")
"""The keys of ``[screen]`` that the menu can change."""

LEAST_SCREEN: Final = (320, 200)
"""Nothing could be read on a smaller one."""
NEIGHBOURS_DEG: Final = 5.0
"""Two seats closer than this are one place: no arm could be told from its neighbour's."""
FILE: Final = say("expected.set_up")


@dataclass(frozen=True, slots=True)
class SeatConfig:
    """A player's place and its lines."""

    name: str
    angle: float
    """Where the player sits, seen from the mark, degrees clockwise from the picture's top edge."""
    bid: int | None = None
    """GPIO line (BCM number) of the bid button."""
    rap: int | None = None
    """The rap button or knock sensor; None on a one-button table."""
    knock: bool = False
    """True: ``rap`` is a knock sensor, which can't be held."""
    led: int | None = None
    named: bool = True
    """False: who sits there is chosen by the menu; ``name`` is the place's number until then."""

    @property
    def one_button(self) -> bool:
        """Whether this seat has only the bid button."""
        return self.rap is None

    @property
    def kind(self) -> Literal["two", "one", "knock"]:
        """Two buttons; one alone; a button and a knock sensor, which can't be held."""
        return "one" if self.one_button else "knock" if self.knock else "two"


def kind_of(source: str | int) -> Literal["picamera", "v4l2", "url", "file"]:
    """What a ``camera.source`` names."""
    if source == "picamera":
        return "picamera"
    if isinstance(source, int) or source.isdigit() or source.startswith("/dev/"):
        return "v4l2"
    return "url" if "://" in source else "file"


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """The camera and its view of the table."""

    source: str | int = field(default="picamera", repr=False)
    """May hold a password: people are shown :attr:`shown`."""
    size: tuple[int, int] = (1280, 720)
    fps: float = 30.0
    mains_hz: int = 50
    """The mains' frequency: lamps shine alike twice in each period. 0: the camera's light is left to itself."""
    homography: Matrix | None = None
    """Table plane in mm (origin: the mark; x right, y down as in the picture) to pixels; None: not calibrated."""
    mat: str | None = None
    """The paper of the printed mat that it was calibrated by; by its markers a moved camera is noticed."""
    mat_turn: float = 0.0
    """How far that mat lies turned on the table, degrees clockwise."""
    mat_ruler: float = 100.0
    """What its line of 100 mm measures."""
    tie_window_ms: int = 250
    courts: str = "JQK"
    keep_complaints: bool = True
    """What the camera saw before somebody said "that's wrong", or the table corrected itself, is kept."""
    pack: Path | None = None
    """The enrolled pack (`cardtable enrol`); in the file beside ``table.toml`` unless it says where."""

    @property
    def shown(self) -> str | int:
        """The source without its password."""
        return without_secrets(self.source) if isinstance(self.source, str) else self.source

    @property
    def tie_window_ns(self) -> int:
        """Leads that come to rest closer than this are tied."""
        return self.tie_window_ms * MS


@dataclass(frozen=True, slots=True)
class ButtonsConfig:
    """The times of the buttons, in milliseconds as in the file."""

    tie_window_ms: int = 30
    tap_gap_ms: int = 500
    hold_ms: int = 600
    wrong_ms: int = 2000
    dial_ms: int = 2500
    debounce_ms: float = 5
    release_ms: float = 25


@dataclass(frozen=True, slots=True)
class ScreenConfig:
    """What the screen shows, and how."""

    language: str = ENGLISH
    """Of all that is shown and printed: one of :func:`table.words.catalogue.languages`."""
    sound: bool = True
    """Whether what is decided is heard too, where the machine has a sound device."""
    size: tuple[int, int] = (1280, 720)
    """Of a window, in pixels; the whole screen is used as it is."""
    turned: int = 0
    """By how many degrees, clockwise, the picture is turned: a screen that is mounted upright, or on its head."""
    lies_flat: bool = False
    """Whether it lies on the table: what belongs to a player is turned to that player's seat."""
    four_colours: bool = False
    """Whether clubs are green and diamonds blue."""


@dataclass(frozen=True, slots=True)
class TableConfig:
    """The whole file."""

    game: str
    """Empty where it is left to the menu."""
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
    def whole(self) -> bool:
        """Whether it says what is played and by whom: nothing is left to the menu."""
        return bool(self.game and self.seats) and all(seat.named for seat in self.seats)


# --- reading ----------------------------------------------------------------------------------------------

Check: TypeAlias = Callable[[Any], Any]
"""Returns the value as the dataclass wants it; ``ValueError`` with what was expected."""


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise expected("expected.text")
    if not all(map(is_printed, value)):
        raise expected("expected.printable")
    return value


def player_name(value: Any) -> str:
    """A player's name as seats may have it; ``ValueError`` with what was expected."""
    name = _text(value)
    if len(name) > NAME_LENGTH:
        raise expected("expected.letters", most=NAME_LENGTH)
    if name != name.strip():
        raise expected("expected.no_spaces")
    if not joins_inside(name):
        raise expected("expected.joiners")
    return name


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise expected("expected.truth")
    return value


def _whole(low: int, high: int) -> Check:
    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise expected("expected.whole", low=low, high=high)
        return value

    return check


def _number(low: float, high: float) -> Check:
    def check(value: Any) -> float:
        good = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not good or not math.isfinite(value) or not low <= value <= high:
            raise expected("expected.range", low=low, high=high)
        return float(value)

    return check


def _source(value: Any) -> str | int:
    good = isinstance(value, str) and value.strip() and all(map(is_printed, value))
    if isinstance(value, bool) or not (isinstance(value, int) or good):
        raise expected("expected.source")
    found: str | int = value
    return found


def _size(value: Any) -> tuple[int, int]:
    good = isinstance(value, list) and len(value) == 2 and all(type(side) is int for side in value)
    if not good or not all(16 <= side <= 16384 for side in value) or value[0] * value[1] > MOST_PIXELS:
        raise expected("expected.size")
    return (value[0], value[1])


def _window(value: Any) -> tuple[int, int]:
    width, height = _size(value)
    if width < LEAST_SCREEN[0] or height < LEAST_SCREEN[1]:
        raise expected("expected.window_size", least=str(list(LEAST_SCREEN)))
    return width, height


def _homography(value: Any) -> Matrix:
    wrong = expected("expected.homography")
    try:
        rows = [[float(number) for number in row] for row in value]
    except (TypeError, ValueError):
        raise wrong from None
    if len(rows) != 3 or any(len(row) != 3 for row in rows):
        raise wrong
    (a, b, c), (d, e, f), (g, h, i) = rows
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if not math.isfinite(determinant) or abs(determinant) < 1e-12:
        raise wrong
    return ((a, b, c), (d, e, f), (g, h, i))


def _mat(value: Any) -> str:
    if value not in MATS:
        raise expected("expected.one_of", choices=MATS)
    return str(value)


def _mains(value: Any) -> int:
    if isinstance(value, bool) or value not in MAINS_HZ:
        raise expected("expected.mains")
    return int(value)


def _turned(value: Any) -> int:
    if isinstance(value, bool) or value not in TURNS:
        raise expected("expected.one_of", choices=tuple(map(str, TURNS)))
    return int(value)


def _language(value: Any) -> str:
    if value not in languages():
        raise expected("expected.one_of", choices=languages())
    return str(value)


def _courts(value: Any) -> str:
    if value not in COURTS:
        raise expected("expected.courts")
    return str(value)


_LINE = _whole(0, 1023)
_SEAT: Mapping[str, Check] = {
    "name": player_name,
    "angle": _number(-360, 360),
    "bid": _LINE,
    "rap": _LINE,
    "knock": _flag,
    "led": _LINE,
}
_CAMERA: Mapping[str, Check] = {
    "source": _source,
    "size": _size,
    "fps": _number(1, 1000),
    "mains_hz": _mains,
    "homography": _homography,
    "mat": _mat,
    "mat_turn": _number(-360, 360),
    "mat_ruler": _number(*RULER_RANGE),
    "tie_window_ms": _whole(0, 10_000),
    "courts": _courts,
    "keep_complaints": _flag,
    "pack": _text,
}
_SCREEN: Mapping[str, Check] = {
    "language": _language,
    "size": _window,
    "turned": _turned,
    "lies_flat": _flag,
    "four_colours": _flag,
    "sound": _flag,
}
_BUTTONS: Mapping[str, Check] = {
    "tie_window_ms": _whole(0, 10_000),
    "tap_gap_ms": _whole(50, 10_000),
    "hold_ms": _whole(50, 10_000),
    "wrong_ms": _whole(100, 60_000),
    "dial_ms": _whole(100, 60_000),
    "debounce_ms": _number(0, 100),
    "release_ms": _number(0, 100),
}


class _Reader:
    """Reads tables of one file, so that every complaint names the file and the key."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def complain(self, key: str, what: str | Phrase | PhrasedError, **fields: Any) -> TableError:
        return TableError(what, at=(self.path, key), **fields)

    def place(self, key: str, given: str) -> Path:
        """The file that a key names, looked for beside this one."""
        try:
            return place_of(given, self.path.parent)
        except ValueError as error:
            raise self.complain(key, "wrong.not", error=error, instead=given) from None

    def section(self, value: Any, where: str, checks: Mapping[str, Check]) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.complain(where, expected("expected.keys"))
        found = {}
        for key, given in value.items():
            if key not in checks:
                raise self.complain(f"{where}.{key}", "set_up.unknown_key", known=tuple(checks))
            try:
                found[key] = checks[key](given)
            except ValueError as error:
                raise self.complain(f"{where}.{key}", "wrong.not", error=error, instead=given) from None
        return found


def language_of(path: Path) -> str:
    """The language that a ``table.toml`` names; English where it names none, or can't be read (which is said later)."""
    try:
        return _language(read_toml(path, FILE).get("screen", {}).get("language", ENGLISH))
    except (TableError, ValueError, AttributeError):
        return ENGLISH


def load_config(path: Path, *, menu: bool = False) -> TableConfig:
    """Read a ``table.toml``; ``TableError`` says in one line what is wrong with it.

    ``menu``: the game, the players' names, or all seats may be missing.
    """
    return parse_config(read_toml(path, FILE), path, menu=menu)


def parse_config(data: Mapping[str, Any], path: Path, *, menu: bool = False) -> TableConfig:
    """The configuration in ``data`` as TOML gives it; ``path`` is for complaints, ``menu`` as :func:`load_config`."""
    read = _Reader(path)
    for key in data:
        if key not in ("game", "seat", "camera", "buttons", "screen"):
            raise read.complain(key, "set_up.unknown_section")
    game = dict(data.get("game", {})) if isinstance(data.get("game", {}), dict) else data["game"]
    options = game.pop("options", {}) if isinstance(game, dict) else {}
    name = read.section(game, "game", {"name": _text}).get("name")
    if name is None and not menu:
        raise read.complain("game.name", "set_up.no_game")
    if not isinstance(options, dict):
        raise read.complain("game.options", expected("expected.options"))
    buttons = ButtonsConfig(**read.section(data.get("buttons", {}), "buttons", _BUTTONS))
    if not buttons.hold_ms < buttons.wrong_ms:
        raise read.complain("buttons.wrong_ms", expected("expected.more_than_hold", ms=buttons.hold_ms))
    if not buttons.tie_window_ms < buttons.tap_gap_ms:
        raise read.complain(
            "buttons.tie_window_ms", expected("expected.less_than_tap_gap", ms=buttons.tap_gap_ms)
        )
    camera = read.section(data.get("camera", {}), "camera", _CAMERA)
    if "pack" in camera:
        camera["pack"] = read.place("camera.pack", camera["pack"])
    if "source" in camera and kind_of(camera["source"]) == "file":
        camera["source"] = str(read.place("camera.source", camera["source"]))
    seats = _seats(data.get("seat", []), read, menu)
    return TableConfig(
        game=name or "",
        options=_named_as_seated(options, seats),
        seats=seats,
        camera=CameraConfig(**camera),
        buttons=buttons,
        screen=ScreenConfig(**read.section(data.get("screen", {}), "screen", _SCREEN)),
        path=path,
    )


def _seats(value: Any, read: _Reader, menu: bool) -> tuple[SeatConfig, ...]:
    if not isinstance(value, list) or (not value and not menu):
        raise read.complain("seat", expected("expected.seats"))
    seats: list[SeatConfig] = []
    lines: dict[int, str] = {}
    for number, given in enumerate(value, start=1):
        where = f"seat {number}"
        found = read.section(given, where, _SEAT)
        for key in ("angle",) if menu else ("name", "angle"):
            if key not in found:
                raise read.complain(f"{where}.{key}", "set_up.missing")
        seat = SeatConfig(**{"name": str(number), "named": "name" in found, **found})
        twin = next((other.name for other in seats if same_person(other.name, seat.name)), None)
        if twin is not None:
            same = "set_up.same_name" if twin == seat.name else "set_up.alike_names"
            raise read.complain(f"{where}.name", same, name=seat.name, other=twin)
        for key in ("bid", "rap", "led"):
            line = found.get(key)
            if line is not None and line in lines:
                raise read.complain(f"{where}.{key}", "set_up.same_line", line=line, other=lines[line])
            if line is not None:
                lines[line] = f"{where}.{key}"
        seats.append(seat)
    _check_angles(seats, read)
    return tuple(seats)


def _named_as_seated(options: Mapping[str, Any], seats: Sequence[SeatConfig]) -> Mapping[str, Any]:
    """The options with the first dealer's name spelled as at the seat."""
    dealer = options.get("first_dealer")
    seat = next((one for one in seats if isinstance(dealer, str) and same_person(one.name, dealer)), None)
    return options if seat is None else {**options, "first_dealer": seat.name}


def _check_angles(seats: Sequence[SeatConfig], read: _Reader) -> None:
    """Each seat a place of its own, and once around the table in playing order, clockwise."""
    for number, seat in enumerate(seats, start=1):
        near = next(
            (n for n, one in enumerate(seats[: number - 1], start=1) if _apart(one, seat) < NEIGHBOURS_DEG),
            None,
        )
        if near is not None:
            raise read.complain(
                f"seat {number}.angle",
                "set_up.same_place",
                angle=seat.angle,
                seat=near,
                other=seats[near - 1].angle,
                least=NEIGHBOURS_DEG,
            )
    turned = 0.0
    for number, (before, seat) in enumerate(pairwise(seats), start=2):
        turned += (seat.angle - before.angle) % 360.0
        if turned >= 360.0:
            raise read.complain(
                f"seat {number}.angle",
                "set_up.not_in_order",
                angle=seat.angle,
                seat=number - 1,
                other=before.angle,
            )


def _apart(one: SeatConfig, other: SeatConfig) -> float:
    return abs((one.angle - other.angle + 180.0) % 360.0 - 180.0)
