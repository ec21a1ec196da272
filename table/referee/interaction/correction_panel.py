"""The panel behind "that's wrong": undo, correct, deal again, leave and come, end, another game, by the same buttons.

Its player steps through the lines (:mod:`table.stepper`). The panel is made anew whenever the game moves on, and closes
by itself without a press of its player.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from table.games.engine.game_state import Phase
from table.observed_facts import Call, Gesture
from table.referee.model.hypothesis import Hypothesis
from table.referee.model.option_levels import AUTO_CLOSE_NS, Level
from table.referee.model.view import OpenPanel
from table.referee.records.state_shared_by_judges import SharedState
from table.stepper import Pressed, Stepper


@dataclass(frozen=True, slots=True)
class Panel:
    """An open panel: its player, its open levels, and when it closes by itself."""

    seat: str
    stepper: Stepper[Level]
    closes_ns: int
    hypothesis: Hypothesis
    """The hypothesis that it was made from."""


class PanelJudge:
    """Opens the panel, and handles its player's calls while it is open."""

    def __init__(self, shared: SharedState, make_top_level: Callable[[str], Level]) -> None:
        """``make_top_level`` makes the panel's first level for a player, by the game as it is now."""
        self.shared = shared
        self._make_top_level = make_top_level
        self.panel: Panel | None = None

    @property
    def visible_panel(self) -> OpenPanel | None:
        """The open panel as the screen shows it; None while it is closed."""
        if self.panel is None:
            return None
        *above, shown = self.panel.stepper.levels
        return OpenPanel(
            self.panel.seat,
            shown.lines,
            shown.selected,
            shown.title,
            path=tuple(level.lines[level.selected] for level in above),
            will_be_lost=shown.will_be_lost,
        )

    @property
    def closes_ns(self) -> int | None:
        """When the open panel closes by itself; None while it is closed."""
        return self.panel.closes_ns if self.panel is not None else None

    def close(self) -> None:
        """Close the panel, as its player has pressed nothing for too long."""
        self.panel = None

    def refresh(self) -> None:
        """Make the panel anew where the game has moved on.

        The same line stays selected; where that line is gone, the level closes.
        """
        panel = self.panel
        if panel is None or panel.hypothesis is self.shared.journal_sync.hypothesis:
            return
        top = self._make_top_level(panel.seat)
        stepper = Stepper[Level]()
        level: Level | None = top
        for old in panel.stepper.levels:
            selected = old.choices[old.selected].identity
            choices = level.choices if level is not None else ()
            at = next((at for at, choice in enumerate(choices) if choice.identity == selected), None)
            if level is None or at is None:
                break
            stepper = stepper.open(replace(level, selected=at))
            open_level = choices[at].open_level
            level = open_level() if open_level is not None else None
        if not stepper.levels:
            # A rap that is under way must not choose something else: the last line changes nothing.
            stepper = stepper.open(replace(top, selected=len(top.choices) - 1))
        self.panel = replace(panel, stepper=stepper, hypothesis=self.shared.journal_sync.hypothesis)

    def handle_call(self, call: Call) -> bool:
        """Handle a call for the panel, which may open it; return whether it was one."""
        self.refresh()
        if self.panel is not None and call.seat == self.panel.seat:
            pressed = self.panel.stepper.press(call, self.panel.stepper.shown.choices)
        elif call.gesture is Gesture.WRONG or self._opens_after_game(call):
            # Somebody else's "that's wrong" opens a panel of their own.
            pressed = Pressed(Stepper((self._make_top_level(call.seat),)), None)
        else:
            return False
        self.panel = None
        if pressed.action is not None:
            pressed.action(call.t_ns)
        elif pressed.stepper.levels:
            closes_ns = call.end_ns + AUTO_CLOSE_NS
            self.panel = Panel(call.seat, pressed.stepper, closes_ns, self.shared.journal_sync.hypothesis)
        return True

    def _opens_after_game(self, call: Call) -> bool:
        """Return whether the call is a rap after the game is over, which asks what comes next."""
        over = self.shared.state.phase is Phase.OVER
        return over and call.gesture is Gesture.RAP and self.panel is None
