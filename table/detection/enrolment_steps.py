"""Enrolment of a pack: the steps that the command and the menu share."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from table.cards import SUITS, Card
from table.config.settings import TableConfig
from table.config.toml_edit import set_keys
from table.detection.detector import Detector
from table.detection.enrolment_examples import ShownCard
from table.detection.indices.enrolled_pack import EnrolledPack, Example, save_pack
from table.files.write_as_folder_owner import owner_rights

DEFAULT_NAME = "pack.npz"


def sort_card_names(pack: Sequence[Card]) -> list[str]:
    """Return the names of a pack's cards, each once, sorted by suit from spades and by rank from the ace up."""
    names = {str(card) for card in pack}
    order = ["A", *(str(rank) for rank in range(2, 14)), "J", "Q", "K"]
    ordered = [rank + suit for suit in SUITS for rank in order if rank + suit in names]
    return [*ordered, "JOKER"] if "JOKER" in names else ordered


def pack_path(config: TableConfig) -> Path:
    """Return the path of the table's enrolled pack, existing or not."""
    folder = config.path.parent if config.path is not None else Path()
    return config.camera.pack or folder / DEFAULT_NAME


def enrol_and_save(
    detector: Detector,
    enrolled: EnrolledPack,
    shown: Sequence[ShownCard],
    out: Path,
    config: TableConfig | None,
) -> Sequence[tuple[str, str]]:
    """Replace the examples of the shown cards, adapt the detector, write the pack; return the misread cards."""
    enrolled.replace_examples(_all_examples(shown))
    mistakes = detector.learn_pack(enrolled)
    write_pack(out, enrolled, config)
    return mistakes


def write_pack(out: Path, enrolled: EnrolledPack, config: TableConfig | None) -> None:
    """Write the pack file; where ``table.toml`` names it, root writes it with the rights of that folder's owner."""
    config_path = config.path if config is not None and is_configured_pack(config, out) else None
    with nullcontext() if config_path is None else owner_rights(config_path):
        save_pack(out, enrolled)


def _all_examples(shown: Sequence[ShownCard]) -> list[Example]:
    """Return the positive and negative examples of all shown cards."""
    return [example for card in shown for example in (*card.corners, *card.negatives)]


def is_configured_pack(config: TableConfig | None, out: Path) -> bool:
    """Return whether ``table.toml`` already names this file as the enrolled pack."""
    pack = config.camera.pack if config is not None else None
    return pack is not None and pack.resolve() == out.resolve()


def add_pack_to_config(config: TableConfig | None, out: Path) -> bool:
    """Add the pack's path to ``table.toml`` if that names none; return whether it was added, or raise `TableError`."""
    if config is None or config.path is None or config.camera.pack is not None:
        return False
    set_keys(config.path, "camera", {"pack": format_pack_path(config, out)})
    return True


def format_pack_path(config: TableConfig | None, out: Path) -> str:
    """Return the pack's path as ``table.toml`` should have it: relative to the file's folder if inside that folder."""
    folder = config.path.parent.resolve() if config is not None and config.path is not None else None
    absolute = out.resolve()
    inside = folder is not None and absolute.is_relative_to(folder)
    return (absolute.relative_to(folder) if inside and folder is not None else absolute).as_posix()
