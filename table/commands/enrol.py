"""``cardtable enrol``: learns the pack in use, card by card, from the live camera or from pictures."""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from table.cards import SUITS, card, pack
from table.commands.arguments import about, usage
from table.commands.play import ended_by_signals
from table.config import TableConfig, load_config
from table.errors import TableError, complain
from table.evening.errands import told_card
from table.facts import Delivery, Frame
from table.files.pictures import read_picture
from table.files.reading import exists
from table.host.busy import check_free
from table.host.progress import followed
from table.phrase import Phrase, Place, at_line, expected, say
from table.pipeline import game_of
from table.reader.detector import Detector
from table.reader.enrollearn import SURE, Learner, Shown
from table.reader.enrolled import EnrolledPack, load_pack
from table.setup.enrolment import (
    DEFAULT_NAME,
    in_order,
    is_named,
    keep_learned,
    name_in_file,
    place_of_pack,
    spelt,
)
from table.sight.enrollive import LiveEnrolment, Said
from table.sources.base import Source
from table.sources.live import open_live, with_pictures
from table.sources.recording import open_recording
from table.sources.rows import columns_of
from table.words.spoken import put, tell, text

_CARD_OF = re.compile(r"([0-9]{1,2}|[AJQK]|JOKER)([SHDC]?)(?=$|[-_. (])", re.IGNORECASE)


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = subparsers.add_parser("enrol", **about("enrol"))
    parser.add_argument("pictures", metavar="PICTURE", nargs="*", type=Path)
    parser.add_argument(
        "--list",
        metavar="FILE",
        type=Path,
        help=usage("usage.enrol_list"),
    )
    parser.add_argument("--config", metavar="FILE", type=Path, help=usage("usage.enrol_config"))
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        help=usage("usage.enrol_out"),
    )
    parser.add_argument("--cards", metavar="CARD", nargs="+", help=usage("usage.enrol_cards"))
    parser.add_argument("--recording", metavar="DIR", type=Path, help=usage("usage.enrol_recording"))
    parser.add_argument("--trust", action="store_true", help=usage("usage.enrol_trust"))
    parser.add_argument("--new", action="store_true", help=usage("usage.enrol_new"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command."""
    if arguments.recording is not None and arguments.pictures:
        raise TableError(expected("expected.recording_or_pictures", at="--recording"))
    wanted = [_card(name, "--cards") for name in arguments.cards or ()]
    config = _config(arguments.config)
    recording = open_recording(arguments.recording) if arguments.recording is not None else None
    out = _place(arguments.out, config)
    enrolled = load_pack(out) if exists(out) and not arguments.new else EnrolledPack()
    scene = recording.config if recording is not None else config
    cards = _whole_pack(scene)
    detector = Detector(courts=scene.camera.courts if scene else "JQK")
    learner = Learner(detector)
    if arguments.pictures:
        shown, unsure = _from_pictures(
            arguments.pictures, _read_list(arguments.list), learner, arguments.trust
        )
    else:
        if scene is None:
            raise TableError("enrol.no_set_up", at="table.toml")
        asked = wanted or [name for name in cards if name not in enrolled.cards] or cards
        shown, unsure = _at_the_table(scene, recording, learner, asked), 0
    if not shown:
        tell("enrol.nothing")
        return 1
    mistakes = keep_learned(detector, enrolled, shown, out, config)
    _report(enrolled, cards, mistakes)
    tell("enrol.enrolled", path=str(out), n=len(enrolled.cards))
    _name_pack(config, out)
    return 1 if unsure else 0


# --- the input --------------------------------------------------------------------------------------------


def _config(given: Path | None) -> TableConfig | None:
    if given is not None:
        return load_config(given, menu=True)
    usual = Path("table.toml")
    return load_config(usual, menu=True) if exists(usual) else None


def _place(out: Path | None, config: TableConfig | None) -> Path:
    if out is not None:
        return out
    return Path(DEFAULT_NAME) if config is None else place_of_pack(config)


def _whole_pack(config: TableConfig | None) -> list[str]:
    """The cards of the game's pack; of the usual one where the menu is to choose the game."""
    return in_order(game_of(config).pack() if config is not None and config.whole else pack(52))


def _card(name: str, *where: Place) -> str:
    try:
        return str(card(name.upper()))
    except ValueError:
        raise TableError(expected("expected.any_card", at=where, instead=name)) from None


def _named(path: Path) -> str | None:
    """The card that a picture's name says, as AS.jpg and 10H-2.png do."""
    match = _CARD_OF.match(path.stem)
    if match is None:
        return None
    try:
        return str(card(match.group(0).upper()))
    except ValueError:
        return None


def _read_list(path: Path | None) -> dict[str, list[str]]:
    """The cards of each picture, by the picture's name without folders."""
    if path is None:
        return {}
    listed = defaultdict(list)
    for number, (image, name) in columns_of(path, ("image", "card")):
        if not image or not name:
            raise TableError(expected("expected.image_and_card", at=(path, at_line(number))))
        listed[Path(image).name].append(_card(name, path, at_line(number)))
    return listed


def _from_pictures(
    paths: Sequence[Path], listed: dict[str, list[str]], learner: Learner, trust: bool
) -> tuple[list[Shown], int]:
    """What the pictures show, and how many of them left something unsure."""
    pictures = [(path, read_picture(path)) for path in paths]
    shown: list[Shown] = []
    unsure = 0
    for path, picture in followed(say("progress.enrol"), pictures, len(pictures)):
        cards, named = listed.get(path.name), _named(path)
        if cards is None and named is not None:
            cards = [named]
        if cards is not None and len(cards) == 1:
            one = learner.one(picture, cards[0])
            if one is not None and one.refuted and not trust:
                unsure += 1
                tell("enrol.refused", path=str(path), read=one.read, card=one.card, confidence=one.confidence)
                continue
            found = [] if one is None else [one]
        else:
            found = learner.several(picture, cards)
        left = list(cards or ())
        for each in found:
            if each.card in left:
                left.remove(each.card)
            if each.contradicts:
                tell("enrol.contradicts", path=str(path), card=each.card, read=each.read)
        if left:
            unsure += 1
            tell("enrol.not_made_out", path=str(path), cards=tuple(left))
        elif not found:
            unsure += 1
            tell("enrol.unsure", path=str(path), sure=SURE)
        shown += found
    return shown, unsure


def _at_the_table(
    config: TableConfig, recording: Source | None, learner: Learner, cards: Sequence[str]
) -> list[Shown]:
    """What is laid on the mark, until all cards have been, or somebody ends it."""
    enrolment = LiveEnrolment(config.camera, learner, cards)
    if recording is not None:
        _watch(enrolment, recording.deliveries())
        return enrolment.shown
    check_free()
    table = open_live(config, keyboard=True)
    with ended_by_signals(table.stop):
        tell("enrol.lay")
        try:
            _watch(enrolment, with_pictures(table.deliveries()))
        except TableError as error:
            if not enrolment.shown:
                raise
            complain(error)  # what was learned is kept
    return enrolment.shown


def _watch(enrolment: LiveEnrolment, deliveries: Iterator[Delivery]) -> None:
    _ask(enrolment.wanted)
    told: Phrase | None = None
    for delivery in deliveries:
        trouble = next(iter(delivery.troubles), None)
        if trouble is not None and trouble != told:
            complain(trouble)
        told = trouble
        for said in _see(enrolment, delivery.frame):
            put(told_card(said))
            if said.learned:
                _ask(enrolment.wanted)
        if enrolment.wanted is None:
            return


def _see(enrolment: LiveEnrolment, frame: Frame | None) -> list[Said]:
    return [] if frame is None else list(enrolment.see(frame))


def _ask(name: str | None) -> None:
    if name is not None:
        tell("enrol.asks", card=name)


# --- the words --------------------------------------------------------------------------------------------


def _report(enrolled: EnrolledPack, cards: Sequence[str], mistakes: Sequence[tuple[str, str]]) -> None:
    """What is known of each card, what is missing, what looks alike."""
    known = enrolled.cards
    for suit in (*SUITS, ""):
        of_suit = [name for name in known if (name[-1] == suit if suit else name == "JOKER")]
        if of_suit:
            known_of = (text(say("enrol.known", card=name, corners=known[name])) for name in of_suit)
            put("  " + "  ".join(known_of))
    missing = [name for name in cards if name not in known]
    if missing:
        tell("enrol.missing", cards=tuple(missing))
    for name, other in mistakes:
        tell("enrol.alike", card=name, other=other)


def _name_pack(config: TableConfig | None, out: Path) -> None:
    """See to it that table.toml names the pack: the one line that is missing is put in, or said."""
    if is_named(config, out):
        return
    line = f"pack = {json.dumps(spelt(config, out), ensure_ascii=False)}"
    if config is not None and name_in_file(config, out):
        put(f"{config.path}: {line}")
        return
    tell("enrol.name_it", line=line)
