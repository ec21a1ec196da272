"""What the menu has done with the camera that the table has already: the mark is found, the pack learned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import pygame

from table.buttons.arrows import arrow_calls
from table.buttons.gestures import Gestures
from table.cards import Card
from table.config import TableConfig
from table.errors import TableError
from table.facts import MS, Delivery, Gesture, Image
from table.files.reading import exists
from table.menu.view import Line, MenuView
from table.phrase import Phrase, say
from table.reader.detector import Detector
from table.reader.enrollearn import Learner
from table.reader.enrolled import EnrolledPack, load_pack
from table.setup.calibration import calibrate
from table.setup.enrolment import in_order, keep_learned, name_in_file, place_of_pack
from table.setup.tomlfile import set_keys
from table.sight.enrollive import LiveEnrolment, Said
from table.sources.base import Source

Keys = Callable[[], Iterable[pygame.event.Event]]

PICTURES: Final = 15
"""So many of the camera's pictures tell where the mat lies."""
PATIENCE_NS: Final = 10_000 * MS
"""So long pictures are waited for."""


class Calibrating:
    """Finds the mark from the printed mat, and has ``table.toml`` know it."""

    def __init__(self, set_up: TableConfig, source: Source) -> None:
        self.set_up = set_up
        """In the end with what was found."""
        self.findings: tuple[Line, ...] = ()
        """In the end: what there is to say of it."""
        self._source = source

    def run(self) -> Iterator[int]:
        """Look until enough pictures have come; after each delivery, the clock."""
        images: list[Image] = []
        began_ns: int | None = None
        trouble: Phrase | None = None
        for delivery in self._source.deliveries():
            began_ns = delivery.now_ns if began_ns is None else began_ns
            trouble = next(iter(delivery.troubles), trouble)
            if delivery.frame is not None:
                images.append(delivery.frame.image)
            yield delivery.now_ns
            if len(images) >= PICTURES or delivery.now_ns - began_ns >= PATIENCE_NS:
                break
        self.findings = tuple(self._found(images)) if images else (_bad(trouble or say("camera.blind")),)

    def _found(self, images: list[Image]) -> Iterator[Line]:
        camera = self.set_up.camera
        try:
            found = calibrate(images, camera.mat_ruler)
        except TableError as error:
            yield _bad(error.phrase)
            return
        for finding in found.findings:
            yield Line(say("menu.finding", part=finding.part), finding.text, chosen=finding.good)
        if not found.usable:
            yield _bad(say("menu.left_as_it_was"))
            return
        mat = found.found
        turn = round(mat.turn_deg, 2)
        camera = replace(camera, homography=found.homography, mat=mat.mat.paper, mat_turn=turn)
        self.set_up = replace(self.set_up, camera=camera)
        keys = {"homography": found.homography, "mat": mat.mat.paper, "mat_turn": turn}
        try:
            assert self.set_up.path is not None
            set_keys(self.set_up.path, "camera", keys)
        except TableError as error:  # it holds for this evening
            yield _bad(error.phrase)

    def view(self, now_ns: int) -> MenuView:
        """What the screen may show meanwhile."""
        return MenuView(say("menu.calibrate"), (Line(say("menu.looking")),), 0)


class Enrolling:
    """Learns the pack, card by card, until all have been shown or somebody ends it."""

    def __init__(self, set_up: TableConfig, source: Source, pack: Sequence[Card], keys: Keys = tuple) -> None:
        """``keys``: the key events since it was last asked. ``TableError`` for a table that is not calibrated."""
        self.set_up = set_up
        """In the end with the pack that was learned."""
        self.findings: tuple[Line, ...] = ()
        """In the end: what there is to say of it."""
        self._source = source
        self._keys = keys
        self._gestures = Gestures(set_up.seats, set_up.buttons)
        self._out = place_of_pack(set_up)
        self._detector = Detector(courts=set_up.camera.courts)
        self._enrolled = load_pack(self._out) if exists(self._out) else EnrolledPack()
        cards = in_order(pack)
        asked = [name for name in cards if name not in self._enrolled.cards] or cards
        self._enrolment = LiveEnrolment(set_up.camera, Learner(self._detector), asked)
        self._count = len(asked)
        self._told: Phrase | None = None
        self._troubles: tuple[Phrase, ...] = ()

    def run(self) -> Iterator[int]:
        """Watch the mark; after each delivery, the clock."""
        for delivery in self._source.deliveries():
            self._troubles = delivery.troubles
            for said in self._enrolment.see(delivery.frame) if delivery.frame is not None else ():
                self._told = told_card(said)
            yield delivery.now_ns
            if self._enrolment.wanted is None or self._ends(delivery):
                break
        self.findings = (self._kept(),)

    def _ends(self, delivery: Delivery) -> bool:
        heard = self._gestures.hear(delivery.edges, delivery.edges_until_ns)
        calls = (*heard.calls, *arrow_calls(self._keys(), delivery.now_ns))
        return any(call.gesture in (Gesture.RAP, Gesture.WRONG) for call in calls)

    def _kept(self) -> Line:
        shown = self._enrolment.shown
        if not shown:
            return _bad(say("enrol.nothing"))
        try:
            keep_learned(self._detector, self._enrolled, shown, self._out, self.set_up)
        except TableError as error:
            return _bad(error.phrase)
        name_in_file(self.set_up, self._out)
        camera = replace(self.set_up.camera, pack=self._out)
        self.set_up = replace(self.set_up, camera=camera)
        enrolled = say("enrol.enrolled", path=self._out.name, n=len(self._enrolled.cards))
        return Line(enrolled, chosen=True)

    def view(self, now_ns: int) -> MenuView:
        """What the screen may show meanwhile."""
        wanted = self._enrolment.wanted
        asks = say("menu.lay", card=wanted) if wanted is not None else say("menu.done")
        count = say("menu.at", at=len(self._enrolment.shown), lines=self._count)
        return MenuView(
            say("menu.enrol"),
            (Line(asks, count),),
            0,
            told=self._told,
            how=say("menu.ends_enrolling"),
            troubles=self._troubles,
        )


def told_card(said: Said) -> Phrase:
    """What came of a card that was laid."""
    if said.shown is None:
        return say("enrol.no_corner", card=said.asked)
    if not said.learned:
        return say("enrol.looks_like", read=said.shown.read, card=said.asked)
    return say("enrol.learned", corners=len(said.shown.corners))


def _bad(said: Phrase) -> Line:
    return Line(said)
