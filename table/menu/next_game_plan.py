"""The plan for the next game: the game, its preset, who sits where, who deals first."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from table.config.settings import MENU_SCREEN_KEYS, ScreenConfig, SeatConfig, TableConfig
from table.games.engine.option_checks import player_count_phrase
from table.games.game import Game
from table.games.registry import GAMES, make_game
from table.names import normalize_name, same_person
from table.phrase import Phrase, make_phrase

AS_SET: Final = "as_set"
"""The preset that stands for the options of ``table.toml``."""
DEFAULT_GAME: Final = "whysteria"
MAX_KNOWN_PLAYERS: Final = 60
"""The most names of earlier players that are stored."""


@dataclass(frozen=True, slots=True)
class GamePlan:
    """The choices made so far in the menu for the next game."""

    game: str = DEFAULT_GAME
    preset: str = "usual"
    seated: Mapping[str, str] = field(default_factory=dict)
    """The players by their chairs."""
    dealer: str | None = None
    """The first dealer; None: chosen by lot."""
    screen: Mapping[str, str | bool] = field(default_factory=dict)
    """The chosen values of ``MENU_SCREEN_KEYS``; the others are as in ``table.toml``."""
    known_players: tuple[str, ...] = ()
    """The people who have played before, the latest first."""

    def players(self, chairs: Sequence[SeatConfig]) -> tuple[str, ...]:
        """Return the players in playing order."""
        return tuple(self.seated[chair.name] for chair in chairs if chair.name in self.seated)

    def seat_player(self, chair: str, player: str | None) -> GamePlan:
        """Return a copy with this player on the chair, and on no other; None leaves the chair empty."""
        seated = {other_chair: name for other_chair, name in self.seated.items() if other_chair != chair}
        if player is not None:
            seated = {other: name for other, name in seated.items() if not same_person(name, player)}
            seated[chair] = player
        dealer = self.dealer if self.dealer in seated.values() else None
        return replace(self, seated=seated, dealer=dealer).with_known_players(*filter(None, (player,)))

    def with_known_players(self, *players: str) -> GamePlan:
        """Return a copy with these players among the people who have played before."""
        by_person: dict[str, str] = {}
        for name in (*players, *self.known_players):
            by_person.setdefault(normalize_name(name), name)
        return replace(self, known_players=tuple(by_person.values())[:MAX_KNOWN_PLAYERS])


def plan_options(plan: GamePlan, set_up: TableConfig) -> dict[str, Any]:
    """Return the options of the plan's preset (or of ``table.toml``), with proposed values of those to agree on."""
    kind = GAMES[plan.game]
    if plan.preset == AS_SET and set_up.game == plan.game:
        return {name: value for name, value in set_up.options.items() if name != "first_dealer"}
    chosen = kind.presets[plan.preset].chosen() if plan.preset in kind.presets else {}
    return {**kind.proposed_options, **chosen}


def preset_names(game: str, set_up: TableConfig) -> tuple[str, ...]:
    """Return the names of the presets that a game has at this table."""
    names = tuple(GAMES[game].presets)
    others = {name for name in set_up.options if name != "first_dealer"}
    return (AS_SET, *names) if set_up.game == game and others else names


def preset_phrase(game: str, preset: str) -> Phrase:
    """Return the phrase with the name of a game's preset."""
    return make_phrase("preset.as_set") if preset == AS_SET else make_phrase(f"preset.{game}.{preset}")


def find_plan_fault(plan: GamePlan, set_up: TableConfig) -> Phrase | None:
    """Return why the game can't begin with this plan; None where it can."""
    players = plan.players(set_up.seats)
    options = plan_options(plan, set_up)
    kind = GAMES[plan.game]
    low, high = kind.seats_allowed(options) if kind.seats_allowed is not None else kind.seat_range
    if not low <= len(players) <= high:
        needed_players = player_count_phrase(low, min(high, len(set_up.seats)))
        return make_phrase("menu.players_needed", game=plan.game, range=needed_players, n=len(players))
    try:
        make_game(plan.game, players, options)
    except ValueError:
        return make_phrase("menu.preset_unfit", preset=preset_phrase(plan.game, plan.preset), n=len(players))
    return None


def draw_dealer(players: Sequence[str], lot: int) -> str:
    """Return the first dealer chosen by lot; the same for the same number."""
    return random.Random(lot).choice(tuple(players))


def game_config(plan: GamePlan, set_up: TableConfig, lot: int) -> TableConfig:
    """Return the set-up of the game that begins, as if ``table.toml`` had named it; ``lot``: a random number."""
    players = plan.players(set_up.seats)
    dealer = plan.dealer if plan.dealer is not None else draw_dealer(players, lot)
    return replace(
        set_up,
        game=plan.game,
        options={**plan_options(plan, set_up), "first_dealer": dealer},
        seats=taken_chairs(plan.seated, set_up.seats),
        screen=screen_config(plan, set_up),
    )


def screen_config(plan: GamePlan, set_up: TableConfig) -> ScreenConfig:
    """Return the screen's set-up: as chosen, or else as ``table.toml`` has it."""
    chosen: dict[str, Any] = {key: plan.screen[key] for key in MENU_SCREEN_KEYS if key in plan.screen}
    return replace(set_up.screen, **chosen)


def taken_chairs(seated: Mapping[str, str], chairs: Sequence[SeatConfig]) -> tuple[SeatConfig, ...]:
    """Return the chairs that are taken, each with its player's name."""
    taken = [chair for chair in chairs if chair.name in seated]
    return tuple(replace(chair, name=seated[chair.name], named=True) for chair in taken)


def seats_to_resume(game: Game, plan: GamePlan, set_up: TableConfig) -> dict[str, str] | None:
    """Return the players of a game that is resumed, by their chairs; None where they don't sit around this table.

    They are the chairs at the game's start; later changes of chairs are in its journal.
    """
    players = set(map(normalize_name, game.seats))
    names = ((chair.name, plan.seated.get(chair.name, "")) for chair in set_up.seats)
    taken = [chair for chair, name in names if normalize_name(name) in players]
    return dict(zip(taken, game.seats, strict=True)) if len(taken) == len(game.seats) else None


def config_to_resume(
    game: Game, seated: Mapping[str, str], plan: GamePlan, set_up: TableConfig
) -> TableConfig:
    """Return the set-up of a game that is resumed with these players in their chairs."""
    return replace(
        set_up,
        game=game.name,
        options=dict(game.options),
        seats=taken_chairs(seated, set_up.seats),
        screen=screen_config(plan, set_up),
    )


def initial_plan(set_up: TableConfig, stored: GamePlan | None) -> GamePlan:
    """Return the plan with which the menu begins: the last choices, or else what ``table.toml`` says."""
    named = {seat.name: seat.name for seat in set_up.seats if seat.named}
    chairs = {seat.name for seat in set_up.seats}
    if stored is None:
        dealer = set_up.options.get("first_dealer")
        plan = GamePlan(set_up.game or DEFAULT_GAME, "", named, dealer if dealer in named else None)
    else:
        seated = {chair: name for chair, name in stored.seated.items() if chair in chairs}
        plan = replace(stored, seated=seated)
    presets = preset_names(plan.game, set_up)
    if plan.preset not in presets:
        plan = replace(plan, preset=presets[0])
    return plan.with_known_players(*named.values())
