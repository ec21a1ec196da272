"""What the panel behind "that's wrong" offers: a tree of levels with few lines each, the likeliest first.

It is made from where the game stands, and made anew whenever that changes. What throws something away asks once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from table.cards import Card, card
from table.events.happenings import (
    Bid,
    BidsRevealed,
    BidValue,
    Came,
    Ended,
    Event,
    Left,
    Passed,
    Played,
    Rescored,
    Reseated,
    ThrownIn,
    TrickTaken,
)
from table.events.known import brief, line_of
from table.games.base import HandResult, Phase, Refusal, Trick
from table.phrase import Phrase, say
from table.referee.blackboard import Blackboard
from table.referee.corrections import bids_in, happened, lost
from table.referee.explanation import Entry
from table.referee.levels import Choice, Level, by_suit, opening
from table.referee.mending import Mending
from table.referee.notices import notice
from table.referee.wishes import Wish, Wishes

UNLIKELY = 0.01
"""Other readings of a card below this are not offered."""
MOST_READINGS = 3
NEAREST_BIDS = 2
"""So many other bids are offered in the first place."""
MOST_STEPS = 12
"""So far back the steps are listed one by one."""
TENS = 15
"""So many tens above and below its points can be set for a player of a hand."""


class Menus:
    """Makes the levels for somebody."""

    def __init__(self, blackboard: Blackboard, mending: Mending) -> None:
        self.blackboard = blackboard
        self._mending = mending
        self.asked: Callable[[str], Choice | None] = lambda by: None
        """What is asked of people, as the first line."""
        self.entered: Callable[[str], Iterator[Choice]] = lambda by: iter(())
        """What may be called for another seat."""
        self.wishes = Wishes()

    def top(self, by: str) -> Level:
        """The first level."""
        over = self.blackboard.state.phase is Phase.OVER
        return Level(say("panel.what_next" if over else "panel.what_is_wrong"), tuple(self._top(by)))

    def _top(self, by: str) -> Iterator[Choice]:
        asked = self.asked(by)
        if asked is not None:
            yield asked
        over = self.blackboard.state.phase is Phase.OVER
        if over:
            yield from self._wish(Wish.NEXT, say("panel.next_game"))
            yield from self._wish(Wish.MENU, say("panel.menu"))
        last = self.blackboard.book.last(lambda entry: entry.changes)
        if last is not None:
            yield from self._likely(last, by)
            yield from self._undo(last, by)
        yield from self._redo(by)
        yield from self._picked_up(by)
        yield from self.entered(by)
        yield from self._tricks(by)
        yield from self._bids(by)
        yield from self._scores(by)
        if last is not None:
            yield from self._undo_more(last, by)
        yield from self._events(by)
        if not over:
            yield from self._wish(Wish.PAUSE, say("panel.pause"))
            yield from self._wish(Wish.MENU, say("panel.leave"), asks=True)
        yield from self._wish(Wish.OFF, say("panel.switch_off"), asks=True)
        yield Choice(say("panel.close"))

    # --- undo and redo ------------------------------------------------------------------------------------------

    def _undo(self, at: int, by: str) -> Iterator[Choice]:
        entry = self._entry(at)
        text = say("panel.undo", what=happened(entry))
        yield Choice(text, lambda t_ns: self._take_back(at, by), key=(text, entry.t_ns))

    def _undo_more(self, last: int, by: str) -> Iterator[Choice]:
        hand = self._entry(last).before.hand
        entries = self.blackboard.book.entries
        late = takewhile(lambda one: one.before.hand >= hand, reversed(entries))
        steps = [one.place for one in late if one.changes and one.before.hand == hand][::-1]
        earlier = self._earlier(steps, last)
        if not earlier:
            return
        choices = [
            self._back_to(at, happened(entries[at]) or Phrase("word.nothing"), by)
            for at in earlier[::-1][:MOST_STEPS]
        ]
        choices.append(self._back_to(steps[0], say("panel.hand_again", hand=hand), by))
        yield opening(say("panel.undo_more"), Level(say("panel.how_far"), tuple(choices)))

    def _earlier(self, steps: Sequence[int], last: int) -> list[int]:
        """The steps before the last that can be gone back to.

        What came of one observation is undone together, and named by its first event.
        """
        entries = self.blackboard.book.entries
        firsts = [at for at in steps if at == steps[0] or entries[at].item != entries[at - 1].item]
        apart = [at for at in firsts if entries[at].item != entries[last].item or entries[at].item is None]
        return [at for at in apart if at != last]

    def _back_to(self, at: int, text: Phrase, by: str) -> Choice:
        def do(t_ns: int) -> None:
            self._take_back(at, by)

        def asks() -> Level:
            return self._sure(text, do, self._mending.lost_by_undo(at))

        return Choice(text, do, asks, key=(text, self._entry(at).t_ns))

    def _redo(self, by: str) -> Iterator[Choice]:
        word = self._mending.redoable
        if word is None:
            return
        text = say("panel.redo" if word.kept.undid else "panel.unsay", what=word.kept.what)

        def do(t_ns: int) -> None:
            self._mending.redo(by)

        def asks() -> Level | None:
            gone = self._mending.lost_by_redo()
            return self._sure(text, do, gone) if gone else None

        yield Choice(text, do, asks, key=(text, word.kept.number))

    # --- cards --------------------------------------------------------------------------------------------------

    def _likely(self, at: int, by: str) -> Iterator[Choice]:
        """What the last thing may have been instead."""
        entry = self._entry(at)
        if isinstance(entry.cause, Played):
            yield from self._readings(at, entry.cause, by)
            yield from self._owners(at, entry.cause, by, fitting=True)
        elif isinstance(entry.cause, Bid):
            yield from list(self._other_bids(at, entry.cause.seat, entry.cause.bid, by))[:NEAREST_BIDS]

    def _readings(self, at: int, played: Played, by: str) -> Iterator[Choice]:
        piece = self._entry(at).piece
        fact = self.blackboard.search.setting.landed.get(piece) if piece is not None else None
        for reading in fact.readings[: MOST_READINGS + 1] if fact else ():
            other = Played(played.seat, card(reading.card))
            if reading.confidence >= UNLIKELY and other != played and self._fits(at, other):
                text = say("panel.card_is", seat=played.seat, was=str(played.card), card=str(other.card))
                yield self._correction(at, other, text, by)

    def _owners(self, at: int, played: Played, by: str, *, fitting: bool) -> Iterator[Choice]:
        if played.card.is_unseen:
            return
        for seat in self._entry(at).before.players:
            other = Played(seat, played.card)
            if seat != played.seat and (not fitting or self._fits(at, other)):
                yield self._correction(at, other, say("panel.owner_is", card=str(played.card), seat=seat), by)

    def _tricks(self, by: str) -> Iterator[Choice]:
        """The cards of this trick and of the one before."""
        state = self.blackboard.state
        yield from self._trick(say("panel.this_trick"), state.hand, len(state.tricks), state.trick, by)
        at = self.blackboard.book.last(lambda entry: isinstance(entry.cause, TrickTaken))
        if at is not None:
            before = self._entry(at).before
            hand = state.hand if state.tricks else state.hand - (state.phase is not Phase.OVER)
            if before.hand == hand:
                yield from self._trick(say("panel.last_trick"), hand, len(before.tricks), before.trick, by)

    def _trick(self, text: Phrase, hand: int, number: int, trick: Trick, by: str) -> Iterator[Choice]:
        choices = []
        for play in trick.plays:
            at = self._played_at(hand, number, Played(play.seat, play.card))
            if at is not None:
                said = say("panel.play", seat=play.seat, card=str(play.card))
                choices.append(Choice(said, asks=lambda at=at: self._card(at, trick, by)))  # type: ignore[misc]
        if choices:
            yield opening(text, Level(say("panel.which_card"), tuple(choices)))

    def _played_at(self, hand: int, number: int, played: Played) -> int | None:
        """The entry of a card played to a trick."""

        def wanted(entry: Entry) -> bool:
            before = entry.before
            return entry.cause == played and before.hand == hand and len(before.tricks) == number

        return self.blackboard.book.last(wanted)

    def _card(self, at: int, trick: Trick, by: str) -> Level:
        """What a card may have been instead, or whose."""
        played = self._entry(at).cause
        assert isinstance(played, Played)
        likely = [*self._readings(at, played, by), *self._owners(at, played, by, fitting=False)]
        if not likely:
            return self._suits(at, played, trick, by)
        another = Choice(say("panel.another_card"), asks=lambda: self._suits(at, played, trick, by))
        return Level(say("panel.what_instead"), (*likely, another))

    def _suits(self, at: int, played: Played, trick: Trick, by: str) -> Level:
        """Any card but those of the same trick, which can be put right first: one laid before may have been misread."""

        def chosen(found: Card) -> Choice:
            return self._correction(at, Played(played.seat, found), say("panel.card", card=str(found)), by)

        pack = self.blackboard.game.pack()
        there = [self._entry(at).before.turned, *(play.card for play in trick.plays)]
        return by_suit([one for one in pack if there.count(one) < pack.count(one)], chosen)

    # --- bids ---------------------------------------------------------------------------------------------------

    def _bids(self, by: str) -> Iterator[Choice]:
        """The bids of this hand and of the one before, the latest first."""
        hand = self.blackboard.state.hand
        choices = [choice for number in (hand, hand - 1) for choice in self._bids_of(number, by)]
        if choices:
            yield opening(say("panel.bids"), Level(say("panel.which_bid"), tuple(choices)))

    def _bids_of(self, hand: int, by: str) -> Iterator[Choice]:
        earlier = "" if hand == self.blackboard.state.hand else "earlier_"
        for at in range(len(self.blackboard.book.entries) - 1, -1, -1):
            entry = self._entry(at)
            if entry.before.hand < hand or (entry.before.hand == hand and _deals_anew(entry.cause)):
                return
            if entry.before.hand > hand:
                continue
            said = {entry.cause.seat: None} if isinstance(entry.cause, Passed) else bids_in(entry.cause)
            for seat, bid in said.items():
                code = "pass" if bid is None else "bid"
                others = tuple(self._other_bids(at, seat, bid, by))
                if others:
                    text = say(f"panel.{earlier}{code}", seat=seat, bid=bid, hand=hand)
                    yield opening(text, Level(say("panel.what_instead"), others))

    def _other_bids(self, at: int, seat: str, was: BidValue | None, by: str) -> Iterator[Choice]:
        """What somebody may have bid instead, the nearest first."""
        entry = self._entry(at)

        def away(bid: BidValue) -> int:
            return abs(bid - was) if isinstance(bid, int) and isinstance(was, int) else 99

        for bid in sorted(self.blackboard.game.legal_bids(entry.before, seat), key=away):
            if bid != was:
                text = say("panel.bid_is", seat=seat, bid=bid, was="pass" if was is None else was)
                yield self._correction(at, _bid_instead(entry.cause, seat, bid), text, by)
        if was is not None and entry.before.phase is Phase.AUCTION:
            yield self._correction(at, Passed(seat), say("panel.passed", seat=seat), by)

    # --- scores -------------------------------------------------------------------------------------------------

    def _scores(self, by: str) -> Iterator[Choice]:
        choices = []
        for result in reversed(self.blackboard.state.results):
            text = say("panel.hand", hand=result.hand, points=dict(result.points))
            choices.append(
                Choice(
                    text,
                    asks=lambda result=result: self._score(result, by),  # type: ignore[misc]
                    key=("hand", result.hand),
                )
            )
        if choices:
            yield opening(say("panel.scores"), Level(say("panel.which_hand"), tuple(choices)))

    def _score(self, result: HandResult, by: str) -> Level:
        choices = tuple(
            Choice(
                say("panel.seat_points", seat=seat, points=points),
                asks=lambda seat=seat, points=points: self._tens(result.hand, seat, points, by),  # type: ignore[misc]
            )
            for seat, points in result.points.items()
        )
        return Level(say("panel.whose_score"), choices)

    def _tens(self, hand: int, seat: str, points: int, by: str) -> Level:
        """The points by their tens, the nearest first, then by their ones."""
        near = sorted(range(-TENS, TENS + 1), key=lambda away: (abs(away), -away))
        choices = []
        for ten in (10 * (points // 10 + away) for away in near):
            ones = tuple(
                Choice(
                    say("panel.seat_points", seat=seat, points=one),
                    self._event(Rescored(hand, ((seat, one),)), by),
                )
                for one in range(ten, ten + 10)
                if one != points
            )
            choices.append(
                opening(say("panel.tens", first=ten, last=ten + 9), Level(say("panel.what_instead"), ones))
            )
        return Level(say("panel.what_instead"), tuple(choices))

    # --- what else may happen -----------------------------------------------------------------------------------

    def _picked_up(self, by: str) -> Iterator[Choice]:
        winner = self.blackboard.state.trick.winner
        if winner is not None and self.blackboard.could(TrickTaken(winner)):
            yield Choice(say("panel.picked_up", seat=winner), self._event(TrickTaken(winner), by))

    def _events(self, by: str) -> Iterator[Choice]:
        """What may happen at a table besides the game, where the game agrees."""
        yield from self._asked(say("panel.misdeal"), ThrownIn("misdeal"), by)
        seats = self.blackboard.game.seats
        others = [seat for seat in seats if seat != by]
        players = [
            choice for seat in seats for choice in self._asked(say("panel.comes", seat=seat), Came(seat), by)
        ]
        for seat in (by, *others):
            players += self._asked(say("panel.leaves", seat=seat), Left(seat), by)
        if players:
            yield opening(say("panel.comes_and_goes"), Level(say("panel.who"), tuple(players)))
        yield from self._chairs(by)
        yield from self._asked(say("panel.end"), Ended(), by)

    def _chairs(self, by: str) -> Iterator[Choice]:
        """Two people change chairs: whoever asks first, then the others around the table."""
        seats = self.blackboard.state.seats
        if not self.blackboard.could(Reseated(seats)):
            return
        movers = []
        for seat in _around(seats, by):
            swaps = tuple(self._swap(seat, other, by) for other in _around(seats, seat)[1:])
            movers.append(opening(say("panel.name", name=seat), Level(say("panel.with_whom"), swaps)))
        yield opening(say("panel.chairs"), Level(say("panel.who_moves"), tuple(movers)))

    def _swap(self, seat: str, other: str, by: str) -> Choice:
        moved = {seat: other, other: seat}
        seats = tuple(moved.get(one, one) for one in self.blackboard.state.seats)
        return Choice(say("panel.swap", seat=seat, other=other), self._event(Reseated(seats), by))

    def _asked(self, text: Phrase, event: Event, by: str) -> Iterator[Choice]:
        """An event that the game allows; it asks once more if something is thrown away, or somebody goes."""
        state = self.blackboard.state
        step = self.blackboard.game.apply(state, event)
        if isinstance(step, Refusal):
            return
        do, gone = self._event(event, by), lost(state, step.state)
        asks = None if isinstance(event, Came) and not gone else lambda: self._sure(text, do, gone)
        yield Choice(text, do, asks)

    def _sure(self, text: Phrase, do: Callable[[int], None], gone: Phrase | None) -> Level:
        """Whether it is meant, and what will be lost."""
        yes = Choice(say("panel.yes", what=text), do, key=("yes", gone))
        said = say("panel.lost", what=gone) if gone else say("panel.nothing_lost")
        return Level(say("panel.sure"), (Choice(say("panel.no")), yes), said)

    # --- what is done -------------------------------------------------------------------------------------------

    def _entry(self, at: int) -> Entry:
        return self.blackboard.book.entries[at]

    def _fits(self, at: int, event: Event) -> bool:
        return not isinstance(self.blackboard.game.apply(self._entry(at).before, event), Refusal)

    def _correction(self, at: int, event: Event, text: Phrase, by: str) -> Choice:
        def do(t_ns: int) -> None:
            if self._mending.correct(at, event, by):
                return
            score = self._mending.rescoring(at, event)
            if score is not None:
                self._event(score, by)(t_ns)
            else:
                self._mending.tell("cant_be", by, kind="hint", what=brief(line_of(event)))

        def asks() -> Level | None:
            gone = self._mending.lost_by_correction(at, event)
            return self._sure(text, do, gone) if gone else None

        return Choice(text, do, asks)

    def _event(self, event: Event, by: str) -> Callable[[int], None]:
        def do(t_ns: int) -> None:
            said = notice(t_ns, "ruling", "said_so", by, by=by, what=brief(line_of(event)))
            self.blackboard.happen(event, t_ns, said, certain=True)

        return do

    def _take_back(self, at: int, by: str) -> None:
        self._mending.undo(at, by)

    def _wish(self, wish: Wish, text: Phrase, *, asks: bool = False) -> Iterator[Choice]:
        """A line for what is no matter of the game, where it is offered; ``asks`` once more."""
        if wish not in self.wishes.offered:
            return

        def do(_: int) -> None:
            self.wishes.make(wish)

        yield Choice(text, do, (lambda: self._sure(text, do, None)) if asks else None)


def _around(seats: tuple[str, ...], first: str) -> tuple[str, ...]:
    at = seats.index(first)
    return (*seats[at:], *seats[:at])


def _deals_anew(cause: object) -> bool:
    return isinstance(cause, ThrownIn | Left | Came)


def _bid_instead(cause: object, seat: str, bid: BidValue) -> Event:
    """The event with another bid of ``seat``."""
    if isinstance(cause, BidsRevealed):
        return BidsRevealed(tuple((one, bid if one == seat else old) for one, old in cause.bids))
    return Bid(seat, bid)
