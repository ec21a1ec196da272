"""How an event of the journal is described: its fields, its line and back, what is compared of it, its phrases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from table.cards import Card, card, is_card, unseen
from table.phrase import Phrase, WrongValueError

LineFields: TypeAlias = Mapping[str, Any]
"""The fields of a line of the journal, to be read."""

Sound: TypeAlias = Literal["bid", "refused", "tie", "trick", "revoke", "question"]
"""What is heard when an event is decided, where the screen has sound."""

HEAD = ("seq", "t_ns", "decided_ns", "event")
"""What the journal adds to what is said."""

CALL_NS: Final = 100_000_000
"""A call's moment is an edge, which the kernel stamps."""
CARD_NS: Final = 500_000_000
"""A card's moment is a frame, and where a hand covers it, one of the frames after."""
LATEST_NS: Final = 2**61
"""No clock of a table gets so far: it is 73 years."""


@dataclass(frozen=True, slots=True)
class Play:
    """A card and whose it is."""

    seat: str
    card: Card

    def line(self) -> dict[str, str]:
        """As the journal writes it."""
        return {"seat": self.seat, "card": str(self.card)}


@dataclass(frozen=True, slots=True)
class Said:
    """An announcement: one journal line but for its number and its times."""

    event: str
    fields: Mapping[str, Any] = field(default_factory=dict)


# --- what a field may hold ----------------------------------------------------------------------------------------

Check: TypeAlias = Callable[[Any], bool]
"""Whether a value that was read from a line can stand in a field."""

LONGEST: Final = 200
"""Letters of a name or a code in a line ..."""
LONGEST_SAID: Final = 1_000
"""... and of any other text: older versions wrote sentences."""
MOST: Final = 2_000
"""Values that one field holds in all."""


def anything(value: Any) -> bool:
    """Any value of bounded size: what is in it, lists and objects included, and the length of each text."""
    room, inner = MOST, [value]
    while inner:
        one = inner.pop()
        room -= 1
        if isinstance(one, dict):
            inner += [*one, *one.values()]
        elif isinstance(one, list):
            inner += one
        elif isinstance(one, str) and len(one) > LONGEST_SAID:
            return False
        if room < len(inner):
            return False
    return True


def text(value: Any) -> bool:
    """A name or a code."""
    return isinstance(value, str) and len(value) <= LONGEST


def whole(value: Any) -> bool:
    """A whole number."""
    return type(value) is int


def stamp(value: Any) -> bool:
    """A moment in nanoseconds, or a span of them."""
    return type(value) is int and abs(value) < LATEST_NS


def number(value: Any) -> bool:
    """A number."""
    return type(value) in (int, float)


def flag(value: Any) -> bool:
    """Yes or no."""
    return isinstance(value, bool)


def card_name(value: Any) -> bool:
    """A card's name; ``?`` for one that nobody saw."""
    return isinstance(value, str) and (value == "?" or is_card(value))


def bid_value(value: Any) -> bool:
    """A bid: a number, or as an auction has it."""
    return whole(value) or text(value)


def play(value: Any) -> bool:
    """A card and whose it is."""
    return isinstance(value, dict) and text(value.get("seat")) and card_name(value.get("card"))


def or_none(check: Check) -> Check:
    """The same, or null."""
    return lambda value: value is None or check(value)


def list_of(check: Check) -> Check:
    """A list of the same."""
    return lambda value: isinstance(value, list) and len(value) <= MOST and all(map(check, value))


def by_name(check: Check) -> Check:
    """The same for each player, or another text."""
    return lambda value: (
        isinstance(value, dict)
        and len(value) <= MOST
        and all(map(text, value))
        and all(map(check, value.values()))
    )


# --- fields -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Codec:
    """How a value of an event stands in a line, and how it is read from there."""

    write: Callable[[str, Any], dict[str, Any]]
    """From the field's name and the value: one field or more."""
    read: Callable[[str, LineFields], Any]
    holds: Check
    """What may stand there."""


def _plain(make: Callable[[Any], Any], back: Callable[[Any], Any], holds: Check) -> Codec:
    return Codec(lambda name, value: {name: make(value)}, lambda name, line: back(line[name]), holds)


def _as_it_is(holds: Check) -> Codec:
    return _plain(lambda value: value, lambda value: value, holds)


def _play(fields: LineFields) -> Play:
    return Play(fields["seat"], card(fields["card"]))


def _write_card(name: str, value: Card) -> dict[str, Any]:
    """Of a card that nobody saw, whether it won its trick is all there is."""
    if not value.is_unseen:
        return {name: str(value)}
    return {name: str(value), "won": bool(value.strength), "suit": value.suit}


def _read_card(name: str, line: LineFields) -> Card:
    if line[name] == "?":
        return unseen(won=bool(line.get("won")), suit=line.get("suit"))
    return card(line[name])


TEXT = _as_it_is(text)
WHOLE = _as_it_is(whole)
BID_VALUE = _as_it_is(bid_value)
CARD = Codec(_write_card, _read_card, card_name)
CARD_OR_NONE = Codec(_write_card, _read_card, or_none(card_name))
"""Of a line that is the event's own only where there is a card."""
SEATS = _plain(list, tuple, list_of(text))
BIDS = _plain(dict, lambda pairs: tuple(pairs.items()), by_name(bid_value))
POINTS = _plain(dict, lambda pairs: tuple(pairs.items()), by_name(whole))
LEAD = _plain(
    lambda play: play.line() if play else None, lambda play: _play(play) if play else None, or_none(play)
)
LEADS = _plain(
    lambda plays: [play.line() for play in plays], lambda plays: tuple(map(_play, plays)), list_of(play)
)


HEAD_HOLDS: Final[Mapping[str, Check]] = {"seq": whole, "t_ns": stamp, "decided_ns": stamp, "event": text}


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a line."""

    name: str
    holds: Check
    """What may stand in it."""
    codec: Codec | None = None
    """How it stands for a field of the event; None where the rules or the referee add it."""
    of: str = ""
    """The event's own name for it, where that is another."""
    optional: bool = False
    compared: bool = True
    """Whether ``replay --check`` compares it where the truth names it."""

    @property
    def attribute(self) -> str:
        """The name of the event's field."""
        return self.of or self.name


def own(name: str, codec: Codec, of: str = "") -> Field:
    """A field that is the event's own."""
    return Field(name, codec.holds, codec, of)


def more(name: str, holds: Check, *, optional: bool = False, compared: bool = True) -> Field:
    """A field that the rules or the referee add."""
    return Field(name, holds, optional=optional, compared=compared)


DERIVED = more("derived", flag, optional=True)
"""True where a line that can be an event's own follows from another event."""


# --- kinds ------------------------------------------------------------------------------------------------------


def every_line(line: LineFields) -> bool:
    """Whether a line is the event's own: any line is that is not marked ``derived``."""
    return not line.get("derived")


@dataclass(frozen=True, slots=True)
class Kind:
    """All that is known of one event of the journal."""

    name: str
    """As ``event`` has it."""
    fields: tuple[Field, ...]
    """Those beyond :data:`HEAD`."""
    happens: type | None = None
    """The class of what happens at the table; None where it only follows, or is said by the referee."""
    said_by: Literal["rules", "referee", "questions"] = "rules"
    """``referee``: a remark that changes no state; ``questions``: about explanations, so that none says it."""
    compared: bool = False
    """Whether ``replay --check`` compares it."""
    within_ns: int | None = None
    """How far its ``t_ns`` may be off there; None where it follows from others and has no moment of its own."""
    is_own: Callable[[LineFields], bool] = every_line
    """Whether a line of this kind is the event's own, or follows from another."""
    sound: Sound | None = None
    """What is heard of it."""
    tells: Callable[[LineFields], Phrase] | None = None
    """The whole sentence, where one code with the line's fields isn't enough."""
    names: Callable[[LineFields], Phrase] | None = None
    """As :attr:`tells`, in a few words."""
    _columns: tuple[tuple[str, str, Codec | None], ...] = field(init=False, repr=False, compare=False)
    """The fields once more, looked up: each of thousands of lines that a game is read back by wants them."""
    _holds: Mapping[str, Check] = field(init=False, repr=False, compare=False)
    """What may stand in each."""

    def __post_init__(self) -> None:
        columns = tuple((one.name, one.attribute, one.codec) for one in self.fields)
        object.__setattr__(self, "_columns", columns)
        holds = {**HEAD_HOLDS, **{one.name: one.holds for one in self.fields}}
        object.__setattr__(self, "_holds", holds)

    def fault_of(self, line: LineFields) -> WrongValueError | None:
        """What can't be of a line that was read; None where nothing is wrong.

        A field that is missing is no fault: older lines lack some. One that nobody knows (of a later version) may hold
        anything.
        """
        known = self._holds
        for name, value in line.items():
            if not known.get(name, anything)(value):
                return WrongValueError("row.event_garbled", event=self.name, error=name)
        return None

    def said(self, event: Any, **added: Any) -> Said:
        """The line of an event; ``added``: what the rules add."""
        fields: dict[str, Any] = {}
        for name, attribute, codec in self._columns:
            if codec is not None:
                fields.update(codec.write(name, getattr(event, attribute)))
            elif name in added:
                fields[name] = added[name]
        return Said(self.name, fields | added if added else fields)

    def tells_event(self, line: LineFields) -> bool:
        """Whether it is an event's own line."""
        return self.happens is not None and self.is_own(line)

    def event_of(self, line: LineFields) -> Any:
        """The event whose own line it is; None for one that follows.

        ``WrongValueError`` where fields are missing or impossible.
        """
        try:
            if self.happens is None or not self.tells_event(line):
                return None
            values = {
                attribute: codec.read(name, line)
                for name, attribute, codec in self._columns
                if codec is not None
            }
            return self.happens(**values)
        except (KeyError, TypeError, AttributeError) as error:
            raise WrongValueError("row.event_garbled", event=self.name, error=error) from None

    def sentence(self, line: LineFields) -> Phrase:
        """What a line says, as a whole sentence."""
        return self.tells(line) if self.tells is not None else Phrase(f"line.{self.name}", bare(line))

    def brief(self, line: LineFields) -> Phrase:
        """What a line says, in a few words that stand in a sentence."""
        return self.names(line) if self.names is not None else Phrase(f"brief.{self.name}", bare(line))


def bare(line: LineFields) -> dict[str, Any]:
    """A line's fields without its number and its times."""
    return {name: value for name, value in line.items() if name not in HEAD}
