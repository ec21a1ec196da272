"""Random games played side by side: the game of ``make_game``, fed with events, and the naive one.

At every moment the phase, who may act, the legal bids and plays, refusals, trick winners, revokes, points,
totals, dealers, trumps, play-offs and the final ranking are compared. The first difference ends the
comparison and says where it happened; a seed gives the same game again.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn

from table.cards import card, pack, parse_bid
from table.events.event_spec import Announcement, Play
from table.events.game_events import (
    Bid,
    BidsRevealed,
    BidsTied,
    CardsPassed,
    Dealt,
    Ended,
    Event,
    LeadsTied,
    Passed,
    Played,
    Rapped,
    SuitNamed,
    TakenBack,
    ThrownIn,
    TrickTaken,
    TurnedUp,
)
from table.games.engine.game_state import Phase, Refusal, State
from table.games.game import Game
from table.games.registry import make_game
from table.simulation.reference_rules import make_reference_game
from table.simulation.reference_rules.oh_hell import OhHell
from table.simulation.reference_rules.oh_shit import OhShit
from table.simulation.reference_rules.prediction_whist import DOUBLE_NIL, PredictionWhist
from table.simulation.reference_rules.whysteria import Whysteria

NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jon"]
LONGEST = 100
"""Hands after which a game that does not end is left unfinished."""


class DifferenceError(AssertionError):
    """The two implementations disagree."""


class Duel:
    """One game played twice at once. ``counts`` says how much was compared."""

    def __init__(self, name: str, seats: Sequence[str], options: dict[str, Any], seed: int) -> None:
        self.name, self.options, self.seed = name, options, seed
        self.rng = random.Random(seed)
        self.seats = list(seats)
        self.counts: Counter[str] = Counter()
        self.history: list[str] = []
        self.game: Game = make_game(name, seats, options)
        step = self.game.start()
        self.state: State = step.state
        self.said: tuple[Announcement, ...] = step.announcements
        self.naive = make_reference_game(name, seats, options)
        self.hands: dict[str, list[str]] = {}
        self.up: str | None = None
        """The card turned up, where it is in no hand."""
        self.odd = self.rng.random() < 0.5
        """Whether this game has its share of revokes, cards taken back, hands thrown in, impossible acts."""
        self.sober = self.rng.random() < 0.5
        """Whether bids are near what can be made."""

    # --- comparing ------------------------------------------------------------------------------------------

    def fail(self, what: str, game: object, naive: object) -> NoReturn:
        """Say where the two disagree."""
        lines = [
            f"{what}: the game says {game!r}, the naive reading {naive!r}",
            f"  {self.name}, seed {self.seed}, seats {len(self.seats)}, options {self.options}",
            f"  hand {self.naive.hand} of {self.naive.cards} cards, dealer {self.naive.dealer},"
            f" trump {self.naive.trump}, {self.naive.waits}",
            "  the last events: " + "; ".join(self.history[-30:]),
        ]
        raise DifferenceError("\n".join(lines))

    def same(self, what: str, game: object, naive: object) -> None:
        """Both must say the same."""
        if game != naive:
            self.fail(what, game, naive)

    def give(self, event: Event) -> None:
        """An event that the game must take."""
        self.history.append(str(event))
        step = self.game.apply(self.state, event)
        if isinstance(step, Refusal):
            self.fail(f"{event} is refused", step.why, "possible")
        self.state, self.said = step.state, step.announcements

    def refuse(self, event: Event) -> None:
        """An event that the game must refuse."""
        step = self.game.apply(self.state, event)
        self.counts["refusals"] += 1
        if not isinstance(step, Refusal):
            self.history.append(f"({event})")
            self.fail(f"{event} is taken", [said.event for said in step.announcements], "impossible")

    def spoken(self, event: str) -> list[dict[str, Any]]:
        """The announcements of that kind after the last event."""
        return [dict(said.fields) for said in self.said if said.event == event]

    def compare_who(self, phase: Phase, seats: list[str], default: str | None) -> None:
        """The phase, who may act, and whose turn it is."""
        expected = self.game.expected(self.state)
        self.same("the phase", expected.phase, phase)
        self.same("who may act", sorted(expected.seats), sorted(seats))
        self.same("whose turn it is", expected.default_seat, default)
        self.refuse_the_untimely()

    def compare_hand(self) -> None:
        """The hand as it stands before the deal."""
        naive = self.naive
        self.same("the hand's number", self.state.hand, naive.hand)
        self.same("the hand's cards", self.state.cards, naive.cards)
        self.same("the dealer", self.state.dealer, naive.dealer)
        self.same("the players", list(self.state.players), naive.players)
        self.same("trumps before the deal", self.state.trump, naive.trump)
        self.same("the totals", dict(self.state.totals), naive.totals)
        self.compare_who(Phase.DEAL, [naive.dealer], naive.dealer)
        self.same("hand to forehead", self.game.rules.on_forehead(self.state), naive.on_forehead())
        begun = [(said["hand"], said["cards"], said["dealer"]) for said in self.spoken("hand_started")]
        self.same("the hand announced", begun, [(naive.hand, naive.cards, naive.dealer)])
        trumps = [(said["suit"], said["card"]) for said in self.spoken("trump")]
        self.same("the trumps announced", trumps, [] if naive.trump is None else [(naive.trump, None)])
        if naive.play_off and self.spoken("hand_scored"):
            said = [(list(line["seats"]), line["cards"]) for line in self.spoken("play_off")]
            self.same("the play-off announced", said, [(naive.players, naive.cards)])
        self.counts["hands"] += 1

    def refuse_the_untimely(self) -> None:
        """Events that belong to another moment, or to another game."""
        if not self.odd or not self.chance(0.05):
            return
        naive = self.naive
        now = self.game.expected(self.state).phase
        seat = self.rng.choice(self.seats)
        held = [name for hand in self.hands.values() for name in hand]
        name = card(self.rng.choice(held or ["2S"]))
        everybody = tuple((who, 0) for who in naive.players)
        moments: list[tuple[set[Phase], Event]] = [
            ({Phase.DEAL}, Dealt(naive.dealer)),
            ({Phase.DEAL, Phase.TURN_UP}, TurnedUp(name)),
            ({Phase.AUCTION}, Passed(seat)),
            ({Phase.AUCTION, Phase.BID}, Bid(seat, 0)),
            ({Phase.SECRET_BID}, BidsRevealed(everybody)),
            ({Phase.PASS_CARDS}, CardsPassed()),
            ({Phase.LEAD, Phase.FOLLOW}, Played(seat, name)),
            ({Phase.FOLLOW, Phase.PICK_UP}, TakenBack(seat, name)),
            ({Phase.PICK_UP}, TrickTaken(seat)),
            ({Phase.NAME_SUIT}, SuitNamed(seat, "H")),
        ]
        for phases, event in moments:
            if now not in phases:
                self.refuse(event)
        two = tuple(self.rng.sample(self.seats, 2))
        if not (isinstance(naive, Whysteria) and now is Phase.BID):
            self.refuse(BidsTied(two))
        if not (isinstance(naive, Whysteria) and now is Phase.LEAD) and len(held) > 1:
            leads = tuple(
                Play(who, card(what)) for who, what in zip(two, self.rng.sample(held, 2), strict=True)
            )
            self.refuse(LeadsTied(None, leads))
        for event in (Bid("Nobody", 0), Played("Nobody", name), Rapped("Nobody"), Played(seat, card("13H"))):
            if "13H" not in naive.pack() or not isinstance(event, Played):
                self.refuse(event)

    def compare_bids(self) -> None:
        """Every seat's legal bids."""
        for seat in self.seats:
            legal = list(self.game.legal_bids(self.state, seat))
            self.same(
                f"{seat}'s legal bids",
                sorted(map(str, legal)),
                sorted(map(str, self.naive.legal_bids(seat))),
            )
            self.counts["bid sets"] += 1

    def compare_plays(self, turn: list[str]) -> None:
        """Every seat's legal plays from the hand it holds."""
        for seat in self.seats:
            hand = self.hands.get(seat, [])
            legal = self.game.legal_plays(self.state, seat, [card(name) for name in hand])
            naive = self.naive.legal_plays(seat, hand) if seat in turn else []
            self.same(f"{seat}'s legal plays from {hand}", sorted(str(c) for c in legal), sorted(naive))
            self.counts["play sets"] += 1

    # --- a whole game ---------------------------------------------------------------------------------------

    def play(self) -> None:
        """From the first deal to the end."""
        pack_of_game = sorted(str(c) for c in self.game.pack())
        self.same("the pack", pack_of_game, sorted(self.naive.pack()))
        while self.naive.waits != "over":
            if self.naive.hand > LONGEST:
                return
            if self.naive.hand > 1 and self.end_it(0.15):
                break
            self.hand()
        self.counts["games"] += 1
        self.compare_end()

    def compare_end(self) -> None:
        """The end: totals, places, winners."""
        naive = self.naive
        self.same("the phase at the end", self.state.phase, Phase.OVER)
        self.same("the final totals", dict(self.state.totals), naive.totals)
        if len(naive.winners) > 1:
            self.counts["shared wins"] += 1
        self.same("the winners", sorted(self.state.winners), sorted(naive.winners))
        said = self.spoken("game_over")
        self.same("how often the end is announced", len(said), 1)
        self.same("the ranking", [list(group) for group in said[0]["ranking"]], naive.ranking)
        self.same("the announced winners", list(said[0]["winners"]), naive.winners)
        self.refuse(Dealt(naive.dealer))
        self.counts["rankings"] += 1

    def chance(self, probability: float) -> bool:
        """Sometimes."""
        return self.rng.random() < probability

    def hand(self) -> None:
        """A hand from its deal to its score."""
        self.compare_hand()
        self.deal()
        naive = self.naive
        while naive.waits in ("auction", "pass cards"):
            if naive.waits == "pass cards":
                self.pass_cards(naive.exchanged())
                naive.cards_passed()
            else:
                self.call()
            if naive.waits == "deal":
                return
        if naive.waits == "secret bid":
            self.bid_in_secret()
        while naive.waits == "bid":
            if self.throw_in(0.002) or self.end_it(0.001):
                return
            self.bid()
        number = naive.hand
        while naive.waits in ("play", "pick up") and naive.hand == number:
            if self.throw_in(0.0005) or self.end_it(0.001):
                return
            if naive.waits == "play":
                self.card()
            else:
                self.pick_up()

    def end_it(self, probability: float) -> bool:
        """Whysteria with a constant hand goes on until the players end it, at any point."""
        naive = self.naive
        if not isinstance(naive, Whysteria) or naive.sequence() is not None or not self.chance(probability):
            return False
        self.give(Ended())
        naive.end()
        return True

    def throw_in(self, probability: float) -> bool:
        """Now and then a misdeal: the hand is dealt again."""
        if not self.odd or not self.chance(probability):
            return False
        self.give(ThrownIn("misdeal"))
        self.naive.fresh_deal()
        return True

    # --- the deal -------------------------------------------------------------------------------------------

    def deal(self) -> None:
        """Cards, trumps and exchange."""
        naive = self.naive
        cards = list(naive.pack())
        self.rng.shuffle(cards)
        self.stack(cards)
        order = naive.round_from(naive.left_of(naive.dealer, naive.players))
        self.hands = {seat: [] for seat in order}
        for _ in range(naive.cards):
            for seat in order:
                self.hands[seat].append(cards.pop())
        turned: list[str] = []
        self.up = None
        if naive.trump is None and naive.turns_one_up:
            turned.append(cards.pop() if cards else self.hands[naive.dealer][-1])
            self.up = turned[-1] if turned[-1] not in self.hands[naive.dealer] else None
            while turned[-1] == "JOKER" and self.name == "oh-hell":
                turned.append(cards.pop())
                self.up = turned[-1]
        turned_first = self.chance(0.3)
        if turned and turned_first:
            self.turn_up(turned)
        if self.odd:
            self.refuse(Dealt(self.rng.choice([seat for seat in self.seats if seat != naive.dealer])))
            self.refuse(Played(order[0], card(self.hands[order[0]][0])))
        self.give(Dealt(naive.dealer))
        if turned and not turned_first:
            self.same("the phase before the turned card", self.game.expected(self.state).phase, Phase.TURN_UP)
            self.turn_up(turned)
        if naive.exchanged():
            self.pass_cards(naive.exchanged())
        naive.dealt()
        self.counts["trumps"] += 1
        self.same("trumps", self.state.trump, naive.trump)
        self.counts["deals"] += 1

    def stack(self, cards: list[str]) -> None:
        """Often the joker is dealt, and in Oh Shit an ace turned up: what is rare by nature is tried often."""
        dealt = self.naive.cards * len(self.naive.players)
        turned = max(0, len(cards) - dealt - 1)
        if self.name == "oh-shit" and self.chance(0.4):
            ace = cards.index(self.rng.choice(["AS", "AH", "AD", "AC"]))
            cards[ace], cards[turned] = cards[turned], cards[ace]
        if "JOKER" in cards and self.chance(0.7):
            joker = cards.index("JOKER")
            place = self.rng.randrange(len(cards) - dealt, len(cards))
            if joker != turned and place != turned:
                cards[joker], cards[place] = cards[place], cards[joker]

    def turn_up(self, turned: list[str]) -> None:
        """The turned card (after a joker, another)."""
        for name in turned:
            if name == "JOKER" and self.name == "oh-hell":
                self.refuse(TurnedUp(card(name)))
                continue
            self.give(TurnedUp(card(name)))
            self.naive.turn_up(name)
            trumps = [(said["suit"], said["card"]) for said in self.spoken("trump")]
            self.same("the trumps turned up", trumps, [(self.naive.trump, name)])

    def pass_cards(self, number: int) -> None:
        """Everybody hands cards to a neighbour at once."""
        self.same("the phase of passing", self.game.expected(self.state).phase, Phase.PASS_CARDS)
        naive = self.naive
        number = min(number, naive.cards)
        given = {seat: self.rng.sample(self.hands[seat], number) for seat in naive.players}
        for seat, cards in given.items():
            for name in cards:
                self.hands[seat].remove(name)
        for seat, cards in given.items():
            self.hands[naive.receiver(seat)] += cards
        order = list(naive.players)
        self.rng.shuffle(order)
        for seat in order:
            if self.state.phase is Phase.PASS_CARDS:
                self.give(Rapped(seat))
        if self.state.phase is Phase.PASS_CARDS:
            self.give(CardsPassed())
        said = [(line["cards"], line["to"]) for line in self.spoken("cards_passed")]
        self.same("the announced passing", said, [(number, naive.side_passed_to())])
        self.counts["passings"] += 1

    # --- bids -----------------------------------------------------------------------------------------------

    def call(self) -> None:
        """A bid or a pass in Israeli Whist's auction."""
        naive = self.naive
        seat = naive.whose_bid()
        self.compare_who(Phase.AUCTION, [seat], seat)
        self.compare_bids()
        legal = naive.legal_bids(seat)
        if self.odd and self.chance(0.05):
            other = self.rng.choice([who for who in self.seats if who != seat])
            self.refuse(Passed(other))
            wrong: list[int | str] = ["4C", "14C", "double nil", 5, 0]
            call = self.rng.choice(wrong)
            if call not in legal:
                self.refuse(Bid(seat, parse_bid(call)))
        pass_rate = 0.93 if naive.options.get("gulash") and self.chance(0.7) else 0.6
        if not legal or self.chance(pass_rate):
            self.give(Passed(seat))
            outcome = naive.call(seat, "pass")
            if outcome == "thrown in":
                self.same("thrown in", len(self.spoken("thrown_in")), 1)
                self.counts["thrown in"] += 1
            elif outcome == "won":
                self.same("the declarer's number", dict(self.state.bids), naive.bid_of())
                self.same("trumps by the auction", self.state.trump, naive.trump)
                self.same("trumps announced", [said["suit"] for said in self.spoken("trump")], [naive.trump])
        else:
            low = legal[: 1 + len(legal) // 6]
            call = self.rng.choice(low if self.chance(0.9) else legal)
            self.give(Bid(seat, parse_bid(call)))
            naive.call(seat, str(call))
        self.counts["calls"] += 1

    def choose_bid(self, legal: list[int | str]) -> int | str:
        """Any legal bid, or a sober one."""
        if self.sober and self.chance(0.8):
            share = max(1, round(self.naive.cards / len(self.naive.players)) + 1)
            low = [bid for bid in legal if isinstance(bid, str) or bid <= share]
            if low:
                return self.rng.choice(low)
        return self.rng.choice(legal)

    def bid(self) -> None:
        """The next bid (in Whysteria: or a rap, or a tie)."""
        naive = self.naive
        seats = naive.who_may()
        self.compare_who(Phase.BID, seats, naive.default())
        self.compare_bids()
        self.impossible_bids(seats)
        if isinstance(naive, Whysteria):
            self.same("must", self.game.expected(self.state).must_act, naive.must())
            if self.raps(naive):
                return
            if len(seats) > 1 and self.chance(0.1):
                tied = self.rng.sample(seats, self.rng.randint(2, len(seats)))
                self.give(BidsTied(tuple(tied)))
                naive.tie()
                said = self.spoken("bids_tied")
                self.same("the tie", [list(said[0]["seats"]), said[0]["next"]], [tied, naive.default()])
                self.counts["ties"] += 1
                return
        seat = self.rng.choice(seats)
        bid = self.choose_bid(naive.legal_bids(seat))
        self.give(Bid(seat, parse_bid(bid)))
        naive.bid(seat, bid)
        self.same("the bids", list(self.state.bids), naive.bids)
        over = self.spoken("bidding_over")
        if naive.waits == "play":
            self.same("the bidding's end", [over[0]["bids"], over[0]["over"]], self.bids_and_sum())
        else:
            self.same("the bidding goes on", over, [])
        self.counts["bids"] += 1

    def bids_and_sum(self) -> list[Any]:
        """All bids and by how many tricks they are too many."""
        return [self.naive.bid_of(), self.naive.sum_of_bids() - self.naive.cards]

    def impossible_bids(self, seats: list[str]) -> None:
        """Bids that must be refused."""
        if not self.odd or not self.chance(0.2):
            return
        naive = self.naive
        others = [seat for seat in self.seats if seat not in seats]
        if others:
            self.refuse(Bid(self.rng.choice(others), 0))
        seat = self.rng.choice(seats)
        legal = naive.legal_bids(seat)
        for bid in [*range(-1, naive.cards + 2), "double nil", "6C"]:
            if bid not in legal:
                self.refuse(Bid(seat, parse_bid(bid)))

    def bid_in_secret(self) -> None:
        """Oh Shit: fists, then all bids at once."""
        naive = self.naive
        self.same("the phase of the fists", self.game.expected(self.state).phase, Phase.SECRET_BID)
        self.same("who bids", sorted(self.game.expected(self.state).seats), sorted(naive.players))
        order = naive.round_from(naive.left_of(naive.dealer, naive.players))
        fists = list(order)
        self.rng.shuffle(fists)
        for seat in fists:
            if not isinstance(self.game.apply(self.state, Rapped(seat)), Refusal):
                self.give(Rapped(seat))
        self.compare_bids()
        bids = [(seat, self.choose_bid(naive.legal_bids(seat))) for seat in order]
        given = tuple((seat, parse_bid(bid)) for seat, bid in bids)
        if self.odd:
            self.refuse(BidsRevealed(given[:-1]))
            self.refuse(BidsRevealed((*given[:-1], (given[-1][0], naive.cards + 1))))
        self.give(BidsRevealed(given))
        for seat, bid in bids:
            naive.bid(seat, bid)
        self.same("the bids", dict(self.state.bids), naive.bid_of())
        said = self.spoken("bids_revealed")
        self.same("the bids revealed", [said[0]["bids"]], [naive.bid_of()])
        self.same("bids in turn", [(b["seat"], b["bid"]) for b in self.spoken("bid")], bids)
        self.counts["bids"] += len(bids)

    def raps(self, naive: Whysteria) -> bool:
        """Whysteria: somebody may rap instead of acting."""
        if naive.must() or not self.chance(0.25):
            return False
        candidates = [seat for seat in naive.who_still_may() if seat not in naive.rapped]
        if not candidates:
            return False
        seat = self.rng.choice(candidates)
        self.give(Rapped(seat))
        naive.rap(seat)
        self.counts["raps"] += 1
        return True

    # --- play -----------------------------------------------------------------------------------------------

    def card(self) -> None:
        """The next card, or in Whysteria a rap or a tie before a lead."""
        naive = self.naive
        phase = Phase.FOLLOW if naive.trick and naive.trick[0][1] else Phase.LEAD
        seats = naive.who_may()
        self.compare_who(phase, seats, naive.default())
        self.compare_plays(seats)
        if isinstance(naive, Whysteria) and naive.whose_turn() is None:
            self.same("must", self.game.expected(self.state).must_act, naive.must())
            if self.raps(naive) or self.leads_tie(naive, seats):
                return
        seat = self.rng.choice(seats)
        self.lay(seat)
        while self.odd and naive.trick and self.chance(0.03):
            self.take_back()

    def leads_tie(self, naive: Whysteria, seats: list[str]) -> bool:
        """Whysteria: several lead at once; one card stays, or none."""
        if len(seats) < 2 or not self.chance(0.1):
            return False
        tied = self.rng.sample(seats, self.rng.randint(2, len(seats)))
        plays = [Play(seat, card(self.rng.choice(self.hands[seat]))) for seat in tied]
        self.counts["ties"] += 1
        if self.options.get("mark", True) and self.chance(0.5):
            kept = plays.pop(0)
            if self.odd:
                self.refuse(LeadsTied(kept, ()))
            self.give(LeadsTied(kept, tuple(plays)))
            next_one = self.spoken("leads_tied")[0]["next"]
            self.same("who is next after a tied lead", next_one, naive.left_of(kept.seat, naive.players))
            self.put(kept.seat, str(kept.card))
        else:
            if not self.options.get("mark", True):
                self.refuse(LeadsTied(plays[0], tuple(plays[1:])))
            self.give(LeadsTied(None, tuple(plays)))
            naive.tie()
            self.same("who must lead", self.spoken("leads_tied")[0]["next"], naive.default())
        return True

    def lay(self, seat: str) -> None:
        """A card of ``seat``, a legal one but for a revoke now and then."""
        hand = self.hands[seat]
        legal = self.naive.legal_plays(seat, hand)
        if self.odd:
            seen = [name for trick in [*self.naive.done, self.naive.trick] for _, name in trick if name]
            if seen and self.chance(0.1) and (self.options.get("packs") or 1) == 1:
                self.refuse(Played(seat, card(self.rng.choice(seen))))
            twice = [name for name in seen if seen.count(name) == 2]
            if twice and self.chance(0.3):
                self.refuse(Played(seat, card(self.rng.choice(twice))))
            if self.up and self.chance(0.1) and (self.options.get("packs") or 1) == 1:
                self.refuse(Played(seat, card(self.up)))
            others = [who for who in self.naive.players if who != seat and self.hands[who]]
            if others and self.naive.trick and self.chance(0.1):
                other = self.rng.choice(others)
                self.refuse(Played(other, card(self.rng.choice(self.hands[other]))))
        wrong = [name for name in hand if name not in legal]
        if "JOKER" in wrong and self.chance(0.7):
            wrong = ["JOKER"]
        if wrong and self.odd and self.chance(0.15):
            self.put(seat, self.rng.choice(wrong))
        else:
            self.put(seat, self.rng.choice(legal))

    def put(self, seat: str, name: str) -> None:
        """A card on the mark, and what the game makes of it."""
        naive = self.naive
        self.hands[seat].remove(name)
        self.give(Played(seat, card(name)))
        said = self.said
        named = None
        if name == "JOKER" and (not naive.trick or not naive.trick[0][1]) and naive.trump == "NT":
            self.same("the phase of a led joker", self.game.expected(self.state).phase, Phase.NAME_SUIT)
            suits = ["S", "H", "D", "C"]
            if isinstance(naive, OhShit):
                suits = naive.suits_to_name(seat, ["JOKER", *self.hands[seat]]) or suits
            if self.odd and self.chance(0.3):
                suits = ["S", "H", "D", "C"]
            named = self.rng.choice(suits)
            other = naive.left_of(seat, naive.players)
            self.refuse(SuitNamed(other, named))
            self.refuse(SuitNamed(seat, "NT"))
            if self.hands[other]:
                self.refuse(Played(other, card(self.hands[other][0])))
            self.counts["jokers named"] += 1
            self.give(SuitNamed(seat, named))
            said = (*said, *self.said)
        winner = naive.play(seat, name, named)
        self.counts["cards"] += 1
        # A revoke is announced right after the card that proves it, or that makes one of what lies upon it: a lead
        # withdrawn and laid anew under a joker. While its proof lies it is not announced again.
        revokes = naive.new_revokes()
        announced = [dict(s.fields) for s in said if s.event == "revoke"]
        found = [(r["seat"], str(r["card"]), r["trick"], str(r["proved_by"])) for r in announced]
        self.same("revokes", found, revokes)
        self.counts["revokes"] += len(revokes)
        won = [dict(s.fields) for s in said if s.event == "trick_won"]
        if winner is None:
            self.same("no trick is won yet", won, [])
            return
        cards = [{"seat": who, "card": what} for who, what in naive.trick]
        self.same("the trick", won, [{"trick": len(naive.done) + 1, "seat": winner, "cards": cards}])
        self.counts["tricks"] += 1

    def take_back(self) -> None:
        """A card of the trick goes back to its hand, most often the one just laid."""
        naive = self.naive
        there = [place for place, (_, name) in enumerate(naive.trick) if name]
        place = there[-1] if self.chance(0.6) else self.rng.choice(there)
        seat, name = naive.trick[place]
        self.give(TakenBack(seat, card(name)))
        naive.take_back(place)
        self.hands[seat].append(name)
        self.counts["taken back"] += 1

    def pick_up(self) -> None:
        """The winner takes the trick; after the last one the hand is scored."""
        naive = self.naive
        winner = naive.trick_winner(naive.trick, naive.named)
        self.compare_who(Phase.PICK_UP, [winner], winner)
        if self.odd and self.chance(0.1):
            others = [seat for seat in naive.players if seat != winner]
            left = [(seat, name) for seat, hand in self.hands.items() for name in hand]
            if others and left:
                seat, name = self.rng.choice(left)
                self.refuse(Played(seat, card(name)))
        tricks = len(naive.done)
        self.give(TrickTaken(winner))
        last = tricks + 1 == naive.cards
        naive.pick_up()
        if not last:
            self.same("no score yet", self.spoken("hand_scored"), [])
            return
        self.compare_score()

    def compare_score(self) -> None:
        """The hand's result, both announced and kept."""
        naive, last = self.naive, self.naive.last
        said = self.spoken("hand_scored")
        self.same("how often the hand is scored", len(said), 1)
        result = self.state.results[-1]
        for what in ("hand", "bids", "tricks"):
            self.same(f"the announced {what}", of_players(said[0][what], last), last[what])
        self.same("the announced points", of_players(said[0]["points"], last), naive.points)
        self.same("the announced totals", said[0]["totals"], naive.totals)
        faults = naive.faults if self.options.get("scoring") == "catastrophe" else None
        if self.name == "oh-hell" and not last["play_off"]:
            self.same("the faults", said[0].get("faults"), faults)
        if isinstance(naive, PredictionWhist):
            out = [seat for seat in self.seats if naive.out_in.get(seat) == last["hand"]]
            lives = [(dict(line["lives"]), list(line["out"])) for line in self.spoken("lives")]
            self.same("the lives", lives, [(naive.totals, out)])
            self.counts["out"] += len(out)
            nils = [seat for seat, bid in last["bids"].items() if bid == DOUBLE_NIL]
            self.counts["double nils"] += len(nils)
            self.counts["lives back"] += len([seat for seat in nils if naive.points[seat] == 1])
        if isinstance(naive, OhHell):
            self.counts["out"] += len([seat for seat in self.seats if naive.out_in.get(seat) == last["hand"]])
        for what in ("hand", "cards", "dealer", "bids", "tricks", "revoked", "play_off"):
            value = getattr(result, what)
            if what == "revoked":
                value = sorted(value)
                self.same("who revoked", value, sorted(last["revoked"]))
            else:
                self.same(f"the result's {what}", of_players(value, last), last[what])
        self.same("the result's points", of_players(result.points, last), naive.points)
        self.same("the result's totals", dict(result.totals), naive.totals)
        self.counts["scores"] += len(naive.points)
        if last["play_off"]:
            self.counts["play-offs"] += 1


def of_players(value: Any, last: dict[str, Any]) -> Any:
    """A table by seat without those who did not play the hand; anything else as it is."""
    if isinstance(value, int | str | bool):
        return value
    return {seat: what for seat, what in dict(value).items() if seat in last["bids"]}


# --- random games -------------------------------------------------------------------------------------------


def some_hands(rng: random.Random, most: int) -> list[int]:
    """A short list of hand sizes."""
    return [rng.randint(1, most) for _ in range(rng.randint(1, 5))]


def random_table(name: str, rng: random.Random) -> tuple[list[str], dict[str, Any]]:
    """Seats and options, every variant drawn at random."""
    draw = {
        "whysteria": random_whysteria,
        "oh-hell": random_oh_hell,
        "prediction-whist": random_prediction_whist,
        "israeli-whist": random_israeli_whist,
        "oh-shit": random_oh_shit,
    }[name]
    count, options = draw(rng)
    seats = NAMES[:count]
    if rng.random() < 0.7:
        options["first_dealer"] = rng.choice(seats)
    return seats, options


def random_whysteria(rng: random.Random) -> tuple[int, dict[str, Any]]:
    """2 to 7 players; 7 or 10 cards, a constant hand, a list."""
    count = rng.randint(2, 7)
    options: dict[str, Any] = {}
    kind = rng.random()
    if kind < 0.4:
        options["hands"] = some_hands(rng, 52 // count if count > 2 else 13)
    elif kind < 0.6:
        options["constant"] = rng.randint(1, min(10, 52 // count))
    elif kind < 0.7 and count <= 5:
        options["start"] = 10
    elif kind < 0.8:
        options["start"] = 7
    if rng.random() < 0.5:
        options["mark"] = rng.random() < 0.5
    return count, options


OH_HELL_VARIANTS: dict[str, tuple[float, list[Any]]] = {
    "scoring": (0.7, ["standard", "harsh", "quick", "catastrophe", "catastrophe", "tricks"]),
    "made_all_bonus": (0.4, [False, True, True]),
    "hook": (0.4, [False, True, True]),
    "joker": (0.4, [False, True, True]),
    "forehead": (0.4, [False, True, "final", "final"]),
    "nullo": (0.2, [True, "race"]),
    "trump": (0.3, ["turned", "progressive"]),
    "no_trump_every": (0.2, [1, 2, 3, 4, 5]),
    "exchange": (0.3, [0, 1, 2]),
    "exchange_to": (0.3, ["left", "right", "right"]),
    "tie_break": (0.4, ["first", "every", "every"]),
}
"""How often each option is drawn, and of which values."""


def random_oh_hell(rng: random.Random) -> tuple[int, dict[str, Any]]:
    """3 to 7 players (or up to 10 with two packs), every variant."""
    options: dict[str, Any] = {}
    packs = 2 if rng.random() < 0.3 else 1
    count = rng.randint(3, 10 if packs == 2 else 7)
    if packs == 2:
        options["packs"] = 2
    most = (52 * packs - 1) // count
    kind = rng.random()
    if kind < 0.5:
        options["hands"] = some_hands(rng, min(most, 10))
    else:
        options["shape"] = rng.choice(["down-up", "down", "up-down"])
        if kind < 0.8:
            options["start"] = rng.randint(1, min(most, 8))
    for name, (probability, values) in OH_HELL_VARIANTS.items():
        if rng.random() < probability:
            options[name] = rng.choice(values)
    if options.get("scoring") == "catastrophe" and rng.random() < 0.5:
        options["hands"] = [rng.randint(5, min(most, 12)) for _ in range(8)]
    if options.get("joker") and rng.random() < 0.6:
        options["no_trump_every"] = rng.randint(1, 3)
    return count, options


def random_prediction_whist(rng: random.Random) -> tuple[int, dict[str, Any]]:
    """2 to 10 players, lives, starts, both ways back up, Double Nil."""
    count = rng.randint(2, 10)
    options: dict[str, Any] = {}
    if rng.random() < 0.2:
        options["hands"] = some_hands(rng, min(7, 52 // count))
    elif rng.random() < 0.5:
        options["start"] = rng.randint(1, min(9, 52 // count))
    if rng.random() < 0.5:
        options["lives"] = rng.randint(1, 6)
    if rng.random() < 0.5:
        options["return"] = rng.choice(["jump", "climb"])
    if rng.random() < 0.5:
        options["double_nil"] = rng.random() < 0.8
    return count, options


def random_israeli_whist(rng: random.Random) -> tuple[int, dict[str, Any]]:
    """Four players, a target or a list of hands, gulash, scoring."""
    options: dict[str, Any] = {"target": rng.choice([1, 20, 30, 50, 100, 300])}
    if rng.random() < 0.1:
        options["target"] = rng.choice([1, 10, 25])
    else:
        options["hands"] = [
            13 if rng.random() < 0.6 else rng.randint(1, 13) for _ in range(rng.randint(1, 5))
        ]
    if rng.random() < 0.7:
        options["gulash"] = rng.choice(["off", "plain", "rising"])
    if rng.random() < 0.6:
        options["scoring"] = rng.choice(["standard", "elhanani"])
    return 4, options


def random_oh_shit(rng: random.Random) -> tuple[int, dict[str, Any]]:
    """3 to 7 players, both packs, with and without a joker, full, half and listed games."""
    count = rng.randint(3, 7)
    options: dict[str, Any] = {}
    if rng.random() < 0.6:
        options["pack"] = rng.choice([52, 63])
    size = options.get("pack") or (63 if count >= 6 else 52)
    if size == 52 and rng.random() < 0.6:
        options["joker"] = True
        size = 53
    kind = rng.random()
    if kind < 0.6:
        options["hands"] = some_hands(rng, min(13, size // count))
    elif kind < 0.8:
        options["half"] = True
    return count, options


def compare(name: str, deals: int, seed: int) -> Counter[str]:
    """Random games of ``name`` until at least ``deals`` hands have been dealt; what was compared."""
    counts: Counter[str] = Counter()
    number = 0
    while counts["deals"] < deals:
        rng = random.Random(f"{name} {seed} {number}")
        seats, options = random_table(name, rng)
        duel = Duel(name, seats, options, rng.randrange(2**32))
        duel.play()
        counts.update(duel.counts)
        number += 1
    return counts


__all__ = ["NAMES", "DifferenceError", "Duel", "compare", "pack", "random_table"]
