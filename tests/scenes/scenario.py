"""What a scene of the bench is: a room, what people do in it, and what truly happened. Nothing here was seen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from table.config.settings import TableConfig
from table.simulation.players.simulated_game import World
from table.simulation.rendering.card_artwork import STYLES, CardArtwork, render_face
from table.simulation.rendering.motions_over_time import Motion
from table.simulation.simulated_source import SimulatedSource
from tests.scenes.film.camera import FilmCamera
from tests.scenes.film.compression import CompressedSource
from tests.scenes.film.look import FilmLook
from tests.simulation.scene_camera import SceneAppearance, SceneCamera

START_NS = 20_000_000_000


@dataclass(frozen=True, slots=True)
class TrueCard:
    """One physical card, from its landing on the mark until it is taken; laid again it is another one."""

    id: int
    name: str
    seat: str
    landed_ns: int
    """When it came to rest."""
    place: tuple[float, float]
    """Its centre then, mm from the mark."""
    upon: tuple[int, ...]
    """The ids of the cards that it came to lie upon."""
    taken_ns: int | None = None
    """When it began to move away; None: it stays."""
    taken_by: str | None = None
    taken_back: bool = False
    """Whether its player took it back; else it was gathered with a trick."""


@dataclass(frozen=True, slots=True)
class Tie:
    """Two cards that were laid as one: their ids in the order of landing."""

    first: int
    second: int
    gap_ms: float
    overlap: float
    """The share of the first that the second covers, 0..1."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scene: pure data, made from a seed."""

    kind: str
    stream: str
    """The set that it belongs to."""
    number: int
    """Which of its kind."""
    config: TableConfig
    seed: int
    """Of the camera's clock and noise."""
    look: SceneAppearance
    style: str
    photographed: bool
    """Whether it is played with the photographed pack, where there is one."""
    strokes: tuple[Motion, ...]
    end_ns: int
    cards: tuple[TrueCard, ...]
    ties: tuple[Tie, ...]
    film: FilmLook | None = None
    """How it looks where it is filmed with the second camera; None: with the simulated one."""

    @property
    def title(self) -> str:
        """Names it: ``tuning:squared:3``."""
        return f"{self.stream}:{self.kind}:{self.number}"

    @property
    def world(self) -> World:
        """To be drawn, or written as a recording."""
        return World(self.config, self.seed, START_NS, self.end_ns, (), self.strokes)

    def source(self, faces: Callable[[str, float], CardArtwork] | None = None) -> SimulatedSource:
        """What delivers its frames; ``faces``: the photographed pack's."""
        if (film := self.film) is None:
            view, names = self.config.camera, self.config.names
            assert view.homography is not None
            room = SceneCamera(view.size, view.homography, names, self.room(faces), self.seed)
            return SimulatedSource(self.world, camera=room)
        drawn = partial(render_face, style=STYLES[self.style])
        camera = FilmCamera(
            film, self.config.names, faces if faces and self.photographed else drawn, START_NS
        )
        if not film.kbit_s:
            return SimulatedSource(self.world, camera=camera)
        return CompressedSource(self.world, camera, film.kbit_s, film.codec)

    def room(self, faces: Callable[[str, float], CardArtwork] | None = None) -> SceneAppearance:
        """How it looks; ``faces``: the photographed pack's."""
        chosen = faces if self.photographed else None
        return replace(self.look, style=STYLES[self.style], faces=chosen)


def description(scenario: Scenario) -> dict[str, Any]:
    """A scene as plain data, numbers rounded to what any machine works out alike."""
    look = asdict(scenario.film or scenario.look)
    plain = _plain(
        {
            "kind": scenario.kind,
            "number": scenario.number,
            "seats": [(seat.name, seat.angle) for seat in scenario.config.seats],
            "camera": [*scenario.config.camera.size, scenario.config.camera.fps],
            "homography": scenario.config.camera.homography,
            "seed": scenario.seed,
            "look": {name: value for name, value in look.items() if name != "faces"},
            "pack": [scenario.style, scenario.photographed],
            "strokes": [(type(stroke).__name__, asdict(stroke)) for stroke in scenario.strokes],
            "end_ns": scenario.end_ns,
            "cards": [asdict(card) for card in scenario.cards],
            "ties": [asdict(tie) for tie in scenario.ties],
        }
    )
    assert isinstance(plain, dict)
    return plain


def digest(scenarios: Iterable[Scenario]) -> str:
    """Changes when anything in any of these scenes does."""
    sum_ = hashlib.sha256()
    for scenario in scenarios:
        sum_.update(json.dumps(description(scenario), sort_keys=True).encode())
    return sum_.hexdigest()[:16]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return round(value, 3) + 0.0 if isinstance(value, float) else value
