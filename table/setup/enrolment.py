"""What enrolling a pack comes down to, by whatever command or menu it was begun."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from table.cards import SUITS, Card
from table.config import TableConfig
from table.errors import TableError
from table.files.rights import rights_at
from table.reader.detector import Detector
from table.reader.enrollearn import Shown
from table.reader.enrolled import EnrolledPack, Example, save_pack
from table.setup.tomlfile import set_keys

DEFAULT_NAME = "pack.npz"


def in_order(pack: Sequence[Card]) -> list[str]:
    """The names of a pack's cards, each once, spades first, from the ace up."""
    names = {str(one) for one in pack}
    order = ["A", *(str(rank) for rank in range(2, 14)), "J", "Q", "K"]
    found = [rank + suit for suit in SUITS for rank in order if rank + suit in names]
    return [*found, "JOKER"] if "JOKER" in names else found


def place_of_pack(config: TableConfig) -> Path:
    """Where the table's pack is, or is to be."""
    folder = config.path.parent if config.path is not None else Path()
    return config.camera.pack or folder / DEFAULT_NAME


def keep_learned(
    detector: Detector, enrolled: EnrolledPack, shown: Sequence[Shown], out: Path, config: TableConfig | None
) -> Sequence[tuple[str, str]]:
    """Put what was shown in the place of what was known of it, and write the pack; the cards that look alike."""
    enrolled.replace(_examples(shown))
    mistakes = detector.learn(enrolled)
    write_pack(out, enrolled, config)
    return mistakes


def write_pack(out: Path, enrolled: EnrolledPack, config: TableConfig | None) -> None:
    """Write the pack; where ``table.toml`` names its place, with the rights of whoever may write that."""
    named = config.path if config is not None and is_named(config, out) else None
    with nullcontext() if named is None else rights_at(named):
        save_pack(out, enrolled)


def _examples(shown: Sequence[Shown]) -> list[Example]:
    return [example for each in shown for example in (*each.corners, *each.nowhere)]


def is_named(config: TableConfig | None, out: Path) -> bool:
    """Whether ``table.toml`` names the pack already."""
    pack = config.camera.pack if config is not None else None
    return pack is not None and pack.resolve() == out.resolve()


def name_in_file(config: TableConfig | None, out: Path) -> bool:
    """Have ``table.toml`` name the pack, where it names none; whether it does now."""
    if config is None or config.path is None or config.camera.pack is not None:
        return False
    try:
        set_keys(config.path, "camera", {"pack": spelt(config, out)})
    except TableError:
        return False
    return True


def spelt(config: TableConfig | None, out: Path) -> str:
    """The pack's place as ``table.toml`` should name it."""
    folder = config.path.parent.resolve() if config is not None and config.path is not None else None
    whole = out.resolve()
    inside = folder is not None and whole.is_relative_to(folder)
    return (whole.relative_to(folder) if inside and folder is not None else whole).as_posix()
