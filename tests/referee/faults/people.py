"""The players: what they really do, which is the truth, and how they heed the screen.

They play at random by the rules, with ties, raps, second thoughts, cards out of turn (taken back at once) and,
seldom, a revoke. Before each act whoever acts next goes on without looking (probability ``hurry``), else looks at
the screen first; what they do then is in ``heed``. Everybody always looks while anyone may bid, before bids with
fists, and when a hand is over. Ties of leads are settled by what the players themselves see on the mark.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from table.cards import Card
from table.events.event_spec import Play
from table.events.game_events import (
    Bid,
    BidsRevealed,
    BidsTied,
    BidValue,
    Dealt,
    LeadsTied,
    Passed,
    Played,
    Rapped,
    SuitNamed,
    TakenBack,
    TrickTaken,
    TurnedUp,
)
from table.games.engine.game_state import Phase
from table.observed_facts import MS, Gesture
from tests.referee.faults.damage import Camera
from tests.referee.faults.eye import Eye, Laid
from tests.referee.faults.heed import Heed
from tests.referee.faults.truth import Truth
from tests.referee.faults.world import World

TIED_BIDS = 0.08
RAPS = 0.15
TIED_LEADS = 0.15
LEFT_LYING = 0.4
"""A tied lead is left lying by a player whose turn is next."""
OUT_OF_TURN = 0.01
SECOND_THOUGHTS = 0.015
REVOKE = 0.01
PASSES = 0.6
"""In the auction."""


class Players:
    """Everybody at the table, with their cards."""

    def __init__(
        self,
        truth: Truth,
        world: World,
        eye: Eye,
        camera: Camera,
        angles: Mapping[str, float],
        rng: random.Random,
        deals: str,
        hurry: float,
    ) -> None:
        """``deals``: the seed of all deals."""
        self.truth = truth
        self.world = world
        self.eye = eye
        self.camera = camera
        self.angles = angles
        self.rng = rng
        self.hurry = hurry
        self.heed = Heed(self)
        self.hands: dict[str, list[Card]] = {}
        self.stock: list[Card] = []
        self.mark: list[Laid] = []
        """The cards of this trick, and tied leads left lying."""
        self.again: dict[str, Card] = {}
        """Cards that were taken back to be laid again."""
        self._turned: Laid | None = None
        self._left: Laid | None = None
        self._deals = deals
        self._dealt = -1
        self._acts = {
            Phase.DEAL: self._deal,
            Phase.TURN_UP: self._turn_up,
            Phase.PASS_CARDS: self._pass_cards,
            Phase.AUCTION: self._auction,
            Phase.BID: self._bid,
            Phase.SECRET_BID: self._secret_bid,
            Phase.LEAD: self._lead,
            Phase.NAME_SUIT: self._name_suit,
            Phase.FOLLOW: self._follow,
            Phase.PICK_UP: self._pick_up,
        }

    # --- what happens next --------------------------------------------------------------------------------------

    def act(self) -> None:
        """One thing happens."""
        state = self.truth.state
        if len(self.truth.hands) - 1 != self._dealt:
            self._shuffle()
        looks = self.rng.random() >= self.hurry
        free = self.truth.game.rules.free_leads and state.phase is Phase.BID
        if (looks or free) and self.heed.looks():
            return
        self._acts[self.truth.state.phase]()

    def after(self, low_ms: float, high_ms: float) -> int:
        """A moment so long after now, or after what all are waiting for."""
        return max(self.world.now_ns, self.camera.busy_ns) + round(self.rng.uniform(low_ms, high_ms) * MS)

    def chance(self, probability: float) -> bool:
        """A throw of the dice."""
        return self.rng.random() < probability

    # --- buttons ------------------------------------------------------------------------------------------------

    def press(
        self, seat: str, gesture: Gesture, count: int, t_ns: int, *, safe: bool = False, wait: bool = True
    ) -> int:
        """Somebody uses the buttons; when the call has ended. ``wait``: until all have seen it."""
        lasts = {Gesture.TAPS: 170 * count + 450, Gesture.RAP: 120}.get(gesture, 700)
        end_ns = t_ns + lasts * MS
        self.camera.press(seat, gesture, count, t_ns, end_ns, safe=safe)
        if wait:
            self.world.advance(end_ns + 50 * MS)
        return end_ns

    def press_bid(self, seat: str, bid: BidValue, t_ns: int, *, safe: bool = False, wait: bool = True) -> int:
        """Somebody bids a number."""
        if bid == "double nil":
            return self.press(seat, Gesture.DOUBLE_NIL, 0, t_ns, safe=safe, wait=wait)
        count = int(bid)
        return self.press(seat, Gesture.TAPS if count else Gesture.ZERO, count, t_ns, safe=safe, wait=wait)

    def rap(self, seat: str) -> None:
        """Somebody raps the table."""
        self.press(seat, Gesture.RAP, 0, self.after(300, 900))

    def dial(self, seat: str, taps: int) -> None:
        """Somebody turns the dial so many steps up from nothing, then raps; or only raps.

        Who turns it sees what it shows, also from a time before.
        """
        dial = self.world.referee.view(self.world.now_ns).dial
        if taps and dial is not None and dial.seat == seat and dial.shown is not None:
            taps = max(0, taps - dial.choices.index(dial.shown) - 1)
        if taps:
            self.press(seat, Gesture.TAPS, taps, self.after(600, 1600), safe=True)
        self.press(seat, Gesture.RAP, 0, self.after(250, 600))

    # --- the deal -----------------------------------------------------------------------------------------------

    def _shuffle(self) -> None:
        state, game = self.truth.state, self.truth.game
        self._dealt = len(self.truth.hands) - 1
        pack = list(game.pack())
        random.Random(f"{self._deals}/{self._dealt}").shuffle(pack)
        self.hands = {}
        for seat in state.players:
            self.hands[seat], pack = pack[: state.cards], pack[state.cards :]
        # A joker turned up may have to be turned again; that is no matter of this bench.
        self.stock = sorted(pack, key=lambda card: card.is_joker)
        self.mark, self.again, self._turned, self._left = [], {}, None, None
        self.heed.new_hand()

    def _deal(self) -> None:
        state = self.truth.state
        if self.truth.game.turns_up_trump(state) and state.turned is None and self.chance(0.5):
            self._turn_up()
        dealer = state.dealer
        self.press(dealer, Gesture.RAP, 0, self.after(1500, 3000))
        self.truth.does(Dealt(dealer))

    def _turn_up(self) -> None:
        dealer = self.truth.state.dealer
        turned = self.stock[0] if self.stock else self.hands[dealer][-1]
        t_ns = self.after(900, 1800)
        self._turned = self._lays(dealer, turned, t_ns, safe=True)
        self.truth.does(TurnedUp(turned))
        self.world.advance(t_ns + 400 * MS)

    def _take_turned(self) -> None:
        assert self._turned is not None
        self.camera.lift(self._turned, self.after(300, 900))
        self._turned = None
        self.world.advance(self.after(950, 1000))

    def _pass_cards(self) -> None:
        state = self.truth.state
        count = self.truth.game.cards_to_pass(state)
        order = list(state.players)
        given = {seat: [self.hands[seat].pop() for _ in range(count)] for seat in order}
        for at, seat in enumerate(order):
            self.hands[order[(at + 1) % len(order)]] += given[seat]
        self.rng.shuffle(order)
        for seat in order:
            self.rap(seat)
            self.truth.does(Rapped(seat))

    # --- bids ---------------------------------------------------------------------------------------------------

    def _auction(self) -> None:
        game, seat = self.truth.game, self.truth.expected.default_seat
        assert seat is not None
        bids = game.legal_bids(self.truth.state, seat)
        at = int(self.rng.expovariate(0.5))
        if at >= len(bids) or self.chance(PASSES):
            self.dial(seat, 0)
            self.heed.called(seat, None)
            self.truth.does(Passed(seat))
        else:
            shown = self.world.referee.expected
            live = shown.phase is Phase.AUCTION and shown.default_seat == seat
            legal = game.legal_bids(self.world.referee.state, seat) if live else bids
            self.dial(seat, legal.index(bids[at]) + 1 if bids[at] in legal else at + 1)
            self.heed.called(seat, bids[at])
            self.truth.does(Bid(seat, bids[at]))

    def _bid(self) -> None:
        truth, expected = self.truth, self.truth.expected
        seats = list(expected.seats)
        if expected.anyone_may_act:
            if self._raps(seats[1:]):
                return
            if len(seats) > 1 and self.chance(TIED_BIDS):
                self._tied_bids(self.rng.sample(seats, self.rng.randint(2, min(3, len(seats)))))
                return
        seat = self.rng.choice(seats)
        bid = self.rng.choice(truth.game.legal_bids(truth.state, seat))
        self.press_bid(seat, bid, self.after(500, 1500))
        truth.hand.bids[seat] = bid
        truth.does(Bid(seat, bid))

    def _tied_bids(self, seats: list[str]) -> None:
        at = self.after(500, 1500)
        ends = []
        for number, seat in enumerate(seats):
            bid = self.rng.choice(self.truth.game.legal_bids(self.truth.state, seat))
            ends.append(self.press_bid(seat, bid, at + number * 9 * MS, safe=True, wait=False))
        self.world.advance(max(ends) + 100 * MS)
        self.truth.does(BidsTied(tuple(seats)))

    def _secret_bid(self) -> None:
        truth = self.truth
        waiting = [seat for seat in truth.state.players if seat not in truth.state.raps]
        if waiting:
            seat = self.rng.choice(waiting)
            self.rap(seat)
            truth.does(Rapped(seat))
            return
        bids = {
            seat: self.rng.choice(truth.game.legal_bids(truth.state, seat)) for seat in truth.state.players
        }
        truth.hand.bids.update(bids)
        self.heed.pump()
        self.fists(bids)
        truth.does(BidsRevealed(tuple(bids.items())))

    def fists(self, bids: Mapping[str, BidValue]) -> None:
        """All bid at once, when the count on the screen is over."""
        pump = self.world.referee.view(self.world.now_ns).countdown_ends_ns
        start = max(self.world.now_ns, pump if pump is not None else self.world.now_ns + 3_200 * MS)
        ends = [
            self.press_bid(seat, bid, start + round(self.rng.uniform(60, 700) * MS), wait=False)
            for seat, bid in bids.items()
        ]
        self.world.advance(max(ends) + 100 * MS)

    # --- cards --------------------------------------------------------------------------------------------------

    def _lays(self, seat: str, card: Card, t_ns: int, *, last: bool = False, safe: bool = False) -> Laid:
        laid = Laid(seat, card, self.eye.place(seat, len(self.truth.state.players)))
        self.camera.lay(laid, t_ns, last=last, safe=safe)
        return laid

    def plays(self, seat: str, card: Card, t_ns: int) -> Laid:
        """Somebody plays a card, and all see it."""
        state = self.truth.state
        last = len(state.trick.plays) == len(state.players) - 1
        laid = self._lays(seat, card, t_ns, last=last)
        if card in self.hands[seat]:
            self.hands[seat].remove(card)
        self.mark.append(laid)
        self.truth.does(Played(seat, card))
        self.world.advance(t_ns + 260 * MS)
        return laid

    def takes_back(self, laid: Laid, t_ns: int) -> None:
        """Somebody takes the own card of this trick back."""
        self.camera.lift(laid, t_ns)
        self.mark.remove(laid)
        self.hands[laid.seat].append(laid.card)
        self.truth.does(TakenBack(laid.seat, laid.card))
        self.world.advance(t_ns + 100 * MS)

    def _choose(self, seat: str) -> Card:
        """A card to play: the one that was taken back to be laid again, or any that may be played."""
        again = self.again.pop(seat, None)
        if again is not None and again in self.hands[seat]:
            return again
        hand = self.hands[seat]
        legal = self.truth.game.legal_plays(self.truth.state, seat, hand)
        return self.rng.choice(hand if self.chance(REVOKE) else list(legal))

    def _raps(self, seats: Sequence[str]) -> bool:
        """Whether one of these seats, which might do more, raps instead, and has not yet."""
        others = [seat for seat in seats if seat not in self.truth.state.raps]
        if not others or not self.chance(RAPS):
            return False
        seat = self.rng.choice(others)
        self.rap(seat)
        self.truth.does(Rapped(seat))
        return True

    def _lead(self) -> None:
        expected = self.truth.expected
        if self._turned is not None:
            self._take_turned()
        seats = list(expected.seats)
        again = [seat for seat in seats if seat in self.again]
        if expected.anyone_may_act and not again:
            if self._raps(seats[1:]):
                return
            if len(seats) > 1 and self.chance(TIED_LEADS):
                self._tied_leads(self.rng.sample(seats, 3 if len(seats) > 2 and self.chance(0.15) else 2))
                return
        seat = self.rng.choice(again or seats)
        self.plays(seat, self._choose(seat), self.after(600, 1700))

    def _tied_leads(self, seats: list[str]) -> None:
        """Several lead at once: one upon another, or side by side; then all but the first take theirs back."""
        truth = self.truth
        one, other = self.angles[seats[0]], self.angles[seats[1]]
        apart = len(seats) == 2 and self.chance(0.3) and abs((one - other + 180) % 360 - 180) > 75
        places = [self.eye.place(seat, len(truth.state.players), apart=apart) for seat in seats]
        if not apart:
            x, y = places[0]
            places[1:] = [(x + self.rng.uniform(8, 22), y + self.rng.uniform(-22, -8)) for _ in places[1:]]
        cards = [self.rng.choice(self.hands[seat]) for seat in seats]
        leads = [Laid(seat, card, place) for seat, card, place in zip(seats, cards, places, strict=True)]
        gap = self.rng.uniform(140, 190) if apart and self.chance(0.5) else 15 if apart else 60
        at = self.after(700, 1700)
        times = [at + round(number * gap * MS) for number in range(len(seats))]
        self.camera.lay_tied(list(zip(leads, times, strict=True)), pile=not apart)
        stays = bool(truth.game.keeps_lowest_lead) and (not apart or gap > 100)
        kept = leads[0] if stays else None
        back = leads[1:] if stays else leads
        truth.hand.kept[truth.part] = kept.seat if kept else None
        plays = tuple(Play(lead.seat, lead.card) for lead in back)
        truth.does(LeadsTied(Play(kept.seat, kept.card) if kept else None, plays))
        if kept is not None:
            self.hands[kept.seat].remove(kept.card)
            self.mark.append(kept)
            truth.does(Played(kept.seat, kept.card))
        self.world.advance(times[-1] + 400 * MS)
        for lead in self.rng.sample(back, len(back)):
            if kept is not None and self._may_leave(lead, kept) and self.chance(LEFT_LYING):
                self._left = lead
                self.mark.append(lead)
                self.hands[lead.seat].remove(lead.card)
                continue
            t_ns = self.after(500, 1200)
            self.camera.lift(lead, t_ns)
            self.world.advance(t_ns + 100 * MS)
            truth.remarks("card_taken_back", seat=lead.seat, card=str(lead.card))

    def _may_leave(self, lead: Laid, kept: Laid) -> bool:
        """Whether it may lie till its turn: it is next, it follows suit, and somebody plays after it."""
        state = self.truth.state
        following = state.left_of(kept.seat)
        return (
            lead.seat == following
            and lead.card.suit == kept.card.suit
            and state.left_of(following) != kept.seat
        )

    def _follow(self) -> None:
        truth = self.truth
        seat = truth.expected.default_seat
        assert seat is not None
        if self._left is not None:
            left, self._left = self._left, None
            if left.seat == seat:
                # It counts as the next player's card falls; that player sees it lie and goes on.
                truth.does(Played(seat, left.card))
                seat = truth.state.left_of(seat)
                self.plays(seat, self._choose(seat), self.after(600, 1700))
                return
            self.mark.remove(left)
            self.hands[left.seat].append(left.card)
            self.camera.lift(left, self.after(300, 600))
            truth.remarks("card_taken_back", seat=left.seat, card=str(left.card))
            self.world.advance(self.after(700, 700))
        later = [
            player
            for player in truth.state.players
            if player != seat and all(play.seat != player for play in truth.state.trick.plays)
        ]
        if later and self.chance(OUT_OF_TURN):
            self._out_of_turn(self.rng.choice(later))
        card = self._choose(seat)
        laid = self.plays(seat, card, self.after(500, 1700))
        if truth.state.phase in (Phase.FOLLOW, Phase.PICK_UP) and self.chance(SECOND_THOUGHTS):
            self._second_thoughts(laid)

    def _out_of_turn(self, seat: str) -> None:
        laid = self._lays(seat, self.rng.choice(self.hands[seat]), self.after(500, 1500), safe=True)
        self.world.advance(self.after(1500, 1600))
        t_ns = self.after(500, 1200)
        self.camera.lift(laid, t_ns)
        self.world.advance(t_ns + 100 * MS)
        self.truth.remarks("card_taken_back", seat=seat, card=str(laid.card))

    def _second_thoughts(self, laid: Laid) -> None:
        complete = self.truth.state.phase is Phase.PICK_UP
        self.takes_back(laid, self.after(600, 1000))
        if complete:
            # It might as well have been the first grab of several: all wait for the table to see that it was not.
            self.world.advance(self.after(1700, 1900))
        legal = self.truth.game.legal_plays(self.truth.state, laid.seat, self.hands[laid.seat])
        self.plays(laid.seat, self.rng.choice(list(legal)), self.after(600, 1500))

    def _name_suit(self) -> None:
        truth = self.truth
        seat = truth.expected.default_seat
        assert seat is not None
        suit = self.rng.choice(truth.game.legal_suits(truth.state, seat, self.hands[seat]))
        self.heed.names(seat, suit)
        truth.does(SuitNamed(seat, suit))

    def _pick_up(self) -> None:
        truth = self.truth
        winner = truth.state.trick.winner
        assert winner is not None
        end_ns, seen = self.camera.pick_up(self.mark, winner, self.after(700, 1500))
        self.mark = []
        self.heed.new_trick()
        self.world.advance(end_ns + 20 * MS)
        if seen:
            truth.hand.arms.add(truth.part)
        truth.does(TrickTaken(winner))
