"""Resuming a game after a power cut: the facts of the hand in play and the one before are searched once more.

Where one of the hypotheses says what the journal says, the table goes on as if nothing had been: what was missed may
still be found out, and what people have said holds. Where the stored facts are missing or of something else, the
journal's own events take their place: then the game stands where its lines leave it.

What a scored hand came to stands in the journal. Its facts are searched only when people may correct it.

The camera starts anew and reports every card that lies there as one that has just landed. Those that were known are
out of sight until then: cards of the trick, the turned-up card, cards to be taken back.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import State
from table.observed_facts import Call, CardLanded, Fact
from table.phrase import Phrase, make_phrase
from table.referee.beam_search import BeamSearch
from table.referee.model.hypothesis import Hypothesis
from table.referee.model.observations import CardsLeft, JournalEvent, Observation, PickUpOver
from table.referee.records.journal_of_hypothesis import tells_same
from table.referee.records.state_shared_by_judges import SharedState
from table.referee.records.stored_facts import ResumeFacts, StoredGame

MAX_SEARCH_S: Final = 5.0
"""The most processor time, in seconds, for searching the stored facts. The longest hands of the tests take 0.1 to 0.3;
800 forged calls took 44. It limits resuming alone: no ruling depends on it."""


def resume_game(shared: SharedState, stored: StoredGame) -> None:
    """Restore the shared state to where the journal's lines, which have been read back, leave the game.

    If the facts stored beside the journal were of use, the queue then holds what had been detected and not been judged
    yet. ``SearchTimeoutError`` where only forged facts take so long to search.
    """
    if stored.are_facts_damaged:
        shared.fact_log.set_aside()
        shared.notify(shared.now_ns, "trouble", "facts_damaged")
    shared.journal_sync.write_missing(shared.now_ns)
    until_s = time.thread_time() + MAX_SEARCH_S
    for facts in stored.facts:
        search = _search_facts(shared, facts, until_s)
        if search is not None:
            shared.take_over(search, facts.last_observation, facts.highest_card_id)
            shared.fact_queue.put(facts.pending_facts)
            shared.sync_journal()
            return
    search = _search_journal(shared)
    shared.take_over(search, len(search.log), 0)
    shared.sync_journal()


def _search_facts(shared: SharedState, facts: ResumeFacts, until_s: float) -> BeamSearch | None:
    """Search stored facts once more; return the search if what was in force says what the journal says, else None.

    It may say more, as where the power went while more was being written. The search begins after the last hand that
    is scored or, where that does not lead there, with the first fact. ``until_s``: the processor time of this thread at
    which that search is stopped, and what follows while resuming.
    """
    start, told = facts.hand_start, shared.hypothesis
    before = shared.journal_sync.hypothesis_after(start.after_line)
    if before is None or not start.matches(shared.journal.lines):
        return None
    root = evolve(before, table_cards=start.table_cards, departing_trick=start.departing_trick)
    landed = {fact.id: fact for fact in start.landed}
    known = replace(shared.search.context, landed=landed, pins=facts.pins, history=facts.history)
    settled = _before_hand(told.state.hand, told)
    at = _place_after(settled, facts.log) if settled.entry_count > before.entry_count else 0
    if at:
        search = BeamSearch(known, root, facts.log, hand=settled, at=at, until_s=until_s)
        if any(tells_same(best, told, settled) for best in reversed(search.bests)):
            return search
    search = BeamSearch(known, root, facts.log, until_s=until_s)
    return search if any(tells_same(best, told, before) for best in reversed(search.bests)) else None


def _place_after(settled: Hypothesis, log: Sequence[Observation]) -> int:
    """Return the place in the log after the last trick of a scored hand was picked up; 0 unless the mark was empty."""
    entry = settled.last_entry
    assert entry is not None
    picked_up = sum(1 for _ in takewhile(lambda observation: observation.t_ns < entry.t_ns, log))
    leaving = [
        *takewhile(lambda observation: isinstance(observation, CardsLeft | PickUpOver), log[picked_up:])
    ]
    gone = (
        fact for observation in leaving if isinstance(observation, CardsLeft) for fact in observation.cards
    )
    return picked_up + len(leaving) if any(fact.mark_empty for fact in gone) else 0


def _search_journal(shared: SharedState) -> BeamSearch:
    """Search what the journal tells of the hand in play and the one before, in the place of lost facts."""
    root = _before_hand(shared.state.hand - 1, shared.hypothesis)
    log = [
        JournalEvent(number, entry.t_ns, entry.cause, entry.announcements[0].fields)
        for number, entry in enumerate(shared.hypothesis.entries_beyond(root), start=1)
        if entry.cause is not None
    ]
    return BeamSearch(shared.search.context, root, log)


def _before_hand(hand: int, told: Hypothesis) -> Hypothesis:
    """Return the hypothesis that the journal told when a hand began."""
    since = [*takewhile(lambda entry: entry.state_before.hand >= hand, told.entries())]
    return told.rewind_before(since[-1]) if since else told


def renumber_cards(facts: Iterable[Fact], above: int) -> list[Fact]:
    """Return a restarted camera's facts, numbered from 1, with ids above ``above``, which no card had before."""
    return [_renumbered(fact, above) for fact in facts]


def _renumbered(fact: Fact, above: int) -> Fact:
    if isinstance(fact, Call) or not above:
        return fact
    if isinstance(fact, CardLanded):
        upon = tuple(number + above for number in fact.upon)
        return replace(
            fact, id=fact.id + above, upon=upon, overlaps=tuple(number + above for number in fact.overlaps)
        )
    return replace(fact, id=fact.id + above)


def make_progress_phrase(state: State) -> Phrase:
    """Return a phrase that says how far a game has come."""
    done, laid = len(state.tricks), len(state.trick.plays)
    if not done and not laid:
        return make_phrase("place.bids" if state.bids else "place.hand", hand=state.hand)
    code = "place.cards" if laid else "place.trick"
    return make_phrase(code, hand=state.hand, trick=done + 1, cards=state.cards, laid=laid)
