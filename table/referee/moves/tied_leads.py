"""The hypotheses about cards that landed within one tie window, of which several may be leads.

Where anyone may lead, all of them are judged together; a complete trick may have been picked up unseen before. Of cards
that landed unobserved neither the time is known nor whose hand brought them: they may have come one after the other or
at once, and a lead whose tie window was open when the power went may be tied with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import exp, log

from table.cards import Card
from table.events.event_spec import Play
from table.events.game_events import LeadsTied, Played, TrickTaken
from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import Phase, Refusal, State
from table.games.game import Game
from table.observed_facts import MS, CardLanded
from table.phrase import Phrase, make_phrase
from table.referee.model.event_costs import COSTS
from table.referee.model.hypothesis import Hypothesis, TableCard
from table.referee.model.search_context import CardCandidate, Step
from table.referee.moves.card_departures import resolve_undetected
from table.referee.moves.card_landings import add_false_detection, expand_landing, match_known_cards
from table.referee.moves.card_plays import lay_out_of_turn, play_card, play_pending_cards
from table.referee.moves.unseen_events import take_trick_unseen

MIN_LEAD_GAP_NS = 60 * MS
"""Where tied cards lie apart, the first one stays only if its stamp is this long before the next one's: 67 ms by the
rules, less what is lost where stamps fall upon frames (60 ms is two frames of 30 a second, four of 60)."""
OWN_ARM_PROBABILITY = 0.5
"""The probability that the arm over a card that landed unobserved is the one that laid it, and no other hand that
hovers there."""
MAX_ASSIGNMENTS = 16
"""The number of assignments of players to cards that are followed, besides those in which two hands have crossed."""


@dataclass(frozen=True, slots=True)
class Lead:
    """One of several cards that landed together, with its identity and its player."""

    fact: CardLanded
    candidate: CardCandidate
    seat: str

    @property
    def laid(self) -> TableCard:
        """The lead as a card on the mark."""
        return self.candidate.laid_by(self.seat, self.fact.id)

    @property
    def play(self) -> Play:
        """The lead as a play of the rules."""
        return Play(self.seat, self.candidate.card)


def leads_may_tie(game: Game, state: State) -> bool:
    """Return whether anyone may lead, now or once the complete trick that lies there is picked up."""
    if state.phase is Phase.PICK_UP:
        assert state.trick.winner is not None
        after = game.apply(state, TrickTaken(state.trick.winner))
        return not isinstance(after, Refusal) and leads_may_tie(game, after.state)
    expected = game.expected(state)
    return expected.phase is Phase.LEAD and expected.anyone_may_act


def expand_landings(step: Step, hypothesis: Hypothesis, facts: Sequence[CardLanded]) -> Iterator[Hypothesis]:
    """Yield the hypotheses that may follow from cards that landed within one tie window."""
    if step.unobserved:
        yield from _expand_unobserved(step, hypothesis, facts)
        return
    if len(facts) == 1 or not step.game.expected(hypothesis.state).anyone_may_act:
        yield from _land_one_by_one(step, hypothesis, facts)
    if len(facts) > 1:
        for before in _before_free_lead(step, hypothesis):
            yield from _lead_together(step, before, facts)


def _before_free_lead(step: Step, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
    """Yield the hypothesis in which anyone may act: as it is, or once the complete trick was picked up unseen."""
    picks_up = hypothesis.state.phase is Phase.PICK_UP
    for before in take_trick_unseen(step, hypothesis) if picks_up else (hypothesis,):
        if not step.is_too_costly(before) and step.game.expected(before.state).anyone_may_act:
            yield before


def _land_one_by_one(step: Step, hypothesis: Hypothesis, facts: Sequence[CardLanded]) -> Iterator[Hypothesis]:
    """Yield the hypotheses in which the cards landed one after the other, each judged for itself."""
    if len(facts) == 1:
        yield from expand_landing(step, hypothesis, facts[0])
        return
    if not facts:
        yield hypothesis
        return
    for after in expand_landing(step, hypothesis, facts[0]):
        # A further lead would be tied with a free one, where both were observed: such are judged all at once.
        tied = not step.unobserved and _was_free_lead(step, facts[0], hypothesis, after)
        if not step.is_too_costly(after) and not tied:
            yield from _land_one_by_one(step, after, facts[1:])


def _was_free_lead(step: Step, fact: CardLanded, before: Hypothesis, after: Hypothesis) -> bool:
    """Return whether the card was led where anyone might lead."""
    for entry in after.entries():
        if entry is before.last_entry:
            return False
        if entry.card_id == fact.id and isinstance(entry.cause, Played):
            return step.game.expected(entry.state_before).anyone_may_act
    return False


# --- cards that landed unobserved -----------------------------------------------------------------------------------


def expand_restart(step: Step, hypothesis: Hypothesis, facts: Sequence[CardLanded]) -> Iterator[Hypothesis]:
    """Yield the hypotheses about all cards that lie on the mark when the camera has restarted.

    A card that lay there is found again, or has gone, or lies there out of sight; any other has landed meanwhile.
    """
    for before, new in match_known_cards(step, hypothesis, facts):
        for resolved in resolve_undetected(step, before):
            after = play_pending_cards(step, resolved)
            if new and not step.is_too_costly(after):
                yield from _expand_unobserved(step, after, new)
            elif not new:
                yield after


def _expand_unobserved(
    step: Step, hypothesis: Hypothesis, facts: Sequence[CardLanded]
) -> Iterator[Hypothesis]:
    """Yield the hypotheses in which the cards came one by one, or tied with each other or with the lead there."""
    cards = [replace(fact, arm_sure=fact.arm_sure * OWN_ARM_PROBABILITY, frame=0) for fact in facts]
    yield from _land_one_by_one(step, hypothesis, cards)
    if len(cards) > 1:
        for before in _before_free_lead(step, hypothesis):
            # Each of the other players is as likely to have tied; in turn the second card can only be one player's.
            others = len(step.game.expected(before.state).seats) - 1
            yield from _lead_together(step, before.add_cost(COSTS.undetected_tie + log(others)), cards)
    yield from _tie_with_lead(step, hypothesis, cards)


def _tie_with_lead(step: Step, hypothesis: Hypothesis, facts: Sequence[CardLanded]) -> Iterator[Hypothesis]:
    """Yield the hypotheses in which the cards are tied with a lead whose tie window nobody watched to its end."""
    entry, lead = hypothesis.last_entry, next(iter(hypothesis.trick_cards()), None)
    if entry is None or lead is None or lead.tie_window_id is None or not isinstance(entry.cause, Played):
        return
    if not step.game.expected(entry.state_before).anyone_may_act or lead.card != entry.cause.card:
        return
    fact = replace(step.context.landed[lead.tie_window_id], frame=0)
    again = step.context.landed.get(lead.id) if lead.id is not None else None
    if again is not None:  # its new detection tells how it lies
        order = again.order_sure
        fact = replace(fact, id=again.id, upon=again.upon, overlaps=again.overlaps, order_sure=order)
    before = hypothesis.rewind_before(entry).replace_card(lead, None).add_cost(COSTS.undetected_tie)
    for after in _lead_together(step, before, [fact, *facts]):
        pieces = (piece._replace(id=lead.id) if piece.id == fact.id else piece for piece in after.table_cards)
        yield evolve(after, table_cards=tuple(pieces))


# --- leads at the same time -----------------------------------------------------------------------------------------


def _lead_together(step: Step, hypothesis: Hypothesis, facts: Sequence[CardLanded]) -> Iterator[Hypothesis]:
    """Yield the hypotheses in which several cards are leads.

    One may be a false detection, and cards that lie there already are no leads.
    """
    leading = [fact for fact in facts if _may_lead(step, fact, hypothesis)]
    others = [fact for fact in facts if fact not in leading]
    false_detections: list[CardLanded | None] = [None, *(leading if len(leading) > 1 else ())]
    for false in false_detections:
        cards = [fact for fact in leading if fact is not false]
        for laid in _expand_together(step, hypothesis, cards):
            after = add_false_detection(step, laid, false) if false is not None else laid
            yield from _land_one_by_one(step, after, others)


def _may_lead(step: Step, fact: CardLanded, hypothesis: Hypothesis) -> bool:
    """Return whether the card can be read, and is no card that lies on the mark already and is detected anew."""
    if not fact.readings:
        return False
    best = fact.readings[0].card
    return not any(str(piece.card) == best for piece in hypothesis.table_cards) or any(
        name.is_best_reading for name in step.context.card_candidates(fact, hypothesis)
    )


def _expand_together(step: Step, hypothesis: Hypothesis, facts: Sequence[CardLanded]) -> Iterator[Hypothesis]:
    """Yield the hypotheses for all likely identities and owners of cards that landed together."""
    if len(facts) <= 1:
        yield from _land_one_by_one(step, hypothesis, facts)
        return
    ways = _assign_players(step, hypothesis, facts)
    for names in _joint_candidates(step, facts, hypothesis):
        for cost, seats in ways:
            start = hypothesis.add_cost(sum(name.cost for name in names) + cost)
            if not step.is_too_costly(start):
                leads = [Lead(*each) for each in zip(facts, names, seats, strict=True)]
                yield from _rule_leads(step.at(facts[0].t_ns), start, leads)


def _assign_players(
    step: Step, hypothesis: Hypothesis, facts: Sequence[CardLanded]
) -> list[tuple[float, tuple[str, ...]]]:
    """Return the likeliest assignments of players to cards that landed together, each with its cost above the best one.

    The cost of the best one is left out: cards that fall at once push each other, so places say little of whether they
    are leads.
    """
    expected = step.game.expected(hypothesis.state)
    ways: list[tuple[float, tuple[str, ...]]] = [(0.0, ())]
    for fact in facts:
        arm = step.arm_evidence(fact, hypothesis)
        more = []
        for seat in expected.seats:
            bonus = COSTS.lead_by_non_default if seat == expected.default_seat else 0.0
            for cost, way in ways:
                again = COSTS.out_of_turn.careful if seat in way else -bonus
                more.append((cost + arm.cost_for(seat) + again, (*way, seat)))
        ways = sorted(more)[:MAX_ASSIGNMENTS]
    least, best = ways[0]
    # Two hands that cross may each be taken for the other.
    for first, second in combinations(range(len(facts)), 2):
        pinned = {facts[first].id, facts[second].id} & step.context.pins.seats.keys()
        if best[first] != best[second] and not pinned:
            seats = [*best]
            seats[first], seats[second] = seats[second], seats[first]
            ways.append((least + COSTS.crossed_arms, tuple(seats)))
    return sorted((cost - least, way) for cost, way in ways)


def _joint_candidates(
    step: Step, facts: Sequence[CardLanded], hypothesis: Hypothesis
) -> Iterator[tuple[CardCandidate, ...]]:
    """Yield the likeliest identities of all cards; then those with one of the cards otherwise."""
    each = [
        [name for name in names if isinstance(name.card, Card)] or names
        for names in (step.context.card_candidates(fact, hypothesis) for fact in facts)
    ]
    best = tuple(names[0] for names in each)
    yield best
    for at, names in enumerate(each):
        for name in names[1:]:
            yield (*best[:at], name, *best[at + 1 :])


def _rule_leads(step: Step, hypothesis: Hypothesis, leads: Sequence[Lead]) -> Iterator[Hypothesis]:
    """Yield the rulings on leads: several that count are tied; a player's second card is no lead."""
    first: dict[str, Lead] = {}
    for lead in sorted(leads, key=lambda lead: (lead.fact.t_ns, lead.fact.id)):
        first.setdefault(lead.seat, lead)
    counted = [*first.values()]
    if len(counted) > 1:
        afters = _rule_tie(step, hypothesis, counted)
    else:
        played = _play_lead(step, hypothesis, counted[0], alone=True)
        afters = iter(() if played is None else (played,))
    for after in afters:
        for lead in leads:
            if lead is not first[lead.seat]:
                after = lay_out_of_turn(step.at(lead.fact.t_ns), after, lead.laid)
        yield play_pending_cards(step, after)


def _play_lead(step: Step, hypothesis: Hypothesis, lead: Lead, *, alone: bool) -> Hypothesis | None:
    """Return the hypothesis after a lead that counts is played; ``alone``: no other one is tied with it."""
    doubt = alone and step.arm_evidence(lead.fact, hypothesis).likeliest_seat is None
    return play_card(step.at(lead.fact.t_ns), hypothesis, lead.laid, doubt=doubt)


def _rule_tie(step: Step, hypothesis: Hypothesis, leads: Sequence[Lead]) -> Iterator[Hypothesis]:
    """Yield the rulings on tied leads: one stays, or none, and the others go back."""
    mark, facts = step.game.rules.keeps_lowest_lead, [lead.fact for lead in leads]
    kept_fact, reason = judge_leads(facts, mark=mark)
    detected = next((lead for lead in leads if lead.fact is kept_fact), None)
    others = [lead for lead in leads if lead is not detected] if mark else []
    for kept in (detected, *others):
        cost = _first_lead_cost(step, hypothesis.state, leads, kept, detected)
        if not step.is_too_costly(hypothesis, cost):
            after = _apply_ruling(step.at(facts[0].t_ns), hypothesis, leads, kept, reason)
            if after is not None:
                yield after.add_cost(cost)


def _first_lead_cost(
    step: Step, state: State, leads: Sequence[Lead], kept: Lead | None, detected: Lead | None
) -> float:
    """Return the cost of ``kept``'s being the first lead, where ``detected`` was seen as such; None for none."""
    said = step.context.pins.first_leads.get((state.deal, len(state.tricks) + 1))
    if said is not None:
        first = kept.seat if kept is not None else step.game.expected(state).default_seat
        return 0.0 if first == said else COSTS.contradicts_people
    if step.unobserved and detected is None:
        # When unobserved cards came tells nothing, but how they lie does.
        return COSTS.undetected_first if kept is not None else COSTS.undetected_none_first
    # The order of the least certain card counts, and no order is quite certain.
    doubts = [1 - lead.fact.order_sure for lead in leads if lead.fact.order_sure is not None]
    doubt = min(0.5, max([exp(-COSTS.wrong_lead_order), *doubts]))
    return -log(1 - doubt) if kept is detected else -log(doubt)


def _apply_ruling(
    step: Step, hypothesis: Hypothesis, leads: Sequence[Lead], kept: Lead | None, reason: Phrase
) -> Hypothesis | None:
    """Return the hypothesis after a ruling on tied leads; None where the rules refuse it."""
    back = [lead for lead in leads if lead is not kept]
    names = tuple(lead.seat for lead in back)
    code = "tied_kept" if kept is not None else "tied_back"
    seat = kept.seat if kept is not None else step.game.expected(hypothesis.state).default_seat
    notice = step.notice("ruling", code, *(lead.seat for lead in leads), seat=seat, why=reason, back=names)
    event = LeadsTied(kept.play if kept else None, tuple(lead.play for lead in back))
    after = step.apply(hypothesis, event, notices=[notice])
    if isinstance(after, Refusal):
        return None
    for lead in back:
        after = after.add_card(lead.laid._replace(role="back", claim="tied"))
    return _play_lead(step, after, kept, alone=False) if kept is not None else after


# --- the rule -------------------------------------------------------------------------------------------------------


def judge_leads(landings: Sequence[CardLanded], *, mark: bool) -> tuple[CardLanded | None, Phrase]:
    """Rule on two or more leads inside one tie window, given in the order of landing.

    Return the card that stays, if any, and the reason. In one pile the card underneath was first and stays; where cards
    lie apart, the first stays if its landing can be told from the next one's; where neither holds, all go back. Without
    the mark (``mark`` false) all go back always. Source: Whysteria's rules, with RULES.md's readings for three cards.
    """
    if not mark:
        return None, make_phrase("tie.no_mark")
    piles = _piles(landings)
    if len(piles) == 1:
        tied = {landed.id for landed in landings}
        # Cards left on the mark from before lie under all leads and were none.
        beneath = [landed for landed in landings if not tied & set(landed.upon)]
        if len(beneath) == 1:
            return beneath[0], make_phrase("tie.underneath")
        landings = beneath or landings
    elif len(piles) != len(landings):
        return None, make_phrase("tie.some_apart")
    first, second = landings[:2]
    if second.t_ns - first.t_ns >= MIN_LEAD_GAP_NS:
        return first, make_phrase("tie.earlier", apart_ns=second.t_ns - first.t_ns)
    return None, make_phrase("tie.same_moment")


def _piles(landings: Sequence[CardLanded]) -> list[set[int]]:
    """Return the piles of cards, as sets of ids connected by overlapping."""
    ids = {landed.id for landed in landings}
    piles: list[set[int]] = []
    for landed in landings:
        touching = ({landed.id} | set(landed.upon) | set(landed.overlaps)) & ids
        joined = [pile for pile in piles if pile & touching]
        piles = [pile for pile in piles if not pile & touching]
        piles.append(touching.union(*joined))
    return piles
