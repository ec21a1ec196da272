"""The director: lets virtual players play a whole game, scene by scene.

A scene is what happens next at the table as it stands: somebody bids, two bid at once, one leads too early and takes
the card back. After each scene the house rules, and the next scene follows from what all can see.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from table.cards import Card
from table.config import TableConfig
from table.errors import TableError
from table.events.happenings import BidValue
from table.facts import MS, Gesture
from table.games.base import PASS, Phase
from table.games.registry import make_game
from table.phrase import WrongValueError
from table.virtual.players import choose_bid, choose_card, worth
from table.virtual.stage import OnMark, Stage
from table.virtual.standing import suits_on_dial
from table.virtual.world import World

MOST_SCENES = 20_000
SEEN_TO_STAY_MS = 1_500
"""After so long the rest of a complete trick has been seen to stay on the mark, when a card was taken back from it."""


@dataclass(frozen=True, slots=True)
class Mischief:
    """How often things happen that don't go by the book, as probabilities a scene where they can."""

    tied_bids: float = 0.12
    close_bids: float = 0.12
    """Two bids shortly after one another: both count."""
    raps: float = 0.2
    forbidden: float = 0.2
    """The last bidder tries the number that is forbidden."""
    early_bid: float = 0.08
    """A bid before the dealer's rap."""
    tied_leads: float = 0.16
    apart: float = 0.25
    """Of tied leads: side by side and not one upon another."""
    three: float = 0.1
    """Of ties, where that many may: three at once."""
    late_lead: float = 0.06
    """A second lead, too late for a tie."""
    left_lying: float = 0.4
    """A tied lead is left lying by a player whose turn is next."""
    out_of_turn: float = 0.06
    second_thoughts: float = 0.05
    """A card is taken back and another played."""
    revoke: float = 0.02
    """A card that does not follow suit although it could."""
    reaching: float = 0.0
    """A hand rests over the mark for a while."""
    nudge: float = 0.0
    """A card on the mark is pushed a little."""
    face_down: float = 0.0
    """A card falls face down, is taken back and laid again."""
    eager: float = 0.6
    """The least probability of ties that have not happened yet in this game."""


ROUGH = Mischief(reaching=0.15, nudge=0.15, face_down=0.06)
"""And things that a table must shrug off."""

PEACE = Mischief(
    tied_bids=0,
    close_bids=0,
    raps=0,
    forbidden=0,
    early_bid=0,
    tied_leads=0,
    late_lead=0,
    out_of_turn=0,
    second_thoughts=0,
    revoke=0,
    eager=0,
)
"""Everything goes by the book."""


def play_game(
    config: TableConfig,
    seed: int,
    *,
    mischief: Mischief | None = None,
    pace: float = 1.0,
    start_ns: int = 0,
) -> World:
    """A whole game by virtual players; the same arguments give the same game.

    ``pace`` multiplies the time that people take to think. ``start_ns`` is when the recording begins, on its clock.
    """
    try:
        make_game(config.game, config.names, config.options)  # says what is wrong with the options
    except WrongValueError as wrong:
        raise TableError(wrong, at=(config.path or "table.toml", "game")) from None
    stage = Stage(config, seed, pace, start_ns)
    director = Director(stage, mischief or Mischief())
    for _ in range(MOST_SCENES):
        if stage.expected.phase is Phase.OVER:
            return stage.world()
        director.scene()
    raise AssertionError(f"no end after {MOST_SCENES} scenes: {stage.state}")


class Director:
    """Decides what happens next."""

    def __init__(self, stage: Stage, mischief: Mischief) -> None:
        self.stage = stage
        self.mischief = mischief
        self._dealt_for = 0
        self._stock: list[Card] = []
        self._turned: OnMark | None = None
        self._happened: set[str] = set()
        self._stays: set[int] = set()
        """Cards that should go back but are left lying, in the hope of counting."""
        self._scenes: dict[Phase, Callable[[], None]] = {
            Phase.DEAL: self._deal,
            Phase.TURN_UP: self._turn_up,
            Phase.PASS_CARDS: self._pass_cards,
            Phase.AUCTION: self._auction,
            Phase.BID: self._bid,
            Phase.SECRET_BID: self._secret_bids,
            Phase.LEAD: self._lead,
            Phase.NAME_SUIT: self._name_suit,
            Phase.FOLLOW: self._follow,
            Phase.PICK_UP: self._pick_up,
        }

    def scene(self) -> None:
        """One scene, and the house's ruling on it."""
        stage = self.stage
        if stage.house.deals != self._dealt_for:
            self._new_hand()
        self._disturb()
        if not self._clear_away():
            self._scenes[stage.expected.phase]()
        stage.settle()

    def _disturb(self) -> None:
        """Things that happen at any table, and that must change nothing."""
        stage = self.stage
        if stage.expected.phase not in (Phase.BID, Phase.LEAD, Phase.FOLLOW, Phase.PICK_UP):
            return
        if self._chance("reaching"):
            seat = stage.pick(stage.state.players)
            stage.reach(seat, stage.after(400, 1200), float(stage.rng.uniform(150, 1800)))
            stage.wait(250)
        if stage.mark and self._chance("nudge"):
            number = list(stage.mark)[int(stage.rng.integers(len(stage.mark)))]
            stage.nudge(stage.pick(stage.state.players), number, stage.after(400, 1200))
            stage.wait(250)

    # --- the deal ---------------------------------------------------------------------------------------------

    def _new_hand(self) -> None:
        stage = self.stage
        state = stage.state
        self._dealt_for = stage.house.deals
        pack = stage.pack()
        order = [pack[number] for number in stage.rng.permutation(len(pack))]
        stage.hands = {name: [] for name in stage.config.names}
        for seat in state.players:
            stage.hands[seat] = order[: state.cards]
            order = order[state.cards :]
        self._stock = order
        self._stays = set()
        self._turned = None

    def _deal(self) -> None:
        """Cards are dealt; in some games one is turned up; the dealer raps."""
        stage = self.stage
        dealer = stage.state.dealer
        if not self._turned and self._wants_turned() and stage.chance(0.5):
            self._lay_turned()
            return
        dealing = 900 + 130 * stage.state.cards * len(stage.state.players)
        at = stage.after(dealing, dealing + 900)
        if self._chance("early_bid"):
            early = stage.pick([seat for seat in stage.state.players if seat != dealer])
            stage.bid(early, 1, stage.after(500, 900))
            at = stage.after(900, 1500)
        stage.rap(dealer, at)

    def _wants_turned(self) -> bool:
        """Whether a turned card would be taken now."""
        probe = self._stock[0] if self._stock else None
        if probe is None:
            dealer = self.stage.state.dealer
            probe = self.stage.hands[dealer][-1] if self.stage.hands[dealer] else None
        if probe is None or self._turned is not None:
            return False
        return self.stage.house.takes_turned(str(probe))

    def _turn_up(self) -> None:
        self._lay_turned()

    def _lay_turned(self) -> None:
        """The dealer lays the turned card on the mark (or, when none is left, shows the own last card there)."""
        stage = self.stage
        dealer = stage.state.dealer
        if self._stock:
            stage.hands[dealer].append(self._stock.pop(0))
        shown = stage.hands[dealer][-1]
        at = stage.landing(dealer, stage.after(1300, 2200))
        self._turned = stage.lay(dealer, shown, at)

    def _take_turned(self) -> None:
        """The turned card is taken off the mark: back to the stock, or to the dealer's hand if it came from there."""
        assert self._turned is not None
        stage = self.stage
        dealer, turned = stage.state.dealer, self._turned
        theirs = len(stage.hands[dealer]) < stage.state.cards
        stage.take(dealer, [turned.id], stage.after(500, 1000), to_hand=theirs)
        self._turned = None

    def _pass_cards(self) -> None:
        """Cards are handed on to the left, then all rap."""
        stage = self.stage
        players = stage.state.players
        count = stage.house.cards_to_pass()
        gifts = {}
        for seat in players:
            hand = sorted(stage.hands[seat], key=lambda held: held.strength)
            gifts[seat] = hand[:count]
        for number, seat in enumerate(players):
            receiver = players[(number + 1) % len(players)]
            for held in gifts[seat]:
                stage.hands[seat].remove(held)
            stage.hands[receiver] = [*stage.hands[receiver], *gifts[seat]]
        stage.wait(1500 * stage.pace)
        for seat in players:
            stage.rap(seat, stage.after(250, 700, seat))

    # --- bids -------------------------------------------------------------------------------------------------

    def _wish(self, seat: str) -> BidValue:
        stage = self.stage
        hidden = stage.house.naive.on_forehead()
        return choose_bid(stage.state, stage.minds[seat], stage.hands, stage.legal_bids(seat), hidden=hidden)

    def _bid(self) -> None:
        expected = self.stage.expected
        assert expected.default is not None
        if not expected.free or expected.must or len(expected.seats) == 1:
            self._single_bid(expected.default, patient=not expected.free)
        elif self._chance("tied_bids", eager=True):
            self._tied_bids(list(expected.seats))
        elif self._chance("close_bids"):
            self._close_bids(list(expected.seats))
        elif self._chance("raps"):
            self._raps(list(expected.seats), expected.default)
        elif self.stage.chance(0.4):
            self._single_bid(expected.default)
        else:
            self._single_bid(self.stage.pick(expected.seats))

    def _single_bid(self, seat: str, *, patient: bool = False) -> None:
        stage = self.stage
        legal = stage.legal_bids(seat)
        barred = [number for number in range(stage.state.cards + 1) if number not in legal]
        at = stage.after(700, 1900 if patient else 1700, seat)
        if barred and self._chance("forbidden"):
            stage.bid(seat, barred[0], at)
        else:
            stage.bid(seat, self._wish(seat), at)

    def _tied_bids(self, seats: list[str]) -> None:
        """Two or three begin to bid within the tie window."""
        stage = self.stage
        many = 3 if len(seats) > 2 and stage.chance(self.mischief.three) else 2
        chosen = [seats[number] for number in stage.rng.permutation(len(seats))[:many]]
        window = 0.6 * stage.config.buttons.tie_window_ms
        at = stage.after(800, 1700)
        wishes = [self._wish(seat) for seat in chosen]
        offsets = sorted(float(stage.rng.uniform(0.4, window)) for _ in chosen[1:])
        for seat, wish, offset in zip(chosen, wishes, [0.0, *offsets], strict=True):
            stage.bid(seat, wish, at + round(offset * MS))

    def _close_bids(self, seats: list[str]) -> None:
        """Two begin shortly after one another: both bids count, in the order of their first edges."""
        stage = self.stage
        first, second = (seats[number] for number in stage.rng.permutation(len(seats))[:2])
        at = stage.after(800, 1700)
        wishes = self._wish(first), self._wish(second)
        stage.bid(first, wishes[0], at)
        stage.bid(
            second,
            wishes[1],
            at + round(float(stage.rng.uniform(2.5, 7)) * stage.config.buttons.tie_window_ms * MS),
        )

    def _raps(self, seats: list[str], default: str | None) -> None:
        """Some or all of those who need not act say so by rapping."""
        stage = self.stage
        others = [seat for seat in seats if seat != default and seat not in stage.state.raps]
        if not others:
            return
        count = len(others) if stage.chance(0.6) else int(stage.rng.integers(1, len(others) + 1))
        for number in stage.rng.permutation(len(others))[:count]:
            stage.rap(others[number], stage.after(250, 800))

    def _secret_bids(self) -> None:
        """All put their fists on the table; after the pump all bid at once."""
        stage = self.stage
        missing = [seat for seat in stage.state.players if seat not in stage.state.raps]
        if missing:
            for seat in missing:
                stage.rap(seat, stage.after(150, 500, seat))
            return
        pumped = stage.t_ns + 3_200 * MS
        for seat in stage.state.players:
            stage.bid(seat, self._wish(seat), pumped + round(float(stage.rng.uniform(50, 700)) * MS))

    def _auction(self) -> None:
        """Israeli Whist: the dial goes up by taps; a rap calls what it shows, or passes."""
        stage = self.stage
        turn = stage.expected.default
        assert turn is not None
        legal = [str(bid) for bid in stage.legal_bids(turn)]
        hand = stage.hands[turn]
        best = max("CDHS", key=lambda suit: worth(hand, suit, len(stage.state.players)))
        value = worth(hand, best, len(stage.state.players)) + stage.minds[turn].boldness
        wanted = next((bid for bid in legal if bid[-1:] == best and bid.rstrip("CDHSNT").isdigit()), None)
        reach = int(wanted.rstrip("CDHSNT")) if wanted else 99
        taps = legal.index(wanted) + 1 if wanted else 0
        nobody_yet = not any(call != PASS for _, call in stage.state.calls)
        if wanted and taps <= 8 and (reach <= value + 1.2 or (nobody_yet and stage.chance(0.3))):
            turned = stage.press(turn, Gesture.TAPS, taps, stage.after(900, 2200, turn))
            stage.call(turn, wanted, stage.after(250, 600, turn), turned)
        else:
            stage.call(turn, "pass", stage.after(700, 1800, turn))

    def _name_suit(self) -> None:
        stage = self.stage
        turn = stage.expected.default
        assert turn is not None
        suits = suits_on_dial(stage.house)
        held = [own.suit for own in stage.hands[turn]]
        suit = max(suits, key=held.count)
        stage.press(turn, Gesture.TAPS, suits.index(suit) + 1, stage.after(900, 1600, turn))
        stage.call(turn, suit, stage.after(250, 600, turn))

    # --- cards ------------------------------------------------------------------------------------------------

    def _choose(self, seat: str) -> Card:
        legal = self.stage.legal(seat)
        return choose_card(self.stage.state, seat, legal)

    def _lead(self) -> None:
        stage = self.stage
        expected = stage.expected
        assert expected.default is not None
        if self._turned is not None:
            self._take_turned()
        elif not expected.free or expected.must:
            self._play(expected.default)
        elif self._chance("tied_leads", eager=True):
            self._tied_leads(list(expected.seats))
        elif self._chance("late_lead") and len(expected.seats) > 2:
            self._late_lead(list(expected.seats))
        elif not stage.state.raps and self._chance("raps"):
            self._raps(list(expected.seats), expected.default)
        else:
            self._play(expected.default if stage.chance(0.45) else stage.pick(expected.seats))

    def _play(self, seat: str) -> OnMark:
        stage = self.stage
        at = stage.landing(seat, stage.after(700, 1700, seat))
        card = self._choose(seat)
        legal = stage.legal(seat)
        if self._chance("face_down"):
            dropped = stage.lay(seat, card, at, face_down=True)
            stage.take(seat, [dropped.id], stage.after(600, 1200, seat), to_hand=True)
            stage.wait(350)
            at = stage.landing(seat, stage.after(500, 1000, seat))
        wrong = [held for held in stage.hands[seat] if held not in legal]
        if wrong and self._chance("revoke"):
            card = wrong[int(stage.rng.integers(len(wrong)))]
        return stage.lay(seat, card, at)

    def _tied_leads(self, seats: list[str]) -> None:
        """Two or three lead at the same time: one upon another, or side by side."""
        stage = self.stage
        many = 3 if len(seats) > 2 and stage.chance(self.mischief.three) else 2
        chosen = [seats[number] for number in stage.rng.permutation(len(seats))[:many]]
        cards = [self._choose(seat) for seat in chosen]
        at = max(stage.landing(seat, stage.after(800, 1700)) for seat in chosen)
        apart = many == 2 and stage.chance(self.mischief.apart) and self._opposite(*chosen)
        if apart and stage.chance(0.5):
            at = stage.same_frame(at)
            gaps = [0.0, 2.0]
        elif apart:
            gaps = [0.0, float(stage.rng.uniform(140, 190))]
        else:
            most = min(150.0, 0.7 * stage.config.camera.tie_window_ms)
            gaps = [0.0, *sorted(float(gap) for gap in stage.rng.uniform(25, most, many - 1))]
        first: OnMark | None = None
        for seat, card, gap in zip(chosen, cards, gaps, strict=True):
            upon = first.id if first is not None and not apart else None
            laid = stage.lay(seat, card, at + round(gap * MS), upon=upon, apart=apart)
            first = first or laid

    def _opposite(self, one: str, other: str) -> bool:
        """Whether two players sit far enough from each other to lay cards side by side."""
        a, b = self.stage.seats[one].angle, self.stage.seats[other].angle
        return abs((a - b + 180) % 360 - 180) > 75

    def _late_lead(self, seats: list[str]) -> None:
        """A second lead comes too late for a tie; unless that player is next it has to go back."""
        stage = self.stage
        players = stage.state.players
        first = stage.pick(seats)
        following = players[(players.index(first) + 1) % len(players)]
        second = stage.pick([seat for seat in seats if seat not in (first, following)])
        cards = self._choose(first), self._choose(second)
        at = stage.landing(first, stage.after(800, 1700))
        late = stage.config.camera.tie_window_ms + float(stage.rng.uniform(250, 600))
        stage.lay(first, cards[0], at)
        stage.lay(second, cards[1], stage.landing(second, at + round(late * MS)))

    def _follow(self) -> None:
        stage = self.stage
        turn = stage.expected.default
        assert turn is not None
        if self._lying(turn):
            # A tied lead was left lying by the player whose turn it is: the next one plays, and so it counts.
            after = self._next(turn)
            stage.lay(after, self._follow_suit(after), stage.landing(after, stage.after(700, 1500, after)))
            return
        later = [
            seat
            for seat in stage.state.players
            if seat != turn
            and all(play.seat != seat for play in stage.state.trick.plays)
            and not self._lying(seat)
            and stage.hands[seat]
        ]
        if later and self._chance("out_of_turn"):
            early = stage.pick(later)
            card = self._follow_suit(early)
            stage.lay(early, card, stage.landing(early, stage.after(600, 1300, early)))
            return
        laid = self._play(turn)
        others = [card for card in stage.legal(turn, laid.card) if card != laid.card]
        if others and self._chance("second_thoughts"):
            stage.settle()
            if stage.expected.phase in (Phase.FOLLOW, Phase.PICK_UP):
                complete = stage.expected.phase is Phase.PICK_UP
                stage.take(turn, [laid.id], stage.after(500, 900, turn), to_hand=True)
                # Out of a complete trick it might as well have been the first of several grabs: all wait for the
                # table to see that it was not.
                stage.wait(SEEN_TO_STAY_MS if complete else 250)

    def _follow_suit(self, seat: str) -> Card:
        """A card that would be legal if it were that player's turn."""
        hand = self.stage.hands[seat]
        lead = self.stage.state.trick.lead
        same = [held for held in hand if lead is not None and held.suit == lead.card.suit]
        return (same or hand)[0]

    def _next(self, seat: str) -> str:
        players = self.stage.state.players
        return players[(players.index(seat) + 1) % len(players)]

    def _lying(self, seat: str | None) -> list[OnMark]:
        """The seat's cards on the mark that are no part of the trick."""
        played = {play.card for play in self.stage.state.trick.plays}
        return [
            lying
            for lying in self.stage.mark.values()
            if lying.seat == seat and lying.card not in played and lying is not self._turned
        ]

    def _clear_away(self) -> bool:
        """Cards that have to go back are taken back, or left lying where that is allowed; false: none are."""
        stage = self.stage
        waiting = stage.house.to_go_back()
        back = [stage.mark[number] for number in waiting if number not in self._stays]
        for lying in back:
            if lying is self._turned:
                self._take_turned()  # a joker: another is turned
                continue
            if self._may_leave(lying) and self._chance("left_lying"):
                self._stays.add(lying.id)
                continue
            stage.take(lying.seat, [lying.id], stage.after(500, 1100, lying.seat), to_hand=True)
        return any(lying.id not in self._stays for lying in back)

    def _may_leave(self, lying: OnMark) -> bool:
        """Whether a card that should go back may be left: it is its turn, it follows suit, others come after."""
        stage = self.stage
        expected, lead = stage.expected, stage.state.trick.lead
        if expected.phase is not Phase.FOLLOW or expected.default != lying.seat or lead is None:
            return False
        ends = all(play.seat != self._next(lying.seat) for play in stage.state.trick.plays)
        return ends and lying.card.suit == lead.card.suit

    def _pick_up(self) -> None:
        stage = self.stage
        winner = stage.state.trick.winner
        assert winner is not None
        stage.take(winner, list(stage.mark), stage.after(700, 1500, winner), to_hand=False)
        self._stays = set()
        stage.wait(200)

    # --- chances ----------------------------------------------------------------------------------------------

    def _chance(self, what: str, *, eager: bool = False) -> bool:
        """Whether something happens that doesn't go by the book; ``eager``: soon, if it has not happened yet."""
        probability = float(getattr(self.mischief, what))
        if eager and what not in self._happened and probability > 0:
            probability = max(probability, self.mischief.eager)
        if not self.stage.chance(probability):
            return False
        self._happened.add(what)
        return True
