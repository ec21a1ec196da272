"""Stepping through levels of entries by a seat's buttons: taps step, a rap chooses, "that's wrong" goes back.

The menu, the panel behind "that's wrong" and the table's questions are operated so. Each has levels of its own kind;
its entries may change while it is open. All values are immutable: whoever has a stepper runs what an entry does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, TypeVar

from table.observed_facts import Call, Gesture


@dataclass(frozen=True, slots=True, kw_only=True)
class SteppedLevel:
    """A level that can be stepped through."""

    selected: int = 0
    """The index of the selected entry; beyond the last where entries have gone meanwhile."""

    def after_steps(self, steps: int, entries: int) -> int:
        """Return the index of the entry that is selected so many steps on; after the last comes the first."""
        return (self.selected + steps) % entries if steps else self.selected


LineT = TypeVar("LineT")
LevelT = TypeVar("LevelT", bound=SteppedLevel)
ActionT = TypeVar("ActionT")


@dataclass(frozen=True)
class Entry(Generic[LineT, LevelT, ActionT]):
    """One entry: it opens a level, or else has an action. With neither it leaves its level."""

    line: LineT
    """What the screen shows of it."""
    action: ActionT | None = None
    open_level: Callable[[], LevelT | None] | None = None
    """Makes the level that the entry opens; None from it where nothing needs to be asked before ``action``."""
    key: object = None
    """The entry's identity when its level is made anew, where the line is not enough."""

    @property
    def identity(self) -> object:
        """The entry's identity: its key, or else its line."""
        return self.line if self.key is None else self.key


def chooses(call: Call) -> bool:
    """Return whether a call chooses the selected entry: a rap or, on a seat with one button, a tap that is held."""
    return call.gesture is Gesture.RAP or (call.gesture is Gesture.ZERO and call.count > 0)


class Pressed(NamedTuple, Generic[LevelT, ActionT]):
    """The stepper after a call, and the action of the entry that the call chose, if it has one."""

    stepper: Stepper[LevelT]
    action: ActionT | None


@dataclass(frozen=True)
class Stepper(Generic[LevelT]):
    """The open levels, from the first down to the one that is shown; none where it is closed."""

    levels: tuple[LevelT, ...] = ()

    @property
    def shown(self) -> LevelT:
        """The level that is shown."""
        return self.levels[-1]

    @property
    def back(self) -> Stepper[LevelT]:
        """A copy without the shown level."""
        return Stepper(self.levels[:-1])

    def open(self, level: LevelT) -> Stepper[LevelT]:
        """Return a copy with another level below the shown one."""
        return Stepper((*self.levels, level))

    def change(self, level: LevelT) -> Stepper[LevelT]:
        """Return a copy with another level in the place of the shown one."""
        return self.back.open(level)

    def press(
        self, call: Call, entries: tuple[Entry[LineT, LevelT, ActionT], ...]
    ) -> Pressed[LevelT, ActionT]:
        """Press the buttons: ``entries`` are those of the shown level. A call that means nothing changes nothing."""
        if call.gesture is Gesture.WRONG:
            return Pressed(self.back, None)
        stepper = self
        if call.gesture is Gesture.TAPS or (call.gesture is Gesture.ZERO and call.count):
            selected = self.shown.after_steps(call.count, len(entries))
            stepper = self.change(replace(self.shown, selected=selected))
        if not chooses(call):
            return Pressed(stepper, None)
        entry = entries[min(stepper.shown.selected, len(entries) - 1)]
        level = entry.open_level() if entry.open_level is not None else None
        if level is not None:
            return Pressed(stepper.open(level), None)
        return Pressed(stepper if entry.action is not None else stepper.back, entry.action)
