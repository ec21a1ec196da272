"""Ground-truth referee of the simulation: rules on the players' true acts and records the true events.

It applies the reference rules (the independent second implementation of the games) to acts that are known for certain:
whose card it was, who took it back, who picked up. It shares no code with the referee that is tested against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from table.cards import PASS
from table.config.settings import TableConfig
from table.events.event_registry import COMPARED_EVENTS
from table.games.engine.game_state import Phase
from table.observed_facts import MS
from table.simulation.players.simulated_game import Act, CallAct, LayAct, TakeAct, TruthLine
from table.simulation.reference_rules import make_reference_game
from table.simulation.reference_rules.common import BidValue

COUNTDOWN_NS = 3_000 * MS
"""Countdown before secret bids: three, two, one, a second each. No secret bid counts before its end."""
MIN_LEAD_GAP_NS = 67 * MS
"""Minimum time between landings for the first of tied leads that lie apart to stay on the mark."""

CardStatus: TypeAlias = Literal["face down", "turned up", "played", "goes back"]


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
    def play(self) -> tuple[str, str]:
        """The seat that laid the card, and the card's name."""
        return self.laid.seat, str(self.laid.card)

    def truth_fields(self) -> TruthLine:
        """Return seat and card as fields of a line."""
        seat, card = self.play
        return {"seat": seat, "card": card}


class GroundTruthReferee:
    """The true state of a game in progress, computed from the players' acts by the reference rules."""

    def __init__(self, config: TableConfig, start_ns: int) -> None:
        self.reference = make_reference_game(config.game, config.names, config.options)
        self._bid_window_ns = config.buttons.tie_window_ms * MS
        self._lead_window_ns = config.camera.tie_window_ns
        self.lines: list[TruthLine] = []
        """All true events in order; of those of the journal that follow from others only the compared ones."""
        self.cards_on_mark: dict[int, TruthCard] = {}
        """Cards on the mark by id, in the order of landing."""
        self.deal_count = 0
        """Number of deals, including the current one; a hand that is thrown in is dealt again."""
        self.ready_seats: set[str] = set()
        """Seats that have rapped: cards passed on, or ready for the secret bids (fist on the table)."""
        self._joker_to_name: TruthCard | None = None
        """A joker that was led at no trumps and whose suit has not been named yet."""
        self._acts: list[Act] = []
        self._secret_bids: dict[str, BidValue] = {}
        self._countdown_end_ns: int | None = None
        self._ignore_calls_until_ns = start_ns
        self._start_deal(start_ns)

    # --- state of the game ------------------------------------------------------------------------------------

    @property
    def truth(self) -> list[TruthLine]:
        """The lines of ``truth.jsonl``: the events that are compared with a journal."""
        return [line for line in self.lines if line["event"] in COMPARED_EVENTS]

    @property
    def phase(self) -> Phase:
        """The phase of the game: what has to happen next."""
        waits = self.reference.waits
        if waits == "deal" and self._deal_finished:
            return Phase.TURN_UP if self._must_turn_up() else Phase.PASS_CARDS
        if waits == "play":
            if self._joker_to_name is not None:
                return Phase.NAME_SUIT
            return Phase.FOLLOW if self._has_lead() else Phase.LEAD
        return Phase(waits)

    @property
    def anyone_may_act(self) -> bool:
        """Whether any player may bid or lead now, without turns (Whysteria)."""
        return self.phase in (Phase.BID, Phase.LEAD) and not self.reference.must()

    @property
    def turn(self) -> str | None:
        """The seat that plays the next card; None if anybody may lead or no card is due."""
        if self.phase not in (Phase.LEAD, Phase.FOLLOW) or self.anyone_may_act:
            return None
        return self.reference.default()

    def cards_to_take_back(self) -> list[int]:
        """Return the ids of the cards on the mark that their players have to take back."""
        return [card_id for card_id, card in self.cards_on_mark.items() if card.status == "goes back"]

    def would_turn_up(self, card: str) -> bool:
        """Return whether ``card``, laid down now by the dealer, would become the turned-up card."""
        may_turn_up = self.phase in (Phase.DEAL, Phase.TURN_UP) and self._must_turn_up()
        return may_turn_up and self.reference.makes_trumps(card)

    def _must_turn_up(self) -> bool:
        return self.reference.turns_one_up and self.reference.trump is None

    def _has_lead(self) -> bool:
        return bool(self.reference.trick) and self.reference.trick[0][1] != ""

    # --- ruling -----------------------------------------------------------------------------------------------

    def rule_on_acts(self, acts: Sequence[Act]) -> None:
        """Rule on the acts since the last time, at the same moment on calls first; no earlier acts may follow."""
        seats = self.reference.seats

        def sort_key(act: Act) -> tuple[int, int, int]:
            if isinstance(act, CallAct):
                return act.t_ns, 0, seats.index(act.seat)
            return act.t_ns, 1, act.id if isinstance(act, LayAct) else min(act.ids)

        self._acts = sorted(acts, key=sort_key)
        while self._acts:
            act = self._acts.pop(0)
            if isinstance(act, CallAct):
                self._on_call(act)
            elif isinstance(act, LayAct):
                self._on_lay(act)
            else:
                self._on_take(act)

    def _record(self, event: str, t_ns: int, **fields: Any) -> None:
        self.lines.append({"t_ns": t_ns, "event": event, **fields})

    def _start_deal(self, t_ns: int) -> None:
        """Start a new deal; record the trump suit if the rules fix it."""
        self.deal_count += 1
        self.ready_seats = set()
        self._deal_finished = False
        if self.reference.trump is not None:
            self._record("trump", t_ns, suit=self.reference.trump, card=None)

    def _start_bidding(self) -> None:
        """Start the bidding once the cards are dealt and turned up, unless some are to be passed on first."""
        if self._deal_finished and not self._must_turn_up() and not self.reference.exchanged():
            self.reference.dealt()

    # --- calls ------------------------------------------------------------------------------------------------

    def _on_call(self, act: CallAct) -> None:
        """Rule on a call by the phase of the game; a call that means nothing in it is ignored."""
        if act.t_ns < self._ignore_calls_until_ns:
            return
        phase = self.phase
        if act.call is None:
            self._on_rap(act)
        elif phase is Phase.SECRET_BID:
            self._take_secret_bid(act, act.call)
        elif phase is Phase.BID:
            self._take_bid(act, act.call)
        elif phase is Phase.AUCTION and act.seat == self.reference.default():
            self._take_auction_call(act, str(act.call))
        elif phase is Phase.NAME_SUIT and self._joker_to_name and act.seat == self._joker_to_name.laid.seat:
            joker, self._joker_to_name = self._joker_to_name, None
            self._record("joker_named", act.t_ns, seat=act.seat, suit=act.call)
            self._apply_play(joker, act.t_ns, named=str(act.call))
            self._play_waiting_cards(act.t_ns)

    def _on_rap(self, act: CallAct) -> None:
        reference, phase = self.reference, self.phase
        if phase is Phase.DEAL and act.seat == reference.dealer:
            self._record("dealt", act.t_ns, dealer=act.seat)
            self._deal_finished = True
            self._start_bidding()
        elif phase in (Phase.PASS_CARDS, Phase.SECRET_BID) and act.seat not in self.ready_seats:
            self._record("rap", act.t_ns, seat=act.seat)
            self.ready_seats.add(act.seat)
            if not self.ready_seats >= set(reference.players):
                return
            if phase is Phase.SECRET_BID:
                self._countdown_end_ns = act.t_ns + COUNTDOWN_NS
            else:
                self.ready_seats = set()
                reference.cards_passed()
        elif self.anyone_may_act and act.seat in reference.who_may() and act.seat not in reference.rapped:
            self._record("rap", act.t_ns, seat=act.seat)
            reference.rap(act.seat)

    def _take_bid(self, act: CallAct, bid: BidValue) -> None:
        tied = [act, *self._pop_tied_bids(act)]
        if len(tied) > 1:
            self._record_bid_tie(tied)
        elif bid in self.reference.legal_bids(act.seat):
            self.reference.bid(act.seat, bid)
            self._record("bid", act.t_ns, seat=act.seat, bid=bid)
            self._play_waiting_cards(act.t_ns)

    def _pop_tied_bids(self, first: CallAct) -> list[CallAct]:
        """Take the other permitted players' bids within the tie window of ``first`` off the queue and return them."""
        may_bid = self.reference.who_may()
        if not self.anyone_may_act or first.seat not in may_bid:
            return []
        tied: dict[str, CallAct] = {}
        for act in self._acts:
            in_window = act.t_ns < first.t_ns + self._bid_window_ns
            if isinstance(act, CallAct) and act.call is not None and in_window and act.seat in may_bid:
                tied.setdefault(act.seat, act)
        tied.pop(first.seat, None)
        self._acts = [act for act in self._acts if act not in tied.values()]
        return list(tied.values())

    def _record_bid_tie(self, tied: list[CallAct]) -> None:
        """Record a bid tie: none of the bids counts, nor any call that began before the last of them ended."""
        self.reference.tie()
        self._ignore_calls_until_ns = max(act.end_ns for act in tied)
        first, last = tied[0].t_ns, tied[-1].t_ns
        seats = [act.seat for act in tied]
        self._record("bids_tied", first, seats=seats, spread_ns=last - first, next=self.reference.default())

    def _take_secret_bid(self, act: CallAct, bid: BidValue) -> None:
        """Take a secret bid: each player's first one after the countdown counts; with the last, all are made."""
        reference = self.reference
        too_early = self._countdown_end_ns is None or act.t_ns < self._countdown_end_ns
        if too_early or act.seat in self._secret_bids or bid not in reference.legal_bids(act.seat):
            return
        self._secret_bids[act.seat] = bid
        if self._secret_bids.keys() < set(reference.players):
            return
        bids, self._secret_bids, self._countdown_end_ns, self.ready_seats = self._secret_bids, {}, None, set()
        self._record("bids_revealed", act.t_ns, bids=bids)
        for seat in reference.round_from(reference.left_of(reference.dealer, reference.players)):
            reference.bid(seat, bids[seat])
            self._record("bid", act.t_ns, seat=seat, bid=bids[seat])
        self._play_waiting_cards(act.t_ns)

    def _take_auction_call(self, act: CallAct, call: str) -> None:
        if call == PASS:
            self._record("pass", act.t_ns, seat=act.seat)
        else:
            turned_ns = act.t_ns if act.turned_ns is None else act.turned_ns
            self._record("bid", turned_ns, seat=act.seat, bid=call)
        outcome = self.reference.call(act.seat, call)
        if outcome == "won":
            self._record("trump", act.t_ns, suit=self.reference.trump, card=None)
        elif outcome == "thrown in":
            self._start_deal(act.t_ns)

    # --- cards ------------------------------------------------------------------------------------------------

    def _on_lay(self, act: LayAct) -> None:
        self._play_left_tied_leads(act.t_ns, act.seat)
        card = self.cards_on_mark[act.id] = TruthCard(act)
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
                card.status, card.counts_later = "goes back", True
            self._play_waiting_cards(act.t_ns)
        else:
            # A lead before the last trick is picked up never counts.
            card.status, card.counts_later = "goes back", phase in (Phase.BID, Phase.NAME_SUIT)

    def _turn_up(self, card: TruthCard) -> None:
        name = str(card.laid.card)
        if not self.would_turn_up(name):
            card.status = "goes back"
            return
        card.status = "turned up"
        self.reference.turn_up(name)
        self._record("trump", card.laid.t_ns, suit=self.reference.trump, card=name)
        self._start_bidding()

    def _record_play(self, card: TruthCard, t_ns: int) -> None:
        """Record the card as its player's play."""
        card.status = "played"
        self._record("card_played", t_ns, **card.truth_fields())
        if card.laid.card.is_joker and self.reference.trump == "NT" and not self._has_lead():
            self._joker_to_name = card
        else:
            self._apply_play(card, t_ns)

    def _apply_play(self, card: TruthCard, t_ns: int, named: str | None = None) -> None:
        """Apply a played card (a led joker once its suit is named): new revokes and the trick's winner."""
        reference = self.reference
        winner = reference.play(*card.play, named)
        for seat, failed, trick, proof in reference.new_revokes():
            self._record("revoke", t_ns, seat=seat, card=failed, trick=trick, proved_by=proof)
        if winner is not None:
            played = [{"seat": seat, "card": card} for seat, card in reference.trick]
            self._record("trick_won", t_ns, trick=len(reference.done) + 1, seat=winner, cards=played)

    def _play_waiting_cards(self, t_ns: int) -> None:
        """Play the cards that were laid out of turn and are still there when their player's turn comes."""
        while waiting := [card for card in self._cards_to_return(self.turn) if card.counts_later]:
            self._record_play(waiting[0], t_ns)

    def _cards_to_return(self, seat: str | None) -> list[TruthCard]:
        """Return the cards that ``seat`` has to take back."""
        on_mark = self.cards_on_mark.values()
        return [card for card in on_mark if card.status == "goes back" and card.laid.seat == seat]

    # Lead ties

    def _lead_without_turns(self, first: TruthCard) -> None:
        """Rule on a lead where anybody may lead, together with the leads that landed in its tie window."""
        ends = first.laid.t_ns + self._lead_window_ns
        together = [act for act in self._acts if isinstance(act, LayAct) and act.t_ns < ends]
        self._acts = [act for act in self._acts if act not in together]
        leads = {first.laid.seat: first}
        for act in together:
            card = self.cards_on_mark[act.id] = TruthCard(act)
            if act.face_up and leads.setdefault(act.seat, card) is not card:
                card.status = "goes back"  # a player's second card is no lead
        if len(leads) == 1:
            self._record_play(first, first.laid.t_ns)
        else:
            self._record_lead_tie(list(leads.values()))
        self._play_waiting_cards(first.laid.t_ns)

    def _record_lead_tie(self, leads: list[TruthCard]) -> None:
        reference = self.reference
        first = find_first_lead(leads) if reference.options.get("mark", True) else None
        back = [lead for lead in leads if lead is not first]
        for lead in back:
            lead.status, lead.tied = "goes back", True
        if first is None:
            reference.tie()
        self._record(
            "leads_tied",
            leads[0].laid.t_ns,
            kept=first.truth_fields() if first else None,
            taken_back=[lead.truth_fields() for lead in back],
            next=reference.left_of(first.laid.seat, reference.players) if first else reference.default(),
        )
        if first is not None:
            self._record_play(first, first.laid.t_ns)

    def _play_left_tied_leads(self, t_ns: int, by: str | None) -> None:
        """Play the tied lead of a player whose turn is next and who has left it there, when the next card lands.

        ``by``: the seat that lays the next card; None when the trick is being picked up.
        """
        while (turn := self.turn) is not None and turn != by:
            tied = [card for card in self._cards_to_return(turn) if card.tied]
            left = [card for card in tied if self._is_playable_from_mark(card)]
            if not left:
                return
            self._record_play(left[0], t_ns)

    def _is_playable_from_mark(self, card: TruthCard) -> bool:
        """Return whether the card may be played from the mark: it leads, follows suit, or is the hand's last."""
        reference = self.reference
        led = reference.led_suit(reference.trick, reference.named)
        return led in (None, card.laid.card.suit) or len(reference.done) + 1 == reference.cards

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
            self._pick_up(act)
        else:
            for card in played:
                self._withdraw(card, act.t_ns)

    def _withdraw(self, card: TruthCard, t_ns: int) -> None:
        """Return a played card from the trick to its player's hand."""
        self._record("card_taken_back", t_ns, **card.truth_fields())
        if card is self._joker_to_name:
            self._joker_to_name = None
        else:
            self.reference.take_back(self.reference.trick.index(card.play))
        self._play_waiting_cards(t_ns)

    def _pick_up(self, act: TakeAct) -> None:
        reference, t_ns = self.reference, act.t_ns
        self._record("trick_taken", t_ns, seat=act.seat)
        is_last = len(reference.done) + 1 == reference.cards
        reference.pick_up()
        if not is_last:
            self._play_waiting_cards(t_ns)
            return
        fields = {name: reference.last[name] for name in ("hand", "bids", "tricks")}
        points = {seat: reference.points[seat] for seat in fields["tricks"]}
        self._record("hand_scored", t_ns, **fields, points=points, totals=dict(reference.totals))
        if reference.waits == "over":
            ranking, winners = [list(group) for group in reference.ranking], list(reference.winners)
            totals = dict(reference.totals)
            self._record("game_over", t_ns, totals=totals, ranking=ranking, winners=winners)
        else:
            self._start_deal(t_ns)


def find_first_lead(leads: Sequence[TruthCard]) -> TruthCard | None:
    """Return the tied lead (``leads`` in the order of landing) that stays on the mark; None if all go back.

    In a heap the lowest card stays. If all cards lie apart, the first stays if it landed at least ``MIN_LEAD_GAP_NS``
    before the next. If only some lie apart, none stays.
    """
    ids = {lead.laid.id for lead in leads}
    lowest = [lead for lead in leads if not ids & set(lead.laid.upon)]
    if len(lowest) == 1:
        return lowest[0]
    is_plainly_first = lowest[1].laid.t_ns - lowest[0].laid.t_ns >= MIN_LEAD_GAP_NS
    return lowest[0] if len(lowest) == len(leads) and is_plainly_first else None
