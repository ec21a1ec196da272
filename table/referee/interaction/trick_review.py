"""The tricks of scored hands, to be looked at again: who led, who won, what was ruled, card by card.

They are read from the story that the journal tells, so a corrected hand is shown as it stands now. A hand without a
score is in play, or may be once more: nothing of it is offered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from table.events.event_registry import RULINGS, event_line, line_sentence
from table.events.event_spec import LineFields
from table.events.game_events import LeadsTied, TrickTaken
from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import HandResult, Phase, Revoke
from table.phrase import make_phrase
from table.referee.interaction.option_levels import Choice, Level, PanelContext, level_choice
from table.referee.model.hypothesis import StoryEntry
from table.referee.model.view import TrickReview, make_cards_to_take_back
from table.referee.records.state_shared_by_judges import SharedState

_PLAYING = (Phase.LEAD, Phase.NAME_SUIT, Phase.FOLLOW, Phase.PICK_UP)
_MOMENTS = frozenset(("card_played", "card_taken_back", "joker_named", "leads_tied", "out_of_turn"))
"""The events that change the picture of a trick, or name a card of it."""


def review_choices(context: PanelContext) -> Iterator[Choice]:
    """Yield the option to look at a trick of a scored hand again, once there is one."""
    if context.shared.state.results:
        text = make_phrase("panel.review")
        yield Choice(text, open_level=partial(_make_hands_level, context))


def _make_hands_level(context: PanelContext) -> Level:
    """Return the level of the scored hands that have tricks, the latest first."""
    choices: list[Choice] = []
    shared, hypothesis = context.shared, context.shared.searched_hypothesis()
    for result in reversed(shared.state.results):
        entries = [*hypothesis.entries_of_deal(hypothesis.last_deal(result.hand))][::-1]
        totals = _totals_before(shared.state.results, result)
        line = make_phrase("panel.hand", hand=result.hand, points=dict(result.points))
        tricks = (_trick_choice(shared, entries, taken, totals) for taken in _pick_ups(entries))
        choices += level_choice(line, "panel.which_trick", tricks)
    return Level(make_phrase("panel.which_hand"), tuple(choices))


def _pick_ups(entries: Sequence[StoryEntry]) -> list[StoryEntry]:
    return [entry for entry in entries if isinstance(entry.cause, TrickTaken)]


def _totals_before(results: Sequence[HandResult], result: HandResult) -> Mapping[str, int] | None:
    """Return the totals before a hand, as they stand after all corrections; None for the first scored hand."""
    at = results.index(result)
    return results[at - 1].totals if at else None


def _trick_choice(
    shared: SharedState, entries: list[StoryEntry], taken: StoryEntry, totals: Mapping[str, int] | None
) -> Choice:
    state = taken.state_before
    number = len(state.tricks) + 1
    line = make_phrase("panel.trick", trick=number, leader=state.trick.leader, winner=state.trick.winner)

    def open_level() -> Level:
        reviews = tuple(_make_reviews(shared, entries, taken, totals))
        steps = range(1, len(reviews) + 1)
        lines = tuple(Choice(make_phrase("menu.at", at=step, lines=len(reviews))) for step in steps)
        return Level(line, lines, reviews=reviews)

    return Choice(line, open_level=open_level)


def _make_reviews(
    shared: SharedState, entries: list[StoryEntry], taken: StoryEntry, totals: Mapping[str, int] | None
) -> Iterator[TrickReview]:
    """Yield the finished trick, once for each ruling about it, then each of its moments."""
    number = len(taken.state_before.tricks) + 1

    def review(until: int, said: LineFields | None, picture: bytes | None = None) -> TrickReview:
        """Return the trick as it lay before the entry at ``until``."""
        state = entries[until].state_before
        lines = [event_line(line) for entry in entries[:until] for line in entry.announcements]
        cards = make_cards_to_take_back(lines)
        shown = state if totals is None else evolve(state, totals=totals)
        sentence = line_sentence(said) if said else None
        return TrickReview(shown, cards, sentence, picture)

    at = entries.index(taken)
    steps = [step for step in range(at) if _is_moment(entries[step], number)]
    told = {step: [event_line(line) for line in entries[step].announcements] for step in steps}
    ruled = {step: [line for line in lines if line["event"] in RULINGS] for step, lines in told.items()}
    proved = _pick_ups(entries)[-1].state_before.revokes
    rulings: list[LineFields | None] = [
        *(line for lines in ruled.values() for line in lines if line["event"] != "revoke"),
        *(_revoke_line(revoke) for revoke in proved if number in (revoke.trick, revoke.proved_in)),
    ]
    yield from [review(at, line) for line in rulings or [None]]
    for step in steps:
        cause = entries[step].cause
        # Of tied leads the one that stays lies there already, though it is played right after.
        after = step + 2 if isinstance(cause, LeadsTied) and cause.kept is not None else step + 1
        picture = None
        if isinstance(cause, LeadsTied):
            picture = shared.picture_of(shared.journal_sync.line_numbers(entries[step])[0])
        yield from [review(after, line, picture) for line in ruled[step] or told[step][:1]]


def _is_moment(entry: StoryEntry, number: int) -> bool:
    """Return whether an entry belongs to the trick of this number, and changes or names what lies there."""
    before = entry.state_before
    is_of_trick = before.phase in _PLAYING and len(before.tricks) == number - 1
    return is_of_trick and any(line.event in _MOMENTS for line in entry.announcements)


def _revoke_line(revoke: Revoke) -> LineFields:
    cards = {"card": str(revoke.card), "trick": revoke.trick, "proved_by": str(revoke.proved_by)}
    return {"event": "revoke", "seat": revoke.seat, **cards}
