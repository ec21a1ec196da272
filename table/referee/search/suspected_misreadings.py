"""The cards that may have been misread: those whose confident readings make the latest observation surprising.

A proved revoke is no such surprise: people revoke more often than a confident reading is wrong. Two revokes in one
trick are. The search assumes misreadings only of these cards, which keeps the table from asking idle questions.
"""

from __future__ import annotations

from collections.abc import Iterator

from table.cards import PlayedCard, UnseenCard, card
from table.events.game_events import Played, TrickTaken
from table.games.engine.game_state import Phase
from table.observed_facts import CardLanded
from table.referee.model.hypothesis import Hypothesis, StoryEntry
from table.referee.model.hypothesis_differences import entries_of_deal
from table.referee.model.observations import CardsLanded, Observation
from table.referee.model.search_context import SearchContext

MIN_NAME_CONFIDENCE = 0.5
"""The confidence from which on a reading is taken as a card's name."""


def find_misread_candidates(best: Hypothesis, observation: Observation, context: SearchContext) -> list[int]:
    """Return the ids of the cards each of which, if misread, would alone explain a surprising observation."""
    found: list[int] = []
    if isinstance(observation, CardsLanded):
        for fact in observation.cards:
            known = _certain_card(fact, context)
            if known is not None:
                found += _earlier_holders(best, known, fact.id, context)
    for entry in best.entries():
        if entry.observation_number != observation.number:
            break
        found += _suspects_of_taker(best, entry)
        found += _suspects_of_revokes(best, entry)
    return list(dict.fromkeys(found))


def assumed_misread(best: Hypothesis) -> list[int]:
    """Return the ids of the detected cards that the hypothesis assumes to be misread."""
    return [
        entry.card_id
        for entry in _plays(best)
        if entry.card_id is not None
        and isinstance(entry.cause, Played)
        and isinstance(entry.cause.card, UnseenCard)
    ]


def _certain_card(fact: CardLanded, context: SearchContext) -> PlayedCard | None:
    """Return what a card certainly is: as people have said, else as it was read."""
    said = context.pins.cards.get(fact.id)
    if said is not None or not fact.readings or fact.readings[0].confidence < MIN_NAME_CONFIDENCE:
        return said
    return card(fact.readings[0].card)


def _earlier_holders(
    best: Hypothesis, found: PlayedCard, number: int, context: SearchContext
) -> Iterator[int]:
    """Yield the id of the earlier card, where a card single in the pack is detected a second time."""
    # Once a hand is over the cards are shuffled, and each may be played again.
    if context.game.pack().count(found) > 1 or best.state.phase is Phase.DEAL:
        return
    for seat_entry in _plays(best):
        played = seat_entry.cause
        if isinstance(played, Played) and played.card == found and seat_entry.card_id not in (None, number):
            assert seat_entry.card_id is not None
            yield seat_entry.card_id


def _suspects_of_taker(best: Hypothesis, entry: StoryEntry) -> Iterator[int]:
    """Yield the cards to doubt where another player than the winner takes a trick: the two players' cards and the
    lead.
    """
    taken = entry.cause
    trick = entry.state_before.trick
    if not isinstance(taken, TrickTaken) or taken.seat == trick.winner:
        return
    about = {taken.seat, trick.winner, trick.lead.seat if trick.lead else None}
    for other in _plays(best):
        same = len(other.state_before.tricks) == len(entry.state_before.tricks)
        if same and getattr(other.cause, "seat", None) in about and other.card_id is not None:
            yield other.card_id


def _suspects_of_revokes(best: Hypothesis, entry: StoryEntry) -> Iterator[int]:
    """Yield the lead of a trick in which two or more players are now proved to have revoked: it may be misread."""
    proved = {said.fields["trick"] for said in entry.announcements if said.event == "revoke"}
    tricks = [trick for _, _, trick in best.proved_revokes if trick in proved]
    for other in _plays(best):
        leads = isinstance(other.cause, Played) and not other.state_before.trick.plays
        if leads and other.card_id is not None and tricks.count(len(other.state_before.tricks) + 1) > 1:
            yield other.card_id


def _plays(best: Hypothesis) -> Iterator[StoryEntry]:
    """Return the cards played since the last deal, the latest first; while a hand is to be dealt, those of the deal
    before.
    """
    deal = best.state.deal - (best.state.phase is Phase.DEAL)
    return (entry for entry in entries_of_deal(best, deal) if isinstance(entry.cause, Played))
