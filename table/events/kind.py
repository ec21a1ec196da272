"""How an event of the journal is described: its fields, its line and back, what is compared of it, its phrases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from table.cards import Card, card, unseen
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


# --- fields -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Codec:
    """How a value of an event stands in a line, and how it is read from there."""

    write: Callable[[str, Any], dict[str, Any]]
    """From the field's name and the value: one field or more."""
    read: Callable[[str, LineFields], Any]


def _plain(make: Callable[[Any], Any], back: Callable[[Any], Any]) -> Codec:
    return Codec(lambda name, value: {name: make(value)}, lambda name, line: back(line[name]))


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


AS_IT_IS = _plain(lambda value: value, lambda value: value)
CARD = Codec(_write_card, _read_card)
SEATS = _plain(list, tuple)
BY_SEAT = _plain(dict, lambda pairs: tuple(pairs.items()))
LEAD = _plain(lambda play: play.line() if play else None, lambda play: _play(play) if play else None)
LEADS = _plain(lambda plays: [play.line() for play in plays], lambda plays: tuple(map(_play, plays)))


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a line."""

    name: str
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


def own(name: str, codec: Codec = AS_IT_IS, of: str = "") -> Field:
    """A field that is the event's own."""
    return Field(name, codec, of)


def more(name: str, *, optional: bool = False, compared: bool = True) -> Field:
    """A field that the rules or the referee add."""
    return Field(name, optional=optional, compared=compared)


DERIVED = more("derived", optional=True)
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

    def __post_init__(self) -> None:
        columns = tuple((one.name, one.attribute, one.codec) for one in self.fields)
        object.__setattr__(self, "_columns", columns)

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
