"""The house: the virtual table's own judge, who knows what people did and writes down the truth.

It rules by the naive second implementation of the games, on acts that are known for certain: whose card it was, who
drew it back, who picked up. It shares no rule and no ruling with the table that is to be checked against it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from table.facts import MS
from table.games.base import Phase
from table.virtual.acts import Act, Bade, Called, Laid, Rapped, Taken, in_order
from table.virtual.naive import make_naive
from table.virtual.naive.common import BidValue
from table.virtual.naive.israeli_whist import IsraeliWhist
from table.virtual.naive.whysteria import Whysteria

TruthLine: TypeAlias = dict[str, Any]
"""A line of ``truth.jsonl``."""

PUMP_NS = 3_000 * MS
"""Three, two, one, a second each: before that nobody's fist counts."""
PLAINLY_FIRST_NS = 67 * MS
"""Of tied leads that lie apart the first stays if it came to rest so long before the next."""
GULASH = 3
"""The cards that everybody hands on when all have passed."""

Standing: TypeAlias = Literal["face down", "turned up", "played", "goes back"]


@dataclass(frozen=True, slots=True)
class Windows:
    """So close together is at the same time, in nanoseconds."""

    bids_ns: int
    leads_ns: int


@dataclass(slots=True)
class Lying:
    """A card on the mark and what it counts for."""

    laid: Laid
    standing: Standing = "face down"
    counts_later: bool = False
    """It goes back, unless it still lies there when its player's turn comes."""
    tied: bool = False
    """A tied lead: its player may leave it when the turn is next."""

    @property
    def seat(self) -> str:
        """Whose card it is."""
        return self.laid.seat

    @property
    def card(self) -> str:
        """Which card it is."""
        return self.laid.card

    def line(self) -> TruthLine:
        """As the truth writes it."""
        return {"seat": self.seat, "card": self.card}


class House:
    """A game in progress, as it really is."""

    def __init__(
        self, game: str, seats: Sequence[str], options: Mapping[str, Any], windows: Windows, start_ns: int
    ) -> None:
        self.naive = make_naive(game, seats, options)
        self.windows = windows
        self.truth: list[TruthLine] = []
        self.lying: dict[int, Lying] = {}
        """What lies on the mark, in the order of landing."""
        self.deals = 0
        """How often cards were dealt, or are to be now: a hand that is thrown in is dealt again."""
        self.turned: str | None = None
        self.ready: set[str] = set()
        """Who has rapped that the cards are passed on, or has the fist on the table."""
        self.naming: Lying | None = None
        """The joker that was led at no trumps and whose suit is still to be named."""
        self._acts: list[Act] = []
        self._dealer_rapped = False
        self._handed_on = False
        self._fists: dict[str, BidValue] = {}
        self._pumped_ns: int | None = None
        self._deaf_until = start_ns
        self._judges: dict[type, Callable[[Any], None]] = {
            Bade: self._bade,
            Rapped: self._rapped,
            Called: self._called,
            Laid: self._laid,
            Taken: self._taken,
        }
        self._open_hand(start_ns)

    # --- where the game stands --------------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """What the table waits for."""
        waits = self.naive.waits
        if waits == "deal":
            if not self._dealer_rapped:
                return Phase.DEAL
            return Phase.TURN_UP if self._is_to_turn() else Phase.PASS_CARDS
        if waits == "play":
            if self.naming is not None:
                return Phase.NAME_SUIT
            return Phase.FOLLOW if self._led() else Phase.LEAD
        return {
            "pass": Phase.PASS_CARDS,
            "auction": Phase.AUCTION,
            "bid": Phase.BID,
            "secret bid": Phase.SECRET_BID,
            "pick up": Phase.PICK_UP,
            "over": Phase.OVER,
        }[waits]

    @property
    def free(self) -> bool:
        """Whether anybody may bid or lead now."""
        naive = self.naive
        if not isinstance(naive, Whysteria) or naive.must():
            return False
        return self.phase is Phase.BID or (self.phase is Phase.LEAD and naive.whose_turn() is None)

    @property
    def turn(self) -> str | None:
        """Whose card is to come next; None where anybody may lead, or none is to come."""
        if self.phase not in (Phase.LEAD, Phase.FOLLOW) or self.free:
            return None
        found = self.naive.whose_turn()
        if found is None:
            assert isinstance(self.naive, Whysteria)
            return self.naive.default()
        return found

    def to_go_back(self) -> list[int]:
        """The cards on the mark that their players have to take back."""
        return [number for number, lying in self.lying.items() if lying.standing == "goes back"]

    def takes_turned(self, card: str) -> bool:
        """Whether ``card``, laid down now by the dealer, would be the turned-up card."""
        naive = self.naive
        return self.phase in (Phase.DEAL, Phase.TURN_UP) and self._is_to_turn() and naive.makes_trumps(card)

    def cards_to_pass(self) -> int:
        """How many cards everybody hands on to the left now."""
        if self.phase is not Phase.PASS_CARDS:
            return 0
        count = GULASH if isinstance(self.naive, IsraeliWhist) else self.naive.exchanged()
        return min(count, self.naive.cards)

    def _is_to_turn(self) -> bool:
        return self.naive.turns_one_up and self.naive.fixed_trump() is None and self.turned is None

    def _led(self) -> bool:
        return bool(self.naive.trick) and self.naive.trick[0][1] != ""

    # --- ruling -----------------------------------------------------------------------------------------------

    def settle(self, acts: Sequence[Act]) -> None:
        """Rule on what people did since the last time; nobody will do anything earlier any more."""
        self._acts = in_order(acts, self.naive.seats)
        while self._acts:
            act = self._acts.pop(0)
            self._judges[type(act)](act)

    def _say(self, event: str, t_ns: int, **fields: Any) -> None:
        self.truth.append({"t_ns": t_ns, "event": event, **fields})

    def _open_hand(self, t_ns: int) -> None:
        """A hand is to be dealt."""
        self.deals += 1
        self.turned, self.ready, self.naming = None, set(), None
        self._dealer_rapped = self._handed_on = False
        if self.naive.trump is not None:
            self._say("trump", t_ns, suit=self.naive.trump, card=None)

    def _open_bidding(self) -> None:
        """The bidding begins, once all is dealt, turned up and handed on."""
        if not self._dealer_rapped or self._is_to_turn():
            return
        if self.naive.exchanged() and not self._handed_on:
            return
        self.naive.dealt()

    # --- words ------------------------------------------------------------------------------------------------

    def _rapped(self, act: Rapped) -> None:
        if act.t_ns < self._deaf_until:
            return
        naive, phase = self.naive, self.phase
        if phase is Phase.DEAL:
            if act.seat == naive.dealer:
                self._dealer_rapped = True
                self._open_bidding()
        elif phase is Phase.PASS_CARDS:
            self.ready.add(act.seat)
            if self.ready >= set(naive.players):
                self._cards_passed()
        elif phase is Phase.SECRET_BID:
            self.ready.add(act.seat)
            if self._pumped_ns is None and self.ready >= set(naive.players):
                self._pumped_ns = act.t_ns + PUMP_NS
        elif self.free:
            assert isinstance(naive, Whysteria)
            if act.seat in naive.who_still_may():
                naive.rap(act.seat)

    def _cards_passed(self) -> None:
        self.ready = set()
        if isinstance(self.naive, IsraeliWhist):
            self.naive.cards_passed()
        else:
            self._handed_on = True
            self._open_bidding()

    def _bade(self, act: Bade) -> None:
        if act.t_ns < self._deaf_until:
            return
        if self.phase is Phase.SECRET_BID:
            self._fist(act)
        elif self.phase is Phase.BID:
            tied = [act, *self._tied_with(act)]
            if len(tied) > 1:
                self._bids_tied(tied)
            elif act.bid in self.naive.legal_bids(act.seat):
                self.naive.bid(act.seat, act.bid)
                self._say("bid", act.t_ns, seat=act.seat, bid=act.bid)
                self._count_waiting(act.t_ns)

    def _tied_with(self, first: Bade) -> list[Bade]:
        """The bids of others who may bid, begun within the window of the earliest."""
        naive = self.naive
        if not self.free or not isinstance(naive, Whysteria) or first.seat not in naive.who_may():
            return []
        tied: dict[str, Bade] = {}
        for act in self._acts:
            if not isinstance(act, Bade) or act.t_ns >= first.t_ns + self.windows.bids_ns:
                continue
            if act.seat in naive.who_may() and act.seat != first.seat:
                tied.setdefault(act.seat, act)
        self._acts = [act for act in self._acts if act not in tied.values()]
        return list(tied.values())

    def _bids_tied(self, tied: list[Bade]) -> None:
        """None of them counts, nor any call that began before the last of them ended."""
        naive = self.naive
        assert isinstance(naive, Whysteria)
        naive.tie()
        self._deaf_until = max(act.end_ns for act in tied)
        first, last = tied[0].t_ns, tied[-1].t_ns
        seats = [act.seat for act in tied]
        self._say("bids_tied", first, seats=seats, spread_ns=last - first, next=naive.default())

    def _fist(self, act: Bade) -> None:
        """A bid at once with all others; each player's first one after the pump stands."""
        naive = self.naive
        if self._pumped_ns is None or act.t_ns < self._pumped_ns or act.seat in self._fists:
            return
        if act.bid not in naive.legal_bids(act.seat):
            return
        self._fists[act.seat] = act.bid
        if self._fists.keys() < set(naive.players):
            return
        fists, self._fists, self._pumped_ns, self.ready = self._fists, {}, None, set()
        for seat in naive.round_from(naive.left_of(naive.dealer, naive.players)):
            naive.bid(seat, fists[seat])
            self._say("bid", act.t_ns, seat=seat, bid=fists[seat])
        self._count_waiting(act.t_ns)

    def _called(self, act: Called) -> None:
        naive, phase = self.naive, self.phase
        if phase is Phase.NAME_SUIT and self.naming is not None and act.seat == self.naming.seat:
            joker, self.naming = self.naming, None
            self._count(joker, act.t_ns, named=act.call)
            self._count_waiting(act.t_ns)
        elif phase is Phase.AUCTION and isinstance(naive, IsraeliWhist) and act.seat == naive.whose_call():
            if act.call == "pass":
                self._say("pass", act.t_ns, seat=act.seat)
            else:
                turned_ns = act.t_ns if act.turned_ns is None else act.turned_ns
                self._say("bid", turned_ns, seat=act.seat, bid=act.call)
            outcome = naive.call(act.seat, act.call)
            if outcome == "won":
                self._say("trump", act.t_ns, suit=naive.trump, card=None)
            elif outcome == "thrown in":
                self._open_hand(act.t_ns)

    # --- cards ------------------------------------------------------------------------------------------------

    def _laid(self, act: Laid) -> None:
        self._leave_tied(act.t_ns, act.seat)
        lying = self._lie(act)
        if not act.face_up:
            return
        phase = self.phase
        if phase in (Phase.DEAL, Phase.TURN_UP):
            self._turn_up(lying)
        elif phase is Phase.LEAD and self.free:
            self._free_leads(lying)
        elif phase in (Phase.LEAD, Phase.FOLLOW):
            if act.seat == self.turn:
                self._play(lying, act.t_ns)
            else:
                self._send_back(lying, counts_later=True)
            self._count_waiting(act.t_ns)
        else:
            # A lead before the last trick is picked up never counts.
            self._send_back(lying, counts_later=phase in (Phase.BID, Phase.NAME_SUIT))

    def _lie(self, act: Laid) -> Lying:
        lying = Lying(act)
        self.lying[act.id] = lying
        return lying

    def _send_back(self, lying: Lying, *, counts_later: bool = False, tied: bool = False) -> None:
        lying.standing, lying.counts_later, lying.tied = "goes back", counts_later, tied

    def _turn_up(self, lying: Lying) -> None:
        if not self.takes_turned(lying.card):
            self._send_back(lying)
            return
        self.naive.turn_up(lying.card)
        self.turned, lying.standing = lying.card, "turned up"
        self._say("trump", lying.laid.t_ns, suit=self.naive.trump, card=lying.card)
        self._open_bidding()

    def _play(self, lying: Lying, t_ns: int) -> None:
        """The card is its player's play."""
        lying.standing = "played"
        self._say("card_played", t_ns, **lying.line())
        if lying.card == "JOKER" and self.naive.trump == "NT" and not self._led():
            self.naming = lying
        else:
            self._count(lying, t_ns)

    def _count(self, lying: Lying, t_ns: int, named: str | None = None) -> None:
        """What comes of a card that was played, and of a joker once its suit is named."""
        naive = self.naive
        winner = naive.play(lying.seat, lying.card, named)
        for seat, failed, trick, proof in naive.new_revokes():
            self._say("revoke", t_ns, seat=seat, card=failed, trick=trick, proved_by=proof)
        if winner is not None:
            cards = [{"seat": seat, "card": card} for seat, card in naive.trick]
            self._say("trick_won", t_ns, trick=len(naive.done) + 1, seat=winner, cards=cards)

    def _count_waiting(self, t_ns: int) -> None:
        """Cards laid out of turn that still lie when their player's turn comes count now."""
        while self.turn is not None:
            waiting = [one for one in self._theirs(self.turn) if one.counts_later]
            if not waiting:
                return
            self._play(waiting[0], t_ns)

    def _theirs(self, seat: str) -> list[Lying]:
        """The cards that ``seat`` has to take back."""
        return [one for one in self.lying.values() if one.standing == "goes back" and one.seat == seat]

    # Leads at the same time

    def _free_leads(self, first: Lying) -> None:
        """A lead where anybody may lead: with all others that landed in its window."""
        ends = first.laid.t_ns + self.windows.leads_ns
        together = [act for act in self._acts if isinstance(act, Laid) and act.t_ns < ends]
        self._acts = [act for act in self._acts if act not in together]
        leads = {first.seat: first}
        for act in together:
            lying = self._lie(act)
            if act.face_up and leads.setdefault(act.seat, lying) is not lying:
                self._send_back(lying)  # a player's second card is no lead
        if len(leads) == 1:
            self._play(first, first.laid.t_ns)
        else:
            self._leads_tied(list(leads.values()))
        self._count_waiting(first.laid.t_ns)

    def _leads_tied(self, leads: list[Lying]) -> None:
        naive = self.naive
        assert isinstance(naive, Whysteria)
        kept = first_of(leads) if naive.options.get("mark", True) else None
        back = [lead for lead in leads if lead is not kept]
        for lead in back:
            self._send_back(lead, tied=True)
        if kept is None:
            naive.tie()
        self._say(
            "leads_tied",
            leads[0].laid.t_ns,
            kept=kept.line() if kept else None,
            taken_back=[lead.line() for lead in back],
            next=naive.left_of(kept.seat, naive.players) if kept else naive.default(),
        )
        if kept is not None:
            self._play(kept, kept.laid.t_ns)

    def _leave_tied(self, t_ns: int, by: str | None) -> None:
        """A tied leader whose turn is next has left the card: as the next card falls, it is that player's play.

        ``by``: who lays the next card; None when the pile is being picked up.
        """
        while (turn := self.turn) is not None and turn != by:
            left = [one for one in self._theirs(turn) if one.tied and self._may_stay(one)]
            if not left:
                return
            self._play(left[0], t_ns)

    def _may_stay(self, lying: Lying) -> bool:
        """It follows suit, is led, or is the hand's last trick."""
        naive = self.naive
        led = naive.led_suit(naive.trick, naive.named)
        return led in (None, lying.card[-1]) or len(naive.done) + 1 == naive.cards

    # Taking cards off the mark

    def _taken(self, act: Taken) -> None:
        if set(act.ids) == set(self.lying) and not act.to_hand:
            self._leave_tied(act.t_ns, None)
        gone = [self.lying.pop(number) for number in sorted(act.ids)]
        for lying in gone:
            if lying.standing == "goes back":
                self._say("card_taken_back", act.t_ns, **lying.line())
        played = [lying for lying in gone if lying.standing == "played"]
        if played and self.phase is Phase.PICK_UP and not act.to_hand:
            self._pick_up(act.t_ns)
        else:
            for lying in played:
                self._withdraw(lying, act.t_ns)

    def _withdraw(self, lying: Lying, t_ns: int) -> None:
        """A card of the trick goes back to its player's hand."""
        self._say("card_taken_back", t_ns, **lying.line())
        if lying is self.naming:
            self.naming = None
        else:
            self.naive.take_back(self.naive.trick.index((lying.seat, lying.card)))
        self._count_waiting(t_ns)

    def _pick_up(self, t_ns: int) -> None:
        naive = self.naive
        last = len(naive.done) + 1 == naive.cards
        naive.pick_up()
        if not last:
            self._count_waiting(t_ns)
            return
        result = naive.last
        points = {seat: naive.points[seat] for seat in result["tricks"]}
        bids = {seat: result["bids"][seat] for seat in result["tricks"]}
        self._say(
            "hand_scored",
            t_ns,
            hand=result["hand"],
            bids=bids,
            tricks=result["tricks"],
            points=points,
            totals=dict(naive.totals),
        )
        if naive.waits == "over":
            self._say(
                "game_over",
                t_ns,
                totals=dict(naive.totals),
                ranking=[list(group) for group in naive.ranking],
                winners=list(naive.winners),
            )
        else:
            self._open_hand(t_ns)


def first_of(leads: Sequence[Lying]) -> Lying | None:
    """The one of tied leads (in the order of landing) that stays on the mark; None when all go back.

    In one pile it is the card underneath. Where cards lie apart it is the first, if that came to rest plainly first;
    but where only some lie apart, none.
    """
    ids = {lead.laid.id for lead in leads}
    beneath = {lead.laid.id: ids & set(lead.laid.upon) for lead in leads}
    heaps: list[set[int]] = []
    for number, under in beneath.items():
        touching = [heap for heap in heaps if heap & under]
        heaps = [heap for heap in heaps if not heap & under]
        heaps.append({number}.union(*touching))
    lowest = [lead for lead in leads if not beneath[lead.laid.id]]
    if len(heaps) == 1 and len(lowest) == 1:
        return lowest[0]
    if len(heaps) not in (1, len(leads)):
        return None
    return lowest[0] if lowest[1].laid.t_ns - lowest[0].laid.t_ns >= PLAINLY_FIRST_NS else None
