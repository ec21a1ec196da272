"""How the players heed the screen.

Who looks at it finds out what it lacks, and does what it says:

- a card of this trick that the screen sends back is taken back by its player, if the screen names that player or
  nobody, and is laid again at that player's turn;
- where the table waits for a player whose card lies in this trick but isn't shown as played, that player waits 10 s,
  then lifts the card and lays it again;
- a bid, a rap or a joker's suit that the screen doesn't show is given again.

Each player does so at most once a trick, each call at most three times. What is so taken back and laid again has
really happened and stands in the truth; what is pressed again has happened at the first press. Nobody heeds what
makes no sense: a card that is not there, somebody else's name, a trick long since picked up. They go on then. Nobody
opens the panel behind "that's wrong": what the table makes of a game is measured, not how well people mend it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from table.cards import SUITS, Card, bid_to_json
from table.events.event_spec import Play
from table.events.game_events import TakenBack
from table.games.engine.game_state import Expected, Phase, State
from table.observed_facts import MS, Gesture
from table.simulation.players.simulated_game import LayAct

if TYPE_CHECKING:
    from tests.referee.faults.people import FaultyTable

PATIENCE_MS = 10_000
"""So long somebody waits who has played, before the card is laid again."""
TRIES = 3
"""So often a call is given again."""
MOST_LOOKS = 12
"""A look at the screen and what comes of it ends after so many steps."""
CALLING = (
    Phase.DEAL,
    Phase.TURN_UP,
    Phase.PASS_CARDS,
    Phase.AUCTION,
    Phase.BID,
    Phase.SECRET_BID,
    Phase.NAME_SUIT,
)
_ORDER = (
    Phase.DEAL,
    Phase.TURN_UP,
    Phase.PASS_CARDS,
    Phase.AUCTION,
    Phase.BID,
    Phase.SECRET_BID,
    Phase.LEAD,
)


class Heed:
    """What the players do because of the screen."""

    def __init__(self, table: FaultyTable) -> None:
        self.table = table
        self.again: dict[str, Card] = {}
        """Cards that were taken back to be laid again."""
        self._done: set[tuple[str, str]] = set()
        self._tries: dict[tuple[object, ...], int] = {}

    def new_hand(self) -> None:
        """Another hand is dealt."""
        self.again.clear()
        self._done.clear()
        self._tries.clear()

    def new_trick(self) -> None:
        """The trick has been picked up: everybody has patience again."""
        self._done.clear()

    def looks(self) -> bool:
        """Somebody looks at the screen, and what has to be done is done; whether anything was."""
        did = False
        for _ in range(MOST_LOOKS):
            if not (self._calls_again() or self._takes_back() or self._lays_again()):
                break
            did = True
        return did

    # --- what everybody sees ------------------------------------------------------------------------------------

    @property
    def _shown(self) -> State:
        return self.table.world.referee.state

    @property
    def _wanted(self) -> Expected:
        return self.table.world.referee.expected

    @property
    def _true(self) -> State:
        return self.table.truth.state

    def _same_hand(self) -> bool:
        shown, true = self._shown, self._true
        return (shown.hand, len(shown.results), shown.players) == (true.hand, len(true.results), true.players)

    # --- calls --------------------------------------------------------------------------------------------------

    def pump(self) -> None:
        """All fists are on the table: nobody bids before the count has begun."""
        for _ in range(2 * TRIES):
            view = self.table.world.referee.view(self.table.world.now_ns)
            if view.countdown_ends_ns is not None or not self._calls_again():
                return

    def _calls_again(self) -> bool:
        """Somebody whose call isn't shown gives it again."""
        phase = self._shown.phase
        if phase not in CALLING or not self._same_hand():
            return False
        true = self._true
        seat = self._wanted.default_seat
        match phase:
            case Phase.DEAL | Phase.TURN_UP:
                if true.phase in (Phase.DEAL, Phase.TURN_UP):
                    return phase is Phase.DEAL and true.phase is Phase.TURN_UP and self._rap(true.dealer)
                return self._rap(true.dealer)
            case Phase.PASS_CARDS:
                return self._raps()
            case Phase.SECRET_BID if not set(self._shown.players) <= self._shown.raps:
                return self._raps()
            case Phase.AUCTION if seat is not None:
                return self._auction(seat)
            case Phase.BID:
                return self._bids()
            case Phase.SECRET_BID:
                return self._fists()
            case Phase.NAME_SUIT if seat is not None:
                return self._suit(seat)
        return False

    def _again(self, *what: object) -> bool:
        """Whether this is tried once more."""
        self._tries[what] = self._tries.get(what, 0) + 1
        return self._tries[what] <= TRIES

    def _press_rap(self, seat: str) -> None:
        self.table.press(seat, Gesture.RAP, 0, self.table.time_after(300, 900))
        self.table.rule_on_acts()

    def _rap(self, seat: str) -> bool:
        if not self._again(seat, "rap", self._shown.phase, self._shown.card_passes):
            return False
        self._press_rap(seat)
        return True

    def _dial(self, seat: str, choices: Sequence[str], chosen: str | None) -> None:
        """Somebody turns the dial and raps; or only raps."""
        if chosen is not None:
            self.table.turn_dial(seat, choices, chosen, self.table.time_after(600, 1600))
        self._press_rap(seat)

    def _beyond(self, phase: Phase) -> bool:
        """Whether the true hand has passed this phase (once more, where cards are handed on more than once)."""
        true = self._true
        if self._shown.card_passes != true.card_passes:
            return True
        return self.table.truth.part > 0 or (
            true.phase in _ORDER and _ORDER.index(true.phase) > _ORDER.index(phase)
        )

    def _raps(self) -> bool:
        shown, true = self._shown, self._true
        beyond = self._beyond(shown.phase)
        missing = [seat for seat in shown.players if seat not in shown.raps and (beyond or seat in true.raps)]
        rapped = [self._rap(seat) for seat in missing]
        return any(rapped)

    def _auction(self, seat: str) -> bool:
        shown = self._shown
        # A hand that all have passed in is thrown in: until it is dealt again, its calls can be given again.
        hands = self.table.truth.hands
        hand = hands[-2] if self._true.phase is Phase.DEAL and len(hands) > 1 else hands[-1]
        calls = hand.calls.get(shown.card_passes, [])
        at = len(shown.calls)
        if at >= len(calls) or calls[at][0] != seat:
            return False
        bid = calls[at][1]
        legal = self.table.truth.game.legal_bids(shown, seat)
        if (bid is not None and bid not in legal) or not self._again(seat, "call", at):
            return False
        self._dial(seat, [str(bid) for bid in legal], None if bid is None else str(bid))
        return True

    def _bids(self) -> bool:
        true, wanted, shown = self.table.truth.hand.bids, self._wanted, self._shown
        legal = self.table.truth.game.legal_bids
        missing = [seat for seat in true if seat in wanted.seats and true[seat] in legal(shown, seat)]
        for seat in missing[:1]:
            if self._again(seat, "bid"):
                self.table.press_bid(seat, bid_to_json(true[seat]), self.table.time_after(600, 1500))
                self.table.rule_on_acts()
                return True
        return False

    def _fists(self) -> bool:
        bids = self.table.truth.hand.bids
        if self._true.phase is Phase.SECRET_BID or not bids or not self._again("fists"):
            return False
        start_ns = self.table.countdown_end()
        for seat, bid in bids.items():
            self.table.press_bid(
                seat, bid_to_json(bid), start_ns + round(self.table.rng.uniform(60, 700) * MS)
            )
        self.table.rule_on_acts()
        return True

    def _suit(self, seat: str) -> bool:
        truth = self.table.truth
        who, suit = truth.hand.suits.get(truth.part, ("", ""))
        if self._true.phase is Phase.NAME_SUIT or who != seat or not self._again(seat, "suit", truth.part):
            return False
        self._dial(seat, SUITS, suit)
        return True

    # --- cards --------------------------------------------------------------------------------------------------

    def _take_back(self, act: LayAct, low_ms: float, high_ms: float) -> None:
        self.table.take(act.seat, [act.id], self.table.time_after(low_ms, high_ms), to_hand=True)
        self.table.rule_on_acts()

    def _takes_back(self) -> bool:
        """Who is told to takes a card back."""
        table = self.table
        for lying in table.world.referee.view(table.world.now_ns).cards_on_mark:
            assert lying.id is not None
            laid = table.camera.eye.laid_as(lying.id)
            act = next((act for act in table.mark.values() if table.laid[act.id] is laid), None)
            if lying.role != "back" or act is None:
                continue
            if Play(act.seat, act.card) not in self._true.trick.plays or lying.seat not in (act.seat, None):
                continue
            if ("back", act.seat) in self._done:
                continue
            self._done.add(("back", act.seat))
            self._take_back(act, 800, 2000)
            self.again[act.seat] = act.card
            return True
        return False

    def _lays_again(self) -> bool:
        """Who is waited for, and has played, lays the card again."""
        table, truth, shown, true = self.table, self.table.truth, self._shown, self._true
        seat = self._wanted.default_seat
        if shown.phase not in (Phase.LEAD, Phase.FOLLOW) or not self._wanted.must_act or seat is None:
            return False
        if not self._same_hand() or len(shown.tricks) != len(true.tricks) or ("lay", seat) in self._done:
            return False
        act = next((act for act in table.mark.values() if act.seat == seat), None)
        if act is None or Play(seat, act.card) not in true.trick.plays:
            return False
        back = truth.possible(TakenBack(seat, act.card))
        if back is None or seat not in truth.game.expected(back).seats:
            return False
        self._done.add(("lay", seat))
        table.advance_time(max(table.world.now_ns, table.camera.busy_ns))
        table.wait(PATIENCE_MS)
        if self._wanted.default_seat != seat or self._shown.phase not in (Phase.LEAD, Phase.FOLLOW):
            return True
        self._take_back(act, 100, 600)
        if seat in truth.expected.seats:
            table.lay(seat, act.card, table.earliest_landing(seat, table.time_after(700, 1200)))
            table.rule_on_acts()
        return True
