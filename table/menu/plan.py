"""What has been chosen for the next game: which one, how, who sits where, who deals first."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from table.config import MENU_SCREEN_KEYS, ScreenConfig, SeatConfig, TableConfig
from table.games.game import Game
from table.games.options import so_many
from table.games.registry import GAMES, make_game
from table.names import person_of, same_person
from table.phrase import Phrase, say

AS_SET: Final = "as_set"
"""The preset that stands for the options of ``table.toml``."""
USUAL_GAME: Final = "whysteria"
MOST_KNOWN: Final = 60
"""So many names of people who have played before are kept."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What has been chosen so far."""

    game: str = USUAL_GAME
    preset: str = "usual"
    seated: Mapping[str, str] = field(default_factory=dict)
    """Who sits where: players by their chairs."""
    dealer: str | None = None
    """Who deals first; None: the lot decides."""
    screen: Mapping[str, str | bool] = field(default_factory=dict)
    """What has been chosen of ``MENU_SCREEN_KEYS``; the rest is as ``table.toml`` has it."""
    known: tuple[str, ...] = ()
    """Who has played before, the latest first."""

    def players(self, chairs: Sequence[SeatConfig]) -> tuple[str, ...]:
        """The players in playing order."""
        return tuple(self.seated[chair.name] for chair in chairs if chair.name in self.seated)

    def sit(self, chair: str, player: str | None) -> Plan:
        """With this player on the chair, and nowhere else; None leaves it empty."""
        free = {at: name for at, name in self.seated.items() if at != chair}
        seated = {at: name for at, name in free.items() if player is None or not same_person(name, player)}
        if player is not None:
            seated[chair] = player
        dealer = self.dealer if self.dealer in seated.values() else None
        return replace(self, seated=seated, dealer=dealer).knowing(*filter(None, (player,)))

    def knowing(self, *players: str) -> Plan:
        """With these among the people who have played before."""
        found: dict[str, str] = {}
        for name in (*players, *self.known):
            found.setdefault(person_of(name), name)
        return replace(self, known=tuple(found.values())[:MOST_KNOWN])


def options_of(plan: Plan, set_up: TableConfig) -> dict[str, Any]:
    """The options of its preset, or those of ``table.toml``; what the players have to agree on as is proposed."""
    kind = GAMES[plan.game]
    if plan.preset == AS_SET and set_up.game == plan.game:
        return {name: value for name, value in set_up.options.items() if name != "first_dealer"}
    chosen = next((one.options for one in kind.presets if one.name == plan.preset), {})
    return {**kind.proposed, **chosen}


def presets_of(game: str, set_up: TableConfig) -> tuple[str, ...]:
    """The names of the presets that a game has at this table."""
    names = tuple(preset.name for preset in GAMES[game].presets)
    others = {name for name in set_up.options if name != "first_dealer"}
    return (AS_SET, *names) if set_up.game == game and others else names


def told_preset(game: str, preset: str) -> Phrase:
    """A preset in words."""
    return say("preset.as_set") if preset == AS_SET else say(f"preset.{game}.{preset}")


def fault(plan: Plan, set_up: TableConfig) -> Phrase | None:
    """Why the game can't begin like this; None where it can."""
    players = plan.players(set_up.seats)
    options = options_of(plan, set_up)
    kind = GAMES[plan.game]
    low, high = kind.seats_allowed(options) if kind.seats_allowed is not None else kind.seat_range
    if not low <= len(players) <= high:
        wanted = so_many(low, min(high, len(set_up.seats)))
        return say("menu.players_needed", game=plan.game, range=wanted, n=len(players))
    try:
        make_game(plan.game, players, options)
    except ValueError:
        return say("menu.preset_unfit", preset=told_preset(plan.game, plan.preset), n=len(players))
    return None


def drawn(players: Sequence[str], lot: int) -> str:
    """Whom the lot makes the first dealer; the same for the same number."""
    return random.Random(lot).choice(tuple(players))


def set_up_of(plan: Plan, set_up: TableConfig, lot: int) -> TableConfig:
    """The set-up of the game that begins, as if ``table.toml`` had named it; ``lot``: a number nobody could choose."""
    players = plan.players(set_up.seats)
    dealer = plan.dealer if plan.dealer is not None else drawn(players, lot)
    return replace(
        set_up,
        game=plan.game,
        options={**options_of(plan, set_up), "first_dealer": dealer},
        seats=seats_of(plan.seated, set_up.seats),
        screen=screen_of(plan, set_up),
    )


def screen_of(plan: Plan, set_up: TableConfig) -> ScreenConfig:
    """How the screen is set up: as chosen, or else as ``table.toml`` has it."""
    chosen: dict[str, Any] = {key: plan.screen[key] for key in MENU_SCREEN_KEYS if key in plan.screen}
    return replace(set_up.screen, **chosen)


def seats_of(seated: Mapping[str, str], chairs: Sequence[SeatConfig]) -> tuple[SeatConfig, ...]:
    """The chairs that are taken, each with its player's name."""
    taken = [chair for chair in chairs if chair.name in seated]
    return tuple(replace(chair, name=seated[chair.name], named=True) for chair in taken)


def goes_on(game: Game, plan: Plan, set_up: TableConfig) -> TableConfig | None:
    """The set-up of a game that is gone on with; None where its players don't sit around this table."""
    players = set(map(person_of, game.seats))
    taken = [chair for chair in set_up.seats if person_of(plan.seated.get(chair.name, "")) in players]
    if len(taken) != len(game.seats):
        return None
    # The chairs as the game began; who has changed places since stands in its journal.
    seats = tuple(
        replace(chair, name=name, named=True) for chair, name in zip(taken, game.seats, strict=True)
    )
    options = dict(game.options)
    return replace(set_up, game=game.name, options=options, seats=seats, screen=screen_of(plan, set_up))


def plan_of(set_up: TableConfig, kept: Plan | None) -> Plan:
    """Where the menu begins: with what was chosen last, or else with what ``table.toml`` says."""
    named = {seat.name: seat.name for seat in set_up.seats if seat.named}
    chairs = {seat.name for seat in set_up.seats}
    if kept is None:
        game = set_up.game or USUAL_GAME
        first = presets_of(game, set_up)[0]
        dealer = set_up.options.get("first_dealer")
        plan = Plan(game, first, named, dealer if dealer in named else None)
    else:
        seated = {chair: name for chair, name in kept.seated.items() if chair in chairs}
        plan = replace(kept, seated=seated)
        if plan.preset not in presets_of(plan.game, set_up):
            plan = replace(plan, preset=presets_of(plan.game, set_up)[0])
    return plan.knowing(*named.values())
