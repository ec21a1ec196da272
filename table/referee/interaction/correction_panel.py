"""The panel behind "that's wrong": undo, correct, deal again, leave and come, end, another game, by the same buttons.

Its player steps through the lines by taps, a rap chooses, "that's wrong" leaves a level. The panel is made anew
whenever the game moves on, and closes by itself without a press of its player.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from table.games.engine.game_state import Phase
from table.observed_facts import Call, Gesture
from table.referee.interaction.correction_options import CorrectionOptions
from table.referee.model.hypothesis import Hypothesis
from table.referee.model.option_stepper import AUTO_CLOSE_NS, Level, OpenLevel
from table.referee.model.view import OpenPanel
from table.referee.records.state_shared_by_judges import SharedState


@dataclass(frozen=True, slots=True)
class Panel:
    """An open panel: its player, its levels from the top down, and when it closes by itself."""

    seat: str
    levels: tuple[OpenLevel, ...]
    closes_ns: int
    hypothesis: Hypothesis
    """The hypothesis that it was made from."""


class PanelJudge:
    """Opens the panel, and handles its player's calls while it is open."""

    def __init__(self, shared: SharedState, menus: CorrectionOptions) -> None:
        self.shared = shared
        self.options = menus
        self.panel: Panel | None = None

    @property
    def visible_panel(self) -> OpenPanel | None:
        """The open panel as the screen shows it; None while it is closed."""
        if self.panel is None:
            return None
        *above, now = self.panel.levels
        return OpenPanel(
            self.panel.seat,
            tuple(choice.text for choice in now.level.choices),
            now.marked,
            now.level.title,
            path=tuple(open_level.marked_choice.text for open_level in above),
            will_be_lost=now.level.will_be_lost,
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

        The mark stays on its line; where that line is gone, the level closes.
        """
        panel = self.panel
        if panel is None or panel.hypothesis is self.shared.journal_sync.hypothesis:
            return
        opened: list[OpenLevel] = []
        level: Level | None = self.options.make_top_level(panel.seat)
        for old in panel.levels:
            if level is None:
                break
            marked = old.marked_choice.identity
            at = next((at for at, option in enumerate(level.choices) if option.identity == marked), None)
            if at is None:
                break
            opened.append(OpenLevel(level, at))
            asks = level.choices[at].open_level
            level = asks() if asks is not None else None
        if not opened:
            # A rap that is under way must not choose something else: the last line changes nothing.
            top = self.options.make_top_level(panel.seat)
            opened = [OpenLevel(top, len(top.choices) - 1)]
        self.panel = replace(panel, levels=tuple(opened), hypothesis=self.shared.journal_sync.hypothesis)

    def handle_call(self, call: Call) -> bool:
        """Handle a call for the panel, which may open it; return whether it was one."""
        self.refresh()
        panel = self.panel
        if panel is None or call.seat != panel.seat:
            if call.gesture is not Gesture.WRONG and not self._opens_after_game(call):
                return False
            # Somebody else's "that's wrong" opens a panel of their own.
            self._open(call.seat, (OpenLevel(self.options.make_top_level(call.seat)),), call)
            return True
        *above, now = panel.levels
        if call.gesture is Gesture.WRONG:
            self._open(call.seat, tuple(above), call)
            return True
        if call.gesture is Gesture.TAPS or (call.gesture is Gesture.ZERO and call.count):
            now = now.step(call.count)
        self._open(call.seat, (*above, now), call)
        # On a one-button seat a tap that is held steps and chooses.
        if call.gesture is Gesture.RAP or (call.gesture is Gesture.ZERO and call.count):
            self._choose((*above, now), call)
        return True

    def _open(self, seat: str, opened: tuple[OpenLevel, ...], call: Call) -> None:
        """Set the panel's open levels; with none it is closed."""
        said = self.shared.journal_sync.hypothesis
        self.panel = Panel(seat, opened, call.end_ns + AUTO_CLOSE_NS, said) if opened else None

    def _choose(self, opened: tuple[OpenLevel, ...], call: Call) -> None:
        """Choose the marked line: it opens a level, is done, or leaves its level."""
        now = opened[-1]
        choice = now.marked_choice
        level = choice.open_level() if choice.open_level is not None else None
        if level is not None:
            self._open(call.seat, (*opened, OpenLevel(level)), call)
        elif choice.action is not None:
            self.panel = None
            choice.action(call.t_ns)
        else:
            self._open(call.seat, opened[:-1], call)

    def _opens_after_game(self, call: Call) -> bool:
        """Return whether the call is a rap after the game is over, which asks what comes next."""
        over = self.shared.state.phase is Phase.OVER
        return over and call.gesture is Gesture.RAP and self.panel is None
