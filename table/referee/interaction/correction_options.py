"""The options of the panel behind "that's wrong": a tree of levels with few lines each, the likeliest first.

The tree is made from the game's state, and made anew whenever that changes. What throws something away asks for
confirmation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from table.cards import Card, card
from table.events.event_registry import event_line, line_brief
from table.events.game_events import (
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
from table.games.engine.game_state import HandResult, Phase, Refusal, Trick
from table.phrase import Phrase, make_phrase
from table.referee.interaction.corrections import Corrections
from table.referee.interaction.panel_requests import TableRequest, TableRequests
from table.referee.model.hypothesis import StoryEntry
from table.referee.model.notices import make_notice
from table.referee.model.option_stepper import Choice, Level, make_level_choice, make_suit_level
from table.referee.records.correction_wording import bids_of_event, find_losses, make_entry_phrase
from table.referee.records.state_shared_by_judges import SharedState

MIN_OFFERED_CONFIDENCE = 0.01
"""The confidence below which other readings of a card are not offered."""
MAX_OFFERED_READINGS = 3
NEAREST_BIDS = 2
"""The number of other bids that are offered on the first level."""
MAX_UNDO_STEPS = 12
"""The number of last steps that are listed one by one for an undo."""
MAX_TENS_OFF = 15
"""The number of tens above and below a player's points that can be set for a hand."""


class CorrectionOptions:
    """Builds the levels of the panel for a player."""

    def __init__(self, shared: SharedState, corrections: Corrections) -> None:
        self.shared = shared
        self._corrections = corrections
        self.make_question_choice: Callable[[str], Choice | None] = lambda by: None
        """Returns the open question for a player as the first option, if any."""
        self.make_call_choices: Callable[[str], Iterator[Choice]] = lambda by: iter(())
        """Yields the options for calls for another seat."""
        self.requests = TableRequests()

    def make_top_level(self, by: str) -> Level:
        """Return the panel's first level for player ``by``."""
        over = self.shared.state.phase is Phase.OVER
        return Level(
            make_phrase("panel.what_next" if over else "panel.what_is_wrong"), tuple(self._top_choices(by))
        )

    def _top_choices(self, by: str) -> Iterator[Choice]:
        asked = self.make_question_choice(by)
        if asked is not None:
            yield asked
        over = self.shared.state.phase is Phase.OVER
        if over:
            yield from self._request_choice(TableRequest.NEXT, make_phrase("panel.next_game"))
            yield from self._request_choice(TableRequest.MENU, make_phrase("panel.menu"))
        last = self.shared.journal_sync.find_last(lambda entry: entry.is_event)
        if last is not None:
            yield from self._likely(last, by)
            yield from self._undo(last, by)
        yield from self._redo(by)
        yield from self._picked_up(by)
        yield from self.make_call_choices(by)
        yield from self._tricks(by)
        yield from self._bids(by)
        yield from self._scores(by)
        if last is not None:
            yield from self._undo_more(last, by)
        yield from self._events(by)
        if not over:
            yield from self._request_choice(TableRequest.PAUSE, make_phrase("panel.pause"))
            yield from self._request_choice(TableRequest.MENU, make_phrase("panel.leave"), asks=True)
        yield from self._request_choice(TableRequest.OFF, make_phrase("panel.switch_off"), asks=True)
        yield Choice(make_phrase("panel.close"))

    # --- undo and redo ------------------------------------------------------------------------------------------

    def _undo(self, at: int, by: str) -> Iterator[Choice]:
        entry = self._entry(at)
        text = make_phrase("panel.undo", what=make_entry_phrase(entry))
        yield Choice(text, lambda t_ns: self._undo_entry(at, by), key=(text, entry.t_ns))

    def _undo_more(self, last: int, by: str) -> Iterator[Choice]:
        hand = self._entry(last).state_before.hand
        entries = self.shared.journal_sync.entries
        late = takewhile(lambda entry: entry.state_before.hand >= hand, reversed(entries))
        steps = [entry.index for entry in late if entry.is_event and entry.state_before.hand == hand][::-1]
        earlier = self._earlier_steps(steps, last)
        if not earlier:
            return
        choices = [
            self._back_to(at, make_entry_phrase(entries[at]) or Phrase("word.nothing"), by)
            for at in earlier[::-1][:MAX_UNDO_STEPS]
        ]
        choices.append(self._back_to(steps[0], make_phrase("panel.hand_again", hand=hand), by))
        yield make_level_choice(
            make_phrase("panel.undo_more"), Level(make_phrase("panel.how_far"), tuple(choices))
        )

    def _earlier_steps(self, steps: Sequence[int], last: int) -> list[int]:
        """Return the steps before the last that an undo can go back to.

        What came of one observation is undone together, and named by its first event.
        """
        entries = self.shared.journal_sync.entries
        firsts = [
            at
            for at in steps
            if at == steps[0] or entries[at].observation_number != entries[at - 1].observation_number
        ]
        apart = [
            at
            for at in firsts
            if entries[at].observation_number != entries[last].observation_number
            or entries[at].observation_number is None
        ]
        return [at for at in apart if at != last]

    def _back_to(self, at: int, text: Phrase, by: str) -> Choice:
        def do(t_ns: int) -> None:
            self._undo_entry(at, by)

        def asks() -> Level:
            return self._confirmation(text, do, self._corrections.lost_by_undo(at))

        return Choice(text, do, asks, key=(text, self._entry(at).t_ns))

    def _redo(self, by: str) -> Iterator[Choice]:
        word = self._corrections.last_correction
        if word is None:
            return
        text = make_phrase(
            "panel.redo" if word.record.was_undo else "panel.unsay", what=word.record.description
        )

        def do(t_ns: int) -> None:
            self._corrections.redo(by)

        def asks() -> Level | None:
            gone = self._corrections.lost_by_redo()
            return self._confirmation(text, do, gone) if gone else None

        yield Choice(text, do, asks, key=(text, word.record.last_observation))

    # --- cards --------------------------------------------------------------------------------------------------

    def _likely(self, at: int, by: str) -> Iterator[Choice]:
        """Yield the likeliest corrections of the last event."""
        entry = self._entry(at)
        if isinstance(entry.cause, Played):
            yield from self._readings(at, entry.cause, by)
            yield from self._owners(at, entry.cause, by, fitting=True)
        elif isinstance(entry.cause, Bid):
            yield from list(self._other_bids(at, entry.cause.seat, entry.cause.bid, by))[:NEAREST_BIDS]

    def _readings(self, at: int, played: Played, by: str) -> Iterator[Choice]:
        piece = self._entry(at).card_id
        fact = self.shared.search.context.landed.get(piece) if piece is not None else None
        for reading in fact.readings[: MAX_OFFERED_READINGS + 1] if fact else ():
            other = Played(played.seat, card(reading.card))
            if (
                reading.confidence >= MIN_OFFERED_CONFIDENCE
                and other != played
                and self._is_possible(at, other)
            ):
                text = make_phrase(
                    "panel.card_is", seat=played.seat, was=str(played.card), card=str(other.card)
                )
                yield self._correction_choice(at, other, text, by)

    def _owners(self, at: int, played: Played, by: str, *, fitting: bool) -> Iterator[Choice]:
        if played.card.is_unseen:
            return
        for seat in self._entry(at).state_before.players:
            other = Played(seat, played.card)
            if seat != played.seat and (not fitting or self._is_possible(at, other)):
                yield self._correction_choice(
                    at, other, make_phrase("panel.owner_is", card=str(played.card), seat=seat), by
                )

    def _tricks(self, by: str) -> Iterator[Choice]:
        """Yield the options for the cards of this trick and of the one before."""
        state = self.shared.state
        yield from self._trick(
            make_phrase("panel.this_trick"), state.hand, len(state.tricks), state.trick, by
        )
        at = self.shared.journal_sync.find_last(lambda entry: isinstance(entry.cause, TrickTaken))
        if at is not None:
            before = self._entry(at).state_before
            hand = state.hand if state.tricks else state.hand - (state.phase is not Phase.OVER)
            if before.hand == hand:
                yield from self._trick(
                    make_phrase("panel.last_trick"), hand, len(before.tricks), before.trick, by
                )

    def _trick(self, text: Phrase, hand: int, number: int, trick: Trick, by: str) -> Iterator[Choice]:
        choices = []
        for play in trick.plays:
            at = self._played_at(hand, number, Played(play.seat, play.card))
            if at is not None:
                said = make_phrase("panel.play", seat=play.seat, card=str(play.card))
                choices.append(Choice(said, open_level=lambda at=at: self._card(at, trick, by)))  # type: ignore[misc]
        if choices:
            yield make_level_choice(text, Level(make_phrase("panel.which_card"), tuple(choices)))

    def _played_at(self, hand: int, number: int, played: Played) -> int | None:
        """Return the index of the entry of a card played to a trick."""

        def wanted(entry: StoryEntry) -> bool:
            before = entry.state_before
            return entry.cause == played and before.hand == hand and len(before.tricks) == number

        return self.shared.journal_sync.find_last(wanted)

    def _card(self, at: int, trick: Trick, by: str) -> Level:
        """Return the level of what a card may have been instead, or whose."""
        played = self._entry(at).cause
        assert isinstance(played, Played)
        likely = [*self._readings(at, played, by), *self._owners(at, played, by, fitting=False)]
        if not likely:
            return self._suits(at, played, trick, by)
        another = Choice(
            make_phrase("panel.another_card"), open_level=lambda: self._suits(at, played, trick, by)
        )
        return Level(make_phrase("panel.what_instead"), (*likely, another))

    def _suits(self, at: int, played: Played, trick: Trick, by: str) -> Level:
        """Return the level of all cards but those of the same trick.

        Those can be corrected first: one laid before may have been misread.
        """

        def chosen(found: Card) -> Choice:
            return self._correction_choice(
                at, Played(played.seat, found), make_phrase("panel.card", card=str(found)), by
            )

        pack = self.shared.game.pack()
        there = [self._entry(at).state_before.turned, *(play.card for play in trick.plays)]
        return make_suit_level(
            [candidate for candidate in pack if there.count(candidate) < pack.count(candidate)], chosen
        )

    # --- bids ---------------------------------------------------------------------------------------------------

    def _bids(self, by: str) -> Iterator[Choice]:
        """Yield the option for the bids of this hand and of the one before, the latest first."""
        hand = self.shared.state.hand
        choices = [choice for number in (hand, hand - 1) for choice in self._bids_of(number, by)]
        if choices:
            yield make_level_choice(
                make_phrase("panel.bids"), Level(make_phrase("panel.which_bid"), tuple(choices))
            )

    def _bids_of(self, hand: int, by: str) -> Iterator[Choice]:
        earlier = "" if hand == self.shared.state.hand else "earlier_"
        for at in range(len(self.shared.journal_sync.entries) - 1, -1, -1):
            entry = self._entry(at)
            if entry.state_before.hand < hand or (
                entry.state_before.hand == hand and _is_redeal(entry.cause)
            ):
                return
            if entry.state_before.hand > hand:
                continue
            said = {entry.cause.seat: None} if isinstance(entry.cause, Passed) else bids_of_event(entry.cause)
            for seat, bid in said.items():
                code = "pass" if bid is None else "bid"
                others = tuple(self._other_bids(at, seat, bid, by))
                if others:
                    text = make_phrase(f"panel.{earlier}{code}", seat=seat, bid=bid, hand=hand)
                    yield make_level_choice(text, Level(make_phrase("panel.what_instead"), others))

    def _other_bids(self, at: int, seat: str, was: BidValue | None, by: str) -> Iterator[Choice]:
        """Yield the corrections of a bid, the nearest bids first."""
        entry = self._entry(at)

        def away(bid: BidValue) -> int:
            return abs(bid - was) if isinstance(bid, int) and isinstance(was, int) else 99

        for bid in sorted(self.shared.game.legal_bids(entry.state_before, seat), key=away):
            if bid != was:
                text = make_phrase("panel.bid_is", seat=seat, bid=bid, was="pass" if was is None else was)
                yield self._correction_choice(at, _replace_bid(entry.cause, seat, bid), text, by)
        if was is not None and entry.state_before.phase is Phase.AUCTION:
            yield self._correction_choice(at, Passed(seat), make_phrase("panel.passed", seat=seat), by)

    # --- scores -------------------------------------------------------------------------------------------------

    def _scores(self, by: str) -> Iterator[Choice]:
        choices = []
        for result in reversed(self.shared.state.results):
            text = make_phrase("panel.hand", hand=result.hand, points=dict(result.points))
            choices.append(
                Choice(
                    text,
                    open_level=lambda result=result: self._score(result, by),  # type: ignore[misc]
                    key=("hand", result.hand),
                )
            )
        if choices:
            yield make_level_choice(
                make_phrase("panel.scores"), Level(make_phrase("panel.which_hand"), tuple(choices))
            )

    def _score(self, result: HandResult, by: str) -> Level:
        choices = tuple(
            Choice(
                make_phrase("panel.seat_points", seat=seat, points=points),
                open_level=lambda seat=seat, points=points: self._tens(result.hand, seat, points, by),  # type: ignore[misc]
            )
            for seat, points in result.points.items()
        )
        return Level(make_phrase("panel.whose_score"), choices)

    def _tens(self, hand: int, seat: str, points: int, by: str) -> Level:
        """Return the level of points by their tens, the nearest first, then by their ones."""
        near = sorted(range(-MAX_TENS_OFF, MAX_TENS_OFF + 1), key=lambda away: (abs(away), -away))
        choices = []
        for ten in (10 * (points // 10 + away) for away in near):
            ones = tuple(
                Choice(
                    make_phrase("panel.seat_points", seat=seat, points=score),
                    self._event_action(Rescored(hand, ((seat, score),)), by),
                )
                for score in range(ten, ten + 10)
                if score != points
            )
            choices.append(
                make_level_choice(
                    make_phrase("panel.tens", first=ten, last=ten + 9),
                    Level(make_phrase("panel.what_instead"), ones),
                )
            )
        return Level(make_phrase("panel.what_instead"), tuple(choices))

    # --- events outside the play of cards -----------------------------------------------------------------------

    def _picked_up(self, by: str) -> Iterator[Choice]:
        winner = self.shared.state.trick.winner
        if winner is not None and self.shared.is_allowed(TrickTaken(winner)):
            yield Choice(
                make_phrase("panel.picked_up", seat=winner), self._event_action(TrickTaken(winner), by)
            )

    def _events(self, by: str) -> Iterator[Choice]:
        """Yield the options for events at the table besides the game, as far as the rules allow them."""
        yield from self._event_choice(make_phrase("panel.misdeal"), ThrownIn("misdeal"), by)
        seats = self.shared.game.seats
        others = [seat for seat in seats if seat != by]
        players = [
            choice
            for seat in seats
            for choice in self._event_choice(make_phrase("panel.comes", seat=seat), Came(seat), by)
        ]
        for seat in (by, *others):
            players += self._event_choice(make_phrase("panel.leaves", seat=seat), Left(seat), by)
        if players:
            yield make_level_choice(
                make_phrase("panel.comes_and_goes"), Level(make_phrase("panel.who"), tuple(players))
            )
        yield from self._chairs(by)
        yield from self._event_choice(make_phrase("panel.end"), Ended(), by)

    def _chairs(self, by: str) -> Iterator[Choice]:
        """Yield the option for two people to change chairs: first whoever asks, then the others around the table."""
        seats = self.shared.state.seats
        if not self.shared.is_allowed(Reseated(seats)):
            return
        movers = []
        for seat in _rotate_to(seats, by):
            swaps = tuple(self._swap(seat, other, by) for other in _rotate_to(seats, seat)[1:])
            movers.append(
                make_level_choice(
                    make_phrase("panel.name", name=seat), Level(make_phrase("panel.with_whom"), swaps)
                )
            )
        yield make_level_choice(
            make_phrase("panel.chairs"), Level(make_phrase("panel.who_moves"), tuple(movers))
        )

    def _swap(self, seat: str, other: str, by: str) -> Choice:
        moved = {seat: other, other: seat}
        seats = tuple(moved.get(player, player) for player in self.shared.state.seats)
        return Choice(
            make_phrase("panel.swap", seat=seat, other=other), self._event_action(Reseated(seats), by)
        )

    def _event_choice(self, text: Phrase, event: Event, by: str) -> Iterator[Choice]:
        """Yield the option for an event that the rules allow; it asks for confirmation if something is lost or
        somebody goes.
        """
        state = self.shared.state
        step = self.shared.game.apply(state, event)
        if isinstance(step, Refusal):
            return
        do, gone = self._event_action(event, by), find_losses(state, step.state)
        asks = None if isinstance(event, Came) and not gone else lambda: self._confirmation(text, do, gone)
        yield Choice(text, do, asks)

    def _confirmation(self, text: Phrase, do: Callable[[int], None], gone: Phrase | None) -> Level:
        """Return the confirmation of an option, with what will be lost."""
        yes = Choice(make_phrase("panel.yes", what=text), do, key=("yes", gone))
        said = make_phrase("panel.lost", what=gone) if gone else make_phrase("panel.nothing_lost")
        return Level(make_phrase("panel.sure"), (Choice(make_phrase("panel.no")), yes), said)

    # --- actions and helpers ------------------------------------------------------------------------------------

    def _entry(self, at: int) -> StoryEntry:
        return self.shared.journal_sync.entries[at]

    def _is_possible(self, at: int, event: Event) -> bool:
        return not isinstance(self.shared.game.apply(self._entry(at).state_before, event), Refusal)

    def _correction_choice(self, at: int, event: Event, text: Phrase, by: str) -> Choice:
        def do(t_ns: int) -> None:
            if self._corrections.correct(at, event, by):
                return
            score = self._corrections.make_score_correction(at, event)
            if score is not None:
                self._event_action(score, by)(t_ns)
            else:
                self._corrections.notify("cant_be", by, kind="hint", what=line_brief(event_line(event)))

        def asks() -> Level | None:
            gone = self._corrections.lost_by_correction(at, event)
            return self._confirmation(text, do, gone) if gone else None

        return Choice(text, do, asks)

    def _event_action(self, event: Event, by: str) -> Callable[[int], None]:
        def do(t_ns: int) -> None:
            said = make_notice(t_ns, "ruling", "said_so", by, by=by, what=line_brief(event_line(event)))
            self.shared.apply_event(event, t_ns, said, certain=True)

        return do

    def _undo_entry(self, at: int, by: str) -> None:
        self._corrections.undo(at, by)

    def _request_choice(self, wish: TableRequest, text: Phrase, *, asks: bool = False) -> Iterator[Choice]:
        """Yield the option for a table request, where it is offered; ``asks``: with a confirmation."""
        if wish not in self.requests.offered:
            return

        def do(_: int) -> None:
            self.requests.request(wish)

        yield Choice(text, do, (lambda: self._confirmation(text, do, None)) if asks else None)


def _rotate_to(seats: tuple[str, ...], first: str) -> tuple[str, ...]:
    at = seats.index(first)
    return (*seats[at:], *seats[:at])


def _is_redeal(cause: object) -> bool:
    return isinstance(cause, ThrownIn | Left | Came)


def _replace_bid(cause: object, seat: str, bid: BidValue) -> Event:
    """Return the event with another bid of ``seat``."""
    if isinstance(cause, BidsRevealed):
        return BidsRevealed(tuple((bidder, bid if bidder == seat else old) for bidder, old in cause.bids))
    return Bid(seat, bid)
