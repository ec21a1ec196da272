"""Hints which button gesture to make; they match what ``table.buttons.press_patterns`` recognises."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from table.games.engine.game_state import Expected, Phase, State
from table.phrase import Phrase, make_phrase
from table.referee.model.view import Controls

ButtonKind = Literal["two", "one", "knock"]
"""The kind of a seat's buttons: two buttons, one button, or a button and a knock sensor."""
Gesture = Literal["number", "rap", "fist", "double_nil", "auction", "wrong"]
"""A gesture to explain: bid a number of tricks, rap, put the fist on the table, bid Double Nil, bid in an auction, or
report "that's wrong".
"""

_COMMON_HINTS: Final[Mapping[Gesture, str]] = {"number": "press.any_number", "wrong": "press.any_wrong"}
"""The common hint for gestures whose variants together are too long for a line."""


@dataclass(frozen=True, slots=True)
class GestureHints:
    """The gesture hints for some seats, as parts of a sentence."""

    kinds: tuple[ButtonKind, ...]
    """The kinds of the seats' buttons."""

    def __call__(self, gesture: Gesture) -> Phrase:
        """Return the hint for a gesture; when seats differ, every variant or what they have in common."""
        kinds_by_hint: dict[ButtonKind, ButtonKind] = {}
        for kind in self.kinds:
            kinds_by_hint.setdefault(_hint_kind(kind, gesture), kind)
        if len(kinds_by_hint) == 1:
            return make_phrase(f"press.{self.kinds[0]}.{gesture}")
        if gesture in _COMMON_HINTS:
            return make_phrase(_COMMON_HINTS[gesture])
        short = "rap" if gesture == "fist" else gesture
        return make_phrase(
            "press.either",
            ways=tuple(make_phrase(f"press.{kind}.{short}") for kind in kinds_by_hint.values()),
        )


def _hint_kind(kind: ButtonKind, gesture: Gesture) -> ButtonKind:
    """Return the kind of buttons whose hint applies.

    A knock counts as a rap. BID works beside a knock sensor as beside RAP, except where RAP must be held.
    """
    if kind != "knock" or gesture == "wrong":
        return kind
    return "one" if gesture == "double_nil" else "two"


def gesture_hints_for(seats: Iterable[str], controls: Mapping[str, Controls]) -> GestureHints:
    """Return the gesture hints for these seats, by the kinds of their buttons."""
    kinds = {controls.get(seat, Controls()).kind for seat in seats}
    return GestureHints(tuple(kind for kind in get_args(ButtonKind) if kind in kinds) or ("two",))


def awaited_gesture(state: State, expected: Expected, press: GestureHints) -> Phrase | None:
    """Return the hint for the call that the table waits for; None when it waits for a card."""
    match expected.phase:
        case Phase.DEAL | Phase.PASS_CARDS:
            return press("rap")
        case Phase.SECRET_BID:
            return press("number" if state.all_have_rapped else "fist")
        case Phase.AUCTION:
            return press("auction")
        case Phase.BID if expected.anyone_may_act and not expected.must_act:
            return make_phrase("help.bid_or_wait", how=press("number"), rap=press("rap"))
        case Phase.BID:
            return press("number")
        case Phase.NAME_SUIT:
            return make_phrase("help.name_suit", rap=press("rap"))
        case _:
            return None
