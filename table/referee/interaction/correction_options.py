"""The options of the panel behind "that's wrong": a tree of levels with few lines each, the likeliest first.

The tree is made from the game's state, and made anew whenever that changes. What throws something away asks for
confirmation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import takewhile

from table.cards import PASS, BidValue, Card, UnseenCard, bid_to_json, card
from table.events.event_registry import event_line, line_brief
from table.events.game_events import (
    Bid,
    BidsRevealed,
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
from table.referee.interaction.answering import AnswerJudge
from table.referee.interaction.calls_for_others import CallsForOthers
from table.referee.interaction.corrections import Corrections
from table.referee.interaction.panel_requests import TableRequest, TableRequests
from table.referee.model.hypothesis import StoryEntry
from table.referee.model.notices import make_notice
from table.referee.model.option_levels import Choice, Level, level_choice, make_suit_level
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
    """Builds the levels of one player's panel."""

    def __init__(
        self,
        shared: SharedState,
        corrections: Corrections,
        answers: AnswerJudge,
        calls: CallsForOthers,
        requests: TableRequests,
        by: str,
    ) -> None:
        self.shared = shared
        self._corrections = corrections
        self._answers = answers
        self._calls = calls
        self._requests = requests
        self._by = by

    def make_top_level(self) -> Level:
        """Return the panel's first level."""
        over = self.shared.state.phase is Phase.OVER
        title = make_phrase("panel.what_next" if over else "panel.what_is_wrong")
        return Level(title, tuple(self._top_choices(over=over)))

    def _top_choices(self, *, over: bool) -> Iterator[Choice]:
        yield from self._answers.panel_choices(self._by)
        if over:
            yield from self._request_choice(TableRequest.NEXT, make_phrase("panel.next_game"))
            yield from self._request_choice(TableRequest.MENU, make_phrase("panel.menu"))
        last = self.shared.journal_sync.find_last(lambda entry: entry.is_event)
        if last is not None:
            yield from self._likely(last)
            yield self._undo(last)
        yield from self._redo()
        yield from self._picked_up()
        yield from self._calls.choices()
        yield from self._tricks()
        yield from self._bids()
        yield from self._scores()
        if last is not None:
            yield from self._undo_more(last)
        yield from self._events()
        if not over:
            yield from self._request_choice(TableRequest.PAUSE, make_phrase("panel.pause"))
            yield from self._request_choice(TableRequest.MENU, make_phrase("panel.leave"), asks=True)
        yield from self._request_choice(TableRequest.OFF, make_phrase("panel.switch_off"), asks=True)
        yield Choice(make_phrase("panel.close"))

    # --- undo and redo ------------------------------------------------------------------------------------------

    def _undo(self, at: int) -> Choice:
        entry = self._entry(at)
        text = make_phrase("panel.undo", what=make_entry_phrase(entry))
        return Choice(text, self._undo_action(at), key=(text, entry.t_ns))

    def _undo_action(self, at: int) -> Callable[[int], None]:
        def do(_: int) -> None:
            self._corrections.undo(at, self._by)

        return do

    def _undo_more(self, last: int) -> Iterator[Choice]:
        hand = self._entry(last).state_before.hand
        entries = self.shared.journal_sync.entries
        late = takewhile(lambda entry: entry.state_before.hand >= hand, reversed(entries))
        steps = [entry.index for entry in late if entry.is_event and entry.state_before.hand == hand][::-1]
        earlier = self._earlier_steps(steps, last)
        if not earlier:
            return
        choices = [
            self._back_to(at, make_entry_phrase(entries[at]) or Phrase("word.nothing"))
            for at in earlier[::-1][:MAX_UNDO_STEPS]
        ]
        choices.append(self._back_to(steps[0], make_phrase("panel.hand_again", hand=hand)))
        yield from level_choice(make_phrase("panel.undo_more"), "panel.how_far", choices)

    def _earlier_steps(self, steps: Sequence[int], last: int) -> list[int]:
        """Return the steps before the last that an undo can go back to.

        What came of one observation is undone together, and named by its first event.
        """
        entries = self.shared.journal_sync.entries

        def is_apart(at: int) -> bool:
            number = entries[at].observation_number
            is_first = at == steps[0] or number != entries[at - 1].observation_number
            return is_first and (number is None or number != entries[last].observation_number)

        return [at for at in steps if at != last and is_apart(at)]

    def _back_to(self, at: int, text: Phrase) -> Choice:
        do = self._undo_action(at)
        asks = partial(self._confirm_loss, text, do, partial(self._corrections.lost_by_undo, at), always=True)
        return Choice(text, do, asks, key=(text, self._entry(at).t_ns))

    def _redo(self) -> Iterator[Choice]:
        word = self._corrections.last_correction
        if word is None:
            return
        code = "panel.redo" if word.record.was_undo else "panel.unsay"
        text = make_phrase(code, what=word.record.description)

        def do(_: int) -> None:
            self._corrections.redo(self._by)

        asks = partial(self._confirm_loss, text, do, self._corrections.lost_by_redo)
        yield Choice(text, do, asks, key=(text, word.record.last_observation))

    # --- cards --------------------------------------------------------------------------------------------------

    def _likely(self, at: int) -> Iterator[Choice]:
        """Yield the likeliest corrections of the last event."""
        cause = self._entry(at).cause
        if isinstance(cause, Played):
            yield from self._readings(at, cause)
            yield from self._owners(at, cause, fitting=True)
        elif isinstance(cause, Bid):
            yield from list(self._other_bids(at, cause.seat, cause.bid))[:NEAREST_BIDS]

    def _readings(self, at: int, played: Played) -> Iterator[Choice]:
        piece = self._entry(at).card_id
        fact = self.shared.search.context.landed.get(piece) if piece is not None else None
        for reading in fact.readings[: MAX_OFFERED_READINGS + 1] if fact else ():
            other = Played(played.seat, card(reading.card))
            is_likely = reading.confidence >= MIN_OFFERED_CONFIDENCE
            if is_likely and other != played and self._is_possible(at, other):
                was, now = str(played.card), str(other.card)
                text = make_phrase("panel.card_is", seat=played.seat, was=was, card=now)
                yield self._correction_choice(at, other, text)

    def _owners(self, at: int, played: Played, *, fitting: bool) -> Iterator[Choice]:
        if isinstance(played.card, UnseenCard):
            return
        for seat in self._entry(at).state_before.players:
            other = Played(seat, played.card)
            if seat != played.seat and (not fitting or self._is_possible(at, other)):
                text = make_phrase("panel.owner_is", card=str(played.card), seat=seat)
                yield self._correction_choice(at, other, text)

    def _tricks(self) -> Iterator[Choice]:
        """Yield the options for the cards of this trick and of the one before."""
        state = self.shared.state
        yield from self._trick(make_phrase("panel.this_trick"), state.hand, len(state.tricks), state.trick)
        at = self.shared.journal_sync.find_last(lambda entry: isinstance(entry.cause, TrickTaken))
        if at is not None:
            before = self._entry(at).state_before
            hand = state.hand if state.tricks else state.hand - (state.phase is not Phase.OVER)
            if before.hand == hand:
                yield from self._trick(
                    make_phrase("panel.last_trick"), hand, len(before.tricks), before.trick
                )

    def _trick(self, text: Phrase, hand: int, number: int, trick: Trick) -> Iterator[Choice]:
        choices = []
        for play in trick.plays:
            at = self._played_at(hand, number, Played(play.seat, play.card))
            if at is not None:
                said = make_phrase("panel.play", seat=play.seat, card=str(play.card))
                choices.append(Choice(said, open_level=partial(self._card, at, trick)))
        yield from level_choice(text, "panel.which_card", choices)

    def _played_at(self, hand: int, number: int, played: Played) -> int | None:
        """Return the index of the entry of a card played to a trick."""

        def wanted(entry: StoryEntry) -> bool:
            before = entry.state_before
            return entry.cause == played and before.hand == hand and len(before.tricks) == number

        return self.shared.journal_sync.find_last(wanted)

    def _card(self, at: int, trick: Trick) -> Level:
        """Return the level of what a card may have been instead, or whose."""
        played = self._entry(at).cause
        assert isinstance(played, Played)
        likely = [*self._readings(at, played), *self._owners(at, played, fitting=False)]
        suits = partial(self._suits, at, played, trick)
        if not likely:
            return suits()
        another = Choice(make_phrase("panel.another_card"), open_level=suits)
        return Level(make_phrase("panel.what_instead"), (*likely, another))

    def _suits(self, at: int, played: Played, trick: Trick) -> Level:
        """Return the level of all cards but those of the same trick.

        Those can be corrected first: one laid before may have been misread.
        """

        def chosen(found: Card) -> Choice:
            text = make_phrase("panel.card", card=str(found))
            return self._correction_choice(at, Played(played.seat, found), text)

        pack = self.shared.game.pack()
        there = [self._entry(at).state_before.turned, *(play.card for play in trick.plays)]
        return make_suit_level(
            [candidate for candidate in pack if there.count(candidate) < pack.count(candidate)], chosen
        )

    # --- bids ---------------------------------------------------------------------------------------------------

    def _bids(self) -> Iterator[Choice]:
        """Yield the option for the bids of this hand and of the one before, the latest first."""
        hand = self.shared.state.hand
        choices = [choice for number in (hand, hand - 1) for choice in self._bids_of(number)]
        yield from level_choice(make_phrase("panel.bids"), "panel.which_bid", choices)

    def _bids_of(self, hand: int) -> Iterator[Choice]:
        earlier = "" if hand == self.shared.state.hand else "earlier_"
        for entry in reversed(self.shared.journal_sync.entries):
            cause, entry_hand = entry.cause, entry.state_before.hand
            is_redeal = isinstance(cause, ThrownIn | Left | Came)
            if entry_hand < hand or (entry_hand == hand and is_redeal):
                return
            if entry_hand > hand:
                continue
            said = {cause.seat: None} if isinstance(cause, Passed) else bids_of_event(cause)
            for seat, bid in said.items():
                code = "pass" if bid is None else "bid"
                value = None if bid is None else bid_to_json(bid)
                text = make_phrase(f"panel.{earlier}{code}", seat=seat, bid=value, hand=hand)
                others = self._other_bids(entry.index, seat, bid)
                yield from level_choice(text, "panel.what_instead", others)

    def _other_bids(self, at: int, seat: str, was: BidValue | None) -> Iterator[Choice]:
        """Yield the corrections of a bid, the nearest bids first."""
        entry = self._entry(at)

        def away(bid: BidValue) -> int:
            return abs(bid - was) if isinstance(bid, int) and isinstance(was, int) else 99

        for bid in sorted(self.shared.game.legal_bids(entry.state_before, seat), key=away):
            if bid != was:
                said = PASS if was is None else bid_to_json(was)
                text = make_phrase("panel.bid_is", seat=seat, bid=bid_to_json(bid), was=said)
                yield self._correction_choice(at, _replace_bid(entry.cause, seat, bid), text)
        if was is not None and entry.state_before.phase is Phase.AUCTION:
            yield self._correction_choice(at, Passed(seat), make_phrase("panel.passed", seat=seat))

    # --- scores -------------------------------------------------------------------------------------------------

    def _scores(self) -> Iterator[Choice]:
        choices = [
            Choice(
                make_phrase("panel.hand", hand=result.hand, points=dict(result.points)),
                open_level=partial(self._score, result),
                key=("hand", result.hand),
            )
            for result in reversed(self.shared.state.results)
        ]
        yield from level_choice(make_phrase("panel.scores"), "panel.which_hand", choices)

    def _score(self, result: HandResult) -> Level:
        choices = tuple(
            Choice(
                make_phrase("panel.seat_points", seat=seat, points=points),
                open_level=partial(self._tens, result.hand, seat, points),
            )
            for seat, points in result.points.items()
        )
        return Level(make_phrase("panel.whose_score"), choices)

    def _tens(self, hand: int, seat: str, points: int) -> Level:
        """Return the level of points by their tens, the nearest first, then by their ones."""
        near = sorted(range(-MAX_TENS_OFF, MAX_TENS_OFF + 1), key=lambda away: (abs(away), -away))
        choices: list[Choice] = []
        for ten in (10 * (points // 10 + away) for away in near):
            ones = [
                Choice(
                    make_phrase("panel.seat_points", seat=seat, points=score),
                    self._event_action(Rescored(hand, ((seat, score),))),
                )
                for score in range(ten, ten + 10)
                if score != points
            ]
            tens = make_phrase("panel.tens", first=ten, last=ten + 9)
            choices += level_choice(tens, "panel.what_instead", ones)
        return Level(make_phrase("panel.what_instead"), tuple(choices))

    # --- events outside the play of cards -----------------------------------------------------------------------

    def _picked_up(self) -> Iterator[Choice]:
        winner = self.shared.state.trick.winner
        if winner is not None and self.shared.is_allowed(TrickTaken(winner)):
            text = make_phrase("panel.picked_up", seat=winner)
            yield Choice(text, self._event_action(TrickTaken(winner)))

    def _events(self) -> Iterator[Choice]:
        """Yield the options for events at the table besides the game, as far as the rules allow them."""
        yield from self._event_choice(make_phrase("panel.misdeal"), ThrownIn("misdeal"))
        seats = self.shared.game.seats
        players: list[Choice] = []
        for seat in seats:
            players += self._event_choice(make_phrase("panel.comes", seat=seat), Came(seat))
        for seat in (self._by, *(seat for seat in seats if seat != self._by)):
            players += self._event_choice(make_phrase("panel.leaves", seat=seat), Left(seat))
        yield from level_choice(make_phrase("panel.comes_and_goes"), "panel.who", players)
        yield from self._chairs()
        yield from self._event_choice(make_phrase("panel.end"), Ended())

    def _chairs(self) -> Iterator[Choice]:
        """Yield the option for two people to change chairs: first whoever asks, then the others around the table."""
        seats = self.shared.state.seats
        if not self.shared.is_allowed(Reseated(seats)):
            return
        movers: list[Choice] = []
        for seat in _rotate_to(seats, self._by):
            swaps = [self._swap(seat, other) for other in _rotate_to(seats, seat)[1:]]
            movers += level_choice(make_phrase("panel.name", name=seat), "panel.with_whom", swaps)
        yield from level_choice(make_phrase("panel.chairs"), "panel.who_moves", movers)

    def _swap(self, seat: str, other: str) -> Choice:
        moved = {seat: other, other: seat}
        seats = tuple(moved.get(player, player) for player in self.shared.state.seats)
        text = make_phrase("panel.swap", seat=seat, other=other)
        return Choice(text, self._event_action(Reseated(seats)))

    def _event_choice(self, text: Phrase, event: Event) -> Iterator[Choice]:
        """Yield the option for an event that the rules allow; it asks for confirmation if something is lost or
        somebody goes.
        """
        state = self.shared.state
        step = self.shared.game.apply(state, event)
        if isinstance(step, Refusal):
            return
        do, gone = self._event_action(event), find_losses(state, step.state)
        always = not isinstance(event, Came)
        yield Choice(text, do, partial(self._confirm_loss, text, do, lambda: gone, always=always))

    # --- actions and helpers ------------------------------------------------------------------------------------

    def _confirm_loss(
        self,
        text: Phrase,
        do: Callable[[int], None],
        find_loss: Callable[[], Phrase | None],
        *,
        always: bool = False,
    ) -> Level | None:
        """Return the confirmation of an option, with what will be lost; None for no loss, unless ``always``."""
        gone = find_loss()
        if not gone and not always:
            return None
        yes = Choice(make_phrase("panel.yes", what=text), do, key=("yes", gone))
        said = make_phrase("panel.lost", what=gone) if gone else make_phrase("panel.nothing_lost")
        return Level(make_phrase("panel.sure"), (Choice(make_phrase("panel.no")), yes), said)

    def _entry(self, at: int) -> StoryEntry:
        return self.shared.journal_sync.entries[at]

    def _is_possible(self, at: int, event: Event) -> bool:
        return not isinstance(self.shared.game.apply(self._entry(at).state_before, event), Refusal)

    def _correction_choice(self, at: int, event: Event, text: Phrase) -> Choice:
        def do(t_ns: int) -> None:
            if self._corrections.correct(at, event, self._by):
                return
            score = self._corrections.make_score_correction(at, event)
            if score is not None:
                self._event_action(score)(t_ns)
            else:
                what = line_brief(event_line(event))
                self._corrections.notify("cant_be", self._by, kind="hint", what=what)

        find_loss = partial(self._corrections.lost_by_correction, at, event)
        return Choice(text, do, partial(self._confirm_loss, text, do, find_loss))

    def _event_action(self, event: Event) -> Callable[[int], None]:
        def do(t_ns: int) -> None:
            what = line_brief(event_line(event))
            said = make_notice(t_ns, "ruling", "said_so", self._by, by=self._by, what=what)
            self.shared.apply_event(event, t_ns, said, certain=True)

        return do

    def _request_choice(self, wish: TableRequest, text: Phrase, *, asks: bool = False) -> Iterator[Choice]:
        """Yield the option for a table request, where it is offered; ``asks``: with a confirmation."""
        if wish not in self._requests.offered:
            return

        def do(_: int) -> None:
            self._requests.requested = wish

        yield Choice(text, do, partial(self._confirm_loss, text, do, lambda: None, always=asks))


def _rotate_to(seats: tuple[str, ...], first: str) -> tuple[str, ...]:
    at = seats.index(first)
    return (*seats[at:], *seats[:at])


def _replace_bid(cause: object, seat: str, bid: BidValue) -> Event:
    """Return the event with another bid of ``seat``."""
    if isinstance(cause, BidsRevealed):
        return BidsRevealed(tuple((bidder, bid if bidder == seat else old) for bidder, old in cause.bids))
    return Bid(seat, bid)
