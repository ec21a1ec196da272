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

from typing import TYPE_CHECKING

from table.events.event_spec import Play
from table.events.game_events import BidValue, TakenBack
from table.games.engine.game_state import Expected, Phase, State
from table.observed_facts import MS

if TYPE_CHECKING:
    from tests.referee.faults.people import Players

PATIENCE_NS = 10_000 * MS
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

    def __init__(self, players: Players) -> None:
        self.players = players
        self._done: set[tuple[str, str]] = set()
        self._tries: dict[tuple[object, ...], int] = {}
        self._calls: dict[int, list[tuple[str, BidValue | None]]] = {}
        self._suits: dict[tuple[int, int], tuple[str, str]] = {}

    def new_hand(self) -> None:
        """Another hand is dealt."""
        self._done.clear()
        self._tries.clear()
        self._calls.clear()
        self._suits.clear()

    def new_trick(self) -> None:
        """The trick has been picked up: everybody has patience again."""
        self._done.clear()

    def called(self, seat: str, bid: BidValue | None) -> None:
        """A call of the auction; None: a pass."""
        self._calls.setdefault(self.players.truth.state.card_passes, []).append((seat, bid))

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
        return self.players.world.referee.state

    @property
    def _wanted(self) -> Expected:
        return self.players.world.referee.expected

    def _same_hand(self) -> bool:
        shown, true = self._shown, self.players.truth.state
        return (shown.hand, len(shown.results), shown.players) == (true.hand, len(true.results), true.players)

    # --- calls --------------------------------------------------------------------------------------------------

    def pump(self) -> None:
        """All fists are on the table: nobody bids before the count has begun."""
        for _ in range(2 * TRIES):
            if self.players.world.referee.view(self.players.world.now_ns).countdown_ends_ns is not None:
                return
            if not self._calls_again():
                return

    def names(self, seat: str, suit: str) -> None:
        """The leader of a joker names its suit, by the dial as it is shown."""
        truth = self.players.truth
        self._suits[truth.where] = (seat, suit)
        legal = truth.game.legal_suits(truth.state, seat)
        if self._shown.phase is Phase.NAME_SUIT:
            legal = truth.game.legal_suits(self._shown, seat) or legal
        self.players.dial(seat, legal.index(suit) + 1 if suit in legal else 1)

    def _calls_again(self) -> bool:
        """Somebody whose call isn't shown gives it again."""
        phase = self._shown.phase
        if phase not in CALLING or not self._same_hand():
            return False
        true = self.players.truth.state
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

    def _rap(self, seat: str) -> bool:
        if not self._again(seat, "rap", self._shown.phase, self._shown.card_passes):
            return False
        self.players.rap(seat)
        return True

    def _beyond(self, phase: Phase) -> bool:
        """Whether the true hand has passed this phase (once more, where cards are handed on more than once)."""
        true = self.players.truth.state
        if self._shown.card_passes != true.card_passes:
            return True
        return self.players.truth.part > 0 or (
            true.phase in _ORDER and _ORDER.index(true.phase) > _ORDER.index(phase)
        )

    def _raps(self) -> bool:
        shown, true = self._shown, self.players.truth.state
        beyond = self._beyond(shown.phase)
        missing = [seat for seat in shown.players if seat not in shown.raps and (beyond or seat in true.raps)]
        rapped = [self._rap(seat) for seat in missing]
        return any(rapped)

    def _auction(self, seat: str) -> bool:
        shown = self._shown
        calls = self._calls.get(shown.card_passes, [])
        at = len(shown.calls)
        if at >= len(calls) or calls[at][0] != seat:
            return False
        bid = calls[at][1]
        legal = self.players.truth.game.legal_bids(shown, seat)
        if (bid is not None and bid not in legal) or not self._again(seat, "call", at):
            return False
        self.players.dial(seat, 0 if bid is None else legal.index(bid) + 1)
        return True

    def _bids(self) -> bool:
        true, wanted, shown = self.players.truth.hand.bids, self._wanted, self._shown
        legal = self.players.truth.game.legal_bids
        missing = [seat for seat in true if seat in wanted.seats and true[seat] in legal(shown, seat)]
        for seat in missing[:1]:
            if self._again(seat, "bid"):
                self.players.press_bid(seat, true[seat], self.players.after(600, 1500))
                return True
        return False

    def _fists(self) -> bool:
        bids = self.players.truth.hand.bids
        if self.players.truth.state.phase is Phase.SECRET_BID or not bids or not self._again("fists"):
            return False
        self.players.fists(bids)
        return True

    def _suit(self, seat: str) -> bool:
        truth = self.players.truth
        who, suit = self._suits.get(truth.where, ("", ""))
        if truth.state.phase is Phase.NAME_SUIT or who != seat or not self._again(seat, "suit", truth.part):
            return False
        self.names(seat, suit)
        return True

    # --- cards --------------------------------------------------------------------------------------------------

    def _takes_back(self) -> bool:
        """Who is told to takes a card back."""
        players = self.players
        plays = players.truth.state.trick.plays
        for lying in players.world.referee.view(players.world.now_ns).cards_on_mark:
            laid = players.eye.laid_as(lying.id)
            if lying.status != "go back" or laid is None or laid not in players.mark:
                continue
            if Play(laid.seat, laid.card) not in plays or lying.seat not in (laid.seat, None):
                continue
            if ("back", laid.seat) in self._done:
                continue
            self._done.add(("back", laid.seat))
            players.takes_back(laid, players.after(800, 2000))
            players.again[laid.seat] = laid.card
            return True
        return False

    def _lays_again(self) -> bool:
        """Who is waited for, and has played, lays the card again."""
        players, shown = self.players, self._shown
        true = players.truth.state
        seat = self._wanted.default_seat
        if shown.phase not in (Phase.LEAD, Phase.FOLLOW) or not self._wanted.must_act or seat is None:
            return False
        if not self._same_hand() or len(shown.tricks) != len(true.tricks) or ("lay", seat) in self._done:
            return False
        laid = next((one for one in players.mark if one.seat == seat), None)
        if laid is None or Play(seat, laid.card) not in true.trick.plays:
            return False
        back = players.truth.possible(TakenBack(seat, laid.card))
        if back is None or seat not in players.truth.game.expected(back).seats:
            return False
        self._done.add(("lay", seat))
        players.world.advance(max(players.world.now_ns, players.camera.busy_ns) + PATIENCE_NS)
        if self._wanted.default_seat != seat or self._shown.phase not in (Phase.LEAD, Phase.FOLLOW):
            return True
        players.takes_back(laid, players.after(100, 600))
        if seat in players.truth.expected.seats:
            players.plays(seat, laid.card, players.after(700, 1200))
        return True
