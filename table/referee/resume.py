"""Resuming a game after a power cut: from the stored facts with all hypotheses, or else from the journal alone.

The facts stored beside the journal are searched once more. Where one of the hypotheses says what the journal says,
the table goes on as if nothing had been: what was missed may still be found out, and what people have said holds.
Where the facts are missing or of something else, the game stands where the journal's lines leave it.

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

from table.cards import card
from table.events.event_registry import QUESTION_EVENTS
from table.events.event_spec import without_header
from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import State
from table.observed_facts import Call, CardLanded, Fact
from table.phrase import Phrase, make_phrase
from table.referee.model.hypothesis import Hypothesis, TableCard
from table.referee.model.observations import CardsLeft, Observation, PickUpOver
from table.referee.records.journal import JournalLine, effective_lines
from table.referee.records.journal_of_hypothesis import JournalSync, Story, readable_fields
from table.referee.records.state_shared_by_judges import SharedState
from table.referee.records.stored_facts import ResumeFacts, scan_facts
from table.referee.search.beam_search import BeamSearch

MAX_SEARCH_S: Final = 5.0
"""The most processor time, in seconds, for searching the stored facts. The longest hands of the tests take 0.1 to 0.3;
800 forged calls took 44. It limits resuming alone: no ruling depends on it."""


def resume_game(shared: SharedState, story: Story) -> ResumeFacts | None:
    """Restore the shared state to where the journal's lines leave the game; ``story``: what they tell.

    Returns the facts stored beside the journal, if they were of use: then the inbox holds what had been detected and
    not been judged yet. ``SearchTimeoutError`` where only forged facts take so long to search.
    """
    path, journal = shared.fact_log.path, shared.journal
    beside, damaged = scan_facts(path) if path is not None else ([], False)
    if damaged:
        shared.fact_log.set_aside()
        shared.notify(shared.now_ns, "trouble", "facts_damaged")
    shared.journal_sync = JournalSync(shared.game, journal, story)
    shared.journal_sync.write_missing(story.missing, shared.now_ns)
    until_s = time.thread_time() + MAX_SEARCH_S
    for kept in beside:
        if _resume_from_facts(shared, kept, story, until_s):
            return kept
    pieces = restore_table_cards(shared.state, journal.lines)
    shared.search.start_from(evolve(story.hypothesis, table_cards=pieces))
    shared.sync_journal()
    return None


# --- from the stored facts ------------------------------------------------------------------------------------------


def _resume_from_facts(shared: SharedState, kept: ResumeFacts, story: Story, until_s: float) -> bool:
    """Search the stored facts once more; return whether that leads to what the journal says.

    The search begins after the last hand that is scored or, where that does not lead there, with the first fact.
    ``until_s``: the processor time of this thread at which that search is stopped, and what follows while resuming.
    """
    start = kept.hand_start
    before = story.cut_after(start.after_line) if start.matches(shared.journal.lines) else None
    if before is None:
        return False
    root = evolve(before.hypothesis, table_cards=start.table_cards, departing_trick=start.departing_trick)
    search = BeamSearch(replace(shared.search.context, landed=kept.landed, pins=kept.pins), root)
    search.until_s = until_s
    settled = story.settled()
    at = _place_after(settled, kept.log) if len(settled.numbers) > len(before.numbers) else 0
    if at:
        search.start_from(root, kept.log, settled.hypothesis, at)
        if _go_on(shared, kept, search, settled, settled.numbers[-1][-1]):
            return True
    search.start_from(root, kept.log)
    return _go_on(shared, kept, search, before, start.after_line)


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


def _go_on(
    shared: SharedState, kept: ResumeFacts, search: BeamSearch, before: Story, after_line: int
) -> bool:
    """Go on with a search where one of its hypotheses says what the journal says; else return False.

    ``before``: what the journal tells up to line ``after_line``, from which the search started.
    """
    later = (line for line in effective_lines(shared.journal.lines) if line["seq"] > after_line)
    since = [line for line in later if line["event"] not in QUESTION_EVENTS]
    if not _agrees(search, before.hypothesis, since):
        return False
    shared.take_over(search, kept.last_observation, kept.highest_card_id)
    shared.fact_queue.put(kept.pending_facts)
    shared.fact_log.undo_records = kept.undo_records
    shared.sync_journal()
    return True


def _agrees(search: BeamSearch, root: Hypothesis, lines: Sequence[JournalLine]) -> bool:
    """Return whether a hypothesis agrees with these lines, which follow ``root``.

    It may also extend them, as where the power went while more were being written.
    """
    wanted = [readable_fields(line["event"], without_header(line)) for line in lines]
    counts: dict[int, int | None] = {id(root.last_entry): 0}
    """The number of lines up to each entry; None from where one differs from the journal's."""

    def count_lines(hypothesis: Hypothesis) -> int | None:
        fresh = [*takewhile(lambda entry: id(entry) not in counts, hypothesis.entries())]
        count = counts.get(id(fresh[-1].previous if fresh else hypothesis.last_entry))
        for entry in reversed(fresh):
            says = [readable_fields(said.event, said.fields) for said in entry.announcements]
            here = wanted[count : count + len(says)] if count is not None else None
            count = count + len(says) if count is not None and says[: len(here or ())] == here else None
            counts[id(entry)] = count
        return count

    beams = search.beams[search.commit_point :] if search.lacks_closed_hand else search.beams
    return any(
        (count_lines(hypothesis) or 0) >= len(lines) for beam in reversed(beams) for hypothesis in beam
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


def restore_table_cards(state: State, lines: Iterable[JournalLine]) -> tuple[TableCard, ...]:
    """Return the cards that may lie on the mark, by the game's state and the journal."""
    return (*cards_of_state(state), *_cards_to_take_back(effective_lines(lines)))


def cards_of_state(state: State) -> list[TableCard]:
    """Return the cards of the trick in play, or the one that was turned up for trumps, none of them in sight."""
    cards = [TableCard(None, play.card, play.seat, "played") for play in state.trick.plays]
    if state.turned is not None and not state.tricks and not cards:
        return [TableCard(None, state.turned, None, "turned up")]
    return cards


def _cards_to_take_back(lines: Iterable[JournalLine]) -> list[TableCard]:
    """Return the cards of this hand that a player has still to take back."""
    backs: dict[tuple[str | None, str], TableCard] = {}
    in_play = False
    for line in lines:
        event = line["event"]
        in_play = _expects_cards(line, before=in_play)
        if event in ("hand_started", "thrown_in"):
            backs = {}
        elif event == "leads_tied":
            for back in line["taken_back"]:
                seat, name = back["seat"], back["card"]
                backs[seat, name] = TableCard(None, card(name), seat, "back", "tied")
        elif event == "out_of_turn" and line["card"] != "?":
            seat, name = line["seat"], line["card"]
            backs[seat, name] = TableCard(None, card(name), seat, "back", "turn" if in_play else "no")
        elif event == "card_played" or (event == "card_taken_back" and not line.get("played")):
            backs.pop((line["seat"], line["card"]), None)
    return list(backs.values())


def _expects_cards(line: JournalLine, *, before: bool) -> bool:
    """Return whether cards are to be laid after a line, so that one laid out of turn may yet count."""
    match line["event"]:
        case "dealt" | "trick_taken":
            return True
        case "hand_started" | "thrown_in" | "trick_won":
            return False
        case "card_taken_back":
            return before or bool(line.get("played"))
    return before


def make_progress_phrase(state: State) -> Phrase:
    """Return a phrase that says how far a game has come."""
    done, laid = len(state.tricks), len(state.trick.plays)
    if not done and not laid:
        return make_phrase("place.bids" if state.bids else "place.hand", hand=state.hand)
    code = "place.cards" if laid else "place.trick"
    return make_phrase(code, hand=state.hand, trick=done + 1, cards=state.cards, laid=laid)
