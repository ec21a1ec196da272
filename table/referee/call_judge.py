"""The judge of calls: bids, passes and raps, bid ties, the dial, and bids made in secret."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from table.cards import DOUBLE_NIL, BidValue
from table.events.event_registry import bid_refusal_line
from table.events.game_events import (
    Bid,
    BidsRevealed,
    BidsTied,
    Event,
    Passed,
    Rapped,
    SuitNamed,
)
from table.games.engine.game_state import Expected, Phase
from table.games.engine.ruleset import Bidding
from table.observed_facts import MS, Call, Gesture
from table.phrase import make_phrase
from table.referee.model.bid_dial import Dial, new_dial
from table.referee.model.notices import make_notice
from table.referee.model.observations import DialCleared, DialTurned, Remark, SecretBid
from table.referee.moves.unseen_events import DIAL_PHASES
from table.referee.records.state_shared_by_judges import SharedState

COUNTDOWN_NS = 3_000 * MS
"""The length of the countdown before secret bids, Oh Shit's fists: three, two, one, a second each."""
PHASES_BEFORE_AUCTION = (Phase.DEAL, Phase.PASS_CARDS)
"""The phases after which an auction may come next, once somebody has rapped."""


class CallJudge:
    """Turns calls into observations for the search."""

    def __init__(self, shared: SharedState) -> None:
        self.shared = shared
        self._dial_calls_at_ns: int | None = None
        """When quiet calls what the dial shows; None where only a rap does."""
        self._ignore_calls_until = 0
        self._secret_bids: dict[str, BidValue | None] = {}
        """The secret bid of each player since the countdown; None for a burst that is no bid of this hand."""
        self.countdown_ends_ns: int | None = None
        """When the countdown before the secret bids is over; None without a countdown."""

    @property
    def dial(self) -> Dial | None:
        """The dial of the player whose turn it is, with its countdown; None while it shows no value."""
        dial = self.shared.hypothesis.dial
        if dial is None or self._dial_calls_at_ns is None:
            return dial
        return replace(dial, calls_at_ns=self._dial_calls_at_ns, quiet_ns=self.shared.times.dial_ns)

    def visible_dial(self, taps: Mapping[str, int]) -> Dial | None:
        """Return the dial as the screen shows it, ``taps`` steps on: quiet counts once their burst is over."""
        shared, seat = self.shared, self.shared.expected.default_seat or ""
        if not taps.get(seat) or shared.state.phase not in DIAL_PHASES:
            return self.dial
        dial = shared.hypothesis.dial or new_dial(shared.game, shared.state, seat)
        return dial.step(taps[seat])

    def deadlines(self) -> Iterator[tuple[int, Callable[[], None]]]:
        """Yield when quiet alone calls the value of the dial, and what calls it; nothing where it does not."""
        dial = self.dial
        if dial is not None and dial.calls_at_ns is not None:
            yield dial.calls_at_ns, partial(self._call_dial, dial.seat, dial.calls_at_ns)

    def stop_dial_countdown(self) -> None:
        """Let quiet call no dial that has been turned: its countdown is out of sight, so that only a rap calls it."""
        self._dial_calls_at_ns = None

    def complete_by_ns(self, call: Call) -> int:
        """Return up to when all facts must be known before ``call`` can be judged: the end of its tie window."""
        return call.t_ns + (self.shared.times.bid_tie_ns if self._may_tie(call, self.shared.expected) else 0)

    def _may_tie(self, call: Call, expected: Expected) -> bool:
        """Return whether a call can be tied with another at the same time: a bid of a player who may bid freely."""
        return (
            expected.phase is Phase.BID
            and expected.anyone_may_act
            and call.gesture in (Gesture.TAPS, Gesture.ZERO)
            and call.seat in expected.seats
            and call.t_ns >= self._ignore_calls_until
        )

    def follow_game(self, t_ns: int) -> None:
        """Follow the game, which whatever was judged at ``t_ns`` may have moved on or back.

        Secret bids are forgotten wherever somebody is not ready. The countdown starts once all are ready, also when an
        undo has brought them back to that.
        """
        state = self.shared.state
        if self.shared.hypothesis.dial is None:
            self._dial_calls_at_ns = None
        if state.phase is not Phase.SECRET_BID or not state.all_have_rapped:
            self._secret_bids, self.countdown_ends_ns = {}, None
        elif self.countdown_ends_ns is None:
            self.countdown_ends_ns = t_ns + COUNTDOWN_NS

    def clear_dial(self, call: Call) -> bool:
        """Handle a "that's wrong" of the player whose dial it is, which clears the dial; return whether it was one."""
        dial = self.dial
        if call.gesture is not Gesture.WRONG or dial is None or dial.seat != call.seat:
            return False
        self.shared.add_observation(DialCleared(self.shared.next_number(), call.t_ns, call.seat))
        return True

    def judge(self, call: Call) -> None:
        """Turn a call that belongs to the game into an observation for the search, by the phase of the game."""
        phase, has_auction = self.shared.state.phase, self.shared.game.rules.bidding is Bidding.AUCTION
        turns = call.gesture in (Gesture.TAPS, Gesture.ZERO)
        if call.t_ns < self._ignore_calls_until:
            self._refuse_too_soon(call)
        elif call.gesture is Gesture.UNKNOWN:
            self.shared.notify(call.t_ns, "hint", "gesture_unknown", call.seat, seat=call.seat)
        elif phase is Phase.SECRET_BID:
            self._secret_call(call)
        elif phase in DIAL_PHASES:
            self._dial_call(call)
        elif phase in PHASES_BEFORE_AUCTION and turns and has_auction:
            # It is no bid, unless the rap that is waited for was made and not heard.
            self._observe_turn(call, call.count)
        elif call.gesture is Gesture.RAP:
            self._rap(call)
        else:
            self._bid(call)

    def _refuse_too_soon(self, call: Call) -> None:
        """Refuse a call that was made before a bid tie was over."""
        if call.gesture not in (Gesture.TAPS, Gesture.ZERO):
            self.shared.notify(call.t_ns, "hint", "too_soon", call.seat, seat=call.seat)
            return
        why = make_phrase("refused.before_the_tie_was_over")
        notice = make_notice(call.t_ns, "ruling", "refused_early", call.seat, why=why)
        line = bid_refusal_line(Bid(call.seat, _bid_value(call)), "too_soon", why)
        self.shared.add_observation(Remark(self.shared.next_number(), call.t_ns, line, (notice,)))

    def _rap(self, call: Call) -> None:
        # Whether the rap means "dealt" depends on the state of the game, which differs between hypotheses.
        self.shared.apply_event(Rapped(call.seat), call.t_ns)

    # Entered in the panel, such as a call for another seat ------------------------------------------------

    @property
    def seats_to_bid(self) -> tuple[str, ...]:
        """The players who have still to bid in secret; empty before the countdown."""
        if self.countdown_ends_ns is None:
            return ()
        return tuple(seat for seat in self.shared.state.players if self._secret_bids.get(seat) is None)

    def enter_event(self, event: Event, t_ns: int, by: str) -> None:
        """Take an event that player ``by`` enters in the panel, such as a call for another seat."""
        if isinstance(event, Bid) and self.shared.state.phase is Phase.SECRET_BID:
            self._secret_bid(event.seat, event.bid, t_ns)
            return
        self.shared.apply_entered_event(event, t_ns, by)

    # Bids ----------------------------------------------------------------------------------------------------

    def _bid(self, call: Call) -> None:
        expected = self.shared.expected
        tied = [call]
        if self._may_tie(call, expected):
            tied += self._tied_with(call, expected)
        if len(tied) > 1:
            self._rule_bid_tie(tied)
            return
        if self.shared.state.calls and call.gesture is not Gesture.DOUBLE_NIL:
            # The auction may still go on, if one of its calls was missed.
            self._observe_turn(call, call.count if call.gesture is Gesture.TAPS else 0)
        else:
            self.shared.apply_event(Bid(call.seat, _bid_value(call)), call.t_ns)

    def _tied_with(self, call: Call, expected: Expected) -> list[Call]:
        seats = {call.seat}

        def ties(other: Call) -> bool:
            if other.seat in seats or not self._may_tie(other, expected):
                return False
            seats.add(other.seat)
            return True

        return self.shared.fact_queue.extract(Call, call.t_ns + self.shared.times.bid_tie_ns, ties)

    def _rule_bid_tie(self, tied: list[Call]) -> None:
        spread = tied[-1].t_ns - tied[0].t_ns
        self._ignore_calls_until = max(call.end_ns for call in tied)
        seats = tuple(call.seat for call in tied)
        sentence = make_notice(
            tied[0].t_ns,
            "ruling",
            "bids_tied",
            *seats,
            names=seats,
            spread_ns=spread,
            seat=self.shared.expected.default_seat,
        )
        presses_ns = [call.t_ns for call in tied]
        self.shared.apply_event(
            BidsTied(seats), tied[0].t_ns, sentence, spread_ns=spread, presses_ns=presses_ns
        )

    # Bids at once, in secret (Oh Shit's fists) -------------------------------------------------------------

    def _secret_call(self, call: Call) -> None:
        if call.gesture is Gesture.RAP:
            if call.seat not in self.shared.state.raps:
                self._rap(call)
            return
        self._secret_bid(call.seat, _bid_value(call), call.t_ns)

    def _secret_bid(self, seat: str, bid: BidValue, t_ns: int) -> None:
        if self.countdown_ends_ns is None or t_ns < self.countdown_ends_ns:
            self.shared.notify(t_ns, "hint", "after_the_pump", seat, seat=seat)
            return
        if self._secret_bids.get(seat) is not None or seat not in self.shared.state.players:
            return
        legal = bid in self.shared.game.legal_bids(self.shared.state, seat)
        self._secret_bids[seat] = bid if legal else None
        if legal:
            self.shared.add_observation(SecretBid(self.shared.next_number(), t_ns, seat, bid))
        if all(player in self._secret_bids for player in self.shared.state.players):
            self._reveal_bids(t_ns)

    def _reveal_bids(self, t_ns: int) -> None:
        """Reveal the secret bids; or ask those whose bids don't count to bid again.

        To tell them earlier would have told the others too much.
        """
        bids = tuple(
            (seat, bid) for seat in self.shared.state.players if (bid := self._secret_bids[seat]) is not None
        )
        if len(bids) == len(self._secret_bids):
            self._secret_bids, self.countdown_ends_ns = {}, None
            self.shared.apply_event(BidsRevealed(bids), t_ns)
            return
        for seat in [seat for seat, bid in self._secret_bids.items() if bid is None]:
            del self._secret_bids[seat]
            self.shared.notify(t_ns, "hint", "bid_again", seat, seat=seat)

    # The dial: Israeli Whist's auction, and the suit of a led joker ----------------------------------------

    def _observe_turn(self, call: Call, taps: int) -> None:
        """Observe a turn of a dial, or what may be one."""
        self.shared.add_observation(DialTurned(self.shared.next_number(), call.t_ns, call.seat, taps))

    def _dial_call(self, call: Call) -> None:
        expected = self.shared.expected
        auction = expected.phase is Phase.AUCTION
        if not auction and call.seat != expected.default_seat:
            self.shared.notify(call.t_ns, "hint", "not_your_dial", call.seat, seat=expected.default_seat)
            return
        if call.gesture in (Gesture.TAPS, Gesture.ZERO):
            self._observe_turn(call, call.count)
            dial = self.shared.hypothesis.dial
            if auction and dial is not None and dial.seat == call.seat:
                times = self.shared.times
                self._dial_calls_at_ns = call.end_ns - times.tap_gap_ns + times.dial_ns
        # On a one-button seat a tap that is held steps and calls.
        if call.gesture is Gesture.RAP or (call.gesture is Gesture.ZERO and call.count):
            self._call_dial(call.seat, call.t_ns)

    def _call_dial(self, seat: str, t_ns: int) -> None:
        """Call what the dial of a player shows; a rap with no value shown is a pass."""
        dial = self.shared.hypothesis.dial
        if dial is None or dial.seat != seat:
            if self.shared.state.phase is not Phase.NAME_SUIT:
                self.shared.apply_event(Passed(seat), t_ns)
        elif self.shared.state.phase is Phase.NAME_SUIT:
            self.shared.apply_event(SuitNamed(seat, str(dial.shown)), t_ns)
        else:
            self.shared.apply_event(dial.bid, dial.first_press_ns)


def _bid_value(call: Call) -> BidValue:
    if call.gesture is Gesture.DOUBLE_NIL:
        return DOUBLE_NIL
    return 0 if call.gesture is Gesture.ZERO else call.count
