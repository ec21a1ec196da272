"""The spec of a journal event: its fields, conversion to a line and back, what is compared, its phrases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

from table.cards import PlayedCard, UnseenCard, bid_to_json, card, is_card_name, parse_bid
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


@dataclass(frozen=True, slots=True)
class Play:
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


# --- checks of field values ---------------------------------------------------------------------------------------

Check: TypeAlias = Callable[[Any], bool]
"""Whether a value that was read from a line is valid in a field."""

MAX_NAME_LENGTH: Final = 200
"""The most letters of a name or a code in a line."""
MAX_TEXT_LENGTH: Final = 1_000
"""The most letters of any other text: older versions wrote sentences."""
MAX_FIELD_VALUES: Final = 2_000
"""The most values in one field, nested ones included."""


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


def is_short_text(value: Any) -> bool:
    """Return whether a value is a name or a code."""
    return isinstance(value, str) and len(value) <= MAX_NAME_LENGTH


def _of_type(*kinds: type) -> Check:
    return lambda value: type(value) in kinds


is_whole_number = _of_type(int)
is_number = _of_type(int, float)
is_flag = _of_type(bool)


def is_stamp(value: Any) -> bool:
    """Return whether a value is a moment in nanoseconds, or a span of them."""
    return type(value) is int and abs(value) < MAX_STAMP_NS


def is_card_or_unseen(value: Any) -> bool:
    """Return whether a value is a card's name, or ``?`` for an unseen card."""
    return isinstance(value, str) and (value == "?" or is_card_name(value))


def is_bid_value(value: Any) -> bool:
    """Return whether a value is a bid: a number, or a text as in an auction."""
    return is_whole_number(value) or is_short_text(value)


def is_play(value: Any) -> bool:
    """Return whether a value is a card with its player."""
    return (
        isinstance(value, dict) and is_short_text(value.get("seat")) and is_card_or_unseen(value.get("card"))
    )


def null_or(check: Check) -> Check:
    """Return the check that accepts null and the values of another check."""
    return lambda value: value is None or check(value)


def list_of(check: Check) -> Check:
    """Return the check for a list whose values all pass another check."""
    return lambda value: isinstance(value, list) and len(value) <= MAX_FIELD_VALUES and all(map(check, value))


def mapping_of(check: Check) -> Check:
    """Return the check for an object with text keys (mostly players) whose values all pass another check."""
    return lambda value: (
        isinstance(value, dict)
        and len(value) <= MAX_FIELD_VALUES
        and all(map(is_short_text, value))
        and all(map(check, value.values()))
    )


def is_not_derived(line: LineFields) -> bool:
    """Return whether a line is the event's own: every line is that is not marked ``derived``."""
    return not line.get("derived")


HEADER_CHECKS: Final[Mapping[str, Check]] = {
    "seq": is_whole_number,
    "t_ns": is_stamp,
    "decided_ns": is_stamp,
    "event": is_short_text,
}
"""The checks of the fields that the journal adds to an announcement."""


def without_header(line: LineFields) -> dict[str, Any]:
    """Return a line's fields without its number and its times."""
    return {name: value for name, value in line.items() if name not in HEADER_CHECKS}


# --- the event's own fields ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Codec:
    """The conversion of an event's field to fields of a line, and back."""

    check: Check
    write: Callable[[str, Any], dict[str, Any]] = lambda name, value: {name: value}
    """Takes the field's name and the value; returns one field or more."""
    read: Callable[[str, LineFields], Any] = lambda name, line: line[name]
    attribute: str = ""
    """The name of the event's field, where that differs."""


def _value_codec(check: Check, to_line: Callable[[Any], Any], from_line: Callable[[Any], Any]) -> Codec:
    return Codec(check, lambda name, value: {name: to_line(value)}, lambda name, line: from_line(line[name]))


def _read_play(fields: LineFields) -> Play:
    return Play(fields["seat"], card(fields["card"]))


def _write_card(name: str, value: PlayedCard) -> dict[str, Any]:
    """Write a card; of an unseen card only the result of its trick is known, and the suit."""
    unseen = {"won": value.won, "suit": value.suit} if isinstance(value, UnseenCard) else {}
    return {name: str(value), **unseen}


def _read_card(name: str, line: LineFields) -> PlayedCard:
    if line[name] == "?":
        return UnseenCard(bool(line.get("won")), line.get("suit"))
    return card(line[name])


TEXT = Codec(is_short_text)
DEALER = Codec(is_short_text, attribute="seat")
WHOLE_NUMBER = Codec(is_whole_number)
BID = _value_codec(is_bid_value, bid_to_json, parse_bid)
CARD = Codec(is_card_or_unseen, _write_card, _read_card)
CARD_OR_NULL = Codec(null_or(is_card_or_unseen), _write_card, _read_card)
"""A card or null; the line is the event's own only where there is a card."""
SEATS = _value_codec(list_of(is_short_text), list, tuple)
BIDS = _value_codec(
    mapping_of(is_bid_value),
    lambda bids: {seat: bid_to_json(bid) for seat, bid in bids},
    lambda bids: tuple((seat, parse_bid(bid)) for seat, bid in bids.items()),
)
POINTS = _value_codec(mapping_of(is_whole_number), dict, lambda points: tuple(points.items()))
LEAD = _value_codec(
    null_or(is_play),
    lambda play: play.to_json() if play else None,
    lambda play: _read_play(play) if play else None,
)
LEADS = _value_codec(
    list_of(is_play),
    lambda plays: [play.to_json() for play in plays],
    lambda plays: tuple(map(_read_play, plays)),
)


# --- event specs ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class EventSpec:
    """The spec of one kind of line in the journal."""

    name: str
    """The value of ``event`` in its lines."""
    fields: Mapping[str, Codec | Check]
    """The fields besides the header, in their order: the event's own with their codec; those that the rules or the
    referee add with their check. A line may lack a field whose name ends in a question mark.
    """
    event_class: type | None = None
    """The class of the event at the table; None where the line only follows from others, or is the referee's remark."""
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
    sentence_code: Callable[[LineFields], str] | None = None
    """Chooses the code of the whole sentence, where ``line.NAME`` does not fit all lines."""
    make_sentence: Callable[[LineFields], Phrase] | None = None
    """Makes the whole sentence, where a code with the line's fields is not enough."""
    brief_code: Callable[[LineFields], str] | None = None
    """Chooses the code of the brief phrase, where ``brief.NAME`` does not fit all lines."""

    @cached_property
    def required(self) -> frozenset[str]:
        """The names of the fields that every line has."""
        return frozenset(name for name in self.fields if not name.endswith("?"))

    @cached_property
    def checks(self) -> Mapping[str, Check]:
        """The check of each field, the header included."""
        checks = {
            name.rstrip("?"): kind.check if isinstance(kind, Codec) else kind
            for name, kind in self.fields.items()
        }
        return {**HEADER_CHECKS, **checks}

    @cached_property
    def _columns(self) -> tuple[tuple[str, str, Codec | None], ...]:
        """The name of each field, the name in the event, and its codec, if it is the event's own."""
        codecs = {name: kind if isinstance(kind, Codec) else None for name, kind in self.fields.items()}
        return tuple(
            (name.rstrip("?"), (codec and codec.attribute) or name, codec) for name, codec in codecs.items()
        )

    def check_line(self, line: LineFields) -> WrongValueError | None:
        """Return a read line's first invalid field, or None; older lines lack fields, later ones have others."""
        checks = self.checks
        for name, value in line.items():
            if not checks.get(name, is_bounded)(value):
                return WrongValueError("row.event_garbled", event=self.name, error=name)
        return None

    def announcement(self, event: Any, **added: Any) -> Announcement:
        """Return the line of an event; ``added``: what the rules add."""
        fields: dict[str, Any] = {}
        for name, attribute, codec in self._columns:
            if codec is not None:
                fields.update(codec.write(name, getattr(event, attribute)))
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
                attribute: codec.read(name, line)
                for name, attribute, codec in self._columns
                if codec is not None
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
