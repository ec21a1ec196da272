"""What to press: the gestures of a seat's buttons (the same that ``table.buttons.patterns`` hears)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from table.games.base import Expected, Phase, State
from table.phrase import Phrase, say
from table.referee.view import Controls

Kind = Literal["two", "one", "knock"]
Gesture = Literal["number", "rap", "fist", "double_nil", "auction", "wrong"]
"""To bid a number of tricks; to rap; to put the fist on the table; the Double Nil; to bid in an auction; "that's
wrong"."""

_IN_COMMON: Final[Mapping[Gesture, str]] = {"number": "press.any_number", "wrong": "press.any_wrong"}
"""What is said of gestures whose ways all together fit no line."""


@dataclass(frozen=True, slots=True)
class Pressing:
    """The gestures of some seats, as parts of a sentence."""

    kinds: tuple[Kind, ...]
    """The kinds of their buttons."""

    def __call__(self, gesture: Gesture) -> Phrase:
        """How that is pressed; where it differs between the seats, each way or what they have in common."""
        ways: dict[Kind, Kind] = {}
        for kind in self.kinds:
            ways.setdefault(_pressed_as(kind, gesture), kind)
        if len(ways) == 1:
            return say(f"press.{self.kinds[0]}.{gesture}")
        if gesture in _IN_COMMON:
            return say(_IN_COMMON[gesture])
        short = "rap" if gesture == "fist" else gesture
        return say("press.either", ways=tuple(say(f"press.{kind}.{short}") for kind in ways.values()))


def _pressed_as(kind: Kind, gesture: Gesture) -> Kind:
    """A knock is a rap, and BID does beside a knock sensor what it does beside RAP, unless RAP is to be held."""
    if kind != "knock" or gesture == "wrong":
        return kind
    return "one" if gesture == "double_nil" else "two"


def pressing(seats: Iterable[str], controls: Mapping[str, Controls]) -> Pressing:
    """The gestures of these seats."""
    kinds = {controls.get(seat, Controls()).kind for seat in seats}
    return Pressing(tuple(kind for kind in get_args(Kind) if kind in kinds) or ("two",))


def awaited_gesture(state: State, expected: Expected, press: Pressing) -> Phrase | None:
    """How the call is made that the table waits for; None where it waits for a card."""
    match expected.phase:
        case Phase.DEAL | Phase.PASS_CARDS:
            return press("rap")
        case Phase.SECRET_BID:
            return press("number" if state.all_have_rapped else "fist")
        case Phase.AUCTION:
            return press("auction")
        case Phase.BID if expected.free and not expected.must:
            return say("help.bid_or_wait", how=press("number"), rap=press("rap"))
        case Phase.BID:
            return press("number")
        case Phase.NAME_SUIT:
            return say("help.name_suit", rap=press("rap"))
        case _:
            return None
