"""Tasks that the menu runs with the table's open camera: calibration from the mat, finding the seats, enrolment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import pygame

from table.buttons.calls_of_all_seats import Gestures
from table.calibration.homography.calibrate_from_mat import calibrate_from_mat
from table.calibration.live_enrolment import EnrolmentStep, LiveEnrolment
from table.calibration.seat_directions_from_raps import SeatFinder
from table.cards import Card
from table.config.settings import TableConfig, find_angle_fault
from table.config.toml_edit import set_keys, set_seat_angles
from table.detection.detector import Detector
from table.detection.enrolment_examples import ExampleCollector
from table.detection.enrolment_steps import add_pack_to_config, enrol_and_save, pack_path, sort_card_names
from table.detection.indices.enrolled_pack import EnrolledPack, load_pack
from table.errors import TableError
from table.files.safe_reading import exists
from table.menu.menu_pages import chair_views
from table.menu.menu_view_data import MenuLine, MenuView, TablePicture
from table.menu.next_game_plan import GamePlan, place_chairs
from table.observed_facts import MS, Delivery, Gesture, Image
from table.phrase import Phrase, make_phrase
from table.session.menu_lobby import update_picture
from table.sources.keyboard_source import calls_from_arrow_keys
from table.sources.source import Source

Keys = Callable[[], Iterable[pygame.event.Event]]

FRAME_COUNT: Final = 15
"""The number of the camera's pictures that are used to find the mat."""
FRAME_TIMEOUT_NS: Final = 10_000 * MS


class CalibrationTask:
    """Finds the mark from the printed mat, and writes the calibration to ``table.toml``."""

    def __init__(self, set_up: TableConfig, source: Source) -> None:
        self.set_up = set_up
        """The configuration; after ``run`` with the new calibration."""
        self.findings: tuple[MenuLine, ...] = ()
        """The result as lines for the menu, after ``run``."""
        self._source = source
        self._picture: TablePicture | None = None

    def run(self) -> Iterator[int]:
        """Collect enough pictures and calibrate; yields the clock after each delivery."""
        images: list[Image] = []
        start_ns: int | None = None
        trouble = make_phrase("camera.blind")
        for delivery in self._source.deliveries():
            start_ns = delivery.now_ns if start_ns is None else start_ns
            trouble = next(iter(delivery.troubles), trouble)
            self._picture = update_picture(self._picture, delivery)
            if delivery.frame is not None:
                images.append(delivery.frame.image)
            yield delivery.now_ns
            if len(images) >= FRAME_COUNT or delivery.now_ns - start_ns >= FRAME_TIMEOUT_NS:
                break
        self.findings = tuple(self._calibrate(images)) if images else (MenuLine(trouble),)

    def _calibrate(self, images: list[Image]) -> Iterator[MenuLine]:
        camera = self.set_up.camera
        try:
            calibration = calibrate_from_mat(images, camera.mat_ruler)
        except TableError as error:
            yield MenuLine(error.phrase)
            return
        for finding in calibration.findings:
            yield MenuLine(make_phrase("menu.finding", part=finding.part), finding.text, chosen=finding.good)
        if not calibration.usable:
            yield MenuLine(make_phrase("menu.left_as_it_was"))
            return
        self.set_up = replace(self.set_up, camera=replace(camera, **calibration.keys))
        try:
            assert self.set_up.path is not None
            set_keys(self.set_up.path, "camera", calibration.keys)
        except TableError as error:  # the calibration still holds for this session
            yield MenuLine(error.phrase)

    def view(self, now_ns: int) -> MenuView:
        """Return the menu's view while the task runs."""
        looking = (MenuLine(make_phrase("menu.looking")),)
        return MenuView(make_phrase("menu.calibrate"), looking, 0, picture=self._picture)


class SeatFindingTask:
    """Finds where people sit: each holds a hand over the mark, straight from the own chair, and presses a button."""

    def __init__(self, set_up: TableConfig, source: Source, plan: GamePlan, keys: Keys = tuple) -> None:
        """``keys`` returns the key events since its last call. ``TableError`` for a table that is not calibrated."""
        self.set_up = set_up
        """The configuration; after ``run`` with the directions that were found."""
        self.findings: tuple[MenuLine, ...] = ()
        """The result as lines for the menu, after ``run``."""
        self._source = source
        self._plan = plan
        self._wanted = set(plan.seated) or set(set_up.names)
        self._keys = keys
        self._finder = SeatFinder(set_up)
        self._gestures = Gestures(set_up.seats, set_up.buttons)
        self._angles: dict[str, float] = {}
        self._message: Phrase | None = None
        self._troubles: tuple[Phrase, ...] = ()
        self._picture: TablePicture | None = None

    def run(self) -> Iterator[int]:
        """Find the chairs that are taken (or all, where none is), until somebody ends it; yields the clock."""
        for delivery in self._source.deliveries():
            self._troubles = delivery.troubles
            self._picture = update_picture(self._picture, delivery)
            for chair, angle in self._finder.process(delivery):
                self._message = (
                    None if angle is not None else make_phrase("menu.no_arm", number=self._number(chair))
                )
                if angle is not None:
                    self._angles[chair] = angle
            yield delivery.now_ns
            if self._wanted <= self._angles.keys() or self._is_ended_by(delivery):
                break
        self.findings = (self._save(),)

    def _number(self, chair: str) -> int:
        return self.set_up.names.index(chair) + 1

    def _is_ended_by(self, delivery: Delivery) -> bool:
        recognised = self._gestures.process_edges(delivery.edges, delivery.edges_until_ns)
        by_keys = calls_from_arrow_keys(self._keys(), delivery.now_ns)
        ends_by_keys = any(call.gesture in (Gesture.RAP, Gesture.WRONG) for call in by_keys)
        return ends_by_keys or any(call.gesture is Gesture.WRONG for call in recognised.calls)

    def _save(self) -> MenuLine:
        if not self._angles:
            return MenuLine(make_phrase("menu.left_as_it_was"))
        placed = place_chairs(self.set_up, self._angles)
        fault = find_angle_fault([seat for seat in placed.seats if seat.placed])
        if fault is not None:
            return MenuLine(fault[1])
        found = make_phrase("menu.seats_found", chairs=[str(self._number(chair)) for chair in self._angles])
        self.set_up = placed
        try:
            assert self.set_up.path is not None
            set_seat_angles(self.set_up.path, self._angles)
        except TableError as error:  # the directions still hold for this session
            return MenuLine(error.phrase)
        return MenuLine(found, chosen=True)

    def view(self, now_ns: int) -> MenuView:
        """Return the menu's view with the chairs that have been found."""
        asks = make_phrase("menu.hold_hand" if self._finder.ready else "menu.clear_mark")
        seats = place_chairs(self.set_up, self._angles).seats
        shown = [seat for seat in seats if seat.name in self._wanted]
        return MenuView(
            make_phrase("menu.find_seats"),
            (MenuLine(asks),),
            0,
            chairs=chair_views(self._plan, shown, self._angles),
            message=self._message,
            button_help=make_phrase("menu.ends_seats"),
            picture=self._picture,
            troubles=self._troubles,
        )


class EnrolmentTask:
    """Learns the pack, card by card, until all have been shown or somebody ends it."""

    def __init__(self, set_up: TableConfig, source: Source, pack: Sequence[Card], keys: Keys = tuple) -> None:
        """``keys`` returns the key events since its last call. ``TableError`` for a table that is not calibrated."""
        self.set_up = set_up
        """The configuration; after ``run`` with the pack that was learned."""
        self.findings: tuple[MenuLine, ...] = ()
        """The result as lines for the menu, after ``run``."""
        self._source = source
        self._keys = keys
        self._gestures = Gestures(set_up.seats, set_up.buttons)
        self._out = pack_path(set_up)
        self._detector = Detector(courts=set_up.camera.courts)
        self._enrolled = load_pack(self._out) if exists(self._out) else EnrolledPack()
        cards = sort_card_names(pack)
        wanted_cards = [name for name in cards if name not in self._enrolled.index_counts] or cards
        self._enrolment = LiveEnrolment(set_up.camera, ExampleCollector(self._detector), wanted_cards)
        self._count = len(wanted_cards)
        self._last_message: Phrase | None = None
        self._troubles: tuple[Phrase, ...] = ()

    def run(self) -> Iterator[int]:
        """Learn the cards laid on the mark; yields the clock after each delivery."""
        for delivery in self._source.deliveries():
            self._troubles = delivery.troubles
            for step in self._enrolment.see(delivery.frame) if delivery.frame is not None else ():
                self._last_message = describe_step(step)
            yield delivery.now_ns
            if self._enrolment.requested_card is None or self._is_ended_by(delivery):
                break
        self.findings = tuple(self._save_learned())

    def _is_ended_by(self, delivery: Delivery) -> bool:
        recognised = self._gestures.process_edges(delivery.edges, delivery.edges_until_ns)
        calls = (*recognised.calls, *calls_from_arrow_keys(self._keys(), delivery.now_ns))
        return any(call.gesture in (Gesture.RAP, Gesture.WRONG) for call in calls)

    def _save_learned(self) -> Iterator[MenuLine]:
        learned_cards = self._enrolment.shown
        if not learned_cards:
            yield MenuLine(make_phrase("enrol.nothing"))
            return
        try:
            enrol_and_save(self._detector, self._enrolled, learned_cards, self._out, self.set_up)
        except TableError as error:
            yield MenuLine(error.phrase)
            return
        enrolled = make_phrase("enrol.enrolled", path=self._out.name, n=len(self._enrolled.index_counts))
        yield MenuLine(enrolled, chosen=True)
        try:
            add_pack_to_config(self.set_up, self._out)
        except TableError as error:  # the pack is still used for this session
            yield MenuLine(error.phrase)
        self.set_up = replace(self.set_up, camera=replace(self.set_up.camera, pack=self._out))

    def view(self, now_ns: int) -> MenuView:
        """Return the menu's view with the card that is wanted."""
        wanted = self._enrolment.requested_card
        asks = make_phrase("menu.lay", card=wanted) if wanted is not None else make_phrase("menu.done")
        count = make_phrase("menu.at", at=len(self._enrolment.shown), lines=self._count)
        return MenuView(
            make_phrase("menu.enrol"),
            (MenuLine(asks, count),),
            0,
            message=self._last_message,
            button_help=make_phrase("menu.ends_enrolling"),
            troubles=self._troubles,
        )


def describe_step(step: EnrolmentStep) -> Phrase:
    """Return the message about a card that was laid."""
    if step.shown is None:
        return make_phrase("enrol.no_corner", card=step.requested)
    if not step.learned:
        return make_phrase("enrol.looks_like", read=step.shown.read, card=step.requested)
    return make_phrase("enrol.learned", corners=len(step.shown.corners))
