"""The expiry of notices: which announcements of the referee the screen still shows.

Each notice has a scope. The position of the game within that scope is computed for when the notice was given and for
now; the notice stays while the two are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Literal

from table.events.game_events import Bid, Passed
from table.games.engine.dealing_and_scoring import ranking
from table.games.engine.game_state import Expected, Phase, State
from table.games.game import Game
from table.phrase import Phrase
from table.referee.model.hypothesis import Hypothesis, StoryEntry, find_lead_that_may_stay
from table.referee.model.moments import CLOSE_CALL_NS
from table.referee.model.notices import Notice, make_notice

Scope = Literal["turn", "bid", "play", "bidding", "trick", "hand", "game", "card", "news"]
"""What ends a notice.

``turn``: what is waited for has come; ``bid``: the players concerned have called, or all bid at once; ``play``: the
players concerned have played to the trick, or it is over; ``bidding``, ``trick``, ``hand``, ``game``: that is over;
``card``: the card that it is about has left; ``news``: only age, as the notice stays true.
"""

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
    "refused_early": "bid",
    "bids_tied": "turn",
    "close_call": "bidding",
    "level": "bidding",
    "level_below": "bidding",
    "all_passed": "hand",
    "gulash": "turn",
    "after_the_pump": "turn",
    "bid_again": "turn",
    "bid_in_turn": "turn",
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
    "found_none": "news",
}
"""The scope of each notice, by its code."""


def _scope_position(sentence: Notice, game: Game, state: State) -> tuple[object, ...]:
    """Return the position of the game within a notice's scope: the notice expires when this changes."""
    scope = SCOPES.get(sentence.code, "news")
    over = state.phase is Phase.OVER
    if scope == "turn":
        return _turn_position(sentence.seats, game, state)
    if scope == "bid":
        called = {seat for seat, _ in (*state.bids, *state.calls)}
        ended = over or state.phase is Phase.SECRET_BID or bool(state.tricks or state.trick.plays)
        return (ended, state.deal, bool(called & set(sentence.seats)))
    if scope == "play":
        played = sum(play.seat in sentence.seats for play in state.trick.plays)
        return (over, state.hand, len(state.tricks), played)
    if scope == "bidding":
        return (over, state.hand, bool(state.tricks or state.trick.plays))
    if scope == "trick":
        return (over, state.hand, len(state.tricks))
    if scope == "hand":
        # The score of a hand stays on the screen until the next hand is dealt.
        return (state.hand - (state.phase is Phase.DEAL),)
    return (over,) if scope in ("game", "card") else ()


def _turn_position(seats: tuple[str, ...], game: Game, state: State) -> tuple[object, ...]:
    """Return the position for the scope "turn".

    For players who may act now it changes only when they act: what others do meanwhile does not change it.
    """
    expected = game.expected(state)
    acts = (state.hand, state.phase, len(state.calls), len(state.tricks), len(state.trick.plays))
    if seats and set(seats) <= set(expected.seats):
        return (*acts, "may")
    return (*acts, expected.default_seat, expected.must_act, len(state.bids))


def active_notices(
    said: Hypothesis, own: Iterable[tuple[Notice, State]], game: Game, most: int
) -> tuple[Notice, ...]:
    """Return the notices that have not expired, at most ``most``, the latest first.

    ``said``: the hypothesis in force; ``own``: the notices that belong to no entry of it, the latest first, each with
    the state of the game in which it was given.
    """
    now = said.state
    lying = {piece.id for piece in said.table_cards if piece.role in ("back", "unread")}

    def is_active(sentence: Notice, given: State) -> bool:
        return _scope_position(sentence, game, given) == _scope_position(sentence, game, now)

    found = [sentence for sentence, given in own if is_active(sentence, given)]
    after, count = now, 0
    for entry in said.entries():
        told = [
            sentence
            for sentence in (*event_notices(entry, after, game), *reversed(entry.notices))
            if is_active(sentence, after)
            and (entry.card_id in lying or SCOPES.get(sentence.code) != "card")  # else it is dealt with
        ]
        found += told
        count += len(told)
        if count >= most or entry.state_before.hand < now.hand - 1:
            break
        after = entry.state_before
    latest = sorted(found, key=lambda sentence: -sentence.t_ns)[:most]
    return tuple(_as_of_now(sentence, game, said) for sentence in latest)


def _as_of_now(sentence: Notice, game: Game, said: Hypothesis) -> Notice:
    """Return a notice as it is put now: a refused early bid is asked for again, and tied leads are asked back of those
    alone who still have to take theirs.
    """
    if sentence.code == "refused_early":
        return _as_bid_again(sentence, game.expected(said.state))
    if sentence.code not in ("tied_kept", "tied_back"):
        return sentence
    may_stay = find_lead_that_may_stay(game, said)
    waiting = {piece.seat for piece in said.table_cards if piece.role == "back" and piece is not may_stay}
    fields = dict(sentence.phrase.fields)
    fields["back"] = tuple(seat for seat in fields.pop("back") if seat in waiting)
    if fields["back"]:
        return replace(sentence, phrase=Phrase(sentence.phrase.code, fields))
    del fields["back"]
    return replace(sentence, phrase=Phrase(f"{sentence.phrase.code}_done", fields))


def _as_bid_again(sentence: Notice, expected: Expected) -> Notice:
    """Return a refused early bid as a request to bid again, once its reason is no longer true."""
    (seat,), why = sentence.seats, sentence.phrase.fields["why"]
    waits = why.fields.get("waits")
    if seat in expected.seats and expected.phase in (Phase.BID, Phase.AUCTION):
        return replace(sentence, phrase=Phrase("notice.bid_again", {"seat": seat}))
    if waits is None or waits.fields["seat"] == expected.default_seat:
        return sentence
    return replace(sentence, phrase=Phrase("notice.bid_in_turn", {"seat": seat}))


# --- what the game itself announces -------------------------------------------------------------------------


def event_notices(entry: StoryEntry, after: State, game: Game) -> Iterator[Notice]:
    """Yield the notices that follow from an event of the game: a close call, proved revokes, a hand passed out, why
    cards are passed on, who is out, why a hand decides.
    """
    rule = partial(make_notice, entry.t_ns, "ruling")
    if (
        isinstance(entry.cause, Bid)
        and not entry.is_assumed_call
        and game.expected(entry.state_before).anyone_may_act
    ):
        yield from _close_calls(entry.cause, entry)
    for said in entry.announcements:
        fields = said.fields
        if said.event == "revoke":
            seat, trick = fields["seat"], fields["trick"]
            yield rule("revoke", seat, seat=seat, card=fields["card"], trick=trick, proof=fields["proved_by"])
        if said.event == "thrown_in" and isinstance(entry.cause, Passed):
            yield rule("all_passed", seat=after.dealer)
        level = fields.get("seats" if said.event == "play_off" else "level")
        if level and said.event in ("play_off", "hand_started"):
            leads = set(level) == set(ranking(game.rules, after)[0])
            yield rule("level" if leads else "level_below", *level, names=tuple(level))
    if isinstance(entry.cause, Passed) and after.phase is Phase.PASS_CARDS:
        yield rule("gulash")
    out = _players_out(entry.state_before, after)
    if out:
        yield rule("out", *out, names=out, left=len(after.players))


def _close_calls(bid: Bid, entry: StoryEntry) -> Iterator[Notice]:
    """Yield the notice that a free bid began shortly after the one heard before it, which counts first."""
    before = entry.previous
    while before is not None and entry.t_ns - before.t_ns < CLOSE_CALL_NS:
        if isinstance(before.cause, Bid) and not before.is_assumed_call:
            first, apart_ns = before.cause.seat, entry.t_ns - before.t_ns
            yield make_notice(
                entry.t_ns, "ruling", "close_call", first, first=first, second=bid.seat, apart_ns=apart_ns
            )
            return
        before = before.previous


def _players_out(before: State, after: State) -> tuple[str, ...]:
    """Return the players of the hand just scored who are out of the game from then on."""
    if len(after.results) <= len(before.results) or after.play_off:
        return ()
    return tuple(seat for seat in before.players if seat not in after.players and seat not in after.away)
