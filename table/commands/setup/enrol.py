"""``cardtable enrol``: learns the pack in use, card by card, from the live camera or from pictures."""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from table.calibration.live_enrolment import LiveEnrolment
from table.cards import SUITS, card, pack
from table.commands.arguments import add_command
from table.commands.play import stop_on_signals
from table.config.settings import TableConfig, load_config
from table.detection.detector import Detector
from table.detection.enrolment_examples import SURE, ExampleCollector, ShownCard
from table.detection.enrolment_steps import (
    DEFAULT_NAME,
    add_pack_to_config,
    enrol_and_save,
    format_pack_path,
    is_configured_pack,
    pack_path,
    sort_card_names,
)
from table.detection.indices.enrolled_pack import EnrolledPack, load_pack
from table.errors import TableError, print_error
from table.files.picture_and_video_reading import read_picture
from table.files.safe_reading import exists
from table.i18n.terminal_output import phrase_text, print_line, print_phrase
from table.observed_facts import Delivery
from table.phrase import Phrase, Place, expected_error, line_place, make_phrase
from table.pipeline import game_from_config
from table.session.calibration_and_enrolment_tasks import describe_step
from table.session.devices_in_use_check import require_free_devices
from table.sources.live_table import open_live, require_frames
from table.sources.recordings.csv_files import read_columns
from table.sources.recordings.recording import open_recording
from table.sources.source import Source
from table.system.progress_line import show_progress

_CARD_PATTERN = re.compile(r"([0-9]{1,2}|[AJQK]|JOKER)([SHDC]?)(?=$|[-_. (])", re.IGNORECASE)


def add_parser(subparsers: Any) -> None:
    """Add the sub-command."""
    parser = add_command(subparsers, "enrol", run)
    parser.add_argument("pictures", metavar="PICTURE", nargs="*", type=Path, help=None)
    parser.add_argument("--list", metavar="FILE", type=Path)
    parser.add_argument("--config", metavar="FILE", type=Path)
    parser.add_argument("--out", metavar="FILE", type=Path)
    parser.add_argument("--cards", metavar="CARD", nargs="+")
    parser.add_argument("--recording", metavar="DIR", type=Path)
    parser.add_argument("--trust", action="store_true")
    parser.add_argument("--new", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """Enrol cards and save the pack; return 1 where nothing was shown or a picture was unclear."""
    if arguments.recording is not None and arguments.pictures:
        raise TableError(expected_error("expected.recording_or_pictures", at="--recording"))
    wanted = [_parse_card(name, "--cards") for name in arguments.cards or ()]
    config_path = arguments.config or Path("table.toml")
    config = load_config(config_path, menu=True) if arguments.config or exists(config_path) else None
    recording = open_recording(arguments.recording) if arguments.recording is not None else None
    out = arguments.out or (Path(DEFAULT_NAME) if config is None else pack_path(config))
    enrolled = load_pack(out) if exists(out) and not arguments.new else EnrolledPack()
    scene = recording.config if recording is not None else config
    cards = _whole_pack(scene)
    detector = Detector(courts=scene.camera.courts if scene else "JQK")
    learner = ExampleCollector(detector)
    if arguments.pictures:
        listed = _read_list(arguments.list)
        shown, unsure = _from_pictures(arguments.pictures, listed, learner, arguments.trust)
    else:
        if scene is None:
            raise TableError("enrol.no_set_up", at="table.toml")
        cards_to_show = wanted or [name for name in cards if name not in enrolled.index_counts] or cards
        shown, unsure = _learn_at_table(scene, recording, learner, cards_to_show), 0
    if not shown:
        print_phrase("enrol.nothing")
        return 1
    mistakes = enrol_and_save(detector, enrolled, shown, out, config)
    _report(enrolled, cards, mistakes)
    print_phrase("enrol.enrolled", path=str(out), n=len(enrolled.index_counts))
    _name_pack(config, out)
    return 1 if unsure else 0


# --- the input --------------------------------------------------------------------------------------------


def _whole_pack(config: TableConfig | None) -> list[str]:
    """Return the cards of the game's pack; those of the usual pack where the menu chooses the game."""
    chosen = config is not None and config.is_complete
    return sort_card_names(game_from_config(config).pack() if config is not None and chosen else pack(52))


def _parse_card(name: str, *where: Place) -> str:
    try:
        return str(card(name.upper()))
    except ValueError:
        raise TableError(expected_error("expected.any_card", at=where, instead=name)) from None


def _card_in_name(path: Path) -> str | None:
    """Return the card that a picture's name says, as in AS.jpg and 10H-2.png; None where there is none."""
    match = _CARD_PATTERN.match(path.stem)
    if match is None:
        return None
    try:
        return str(card(match.group(0).upper()))
    except ValueError:
        return None


def _read_list(path: Path | None) -> dict[str, list[str]]:
    """Read the cards of each picture, by the picture's name without folders."""
    if path is None:
        return {}
    listed = defaultdict(list)
    for number, (image, name) in read_columns(path, ("image", "card")):
        if not image or not name:
            raise TableError(expected_error("expected.image_and_card", at=(path, line_place(number))))
        listed[Path(image).name].append(_parse_card(name, path, line_place(number)))
    return listed


def _from_pictures(
    paths: Sequence[Path], listed: dict[str, list[str]], learner: ExampleCollector, trust: bool
) -> tuple[list[ShownCard], int]:
    """Return the cards that the pictures show, and the number of pictures that left something unclear."""
    pictures = [(path, read_picture(path)) for path in paths]
    shown: list[ShownCard] = []
    unsure = 0
    for path, picture in show_progress(make_phrase("progress.enrol"), pictures, len(pictures)):
        cards, card_in_name = listed.get(path.name), _card_in_name(path)
        if cards is None and card_in_name is not None:
            cards = [card_in_name]
        if cards is not None and len(cards) == 1:
            example = learner.collect_single(picture, cards[0])
            if example is not None and example.is_other_card and not trust:
                unsure += 1
                read = {"read": example.read, "card": example.card, "confidence": example.confidence}
                print_phrase("enrol.refused", path=str(path), **read)
                continue
            examples = [] if example is None else [example]
        else:
            examples = learner.collect_several(picture, cards)
        missing = list(cards or ())
        for shown_card in examples:
            if shown_card.card in missing:
                missing.remove(shown_card.card)
            if shown_card.contradicts_name:
                print_phrase("enrol.contradicts", path=str(path), card=shown_card.card, read=shown_card.read)
        if missing:
            unsure += 1
            print_phrase("enrol.not_made_out", path=str(path), cards=tuple(missing))
        elif not examples:
            unsure += 1
            print_phrase("enrol.unsure", path=str(path), sure=SURE)
        shown += examples
    return shown, unsure


def _learn_at_table(
    config: TableConfig, recording: Source | None, learner: ExampleCollector, cards: Sequence[str]
) -> list[ShownCard]:
    """Return the cards laid on the mark, until all have been laid or the user stops."""
    enrolment = LiveEnrolment(config.camera, learner, cards)
    if recording is not None:
        _learn_from_deliveries(enrolment, recording.deliveries())
        return enrolment.shown
    require_free_devices()
    table = open_live(config, keyboard=True)
    with stop_on_signals(table.stop):
        print_phrase("enrol.lay")
        try:
            _learn_from_deliveries(enrolment, require_frames(table.deliveries()))
        except TableError as error:
            if not enrolment.shown:
                raise
            print_error(error)  # the cards learned so far are saved
    return enrolment.shown


def _learn_from_deliveries(enrolment: LiveEnrolment, deliveries: Iterator[Delivery]) -> None:
    _ask_for(enrolment.requested_card)
    reported: Phrase | None = None
    for delivery in deliveries:
        trouble = next(iter(delivery.troubles), None)
        if trouble is not None and trouble != reported:
            print_error(trouble)
        reported = trouble
        for step in enrolment.see(delivery.frame) if delivery.frame is not None else ():
            print_line(describe_step(step))
            if step.learned:
                _ask_for(enrolment.requested_card)
        if enrolment.requested_card is None:
            return


def _ask_for(name: str | None) -> None:
    if name is not None:
        print_phrase("enrol.asks", card=name)


# --- the report ------------------------------------------------------------------------------------------


def _report(enrolled: EnrolledPack, cards: Sequence[str], mistakes: Sequence[tuple[str, str]]) -> None:
    """Print how well each card is known, which are missing and which look alike."""
    known = enrolled.index_counts
    for suit in (*SUITS, ""):
        of_suit = [name for name in known if (name[-1] == suit if suit else name == "JOKER")]
        if of_suit:
            phrases = [make_phrase("enrol.known", card=name, corners=known[name]) for name in of_suit]
            print_line("  " + "  ".join(map(phrase_text, phrases)))
    missing = [name for name in cards if name not in known]
    if missing:
        print_phrase("enrol.missing", cards=tuple(missing))
    for name, other_card in mistakes:
        print_phrase("enrol.alike", card=name, other=other_card)


def _name_pack(config: TableConfig | None, out: Path) -> None:
    """Make table.toml name the pack: add the missing line, or print it."""
    if is_configured_pack(config, out):
        return
    line = f"pack = {json.dumps(format_pack_path(config, out), ensure_ascii=False)}"
    try:
        if config is not None and add_pack_to_config(config, out):
            print_line(f"{config.path}: {line}")
            return
    except TableError as error:
        print_error(error)
    print_phrase("enrol.name_it", line=line)
