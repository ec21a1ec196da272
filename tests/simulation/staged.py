"""Writes recordings of scripted games: ``python -m tests.simulation.staged DIR [NAME ...]``.

Not a test: writes ``DIR/NAME`` for each (all by default). The same program writes the same recording; those that the
tests replay are in ``tests/recordings``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from table.cards import card
from table.commands.virtual import START_NS
from table.observed_facts import MS
from table.simulation.players.acts_on_simulated_table import Stage
from table.simulation.players.simulated_game import LayAct, World
from table.simulation.recording_writer import write_recording
from table.simulation.rendering.camera_image import RoomAppearance
from table.simulation.rendering.card_artwork import CLASSIC, CardArtwork, render_face
from table.simulation.simulated_config import make_simulated_config, random_room
from table.simulation.simulated_source import SimulatedSource

SIZE = (960, 540)
FPS = 20
PAUSE_MS = 800
"""Minimum pause before each act."""
BLUR_MM = 4.0
"""Standard deviation of a blur that makes every index unreadable."""


@dataclass(frozen=True)
class Staged:
    """A scripted game with its room and the players' answers to the table's questions."""

    world: World
    look: RoomAppearance
    answers: Sequence[str] = ()
    """Lines of ``answers.csv``."""


class Play:
    """Scripts a game: every method makes players act, one act after another."""

    def __init__(self, game: str, hands: Sequence[int], seed: int, **options: object) -> None:
        config = make_simulated_config(
            game, 3, {"hands": list(hands), **options}, seed=seed, size=SIZE, fps=FPS
        )
        self.stage = Stage(config, seed, 1.0, START_NS)
        self._all = dict(self.stage.seats)

    def deal(self, **hands: str) -> None:
        """Give the players these cards and let the dealer rap."""
        self.stage.hands = {seat: [card(name) for name in names.split()] for seat, names in hands.items()}
        self.stage.rap(self.stage.game.dealer, self._soon(1500))
        self.stage.rule_on_acts()

    def bid(self, seat: str, number: int) -> None:
        """Make a bid."""
        self.stage.bid(seat, number, self._soon())
        self.stage.rule_on_acts()

    def lay(self, seat: str, name: str) -> LayAct:
        """Play a card."""
        laid = self.stage.lay(seat, card(name), self.stage.earliest_landing(seat, self._soon()))
        self.stage.rule_on_acts()
        return laid

    def lay_tied(self, first: tuple[str, str], second: tuple[str, str], apart_ms: int) -> list[LayAct]:
        """Make two leads, the second upon the first card ``apart_ms`` later."""
        t_ns = max(self.stage.earliest_landing(seat, self._soon()) for seat, _ in (first, second))
        below = self.stage.lay(first[0], card(first[1]), t_ns)
        above = self.stage.lay(second[0], card(second[1]), t_ns + apart_ms * MS, upon=below.id)
        self.stage.rule_on_acts()
        return [below, above]

    def think(self) -> None:
        """Let some time pass without an act."""
        self.stage.wait(2 * PAUSE_MS)

    def take_back(self, laid: LayAct) -> None:
        """Let a player take back a card."""
        self.stage.take(laid.seat, [laid.id], self._soon(), to_hand=True)
        self.stage.rule_on_acts()

    def pick_up(self, seat: str) -> None:
        """Let a player pick up the trick."""
        self.stage.take(seat, list(self.stage.mark), self._soon(), to_hand=False)
        self.stage.rule_on_acts()

    @contextmanager
    def crossed(self, first: str, second: str) -> Iterator[None]:
        """Swap the sides from which two players reach for the mark, within the context."""
        sides = {seat: self._all[seat].angle for seat in (first, second)}
        self.stage.seats[first] = replace(self._all[first], angle=sides[second])
        self.stage.seats[second] = replace(self._all[second], angle=sides[first])
        yield
        self.stage.seats.update(self._all)

    def _soon(self, ms: int = PAUSE_MS) -> int:
        return self.stage.time_after(ms, ms + 200)


def unreadable_card() -> Staged:
    """Script Oh Hell with clubs as trumps: the card that wins the last trick is unreadable; its player is asked."""
    play = Play("oh-hell", [2, 1], seed=11, trump="progressive")
    play.deal(Ada="KH 3S", Ben="9H QS", Cleo="4H 7S")
    play.bid("Ben", 1)
    play.bid("Cleo", 0)
    play.bid("Ada", 0)
    play.lay("Ben", "9H")
    play.lay("Cleo", "4H")
    play.lay("Ada", "KH")
    play.pick_up("Ada")
    play.lay("Ada", "3S")
    play.lay("Ben", "QS")
    play.think()
    play.lay("Cleo", "7S")
    play.pick_up("Ben")
    play.deal(Ada="6C", Ben="2H", Cleo="AD")
    play.bid("Cleo", 0)
    play.bid("Ada", 1)
    play.bid("Ben", 1)
    play.lay("Cleo", "AD")
    play.lay("Ada", "6C")
    play.lay("Ben", "2H")
    play.pick_up("Cleo")
    return Staged(play.stage.make_world(), _room(11, blurred="QS"), ("0,card,1,2,Ben,QS",))


def crossed_leads() -> Staged:
    """Script Whysteria: two players lead at once from each other's side, so that the arms suggest the wrong leaders."""
    play = Play("whysteria", [2], seed=12)
    play.deal(Ada="9H AS", Ben="8H 3S", Cleo="8D 4H")
    play.bid("Cleo", 0)
    play.bid("Ada", 2)
    play.bid("Ben", 1)
    with play.crossed("Ada", "Cleo"):
        _, above = play.lay_tied(("Ada", "9H"), ("Cleo", "8D"), apart_ms=120)
    play.take_back(above)
    play.lay("Ben", "8H")
    play.lay("Cleo", "4H")
    play.pick_up("Ada")
    play.lay("Ada", "AS")
    play.lay("Ben", "3S")
    play.lay("Cleo", "8D")
    play.pick_up("Ada")
    return Staged(play.stage.make_world(), _room(12))


STAGED: Mapping[str, Callable[[], Staged]] = {
    "unreadable-card": unreadable_card,
    "crossed-leads": crossed_leads,
}


def _room(seed: int, blurred: str | None = None) -> RoomAppearance:
    """Return a room with plain cloth and little noise, for small videos; one card's face can be blurred."""

    @lru_cache
    def print_of(name: str, px_per_mm: float) -> CardArtwork:
        clear = render_face(name, px_per_mm, CLASSIC)
        if name != blurred:
            return clear
        print_ = cv2.GaussianBlur(clear.image, (0, 0), BLUR_MM * px_per_mm)
        return replace(clear, image=np.asarray(print_, dtype=np.uint8))

    return replace(random_room(seed), grain=0.02, noise=0.6, faces=print_of)


def write(folder: Path, staged: Staged) -> None:
    """Write the recording of a scripted game."""
    write_recording(SimulatedSource(staged.world, staged.look), folder)
    if staged.answers:
        (folder / "answers.csv").write_text(answers_text(staged), encoding="utf-8")


def answers_text(staged: Staged) -> str:
    """Return the text of ``answers.csv``."""
    return "".join(f"{line}\n" for line in ("t_ns,about,hand,trick,seat,card", *staged.answers))


def main() -> None:
    """Write the recordings that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", metavar="DIR", type=Path)
    parser.add_argument("names", metavar="NAME", nargs="*", choices=[*STAGED, []])
    arguments = parser.parse_args()
    for name in arguments.names or STAGED:
        staged = STAGED[name]()
        write(arguments.folder / name, staged)
        seconds = (staged.world.end_ns - staged.world.start_ns) / 1e9
        print(f"{arguments.folder / name}: {seconds:.0f} s, {len(staged.world.truth)} lines of truth")


if __name__ == "__main__":
    main()
