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
from typing import Any, Final

from table.events.event_registry import QUESTION_EVENTS
from table.events.event_spec import Announcement, LineFields, without_header
from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import State, Step
from table.games.game import Game
from table.observed_facts import Call, CardLanded, Fact
from table.phrase import Phrase, make_phrase
from table.referee.beam_search import BeamSearch
from table.referee.model.hypothesis import Hypothesis, StoryEntry
from table.referee.model.observations import CardsLeft, JournalEvent, Observation, PickUpOver
from table.referee.records.journal import JournalLine, effective_lines
from table.referee.records.journal_of_hypothesis import JournalSync, Story, readable_fields
from table.referee.records.state_shared_by_judges import SharedState
from table.referee.records.stored_facts import ResumeFacts, scan_facts

MAX_SEARCH_S: Final = 5.0
"""The most processor time, in seconds, for searching the stored facts. The longest hands of the tests take 0.1 to 0.3;
800 forged calls took 44. It limits resuming alone: no ruling depends on it."""


def resume_game(shared: SharedState, story: Story) -> None:
    """Restore the shared state to where the journal's lines leave the game; ``story``: what they tell.

    If the facts stored beside the journal were of use, the queue then holds what had been detected and not been judged
    yet. ``SearchTimeoutError`` where only forged facts take so long to search.
    """
    path, journal = shared.fact_log.path, shared.journal
    beside, damaged = scan_facts(path) if path is not None else ([], False)
    if damaged:
        shared.fact_log.set_aside()
        shared.notify(shared.now_ns, "trouble", "facts_damaged")
    shared.journal_sync = JournalSync(shared.game, journal, story)
    shared.journal_sync.write_missing(story.missing, shared.now_ns)
    until_s = time.thread_time() + MAX_SEARCH_S
    for facts in beside:
        search = _search_facts(shared, facts, story, until_s)
        if search is not None:
            shared.take_over(search, facts.last_observation, facts.highest_card_id)
            shared.fact_queue.put(facts.pending_facts)
            shared.sync_journal()
            return
    hand = story.hypothesis.state.hand
    before, settled = (story.before_hand(number).hypothesis for number in (hand - 1, hand))
    log = _journal_events(shared.game, story.hypothesis.entries_beyond(before))
    at = settled.entry_count - before.entry_count
    search = BeamSearch(shared.search.context, before, log, hand=settled if at else None, at=at)
    shared.take_over(search, len(search.log), 0)
    shared.sync_journal()


# --- from the stored facts ------------------------------------------------------------------------------------------


def _search_facts(shared: SharedState, facts: ResumeFacts, story: Story, until_s: float) -> BeamSearch | None:
    """Search stored facts once more; return the search if that leads to what the journal says, else None.

    The search begins after the last hand that is scored or, where that does not lead there, with the first fact.
    ``until_s``: the processor time of this thread at which that search is stopped, and what follows while resuming.
    """
    start, lines = facts.hand_start, shared.journal.lines
    before = story.cut_after(start.after_line) if start.matches(lines) else None
    if before is None:
        return None
    root = evolve(before.hypothesis, table_cards=start.table_cards, departing_trick=start.departing_trick)
    landed = {fact.id: fact for fact in start.landed}
    known = replace(shared.search.context, landed=landed, pins=facts.pins, history=facts.history)
    settled = story.before_hand(story.hypothesis.state.hand)
    at = _place_after(settled, facts.log) if len(settled.numbers) > len(before.numbers) else 0
    if at:
        search = BeamSearch(known, root, facts.log, hand=settled.hypothesis, at=at, until_s=until_s)
        if _agrees(search, settled.hypothesis, lines, settled.numbers[-1][-1]):
            return search
    search = BeamSearch(known, root, facts.log, until_s=until_s)
    return search if _agrees(search, before.hypothesis, lines, start.after_line) else None


def _place_after(settled: Story, log: Sequence[Observation]) -> int:
    """Return the place in the log after the last trick of a scored hand was picked up; 0 unless the mark was empty."""
    entry = settled.hypothesis.last_entry
    if entry is None or settled.missing:
        return 0
    picked_up = sum(1 for _ in takewhile(lambda observation: observation.t_ns < entry.t_ns, log))
    leaving = [
        *takewhile(lambda observation: isinstance(observation, CardsLeft | PickUpOver), log[picked_up:])
    ]
    gone = (
        fact for observation in leaving if isinstance(observation, CardsLeft) for fact in observation.cards
    )
    return picked_up + len(leaving) if any(fact.mark_empty for fact in gone) else 0


def _agrees(search: BeamSearch, root: Hypothesis, lines: Iterable[JournalLine], after_line: int) -> bool:
    """Return whether a hypothesis that was in force says what the lines of a journal say that follow ``root``.

    It may say more than they do, as where the power went while more were being written. ``after_line``: the number of
    the last line before.
    """
    since = [line for line in effective_lines(lines) if line["seq"] > after_line]
    wanted = [
        readable_fields(line["event"], without_header(line))
        for line in since
        if line["event"] not in QUESTION_EVENTS
    ]
    return any(_says(best, root, wanted) for best in reversed(search.bests))


def _says(hypothesis: Hypothesis, root: Hypothesis, wanted: Sequence[Any]) -> bool:
    """Return whether the first lines of a hypothesis after ``root`` tell people what is ``wanted``."""
    said = [line for entry in hypothesis.entries_beyond(root) for line in entry.announcements]
    pairs = zip(said, wanted, strict=False)
    return len(said) >= len(wanted) and all(
        readable_fields(line.event, line.fields) == want for line, want in pairs
    )


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


# --- from the journal alone -----------------------------------------------------------------------------------------


def _journal_events(game: Game, entries: Sequence[StoryEntry]) -> list[JournalEvent]:
    """Return what the journal tells in these entries of its story, in the place of lost facts."""
    return [
        JournalEvent(number, entry.t_ns, entry.cause, _added_fields(game, entry))
        for number, entry in enumerate(entries, start=1)
        if entry.cause is not None
    ]


def _added_fields(game: Game, entry: StoryEntry) -> LineFields:
    """Return the fields of an event's own line that the rules do not give it."""
    if entry.cause is None or isinstance(entry.cause, Announcement):
        return {}
    step = game.apply(entry.state_before, entry.cause)
    own = step.announcements[0].fields if isinstance(step, Step) else {}
    return {name: value for name, value in entry.announcements[0].fields.items() if name not in own}


def make_progress_phrase(state: State) -> Phrase:
    """Return a phrase that says how far a game has come."""
    done, laid = len(state.tricks), len(state.trick.plays)
    if not done and not laid:
        return make_phrase("place.bids" if state.bids else "place.hand", hand=state.hand)
    code = "place.cards" if laid else "place.trick"
    return make_phrase(code, hand=state.hand, trick=done + 1, cards=state.cards, laid=laid)
