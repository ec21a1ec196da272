"""The search: the few best explanations of everything observed in the hand in play.

Each observation turns every explanation into those that may follow from it; the unlikely ones are dropped. Where the
past is seen in another light, everything from there on is worked out again: so whatever the referee believes follows
from the log and from what people have said, and from nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from table.events.happenings import Bid, BidValue, Dealt, Event, Passed, Rapped
from table.events.remarks import refused
from table.facts import CardLanded, Reading
from table.games.base import Phase, Refusal, State
from table.games.copies import but
from table.games.game import Game
from table.referee.departures import Departures
from table.referee.dial import dial_for
from table.referee.explanation import Entry, Explanation, Piece
from table.referee.found import Found
from table.referee.notices import notice
from table.referee.observations import (
    Cleared,
    Happened,
    Idle,
    KeptBack,
    Landed,
    Left,
    Looked,
    Observation,
    Quiet,
    Remarked,
    Restarted,
    Turned,
)
from table.referee.odds import ODDS
from table.referee.plays import PLAYING, Bound, agreed
from table.referee.setting import Pins, Reach, Setting
from table.referee.suspicion import disbelieved, suspects
from table.referee.together import Together
from table.referee.unheard import CALLING, DIALLED
from table.referee.unwatched import Unwatched
from table.referee.width import Width, wanted

STAY = 0.7
"""Nats: the table changes its mind for another explanation only if that is so much likelier."""
DOUBTED = 4
"""So many explanations are followed when a sure reading is doubted."""
LEGAL = ("forbidden_bid", "hook", "not_your_turn", "no_such_bid")
"""Why bids are refused that people make often."""
BETTER = 0.2
"""A card is read otherwise when another look is so much surer."""


class Search:
    """The explanations of the hand in play, on top of what is settled of the one before.

    The log begins with the hand before, so that people may still put that right. Its end is a gate: once the next hand
    is dealt one explanation of it stands, the one in force, and nothing seen later changes that. Where that is follows
    from the log and from what people have said, as all else does: a deal that is undone has closed nothing.
    """

    def __init__(self, setting: Setting, root: Explanation) -> None:
        self.setting = setting
        self.log: list[Observation] = []
        self.root = root
        """What is settled for good: where the hand before began, or this one, if it is the first."""
        self.beam: tuple[Explanation, ...] = (root,)
        """The likeliest first."""
        self._beams: list[tuple[Explanation, ...]] = []
        """Before each observation."""
        self.best = root
        """The explanation in force: the likeliest, or one nearly as likely that goes on from what was in force before.

        It follows from the log and from what people have said, so what is undone leaves no trace in it.
        """
        self._bests: list[Explanation] = []
        """In force before each observation."""
        self._gates: list[int] = []
        """The places in the log where hands begin of which the one before is closed."""
        self._dropped = 0
        """So many observations came before the log, and count for the places that explanations know."""
        self.width = Width()
        """How much is followed, and from where on."""
        self._widths: list[Width] = []
        """Before each observation."""
        self.until_s: float | None = None
        """How much of a processor this thread may have used, in seconds, before ``TooMuchError``; None: any amount."""

    # --- what is asked ------------------------------------------------------------------------------------------

    @property
    def hand(self) -> int:
        """The number of the hand in play: the one before is closed."""
        return self.opened.state.hand

    @property
    def gate(self) -> int:
        """The place in the log where the hand in play begins."""
        return self._gates[-1] if self._gates else 0

    @property
    def opened(self) -> Explanation:
        """Where the hand in play began."""
        return (self._beams[self.gate] if self.gate < len(self._beams) else self.beam)[0]

    @property
    def beams(self) -> tuple[tuple[Explanation, ...], ...]:
        """The explanations before each observation, and those that hold now."""
        return (*self._beams, self.beam)

    # --- what is observed ---------------------------------------------------------------------------------------

    def take(self, observation: Observation) -> None:
        """Account for one more observation."""
        if isinstance(observation, Landed):
            landed = {**self.setting.landed, **{fact.id: fact for fact in observation.cards}}
            self.setting = replace(self.setting, landed=landed)
        self.log.append(observation)
        self._go_on(len(self.log) - 1)

    def reread(self, number: int, readings: tuple[Reading, ...]) -> None:
        """A card is read otherwise, or better: everything since it landed is worked out again."""
        fact = self.setting.landed.get(number)
        if fact is None:
            return
        better = replace(fact, readings=_together(fact.readings, readings))
        if better.readings == fact.readings:
            return
        self.setting = replace(self.setting, landed={**self.setting.landed, number: better})
        at = self._landing(number)
        if at is not None and at >= self.gate:
            self.again(at)

    def pin(self, pins: Pins) -> None:
        """People have said something: this hand and the one before are worked out again."""
        self.setting = replace(self.setting, pins=pins)
        self.again(0)

    def copy(self) -> Search:
        """The same, to try something on."""
        other = Search(self.setting, self.root)
        other.log, other._beams, other.beam = list(self.log), list(self._beams), self.beam
        other._bests, other.best = list(self._bests), self.best
        other._widths, other.width = list(self._widths), self.width
        other._gates, other._dropped = list(self._gates), self._dropped
        return other

    def read_as(self, other: Search) -> None:
        """Cards are read as ``other`` has read them since."""
        better = {
            number: other.setting.landed.get(number, fact) for number, fact in self.setting.landed.items()
        }
        if better != self.setting.landed:
            self.setting = replace(self.setting, landed=better)
            self.again(0)

    def settled_otherwise(self, root: Explanation) -> None:
        """What is settled for good is otherwise: what has been observed since is worked out again on top of it."""
        self.begin(root, self.log)

    def again(self, at: int) -> None:
        """Work everything out again, from the observation of that place in the log on."""
        if at < len(self._beams):
            self.beam, self.best, self.width = self._beams[at], self._bests[at], self._widths[at]
        del self._beams[at:], self._bests[at:], self._widths[at:]
        self._gates = [gate for gate in self._gates if gate <= at and gate]
        for place in range(at, len(self.log)):
            self._go_on(place)

    def begin(self, root: Explanation, log: Sequence[Observation] = ()) -> None:
        """Start anew from what is settled, with what has been observed since."""
        self.root = but(_settled(root), earlier=None, item=-1)
        self.log, self._beams, self.beam, self._gates = list(log), [], (self.root,), []
        self._bests, self.best = [], self.root
        self._widths, self.width = [], Width()
        self._dropped = 0
        self._forget()
        self.again(0)

    def reopen(self, root: Explanation, log: Sequence[Observation], gate: int, opened: Explanation) -> None:
        """Start anew as by :meth:`begin`, with what stood of the hand before when the one in play began.

        That hand is worked out again when people change something in it, and not before.
        """
        self.root = but(_settled(root), earlier=None, item=-1)
        self.log, self._gates, self._dropped = list(log), [gate], 0
        self._forget()
        self.best = _settled(opened)
        self.beam = (self.best,)
        self._beams = [(self.root,), *([self.beam] * (gate - 1))]
        self._bests = [self.root, *([self.best] * (gate - 1))]
        self._widths, self.width = [Width()] * gate, Width()
        self.again(gate)

    def settle(self) -> None:
        """Nobody changes the hand before the last one any more: it is settled for good."""
        if len(self._gates) < 2:
            return
        gone = self._gates[-2]
        self.root = self._beams[gone][0]
        self.log, self._beams, self._bests = self.log[gone:], self._beams[gone:], self._bests[gone:]
        self._widths = self._widths[gone:]
        self._gates = [self._gates[-1] - gone]
        self._dropped += gone
        self._forget()

    def _forget(self) -> None:
        """Keep nothing of cards that no observation of the log is about, and that don't lie there."""
        known = {fact.id for one in self.log if isinstance(one, Landed) for fact in one.cards}
        known |= {piece.id for piece in self.root.pieces if piece.id is not None}
        landed = {number: fact for number, fact in self.setting.landed.items() if number in known}
        self.setting = replace(self.setting, landed=landed)

    # --- how it goes on -----------------------------------------------------------------------------------------

    def _go_on(self, place: int) -> None:
        """Account for the observation of that place in the log; where it closes a hand, for those since then anew."""
        self._account(place)
        first = self._closing()
        if first is None:
            return
        gate = first.item + 1 - self._dropped
        del self._beams[gate:], self._bests[gate:], self._widths[gate:]
        self._gates.append(gate)
        self.best = _settled(first)
        self.beam, self.width = (self.best,), Width()
        for later in range(gate, place + 1):
            self._account(later)

    def _account(self, place: int) -> None:
        self._beams.append(self.beam)
        self._bests.append(self.best)
        self._widths.append(self.width)
        setting = replace(self.setting, reach=self.width.reach)
        self.beam = self._step(self.beam, place, setting)
        surprise = self.beam[0].cost - self._beams[place][0].cost
        for width in [*wanted(self.beam[0], surprise, self.gate + self._dropped)]:
            if width.more_than(self.width):
                self.width = width.along_with(self.width)
                self.beam = likeliest([*self.beam, *self._looking_wider(width, place)], self.width.reach)
        for number in suspects(self.beam[0], self.log[place], self.setting):
            self.beam = likeliest([*self.beam, *self._doubting(number, place)], self.width.reach)
        self.width = self.width.at_rest(self.beam[0])
        self.best = _in_force(self.beam, self.best, self.setting)

    def _closing(self) -> Explanation | None:
        """What stands of the hand in play once the next one is dealt; None before."""
        hand = self.best.state.hand
        if hand == self.hand or self.best.state.phase is Phase.DEAL:
            return None
        first = self.best
        while first.earlier is not None and first.earlier.state.hand == hand:
            first = first.earlier
        return first

    def _looking_wider(self, width: Width, place: int) -> tuple[Explanation, ...]:
        """What explains everything up to ``place``, if less is let go on the way."""
        setting = replace(self.setting, reach=width.reach)
        since = round(width.since) - self._dropped
        beam = self._beams[since]
        for later in range(since, place + 1):
            beam = self._step(beam, later, setting)
        return beam

    def _doubting(self, number: int, place: int) -> tuple[Explanation, ...]:
        """What else explains everything up to ``place``, if a card is not what was read for sure."""
        at = self._landing(number)
        if at is None or at > place:
            return ()
        # What is not believed to be what was read for sure stays in doubt.
        others = frozenset(disbelieved(self.beam[0]))
        setting = replace(self.setting, doubted=others, denied=number)
        beam = self._beams[at][:DOUBTED]
        for later in range(at, place + 1):
            beam = self._step(beam, later, setting)[: 2 * DOUBTED]
        return beam

    def _landing(self, number: int) -> int | None:
        """The place in the log where the card of that number landed."""
        for place, one in enumerate(self.log):
            if isinstance(one, Landed) and any(card.id == number for card in one.cards):
                return place
        return None

    def _step(self, beam: Sequence[Explanation], place: int, setting: Setting) -> tuple[Explanation, ...]:
        observation = self.log[place]
        bound = Bound(until_s=self.until_s)
        found: list[Explanation] = []
        for one in beam:
            if one.cost > bound.limit:
                break  # nothing that follows costs less
            bound.check()
            for after in _after(one, observation, bound, setting):
                if after.cost <= bound.limit:
                    found.append(but(after, earlier=one, item=self._dropped + place))
                    bound.limit = min(bound.limit, after.cost + setting.reach.margin)
        return likeliest(found, setting.reach)


def _in_force(beam: tuple[Explanation, ...], before: Explanation, setting: Setting) -> Explanation:
    """The likeliest explanation; one that goes on from what was in force before stays, if it is nearly as likely.

    Of the trick in play what people have said holds already.
    """
    costs = [one.cost + setting.said_otherwise(one.state) for one in beam]
    least = min(costs)
    near = [one for one, cost in zip(beam, costs, strict=True) if cost <= least + STAY]
    first = beam[costs.index(least)]
    return next((one for one in near if _goes_on(one, before)), first)


def _settled(one: Explanation) -> Explanation:
    """An explanation that stands: it is no more or less likely than any other."""
    return but(one, cost=0.0, revokes=frozenset(), careless=ODDS.careless)


def likeliest(found: Sequence[Explanation], reach: Reach) -> tuple[Explanation, ...]:
    """The few that are worth following, the likeliest first; of those that come to the same, the likeliest.

    Half of them see the trick in play and the mark in ways of their own: else those that differ in what is past
    would leave no room for another view of what lies there now.
    """
    apart: dict[tuple[object, ...], Explanation] = {}
    ranked = sorted(found, key=lambda one: one.cost)
    for one in ranked:
        if one.cost > ranked[0].cost + reach.margin:
            break
        apart.setdefault(one.key(), one)
    kept = list(apart.values())
    if len(kept) <= reach.most:
        return tuple(kept)
    views: dict[tuple[object, ...], Explanation] = {}
    for one in kept:
        views.setdefault(one.present(), one)
    chosen = {id(one) for one in [*views.values()][: reach.views]}
    rest = [one for one in kept if id(one) not in chosen][: reach.most - len(chosen)]
    chosen |= {id(one) for one in rest}
    return tuple(one for one in kept if id(one) in chosen)


def _after(
    one: Explanation, observation: Observation, bound: Bound, setting: Setting
) -> Iterator[Explanation]:
    """What may follow from an explanation, once this has been observed."""
    number = observation.number
    if number in setting.pins.struck:
        yield _struck(one, observation, setting)
        return
    yield from _after_cards(one, observation, bound, setting)
    yield from _after_words(one, observation, bound, setting)


def _after_cards(
    one: Explanation, observation: Observation, bound: Bound, setting: Setting
) -> Iterator[Explanation]:
    """What may follow once cards came or went, or did neither for so long; nothing of anything else."""
    number = observation.number
    match observation:
        case Landed():
            plays = Found(setting) if observation.found else Together(setting)
            yield from plays.leads(one, _as_read(observation, setting), number, bound)
        case Left():
            yield from Departures(setting).left(one, observation.cards, number, bound)
        case Quiet():
            yield from Departures(setting).quiet(one, observation.t_ns, number)
        case Idle():
            yield from _idle(one, observation, bound, setting)
        case Restarted():
            yield one.out_of_sight(observation.waiting)
        case Looked():
            yield from Unwatched(setting).looked_for(one, observation.t_ns, number)


def _after_words(
    one: Explanation, observation: Observation, bound: Bound, setting: Setting
) -> Iterator[Explanation]:
    """What may follow once somebody has called, or something was said; nothing of anything else."""
    match observation:
        case Happened():
            yield from _happened(one, observation, bound, setting)
        case Turned():
            yield from _turned(one, observation, bound, setting)
        case Cleared():
            yield _cleared(one, observation)
        case KeptBack():
            yield _kept(one, observation)
        case Remarked():
            number, notices = observation.number, observation.notices
            yield one.remarked(observation.said, observation.t_ns, item=number, notices=notices)


def _as_read(observation: Landed, setting: Setting) -> list[CardLanded]:
    """The cards that landed, as they have been read since."""
    return [setting.landed.get(fact.id, fact) for fact in observation.cards]


def _struck(one: Explanation, observation: Observation, setting: Setting) -> Explanation:
    """What an observation leaves that has been undone."""
    match observation:
        case Landed():
            return _only_lies(one, _as_read(observation, setting), setting)
        case Left():
            return _only_leaves(one, observation)
        case Quiet():
            return _only_pauses(one)
    return one


def _happened(one: Explanation, call: Happened, bound: Bound, setting: Setting) -> Iterator[Explanation]:
    plays = Together(setting)
    event = setting.pins.events.get(call.number, call.event)
    after = _apply(one, event, call, setting)
    if not isinstance(after, Refusal):
        yield plays.settled(agreed(after), call.t_ns, call.number)
        return
    if isinstance(event, Dealt | Rapped) or (isinstance(event, Bid | Passed) and one.state.phase in CALLING):
        for way in plays.ways(one, call.t_ns, call.number, bound):
            meant = _apply(way, event, call, setting) if way is not one else after
            if not isinstance(meant, Refusal):
                yield plays.settled(meant, call.t_ns, call.number)
    yield _refused(one, event, after, call)


def _turned(one: Explanation, turn: Turned, bound: Bound, setting: Setting) -> Iterator[Explanation]:
    """BID was tapped or held while a dial was believed to be turned, or an auction to be next."""
    dialling = one.state.phase in DIALLED
    if not dialling:
        yield from _happened(one, Happened(turn.number, turn.t_ns, turn.event), bound, setting)
    for way in Together(setting).ways(one, turn.t_ns, turn.number, bound):
        if way.state.phase in DIALLED and setting.game.expected(way.state).default == turn.seat:
            yield but(way, dialled=_dial(way, turn, setting.game))
        elif dialling and way.state.phase not in DIALLED:
            after = way.applied(setting.game, turn.event, turn.t_ns, item=turn.number)
            if not isinstance(after, Refusal):
                yield after
    if not dialling:
        return
    seat = setting.game.expected(one.state).default
    if seat != turn.seat:
        sentence = notice(turn.t_ns, "hint", "not_your_dial", turn.seat, seat=seat)
        cost = _early(one, turn.seat)
        yield one.remarked(None, turn.t_ns, item=turn.number, notices=(sentence,)).costing(cost)


def _dial(one: Explanation, turn: Turned, game: Game) -> tuple[str, BidValue] | None:
    """What the dial of whose turn it is shows after that."""
    auction = one.state.phase is Phase.AUCTION
    choices = (game.legal_bids if auction else game.legal_suits)(one.state, turn.seat)
    dial = dial_for(turn.seat, choices)
    if one.dialled is not None and one.dialled[0] == turn.seat:
        dial = replace(dial, shown=one.dialled[1])
    if turn.taps:
        dial = dial.step(turn.taps, None)
    elif auction:
        dial = dial.level(None)
    return (turn.seat, dial.shown) if dial.shown is not None else None


def _idle(one: Explanation, idle: Idle, bound: Bound, setting: Setting) -> Iterator[Explanation]:
    played = setting.pins.silences.get(idle.number)
    for way in Together(setting).ways(one, idle.t_ns, idle.number, bound):
        otherwise = played is not None and not _beyond(way.state, *played)
        yield way.costing(ODDS.contradicted if otherwise else _stillness(way))


def _beyond(state: State, deal: int, trick: int) -> bool:
    """Whether all cards of a trick have been played."""
    come_to = (state.deal, len(state.tricks) + 1)
    return come_to > (deal, trick) or (come_to == (deal, trick) and state.phase is Phase.PICK_UP)


def _cleared(one: Explanation, cleared: Cleared) -> Explanation:
    """The dial shows nothing any more, if it is that player's."""
    mine = one.dialled is not None and one.dialled[0] == cleared.seat
    return but(one, dialled=None) if mine else one


def _stillness(one: Explanation) -> float:
    """What it costs that nothing has moved for so long: a card is waited for, or not all is seen as it lies."""
    cost = 0.0 if one.state.phase in (Phase.DEAL, Phase.OVER) else ODDS.idle
    if any(piece.kind == "done" and piece.id is not None for piece in one.pieces):
        cost += ODDS.still_seen
    seen = (piece for piece in one.laid() if piece.card is not None and not piece.card.is_unseen)
    return cost + (ODDS.still_lost if any(piece.id is None for piece in seen) else 0.0)


def _kept(one: Explanation, secret: KeptBack) -> Explanation:
    if one.state.phase is not Phase.SECRET_BID:
        return one
    return but(one, kept=(*one.kept, (secret.seat, secret.bid)))


def _early(one: Explanation, seat: str) -> float:
    """What it costs that somebody calls at another player's turn: who does so does so again until it is seen."""
    for entry in one.entries():
        if entry.changes:
            return ODDS.called_early
        if any(seat in said.seats for said in entry.notices):
            break
    return ODDS.refused / 4


def _apply(one: Explanation, event: Event, call: Happened, setting: Setting) -> Explanation | Refusal:
    if call.number not in setting.pins.events and not call.certain:
        event = _dialled(one, event, blind=call.blind)
    return one.applied(
        setting.game,
        _meaning(one.state, event),
        call.t_ns,
        extra=call.extra,
        item=call.number,
        notices=call.notices,
    )


def _dialled(one: Explanation, event: Event, *, blind: bool) -> Event:
    """A rap calls what its player's dial shows, where it was turned.

    What was read from the screen is called as it stood there; where nobody saw the dial (``blind``), as it stands here.
    """
    by_dial = Dealt | Rapped | Passed | Bid if blind else Dealt | Rapped | Passed
    if not isinstance(event, by_dial) or one.dialled is None:
        return event
    seat, shown = one.dialled
    return Bid(seat, shown) if seat == event.seat else event


def _meaning(state: State, event: Event) -> Event:
    """What a rap means depends on where the game stands."""
    if isinstance(event, Dealt | Rapped | Passed):
        if state.phase is Phase.AUCTION:
            return Passed(event.seat)
        dealing = state.phase in (Phase.DEAL, Phase.TURN_UP)
        return Dealt(event.seat) if dealing else Rapped(event.seat)
    return event


def _refused(one: Explanation, event: Event, refusal: Refusal, call: Happened) -> Explanation:
    """A call that can't be: it is said, and it speaks a little against the explanation."""
    if call.certain:
        return one.costing(ODDS.contradicted)
    if isinstance(event, Bid):
        sentence = notice(call.t_ns, "ruling", "refused", event.seat, why=refusal.why)
        after = one.remarked(
            refused(event, refusal.code, refusal.why), call.t_ns, item=call.number, notices=(sentence,)
        )
        return after.costing(_surprise(one, event, refusal))
    seat = getattr(event, "seat", None)
    sentence = notice(call.t_ns, "hint", "refused", seat, why=refusal.why)
    after = one.remarked(None, call.t_ns, item=call.number, notices=(sentence,))
    return after.costing(_surprise(one, event, refusal))


def _surprise(one: Explanation, event: Event, refusal: Refusal) -> float:
    """What a call that can't be speaks against an explanation."""
    state = one.state
    if state.phase is Phase.AUCTION and isinstance(event, Bid | Passed | Rapped):
        if isinstance(event, Bid) and (event.seat, event.bid) in state.calls:
            return 0.0
        if refusal.code == "not_your_turn":
            return _early(one, event.seat)
    if isinstance(event, Bid):
        return ODDS.refused / 4 if refusal.code in LEGAL else ODDS.refused
    if refusal.code == "already_rapped":
        return ODDS.rapped_again
    dealing = isinstance(event, Dealt | Rapped) and state.phase in (*PLAYING, Phase.PICK_UP)
    return ODDS.refused_deal if dealing else ODDS.refused


def _only_lies(one: Explanation, facts: Sequence[CardLanded], setting: Setting) -> Explanation:
    """What an undone landing leaves: the card lies there and counts for nothing; its player takes it back."""
    for fact in facts:
        name = setting.names(fact, one)[0]
        if not fact.readings:
            one = one.with_piece(Piece(fact.id, None, None, "unread"))
            continue
        seat = setting.arm(fact, one.state).seat or setting.game.expected(one.state).default
        one = one.with_piece(Piece(fact.id, name.card, seat, "back", confidence=name.confidence))
    return one


def _only_leaves(one: Explanation, observation: Left) -> Explanation:
    """What an undone departure leaves: the cards are out of sight, and what they counted for stands."""
    ids = {fact.id for fact in observation.cards}
    for piece in one.pieces:
        if piece.id in ids:
            stays = piece.kind in ("played", "turned up")
            one = one.changed(piece, replace(piece, id=None) if stays else None)
    return one


def _only_pauses(one: Explanation) -> Explanation:
    """What an undone pause leaves: the pick-up has begun, and is not over."""
    return but(one, leaving=replace(one.leaving, quiet_ns=None)) if one.leaving is not None else one


def _goes_on(one: Explanation, said: Explanation) -> bool:
    """Whether what was said still stands in ``one``."""
    if said.last is None:
        return True
    mine = next((entry for entry in one.entries() if entry.place <= said.last.place), None)
    theirs: Entry | None = said.last
    while mine is not theirs:
        if mine is None or theirs is None or not mine.same(theirs):
            return False
        mine, theirs = mine.earlier, theirs.earlier
    return True


def _together(old: tuple[Reading, ...], new: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """What two looks at the same card say: the surer one, or, where neither is much surer, both."""
    if not old or not new:
        return old or new
    first, second = old[0], new[0]
    if first.card == second.card:
        return old if first.confidence >= second.confidence else new
    if second.confidence >= first.confidence + BETTER:
        return new
    shares = {reading.card: reading.confidence for reading in new}
    for reading in old:
        shares[reading.card] = max(reading.confidence, shares.get(reading.card, 0.0))
    total = max(1.0, sum(shares.values()))
    order = sorted(shares, key=lambda name: (name != first.card, -shares[name], name))
    return tuple(Reading(name, shares[name] / total) for name in order)
