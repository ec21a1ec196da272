"""The spec of a journal event: its fields, conversion to a line and back, what is compared, its phrases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, reduce
from operator import or_
from types import NoneType
from typing import Any, Final, Literal, NamedTuple, NewType, TypeAlias, get_args, get_origin, get_type_hints

from table.cards import BidValue, PlayedCard, UnseenCard, bid_to_json, card, is_card_name, parse_bid
from table.phrase import Phrase, WrongValueError

LineFields: TypeAlias = Mapping[str, Any]
"""The fields of a line of the journal, read-only."""

Sound: TypeAlias = Literal["bid", "refused", "tie", "trick", "revoke", "question"]
"""The sound of an event when it is decided, where the screen has sound."""

CALL_TOLERANCE_NS: Final = 100_000_000
"""How far a call's moment may be off: it is an edge, which the kernel stamps."""
CARD_TOLERANCE_NS: Final = 500_000_000
"""How far a card's moment may be off: it is a frame, and where a hand covers it, one of the frames after."""
MAX_STAMP_NS: Final = 2**61
"""The largest stamp that is accepted: 73 years, which no table's clock reaches."""


class Play(NamedTuple):
    """A card and the player who played it."""

    seat: str
    card: PlayedCard

    def to_json(self) -> dict[str, str]:
        """Return the play as the journal writes it: seat and card."""
        return {"seat": self.seat, "card": str(self.card)}


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement: a journal line without its number and its times."""

    event: str
    fields: Mapping[str, Any] = field(default_factory=dict)


# --- the types of fields ------------------------------------------------------------------------------------------

Stamp = NewType("Stamp", int)
"""The type of a field with a moment in nanoseconds, or a span of them."""

MAX_NAME_LENGTH: Final = 200
"""The most letters of a name or a code in a line."""
MAX_TEXT_LENGTH: Final = 1_000
"""The most letters of any other text: older versions wrote sentences."""
MAX_FIELD_VALUES: Final = 2_000
"""The most values in one field, nested ones included."""


@dataclass(frozen=True, slots=True)
class FieldForm:
    """The form of a field's type in a line: the check of a value that was read, and the conversion to it and back."""

    check: Callable[[Any], bool]
    write: Callable[[Any], Any] = lambda value: value
    read: Callable[[Any], Any] = lambda value: value


def is_bounded(value: Any) -> bool:
    """Return whether a value has bounded size: the number of nested values, and the length of each text."""
    room, pending = MAX_FIELD_VALUES, [value]
    while pending:
        item = pending.pop()
        room -= 1
        if isinstance(item, dict):
            pending += [*item, *item.values()]
        elif isinstance(item, list):
            pending += item
        elif isinstance(item, str) and len(item) > MAX_TEXT_LENGTH:
            return False
        if room < len(pending):
            return False
    return True


def _is_short_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MAX_NAME_LENGTH


def _is_card(value: Any) -> bool:
    return isinstance(value, str) and (value == "?" or is_card_name(value))


def _is_play(value: Any) -> bool:
    return isinstance(value, dict) and _is_short_text(value.get("seat")) and _is_card(value.get("card"))


_FORMS: Final[Mapping[Any, FieldForm]] = {
    Any: FieldForm(is_bounded),
    str: FieldForm(_is_short_text),
    int: FieldForm(lambda value: type(value) is int),
    float: FieldForm(lambda value: type(value) in (int, float)),
    bool: FieldForm(lambda value: type(value) is bool),
    Stamp: FieldForm(lambda value: type(value) is int and abs(value) < MAX_STAMP_NS),
    BidValue: FieldForm(lambda value: type(value) is int or _is_short_text(value), bid_to_json, parse_bid),
    PlayedCard: FieldForm(_is_card, str, card),
    Play: FieldForm(_is_play, Play.to_json, lambda play: Play(play["seat"], card(play["card"]))),
}


@cache
def _form_of(kind: Any) -> FieldForm:
    """Return the form of a type; a tuple of pairs stands in a line as an object (by player, mostly)."""
    arguments = get_args(kind)
    if kind in _FORMS:
        return _FORMS[kind]
    if NoneType in arguments:
        form = _form_of(reduce(or_, (other for other in arguments if other is not NoneType)))
        return FieldForm(
            lambda value: value is None or form.check(value),
            lambda value: None if value is None else form.write(value),
            lambda value: None if value is None else form.read(value),
        )
    if get_origin(kind) is dict or get_origin(arguments[0]) is tuple:
        name, item = map(_form_of, arguments if get_origin(kind) is dict else get_args(arguments[0]))
        return FieldForm(
            lambda value: (
                isinstance(value, dict)
                and len(value) <= MAX_FIELD_VALUES
                and all(map(name.check, value))
                and all(map(item.check, value.values()))
            ),
            lambda pairs: {key: item.write(value) for key, value in pairs},
            lambda held: tuple((key, item.read(value)) for key, value in held.items()),
        )
    each = _form_of(arguments[0])
    return FieldForm(
        lambda value: (
            isinstance(value, list) and len(value) <= MAX_FIELD_VALUES and all(map(each.check, value))
        ),
        lambda values: [*map(each.write, values)],
        lambda values: tuple(map(each.read, values)),
    )


def is_not_derived(line: LineFields) -> bool:
    """Return whether a line is the event's own: every line is that is not marked ``derived``."""
    return not line.get("derived")


HEADER_TYPES: Final[Mapping[str, Any]] = {"seq": int, "t_ns": Stamp, "decided_ns": Stamp, "event": str}
"""The fields that the journal adds to an announcement."""


def without_header(line: LineFields) -> dict[str, Any]:
    """Return a line's fields without its number and its times."""
    return {name: value for name, value in line.items() if name not in HEADER_TYPES}


# --- event specs ------------------------------------------------------------------------------------------------


class _Column(NamedTuple):
    """A field of a kind of line."""

    name: str
    form: FieldForm
    attribute: str | None
    """The name in the event; None for a field that the rules or the referee add."""
    is_required: bool


@dataclass(frozen=True, eq=False)
class EventSpec:
    """The spec of one kind of line in the journal."""

    name: str
    """The value of ``event`` in its lines."""
    event_class: type | None = None
    """The class of the event at the table; None where the line only follows from others, or is the referee's remark."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """The types of the fields that the rules or the referee add, in their order after the event's own. A line may lack
    a field whose name ends in a question mark. The event's own are listed where their place or their type differs.
    """
    seat_name: str = "seat"
    """The name in the line of the event's field ``seat``."""
    origin: Literal["rules", "referee", "questions"] = "rules"
    """``referee``: a remark that changes no state; ``questions``: about hypotheses, and so part of none."""
    compared: bool = False
    """Whether ``replay --check`` compares it although it follows from others and has no moment of its own."""
    uncompared_fields: tuple[str, ...] = ()
    """The fields that ``replay --check`` does not compare, whatever the truth says."""
    tolerance_ns: int | None = None
    """How far its ``t_ns`` may differ where ``replay --check`` compares it."""
    is_own: Callable[[LineFields], bool] = is_not_derived
    """Whether a line of this kind is the event's own, or follows from another."""
    sound: Sound | None = None
    is_ruling: bool = False
    """Whether the referee decides about players by it, or people about the referee."""
    sentence_code: Callable[[LineFields], str] | None = None
    """Chooses the code of the whole sentence, where ``line.NAME`` does not fit all lines."""
    make_sentence: Callable[[LineFields], Phrase] | None = None
    """Makes the whole sentence, where a code with the line's fields is not enough."""
    brief_code: Callable[[LineFields], str] | None = None
    """Chooses the code of the brief phrase, where ``brief.NAME`` does not fit all lines."""

    @cached_property
    def _columns(self) -> tuple[_Column, ...]:
        """The fields without the header, in their order."""
        own = get_type_hints(self.event_class) if self.event_class else {}
        names = {self.seat_name if attribute == "seat" else attribute: attribute for attribute in own}
        types = {name: own[attribute] for name, attribute in names.items() if name not in self.fields}
        types |= {**self.fields, **({"derived?": bool} if self.event_class else {})}
        return tuple(
            _Column(name.rstrip("?"), _form_of(kind), names.get(name), not name.endswith("?"))
            for name, kind in types.items()
        )

    @cached_property
    def forms(self) -> Mapping[str, FieldForm]:
        """The form of each field, the header included."""
        header = {name: _form_of(kind) for name, kind in HEADER_TYPES.items()}
        return {**header, **{column.name: column.form for column in self._columns}}

    @cached_property
    def required(self) -> frozenset[str]:
        """The names of the fields that every line has."""
        return frozenset(column.name for column in self._columns if column.is_required)

    def check_line(self, line: LineFields) -> WrongValueError | None:
        """Return a read line's first invalid field, or None; older lines lack fields, later ones have others."""
        forms = self.forms
        for name, value in line.items():
            if not (forms[name].check if name in forms else is_bounded)(value):
                return WrongValueError("row.event_garbled", event=self.name, error=name)
        return None

    def announcement(self, event: Any, **added: Any) -> Announcement:
        """Return the line of an event; ``added``: what the rules add."""
        fields: dict[str, Any] = {}
        for name, form, attribute, _ in self._columns:
            if attribute is not None:
                value = getattr(event, attribute)
                fields[name] = form.write(value)
                if isinstance(value, UnseenCard):
                    # Only the result of its trick is known, and the suit.
                    fields |= {"won": value.won, "suit": value.suit}
            elif name in added:
                fields[name] = added[name]
        return Announcement(self.name, fields | added if added else fields)

    def is_own_line(self, line: LineFields) -> bool:
        """Return whether a line is an event's own, and does not follow from another event."""
        return self.event_class is not None and self.is_own(line)

    def event_from_line(self, line: LineFields) -> Any:
        """Return the event whose own line it is, None for one that follows; or raise ``WrongValueError``."""
        try:
            if self.event_class is None or not self.is_own_line(line):
                return None
            values = {
                attribute: UnseenCard(bool(line.get("won")), line.get("suit"))
                if (name, line[name]) == ("card", "?")
                else form.read(line[name])
                for name, form, attribute, _ in self._columns
                if attribute is not None
            }
            return self.event_class(**values)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise WrongValueError("row.event_garbled", event=self.name, error=error) from None

    def sentence(self, line: LineFields) -> Phrase:
        """Return a line's phrase as a whole sentence."""
        if self.make_sentence is not None:
            return self.make_sentence(line)
        code = self.sentence_code(line) if self.sentence_code is not None else f"line.{self.name}"
        return Phrase(code, without_header(line))

    def brief(self, line: LineFields) -> Phrase:
        """Return a line's phrase in a few words that are used within a sentence."""
        code = self.brief_code(line) if self.brief_code is not None else f"brief.{self.name}"
        return Phrase(code, without_header(line))
