"""Checks of a game's options: a ``WrongValueError`` names a wrong option and says what was expected."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from table.phrase import Phrase, WrongValueError, expected_error, make_phrase


@dataclass(frozen=True, slots=True)
class Check:
    """The check of an option's value."""

    kind: Phrase
    """The expected values, as ``cardtable games`` and error messages name them."""
    takes: Callable[[Any], Any]
    """A function that returns a given value as the game uses it, or raises ``ValueError`` without a text of its own."""

    def __call__(self, value: Any) -> Any:
        """Return the value as the game uses it; ``ValueError`` where it is not allowed."""
        return self.takes(value)


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game, as ``cardtable games`` lists it."""

    name: str
    check: Check
    default: Any
    shared: bool = False
    """Whether all games have it: its text is ``option.NAME`` in the catalogue, otherwise ``option.GAME.NAME``."""

    def about(self, game: str) -> Phrase:
        """Return what it decides in the game of that name."""
        return Phrase(f"option.{self.name}" if self.shared else f"option.{game}.{self.name}")


def option_place(name: str) -> Phrase:
    """Return the place of an option, for errors in it."""
    return make_phrase("at.option", name=name)


def whole_number_from(low: int) -> Check:
    """Return the check for a whole number of at least ``low``."""

    def takes(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < low:
            raise ValueError
        return value

    return Check(make_phrase("expected.whole_from", low=low), takes)


def one_of(*choices: Any) -> Check:
    """Return the check for one of a few values; ``1`` is not ``true``."""

    def takes(value: Any) -> Any:
        for choice in choices:
            if type(choice) is type(value) and choice == value:
                return choice
        raise ValueError

    return Check(make_phrase("expected.choice", choices=choices), takes)


def _check_truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


true_or_false = Check(make_phrase("expected.truth"), _check_truth)
"""The check for true or false."""


def _check_hand_sizes(value: Any) -> list[int] | None:
    if value is None:
        return None
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        raise ValueError
    return [whole_number_from(1)(size) for size in value]


def off_or(check: Check) -> Check:
    """Return the check that takes ``check``'s values, or off: None, false or 0."""

    def takes(value: Any) -> Any:
        is_off = value is None or (isinstance(value, int) and value == 0)
        return None if is_off else check(value)

    return Check(make_phrase("expected.off_or", what=check.kind), takes)


def optional_value(check: Check) -> Check:
    """Return the check that takes ``check``'s values, or None where the option is left out and settled otherwise."""
    return Check(check.kind, lambda value: None if value is None else check(value))


HANDS = Option("hands", Check(make_phrase("expected.hands"), _check_hand_sizes), None, shared=True)
"""The sizes of the hands to deal; the game ends after them."""
FIRST_DEALER = Option(
    "first_dealer", Check(make_phrase("expected.player"), lambda value: value), None, shared=True
)
"""The first dealer, which depends on the seats."""


def resolve_options(
    seats: tuple[str, ...], offered: Sequence[Option], given: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return every offered option with its value, defaults filled in, in the order offered."""
    given = dict(given or {})
    names = [offered_option.name for offered_option in offered]
    for name in given:
        if name not in names:
            raise WrongValueError("option.unknown", at=option_place(name), known=names)
    values: dict[str, Any] = {}
    for offered_option in offered:
        value = given.get(offered_option.name, offered_option.default)
        try:
            values[offered_option.name] = offered_option.check(value)
        except ValueError:
            raise expected_error(
                offered_option.check.kind, at=option_place(offered_option.name), instead=value
            ) from None
    dealer = values["first_dealer"]
    if dealer is None:
        values["first_dealer"] = seats[0]
    elif dealer not in seats:
        raise WrongValueError("option.nobody", at=option_place("first_dealer"), name=dealer, seats=seats)
    return values


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
