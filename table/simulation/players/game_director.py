"""The director: scripts a whole simulated game, scene by scene.

A scene is one step of the game: somebody bids, two players bid at once, a player leads too early and takes the card
back. After each scene the ground-truth referee rules, and the next scene follows from what all players can see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from table.cards import PASS, Card, Contract, cards, parse_bid
from table.cards import card as card_named
from table.config.settings import TableConfig
from table.errors import convert_errors
from table.games.engine.game_state import Phase
from table.games.registry import make_game
from table.observed_facts import MS
from table.phrase import WrongValueError
from table.simulation.players.acts_on_simulated_table import Stage
from table.simulation.players.player_strategy import choose_bid, choose_card, estimate_tricks
from table.simulation.players.simulated_game import LayAct, World
from table.simulation.reference_rules.common import BidValue

MAX_SCENES = 20_000
MAX_DIAL_TAPS = 8
"""Maximum number of taps by which a player turns the dial up to a bid; higher bids are not made."""
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
    with convert_errors(WrongValueError, at=(config.path or "table.toml", "game")):
        make_game(config.game, config.names, config.options)
    stage = Stage(config, seed, pace, start_ns)
    director = Director(stage, mischief or MishapRates())
    for _ in range(MAX_SCENES):
        if stage.referee.phase is Phase.OVER:
            return stage.make_world()
        director.play_scene()
    raise AssertionError(f"no end after {MAX_SCENES} scenes: hand {stage.game.hand}, {stage.referee.phase}")


class Director:
    """Chooses the next scene at random from what the state of the game allows, and plays it on the stage."""

    def __init__(self, stage: Stage, mischief: MishapRates) -> None:
        self.stage = stage
        self.mishap_rates = mischief
        self._scripted_deal = 0
        self._stock: list[Card] = []
        self._turned_up: LayAct | None = None
        self._mishaps_so_far: set[str] = set()
        self._left_on_mark: set[int] = set()
        """Ids of cards that should be taken back, but that their players leave on the mark to be played."""
        self._scene_by_phase: dict[Phase, Callable[[], None]] = {
            Phase.DEAL: self._deal,
            Phase.TURN_UP: self._lay_turned_card,
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
            self._scene_by_phase[stage.referee.phase]()
        stage.rule_on_acts()

    def _add_disturbances(self) -> None:
        """Add disturbances at random (a hand over the mark, a pushed card) that must not change the game."""
        stage = self.stage
        if stage.referee.phase not in (Phase.BID, Phase.LEAD, Phase.FOLLOW, Phase.PICK_UP):
            return
        if self._mishap_happens("reaching"):
            seat = stage.pick(stage.game.players)
            stage.reach(seat, stage.time_after(400, 1200), float(stage.rng.uniform(150, 1800)))
            stage.wait(250)
        if stage.mark and self._mishap_happens("nudge"):
            number = stage.pick(list(stage.mark))
            stage.nudge(stage.pick(stage.game.players), number, stage.time_after(400, 1200))
            stage.wait(250)

    # --- what players decide ----------------------------------------------------------------------------------

    def choose_bid(self, seat: str) -> BidValue:
        """Return the number that a player bids."""
        return choose_bid(self.stage.game, seat, self.stage.hands, self.stage.boldness[seat])

    def choose_auction_bid(self, seat: str, legal: Sequence[str]) -> str | None:
        """Return what a player bids in an auction: the lowest bid of the best suit; None to pass."""
        stage = self.stage
        hand, players = stage.hands[seat], len(stage.game.players)
        best_suit = max("CDHS", key=lambda suit: estimate_tricks(hand, suit, players))
        value = estimate_tricks(hand, best_suit, players) + stage.boldness[seat]
        of_suit = (
            bid for bid in map(parse_bid, legal) if isinstance(bid, Contract) and bid.trump == best_suit
        )
        lowest = next(of_suit, None)
        if lowest is None or legal.index(str(lowest)) >= MAX_DIAL_TAPS:
            return None
        nobody_yet = all(call == PASS for _, call in stage.game.calls)
        worth_it = lowest.tricks <= value + 1.2
        return str(lowest) if worth_it or (nobody_yet and stage.happens_with(0.3)) else None

    def choose_card(self, seat: str) -> Card:
        """Return the card that a player who may play plays."""
        return choose_card(self.stage.game, seat, self.stage.legal_plays(seat))

    # --- the deal ---------------------------------------------------------------------------------------------

    def _new_hand(self) -> None:
        stage, game = self.stage, self.stage.game
        self._scripted_deal = stage.referee.deal_count
        order = stage.shuffle(cards(game.pack()))
        stage.hands = {name: [] for name in stage.config.names}
        for seat in game.players:
            stage.hands[seat], order = order[: game.cards], order[game.cards :]
        self._stock = order
        self._left_on_mark = set()
        self._turned_up = None

    def _deal(self) -> None:
        """Deal the cards, turn one up where the game has it, and let the dealer rap."""
        stage, dealer, players = self.stage, self.stage.game.dealer, self.stage.game.players
        shown = self._stock[:1] or stage.hands[dealer][-1:]
        can_turn_up = not self._turned_up and stage.referee.would_turn_up(str(shown[0]))
        if can_turn_up and stage.happens_with(0.5):
            self._lay_turned_card()
            return
        dealing = 900 + 130 * stage.game.cards * len(players)
        t_ns = stage.time_after(dealing, dealing + 900)
        if self._mishap_happens("early_bid"):
            early = stage.pick([seat for seat in players if seat != dealer])
            stage.bid(early, 1, stage.time_after(500, 900))
            t_ns = stage.time_after(900, 1500)
        stage.rap(dealer, t_ns)

    def _lay_turned_card(self) -> None:
        """Lay the turned-up card on the mark: the next of the stock or, if none is left, the dealer's last card."""
        stage, dealer = self.stage, self.stage.game.dealer
        if self._stock:
            stage.hands[dealer].append(self._stock.pop(0))
        t_ns = stage.earliest_landing(dealer, stage.time_after(1300, 2200))
        self._turned_up = stage.lay(dealer, stage.hands[dealer][-1], t_ns)

    def _take_turned_card(self, card: LayAct) -> None:
        """Take the turned-up card off the mark: to the stock, or to the dealer's hand if it came from there."""
        stage, dealer = self.stage, self.stage.game.dealer
        is_dealers = len(stage.hands[dealer]) < stage.game.cards
        stage.take(dealer, [card.id], stage.time_after(500, 1000), to_hand=is_dealers)
        self._turned_up = None

    def _pass_cards(self) -> None:
        """Pass the lowest cards to the neighbour who gets them, then let all players rap."""
        stage, players = self.stage, self.stage.game.players
        count = stage.game.exchanged()
        gifts = {seat: sorted(stage.hands[seat], key=lambda card: card.strength)[:count] for seat in players}
        for seat in players:
            receiver = stage.game.receiver(seat)
            for card in gifts[seat]:
                stage.hands[seat].remove(card)
            stage.hands[receiver] = [*stage.hands[receiver], *gifts[seat]]
        stage.wait(1500 * stage.pace)
        for seat in players:
            stage.rap(seat, stage.time_after(250, 700, seat))

    # --- bids -------------------------------------------------------------------------------------------------

    def _make_bids(self) -> None:
        stage = self.stage
        seats = stage.game.who_may()
        if len(seats) == 1:
            self._single_bid(seats[0])
        elif self._mishap_happens("tied_bids", eager=True):
            self._tied_bids(seats)
        elif self._mishap_happens("close_bids"):
            self._close_bids(seats)
        elif self._mishap_happens("raps"):
            self._rap_some(seats)
        else:
            self._single_bid(seats[0] if stage.happens_with(0.4) else stage.pick(seats))

    def _single_bid(self, seat: str) -> None:
        stage = self.stage
        legal = stage.game.legal_bids(seat)
        forbidden = [number for number in range(stage.game.cards + 1) if number not in legal]
        t_ns = stage.time_after(700, 1700 if stage.referee.anyone_may_act else 1900, seat)
        wants_forbidden = forbidden and self._mishap_happens("forbidden")
        stage.bid(seat, forbidden[0] if wants_forbidden else self.choose_bid(seat), t_ns)

    def _tied_bids(self, seats: list[str]) -> None:
        """Let two or three players begin to bid within the tie window."""
        stage = self.stage
        chosen = self._tied_players(seats)
        window = 0.6 * stage.config.buttons.tie_window_ms
        t_ns = stage.time_after(800, 1700)
        bids = [self.choose_bid(seat) for seat in chosen]
        offsets = sorted(float(stage.rng.uniform(0.4, window)) for _ in chosen[1:])
        for seat, bid, offset in zip(chosen, bids, [0.0, *offsets], strict=True):
            stage.bid(seat, bid, t_ns + round(offset * MS))

    def _tied_players(self, seats: list[str]) -> list[str]:
        """Return two players in random order, seldom three, of those who may act."""
        three = len(seats) > 2 and self.stage.happens_with(self.mishap_rates.three_way_share)
        return self.stage.pick_several(seats, 3 if three else 2)

    def _close_bids(self, seats: list[str]) -> None:
        """Let two players bid shortly after each other: both bids count, in the order of their first edges."""
        stage = self.stage
        first, second = stage.pick_several(seats, 2)
        t_ns = stage.time_after(800, 1700)
        second_bid = self.choose_bid(second)
        stage.bid(first, self.choose_bid(first), t_ns)
        gap_ms = float(stage.rng.uniform(2.5, 7)) * stage.config.buttons.tie_window_ms
        stage.bid(second, second_bid, t_ns + round(gap_ms * MS))

    def _rap_some(self, seats: list[str]) -> None:
        """Let some or all players who need not act rap to show that they do not want to."""
        stage = self.stage
        others = [seat for seat in seats[1:] if seat not in stage.game.rapped]
        if not others:
            return
        count = len(others) if stage.happens_with(0.6) else int(stage.rng.integers(1, len(others) + 1))
        for seat in stage.pick_several(others, count):
            stage.rap(seat, stage.time_after(250, 800))

    def _secret_bids(self) -> None:
        """Let all players rap (fist on the table); after the countdown all bid at once."""
        stage, players = self.stage, self.stage.game.players
        missing = [seat for seat in players if seat not in stage.referee.ready_seats]
        if missing:
            for seat in missing:
                stage.rap(seat, stage.time_after(150, 500, seat))
            return
        countdown_end_ns = stage.countdown_end()
        for seat in players:
            bid = self.choose_bid(seat)
            stage.bid(seat, bid, countdown_end_ns + round(float(stage.rng.uniform(50, 700)) * MS))

    def _auction(self) -> None:
        """Make one call of the auction: taps turn the dial up; a rap calls what it shows, or passes."""
        stage, turn = self.stage, self.stage.game.default()
        legal = [str(bid) for bid in stage.game.legal_bids(turn)]
        bid = self.choose_auction_bid(turn, legal)
        if bid is None:
            stage.rap(turn, stage.time_after(700, 1800, turn), call=PASS)
        else:
            turned = stage.turn_dial(turn, legal, bid, stage.time_after(900, 2200, turn))
            stage.rap(turn, stage.time_after(250, 600, turn), call=bid, turned=turned)

    def _name_suit(self) -> None:
        """Let the leader of a joker name its suit by the dial: the suit of which the hand has most."""
        stage, turn = self.stage, self.stage.game.default()
        suits = stage.game.public_suits(turn)
        hand_suits = [card.suit for card in stage.hands[turn]]
        suit = max(suits, key=hand_suits.count)
        stage.turn_dial(turn, suits, suit, stage.time_after(900, 1600, turn))
        stage.rap(turn, stage.time_after(250, 600, turn), call=suit)

    # --- cards ------------------------------------------------------------------------------------------------

    def _lead_trick(self) -> None:
        stage = self.stage
        seats = stage.game.who_may()
        if self._turned_up is not None:
            self._take_turned_card(self._turned_up)
        elif len(seats) == 1:
            self._play_card(seats[0])
        elif self._mishap_happens("tied_leads", eager=True):
            self._tied_leads(seats)
        elif self._mishap_happens("late_lead") and len(seats) > 2:
            self._late_lead(seats)
        elif not stage.game.rapped and self._mishap_happens("raps"):
            self._rap_some(seats)
        else:
            self._play_card(seats[0] if stage.happens_with(0.45) else stage.pick(seats))

    def _play_card(self, seat: str) -> LayAct:
        stage = self.stage
        t_ns = stage.earliest_landing(seat, stage.time_after(700, 1700, seat))
        card = self.choose_card(seat)
        legal = stage.legal_plays(seat)
        if self._mishap_happens("face_down"):
            dropped = stage.lay(seat, card, t_ns, face_up=False)
            stage.take(seat, [dropped.id], stage.time_after(600, 1200, seat), to_hand=True)
            stage.wait(350)
            t_ns = stage.earliest_landing(seat, stage.time_after(500, 1000, seat))
        illegal = [hand_card for hand_card in stage.hands[seat] if hand_card not in legal]
        if illegal and self._mishap_happens("revoke"):
            card = stage.pick(illegal)
        return stage.lay(seat, card, t_ns)

    def _tied_leads(self, seats: list[str]) -> None:
        """Let two or three players lead at the same time: one card upon another, or side by side."""
        stage = self.stage
        chosen = self._tied_players(seats)
        leads = [self.choose_card(seat) for seat in chosen]
        t_ns = max(stage.earliest_landing(seat, stage.time_after(800, 1700)) for seat in chosen)
        apart = (
            len(chosen) == 2
            and stage.happens_with(self.mishap_rates.apart_share)
            and self._sit_apart(*chosen)
        )
        if apart and stage.happens_with(0.5):
            t_ns = stage.clock.time_within_frame(t_ns)
            gaps = [0.0, 2.0]
        elif apart:
            gaps = [0.0, float(stage.rng.uniform(140, 190))]
        else:
            max_gap_ms = min(150.0, 0.7 * stage.config.camera.tie_window_ms)
            gaps = [0.0, *sorted(float(gap) for gap in stage.rng.uniform(25, max_gap_ms, len(chosen) - 1))]
        first: LayAct | None = None
        for seat, card, gap in zip(chosen, leads, gaps, strict=True):
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
        first = stage.pick(seats)
        second = stage.pick([seat for seat in seats if seat not in (first, self._player_after(first))])
        leads = self.choose_card(first), self.choose_card(second)
        t_ns = stage.earliest_landing(first, stage.time_after(800, 1700))
        delay_ms = stage.config.camera.tie_window_ms + float(stage.rng.uniform(250, 600))
        stage.lay(first, leads[0], t_ns)
        stage.lay(second, leads[1], stage.earliest_landing(second, t_ns + round(delay_ms * MS)))

    def _follow_lead(self) -> None:
        stage, turn = self.stage, self.stage.game.default()
        if self._unplayed_cards(turn):
            # The player in turn left a tied lead on the mark: the next player plays, and so the lead counts.
            after = self._player_after(turn)
            self._follow_early(after, stage.time_after(700, 1500, after))
            return
        later = [
            seat
            for seat in stage.game.players
            if seat != turn
            and not self._has_played(seat)
            and not self._unplayed_cards(seat)
            and stage.hands[seat]
        ]
        if later and self._mishap_happens("out_of_turn"):
            early = stage.pick(later)
            self._follow_early(early, stage.time_after(600, 1300, early))
            return
        laid = self._play_card(turn)
        others = [card for card in stage.legal_plays(turn, laid.card) if card != laid.card]
        if others and self._mishap_happens("second_thoughts"):
            stage.rule_on_acts()
            if stage.referee.phase in (Phase.FOLLOW, Phase.PICK_UP):
                is_complete = stage.referee.phase is Phase.PICK_UP
                stage.take(turn, [laid.id], stage.time_after(500, 900, turn), to_hand=True)
                # From a complete trick this might be the first of several grabs: all players wait until the table
                # has seen that it was not.
                stage.wait(TRICK_REST_MS if is_complete else 250)

    def _follow_early(self, seat: str, t_ns: int) -> None:
        """Lay a card that would be legal if it were that player's turn."""
        hand, led = self.stage.hands[seat], self._led_suit()
        suited = [card for card in hand if card.suit == led]
        self.stage.lay(seat, (suited or hand)[0], self.stage.earliest_landing(seat, t_ns))

    def _led_suit(self) -> str | None:
        """Return the suit of the trick's lead; None for a joker or without a lead."""
        lead = next((name for _, name in self.stage.game.trick if name), None)
        return None if lead is None else card_named(lead).suit

    def _has_played(self, seat: str) -> bool:
        return any(who == seat and name for who, name in self.stage.game.trick)

    def _player_after(self, seat: str) -> str:
        return self.stage.game.left_of(seat, self.stage.game.players)

    def _unplayed_cards(self, seat: str) -> list[LayAct]:
        """Return the seat's cards on the mark that are not part of the trick."""
        played = [name for _, name in self.stage.game.trick]
        return [
            card
            for card in self.stage.mark.values()
            if card.seat == seat and str(card.card) not in played and card is not self._turned_up
        ]

    def _take_back_cards(self) -> bool:
        """Take back the cards that must be, or leave them where that is allowed; return False if none was taken."""
        stage = self.stage
        waiting = stage.referee.cards_to_take_back()
        back = [stage.mark[card_id] for card_id in waiting if card_id not in self._left_on_mark]
        for card in back:
            if card is self._turned_up:
                self._take_turned_card(card)  # a joker: another is turned
            elif self._may_leave(card) and self._mishap_happens("left_lying"):
                self._left_on_mark.add(card.id)
            else:
                stage.take(card.seat, [card.id], stage.time_after(500, 1100, card.seat), to_hand=True)
        return any(card.id not in self._left_on_mark for card in back)

    def _may_leave(self, card: LayAct) -> bool:
        """Return whether a card may be left on the mark: its player is in turn, it follows suit, another plays next."""
        stage = self.stage
        if stage.referee.phase is not Phase.FOLLOW or stage.game.default() != card.seat:
            return False
        return not self._has_played(self._player_after(card.seat)) and card.card.suit == self._led_suit()

    def _pick_up(self) -> None:
        stage, game = self.stage, self.stage.game
        winner = game.trick_winner(game.trick, game.named)
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
