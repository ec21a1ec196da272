"""Lets sight see a scene, and keeps one as a recording."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from table.cards import pack
from table.detection.card_detections import CardReader
from table.detection.detector import Detector
from table.errors import TableError
from table.simulation.recording_writer import write_recording
from table.simulation.rendering.card_artwork import (
    HEIGHT_MM,
    WIDTH_MM,
    CardArtwork,
    outline_mask,
    render_face,
)
from table.tracking.tracker import CardTracker
from tests.scenes import shown
from tests.scenes.judge import ReportedFact, Shown, Verdict, judge
from tests.scenes.scenario import Scenario, description

Faces = Callable[[str, float], CardArtwork]


def photographed(folder: Path) -> Faces:
    """The faces of a photographed pack: ``KH.jpg``, ``10S.png``, each upright and cut to its edge.

    ``TableError`` where one of the 52 is missing or no picture.
    """
    pictures = {}
    for which in pack():
        found = [path for suffix in ("jpg", "png") if (path := folder / f"{which}.{suffix}").is_file()]
        picture = cv2.imread(str(found[0])) if found else None
        if picture is None:
            raise TableError(f"{folder}: {which}: no picture (expected {which}.jpg, cut to the card's edge)")
        pictures[str(which)] = np.asarray(picture, np.uint8)

    @lru_cache(maxsize=128)
    def drawn(name: str, px_per_mm: float) -> CardArtwork:
        if name not in pictures:  # the joker that is the mark
            return render_face(name, px_per_mm)
        size = (round(WIDTH_MM * px_per_mm), round(HEIGHT_MM * px_per_mm))
        image = np.asarray(cv2.resize(pictures[name], size, interpolation=cv2.INTER_AREA), np.uint8)
        return CardArtwork(image, outline_mask(px_per_mm))

    return drawn


def detector() -> Detector:
    """The trained one, as it reads for the game that the scenes' table is set for: it knows what is in the pack."""
    return Detector(pack=[str(one) for one in pack()])


def watch(scenario: Scenario, reader: CardReader, faces: Faces | None = None) -> list[ReportedFact]:
    """What sight tells of a scene, and when."""
    sight = CardTracker(scenario.config.camera, reader)
    told: list[ReportedFact] = []
    t_ns = 0
    for delivery in scenario.source(faces).deliveries():
        if delivery.frame is not None:
            t_ns = delivery.frame.t_ns
            told += [ReportedFact(fact, t_ns) for fact in sight.see(delivery.frame).facts]
    told += [ReportedFact(fact, t_ns) for fact in sight.end().facts]
    return told


def verdict_of(scenario: Scenario, told: Sequence[ReportedFact]) -> Verdict:
    """What is wrong with what sight told."""
    orders = {(tie.first, tie.second) for tie in scenario.ties if shown.order_shown(scenario, tie)}
    names = shown.named(scenario)
    hidden = {card.id for card in scenario.cards if card.name and card.id not in names}
    return judge(scenario, told, Shown(names, orders, hidden if scenario.film else ()))


def keep(
    scenario: Scenario, folder: Path, told: Sequence[ReportedFact], verdict: Verdict, faces: Faces | None
) -> None:
    """Write a scene as a recording, with ``scene.json`` (the scene and its truth) and ``verdict.txt`` beside it."""
    write_recording(scenario.source(faces), folder)
    (folder / "truth.jsonl").unlink()  # no game is played: nothing a journal would say is true
    text = json.dumps({"title": scenario.title, **description(scenario)}, indent=1)
    (folder / "scene.json").write_text(text + "\n", encoding="utf-8")
    lines = [scenario.title, *verdict.notes, "", *(json.dumps(asdict(card)) for card in scenario.cards), ""]
    lines += [f"{one.at_ns}: {one.fact}" for one in told]
    (folder / "verdict.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
