"""Checking a game's options: a wrong one is a ``WrongValueError`` that names it and what was expected."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from table.phrase import Phrase, WrongValueError, expected, say


@dataclass(frozen=True, slots=True)
class Check:
    """What an option may be."""

    kind: Phrase
    """What is expected, as ``cardtable games`` and complaints say it."""
    takes: Callable[[Any], Any]
    """Takes a given value, returns it as the game uses it, or raises ``ValueError`` without a text of its own."""

    def __call__(self, value: Any) -> Any:
        """The value as the game uses it; ``ValueError`` where it can't be."""
        return self.takes(value)


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game, as ``cardtable games`` lists it."""

    name: str
    check: Check
    default: Any
    shared: bool = False
    """Whether all games have it: its words are ``option.NAME`` in the catalogue, otherwise ``option.GAME.NAME``."""

    def about(self, game: str) -> Phrase:
        """What it decides in the game of that name."""
        return Phrase(f"option.{self.name}" if self.shared else f"option.{game}.{self.name}")


def option(name: str) -> Phrase:
    """The place of an option, for what is wrong there."""
    return say("at.option", name=name)


def whole(low: int) -> Check:
    """A whole number of at least ``low``."""

    def takes(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < low:
            raise ValueError
        return value

    return Check(say("expected.whole_from", low=low), takes)


def one_of(*choices: Any) -> Check:
    """One of a few values; ``1`` is not ``true``."""

    def takes(value: Any) -> Any:
        for choice in choices:
            if type(choice) is type(value) and choice == value:
                return choice
        raise ValueError

    return Check(say("expected.choice", choices=choices), takes)


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


truth = Check(say("expected.truth"), _truth)
"""True or false."""


def _sizes(value: Any) -> list[int] | None:
    if value is None:
        return None
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        raise ValueError
    return [whole(1)(size) for size in value]


def off_or(check: Check) -> Check:
    """``check`` for a number, or off: None, false or 0."""

    def takes(value: Any) -> Any:
        off = value is None or (isinstance(value, int) and value == 0)
        return None if off else check(value)

    return Check(say("expected.off_or", what=check.kind), takes)


def left_out_or(check: Check) -> Check:
    """``check``, or None where the option is left out and something else settles it."""
    return Check(check.kind, lambda value: None if value is None else check(value))


HANDS = Option("hands", Check(say("expected.hands"), _sizes), None, shared=True)
"""The hands to deal; they end the game."""
FIRST_DEALER = Option("first_dealer", Check(say("expected.player"), lambda value: value), None, shared=True)
"""Who deals first, which depends on the seats."""


def resolve(
    seats: tuple[str, ...], offered: Sequence[Option], given: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Every offered option with its value, defaults filled in, in the order offered."""
    given = dict(given or {})
    names = [one.name for one in offered]
    for name in given:
        if name not in names:
            raise WrongValueError("option.unknown", at=option(name), known=names)
    values: dict[str, Any] = {}
    for one in offered:
        value = given.get(one.name, one.default)
        try:
            values[one.name] = one.check(value)
        except ValueError:
            raise expected(one.check.kind, at=option(one.name), instead=value) from None
    dealer = values["first_dealer"]
    if dealer is None:
        values["first_dealer"] = seats[0]
    elif dealer not in seats:
        raise WrongValueError("option.nobody", at=option("first_dealer"), name=dealer, seats=seats)
    return values


def check_seats(seats: Sequence[str], seat_range: tuple[int, int]) -> tuple[str, ...]:
    """The seats, all different and as many as the game takes."""
    found = tuple(seats)
    low, high = seat_range
    if not low <= len(found) <= high:
        raise WrongValueError("option.players", range=so_many(low, high), n=len(found))
    if any(not isinstance(seat, str) or not seat for seat in found):
        raise WrongValueError("option.nameless")
    if len(set(found)) != len(found):
        raise WrongValueError("option.same_name")
    return found


def so_many(low: int, high: int) -> Phrase:
    """``3 to 7 players``."""
    return say("menu.for_so_many" if low == high else "menu.for_players", low=low, high=high)


def check_sizes(hands: Sequence[int], players: int, cards: int, *, name: str = "hands") -> None:
    """Refuse hands larger than ``cards`` among ``players`` allows; ``name``: of the option that they come from."""
    most = cards // players
    for size in hands:
        if size > most:
            raise WrongValueError(
                "option.too_many_cards", at=option(name), size=size, players=players, most=most
            )
