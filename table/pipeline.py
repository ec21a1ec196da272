"""The one path from a source to the referee: edges to calls, frames to card facts, both to rulings.

The live table, a recording and the virtual table all run through here; nothing in it knows which one it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from table.buttons.gestures import Gestures
from table.buttons.lamps import Lamps
from table.config import TableConfig
from table.display.feedback import ButtonFeedback
from table.errors import TableError
from table.facts import END_NS, MS, Answer, CardFact, CardLanded, Delivery, Gesture
from table.files.reading import exists, is_file
from table.games.game import Game
from table.games.registry import make_game
from table.host.collecting import nothing_collected
from table.phrase import Phrase, WrongValueError, say
from table.reader.detector import Detector
from table.reader.enrolled import load_pack
from table.reader.sightings import CardReader
from table.referee.answers import noted
from table.referee.journal import Journal, JournalLine
from table.referee.keeping import put_aside
from table.referee.referee import Referee
from table.referee.setting import RefereeTimes
from table.referee.settled import Settled
from table.referee.view import Controls, View
from table.referee.wishes import Wish
from table.setup.moved import Lookout
from table.setup.orientation import Orientation
from table.setup.watched import Watched
from table.sight.aside import Eyes, SightAside
from table.sight.sight import Sight
from table.sources.base import Source
from table.sources.stillness import Stillness


def game_of(config: TableConfig) -> Game:
    """The game that ``table.toml`` asks for."""
    try:
        return make_game(config.game, config.names, config.options)
    except WrongValueError as wrong:
        raise TableError(wrong, at=(config.path or "table.toml", "game")) from None


def referee_times(config: TableConfig) -> RefereeTimes:
    """The windows of judgement that ``table.toml`` asks for."""
    return RefereeTimes(
        bid_tie_ns=config.buttons.tie_window_ms * MS,
        lead_tie_ns=config.camera.tie_window_ns,
        tap_gap_ns=config.buttons.tap_gap_ms * MS,
        dial_ns=config.buttons.dial_ms * MS,
    )


def referee_of(config: TableConfig, journal: Journal) -> Referee:
    """A referee for the table of ``config``."""
    angles = {seat.name: seat.angle for seat in config.seats}
    return Referee(game_of(config), angles, journal, referee_times(config))


def detector_of(config: TableConfig, game: Game) -> Detector:
    """The trained detector for this table's pack."""
    camera = config.camera
    enrolled = None
    if camera.pack is not None:
        # A recording has its own copy, whatever folder the table kept it in.
        copy = (config.path or camera.pack).parent / camera.pack.name
        enrolled = load_pack(copy if is_file(copy) else camera.pack)
    return Detector(courts=camera.courts, pack=[str(card) for card in game.pack()], enrolled=enrolled)


CHECK_NS = 1_000 * MS
"""So often it is looked whether the journal's file is still there."""
REMARK_NS = 60_000 * MS
"""So long a remark is shown."""


class Pipeline:
    """Everything between a source and the display."""

    def __init__(
        self,
        config: TableConfig,
        source: Source,
        *,
        journal: Path | None = None,
        durable: bool = True,
        reader: CardReader | None = None,
        resume: Sequence[JournalLine] = (),
        settled: Settled | None = None,
        next_journal: Callable[[], Path | None] | None = None,
        lamps: Lamps | None = None,
        aside: bool = False,
        remarks: Iterable[Phrase] = (),
        answers: Sequence[Answer] = (),
        keys: Mapping[str, tuple[str, ...]] | None = None,
        wishes: frozenset[Wish] = frozenset(),
    ) -> None:
        """``reader`` names the cards in a picture (the trained detector unless given).

        ``resume``: the lines that ``journal`` holds already, of a game that goes on from there; ``settled``: how it is
        known to have stood at one of them. ``next_journal`` says where the next game's is to be kept; without it no
        next game is offered when one is over. ``lamps`` are put out when the source has ended. ``aside``: sight works
        in a thread of its own, so that nothing waits for it; for a live source, which says again and again how late it
        is. ``remarks``: what there is to say about the journals before the game begins. ``answers``: what people
        answer to the table's questions, where that is known beforehand. ``keys``: the names of the keyboard's keys
        that stand in for each seat's buttons, where one plays. ``wishes``: what the panel offers besides the game and
        its next one, for whoever runs the table.
        """
        game = game_of(config)
        self._joker_is_card = any(found.is_joker for found in game.pack())
        self._config = config
        self._durable = durable
        self._next_journal = next_journal
        self._wishes = wishes | (frozenset({Wish.NEXT}) if next_journal is not None else frozenset())
        self._troubles: tuple[Phrase, ...] = ()
        self._sight_troubles: tuple[Phrase, ...] = ()
        self._resumes, self._settled = bool(resume), settled
        self._answers = tuple(answers)
        self._keys = keys or {}
        self._seats = config.seats
        """The chairs, by who sits there now."""
        self._controls = self._controls_now()
        self.gestures = Gestures(config.seats, config.buttons)
        self._feedback = ButtonFeedback(config.seats, self.gestures, lamps)
        reader = reader or detector_of(config, game)
        self._reader = reader
        self.sight = Sight(config.camera, reader, joker_is_card=self._joker_is_card)
        # What can fail has been made: a new journal is no empty file of a game that never began.
        self._referee = self._referee_for(Journal(journal, durable=durable, earlier=resume))
        self._beside = aside
        self._aside: SightAside | None = None
        self._eyes: Eyes = self._open_eyes()
        self._looking_ns: int | None = None
        """Since when pictures come with which nothing is wrong."""
        self._paused_ns: int | None = None
        """Since when nothing counts."""
        self._stillness = Stillness()
        self._orientation = Orientation()
        self._source = source
        self.remarks = list(remarks)
        """What players were told about journals; the screen shows each for a while."""
        self._remarked: list[int] = []
        """When the table first knew of each."""
        self.complaints = 0
        """How often somebody has said "that's wrong"."""
        self._checked_ns: int | None = None
        self._calls_until = 0
        self._cards_until = 0
        self._started = False

    @property
    def behind(self) -> bool:
        """Whether sight has as many frames before it as it can keep: to bring another would hold everything up."""
        return self._aside is not None and self._aside.full

    @property
    def referee(self) -> Referee:
        """The referee of the game that is being played."""
        return self._referee

    def _referee_for(self, journal: Journal) -> Referee:
        referee = referee_of(self._config, journal)
        referee.wishes.offered = self._wishes
        if self._answers:
            referee.answerer = lambda question, t_ns: noted(self._answers, question, t_ns)
        return referee

    @nothing_collected()
    def _resume(self, now_ns: int) -> None:
        """Go on with the game, by the facts beside the journal or, where these are damaged, by the journal alone."""
        beside = self.referee.blackboard.keeper.path
        try:
            self.referee.resume(now_ns, self._settled)
            self.referee.view(now_ns)
        except Exception:  # whatever the rules stumble over in facts that no referee wrote
            if beside is None or not exists(beside):
                raise
            put_aside(beside)
            self._referee = self._referee_for(self.referee.journal)
            self.referee.resume(now_ns)
            self.referee.blackboard.tell(now_ns, "trouble", "facts_damaged")

    def run(self) -> Iterator[int]:
        """Work the source off; after each delivery, the clock (``now_ns``), for the display to show."""
        try:
            for delivery in self._source.deliveries():
                self.feed(delivery)
                yield delivery.now_ns
        finally:
            self.referee.journal.close()
            self._feedback.close()
            self._close_eyes()

    def feed(self, delivery: Delivery) -> None:
        """Work one delivery off."""
        now = delivery.now_ns
        delivery = self._renamed(delivery)
        if not self._started:
            self._started = True
            if self._resumes:
                self._resume(now)
            else:
                self.referee.start(now)
        self._troubles = delivery.troubles
        self._stillness.follow(delivery)
        if self._paused_ns is not None:
            self._wait(delivery, self._paused_ns)
            return
        heard = self.gestures.hear(delivery.edges, delivery.edges_until_ns)
        self._calls_until = heard.until_ns
        self.complaints += sum(call.gesture is Gesture.WRONG for call in heard.calls)
        cards = self._look(delivery)
        self.referee.take((*heard.calls, *cards), min(self._calls_until, self._cards_until), now)
        self._feedback.serve(delivery, heard, self.referee)
        if self._checked_ns is None or now - self._checked_ns >= CHECK_NS:
            self._checked_ns = now
            self.check_journal()
        self._remarked += [now] * (len(self.remarks) - len(self._remarked))
        if self.referee.wishes.made is Wish.NEXT and self._next_journal is not None:
            self._next_game(self._next_journal(), now)
        elif self.referee.wishes.made is Wish.PAUSE:
            self.referee.wishes.made = None
            self._paused_ns = now
            self._close_eyes()
        self._follow_chairs()

    # --- pauses, and other chairs

    def _open_eyes(self) -> Eyes:
        camera = self._config.camera
        lookout = Lookout.of(camera)
        eyes = Watched(self.sight, camera, lookout) if lookout is not None else self.sight
        self._aside = SightAside(eyes) if self._beside else None
        return self._aside or eyes

    def _close_eyes(self) -> None:
        if self._aside is not None:
            self._aside.close()

    def _wait(self, delivery: Delivery, since_ns: int) -> None:
        """Nothing counts, until a rap that began after ``since_ns``; then the eyes begin anew."""
        heard = self.gestures.hear(delivery.edges, delivery.edges_until_ns)
        self._calls_until = heard.until_ns
        self._feedback.wait(delivery, heard)
        if any(call.gesture is Gesture.RAP and call.t_ns > since_ns for call in heard.calls):
            self._paused_ns = None
            self.sight = Sight(self._config.camera, self._reader, joker_is_card=self._joker_is_card)
            self._eyes = self._open_eyes()
            self._cards_until, self._looking_ns = 0, None
            self.referee.look_anew(delivery.now_ns)

    def _follow_chairs(self) -> None:
        """Where people have changed chairs, each one's buttons, lamp and arm are those of the new chair."""
        around = self.referee.state.seats
        if around == tuple(seat.name for seat in self._seats):
            return
        chairs = zip(self._config.seats, around, strict=True)
        self._seats = tuple(replace(chair, name=name) for chair, name in chairs)
        self.gestures = Gestures(self._seats, self._config.buttons)
        self._feedback.seat(self._seats, self.gestures)
        self._controls = self._controls_now()
        self.referee.seat({seat.name: seat.angle for seat in self._seats})

    def _controls_now(self) -> dict[str, Controls]:
        """What each player has to press, on the chair of now."""
        chairs = zip(self._seats, self._config.seats, strict=True)
        return {seat.name: Controls(seat.kind, self._keys.get(chair.name, ())) for seat, chair in chairs}

    def _renamed(self, delivery: Delivery) -> Delivery:
        """The delivery with its edges named by who sits there now."""
        if self._seats is self._config.seats or not delivery.edges:
            return delivery
        chairs = zip(self._config.seats, self._seats, strict=True)
        names = {chair.name: seat.name for chair, seat in chairs}
        edges = tuple(replace(edge, seat=names.get(edge.seat, edge.seat)) for edge in delivery.edges)
        return replace(delivery, edges=edges)

    def _look(self, delivery: Delivery) -> list[CardFact]:
        """What sight has to say of a delivery."""
        seen = [self._eyes.see(delivery.frame)] if delivery.frame is not None else []
        if delivery.frames_until_ns >= END_NS:
            seen.append(self._eyes.end())
        elif delivery.frame is None:
            seen.append(self._eyes.without_frames(delivery.frames_until_ns))
        self._cards_until, self._sight_troubles = seen[-1].until_ns, seen[-1].troubles
        if delivery.troubles or self._sight_troubles:
            self._looking_ns = None
        elif self._looking_ns is None and delivery.frame is not None:
            self._looking_ns = delivery.frame.t_ns
        self.referee.looking(self._looking_ns)
        facts = [fact for one in seen for fact in one.facts]
        for fact in facts:
            if isinstance(fact, CardLanded):
                players = self.referee.state.players
                angles = {seat.name: seat.angle for seat in self._seats if seat.name in players}
                self._orientation.see(fact, angles, self.referee.expected)
        return facts

    def check_journal(self) -> None:
        """See whether the journal's file is still as it was written; what there is to say about it is a remark."""
        told = self.referee.journal.check()
        if told is not None:
            self.remarks.append(told)

    def _next_game(self, journal: Path | None, now_ns: int) -> None:
        """The players want another game: a new book and a new journal, with the same eyes and ears."""
        self.referee.journal.close()
        self.check_journal()
        around = tuple(seat.name for seat in self._seats)
        self._referee = self._referee_for(Journal(journal, durable=self._durable))
        self.referee.start(now_ns)
        if around != self.referee.state.seats:
            self.referee.change_chairs(around, now_ns)

    def view(self, now_ns: int) -> View:
        """What the screen may show now: the referee's view, and what is wrong with buttons and camera."""
        view = self.referee.view(now_ns, self.gestures.tapping())
        wrong = [*self._troubles, *self._sight_troubles]
        if self._orientation.trouble is not None:
            wrong.append(self._orientation.trouble)
        if self.referee.journal.trouble is not None:
            wrong.append(say("journal.unwritten"))
        wrong += [
            said
            for said, since_ns in zip(self.remarks, self._remarked, strict=False)
            if now_ns - since_ns < REMARK_NS
        ]
        return replace(
            view,
            notices=self._feedback.notices(view, wrong),
            controls=self._controls,
            offers_next=self._next_journal is not None,
            paused=self._paused_ns is not None,
            dimmed=self._stillness.lasts(now_ns),
        )
