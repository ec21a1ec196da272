"""The judge of calls: bids, passes and raps, bid ties, the dial, and bids made in secret."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from table.cards import DOUBLE_NIL, BidValue, parse_bid
from table.events.event_registry import bid_refusal_line
from table.events.game_events import (
    Bid,
    BidsRevealed,
    BidsTied,
    Dealt,
    Event,
    Passed,
    Rapped,
    SuitNamed,
)
from table.games.engine.game_state import Expected, Phase, Refusal, State
from table.observed_facts import MS, Call, Fact, Gesture
from table.phrase import make_phrase
from table.referee.model.bid_dial import Dial, new_dial
from table.referee.model.moments import CLOSE_CALL_NS
from table.referee.model.notices import make_notice
from table.referee.model.observations import CallMade, DialCleared, DialTurned, Remark, SecretBid
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
        self._dials: dict[str, Dial] = {}
        """The dial of each player; only the one whose turn it is sees it."""
        self._ignore_calls_until = 0
        self._secret_bids: dict[str, BidValue | None] = {}
        """The secret bid of each player since the countdown; None for a burst that is no bid of this hand."""
        self.countdown_ends_ns: int | None = None
        """When the countdown before the secret bids is over; None without a countdown."""
        self._last_bid: Call | None = None

    def resume(self) -> None:
        """Restore dials after a power cut; secret bids are made anew, after another countdown.

        Quiet calls no dial until its player has turned it again: nobody may be at the table yet.
        """
        self._dials = {}
        for seat, turned in self._last_turns().items():
            dial = _turned_before(new_dial(seat, self._auction_choices(seat)), turned)
            if dial.shown is not None:
                self._dials[seat] = dial
        self.follow_game(self.shared.now_ns)

    def _last_turns(self) -> dict[str, DialTurned]:
        """Return the last turn of each dial since the auction's last call, stamped with its first turn, the earliest
        first.
        """
        found: dict[str, DialTurned] = {}
        if self._auction is not None:
            for observation in self.shared.search.log:
                if isinstance(observation, CallMade):
                    found = {}
                elif isinstance(observation, DialTurned) and observation.shown is not None:
                    first = found.get(observation.seat, observation)
                    found[observation.seat] = replace(observation, t_ns=first.t_ns)
                elif isinstance(observation, DialCleared):
                    found.pop(observation.seat, None)
        return found

    @property
    def dial(self) -> Dial | None:
        """The dial of the player whose turn it is; None where there is none."""
        return self._dials.get(self.shared.expected.default_seat or "")

    def visible_dial(self, taps: Mapping[str, int]) -> Dial | None:
        """Return the dial as the screen shows it, ``taps`` steps on: quiet counts once their burst is over."""
        seat = self.shared.expected.default_seat or ""
        steps = taps.get(seat, 0)
        if not steps or self.shared.state.phase not in DIAL_PHASES:
            return self.dial
        return (self.dial or self._new_dial(seat)).step(steps, None)

    def deadlines(self) -> Iterator[tuple[int, Callable[[], None]]]:
        """Yield when quiet alone calls the value of the dial, and what calls it; nothing where it does not."""
        dial = self.dial
        if dial is not None and dial.calls_at_ns is not None:
            yield dial.calls_at_ns, partial(self._call_dial, dial, dial.calls_at_ns)

    def stop_dial_countdown(self) -> None:
        """Let quiet call no dial that has been turned: its countdown is out of sight, so that only a rap calls it."""
        self._dials = {seat: replace(dial, calls_at_ns=None) for seat, dial in self._dials.items()}

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

        Dials are forgotten outside their phases, secret bids wherever somebody is not ready. The countdown starts once
        all are ready, also when an undo has brought them back to that.
        """
        state = self.shared.state
        if state.phase not in DIAL_PHASES:
            self._dials = {}
        if state.phase is not Phase.SECRET_BID or not state.all_have_rapped:
            self._secret_bids, self.countdown_ends_ns = {}, None
        elif self.countdown_ends_ns is None:
            self.countdown_ends_ns = t_ns + COUNTDOWN_NS

    def clear_dial(self, call: Call) -> bool:
        """Handle a "that's wrong" of the player whose dial it is, which clears the dial; return whether it was one."""
        dial = self.dial
        if call.gesture is not Gesture.WRONG or dial is None or dial.seat != call.seat:
            return False
        del self._dials[call.seat]
        self.shared.add_observation(DialCleared(self.shared.next_number(), call.t_ns, call.seat))
        return True

    def keep_only_shown_dial(self) -> None:
        """Forget the dials of players who turned theirs before it was their turn: the panel may have changed that."""
        dial = self.dial
        self._dials = {dial.seat: dial} if dial is not None else {}

    def judge(self, call: Call) -> None:
        """Turn a call that belongs to the game into an observation for the search, by the phase of the game."""
        phase = self.shared.state.phase
        turns = call.gesture in (Gesture.TAPS, Gesture.ZERO)
        if call.t_ns < self._ignore_calls_until:
            self._refuse_too_soon(call)
        elif call.gesture is Gesture.UNKNOWN:
            self.shared.notify(call.t_ns, "hint", "gesture_unknown", call.seat, seat=call.seat)
        elif phase is Phase.SECRET_BID:
            self._secret_call(call)
        elif phase in DIAL_PHASES:
            self._dial_call(call)
        elif phase in PHASES_BEFORE_AUCTION and turns and self._auction is not None:
            self._dial_early(call)
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

    # Calls entered in the panel for another seat -------------------------------------------------------------

    @property
    def seats_to_bid(self) -> tuple[str, ...]:
        """The players who have still to bid in secret; empty before the countdown."""
        if self.countdown_ends_ns is None:
            return ()
        return tuple(seat for seat in self.shared.state.players if self._secret_bids.get(seat) is None)

    def enter_call(self, event: Event, t_ns: int, by: str) -> None:
        """Take a call that player ``by`` enters in the panel for the seat of ``event``."""
        if isinstance(event, Bid) and self.shared.state.phase is Phase.SECRET_BID:
            self._secret_bid(event.seat, event.bid, t_ns)
            return
        if self.shared.apply_entered_event(event, t_ns, by):
            self._dials = {}

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
            self._observe_turn(call, call.count if call.gesture is Gesture.TAPS else 0, None)
        elif self.shared.apply_event(Bid(call.seat, _bid_value(call)), call.t_ns):
            self._notice_close_call(call, expected)

    def _tied_with(self, call: Call, expected: Expected) -> list[Call]:
        seats = {call.seat}

        def ties(fact: Fact) -> bool:
            if not isinstance(fact, Call) or fact.seat in seats or not self._may_tie(fact, expected):
                return False
            seats.add(fact.seat)
            return True

        found = self.shared.fact_queue.extract(call.t_ns + self.shared.times.bid_tie_ns, ties)
        return [fact for fact in found if isinstance(fact, Call)]

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

    def _notice_close_call(self, call: Call, before: Expected) -> None:
        last, self._last_bid = self._last_bid, call
        if last is not None and before.anyone_may_act and call.t_ns - last.t_ns < CLOSE_CALL_NS:
            apart_ns = call.t_ns - last.t_ns
            self.shared.notify(
                call.t_ns,
                "ruling",
                "close_call",
                last.seat,
                first=last.seat,
                second=call.seat,
                apart_ns=apart_ns,
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

    @property
    def _auction(self) -> State | None:
        """The state of the auction that goes on, or that begins once all have rapped who are waited for; else None."""
        state = self.shared.state
        raps: list[Event] = [Dealt(state.dealer)] if state.phase is Phase.DEAL else []
        if state.phase is Phase.PASS_CARDS:
            raps = [Rapped(seat) for seat in state.players if seat not in state.raps]
        for rap in raps:
            step = self.shared.game.apply(state, rap)
            state = state if isinstance(step, Refusal) else step.state
        return state if state.phase is Phase.AUCTION else None

    def _dial_early(self, call: Call) -> None:
        """Observe a turn of a dial while a rap is waited for: it is no bid, unless that rap was made and not heard."""
        dial = _turned_before(self._new_dial(call.seat), self._last_turns().get(call.seat))
        self._observe_turn(call, call.count, self._turn_dial(dial, call).shown)

    def _observe_turn(self, call: Call, taps: int, shown: str | None) -> None:
        """Observe a turn of a dial, or what may be one; ``shown``: what it shows afterwards."""
        self.shared.add_observation(DialTurned(self.shared.next_number(), call.t_ns, call.seat, taps, shown))

    def _dial_call(self, call: Call) -> None:
        expected = self.shared.expected
        auction = expected.phase is Phase.AUCTION
        if not auction and call.seat != expected.default_seat:
            self.shared.notify(call.t_ns, "hint", "not_your_dial", call.seat, seat=expected.default_seat)
            return
        dial = self._turn_dial(self._dials.get(call.seat) or self._new_dial(call.seat), call)
        if call.gesture in (Gesture.TAPS, Gesture.ZERO):
            self._observe_turn(call, call.count, dial.shown)
            dial = self._dial_in_force(dial)
        self._dials[call.seat] = dial
        # On a one-button seat a tap that is held steps and calls.
        if call.gesture is Gesture.RAP or (call.gesture is Gesture.ZERO and call.count):
            self._call_dial(dial, call.t_ns)

    def _dial_in_force(self, dial: Dial) -> Dial:
        """Return a dial as the hypothesis in force has it: turning it may have shown whose turn it really was."""
        seat, shown = self.shared.search.best.dial_value or (dial.seat, dial.shown)
        if seat != dial.seat or shown == dial.shown:
            return dial
        return replace(
            self._new_dial(seat),
            shown=shown,
            calls_at_ns=dial.calls_at_ns,
            first_press_ns=dial.first_press_ns,
        )

    def _new_dial(self, seat: str) -> Dial:
        """Return a dial that shows no value yet."""
        if self._auction is not None:
            return new_dial(seat, self._auction_choices(seat), self.shared.times.dial_ns)
        return new_dial(seat, self.shared.game.legal_suits(self.shared.state, seat))

    def _turn_dial(self, dial: Dial, call: Call) -> Dial:
        """Return the dial after the taps or the hold of a call."""
        auction = self._auction is not None
        quiet = call.end_ns - self.shared.times.tap_gap_ns + dial.quiet_ns if auction else None
        if call.gesture in (Gesture.TAPS, Gesture.ZERO) and call.count:
            return dial.step(call.count, quiet).with_first_press(call.t_ns)
        if call.gesture is Gesture.ZERO and auction:
            return dial.level_up(quiet).with_first_press(call.t_ns)
        return dial

    def _auction_choices(self, seat: str) -> tuple[BidValue, ...]:
        """Return what a player may call when those waited for before have called what they dial, or have passed."""
        game, state = self.shared.game, self._auction or self.shared.state
        for _ in state.players:
            turn = game.expected(state).default_seat
            if turn is None or turn == seat:
                break
            dial = self._dials.get(turn)
            step = game.apply(state, _call_of_dial(dial if dial is not None else new_dial(turn, ())))
            if isinstance(step, Refusal) or step.state.phase is not Phase.AUCTION:
                break
            state = step.state
        return game.legal_bids(state, seat)

    def _call_dial(self, dial: Dial, t_ns: int) -> None:
        """Call the value of a dial; a rap with no value shown is a pass."""
        self._dials.pop(dial.seat, None)
        if self.shared.state.phase is Phase.NAME_SUIT:
            if dial.shown is not None and self.shared.apply_event(SuitNamed(dial.seat, dial.shown), t_ns):
                self._dials = {}
            return
        began_ns = t_ns if dial.first_press_ns is None else dial.first_press_ns
        if self.shared.apply_event(
            _call_of_dial(dial), began_ns, blind=dial.seat != self.shared.expected.default_seat
        ):
            self._dials = {}


def _turned_before(dial: Dial, turned: DialTurned | None) -> Dial:
    """Return a dial that shows what its player had turned it to, where that can still be called."""
    if turned is None or turned.shown not in dial.choices:
        return dial
    return replace(dial, shown=turned.shown, first_press_ns=turned.t_ns)


def _call_of_dial(dial: Dial) -> Event:
    """Return the call of an auction that a dial makes."""
    return Passed(dial.seat) if dial.shown is None else Bid(dial.seat, parse_bid(dial.shown))


def _bid_value(call: Call) -> BidValue:
    if call.gesture is Gesture.DOUBLE_NIL:
        return DOUBLE_NIL
    return 0 if call.gesture is Gesture.ZERO else call.count
