"""The one path from a source to the referee: edges become calls, frames become card facts, both become rulings.

A live table, a recording and a simulated table all run through here; nothing in here knows which one it has.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from table.buttons.calls_of_all_seats import Gestures
from table.buttons.lamps import Lamps
from table.calibration.camera_movement import MarkerWatch, RecalibratingTracker
from table.calibration.upside_down_detector import ImageOrientation
from table.config.settings import TableConfig
from table.detection.card_detections import CardReader
from table.detection.detector import Detector
from table.detection.indices.enrolled_pack import load_pack
from table.errors import TableError, convert_errors
from table.events.game_events import Left
from table.games.engine.game_state import Phase
from table.games.engine.ruleset import Bidding
from table.games.game import Game
from table.games.registry import make_game
from table.history.honours import game_honours
from table.history.moment_pictures import delete_pictures, read_picture, save_picture
from table.lamps_and_button_notices import ButtonFeedback
from table.observed_facts import END_NS, MS, Answer, Call, CardFact, CardLanded, Delivery, Gesture
from table.photo_finish import PhotoFinish
from table.phrase import Phrase, WrongValueError, make_phrase
from table.referee.interaction.option_levels import TableRequest
from table.referee.interaction.questions import find_prepared_answer
from table.referee.model.moments import Moment, find_moments
from table.referee.model.search_context import RefereeTimes
from table.referee.model.view import Controls, Honour, View
from table.referee.records.journal import Journal, JournalLine
from table.referee.records.stored_facts import StoredGame
from table.referee.referee import Referee
from table.sources.idle_detector import IdleDetector
from table.sources.source import Source, edges_by_player
from table.system.memory_tuning import suspend_collection
from table.tracker_thread import Tracker, TrackerThread
from table.tracking.tracker import CardTracker


def game_from_config(config: TableConfig) -> Game:
    """Make the game that ``table.toml`` asks for."""
    with convert_errors(WrongValueError, at=(config.path or "table.toml", "game")):
        return make_game(config.game, config.names, config.options)


def referee_from_config(config: TableConfig, journal: Journal) -> Referee:
    """Make a referee with the game, the seats and the times of judgement that ``table.toml`` asks for."""
    angles = {seat.name: seat.angle for seat in config.seats}
    times = RefereeTimes(
        bid_tie_ns=config.buttons.tie_window_ms * MS,
        lead_tie_ns=config.camera.tie_window_ns,
        tap_gap_ns=config.buttons.tap_gap_ms * MS,
        dial_ns=config.buttons.dial_ms * MS,
    )
    return Referee(game_from_config(config), angles, journal, times)


def detector_from_config(config: TableConfig, game: Game) -> Detector:
    """Load the detector, adapted to the court letters, the game's cards and the enrolled pack."""
    camera = config.camera
    enrolled = load_pack(camera.pack) if camera.pack is not None else None
    return Detector(courts=camera.courts, pack=[str(card) for card in game.pack()], enrolled=enrolled)


JOURNAL_CHECK_INTERVAL_NS = 1_000 * MS
REMARK_DURATION_NS = 60_000 * MS
MAX_VIEW_GAP_NS = 1_000 * MS
"""In a longer time without pictures cards may have come and gone."""
MAX_ACTS = 32
"""The latest presses and cards that are remembered: more fall in no moment of the screen's."""


class Pipeline:
    """Everything between a source and the display: gestures, tracking, the referee, lamps, and the view."""

    def __init__(
        self,
        config: TableConfig,
        source: Source,
        *,
        journal: Path | None = None,
        durable: bool = True,
        reader: CardReader | None = None,
        resume: Sequence[JournalLine] = (),
        stored: StoredGame | None = None,
        next_journal: Callable[[], Path | None] | None = None,
        lamps: Lamps | None = None,
        aside: bool = False,
        remarks: Iterable[Phrase] = (),
        answers: Sequence[Answer] = (),
        keys: Mapping[str, tuple[str, ...]] | None = None,
        seated: Mapping[str, str] | None = None,
        wishes: frozenset[TableRequest] = frozenset(),
    ) -> None:
        """``reader`` detects the cards in a picture (by default the trained detector).

        ``resume``: the lines that ``journal`` holds already, of a game that goes on from there; ``stored``: that
        game, where it has been read back. ``next_journal`` names the file of a next game's journal; without it no
        next game is offered when one is over. ``lamps`` are switched off when the source has ended. ``aside``: track
        in a thread of its own, so that nothing waits for it; for live sources, which keep reporting how late it is.
        ``remarks``: messages about the journals from before the game. ``answers``: people's answers to the table's
        questions, where they are known beforehand. ``keys``: the names of the keyboard's keys that stand in for each
        seat's buttons, where a keyboard is used. ``seated``: the players in their chairs, by chair, where the source
        names edges by chair; by default chairs bear the players' names. ``wishes``: requests that the panel offers
        besides those about the game, for whoever runs the table.
        """
        game = game_from_config(config)
        self._config = config
        self._durable = durable
        self._next_journal = next_journal
        self._wishes = wishes | (frozenset({TableRequest.NEXT}) if next_journal is not None else frozenset())
        self._troubles: tuple[Phrase, ...] = ()
        self._tracking_troubles: tuple[Phrase, ...] = ()
        self._resumes, self._stored = bool(resume), stored
        self._answers = tuple(answers)
        self._keys = keys or {}
        self._seats = config.seats
        """The seats in the order of ``table.toml``, named by who sits there now."""
        chairs = {player: chair for chair, player in (seated or {}).items()}
        self._chairs = tuple(chairs.get(name, name) for name in config.names)
        """The names by which the source knows these seats."""
        self.gestures = Gestures(config.seats, config.buttons)
        self._feedback = ButtonFeedback(config.seats, self.gestures, lamps)
        self._make_card_tracker = partial(
            CardTracker,
            config.camera,
            reader or detector_from_config(config, game),
            joker_is_card=any(card.is_joker for card in game.pack()),
        )
        self.card_tracker = self._make_card_tracker()
        # What can fail has been made: a new journal is no empty file of a game that never began.
        self.referee = self._make_referee(Journal(journal, durable=durable, earlier=resume))
        self._beside = aside
        self._aside: TrackerThread | None = None
        self._tracker: Tracker = self._open_tracker()
        self._photo_finish: PhotoFinish | None = None
        if config.screen.moments and game.rules.free_leads:
            self._photo_finish = PhotoFinish(config.camera.tie_window_ns)
        self._pictures: dict[int, bytes] = {}
        """The photo finishes of this game, by the number of the journal line."""
        self._journal_path = journal
        if journal is not None:
            delete_pictures(journal, after=len(resume))
        self._looking_ns: int | None = None
        """Since when pictures have shown without a break what lies on the mark."""
        self._framed_ns = 0
        """The stamp of the latest picture."""
        self._paused_ns: int | None = None
        """Since when the game is paused."""
        self._idle = IdleDetector()
        self._orientation = ImageOrientation()
        self._source = source
        self.remarks = list(remarks)
        """Messages to players about journals; the screen shows each for a while."""
        self._remarked: list[int] = []
        """When each was first known."""
        self.decided: Sequence[JournalLine] = ()
        """The journal lines that came of the last delivery."""
        self._game_view: View | None = None
        """The referee's view after the last delivery, once somebody has asked for it."""
        self._acts: deque[int] = deque(maxlen=MAX_ACTS)
        """The stamps of the latest presses and cards, in the order in which they were known."""
        self._honours: tuple[int, tuple[Honour, ...]] = (0, ())
        """The honours of the game, and the number of journal lines that they were found in."""
        self.complaint_count = 0
        self._checked_ns: int | None = None
        self._calls_until = 0
        self._cards_until = 0
        self._started = False

    @property
    def is_backlogged(self) -> bool:
        """Whether tracking has as many frames waiting as it can hold: another one would hold everything up."""
        return self._aside is not None and self._aside.is_full

    def _make_referee(self, journal: Journal) -> Referee:
        referee = referee_from_config(self._config, journal)
        referee.requests.offered = self._wishes
        referee.shared.picture_of = self._find_picture
        if self._answers:
            referee.answerer = lambda question, t_ns: find_prepared_answer(self._answers, question, t_ns)
        return referee

    @suspend_collection()
    def _resume(self, now_ns: int) -> None:
        """Resume the game from the fact log beside the journal or, where that is damaged, from the journal alone."""
        try:
            self.referee.resume(now_ns, self._stored)
            self.referee.view(now_ns)
        except Exception:  # whatever the rules stumble over in facts that no referee wrote
            if not self.referee.shared.fact_log.set_aside():
                raise
            self.referee = self._make_referee(self.referee.journal)
            self.referee.resume(now_ns)  # the first attempt may have written lines
            self.referee.shared.notify(now_ns, "trouble", "facts_damaged")

    def run(self) -> Iterator[int]:
        """Process all deliveries of the source; yield the clock (``now_ns``) after each, for the display."""
        try:
            for delivery in self._source.deliveries():
                self.process(delivery)
                yield delivery.now_ns
        finally:
            self.referee.journal.close()
            self._feedback.close()
            self._close_tracker()

    def process(self, delivery: Delivery) -> None:
        """Process one delivery: edges to calls, frames to card facts, both to the referee; light the lamps."""
        now = delivery.now_ns
        delivery = self._named_by_player(delivery)
        self.decided, self._game_view = (), None
        if not self._started:
            self._started = True
            if self._resumes:
                self._resume(now)
            else:
                self.referee.start(now)
        self._troubles = delivery.troubles
        self._idle.process(delivery)
        if self._paused_ns is not None:
            self._wait(delivery, self._paused_ns)
            return
        heard = self.gestures.process_edges(delivery.edges, delivery.edges_until_ns)
        self._calls_until = heard.until_ns
        self.complaint_count += sum(call.gesture is Gesture.WRONG for call in heard.calls)
        cards = self._look(delivery)
        self._note_acts(heard.calls, cards, now)
        until_ns = min(self._calls_until, self._cards_until)
        with suspend_collection():
            self.decided = self.referee.take((*heard.calls, *cards), until_ns, now)
        self._keep_photo_finishes()
        make_view = partial(self._view_of_game, now)
        self._feedback.serve(delivery, heard, self.referee.state, self.decided, make_view)
        if self._checked_ns is None or now - self._checked_ns >= JOURNAL_CHECK_INTERVAL_NS:
            self._checked_ns = now
            self.check_journal()
        self._remarked += [now] * (len(self.remarks) - len(self._remarked))
        if self.referee.requests.requested is TableRequest.NEXT and self._next_journal is not None:
            self._next_game(self._next_journal(), now)
        elif self.referee.requests.requested is TableRequest.PAUSE:
            self.referee.requests.requested = None
            self._paused_ns = now
            self._close_tracker()
        self._follow_chairs()

    # --- pauses, and other chairs

    def _open_tracker(self) -> Tracker:
        camera = self._config.camera
        lookout = MarkerWatch.for_camera(camera)
        tracker: Tracker = self.card_tracker
        if lookout is not None:
            tracker = RecalibratingTracker(self.card_tracker, camera, lookout)
        self._aside = TrackerThread(tracker) if self._beside else None
        return self._aside or tracker

    def _close_tracker(self) -> None:
        if self._aside is not None:
            self._aside.close()

    def _wait(self, delivery: Delivery, since_ns: int) -> None:
        """Process a delivery during a pause; a rap that began after ``since_ns`` ends it, and tracking restarts."""
        heard = self.gestures.process_edges(delivery.edges, delivery.edges_until_ns)
        self._calls_until = heard.until_ns
        self._feedback.serve_during_pause(delivery, heard)
        if any(call.gesture is Gesture.RAP and call.t_ns > since_ns for call in heard.calls):
            self._paused_ns = None
            self.card_tracker = self._make_card_tracker()
            self._tracker = self._open_tracker()
            self._cards_until, self._looking_ns = 0, None
            self.referee.restart_tracking(delivery.now_ns)

    def _follow_chairs(self) -> None:
        """Give players who have changed chairs the buttons, the lamp and the angle of the new chair."""
        around = self.referee.state.seats
        if around == tuple(seat.name for seat in self._seats):
            return
        seats = zip(self._config.seats, around, strict=True)
        self._seats = tuple(replace(seat, name=name) for seat, name in seats)
        self._game_view = None
        self.gestures = Gestures(self._seats, self._config.buttons)
        self._feedback.update_seats(self._seats, self.gestures)
        self.referee.update_seat_angles({seat.name: seat.angle for seat in self._seats})

    def _controls_now(self) -> dict[str, Controls]:
        chairs, kinds = zip(self._seats, self._config.seats, strict=True), self.gestures.working_kinds()
        return {
            seat.name: Controls(
                kinds[seat.name], self._keys.get(chair.name, ()), self._config.buttons.wrong_s
            )
            for seat, chair in chairs
        }

    def _named_by_player(self, delivery: Delivery) -> Delivery:
        """Return the delivery with its edges named by who sits there now."""
        if not delivery.edges:
            return delivery
        seated = dict(zip(self._chairs, (seat.name for seat in self._seats), strict=True))
        return replace(delivery, edges=edges_by_player(delivery.edges, seated))

    def _note_acts(self, calls: Sequence[Call], cards: Sequence[CardFact], now_ns: int) -> None:
        """Note what ends a moment on the screen: a press at once, a call, and a card once it is known."""
        pressed_ns = self.gestures.latest_press_ns
        presses = {call.t_ns for call in calls} | ({pressed_ns} if pressed_ns is not None else set())
        self._acts += sorted(presses - set(self._acts))
        if any(isinstance(fact, CardLanded) for fact in cards):
            self._acts.append(now_ns)

    def _look(self, delivery: Delivery) -> list[CardFact]:
        """Track the delivery's frame; return the card facts that are known now."""
        seen = [self._tracker.see(delivery.frame)] if delivery.frame is not None else []
        if delivery.frames_until_ns >= END_NS:
            seen.append(self._tracker.end())
        elif delivery.frame is None:
            seen.append(self._tracker.without_frames(delivery.frames_until_ns))
        self._cards_until, self._tracking_troubles = seen[-1].until_ns, seen[-1].troubles
        self._note_view(delivery, shows_cards=seen[-1].shows_cards)
        facts = [fact for report in seen for fact in report.facts]
        if self._photo_finish is not None:
            if self.referee.state.phase not in (Phase.LEAD, Phase.PICK_UP):
                self._photo_finish.release_frames()
            elif delivery.frame is not None:
                self._photo_finish.add_frame(delivery.frame, self.card_tracker.crop_mark)
            self._photo_finish.add_facts(facts)
        for fact in facts:
            if isinstance(fact, CardLanded):
                players = self.referee.state.players
                angles = {seat.name: seat.angle for seat in self._seats if seat.name in players}
                self._orientation.add_card(fact, angles, self.referee.expected)
        return facts

    def _note_view(self, delivery: Delivery, *, shows_cards: bool) -> None:
        """Note since when pictures have shown the mark without a break.

        Not all troubles are breaks: a camera that takes few pictures, or has another clock, shows what lies there.
        """
        frame = delivery.frame
        until_ns = delivery.frames_until_ns if frame is None else frame.t_ns
        is_gap = until_ns < END_NS and until_ns - self._framed_ns > MAX_VIEW_GAP_NS
        if is_gap or not shows_cards:
            self._looking_ns = None
        if frame is not None:
            self._framed_ns = frame.t_ns
            if shows_cards and self._looking_ns is None:
                self._looking_ns = frame.t_ns
        self.referee.note_view_since(self._looking_ns)

    def _keep_photo_finishes(self) -> None:
        """Keep a picture of each ruling on tied leads that was decided just now, beside the journal too."""
        if self._photo_finish is None:
            return
        for line in (line for line in self.decided if line["event"] == "leads_tied"):
            picture = self._photo_finish.picture_of(line, {seat.name: seat.angle for seat in self._seats})
            if picture is not None:
                self._pictures[line["seq"]] = picture
                if self._journal_path is not None:
                    save_picture(self._journal_path, line["seq"], picture)

    def _find_picture(self, seq: int) -> bytes | None:
        """Return the photo finish of a journal line, also of one from before a restart."""
        if seq not in self._pictures and self._journal_path is not None:
            return read_picture(self._journal_path, seq)
        return self._pictures.get(seq)

    def check_journal(self) -> None:
        """Check that the journal's file is still as it was written; if not, players are told by a remark."""
        remark = self.referee.journal.verify_file()
        if remark is not None:
            self.remarks.append(remark)

    def _next_game(self, journal: Path | None, now_ns: int) -> None:
        """Begin another game: a new referee and a new journal, with the same tracker and gestures.

        People stay in their chairs, and who has left is still away.
        """
        self.referee.journal.close()
        self.check_journal()
        before = self.referee.state
        self.referee = self._make_referee(Journal(journal, durable=self._durable))
        self._journal_path = journal
        self._pictures.clear()
        self._honours = 0, ()
        self.referee.start(now_ns)
        if before.seats != self.referee.state.seats:
            self.referee.reseat_players(before.seats, now_ns)
        for player in (seat for seat in before.seats if seat in before.away):
            self.referee.shared.apply_event(Left(player), now_ns, certain=True)
        self.decided, self._game_view = (*self.decided, *self.referee.decided()), None

    def _view_of_game(self, now_ns: int) -> View:
        """Return the referee's view, made once for each delivery."""
        if self._game_view is None or self._game_view.now_ns != now_ns:
            view = self.referee.view(now_ns, self.gestures.taps_under_way())
            self._game_view = replace(view, controls=self._controls_now())
        return self._game_view

    def _moments(self) -> tuple[Moment, ...]:
        if not self._config.screen.moments:
            return ()
        free_bids = self.referee.game.rules.bidding is Bidding.FREELY
        return find_moments(
            self.referee.journal.lines, self._acts, free_bids=free_bids, picture_of=self._pictures.get
        )

    def _honours_of_game(self) -> tuple[Honour, ...]:
        """Return the honours of the game once it is over; they are found anew when its journal has changed."""
        lines = self.referee.journal.lines
        if not self._config.screen.moments or self.referee.state.phase is not Phase.OVER:
            return ()
        if self._honours[0] != len(lines):
            try:
                found = game_honours(lines)
            except TableError:  # a line of an earlier version
                found = ()
            self._honours = len(lines), found
        return self._honours[1]

    def view(self, now_ns: int) -> View:
        """Make the view for the screen: the referee's, with the troubles of buttons, camera and journal."""
        view = self._view_of_game(now_ns)
        wrong = [*self._troubles, *self._tracking_troubles]
        if self._orientation.trouble is not None:
            wrong.append(self._orientation.trouble)
        if self.referee.journal.write_error is not None:
            wrong.append(make_phrase("journal.unwritten"))
        remarks = zip(self.remarks, self._remarked, strict=False)
        wrong += [remark for remark, since_ns in remarks if now_ns - since_ns < REMARK_DURATION_NS]
        return replace(
            view,
            moments=self._moments(),
            honours=self._honours_of_game(),
            notices=self._feedback.notices(view, wrong),
            awaits_next_choice=self._next_journal is not None,
            paused=self._paused_ns is not None,
            dimmed=self._idle.is_idle(now_ns),
        )
