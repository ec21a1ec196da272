"""What the table waits for, and how to answer: the headline with its help, and hints which button gesture to make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from table.cards import DOUBLE_NIL, JOKER, PASS
from table.config.settings import SeatKind
from table.games.engine.game_state import Expected, Phase, State
from table.games.engine.trick_rules import suit_led
from table.games.game import Game
from table.observed_facts import MS
from table.phrase import Phrase, make_phrase
from table.referee.model.view import Controls, View

# --- the headline ---------------------------------------------------------------------------------------------------


def headline_phrase(view: View) -> Phrase:
    """Return what the table waits for."""
    state, expected, name = view.state, view.expected, view.expected.default_seat
    if view.paused:
        return make_phrase("prompt.paused")
    match expected.phase:
        case Phase.DEAL:
            code = "prompt.deal" if view.question is None else "prompt.deal_meanwhile"
            return make_phrase(code, seat=state.dealer, cards=state.cards)
        case Phase.TURN_UP:
            return make_phrase("prompt.turn_up", seat=state.dealer)
        case Phase.PASS_CARDS:
            rules = view.game.rules
            cards = rules.cards_to_pass(state)
            return (
                make_phrase("prompt.pass_cards", cards=cards, to=rules.passes_to)
                if cards
                else make_phrase("prompt.pass_some_cards", to=rules.passes_to)
            )
        case Phase.SECRET_BID:
            return make_phrase("prompt.secret_bid")
        case Phase.AUCTION:
            return make_phrase("prompt.auction", seat=name)
        case Phase.BID | Phase.LEAD:
            variant = "must" if expected.must_act else "anyone"
            return make_phrase(f"prompt.{expected.phase.value}.{variant}", seat=name)
        case Phase.NAME_SUIT:
            return make_phrase("prompt.name_suit", seat=name)
        case Phase.FOLLOW:
            return make_phrase("prompt.follow", seat=name)
        case Phase.PICK_UP:
            return make_phrase("prompt.pick_up", seat=name)
        case Phase.OVER:
            return make_phrase("prompt.won" if state.winners else "prompt.over", winners=state.winners)


def headline_help(view: View) -> Phrase | None:
    """Return how to do what the headline asks for, a line below it."""
    game, state, expected = view.game, view.state, view.expected
    if view.paused:
        return make_phrase("help.paused", rap=gesture_hints_for(view.controls, view.controls)("rap"))
    press = gesture_hints_for(expected.seats or state.seats, view.controls)
    awaited = awaited_gesture(state, expected, press)
    match expected.phase:
        case Phase.DEAL:
            turns = game.turns_up_trump(state) and state.turned is None
            code = "help.deal_and_turn" if turns else "help.deal"
            return make_phrase(code, seat=state.dealer, rap=awaited)
        case Phase.TURN_UP:
            return make_phrase("help.turn_up")
        case Phase.PASS_CARDS:
            return make_phrase("help.pass_cards", rap=awaited, waiting=expected.seats)
        case Phase.SECRET_BID:
            ready = state.all_have_rapped
            return (
                make_phrase("help.at_zero", how=awaited) if ready else make_phrase("help.fists", rap=awaited)
            )
        case Phase.AUCTION | Phase.BID:
            return _bid_help(view, press) or awaited
        case Phase.LEAD:
            return _may_stay_help(view) or _lead_help(view, press)
        case Phase.FOLLOW:
            return _may_stay_help(view) or _follow_help(state)
        case Phase.PICK_UP:
            return _pick_up_help(state)
        case Phase.OVER:
            return make_phrase("help.over", rap=press("rap")) if view.awaits_next_choice else None
        case _:
            return awaited


def last_call_phrases(state: State) -> dict[str, Phrase]:
    """Return a phrase for each seat's last call of an auction."""
    return {
        seat: make_phrase("plate.passes") if call == PASS else make_phrase("plate.calls", bid=call)
        for seat, call in state.calls
    }


def forbidden_bids(game: Game, state: State) -> tuple[str, tuple[int, ...]] | None:
    """Return the last bidder and the bids (of 0 to the number of cards) forbidden to this player; None if none is."""
    waiting = [seat for seat in state.players if seat not in state.bids_by_seat]
    if state.phase is not Phase.BID or len(waiting) != 1:
        return None
    legal = game.legal_bids(state, waiting[0])
    if not legal:
        return None
    barred = tuple(number for number in range(state.cards + 1) if number not in legal)
    return (waiting[0], barred) if barred else None


def _bid_help(view: View, press: GestureHints) -> Phrase | None:
    """Return how to bid where that differs: an auction, Double Nil, forbidden numbers, the card on the forehead."""
    game, state, expected = view.game, view.state, view.expected
    if expected.phase is Phase.AUCTION:
        return _auction_help(view, press)
    if any(DOUBLE_NIL in game.legal_bids(state, seat) for seat in expected.seats):
        return make_phrase("help.double_nil", how=press("number"), double_nil=press("double_nil"))
    barred = forbidden_bids(game, state)
    if barred is not None:
        how = make_phrase("help.tap_it", tap=press("tap")) if 0 in barred[1] else press("number")
        return make_phrase("help.barred", numbers=barred[1], how=how)
    return make_phrase("help.forehead") if countdown_phrase(view) is not None else None


def _auction_help(view: View, press: GestureHints) -> Phrase | None:
    """Return what each gesture bids now, for the player whose turn it is; None where only a pass is left."""
    dial, seat = view.shown_dial, view.expected.default_seat
    if dial is None:
        legal = view.game.legal_bids(view.state, seat) if seat is not None else ()
        tap, rap = press("tap"), press("rap")
        return make_phrase("help.auction_first", tap=tap, lowest=str(legal[0]), rap=rap) if legal else None
    higher, level = dial.step(1).shown, dial.level_up().shown
    fields = {"rap": press("rap"), "bid": dial.shown, "tap": press("tap"), "next": higher}
    if higher == dial.shown:
        return make_phrase("help.auction_highest", rap=press("rap"), bid=dial.shown)
    if level == dial.shown or not press.holds_bid:
        return make_phrase("help.auction_dial", **fields)
    return make_phrase("help.auction_dial_level", **fields, hold=press("hold_bid"), level=level)


def _may_stay_help(view: View) -> Phrase | None:
    """Return what the player to act may do with an own tied lead; None where there is none that may stay."""
    lead = view.lead_that_may_stay
    return make_phrase("help.may_stay", seat=lead.seat, card=str(lead.card)) if lead is not None else None


def _lead_help(view: View, press: GestureHints) -> Phrase:
    if view.turned_up is not None:
        return make_phrase("help.take_turned")
    if any(lying.role == "back" for lying in view.cards_on_mark):
        return make_phrase("help.lead_when_clear")
    if view.expected.anyone_may_act:
        return make_phrase("help.lead_or_wait", rap=press("rap"))
    return make_phrase("help.lead")


def _follow_help(state: State) -> Phrase | None:
    lead = state.trick.lead
    suit = suit_led(state.trick, state.trump)
    if lead is None or suit is None:
        return None
    return make_phrase("help.joker_led" if lead.card is JOKER else "help.led", seat=lead.seat, suit=suit)


def _pick_up_help(state: State) -> Phrase:
    """Return who picks the trick up; of two equal cards also why it is this player."""
    winner = state.trick.winner
    won_with = [play.card for play in state.trick.plays if play.seat == winner]
    equal = sum(play.card in won_with for play in state.trick.plays) > 1
    return make_phrase("help.pick_up_of_equals" if equal else "help.pick_up", seat=winner)


_SECOND_NS: Final = 1_000 * MS


def countdown_phrase(view: View) -> Phrase | None:
    """Return the countdown of three seconds, then what to do at its end; None when there is no countdown.

    It tells when to raise the one-card hand to the forehead (without holding anybody back), and when to bid in secret.
    """
    phase = view.state.phase
    if phase is Phase.SECRET_BID and view.countdown_ends_ns is not None:
        left = view.countdown_ends_ns - view.now_ns
        number = min(3, 1 + left // _SECOND_NS)
        return make_phrase("screen.count", n=number) if left > 0 else make_phrase("screen.bid_now")
    if view.dealt_ns is None or not view.game.rules.on_forehead(view.state):
        return None
    second = (view.now_ns - view.dealt_ns) // _SECOND_NS
    if phase is not Phase.BID or view.state.bids or not 0 <= second < 5:
        return None
    return make_phrase("screen.count", n=3 - second) if second < 3 else make_phrase("screen.up")


# --- gestures -------------------------------------------------------------------------------------------------------

Gesture = Literal["number", "tap", "hold_bid", "rap", "double_nil", "wrong"]
"""A gesture to explain: bid a number of tricks, tap, hold BID, rap, bid Double Nil, or report "that's wrong"."""

_HINTS: Final[Mapping[Gesture, Mapping[SeatKind, str]]] = {
    "number": {"two": "press.number", "one": "press.number_by_one", "knock": "press.number"},
    "tap": {"two": "press.tap", "one": "press.tap", "knock": "press.tap"},
    "hold_bid": {"two": "press.hold", "one": "press.hold", "knock": "press.hold"},
    "rap": {"two": "press.rap", "one": "press.hold", "knock": "press.knock"},
    "double_nil": {"two": "press.hold_both", "one": "press.tap_and_hold", "knock": "press.tap_and_hold"},
    "wrong": {"two": "press.hold_rap_long", "one": "press.hold_long", "knock": "press.hold_long"},
}
"""The code of the hint for each gesture, by the kind of a seat's buttons."""
_COMMON_HINTS: Final[Mapping[Gesture, str]] = {"number": "press.any_number", "wrong": "press.any_wrong"}
"""The common hint for gestures whose variants together are too long for a line."""


@dataclass(frozen=True, slots=True)
class GestureHints:
    """The gesture hints for some seats, as parts of a sentence."""

    controls: tuple[Controls, ...]
    """The different controls of the seats."""

    def __call__(self, gesture: Gesture) -> Phrase:
        """Return the hint for a gesture; when seats differ, every variant or what they have in common."""
        hints = tuple(dict.fromkeys(self._hint(gesture, controls) for controls in self.controls))
        if len(hints) == 1:
            return hints[0]
        if gesture in _COMMON_HINTS:
            return make_phrase(_COMMON_HINTS[gesture], seconds=self.controls[0].wrong_s)
        return make_phrase("press.either", ways=hints)

    def _hint(self, gesture: Gesture, controls: Controls) -> Phrase:
        """Return how a gesture is made with these controls."""
        if controls.keys and len(self.controls) == 1:
            bid, rap = (make_phrase("press.key", key=key) for key in (controls.keys[0], controls.keys[-1]))
        elif controls.keys:
            bid, rap = make_phrase("press.first_key"), make_phrase("press.second_key")
        elif controls.kind == "one":
            bid = rap = make_phrase("press.only_button")
        else:
            bid, rap = make_phrase("press.bid_button"), make_phrase("press.rap_button")
        return make_phrase(_HINTS[gesture][controls.kind], bid=bid, rap=rap, seconds=controls.wrong_s)

    @property
    def holds_bid(self) -> bool:
        """Whether BID can be held as a gesture of its own: not where it is the only button."""
        return all(controls.kind != "one" for controls in self.controls)


def gesture_hints_for(seats: Iterable[str], controls: Mapping[str, Controls]) -> GestureHints:
    """Return the gesture hints for these seats, by their buttons or by the keys that stand in for them."""
    of_seats = dict.fromkeys(controls.get(seat, Controls()) for seat in seats) or (Controls(),)
    order = get_args(SeatKind)
    return GestureHints(tuple(sorted(of_seats, key=lambda of_seat: order.index(of_seat.kind))))


def awaited_gesture(state: State, expected: Expected, press: GestureHints) -> Phrase | None:
    """Return the hint for the call that the table waits for; None when it waits for a card."""
    match expected.phase:
        case Phase.DEAL | Phase.PASS_CARDS:
            return press("rap")
        case Phase.SECRET_BID:
            return press("number" if state.all_have_rapped else "rap")
        case Phase.AUCTION:
            return make_phrase("help.auction", tap=press("tap"), rap=press("rap"))
        case Phase.BID if expected.anyone_may_act:
            return make_phrase("help.bid_or_wait", how=press("number"), rap=press("rap"))
        case Phase.BID:
            return press("number")
        case Phase.NAME_SUIT:
            return make_phrase("help.name_suit", tap=press("tap"), rap=press("rap"))
        case _:
            return None
