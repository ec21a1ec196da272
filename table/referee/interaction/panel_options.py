"""The options of the panel behind "that's wrong": a tree of levels with few lines each, the likeliest first.

The tree is made from the game's state, and made anew whenever that changes. What throws something away asks for
confirmation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import groupby, takewhile

from table.cards import PASS, BidValue, Card, UnseenCard, bid_to_json, card, tricks_of_bid
from table.events.event_registry import event_brief
from table.events.game_events import (
    Bid,
    BidsRevealed,
    Came,
    Ended,
    Event,
    Left,
    Passed,
    Played,
    Rapped,
    Rescored,
    Reseated,
    SuitNamed,
    ThrownIn,
    TrickTaken,
)
from table.games.engine.game_state import HandResult, Phase, Refusal, State, Trick
from table.i18n.rules_page import rules_paragraphs
from table.phrase import Phrase, make_phrase
from table.referee.interaction.corrections import (
    Change,
    bids_of_event,
    find_losses,
    last_correction,
    make_score_correction,
    try_correction,
    try_redo,
    try_undo,
)
from table.referee.interaction.option_levels import (
    Choice,
    Level,
    PanelContext,
    TableRequest,
    level_choice,
    make_suit_level,
    question_choices,
)
from table.referee.interaction.trick_review import review_choices
from table.referee.model.hypothesis import StoryEntry
from table.referee.records.journal_of_hypothesis import make_entry_phrase

MIN_OFFERED_CONFIDENCE = 0.01
"""The confidence below which other readings of a card are not offered."""
MAX_OFFERED_READINGS = 3
NEAREST_BIDS = 2
"""The number of other bids that are offered on the first level."""
MAX_UNDO_STEPS = 12
"""The number of last steps that are listed one by one for an undo."""
MAX_TENS_OFF = 15
"""The number of tens above and below a player's points that can be set for a hand."""

CLOSE = make_phrase("panel.close")
_RAPS = {
    Phase.BID: "panel.lets_others_bid",
    Phase.LEAD: "panel.lets_others_lead",
    Phase.PASS_CARDS: "panel.has_passed_cards",
    Phase.SECRET_BID: "panel.is_ready",
}
"""The text for entering another seat's rap: what it means in each phase where it may be made."""


def make_top_level(context: PanelContext) -> Level:
    """Return the panel's first level."""
    over = context.shared.state.phase is Phase.OVER
    title = make_phrase("panel.what_next" if over else "panel.what_is_wrong")
    return Level(title, tuple(_top_choices(context, over=over)))


def _top_choices(context: PanelContext, *, over: bool) -> Iterator[Choice]:
    yield from question_choices(context)
    if over:
        yield from _request_choice(context, TableRequest.NEXT, make_phrase("panel.next_game"))
        yield from _request_choice(context, TableRequest.MENU, make_phrase("panel.menu"))
    last = context.shared.find_last_event()
    if last is not None:
        yield from _likely(context, last)
        yield _undo(context, last)
    yield from _redo(context)
    yield from _picked_up(context)
    yield from _calls_for_others(context)
    yield from _tricks(context)
    yield from _bids(context)
    yield from _scores(context)
    if last is not None:
        yield from _undo_more(context, last)
    yield from _events(context)
    if not over:
        yield from _request_choice(context, TableRequest.PAUSE, make_phrase("panel.pause"))
        yield from _request_choice(context, TableRequest.MENU, make_phrase("panel.leave"), asks=True)
    yield from _request_choice(context, TableRequest.OFF, make_phrase("panel.switch_off"), asks=True)
    yield Choice(CLOSE)
    # To be looked at alone, and the last, so that older recordings choose what they chose.
    yield _rules(context)
    yield from review_choices(context)


def _rules(context: PanelContext) -> Choice:
    """Return the option that shows the rules."""
    game, text = context.shared.game, make_phrase("panel.rules")
    paragraphs = rules_paragraphs(game.name, game.rules_page_values(), package=game.spec.rules_page_package)
    numbers = range(1, len(paragraphs) + 1)
    parts = tuple(Choice(make_phrase("menu.at", at=number, lines=len(numbers))) for number in numbers)
    return Choice(text, open_level=lambda: Level(text, parts, reads_rules=True))


# --- undo and redo ------------------------------------------------------------------------------------------


def _undo(context: PanelContext, entry: StoryEntry) -> Choice:
    text = make_phrase("panel.undo", what=make_entry_phrase(entry))

    def do(t_ns: int) -> None:
        try_undo(context.shared, entry, context.by).put_in_force(t_ns)

    return Choice(text, do, key=(text, entry.t_ns))


def _undo_more(context: PanelContext, last: StoryEntry) -> Iterator[Choice]:
    hand = last.state_before.hand
    late = takewhile(
        lambda entry: entry.state_before.hand >= hand, context.shared.searched_hypothesis().entries()
    )
    steps = [entry for entry in late if entry.is_event and entry.state_before.hand == hand]
    # What came of one observation is undone together, and named by its first event.
    _, *earlier = (
        list(step)[-1] for _, step in groupby(steps, lambda entry: entry.observation_number or entry)
    )
    if not earlier:
        return
    choices = [
        _back_to(context, entry, make_entry_phrase(entry) or Phrase("word.nothing"))
        for entry in earlier[:MAX_UNDO_STEPS]
    ]
    choices.append(_back_to(context, steps[-1], make_phrase("panel.hand_again", hand=hand)))
    yield from level_choice(make_phrase("panel.undo_more"), "panel.how_far", choices)


def _back_to(context: PanelContext, entry: StoryEntry, text: Phrase) -> Choice:
    tried = partial(try_undo, context.shared, entry, context.by)
    return _confirmed(text, tried, always=True, key=(text, entry.t_ns))


def _redo(context: PanelContext) -> Iterator[Choice]:
    word = last_correction(context.shared)
    if word is None:
        return
    code = "panel.redo" if word.was_undo else "panel.unsay"
    text = make_phrase(code, what=word.description)
    yield _confirmed(text, partial(try_redo, context.shared, context.by), key=word)


# --- cards --------------------------------------------------------------------------------------------------


def _likely(context: PanelContext, entry: StoryEntry) -> Iterator[Choice]:
    """Yield the likeliest corrections of the last event."""
    cause = entry.cause
    if isinstance(cause, Played):
        yield from _readings(context, entry, cause)
        yield from _owners(context, entry, cause, fitting=True)
    elif isinstance(cause, Bid):
        yield from list(_other_bids(context, entry, cause.seat, cause.bid))[:NEAREST_BIDS]


def _readings(context: PanelContext, entry: StoryEntry, played: Played) -> Iterator[Choice]:
    landed = context.shared.search.context.landed
    fact = landed.get(entry.card_id) if entry.card_id is not None else None
    for reading in fact.readings[: MAX_OFFERED_READINGS + 1] if fact else ():
        other = Played(played.seat, card(reading.card))
        is_likely = reading.confidence >= MIN_OFFERED_CONFIDENCE
        if is_likely and other != played and context.shared.is_allowed(other, entry.state_before):
            was, now = str(played.card), str(other.card)
            text = make_phrase("panel.card_is", seat=played.seat, was=was, card=now)
            yield _correction_choice(context, entry, other, text)


def _owners(context: PanelContext, entry: StoryEntry, played: Played, *, fitting: bool) -> Iterator[Choice]:
    if isinstance(played.card, UnseenCard):
        return
    for seat in entry.state_before.players:
        other = Played(seat, played.card)
        if seat != played.seat and (not fitting or context.shared.is_allowed(other, entry.state_before)):
            text = make_phrase("panel.owner_is", card=str(played.card), seat=seat)
            yield _correction_choice(context, entry, other, text)


def _tricks(context: PanelContext) -> Iterator[Choice]:
    """Yield the options for the cards of this trick and of the one before."""
    state = context.shared.state
    yield from _trick(context, make_phrase("panel.this_trick"), state)
    taken = context.shared.find_last(lambda entry: isinstance(entry.cause, TrickTaken))
    hand = state.hand if state.tricks else state.hand - (state.phase is not Phase.OVER)
    if taken is not None and taken.state_before.hand == hand:
        yield from _trick(context, make_phrase("panel.last_trick"), taken.state_before)


def _trick(context: PanelContext, text: Phrase, state: State) -> Iterator[Choice]:
    """Yield the option for the cards of the trick in play in a state of the game."""
    choices = []
    for play in state.trick.plays:
        played = Played(play.seat, play.card)
        entry = _find_play(context, state, played)
        if entry is not None:
            said = make_phrase("panel.play", seat=play.seat, card=str(play.card))
            choices.append(Choice(said, open_level=partial(_card, context, entry, played, state.trick)))
    yield from level_choice(text, "panel.which_card", choices)


def _find_play(context: PanelContext, state: State, played: Played) -> StoryEntry | None:
    """Return the entry of a card that was played to the trick in play in ``state``."""

    def wanted(entry: StoryEntry) -> bool:
        before = entry.state_before
        in_trick = before.hand == state.hand and len(before.tricks) == len(state.tricks)
        return in_trick and entry.cause == played

    return context.shared.find_last(wanted)


def _card(context: PanelContext, entry: StoryEntry, played: Played, trick: Trick) -> Level:
    """Return the level of what a card may have been instead, or whose."""
    likely = [*_readings(context, entry, played), *_owners(context, entry, played, fitting=False)]
    suits = partial(_suits, context, entry, played, trick)
    if not likely:
        return suits()
    another = Choice(make_phrase("panel.another_card"), open_level=suits)
    return Level(make_phrase("panel.what_instead"), (*likely, another))


def _suits(context: PanelContext, entry: StoryEntry, played: Played, trick: Trick) -> Level:
    """Return the level of all cards but those of the same trick.

    Those can be corrected first: one laid before may have been misread.
    """

    def chosen(found: Card) -> Choice:
        text = make_phrase("panel.card", card=str(found))
        return _correction_choice(context, entry, Played(played.seat, found), text)

    pack = context.shared.game.pack()
    there = [entry.state_before.turned, *(play.card for play in trick.plays)]
    return make_suit_level(
        [candidate for candidate in pack if there.count(candidate) < pack.count(candidate)], chosen
    )


# --- calls for another seat, so that one broken button never stops a game ------------------------------------


def _calls_for_others(context: PanelContext) -> Iterator[Choice]:
    """Yield the options for entering another seat's call: the call itself where it is the only one."""
    seats = {
        seat: calls
        for seat in context.shared.expected.seats
        if (calls := tuple(_calls_of_seat(context, seat)))
    }
    if len(seats) > 1:
        names = [
            choice
            for seat, calls in seats.items()
            for choice in level_choice(make_phrase("panel.name", name=seat), "panel.which_call", calls)
        ]
        yield from level_choice(make_phrase("panel.press_for_somebody"), "panel.for_whom", names)
        return
    for seat, calls in seats.items():
        if len(calls) == 1:
            yield calls[0]
        else:
            yield from level_choice(make_phrase("panel.press_for", seat=seat), "panel.which_call", calls)


def _calls_of_seat(context: PanelContext, seat: str) -> Iterator[Choice]:
    """Yield the calls that a seat may make."""
    game, state = context.shared.game, context.shared.state
    if state.phase is Phase.DEAL:
        yield _enter_choice(context, make_phrase("panel.has_dealt", seat=seat), Rapped(seat))
    if context.shared.is_allowed(Rapped(seat)):
        yield _enter_choice(context, make_phrase(_RAPS[state.phase], seat=seat), Rapped(seat))
    if context.shared.is_allowed(Passed(seat)):
        yield _enter_choice(context, make_phrase("panel.passes", seat=seat), Passed(seat))
    if state.phase is Phase.SECRET_BID:
        yield from _secret_calls(context, seat)
        return
    bids = game.legal_bids(state, seat)
    if state.phase is Phase.AUCTION:
        yield from _by_tricks(context, seat, bids)
    else:
        yield from _call_bids(context, seat, bids)
    for suit in game.legal_suits(state, seat):
        yield _enter_choice(context, make_phrase("panel.suit", suit=suit), SuitNamed(seat, suit))


def _by_tricks(context: PanelContext, seat: str, bids: tuple[BidValue, ...]) -> Iterator[Choice]:
    """Yield an auction's bids, grouped by their number of tricks."""
    for number in dict.fromkeys(map(tricks_of_bid, bids)):
        calls = _call_bids(context, seat, (bid for bid in bids if tricks_of_bid(bid) == number))
        yield from level_choice(make_phrase("panel.number", bid=number), "panel.which_call", calls)


def _secret_calls(context: PanelContext, seat: str) -> Iterator[Choice]:
    """Yield the secret bids of a seat: where others have still to bid they will see it, so it asks for
    confirmation.
    """
    unbid = context.calls.seats_to_bid
    if seat not in unbid:
        return
    bids = tuple(_call_bids(context, seat, context.shared.game.legal_bids(context.shared.state, seat)))
    if set(unbid) == {seat}:
        yield from bids
        return
    text = make_phrase("panel.press_for", seat=seat)
    sure = level_choice(make_phrase("panel.yes", what=text), "panel.which_call", bids)
    choices = (Choice(make_phrase("panel.no")), *sure)
    warning = Level(make_phrase("panel.sure"), choices, make_phrase("panel.others_see"))
    yield Choice(text, open_level=lambda: warning)


def _call_bids(context: PanelContext, seat: str, bids: Iterable[BidValue]) -> Iterator[Choice]:
    for bid in bids:
        text = make_phrase("panel.bids_now", seat=seat, bid=bid_to_json(bid))
        yield _enter_choice(context, text, Bid(seat, bid))


# --- bids ---------------------------------------------------------------------------------------------------


def _bids(context: PanelContext) -> Iterator[Choice]:
    """Yield the option for the bids of this hand and of the one before, the latest first."""
    hand = context.shared.state.hand
    choices = [choice for number in (hand, hand - 1) for choice in _bids_of(context, number)]
    yield from level_choice(make_phrase("panel.bids"), "panel.which_bid", choices)


def _bids_of(context: PanelContext, hand: int) -> Iterator[Choice]:
    earlier = "" if hand == context.shared.state.hand else "earlier_"
    for entry in context.shared.searched_hypothesis().entries():
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
            others = _other_bids(context, entry, seat, bid)
            yield from level_choice(text, "panel.what_instead", others)


def _other_bids(
    context: PanelContext, entry: StoryEntry, seat: str, was: BidValue | None
) -> Iterator[Choice]:
    """Yield the corrections of a bid, the nearest bids first."""

    def away(bid: BidValue) -> int:
        return abs(bid - was) if isinstance(bid, int) and isinstance(was, int) else 99

    for bid in sorted(context.shared.game.legal_bids(entry.state_before, seat), key=away):
        if bid != was:
            said = PASS if was is None else bid_to_json(was)
            text = make_phrase("panel.bid_is", seat=seat, bid=bid_to_json(bid), was=said)
            yield _correction_choice(context, entry, _replace_bid(entry.cause, seat, bid), text)
    if was is not None and entry.state_before.phase is Phase.AUCTION:
        yield _correction_choice(context, entry, Passed(seat), make_phrase("panel.passed", seat=seat))


# --- scores -------------------------------------------------------------------------------------------------


def _scores(context: PanelContext) -> Iterator[Choice]:
    choices = [
        Choice(
            make_phrase("panel.hand", hand=result.hand, points=dict(result.points)),
            open_level=partial(_score, context, result),
            key=("hand", result.hand),
        )
        for result in reversed(context.shared.state.results)
    ]
    yield from level_choice(make_phrase("panel.scores"), "panel.which_hand", choices)


def _score(context: PanelContext, result: HandResult) -> Level:
    choices = tuple(
        Choice(
            make_phrase("panel.seat_points", seat=seat, points=points),
            open_level=partial(_other_scores, context, result.hand, seat, points),
        )
        for seat, points in result.points.items()
    )
    return Level(make_phrase("panel.whose_score"), choices)


def _other_scores(context: PanelContext, hand: int, seat: str, points: int) -> Level:
    """Return the level of a player's other scores in a hand: all of few; else tens, the nearest first, then ones."""

    def choices(scores: Iterable[int]) -> list[Choice]:
        return [
            _enter_choice(
                context,
                make_phrase("panel.seat_points", seat=seat, points=score),
                Rescored(hand, ((seat, score),)),
            )
            for score in scores
            if score != points
        ]

    possible = context.shared.game.rules.possible_scores
    if possible is not None:
        return Level(make_phrase("panel.what_instead"), tuple(choices(possible)))
    near = sorted(range(-MAX_TENS_OFF, MAX_TENS_OFF + 1), key=lambda away: (abs(away), -away))
    tens: list[Choice] = []
    for ten in (10 * (points // 10 + away) for away in near):
        line = make_phrase("panel.tens", first=ten, last=ten + 9)
        tens += level_choice(line, "panel.what_instead", choices(range(ten, ten + 10)))
    return Level(make_phrase("panel.what_instead"), tuple(tens))


# --- events outside the play of cards -----------------------------------------------------------------------


def _picked_up(context: PanelContext) -> Iterator[Choice]:
    winner = context.shared.state.trick.winner
    if winner is not None and context.shared.is_allowed(TrickTaken(winner)):
        text = make_phrase("panel.picked_up", seat=winner)
        yield _enter_choice(context, text, TrickTaken(winner))


def _events(context: PanelContext) -> Iterator[Choice]:
    """Yield the options for events at the table besides the game, as far as the rules allow them."""
    yield from _event_choice(context, make_phrase("panel.misdeal"), ThrownIn("misdeal"))
    seats = context.shared.game.seats
    players: list[Choice] = []
    for seat in seats:
        players += _event_choice(context, make_phrase("panel.comes", seat=seat), Came(seat))
    for seat in (context.by, *(seat for seat in seats if seat != context.by)):
        players += _event_choice(context, make_phrase("panel.leaves", seat=seat), Left(seat))
    yield from level_choice(make_phrase("panel.comes_and_goes"), "panel.who", players)
    yield from _chairs(context)
    yield from _event_choice(context, make_phrase("panel.end"), Ended())


def _chairs(context: PanelContext) -> Iterator[Choice]:
    """Yield the option for two people to change chairs: first whoever asks, then the others around the table."""
    seats = context.shared.state.seats
    if not context.shared.is_allowed(Reseated(seats)):
        return
    movers: list[Choice] = []
    for seat in _rotate_to(seats, context.by):
        swaps = [_swap(context, seat, other) for other in _rotate_to(seats, seat)[1:]]
        movers += level_choice(make_phrase("panel.name", name=seat), "panel.with_whom", swaps)
    yield from level_choice(make_phrase("panel.chairs"), "panel.who_moves", movers)


def _swap(context: PanelContext, seat: str, other: str) -> Choice:
    moved = {seat: other, other: seat}
    seats = tuple(moved.get(player, player) for player in context.shared.state.seats)
    text = make_phrase("panel.swap", seat=seat, other=other)
    return _enter_choice(context, text, Reseated(seats))


def _event_choice(context: PanelContext, text: Phrase, event: Event) -> Iterator[Choice]:
    """Yield the option for an event that the rules allow; it asks for confirmation if something is lost or
    somebody goes.
    """
    state = context.shared.state
    step = context.shared.game.apply(state, event)
    if isinstance(step, Refusal):
        return
    enter = partial(context.calls.enter_event, event, by=context.by)
    change = Change(find_losses(state, step.state), enter)
    yield _confirmed(text, lambda: change, always=not isinstance(event, Came))


# --- actions and helpers ------------------------------------------------------------------------------------


def _confirmed(
    text: Phrase, try_change: Callable[[], Change | None], *, always: bool = False, key: object = None
) -> Choice:
    """Return the option for a change that asks for confirmation where something will be lost, or ``always``.

    It is tried again when that is given: meanwhile the game may have moved on.
    """

    def do(t_ns: int) -> None:
        change = try_change()
        if change is not None:
            change.put_in_force(t_ns)

    def ask() -> Level | None:
        change = try_change()
        gone = change.lost if change is not None else None
        if not gone and not always:
            return None
        yes = Choice(make_phrase("panel.yes", what=text), do, key=("yes", gone))
        said = make_phrase("panel.lost", what=gone) if gone else make_phrase("panel.nothing_lost")
        return Level(make_phrase("panel.sure"), (Choice(make_phrase("panel.no")), yes), said)

    return Choice(text, do, ask, key)


def _correction_choice(context: PanelContext, entry: StoryEntry, event: Event, text: Phrase) -> Choice:
    shared, by = context.shared, context.by

    def correct_score(t_ns: int) -> None:
        score = make_score_correction(shared, entry, event)
        if score is not None:
            context.calls.enter_event(score, t_ns, by)
        else:
            shared.notify(shared.now_ns, "hint", "cant_be", by, by=by, what=event_brief(event))

    return _confirmed(text, lambda: try_correction(shared, entry, event, by) or Change(None, correct_score))


def _enter_choice(context: PanelContext, text: Phrase, event: Event) -> Choice:
    """Return the option for an event, which is entered without further ado."""
    return Choice(text, partial(context.calls.enter_event, event, by=context.by))


def _request_choice(
    context: PanelContext, wish: TableRequest, text: Phrase, *, asks: bool = False
) -> Iterator[Choice]:
    """Yield the option for a table request, where it is offered; ``asks``: with a confirmation."""
    if wish not in context.requests.offered:
        return

    def do(_: int) -> None:
        context.requests.requested = wish

    yield _confirmed(text, lambda: Change(None, do), always=asks)


def _rotate_to(seats: tuple[str, ...], first: str) -> tuple[str, ...]:
    at = seats.index(first)
    return (*seats[at:], *seats[:at])


def _replace_bid(cause: object, seat: str, bid: BidValue) -> Event:
    """Return the event with another bid of ``seat``."""
    if isinstance(cause, BidsRevealed):
        return BidsRevealed(tuple((bidder, bid if bidder == seat else old) for bidder, old in cause.bids))
    return Bid(seat, bid)
