"""The director: scripts a whole simulated game, scene by scene.

A scene is one step of the game: somebody bids, two players bid at once, a player leads too early and takes the card
back. After each scene the ground-truth referee rules, and the next scene follows from what all players can see.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from table.cards import Card
from table.config.settings import TableConfig
from table.errors import TableError
from table.events.game_events import BidValue
from table.games.engine.game_state import PASS, Phase
from table.games.registry import make_game
from table.observed_facts import MS, Gesture
from table.phrase import WrongValueError
from table.simulation.players.acts_on_simulated_table import OnMark, Stage
from table.simulation.players.player_strategy import choose_bid, choose_card, estimate_tricks
from table.simulation.players.simulated_game import World
from table.simulation.players.state_known_to_players import joker_suits_on_dial

MAX_SCENES = 20_000
TRICK_REST_MS = 1_500
"""Waiting time after a card is taken back from a complete trick, until the rest has visibly stayed on the mark."""


@dataclass(frozen=True, slots=True)
class MishapRates:
    """Probabilities of irregular acts, each per scene in which the act is possible."""

    tied_bids: float = 0.12
    close_bids: float = 0.12
    """Two bids shortly after each other, outside the tie window: both count."""
    raps: float = 0.2
    forbidden: float = 0.2
    """The last bidder bids the number that the hook forbids."""
    early_bid: float = 0.08
    """A bid before the dealer's rap."""
    tied_leads: float = 0.16
    apart_share: float = 0.25
    """Share of tied leads that lie side by side, not one upon another."""
    three_way_share: float = 0.1
    """Share of ties with three players, where three may act."""
    late_lead: float = 0.06
    """A second lead after the end of the tie window."""
    left_lying: float = 0.4
    """A player whose turn is next leaves the tied lead on the mark."""
    out_of_turn: float = 0.06
    second_thoughts: float = 0.05
    """A player takes a card back and plays another."""
    revoke: float = 0.02
    """A player who could follow suit does not."""
    reaching: float = 0.0
    """A hand stays over the mark for a while."""
    nudge: float = 0.0
    """A hand pushes a card on the mark a little."""
    face_down: float = 0.0
    """A card lands face down, is taken back and laid again."""
    min_tie_rate: float = 0.6
    """Minimum probability of a kind of tie that has not happened yet in this game."""


ROUGH_MISHAPS = MishapRates(reaching=0.15, nudge=0.15, face_down=0.06)
"""The default mishaps, and disturbances that must not change the game."""

NO_MISHAPS = MishapRates(
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
    min_tie_rate=0,
)
"""No mishaps at all: every act is regular."""


def play_game(
    config: TableConfig,
    seed: int,
    *,
    mischief: MishapRates | None = None,
    pace: float = 1.0,
    start_ns: int = 0,
) -> World:
    """Simulate a whole game and return its world; the same arguments give the same game.

    ``pace`` multiplies the players' thinking time. ``start_ns`` is the start of the recording on its own clock.
    ``TableError`` if the game's options are wrong.
    """
    try:
        make_game(config.game, config.names, config.options)  # raises if the options are wrong
    except WrongValueError as wrong:
        raise TableError(wrong, at=(config.path or "table.toml", "game")) from None
    stage = Stage(config, seed, pace, start_ns)
    director = Director(stage, mischief or MishapRates())
    for _ in range(MAX_SCENES):
        if stage.expected.phase is Phase.OVER:
            return stage.make_world()
        director.play_scene()
    raise AssertionError(f"no end after {MAX_SCENES} scenes: {stage.state}")


class Director:
    """Chooses the next scene at random from what the state of the game allows, and plays it on the stage."""

    def __init__(self, stage: Stage, mischief: MishapRates) -> None:
        self.stage = stage
        self.mishap_rates = mischief
        self._scripted_deal = 0
        self._stock: list[Card] = []
        self._turned_up: OnMark | None = None
        self._mishaps_so_far: set[str] = set()
        self._left_on_mark: set[int] = set()
        """Ids of cards that should be taken back, but that their players leave on the mark to be played."""
        self._scene_by_phase: dict[Phase, Callable[[], None]] = {
            Phase.DEAL: self._deal,
            Phase.TURN_UP: self._turn_up,
            Phase.PASS_CARDS: self._pass_cards,
            Phase.AUCTION: self._auction,
            Phase.BID: self._make_bids,
            Phase.SECRET_BID: self._secret_bids,
            Phase.LEAD: self._lead_trick,
            Phase.NAME_SUIT: self._name_suit,
            Phase.FOLLOW: self._follow_lead,
            Phase.PICK_UP: self._pick_up,
        }

    def play_scene(self) -> None:
        """Choose the next scene by the phase of the game, act it, and let the ground-truth referee rule on it."""
        stage = self.stage
        if stage.referee.deal_count != self._scripted_deal:
            self._new_hand()
        self._add_disturbances()
        if not self._take_back_cards():
            self._scene_by_phase[stage.expected.phase]()
        stage.rule_on_acts()

    def _add_disturbances(self) -> None:
        """Add disturbances at random (a hand over the mark, a pushed card) that must not change the game."""
        stage = self.stage
        if stage.expected.phase not in (Phase.BID, Phase.LEAD, Phase.FOLLOW, Phase.PICK_UP):
            return
        if self._mishap_happens("reaching"):
            seat = stage.pick_seat(stage.state.players)
            stage.reach(seat, stage.time_after(400, 1200), float(stage.rng.uniform(150, 1800)))
            stage.wait(250)
        if stage.mark and self._mishap_happens("nudge"):
            number = list(stage.mark)[int(stage.rng.integers(len(stage.mark)))]
            stage.nudge(stage.pick_seat(stage.state.players), number, stage.time_after(400, 1200))
            stage.wait(250)

    # --- the deal ---------------------------------------------------------------------------------------------

    def _new_hand(self) -> None:
        stage = self.stage
        state = stage.state
        self._scripted_deal = stage.referee.deal_count
        pack = stage.pack()
        order = [pack[index] for index in stage.rng.permutation(len(pack))]
        stage.hands = {name: [] for name in stage.config.names}
        for seat in state.players:
            stage.hands[seat] = order[: state.cards]
            order = order[state.cards :]
        self._stock = order
        self._left_on_mark = set()
        self._turned_up = None

    def _deal(self) -> None:
        """Deal the cards, turn one up where the game has it, and let the dealer rap."""
        stage = self.stage
        dealer = stage.state.dealer
        if not self._turned_up and self._can_turn_up() and stage.happens_with(0.5):
            self._lay_turned_card()
            return
        dealing = 900 + 130 * stage.state.cards * len(stage.state.players)
        t_ns = stage.time_after(dealing, dealing + 900)
        if self._mishap_happens("early_bid"):
            early = stage.pick_seat([seat for seat in stage.state.players if seat != dealer])
            stage.bid(early, 1, stage.time_after(500, 900))
            t_ns = stage.time_after(900, 1500)
        stage.rap(dealer, t_ns)

    def _can_turn_up(self) -> bool:
        """Return whether a card that the dealer lays down now would become the turned-up card."""
        probe = self._stock[0] if self._stock else None
        if probe is None:
            dealer = self.stage.state.dealer
            probe = self.stage.hands[dealer][-1] if self.stage.hands[dealer] else None
        if probe is None or self._turned_up is not None:
            return False
        return self.stage.referee.would_turn_up(str(probe))

    def _turn_up(self) -> None:
        self._lay_turned_card()

    def _lay_turned_card(self) -> None:
        """Lay the turned-up card on the mark: the next of the stock or, if none is left, the dealer's last card."""
        stage = self.stage
        dealer = stage.state.dealer
        if self._stock:
            stage.hands[dealer].append(self._stock.pop(0))
        shown = stage.hands[dealer][-1]
        t_ns = stage.earliest_landing(dealer, stage.time_after(1300, 2200))
        self._turned_up = stage.lay(dealer, shown, t_ns)

    def _take_turned_card(self) -> None:
        """Take the turned-up card off the mark: to the stock, or to the dealer's hand if it came from there."""
        assert self._turned_up is not None
        stage = self.stage
        dealer, card = stage.state.dealer, self._turned_up
        is_dealers = len(stage.hands[dealer]) < stage.state.cards
        stage.take(dealer, [card.id], stage.time_after(500, 1000), to_hand=is_dealers)
        self._turned_up = None

    def _pass_cards(self) -> None:
        """Pass cards to the left, then let all players rap."""
        stage = self.stage
        players = stage.state.players
        count = stage.referee.cards_to_pass()
        gifts = {}
        for seat in players:
            hand = sorted(stage.hands[seat], key=lambda card: card.strength)
            gifts[seat] = hand[:count]
        for number, seat in enumerate(players):
            receiver = players[(number + 1) % len(players)]
            for card in gifts[seat]:
                stage.hands[seat].remove(card)
            stage.hands[receiver] = [*stage.hands[receiver], *gifts[seat]]
        stage.wait(1500 * stage.pace)
        for seat in players:
            stage.rap(seat, stage.time_after(250, 700, seat))

    # --- bids -------------------------------------------------------------------------------------------------

    def _wanted_bid(self, seat: str) -> BidValue:
        stage = self.stage
        hidden = stage.referee.reference.on_forehead()
        return choose_bid(
            stage.state, stage.player_styles[seat], stage.hands, stage.legal_bids(seat), hidden=hidden
        )

    def _make_bids(self) -> None:
        expected = self.stage.expected
        assert expected.default_seat is not None
        if not expected.anyone_may_act or expected.must_act or len(expected.seats) == 1:
            self._single_bid(expected.default_seat, patient=not expected.anyone_may_act)
        elif self._mishap_happens("tied_bids", eager=True):
            self._tied_bids(list(expected.seats))
        elif self._mishap_happens("close_bids"):
            self._close_bids(list(expected.seats))
        elif self._mishap_happens("raps"):
            self._rap_some(list(expected.seats), expected.default_seat)
        elif self.stage.happens_with(0.4):
            self._single_bid(expected.default_seat)
        else:
            self._single_bid(self.stage.pick_seat(expected.seats))

    def _single_bid(self, seat: str, *, patient: bool = False) -> None:
        stage = self.stage
        legal = stage.legal_bids(seat)
        forbidden = [number for number in range(stage.state.cards + 1) if number not in legal]
        t_ns = stage.time_after(700, 1900 if patient else 1700, seat)
        if forbidden and self._mishap_happens("forbidden"):
            stage.bid(seat, forbidden[0], t_ns)
        else:
            stage.bid(seat, self._wanted_bid(seat), t_ns)

    def _tied_bids(self, seats: list[str]) -> None:
        """Let two or three players begin to bid within the tie window."""
        stage = self.stage
        count = 3 if len(seats) > 2 and stage.happens_with(self.mishap_rates.three_way_share) else 2
        chosen = [seats[number] for number in stage.rng.permutation(len(seats))[:count]]
        window = 0.6 * stage.config.buttons.tie_window_ms
        t_ns = stage.time_after(800, 1700)
        bids = [self._wanted_bid(seat) for seat in chosen]
        offsets = sorted(float(stage.rng.uniform(0.4, window)) for _ in chosen[1:])
        for seat, bid, offset in zip(chosen, bids, [0.0, *offsets], strict=True):
            stage.bid(seat, bid, t_ns + round(offset * MS))

    def _close_bids(self, seats: list[str]) -> None:
        """Let two players bid shortly after each other: both bids count, in the order of their first edges."""
        stage = self.stage
        first, second = (seats[number] for number in stage.rng.permutation(len(seats))[:2])
        t_ns = stage.time_after(800, 1700)
        bids = self._wanted_bid(first), self._wanted_bid(second)
        stage.bid(first, bids[0], t_ns)
        stage.bid(
            second,
            bids[1],
            t_ns + round(float(stage.rng.uniform(2.5, 7)) * stage.config.buttons.tie_window_ms * MS),
        )

    def _rap_some(self, seats: list[str], default: str | None) -> None:
        """Let some or all players who need not act rap to show that they do not want to."""
        stage = self.stage
        others = [seat for seat in seats if seat != default and seat not in stage.state.raps]
        if not others:
            return
        count = len(others) if stage.happens_with(0.6) else int(stage.rng.integers(1, len(others) + 1))
        for index in stage.rng.permutation(len(others))[:count]:
            stage.rap(others[index], stage.time_after(250, 800))

    def _secret_bids(self) -> None:
        """Let all players rap (fist on the table); after the countdown all bid at once."""
        stage = self.stage
        missing = [seat for seat in stage.state.players if seat not in stage.state.raps]
        if missing:
            for seat in missing:
                stage.rap(seat, stage.time_after(150, 500, seat))
            return
        countdown_end_ns = stage.t_ns + 3_200 * MS
        for seat in stage.state.players:
            stage.bid(
                seat, self._wanted_bid(seat), countdown_end_ns + round(float(stage.rng.uniform(50, 700)) * MS)
            )

    def _auction(self) -> None:
        """Make one call of the auction (Israeli Whist): taps turn the dial up; a rap calls what it shows, or passes."""
        stage = self.stage
        turn = stage.expected.default_seat
        assert turn is not None
        legal = [str(bid) for bid in stage.legal_bids(turn)]
        hand = stage.hands[turn]
        best_suit = max("CDHS", key=lambda suit: estimate_tricks(hand, suit, len(stage.state.players)))
        value = (
            estimate_tricks(hand, best_suit, len(stage.state.players)) + stage.player_styles[turn].boldness
        )
        wanted = next(
            (bid for bid in legal if bid[-1:] == best_suit and bid.rstrip("CDHSNT").isdigit()), None
        )
        level = int(wanted.rstrip("CDHSNT")) if wanted else 99
        taps = legal.index(wanted) + 1 if wanted else 0
        nobody_yet = not any(call != PASS for _, call in stage.state.calls)
        if wanted and taps <= 8 and (level <= value + 1.2 or (nobody_yet and stage.happens_with(0.3))):
            last_tap = stage.press(turn, Gesture.TAPS, taps, stage.time_after(900, 2200, turn))
            stage.call(turn, wanted, stage.time_after(250, 600, turn), last_tap)
        else:
            stage.call(turn, "pass", stage.time_after(700, 1800, turn))

    def _name_suit(self) -> None:
        stage = self.stage
        turn = stage.expected.default_seat
        assert turn is not None
        suits = joker_suits_on_dial(stage.referee)
        hand_suits = [card.suit for card in stage.hands[turn]]
        suit = max(suits, key=hand_suits.count)
        stage.press(turn, Gesture.TAPS, suits.index(suit) + 1, stage.time_after(900, 1600, turn))
        stage.call(turn, suit, stage.time_after(250, 600, turn))

    # --- cards ------------------------------------------------------------------------------------------------

    def _choose_card(self, seat: str) -> Card:
        legal = self.stage.legal_plays(seat)
        return choose_card(self.stage.state, seat, legal)

    def _lead_trick(self) -> None:
        stage = self.stage
        expected = stage.expected
        assert expected.default_seat is not None
        if self._turned_up is not None:
            self._take_turned_card()
        elif not expected.anyone_may_act or expected.must_act:
            self._play_card(expected.default_seat)
        elif self._mishap_happens("tied_leads", eager=True):
            self._tied_leads(list(expected.seats))
        elif self._mishap_happens("late_lead") and len(expected.seats) > 2:
            self._late_lead(list(expected.seats))
        elif not stage.state.raps and self._mishap_happens("raps"):
            self._rap_some(list(expected.seats), expected.default_seat)
        else:
            self._play_card(
                expected.default_seat if stage.happens_with(0.45) else stage.pick_seat(expected.seats)
            )

    def _play_card(self, seat: str) -> OnMark:
        stage = self.stage
        t_ns = stage.earliest_landing(seat, stage.time_after(700, 1700, seat))
        card = self._choose_card(seat)
        legal = stage.legal_plays(seat)
        if self._mishap_happens("face_down"):
            dropped = stage.lay(seat, card, t_ns, face_down=True)
            stage.take(seat, [dropped.id], stage.time_after(600, 1200, seat), to_hand=True)
            stage.wait(350)
            t_ns = stage.earliest_landing(seat, stage.time_after(500, 1000, seat))
        illegal = [hand_card for hand_card in stage.hands[seat] if hand_card not in legal]
        if illegal and self._mishap_happens("revoke"):
            card = illegal[int(stage.rng.integers(len(illegal)))]
        return stage.lay(seat, card, t_ns)

    def _tied_leads(self, seats: list[str]) -> None:
        """Let two or three players lead at the same time: one card upon another, or side by side."""
        stage = self.stage
        count = 3 if len(seats) > 2 and stage.happens_with(self.mishap_rates.three_way_share) else 2
        chosen = [seats[number] for number in stage.rng.permutation(len(seats))[:count]]
        cards = [self._choose_card(seat) for seat in chosen]
        t_ns = max(stage.earliest_landing(seat, stage.time_after(800, 1700)) for seat in chosen)
        apart = count == 2 and stage.happens_with(self.mishap_rates.apart_share) and self._sit_apart(*chosen)
        if apart and stage.happens_with(0.5):
            t_ns = stage.time_within_frame(t_ns)
            gaps = [0.0, 2.0]
        elif apart:
            gaps = [0.0, float(stage.rng.uniform(140, 190))]
        else:
            max_gap_ms = min(150.0, 0.7 * stage.config.camera.tie_window_ms)
            gaps = [0.0, *sorted(float(gap) for gap in stage.rng.uniform(25, max_gap_ms, count - 1))]
        first: OnMark | None = None
        for seat, card, gap in zip(chosen, cards, gaps, strict=True):
            upon = first.id if first is not None and not apart else None
            laid = stage.lay(seat, card, t_ns + round(gap * MS), upon=upon, apart=apart)
            first = first or laid

    def _sit_apart(self, first: str, second: str) -> bool:
        """Return whether two players sit far enough from each other to lay cards side by side."""
        first_deg, second_deg = self.stage.seats[first].angle, self.stage.seats[second].angle
        return abs((first_deg - second_deg + 180) % 360 - 180) > 75

    def _late_lead(self, seats: list[str]) -> None:
        """Add a second lead after the tie window; unless its player is next in turn, it has to be taken back."""
        stage = self.stage
        players = stage.state.players
        first = stage.pick_seat(seats)
        following = players[(players.index(first) + 1) % len(players)]
        second = stage.pick_seat([seat for seat in seats if seat not in (first, following)])
        cards = self._choose_card(first), self._choose_card(second)
        t_ns = stage.earliest_landing(first, stage.time_after(800, 1700))
        delay_ms = stage.config.camera.tie_window_ms + float(stage.rng.uniform(250, 600))
        stage.lay(first, cards[0], t_ns)
        stage.lay(second, cards[1], stage.earliest_landing(second, t_ns + round(delay_ms * MS)))

    def _follow_lead(self) -> None:
        stage = self.stage
        turn = stage.expected.default_seat
        assert turn is not None
        if self._unplayed_cards(turn):
            # The player in turn left a tied lead on the mark: the next player plays, and so the lead counts.
            after = self._player_after(turn)
            stage.lay(
                after,
                self._following_card(after),
                stage.earliest_landing(after, stage.time_after(700, 1500, after)),
            )
            return
        later = [
            seat
            for seat in stage.state.players
            if seat != turn
            and all(play.seat != seat for play in stage.state.trick.plays)
            and not self._unplayed_cards(seat)
            and stage.hands[seat]
        ]
        if later and self._mishap_happens("out_of_turn"):
            early = stage.pick_seat(later)
            card = self._following_card(early)
            stage.lay(early, card, stage.earliest_landing(early, stage.time_after(600, 1300, early)))
            return
        laid = self._play_card(turn)
        others = [card for card in stage.legal_plays(turn, laid.card) if card != laid.card]
        if others and self._mishap_happens("second_thoughts"):
            stage.rule_on_acts()
            if stage.expected.phase in (Phase.FOLLOW, Phase.PICK_UP):
                complete = stage.expected.phase is Phase.PICK_UP
                stage.take(turn, [laid.id], stage.time_after(500, 900, turn), to_hand=True)
                # From a complete trick this might be the first of several grabs: all players wait until the table
                # has seen that it was not.
                stage.wait(TRICK_REST_MS if complete else 250)

    def _following_card(self, seat: str) -> Card:
        """Return a card that would be legal if it were that player's turn."""
        hand = self.stage.hands[seat]
        lead = self.stage.state.trick.lead
        suited = [card for card in hand if lead is not None and card.suit == lead.card.suit]
        return (suited or hand)[0]

    def _player_after(self, seat: str) -> str:
        players = self.stage.state.players
        return players[(players.index(seat) + 1) % len(players)]

    def _unplayed_cards(self, seat: str | None) -> list[OnMark]:
        """Return the seat's cards on the mark that are not part of the trick."""
        played = {play.card for play in self.stage.state.trick.plays}
        return [
            card
            for card in self.stage.mark.values()
            if card.seat == seat and card.card not in played and card is not self._turned_up
        ]

    def _take_back_cards(self) -> bool:
        """Take back the cards that must be, or leave them where that is allowed; return False if none was taken."""
        stage = self.stage
        waiting = stage.referee.cards_to_take_back()
        back = [stage.mark[card_id] for card_id in waiting if card_id not in self._left_on_mark]
        for card in back:
            if card is self._turned_up:
                self._take_turned_card()  # a joker: another is turned
                continue
            if self._may_leave(card) and self._mishap_happens("left_lying"):
                self._left_on_mark.add(card.id)
                continue
            stage.take(card.seat, [card.id], stage.time_after(500, 1100, card.seat), to_hand=True)
        return any(card.id not in self._left_on_mark for card in back)

    def _may_leave(self, card: OnMark) -> bool:
        """Return whether a card may be left on the mark: its player is in turn, it follows suit, another plays next."""
        stage = self.stage
        expected, lead = stage.expected, stage.state.trick.lead
        if expected.phase is not Phase.FOLLOW or expected.default_seat != card.seat or lead is None:
            return False
        next_has_not_played = all(
            play.seat != self._player_after(card.seat) for play in stage.state.trick.plays
        )
        return next_has_not_played and card.card.suit == lead.card.suit

    def _pick_up(self) -> None:
        stage = self.stage
        winner = stage.state.trick.winner
        assert winner is not None
        stage.take(winner, list(stage.mark), stage.time_after(700, 1500, winner), to_hand=False)
        self._left_on_mark = set()
        stage.wait(200)

    # --- mishaps ----------------------------------------------------------------------------------------------

    def _mishap_happens(self, mishap: str, *, eager: bool = False) -> bool:
        """Decide at random whether a mishap happens; ``eager``: more probably while it has not happened yet."""
        probability = float(getattr(self.mishap_rates, mishap))
        if eager and mishap not in self._mishaps_so_far and probability > 0:
            probability = max(probability, self.mishap_rates.min_tie_rate)
        if not self.stage.happens_with(probability):
            return False
        self._mishaps_so_far.add(mishap)
        return True
