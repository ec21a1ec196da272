"""Ground-truth referee of the simulation: rules on the players' true acts and records the true events.

It applies the reference rules (the independent second implementation of the games) to acts that are known for certain:
whose card it was, who took it back, who picked up. It shares no code with the referee that is tested against it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from table.games.engine.game_state import Phase
from table.observed_facts import MS
from table.simulation.players.true_player_acts import Act, BidAct, DialAct, LayAct, RapAct, TakeAct, sort_acts
from table.simulation.reference_rules import make_reference_game
from table.simulation.reference_rules.common import BidValue
from table.simulation.reference_rules.israeli_whist import IsraeliWhist
from table.simulation.reference_rules.whysteria import Whysteria

TruthLine: TypeAlias = dict[str, Any]
"""A line of ``truth.jsonl``."""

COUNTDOWN_NS = 3_000 * MS
"""Countdown before secret bids: three, two, one, a second each. No secret bid counts before its end."""
MIN_LEAD_GAP_NS = 67 * MS
"""Minimum time between landings for the first of tied leads that lie apart to stay on the mark."""
GULASH_CARDS = 3
"""Number of cards that each player passes on after all have passed in the auction (Israeli Whist)."""

CardStatus: TypeAlias = Literal["face down", "turned up", "played", "goes back"]


@dataclass(frozen=True, slots=True)
class TieWindows:
    """Widths of the tie windows in nanoseconds: acts closer together than this are simultaneous."""

    bids_ns: int
    leads_ns: int


@dataclass(slots=True)
class TruthCard:
    """A card on the mark with its true status in the game."""

    laid: LayAct
    status: CardStatus = "face down"
    counts_later: bool = False
    """The card must be taken back, but counts as played if it is still there when its player's turn comes."""
    tied: bool = False
    """The card is a tied lead: its player may leave it on the mark if that player is next in turn."""

    @property
    def seat(self) -> str:
        """The seat that laid the card."""
        return self.laid.seat

    @property
    def card(self) -> str:
        """The card's name, such as ``10H``."""
        return self.laid.card

    def truth_fields(self) -> TruthLine:
        """Return seat and card as fields of a line of ``truth.jsonl``."""
        return {"seat": self.seat, "card": self.card}


class GroundTruthReferee:
    """The true state of a game in progress, computed from the players' acts by the reference rules."""

    def __init__(
        self, game: str, seats: Sequence[str], options: Mapping[str, Any], windows: TieWindows, start_ns: int
    ) -> None:
        self.reference = make_reference_game(game, seats, options)
        self.windows = windows
        self.truth: list[TruthLine] = []
        self.cards_on_mark: dict[int, TruthCard] = {}
        """Cards on the mark by id, in the order of landing."""
        self.deal_count = 0
        """Number of deals, including the current one; a hand that is thrown in is dealt again."""
        self.turned_up_card: str | None = None
        self.ready_seats: set[str] = set()
        """Seats that have rapped: cards passed on, or ready for the secret bids (fist on the table)."""
        self.joker_to_name: TruthCard | None = None
        """A joker that was led at no trumps and whose suit has not been named yet."""
        self._acts: list[Act] = []
        self._deal_finished = False
        self._exchange_finished = False
        self._secret_bids: dict[str, BidValue] = {}
        self._countdown_end_ns: int | None = None
        self._ignore_calls_until_ns = start_ns
        self._handlers: dict[type, Callable[[Any], None]] = {
            BidAct: self._on_bid,
            RapAct: self._on_rap,
            DialAct: self._on_dial_call,
            LayAct: self._on_lay,
            TakeAct: self._on_take,
        }
        self._start_deal(start_ns)

    # --- state of the game ------------------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """The phase of the game: what has to happen next."""
        waits = self.reference.waits
        if waits == "deal":
            if not self._deal_finished:
                return Phase.DEAL
            return Phase.TURN_UP if self._must_turn_up() else Phase.PASS_CARDS
        if waits == "play":
            if self.joker_to_name is not None:
                return Phase.NAME_SUIT
            return Phase.FOLLOW if self._has_lead() else Phase.LEAD
        return {
            "pass": Phase.PASS_CARDS,
            "auction": Phase.AUCTION,
            "bid": Phase.BID,
            "secret bid": Phase.SECRET_BID,
            "pick up": Phase.PICK_UP,
            "over": Phase.OVER,
        }[waits]

    @property
    def anyone_may_act(self) -> bool:
        """Whether any player may bid or lead now, without turns (Whysteria)."""
        reference = self.reference
        if not isinstance(reference, Whysteria) or reference.must():
            return False
        return self.phase is Phase.BID or (self.phase is Phase.LEAD and reference.whose_turn() is None)

    @property
    def turn(self) -> str | None:
        """The seat that plays the next card; None if anybody may lead or no card is due."""
        if self.phase not in (Phase.LEAD, Phase.FOLLOW) or self.anyone_may_act:
            return None
        seat = self.reference.whose_turn()
        if seat is None:
            assert isinstance(self.reference, Whysteria)
            return self.reference.default()
        return seat

    def cards_to_take_back(self) -> list[int]:
        """Return the ids of the cards on the mark that their players have to take back."""
        return [card_id for card_id, card in self.cards_on_mark.items() if card.status == "goes back"]

    def would_turn_up(self, card: str) -> bool:
        """Return whether ``card``, laid down now by the dealer, would become the turned-up card."""
        reference = self.reference
        return (
            self.phase in (Phase.DEAL, Phase.TURN_UP)
            and self._must_turn_up()
            and reference.makes_trumps(card)
        )

    def cards_to_pass(self) -> int:
        """Return how many cards each player passes to the left now; 0 outside that phase."""
        if self.phase is not Phase.PASS_CARDS:
            return 0
        count = GULASH_CARDS if isinstance(self.reference, IsraeliWhist) else self.reference.exchanged()
        return min(count, self.reference.cards)

    def _must_turn_up(self) -> bool:
        return (
            self.reference.turns_one_up
            and self.reference.fixed_trump() is None
            and self.turned_up_card is None
        )

    def _has_lead(self) -> bool:
        return bool(self.reference.trick) and self.reference.trick[0][1] != ""

    # --- ruling -----------------------------------------------------------------------------------------------

    def rule_on_acts(self, acts: Sequence[Act]) -> None:
        """Rule on the acts since the last call; later calls may bring no earlier acts."""
        self._acts = sort_acts(acts, self.reference.seats)
        while self._acts:
            act = self._acts.pop(0)
            self._handlers[type(act)](act)

    def _record(self, event: str, t_ns: int, **fields: Any) -> None:
        self.truth.append({"t_ns": t_ns, "event": event, **fields})

    def _start_deal(self, t_ns: int) -> None:
        """Start a new deal; record the trump suit if the rules fix it."""
        self.deal_count += 1
        self.turned_up_card, self.ready_seats, self.joker_to_name = None, set(), None
        self._deal_finished = self._exchange_finished = False
        if self.reference.trump is not None:
            self._record("trump", t_ns, suit=self.reference.trump, card=None)

    def _start_bidding(self) -> None:
        """Start the bidding once the cards are dealt, turned up and passed on."""
        if not self._deal_finished or self._must_turn_up():
            return
        if self.reference.exchanged() and not self._exchange_finished:
            return
        self.reference.dealt()

    # --- calls ------------------------------------------------------------------------------------------------

    def _on_rap(self, act: RapAct) -> None:
        if act.t_ns < self._ignore_calls_until_ns:
            return
        reference, phase = self.reference, self.phase
        if phase is Phase.DEAL:
            if act.seat == reference.dealer:
                self._deal_finished = True
                self._start_bidding()
        elif phase is Phase.PASS_CARDS:
            self.ready_seats.add(act.seat)
            if self.ready_seats >= set(reference.players):
                self._finish_passing()
        elif phase is Phase.SECRET_BID:
            self.ready_seats.add(act.seat)
            if self._countdown_end_ns is None and self.ready_seats >= set(reference.players):
                self._countdown_end_ns = act.t_ns + COUNTDOWN_NS
        elif self.anyone_may_act:
            assert isinstance(reference, Whysteria)
            if act.seat in reference.who_still_may():
                reference.rap(act.seat)

    def _finish_passing(self) -> None:
        self.ready_seats = set()
        if isinstance(self.reference, IsraeliWhist):
            self.reference.cards_passed()
        else:
            self._exchange_finished = True
            self._start_bidding()

    def _on_bid(self, act: BidAct) -> None:
        if act.t_ns < self._ignore_calls_until_ns:
            return
        if self.phase is Phase.SECRET_BID:
            self._take_secret_bid(act)
        elif self.phase is Phase.BID:
            tied = [act, *self._pop_tied_bids(act)]
            if len(tied) > 1:
                self._record_bid_tie(tied)
            elif act.bid in self.reference.legal_bids(act.seat):
                self.reference.bid(act.seat, act.bid)
                self._record("bid", act.t_ns, seat=act.seat, bid=act.bid)
                self._play_waiting_cards(act.t_ns)

    def _pop_tied_bids(self, first: BidAct) -> list[BidAct]:
        """Take the other permitted players' bids within the tie window of ``first`` off the queue and return them."""
        reference = self.reference
        if (
            not self.anyone_may_act
            or not isinstance(reference, Whysteria)
            or first.seat not in reference.who_may()
        ):
            return []
        tied: dict[str, BidAct] = {}
        for act in self._acts:
            if not isinstance(act, BidAct) or act.t_ns >= first.t_ns + self.windows.bids_ns:
                continue
            if act.seat in reference.who_may() and act.seat != first.seat:
                tied.setdefault(act.seat, act)
        self._acts = [act for act in self._acts if act not in tied.values()]
        return list(tied.values())

    def _record_bid_tie(self, tied: list[BidAct]) -> None:
        """Record a bid tie: none of the bids counts, nor any call that began before the last of them ended."""
        reference = self.reference
        assert isinstance(reference, Whysteria)
        reference.tie()
        self._ignore_calls_until_ns = max(act.end_ns for act in tied)
        first, last = tied[0].t_ns, tied[-1].t_ns
        seats = [act.seat for act in tied]
        self._record("bids_tied", first, seats=seats, spread_ns=last - first, next=reference.default())

    def _take_secret_bid(self, act: BidAct) -> None:
        """Take a secret bid: each player's first one after the countdown counts; with the last, all are made."""
        reference = self.reference
        if (
            self._countdown_end_ns is None
            or act.t_ns < self._countdown_end_ns
            or act.seat in self._secret_bids
        ):
            return
        if act.bid not in reference.legal_bids(act.seat):
            return
        self._secret_bids[act.seat] = act.bid
        if self._secret_bids.keys() < set(reference.players):
            return
        bids, self._secret_bids, self._countdown_end_ns, self.ready_seats = self._secret_bids, {}, None, set()
        for seat in reference.round_from(reference.left_of(reference.dealer, reference.players)):
            reference.bid(seat, bids[seat])
            self._record("bid", act.t_ns, seat=seat, bid=bids[seat])
        self._play_waiting_cards(act.t_ns)

    def _on_dial_call(self, act: DialAct) -> None:
        reference, phase = self.reference, self.phase
        if (
            phase is Phase.NAME_SUIT
            and self.joker_to_name is not None
            and act.seat == self.joker_to_name.seat
        ):
            joker, self.joker_to_name = self.joker_to_name, None
            self._apply_play(joker, act.t_ns, named=act.call)
            self._play_waiting_cards(act.t_ns)
        elif (
            phase is Phase.AUCTION
            and isinstance(reference, IsraeliWhist)
            and act.seat == reference.whose_call()
        ):
            if act.call == "pass":
                self._record("pass", act.t_ns, seat=act.seat)
            else:
                turned_ns = act.t_ns if act.turned_ns is None else act.turned_ns
                self._record("bid", turned_ns, seat=act.seat, bid=act.call)
            outcome = reference.call(act.seat, act.call)
            if outcome == "won":
                self._record("trump", act.t_ns, suit=reference.trump, card=None)
            elif outcome == "thrown in":
                self._start_deal(act.t_ns)

    # --- cards ------------------------------------------------------------------------------------------------

    def _on_lay(self, act: LayAct) -> None:
        self._play_left_tied_leads(act.t_ns, act.seat)
        card = self._add_card(act)
        if not act.face_up:
            return
        phase = self.phase
        if phase in (Phase.DEAL, Phase.TURN_UP):
            self._turn_up(card)
        elif phase is Phase.LEAD and self.anyone_may_act:
            self._lead_without_turns(card)
        elif phase in (Phase.LEAD, Phase.FOLLOW):
            if act.seat == self.turn:
                self._record_play(card, act.t_ns)
            else:
                self._mark_for_return(card, counts_later=True)
            self._play_waiting_cards(act.t_ns)
        else:
            # A lead before the last trick is picked up never counts.
            self._mark_for_return(card, counts_later=phase in (Phase.BID, Phase.NAME_SUIT))

    def _add_card(self, act: LayAct) -> TruthCard:
        card = TruthCard(act)
        self.cards_on_mark[act.id] = card
        return card

    def _mark_for_return(self, card: TruthCard, *, counts_later: bool = False, tied: bool = False) -> None:
        card.status, card.counts_later, card.tied = "goes back", counts_later, tied

    def _turn_up(self, card: TruthCard) -> None:
        if not self.would_turn_up(card.card):
            self._mark_for_return(card)
            return
        self.reference.turn_up(card.card)
        self.turned_up_card, card.status = card.card, "turned up"
        self._record("trump", card.laid.t_ns, suit=self.reference.trump, card=card.card)
        self._start_bidding()

    def _record_play(self, card: TruthCard, t_ns: int) -> None:
        """Record the card as its player's play."""
        card.status = "played"
        self._record("card_played", t_ns, **card.truth_fields())
        if card.card == "JOKER" and self.reference.trump == "NT" and not self._has_lead():
            self.joker_to_name = card
        else:
            self._apply_play(card, t_ns)

    def _apply_play(self, card: TruthCard, t_ns: int, named: str | None = None) -> None:
        """Apply a played card (a led joker once its suit is named): new revokes and the trick's winner."""
        reference = self.reference
        winner = reference.play(card.seat, card.card, named)
        for seat, failed, trick, proof in reference.new_revokes():
            self._record("revoke", t_ns, seat=seat, card=failed, trick=trick, proved_by=proof)
        if winner is not None:
            played = [{"seat": seat, "card": card} for seat, card in reference.trick]
            self._record("trick_won", t_ns, trick=len(reference.done) + 1, seat=winner, cards=played)

    def _play_waiting_cards(self, t_ns: int) -> None:
        """Play the cards that were laid out of turn and are still there when their player's turn comes."""
        while self.turn is not None:
            waiting = [card for card in self._cards_to_return(self.turn) if card.counts_later]
            if not waiting:
                return
            self._record_play(waiting[0], t_ns)

    def _cards_to_return(self, seat: str) -> list[TruthCard]:
        """Return the cards that ``seat`` has to take back."""
        return [
            card for card in self.cards_on_mark.values() if card.status == "goes back" and card.seat == seat
        ]

    # Lead ties

    def _lead_without_turns(self, first: TruthCard) -> None:
        """Rule on a lead where anybody may lead, together with the leads that landed in its tie window."""
        ends = first.laid.t_ns + self.windows.leads_ns
        together = [act for act in self._acts if isinstance(act, LayAct) and act.t_ns < ends]
        self._acts = [act for act in self._acts if act not in together]
        leads = {first.seat: first}
        for act in together:
            card = self._add_card(act)
            if act.face_up and leads.setdefault(act.seat, card) is not card:
                self._mark_for_return(card)  # a player's second card is no lead
        if len(leads) == 1:
            self._record_play(first, first.laid.t_ns)
        else:
            self._record_lead_tie(list(leads.values()))
        self._play_waiting_cards(first.laid.t_ns)

    def _record_lead_tie(self, leads: list[TruthCard]) -> None:
        reference = self.reference
        assert isinstance(reference, Whysteria)
        first = find_first_lead(leads) if reference.options.get("mark", True) else None
        back = [lead for lead in leads if lead is not first]
        for lead in back:
            self._mark_for_return(lead, tied=True)
        if first is None:
            reference.tie()
        self._record(
            "leads_tied",
            leads[0].laid.t_ns,
            kept=first.truth_fields() if first else None,
            taken_back=[lead.truth_fields() for lead in back],
            next=reference.left_of(first.seat, reference.players) if first else reference.default(),
        )
        if first is not None:
            self._record_play(first, first.laid.t_ns)

    def _play_left_tied_leads(self, t_ns: int, by: str | None) -> None:
        """Play the tied lead of a player whose turn is next and who has left it there, when the next card lands.

        ``by``: the seat that lays the next card; None when the trick is being picked up.
        """
        while (turn := self.turn) is not None and turn != by:
            left = [
                card
                for card in self._cards_to_return(turn)
                if card.tied and self._is_playable_from_mark(card)
            ]
            if not left:
                return
            self._record_play(left[0], t_ns)

    def _is_playable_from_mark(self, card: TruthCard) -> bool:
        """Return whether the card may be played from the mark: it leads, follows suit, or is the hand's last."""
        reference = self.reference
        led = reference.led_suit(reference.trick, reference.named)
        return led in (None, card.card[-1]) or len(reference.done) + 1 == reference.cards

    # Taking cards off the mark

    def _on_take(self, act: TakeAct) -> None:
        if set(act.ids) == set(self.cards_on_mark) and not act.to_hand:
            self._play_left_tied_leads(act.t_ns, None)
        removed = [self.cards_on_mark.pop(card_id) for card_id in sorted(act.ids)]
        for card in removed:
            if card.status == "goes back":
                self._record("card_taken_back", act.t_ns, **card.truth_fields())
        played = [card for card in removed if card.status == "played"]
        if played and self.phase is Phase.PICK_UP and not act.to_hand:
            self._pick_up(act.t_ns)
        else:
            for card in played:
                self._withdraw(card, act.t_ns)

    def _withdraw(self, card: TruthCard, t_ns: int) -> None:
        """Return a played card from the trick to its player's hand."""
        self._record("card_taken_back", t_ns, **card.truth_fields())
        if card is self.joker_to_name:
            self.joker_to_name = None
        else:
            self.reference.take_back(self.reference.trick.index((card.seat, card.card)))
        self._play_waiting_cards(t_ns)

    def _pick_up(self, t_ns: int) -> None:
        reference = self.reference
        last = len(reference.done) + 1 == reference.cards
        reference.pick_up()
        if not last:
            self._play_waiting_cards(t_ns)
            return
        result = reference.last
        points = {seat: reference.points[seat] for seat in result["tricks"]}
        bids = {seat: result["bids"][seat] for seat in result["tricks"]}
        self._record(
            "hand_scored",
            t_ns,
            hand=result["hand"],
            bids=bids,
            tricks=result["tricks"],
            points=points,
            totals=dict(reference.totals),
        )
        if reference.waits == "over":
            self._record(
                "game_over",
                t_ns,
                totals=dict(reference.totals),
                ranking=[list(group) for group in reference.ranking],
                winners=list(reference.winners),
            )
        else:
            self._start_deal(t_ns)


def find_first_lead(leads: Sequence[TruthCard]) -> TruthCard | None:
    """Return the tied lead (``leads`` in the order of landing) that stays on the mark; None if all go back.

    In a single heap the lowest card stays. If all cards lie apart, the first stays if it landed at least
    ``MIN_LEAD_GAP_NS`` before the next. If only some lie apart, none stays.
    """
    ids = {lead.laid.id for lead in leads}
    beneath = {lead.laid.id: ids & set(lead.laid.upon) for lead in leads}
    heaps: list[set[int]] = []
    for card_id, under in beneath.items():
        touching = [heap for heap in heaps if heap & under]
        heaps = [heap for heap in heaps if not heap & under]
        heaps.append({card_id}.union(*touching))
    lowest = [lead for lead in leads if not beneath[lead.laid.id]]
    if len(heaps) == 1 and len(lowest) == 1:
        return lowest[0]
    if len(heaps) not in (1, len(leads)):
        return None
    return lowest[0] if lowest[1].laid.t_ns - lowest[0].laid.t_ns >= MIN_LEAD_GAP_NS else None
