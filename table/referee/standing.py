"""What the screen is told now: what was said of the game, until what it is about is over.

Each sentence has a scope. Its moment there, where the game stood as far as the sentence is concerned, is worked out
for when it was said and for now; while the two are equal, it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from table.events.kind import Said
from table.games.base import Phase, State
from table.games.game import Game
from table.phrase import Phrase
from table.referee.explanation import Entry, Explanation
from table.referee.notices import Notice, notice

Scope = Literal["turn", "play", "bidding", "trick", "hand", "game", "card", "news"]
"""``turn``: until what is waited for has come; ``play``: until whom it is about has played to the trick, or that is
over; ``bidding``, ``trick``, ``hand``, ``game``: until that is over; ``card``: while the card lies that it is about;
``news``: it stays true, and is old after a while."""

SCOPES: Mapping[str, Scope] = {
    "unread": "card",
    "taken_for": "trick",
    "arm_disagrees": "trick",
    "turn_another": "card",
    "take_back": "card",
    "took_back": "play",
    "took_anothers_trick": "trick",
    "not_read": "hand",
    "not_heard": "hand",
    "not_seen": "hand",
    "tied_kept": "trick",
    "tied_back": "trick",
    "tied_kept_done": "trick",
    "tied_back_done": "trick",
    "revoke": "hand",
    "out": "game",
    "gesture_unknown": "turn",
    "too_soon": "turn",
    "refused": "turn",
    "bids_tied": "turn",
    "close_call": "bidding",
    "level": "bidding",
    "after_the_pump": "turn",
    "bid_again": "turn",
    "not_your_dial": "turn",
    "asked_card": "trick",
    "asked_bid": "bidding",
    "asked_call": "bidding",
    "asked_suit": "trick",
    "asked_owner": "trick",
    "asked_order": "trick",
    "answered": "news",
    "resumed": "game",
    "facts_damaged": "news",
    "undone": "news",
    "redone": "news",
    "corrected": "news",
    "unsaid": "news",
    "cant_be": "news",
    "said_so": "news",
    "changed_mind": "news",
    "found_out": "news",
    "found_none": "news",
}
"""What each sentence is about, by its code."""

Position: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """A sentence, and where the game stood, within its scope, when it was said."""

    notice: Notice
    position: Position


def hear(sentence: Notice, game: Game, state: State) -> Heard:
    """A sentence that is said while the game stands so."""
    return Heard(sentence, position(sentence, game, state))


def position(sentence: Notice, game: Game, state: State) -> Position:
    """Where the game stands, as far as a sentence is concerned."""
    scope = SCOPES.get(sentence.code, "news")
    over = state.phase is Phase.OVER
    if scope == "turn":
        return _turn(sentence.seats, game, state)
    if scope == "play":
        played = sum(play.seat in sentence.seats for play in state.trick.plays)
        return (over, state.hand, len(state.tricks), played)
    if scope == "bidding":
        return (over, state.hand, bool(state.tricks or state.trick.plays))
    if scope == "trick":
        return (over, state.hand, len(state.tricks))
    if scope == "hand":
        # Its score stays in sight until the next one is dealt.
        return (state.hand - (state.phase is Phase.DEAL),)
    return (over,) if scope in ("game", "card") else ()


def _turn(seats: tuple[str, ...], game: Game, state: State) -> Position:
    """What is waited for. For who may act that is their own act: what others do meanwhile changes nothing of it."""
    expected = game.expected(state)
    acts = (state.hand, state.phase, len(state.calls), len(state.tricks), len(state.trick.plays))
    if seats and set(seats) <= set(expected.seats):
        return (*acts, "may")
    return (*acts, expected.default, expected.must, len(state.bids))


def standing(said: Explanation, own: Iterable[Heard], game: Game, most: int) -> tuple[Notice, ...]:
    """The sentences that stand, at most ``most``, the latest first.

    ``said``: the explanation in force; ``own``: what was said besides it, the latest first.
    """
    now = said.state
    lying = {piece.id for piece in said.pieces if piece.kind in ("back", "unread")}
    found = [one.notice for one in own if position(one.notice, game, now) == one.position]
    after = now
    count = 0
    for entry in said.entries():
        told = _still_told(entry, after, game, now, lies=entry.piece in lying)
        found += told
        count += len(told)
        if count >= most or entry.before.hand < now.hand - 1:
            break
        after = entry.before
    return tuple(_as_done(one, said) for one in sorted(found, key=lambda one: -one.t_ns)[:most])


def _still_told(entry: Entry, after: State, game: Game, now: State, *, lies: bool) -> list[Notice]:
    """What was said of an entry that stands now; ``lies``: the card that it is about lies there to be dealt with."""
    told = (*announced(entry, after), *reversed(entry.notices))
    mine = [sentence for sentence in told if lies or SCOPES.get(sentence.code) != "card"]
    return [one for one in mine if position(one, game, now) == position(one, game, after)]


_TO_DO: Final = ("tied_kept", "tied_back")
"""What asks for cards to be taken back: once that is done, it only tells why."""


def _as_done(sentence: Notice, said: Explanation) -> Notice:
    """A ruling without what it asked for, where that has been done."""
    if sentence.code not in _TO_DO:
        return sentence
    fields = {name: value for name, value in sentence.said.fields.items() if name != "back"}
    waiting = {piece.seat for piece in said.pieces if piece.kind == "back"}
    if waiting & set(sentence.said.fields["back"]):
        return sentence
    return replace(sentence, said=Phrase(f"{sentence.said.code}_done", fields))


# --- what the game itself announces -------------------------------------------------------------------------


def announced(entry: Entry, after: State) -> Iterator[Notice]:
    """What the players are told of an event of the game: a revoke with its proof, who goes out, why a hand decides."""
    for said in entry.said:
        if said.event == "revoke":
            yield _revoke(entry.t_ns, said)
        level = said.fields.get("seats" if said.event == "play_off" else "level")
        if level and said.event in ("play_off", "hand_started"):
            yield notice(entry.t_ns, "ruling", "level", *level, names=tuple(level))
    out = gone_out(entry.before, after)
    if out:
        yield notice(entry.t_ns, "ruling", "out", *out, names=out, left=len(after.players))


def gone_out(before: State, after: State) -> tuple[str, ...]:
    """Who played the hand that has just been scored and plays no more."""
    if len(after.results) <= len(before.results) or after.play_off:
        return ()
    return tuple(seat for seat in before.players if seat not in after.players and seat not in after.away)


def _revoke(t_ns: int, said: Said) -> Notice:
    fields = said.fields
    return notice(
        t_ns,
        "ruling",
        "revoke",
        fields["seat"],
        seat=fields["seat"],
        card=fields["card"],
        trick=fields["trick"],
        proof=fields["proved_by"],
    )
