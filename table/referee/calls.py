"""Calls: bids, passes and raps, their ties, the dial and the bids made in secret."""

from __future__ import annotations

from dataclasses import replace

from table.events.happenings import (
    Bid,
    BidsRevealed,
    BidsTied,
    BidValue,
    Dealt,
    Event,
    Passed,
    Rapped,
    SuitNamed,
)
from table.events.known import brief, line_of
from table.events.remarks import refused
from table.facts import MS, Call, Fact, Gesture
from table.games.base import Expected, Phase, Refusal, State
from table.phrase import Phrase, say
from table.referee.answering import AnswerJudge
from table.referee.blackboard import Blackboard
from table.referee.dial import Dial, dial_for
from table.referee.notices import notice
from table.referee.observations import Cleared, Happened, KeptBack, Turned
from table.referee.panel import PanelJudge
from table.referee.unheard import DIALLED

PUMP_NS = 3_000 * MS
"""Oh Shit's fists: three, two, one, a second each."""
CLOSE_CALL_NS = 300 * MS
"""A bid this soon after another is worth telling who was first."""


BEFORE = (Phase.DEAL, Phase.PASS_CARDS)
"""An auction may come next, once somebody has rapped."""


class CallJudge:
    """Turns calls into events of the game."""

    def __init__(self, blackboard: Blackboard, panel: PanelJudge, answers: AnswerJudge) -> None:
        self.blackboard = blackboard
        self._dials: dict[str, Dial] = {}
        """What each player would call; it is shown only to whose turn it is."""
        self._panel = panel
        self._answers = answers
        self._deaf_until = 0
        self._secret: dict[str, BidValue | None] = {}
        """What each has bid since the count; None for a burst that is no bid of this hand."""
        self._pump_ends: int | None = None
        self._last_bid: Call | None = None

    def resume(self) -> None:
        """After a power cut: bids made in secret are made anew, after another count; dials show what they showed.

        Quiet calls none of them until its player has turned it again: nobody may be at the table yet.
        """
        self._dials = {}
        for seat, turned in self._turned().items():
            choices = self._auction_choices(seat)
            if turned.shown in choices:
                self._dials[seat] = replace(dial_for(seat, choices), shown=turned.shown, since_ns=turned.t_ns)
        if self.blackboard.state.phase is Phase.SECRET_BID and self._all_ready():
            self._pump_ends = self.blackboard.now_ns + PUMP_NS

    def _turned(self) -> dict[str, Turned]:
        """Each dial's last turn since the auction's last call, with the moment of its first one, the earliest first."""
        found: dict[str, Turned] = {}
        if self._auction is not None:
            for one in self.blackboard.search.log:
                if isinstance(one, Happened):
                    found = {}
                elif isinstance(one, Turned) and one.shown is not None:
                    first = found.get(one.seat, one)
                    found[one.seat] = replace(one, t_ns=first.t_ns)
                elif isinstance(one, Cleared):
                    found.pop(one.seat, None)
        return found

    @property
    def dial(self) -> Dial | None:
        """The dial of the player whose turn it is."""
        return self._dials.get(self.blackboard.expected.default or "")

    @property
    def closes_ns(self) -> int | None:
        """When mere quiet calls what the dial shows."""
        return self.dial.calls_at_ns if self.dial else None

    @property
    def pump_ends_ns(self) -> int | None:
        """When the count before the secret bids is over; None while nobody counts."""
        return self._pump_ends

    def close(self) -> None:
        """The dial's quiet is over."""
        if self.dial is not None and self.dial.calls_at_ns is not None:
            self._call_dial(self.dial, self.dial.calls_at_ns)

    def known_by(self, call: Call) -> int:
        """Up to when all facts must be known before ``call`` can be judged."""
        return call.t_ns + (
            self.blackboard.times.bid_tie_ns if self._ties(call, self.blackboard.expected) else 0
        )

    def _ties(self, call: Call, expected: Expected) -> bool:
        """Whether another such call at the same time would be tied with it: a bid of one who may bid freely."""
        return (
            expected.phase is Phase.BID
            and expected.free
            and call.gesture in (Gesture.TAPS, Gesture.ZERO)
            and call.seat in expected.seats
            and call.t_ns >= self._deaf_until
        )

    def judge(self, call: Call) -> None:
        """Take one call."""
        phase = self.blackboard.expected.phase
        if phase is not Phase.SECRET_BID:
            self._secret, self._pump_ends = {}, None
        if phase not in DIALLED:
            self._dials = {}
        if self._besides(call):
            return
        if call.t_ns < self._deaf_until:
            self._too_soon(call)
        else:
            self._meant(call, phase)

    def _meant(self, call: Call, phase: Phase) -> None:
        """What a call means to the game."""
        if call.gesture is Gesture.UNKNOWN:
            self.blackboard.tell(call.t_ns, "hint", "gesture_unknown", call.seat, seat=call.seat)
        elif phase is Phase.SECRET_BID:
            self._secret_call(call)
        elif phase in DIALLED:
            self._dial_call(call)
        elif phase in BEFORE and self._auction and call.gesture in (Gesture.TAPS, Gesture.ZERO):
            self._dial_early(call)
        elif call.gesture is Gesture.RAP:
            self._rap(call)
        else:
            self._bid(call)

    def _besides(self, call: Call) -> bool:
        """Whether the call is no bid and no rap: an answer, of a panel, or the end of a dial; then it is done."""
        if self._answers.holds(call):
            return True
        if call.gesture is Gesture.WRONG and self.dial is not None and self.dial.seat == call.seat:
            del self._dials[call.seat]
            self.blackboard.observe(Cleared(self.blackboard.number(), call.t_ns, call.seat))
            return True
        if self._panel.takes(call):
            dial = self.dial
            self._dials = {dial.seat: dial} if dial is not None else {}
            return True
        return self._answers.takes_up(call)

    def _too_soon(self, call: Call) -> None:
        if call.gesture in (Gesture.TAPS, Gesture.ZERO):
            self._refuse_bid(call, "too_soon", say("refused.before_the_tie_was_over"))
        else:
            self.blackboard.tell(call.t_ns, "hint", "too_soon", call.seat, seat=call.seat)

    def _rap(self, call: Call) -> None:
        # Dealt or rapped: that depends on where the game stands, which each explanation knows for itself.
        if self.blackboard.happen(Rapped(call.seat), call.t_ns):
            self._pump(call.t_ns)

    def _pump(self, t_ns: int) -> None:
        """Begin to count if that was the last fist that was waited for."""
        if self.blackboard.state.phase is Phase.SECRET_BID and self._all_ready():
            self._pump_ends = t_ns + PUMP_NS

    # What somebody enters in the panel for another seat ------------------------------------------------------

    @property
    def unbid(self) -> tuple[str, ...]:
        """Who has still to bid, where bids are being made in secret; nobody before all are ready."""
        if self._pump_ends is None:
            return ()
        return tuple(seat for seat in self.blackboard.state.players if self._secret.get(seat) is None)

    def enter(self, event: Event, t_ns: int, by: str) -> None:
        """``by`` says what the seat of ``event`` calls."""
        if isinstance(event, Bid) and self.blackboard.state.phase is Phase.SECRET_BID:
            self._secret_bid(event.seat, event.bid, t_ns)
            return
        said = notice(t_ns, "ruling", "said_so", by, by=by, what=brief(line_of(event)))
        if self.blackboard.happen(event, t_ns, said, certain=True):
            self._dials = {}
            self._pump(t_ns)

    # Bids ----------------------------------------------------------------------------------------------------

    def _bid(self, call: Call) -> None:
        expected = self.blackboard.expected
        tied = [call]
        if self._ties(call, expected):
            tied += self._tied_with(call, expected)
        if len(tied) > 1:
            self._tied_bids(tied)
            return
        if self.blackboard.state.calls and call.gesture is not Gesture.DOUBLE_NIL:
            # The auction may go on, if a call of it was not heard.
            self.blackboard.observe(Turned(self.blackboard.number(), call.t_ns, call.seat, _taps(call), None))
        elif self.blackboard.happen(Bid(call.seat, _bid_value(call)), call.t_ns):
            self._close_call(call, expected)

    def _tied_with(self, call: Call, expected: Expected) -> list[Call]:
        seats = {call.seat}

        def ties(fact: Fact) -> bool:
            if not isinstance(fact, Call) or fact.seat in seats or not self._ties(fact, expected):
                return False
            seats.add(fact.seat)
            return True

        found = self.blackboard.inbox.extract(call.t_ns + self.blackboard.times.bid_tie_ns, ties)
        return [fact for fact in found if isinstance(fact, Call)]

    def _tied_bids(self, tied: list[Call]) -> None:
        spread = tied[-1].t_ns - tied[0].t_ns
        self._deaf_until = max(call.end_ns for call in tied)
        seats = tuple(call.seat for call in tied)
        sentence = notice(
            tied[0].t_ns,
            "ruling",
            "bids_tied",
            *seats,
            names=seats,
            spread_ns=spread,
            seat=self.blackboard.expected.default,
        )
        self.blackboard.happen(BidsTied(seats), tied[0].t_ns, sentence, spread_ns=spread)

    def _close_call(self, call: Call, before: Expected) -> None:
        last, self._last_bid = self._last_bid, call
        if last is not None and before.free and call.t_ns - last.t_ns < CLOSE_CALL_NS:
            apart_ns = call.t_ns - last.t_ns
            self.blackboard.tell(
                call.t_ns,
                "ruling",
                "close_call",
                last.seat,
                first=last.seat,
                second=call.seat,
                apart_ns=apart_ns,
            )

    def _refuse_bid(self, call: Call, code: str, why: Phrase) -> None:
        sentence = notice(call.t_ns, "ruling", "refused", call.seat, why=why)
        self.blackboard.remark(refused(Bid(call.seat, _bid_value(call)), code, why), call.t_ns, sentence)

    # Bids at once, in secret (Oh Shit's fists) -------------------------------------------------------------

    def _all_ready(self) -> bool:
        return set(self.blackboard.state.players) <= self.blackboard.state.raps

    def _secret_call(self, call: Call) -> None:
        if call.gesture is Gesture.RAP:
            if call.seat not in self.blackboard.state.raps:
                self._rap(call)
            return
        self._secret_bid(call.seat, _bid_value(call), call.t_ns)

    def _secret_bid(self, seat: str, bid: BidValue, t_ns: int) -> None:
        if self._pump_ends is None or t_ns < self._pump_ends:
            self.blackboard.tell(t_ns, "hint", "after_the_pump", seat, seat=seat)
            return
        if self._secret.get(seat) is not None or seat not in self.blackboard.state.players:
            return
        legal = bid in self.blackboard.game.legal_bids(self.blackboard.state, seat)
        self._secret[seat] = bid if legal else None
        if legal:
            self.blackboard.observe(KeptBack(self.blackboard.number(), t_ns, seat, bid))
        if all(one in self._secret for one in self.blackboard.state.players):
            self._all_have_bid(t_ns)

    def _all_have_bid(self, t_ns: int) -> None:
        """The bids are shown; or who has made none that counts is told so, which would have told too much before."""
        bids = tuple(
            (seat, bid) for seat in self.blackboard.state.players if (bid := self._secret[seat]) is not None
        )
        if len(bids) == len(self._secret):
            self._secret, self._pump_ends = {}, None
            self.blackboard.happen(BidsRevealed(bids), t_ns)
            return
        for seat in [seat for seat, bid in self._secret.items() if bid is None]:
            del self._secret[seat]
            self.blackboard.tell(t_ns, "hint", "bid_again", seat, seat=seat)

    # The dial: Israeli Whist's auction, and the suit of a led joker ----------------------------------------

    @property
    def _auction(self) -> State | None:
        """The auction that goes on, or that begins once all have rapped who are waited for."""
        state = self.blackboard.state
        raps: list[Event] = [Dealt(state.dealer)] if state.phase is Phase.DEAL else []
        if state.phase is Phase.PASS_CARDS:
            raps = [Rapped(seat) for seat in state.players if seat not in state.raps]
        for rap in raps:
            step = self.blackboard.game.apply(state, rap)
            state = state if isinstance(step, Refusal) else step.state
        return state if state.phase is Phase.AUCTION else None

    def _dial_early(self, call: Call) -> None:
        """A rap is waited for: it is no bid, but for that rap having been made and not heard."""
        dial = self._new_dial(call.seat)
        turned = self._turned().get(call.seat)
        if turned is not None and turned.shown in dial.choices:
            dial = replace(dial, shown=turned.shown, since_ns=turned.t_ns)
        dial = self._stepped(dial, call)
        self.blackboard.observe(
            Turned(self.blackboard.number(), call.t_ns, call.seat, call.count, dial.shown)
        )

    def _dial_call(self, call: Call) -> None:
        expected = self.blackboard.expected
        auction = expected.phase is Phase.AUCTION
        if not auction and call.seat != expected.default:
            self.blackboard.tell(call.t_ns, "hint", "not_your_dial", call.seat, seat=expected.default)
            return
        dial = self._stepped(self._dials.get(call.seat) or self._new_dial(call.seat), call)
        if call.gesture in (Gesture.TAPS, Gesture.ZERO):
            self.blackboard.observe(
                Turned(self.blackboard.number(), call.t_ns, call.seat, call.count, dial.shown)
            )
            dial = self._as_believed(dial)
        self._dials[call.seat] = dial
        # A one-button seat: the tap steps, the hold calls.
        if call.gesture is Gesture.RAP or (call.gesture is Gesture.ZERO and call.count):
            self._call_dial(dial, call.t_ns)

    def _as_believed(self, dial: Dial) -> Dial:
        """A dial as the explanation in force has it: turning it may have shown whose turn it really was."""
        seat, shown = self.blackboard.search.best.dialled or (dial.seat, dial.shown)
        if seat != dial.seat or shown == dial.shown:
            return dial
        return replace(
            self._new_dial(seat), shown=shown, calls_at_ns=dial.calls_at_ns, since_ns=dial.since_ns
        )

    def _new_dial(self, seat: str) -> Dial:
        """A dial that nobody has turned yet."""
        if self._auction is not None:
            return dial_for(seat, self._auction_choices(seat), self.blackboard.times.dial_ns)
        return dial_for(seat, self._suits(seat))

    def _stepped(self, dial: Dial, call: Call) -> Dial:
        """The dial as taps and holds have turned it."""
        auction = self._auction is not None
        quiet = call.end_ns - self.blackboard.times.tap_gap_ns + dial.quiet_ns if auction else None
        if call.gesture in (Gesture.TAPS, Gesture.ZERO) and call.count:
            return dial.step(call.count, quiet).turned_at(call.t_ns)
        return dial.level(quiet).turned_at(call.t_ns) if call.gesture is Gesture.ZERO and auction else dial

    def _suits(self, seat: str) -> tuple[BidValue, ...]:
        return self.blackboard.game.legal_suits(self.blackboard.state, seat)

    def _auction_choices(self, seat: str) -> tuple[BidValue, ...]:
        """What a player may call when those who are waited for have called what they dial, or have passed."""
        game, state = self.blackboard.game, self._auction or self.blackboard.state
        for _ in state.players:
            turn = game.expected(state).default
            if turn is None or turn == seat:
                break
            dial = self._dials.get(turn)
            step = game.apply(state, _called(dial if dial is not None else dial_for(turn, ())))
            if isinstance(step, Refusal) or step.state.phase is not Phase.AUCTION:
                break
            state = step.state
        return game.legal_bids(state, seat)

    def _call_dial(self, dial: Dial, t_ns: int) -> None:
        """What the dial shows is called; a rap with nothing shown is a pass."""
        self._dials.pop(dial.seat, None)
        if self.blackboard.expected.phase is Phase.NAME_SUIT:
            if dial.shown is not None and self.blackboard.happen(SuitNamed(dial.seat, str(dial.shown)), t_ns):
                self._dials = {}
            return
        began_ns = t_ns if dial.since_ns is None else dial.since_ns
        if self.blackboard.happen(
            _called(dial), began_ns, blind=dial.seat != self.blackboard.expected.default
        ):
            self._dials = {}


def _called(dial: Dial) -> Event:
    """What a dial of the auction calls."""
    return Passed(dial.seat) if dial.shown is None else Bid(dial.seat, dial.shown)


def _taps(call: Call) -> int:
    """The taps of a bid; 0 for a hold."""
    return call.count if call.gesture is Gesture.TAPS else 0


def _bid_value(call: Call) -> BidValue:
    if call.gesture is Gesture.DOUBLE_NIL:
        return "double nil"
    return 0 if call.gesture is Gesture.ZERO else call.count
