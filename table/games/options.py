"""Checking a game's options: a wrong one is a ``ValueError`` of one line that names it and what was expected."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Check: TypeAlias = Callable[[Any], Any]
"""Takes a given value, returns it as the game uses it, or raises ``ValueError`` without a text of its own."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game, as ``cardtable games`` lists it."""

    name: str
    check: Check
    default: Any
    kind: str
    """What is expected, in words: ``true or false``, ``a number from 1 to 10``, ``down-up, down or up-down``."""
    help: str


def whole(low: int, high: int | None = None) -> Check:
    """A whole number in a range."""

    def check(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < low:
            raise ValueError
        if high is not None and value > high:
            raise ValueError
        return value

    return check


def one_of(*choices: Any) -> Check:
    """One of a few values; ``1`` is not ``true``."""

    def check(value: Any) -> Any:
        for choice in choices:
            if type(choice) is type(value) and choice == value:
                return choice
        raise ValueError

    return check


def truth(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError
    return value


def sizes(value: Any) -> list[int] | None:
    """A list of hand sizes, or None."""
    if value is None:
        return None
    if isinstance(value, str) or not isinstance(value, Sequence) or not value:
        raise ValueError
    return [whole(1)(size) for size in value]


def off_or(check: Check) -> Check:
    """``check`` for a number, or off: None, false or 0."""

    def checked(value: Any) -> Any:
        off = value is None or (isinstance(value, int) and value == 0)
        return None if off else check(value)

    return checked


def left_out_or(check: Check) -> Check:
    """``check``, or None where the option is left out and something else settles it."""
    return lambda value: None if value is None else check(value)


HANDS = Option(
    "hands", sizes, None, "a list of hand sizes such as [3, 2, 1]", "the hands to deal; they end the game"
)
FIRST_DEALER = Option(
    "first_dealer",
    lambda value: value,
    None,
    "a player's name",
    "who deals first (the first seat unless named)",
)
"""Who may deal first depends on the seats."""


def resolve(
    game: str,
    seats: tuple[str, ...],
    offered: Sequence[Option],
    given: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Every offered option with its value, defaults filled in, in the order offered."""
    given = dict(given or {})
    names = [option.name for option in offered]
    for name in given:
        if name not in names:
            raise ValueError(f"{game} has no option {name!r} (expected one of {', '.join(names)})")
    values: dict[str, Any] = {}
    for option in offered:
        value = given.get(option.name, option.default)
        try:
            values[option.name] = option.check(value)
        except ValueError:
            raise ValueError(f"{game}: option {option.name}: expected {option.kind}, got {value!r}") from None
    dealer = values["first_dealer"]
    if dealer is None:
        values["first_dealer"] = seats[0]
    elif dealer not in seats:
        expected = ", ".join(seats)
        raise ValueError(
            f"{game}: option first_dealer: nobody is called {dealer!r} (expected one of {expected})"
        )
    return values


def check_seats(game: str, seats: Sequence[str], seat_range: tuple[int, int]) -> tuple[str, ...]:
    """The seats, all different and as many as the game takes."""
    found = tuple(seats)
    low, high = seat_range
    if not low <= len(found) <= high:
        expected = f"{low}" if low == high else f"{low} to {high}"
        raise ValueError(f"{game} is for {expected} players, not {len(found)}")
    if any(not isinstance(seat, str) or not seat for seat in found):
        raise ValueError(f"{game}: every seat needs a name")
    if len(set(found)) != len(found):
        raise ValueError(f"{game}: two seats have the same name (expected a name for each)")
    return found


def check_sizes(game: str, hands: Sequence[int], players: int, cards: int, *, option: str = "hands") -> None:
    """Refuse hands larger than ``cards`` among ``players`` allows."""
    most = cards // players
    for size in hands:
        if size > most:
            raise ValueError(
                f"{game}: option {option}: {size} cards for each of {players} players are too many "
                f"(expected at most {most})"
            )
