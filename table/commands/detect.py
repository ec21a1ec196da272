"""``cardtable detect``: reads the cards in still pictures."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from table.commands.arguments import about, number, usage
from table.config import COURTS
from table.errors import TableError, complain
from table.files.pictures import read_picture
from table.phrase import Phrase, say
from table.reader.detector import Detector
from table.reader.enrolled import load_pack
from table.reader.sightings import Sighting
from table.reader.stills import read_still
from table.words.spoken import put

LEAST = 0.5
"""Readings less sure than this are guesses (half of them are wrong): for those who know what cards to expect."""


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser("detect", **about("detect"))
    parser.add_argument("images", metavar="IMAGE", nargs="+", type=Path)
    parser.add_argument(
        "--card-px",
        metavar="N",
        type=number(10, 2000),
        help=usage("usage.detect_card_px"),
    )
    parser.add_argument("--pack", metavar="FILE", type=Path, help=usage("usage.detect_pack"))
    parser.add_argument("--courts", choices=COURTS, default="JQK", help=usage("usage.detect_courts"))
    parser.add_argument("--json", action="store_true", help=usage("usage.detect_json"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    enrolled = load_pack(arguments.pack) if arguments.pack else None
    detector = Detector(courts=arguments.courts, enrolled=enrolled)
    broken = 0
    for path in arguments.images:
        try:
            picture = read_picture(path)
        except TableError as error:
            # The others are read all the same.
            complain(error)
            broken += 1
            continue
        seen = read_still(detector, picture, arguments.card_px or 100.0)
        found = [sighting for sighting in seen if sighting.confidence >= LEAST]
        put(_json(path, found) if arguments.json else _told(path, found))
    return 2 if broken else 0


def _json(path: Path, found: list[Sighting]) -> str:
    cards = [
        {
            "card": sighting.readings[0].card,
            "confidence": round(sighting.readings[0].confidence, 4),
            "box": [round(float(side), 1) for side in sighting.box],
        }
        for sighting in found
    ]
    return json.dumps({"image": str(path), "cards": cards})


def _told(path: Path, found: list[Sighting]) -> Phrase:
    readings = [sighting.readings[0] for sighting in found]
    cards = tuple(say("detect.card", card=one.card, confidence=one.confidence) for one in readings)
    return say("detect.cards" if cards else "detect.none", path=str(path), n=len(cards), cards=cards)
