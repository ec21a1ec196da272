"""The panel behind "that's wrong": undo, correct, deal again, leave and come, end, another game, by the same buttons.

Its player steps through the lines by taps, a rap chooses, "that's wrong" leaves a level. Whenever the game moves on it
is made anew, and without a press of its player it closes by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from table.facts import Call, Gesture
from table.games.base import Phase
from table.referee.blackboard import Blackboard
from table.referee.explanation import Explanation
from table.referee.levels import QUIET_NS, Level, Opened
from table.referee.menus import Menus
from table.referee.view import OpenPanel


@dataclass(frozen=True, slots=True)
class Panel:
    """An open panel: whose, its levels from the top down, and when it closes by itself."""

    seat: str
    opened: tuple[Opened, ...]
    closes_ns: int
    of: Explanation
    """What it was made from."""


class PanelJudge:
    """Opens the panel, and takes its player's calls while it is open."""

    def __init__(self, blackboard: Blackboard, menus: Menus) -> None:
        self.blackboard = blackboard
        self.menus = menus
        self.panel: Panel | None = None

    @property
    def shown(self) -> OpenPanel | None:
        """The open panel, for the screen."""
        if self.panel is None:
            return None
        *above, now = self.panel.opened
        return OpenPanel(
            self.panel.seat,
            tuple(choice.text for choice in now.level.choices),
            now.at,
            now.level.title,
            path=tuple(one.choice.text for one in above),
            lost=now.level.lost,
        )

    @property
    def closes_ns(self) -> int | None:
        """When it closes by itself."""
        return self.panel.closes_ns if self.panel is not None else None

    def close(self) -> None:
        """Its player has pressed nothing for long."""
        self.panel = None

    def refresh(self) -> None:
        """Make it anew where the game has moved on.

        The mark stays on its line; where that is no more, the level closes.
        """
        panel = self.panel
        if panel is None or panel.of is self.blackboard.book.said:
            return
        opened: list[Opened] = []
        level: Level | None = self.menus.top(panel.seat)
        for old in panel.opened:
            if level is None:
                break
            marked = old.choice.name
            at = next((at for at, one in enumerate(level.choices) if one.name == marked), None)
            if at is None:
                break
            opened.append(Opened(level, at))
            asks = level.choices[at].asks
            level = asks() if asks is not None else None
        if not opened:
            # A rap that is under way must not do something else: the last line changes nothing.
            top = self.menus.top(panel.seat)
            opened = [Opened(top, len(top.choices) - 1)]
        self.panel = replace(panel, opened=tuple(opened), of=self.blackboard.book.said)

    def takes(self, call: Call) -> bool:
        """Whether the call is for the panel; then it is dealt with."""
        self.refresh()
        panel = self.panel
        if panel is None or call.seat != panel.seat:
            if call.gesture is not Gesture.WRONG and not self._after_the_game(call):
                return False
            # Somebody else's "that's wrong" opens a panel of their own.
            self._open(call.seat, (Opened(self.menus.top(call.seat)),), call)
            return True
        *above, now = panel.opened
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

    def _open(self, seat: str, opened: tuple[Opened, ...], call: Call) -> None:
        """With these levels; with none it is closed."""
        said = self.blackboard.book.said
        self.panel = Panel(seat, opened, call.end_ns + QUIET_NS, said) if opened else None

    def _choose(self, opened: tuple[Opened, ...], call: Call) -> None:
        """The marked line asks more, is done, or leaves its level."""
        now = opened[-1]
        choice = now.choice
        level = choice.asks() if choice.asks is not None else None
        if level is not None:
            self._open(call.seat, (*opened, Opened(level)), call)
        elif choice.do is not None:
            self.panel = None
            choice.do(call.t_ns)
        else:
            self._open(call.seat, opened[:-1], call)

    def _after_the_game(self, call: Call) -> bool:
        """A rap when all is over asks what comes next."""
        over = self.blackboard.state.phase is Phase.OVER
        return over and call.gesture is Gesture.RAP and self.panel is None
