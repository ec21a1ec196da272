"""``cardtable detect``: detects the cards in still pictures."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from table.commands.arguments import add_command, number_type
from table.config.settings import COURTS
from table.detection.card_detections import CardDetection
from table.detection.detector import Detector
from table.detection.indices.enrolled_pack import load_pack
from table.detection.photo_reading import read_still
from table.errors import TableError, print_error
from table.files.picture_and_video_reading import read_picture
from table.i18n.terminal_output import print_line
from table.phrase import Phrase, make_phrase

MIN_CONFIDENCE = 0.5
"""The least confidence of a detection: below it half are wrong. Use is for those who know which cards to expect."""


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "detect", run)
    parser.add_argument("images", metavar="IMAGE", nargs="+", type=Path, help=None)
    parser.add_argument("--card-px", metavar="N", type=number_type(10, 2000))
    parser.add_argument("--pack", metavar="FILE", type=Path)
    parser.add_argument("--courts", choices=COURTS, default="JQK")
    parser.add_argument("--json", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """Print the cards in each picture; return 2 where a picture can't be read."""
    enrolled = load_pack(arguments.pack) if arguments.pack else None
    detector = Detector(courts=arguments.courts, enrolled=enrolled)
    broken = 0
    for path in arguments.images:
        try:
            picture = read_picture(path)
        except TableError as error:
            # The other pictures are still read.
            print_error(error)
            broken += 1
            continue
        detections = read_still(detector, picture, arguments.card_px or 100.0)
        confident = [detection for detection in detections if detection.confidence >= MIN_CONFIDENCE]
        print_line(_format_json(path, confident) if arguments.json else _format_phrase(path, confident))
    return 2 if broken else 0


def _format_json(path: Path, detections: list[CardDetection]) -> str:
    cards = [
        {
            "card": detection.readings[0].card,
            "confidence": round(detection.readings[0].confidence, 4),
            "box": [round(float(side), 1) for side in detection.box],
        }
        for detection in detections
    ]
    return json.dumps({"image": str(path), "cards": cards})


def _format_phrase(path: Path, detections: list[CardDetection]) -> Phrase:
    readings = [detection.readings[0] for detection in detections]
    cards = tuple(
        make_phrase("detect.card", card=reading.card, confidence=reading.confidence) for reading in readings
    )
    return make_phrase("detect.cards" if cards else "detect.none", path=str(path), n=len(cards), cards=cards)
