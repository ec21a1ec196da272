"""The plan for the next game: the game and its rules, who sits where, who deals first."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from table.config.pin_plan import FIRST_ANGLE
from table.config.settings import MENU_SCREEN_KEYS, ScreenConfig, SeatConfig, TableConfig
from table.games.engine.option_checks import player_count_phrase
from table.games.engine.ruleset import OptionSpec
from table.games.game import Game
from table.games.registry import GAMES, make_game
from table.names import normalize_name, same_person
from table.phrase import Phrase, WrongValueError, make_phrase

AS_SET: Final = "as_set"
"""The starting point that stands for the options of ``table.toml``."""
DEFAULT_GAME: Final = "whysteria"
MAX_KNOWN_PLAYERS: Final = 60
"""The most names of earlier players that are stored."""


@dataclass(frozen=True, slots=True)
class GamePlan:
    """The choices made so far in the menu for the next game."""

    game: str = DEFAULT_GAME
    preset: str = "usual"
    """What the rules start from, by its name in :func:`starting_points`."""
    seated: Mapping[str, str] = field(default_factory=dict)
    """The players by their chairs."""
    dealer: str | None = None
    """The first dealer; None: chosen by lot."""
    screen: Mapping[str, str | bool] = field(default_factory=dict)
    """The chosen values of ``MENU_SCREEN_KEYS``; the others are as in ``table.toml``."""
    known_players: tuple[str, ...] = ()
    """The people who have played before, the latest first."""
    changes: Mapping[str, Any] = field(default_factory=dict)
    """The options that differ from those of ``preset``."""
    kept_rules: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    """The options that players have kept under a name, by game and name."""
    angles: Mapping[str, float] = field(default_factory=dict)
    """The directions of chairs that were found by hands over the mark, where ``table.toml`` does not say them."""

    def choose_game(self, game: str, set_up: TableConfig) -> GamePlan:
        """Return a copy with this game and the first of its starting points."""
        plan = replace(self, game=game, changes={})
        return replace(plan, preset=next(iter(starting_points(plan, set_up))))

    def keep_rules(self, name: str, options: Mapping[str, Any] | None) -> GamePlan:
        """Return a copy in which these options are kept under a name; None forgets those kept under it."""
        kept = {**self.kept_rules.get(self.game, {}), name: options}
        named = {other: rules for other, rules in kept.items() if rules is not None}
        return replace(self, kept_rules={**self.kept_rules, self.game: named})

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


def starting_points(plan: GamePlan, set_up: TableConfig) -> dict[str, Mapping[str, Any]]:
    """Return what the rules of the plan's game can start from, by name: ``table.toml``, presets, what was kept."""
    kind = GAMES[plan.game]
    as_set = {name: value for name, value in set_up.options.items() if name != "first_dealer"}
    return {
        **({AS_SET: as_set} if set_up.game == plan.game and as_set else {}),
        **{name: {**kind.proposed_options, **preset.chosen()} for name, preset in kind.presets.items()},
        **plan.kept_rules.get(plan.game, {}),
    }


def plan_options(plan: GamePlan, set_up: TableConfig) -> dict[str, Any]:
    """Return the plan's options; those left to the rules are left out."""
    options = {**starting_points(plan, set_up).get(plan.preset, {}), **plan.changes}
    return {name: value for name, value in options.items() if value is not None}


def change_option(plan: GamePlan, option: OptionSpec, value: Any, set_up: TableConfig) -> GamePlan:
    """Return a copy of the plan with another value of an option."""
    start = starting_points(plan, set_up).get(plan.preset, {})
    changes = {name: other for name, other in plan.changes.items() if name != option.name}
    if option.value_of({option.name: value}) != option.value_of(start):
        changes[option.name] = value
    return replace(plan, changes=changes)


def rules_phrase(game: str, options: Mapping[str, Any]) -> Phrase:
    """Return in words how these options differ from the game's usual ones."""
    kind = GAMES[game]
    differences = tuple(
        make_phrase("rule.is", option=option.title, value=option.value_phrase(option.value_of(options)))
        for option in kind.option_specs
        if option.value_of(options) != option.value_of(kind.proposed_options)
    )
    return make_phrase("rule.differing", rules=differences) if differences else make_phrase("rule.all_usual")


def starting_point_phrase(plan: GamePlan, name: str, set_up: TableConfig) -> Phrase | str:
    """Return the words of a starting point: its name, or how it differs from the usual rules."""
    if name == AS_SET:
        return make_phrase("rule.as_set")
    if name in plan.kept_rules.get(plan.game, {}):
        return name
    return rules_phrase(plan.game, starting_points(plan, set_up)[name])


def plan_rules_phrase(plan: GamePlan, set_up: TableConfig) -> Phrase | str:
    """Return the words of the plan's rules."""
    if plan.changes:
        return rules_phrase(plan.game, plan_options(plan, set_up))
    return starting_point_phrase(plan, plan.preset, set_up)


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
    except WrongValueError as error:
        place = error.where[-1]
        name = place.fields["name"] if isinstance(place, Phrase) else str(place)
        title = next((option.title for option in kind.option_specs if option.name == name), name)
        return make_phrase("rule.unfit", option=title, why=error.what)
    return None


def draw_dealer(players: Sequence[str], lot: int) -> str:
    """Return the first dealer chosen by lot; the same for the same number."""
    return random.Random(lot).choice(tuple(players))


def game_config(plan: GamePlan, set_up: TableConfig, lot: int) -> TableConfig:
    """Return the set-up of the game that begins, as if ``table.toml`` had named it; ``lot``: a random number."""
    players = plan.players(set_up.seats)
    dealer = plan.dealer if plan.dealer is not None else draw_dealer(players, lot)
    options = {**plan_options(plan, set_up), "first_dealer": dealer}
    return _config_of(plan.game, options, plan.seated, plan, set_up)


def screen_config(plan: GamePlan, set_up: TableConfig) -> ScreenConfig:
    """Return the screen's set-up: as chosen, or else as ``table.toml`` has it."""
    chosen: dict[str, Any] = {key: plan.screen[key] for key in MENU_SCREEN_KEYS if key in plan.screen}
    return replace(set_up.screen, **chosen)


def taken_chairs(seated: Mapping[str, str], chairs: Sequence[SeatConfig]) -> tuple[SeatConfig, ...]:
    """Return the chairs that are taken, each with its player's name."""
    taken = [chair for chair in chairs if chair.name in seated]
    angles = chair_angles(seated, chairs)
    return tuple(
        replace(chair, name=seated[chair.name], angle=angles[chair.name], named=True, placed=True)
        for chair in taken
    )


def chair_angles(seated: Mapping[str, str], chairs: Sequence[SeatConfig]) -> dict[str, float]:
    """Return each chair's direction: where nobody has said it, the taken chairs are spread, then the empty ones."""
    placed = {chair.name: chair.angle for chair in chairs if chair.placed}
    names = [chair.name for chair in chairs]
    return _spread(names, _spread([name for name in names if name in seated], placed))


def _spread(names: Sequence[str], placed: Mapping[str, float]) -> dict[str, float]:
    """Return the directions of these chairs, with those that are not placed at equal distances between the others."""
    known = [name for name in names if name in placed] or names[:1]
    angles = {name: placed.get(name, FIRST_ANGLE) for name in known}
    for name, next_name in zip(known, [*known[1:], *known[:1]], strict=True):
        start, end = names.index(name), names.index(next_name)
        between = names[start + 1 : end] if start < end else [*names[start + 1 :], *names[:end]]
        gap = (angles[next_name] - angles[name]) % 360.0 or 360.0
        for number, other in enumerate(between, start=1):
            angles[other] = (angles[name] + gap * number / (len(between) + 1)) % 360.0
    return {**placed, **angles}


def place_chairs(set_up: TableConfig, angles: Mapping[str, float]) -> TableConfig:
    """Return the set-up with these directions of chairs."""
    seats = (
        replace(seat, angle=angles[seat.name], placed=True) if seat.name in angles else seat
        for seat in set_up.seats
    )
    return replace(set_up, seats=tuple(seats))


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
    return _config_of(game.name, game.options, seated, plan, set_up)


def _config_of(
    game: str, options: Mapping[str, Any], seated: Mapping[str, str], plan: GamePlan, set_up: TableConfig
) -> TableConfig:
    seats = taken_chairs(seated, set_up.seats)
    return replace(set_up, game=game, options=options, seats=seats, screen=screen_config(plan, set_up))


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
    if plan.preset not in starting_points(plan, set_up):
        plan = plan.choose_game(plan.game, set_up)
    return plan.with_known_players(*named.values())
