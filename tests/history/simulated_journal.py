"""The journal of a whole game of simulated players, without pictures: bids, ties, cards and times as people's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from table.cards import card
from table.events.event_registry import event_from_line
from table.events.event_spec import without_header
from table.events.game_events import Dealt, Event, TakenBack, TrickTaken
from table.games.engine.game_state import Phase, Refusal, State
from table.games.registry import make_game
from table.referee.records.journal import Journal
from table.simulation.players.game_director import play_game
from table.simulation.simulated_config import make_simulated_config


def simulated_journal(
    path: Path,
    game: str = "whysteria",
    players: int = 3,
    options: Mapping[str, Any] | None = None,
    *,
    names: Mapping[str, str] | None = None,
    seed: int = 3,
) -> Path:
    """Write the journal of a game without secret bids; ``names``: other names for the simulation's players."""
    config = make_simulated_config(game, players, options, seed=seed)
    names = names or {}
    table = make_game(game, [names.get(name, name) for name in config.names], config.options)
    step = table.start()
    with Journal(path, durable=False) as journal:

        def add(event: Event | None, t_ns: int, **measured: object) -> None:
            nonlocal step
            if event is not None:
                after = table.apply(step.state, event)
                assert not isinstance(after, Refusal), after
                step = after
            for said in step.announcements:
                journal.append(said.event, t_ns, t_ns, {**said.fields, **measured})

        add(None, 0)
        for line in play_game(config, seed).truth:
            t_ns = line["t_ns"]
            line = _renamed(line, names)
            event = event_from_line(line)
            if line["event"] == "card_taken_back":
                event = _withdrawal(step.state, line)
                if event is None:
                    journal.append(line["event"], t_ns, t_ns, without_header(line))
            if event is None:
                continue
            if step.state.phase is Phase.PICK_UP and not isinstance(event, TakenBack):
                assert step.state.trick.winner is not None
                add(TrickTaken(step.state.trick.winner), t_ns - 1_500_000_000)
            if step.state.phase is Phase.DEAL:
                add(Dealt(step.state.dealer), t_ns - 4_000_000_000)
            add(event, t_ns, **({"spread_ns": line["spread_ns"]} if line["event"] == "bids_tied" else {}))
        if step.state.phase is Phase.PICK_UP:
            assert step.state.trick.winner is not None
            add(TrickTaken(step.state.trick.winner), t_ns + 1_500_000_000)
    assert step.state.phase is Phase.OVER
    return path


def _withdrawal(state: State, line: Mapping[str, Any]) -> TakenBack | None:
    """Return the event of a card that leaves the trick; None for one that never was of it."""
    taken = card(line["card"])
    return TakenBack(line["seat"], taken) if state.trick.card_of(line["seat"]) == taken else None


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a line with all its players renamed."""
    if isinstance(value, Mapping):
        return {names.get(key, key): _renamed(item, names) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_renamed(item, names) for item in value]
    return names.get(value, value) if isinstance(value, str) else value
