"""Options of games and their checks: a ``WrongValueError`` names a wrong option and says what was expected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from table.phrase import Phrase, WrongValueError, make_phrase

OFFERED_NUMBERS = 20
"""How many numbers the menu offers where a check does not name them."""


@dataclass(frozen=True, slots=True)
class Check:
    """The check of an option's value."""

    kind: Phrase
    """The expected values, as ``cardtable games`` and error messages name them."""
    takes: Callable[[Any], Any]
    """A function that returns a given value as the game uses it, or raises ``ValueError`` without a text of its own."""
    choices: tuple[Any, ...] = ()
    """The values that the menu offers, in that order."""
    item: Check | None = None
    """The check of each item, where the value is a list: the menu puts it together of the item's choices."""
    unset: str = "rule.usual"
    """The code of the words for None."""


def option(check: Check, default: Any = None) -> Any:
    """Declare a field of a game's options, with its check and its default."""
    return field(default=default, metadata={"check": check})


def option_place(name: str) -> Phrase:
    """Return the place of an option, for errors in it."""
    return make_phrase("at.option", name=name)


def _accept(value: Any, valid: bool) -> Any:
    if not valid:
        raise ValueError
    return value


def whole_number_from(low: int, offered: Sequence[int] = ()) -> Check:
    """Return the check for a whole number of at least ``low``; the menu offers some, from ``low`` unless given."""
    kind = make_phrase("expected.whole_from", low=low)
    choices = tuple(offered or range(low, low + OFFERED_NUMBERS))
    return Check(kind, lambda value: _accept(value, type(value) is int and value >= low), choices)


def one_of(*choices: Any) -> Check:
    """Return the check for one of a few values; ``1`` is not ``true``."""
    kinds = [(type(choice), choice) for choice in choices]
    kind = make_phrase("expected.choice", choices=choices)
    return Check(kind, lambda value: _accept(value, (type(value), value) in kinds), choices)


true_or_false = Check(
    make_phrase("expected.truth"), lambda value: _accept(value, isinstance(value, bool)), (True, False)
)
_hand_size = whole_number_from(1)


def _check_hand_sizes(value: Any) -> tuple[int, ...] | None:
    if value is None:
        return None
    _accept(value, isinstance(value, Sequence) and not isinstance(value, str) and len(value) > 0)
    return tuple(map(_hand_size.takes, value))


hand_sizes = Check(make_phrase("expected.hands"), _check_hand_sizes, item=_hand_size)
player_name = Check(make_phrase("expected.player"), lambda value: value)
"""The check for a player's name, which depends on the seats and follows later."""


def off_or(check: Check) -> Check:
    """Return the check that takes ``check``'s values, or off: None, false or 0."""

    def takes(value: Any) -> Any:
        is_off = value is None or (isinstance(value, int) and value == 0)
        return None if is_off else check.takes(value)

    kind = make_phrase("expected.off_or", what=check.kind)
    return Check(kind, takes, (None, *check.choices), unset="rule.off")


def optional_value(check: Check) -> Check:
    """Return the check that takes ``check``'s values, or None where the option is left out and settled otherwise."""
    return Check(
        check.kind, lambda value: None if value is None else check.takes(value), (None, *check.choices)
    )


def check_seats(seats: Sequence[str], seat_range: tuple[int, int]) -> tuple[str, ...]:
    """Return the seats if they are all different and the game allows their number; otherwise ``WrongValueError``."""
    names = tuple(seats)
    low, high = seat_range
    if not low <= len(names) <= high:
        raise WrongValueError("option.players", range=player_count_phrase(low, high), n=len(names))
    if any(not isinstance(seat, str) or not seat for seat in names):
        raise WrongValueError("option.nameless")
    if len(set(names)) != len(names):
        raise WrongValueError("option.same_name")
    return names


def player_count_phrase(low: int, high: int) -> Phrase:
    """Return the phrase for a number of players, such as ``3 to 7 players``."""
    return make_phrase("menu.for_so_many" if low == high else "menu.for_players", low=low, high=high)


def check_hand_sizes(hands: Sequence[int], players: int, cards: int, *, name: str = "hands") -> None:
    """Refuse hands that are larger than a pack of ``cards`` allows; ``name``: the option that they come from."""
    most = cards // players
    for size in hands:
        if size > most:
            raise WrongValueError(
                "option.too_many_cards", at=option_place(name), size=size, players=players, most=most
            )
