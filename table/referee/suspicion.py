"""Which cards to doubt: those whose sure readings make what was just observed surprising.

A revoke that is proved is no such surprise: people revoke more often than a sure reading is wrong. That two players
did so in one trick is.
"""

from __future__ import annotations

from collections.abc import Iterator

from table.cards import Card, card
from table.events.happenings import Played, TrickTaken
from table.facts import CardLanded
from table.games.base import Phase
from table.referee.explanation import Entry, Explanation
from table.referee.observations import Landed, Observation
from table.referee.setting import Setting

SURE = 0.5
"""A reading from here on is told by its name."""


def suspects(best: Explanation, observation: Observation, setting: Setting) -> list[int]:
    """The numbers of the cards that may be others than was read, each of which alone would make sense of it."""
    found: list[int] = []
    if isinstance(observation, Landed):
        for fact in observation.cards:
            known = _known(fact, setting)
            if known is not None:
                found += _holders(best, known, fact.id, setting)
    for entry in best.entries():
        if entry.item != observation.number:
            break
        found += _of_takers(best, entry)
        found += _of_revokes(best, entry)
    return list(dict.fromkeys(found))


def disbelieved(best: Explanation) -> list[int]:
    """The numbers of the cards that were seen and are believed to be others than was read."""
    return [
        entry.piece
        for entry in _plays(best)
        if entry.piece is not None and isinstance(entry.cause, Played) and entry.cause.card.is_unseen
    ]


def _known(fact: CardLanded, setting: Setting) -> Card | None:
    """What a card is for sure: as people have said, else as it was read."""
    said = setting.pins.cards.get(fact.id)
    if said is not None or not fact.readings or fact.readings[0].confidence < SURE:
        return said
    return card(fact.readings[0].card)


def _holders(best: Explanation, found: Card, number: int, setting: Setting) -> Iterator[int]:
    """Who has played the card that is seen a second time."""
    # Once a hand is over the cards are shuffled.
    if setting.game.pack().count(found) > 1 or best.state.phase is Phase.DEAL:
        return
    for seat_entry in _plays(best):
        played = seat_entry.cause
        if isinstance(played, Played) and played.card == found and seat_entry.piece not in (None, number):
            assert seat_entry.piece is not None
            yield seat_entry.piece


def _of_takers(best: Explanation, entry: Entry) -> Iterator[int]:
    """A trick that another player than its winner takes: what the two played, and what was led."""
    taken = entry.cause
    trick = entry.before.trick
    if not isinstance(taken, TrickTaken) or taken.seat == trick.winner:
        return
    about = {taken.seat, trick.winner, trick.lead.seat if trick.lead else None}
    for other in _plays(best):
        same = len(other.before.tricks) == len(entry.before.tricks)
        if same and getattr(other.cause, "seat", None) in about and other.piece is not None:
            yield other.piece


def _of_revokes(best: Explanation, entry: Entry) -> Iterator[int]:
    """A lead that several players did not follow who could have, once that is proved of one more of them."""
    proved = {said.fields["trick"] for said in entry.said if said.event == "revoke"}
    tricks = [trick for _, _, trick in best.revokes if trick in proved]
    for other in _plays(best):
        leads = isinstance(other.cause, Played) and not other.before.trick.plays
        if leads and other.piece is not None and tricks.count(len(other.before.tricks) + 1) > 1:
            yield other.piece


def _plays(best: Explanation) -> Iterator[Entry]:
    """The cards played since the last deal, the latest first; before another one those of the deal before."""
    deal = best.state.deal - (best.state.phase is Phase.DEAL)
    for entry in best.entries():
        if entry.before.deal < deal:
            break
        if isinstance(entry.cause, Played):
            yield entry
