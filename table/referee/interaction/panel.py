"""The panel behind "that's wrong", and the question that a player has taken up: two lists by the same buttons.

The panel undoes, corrects, deals again, lets people leave and come, ends the game, and shows rules and earlier tricks.
It is made anew whenever the game moves on. While cards are led, played or picked up, BID is free: then any seat's tap
takes the oldest question up.
Whoever has taken it up presses for nothing else, even when the question has settled itself meanwhile.

Both are stepped through (:mod:`table.stepper`), and close by themselves without a press of their player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from table.games.engine.game_state import Phase
from table.observed_facts import MS, Call, Gesture
from table.phrase import make_phrase
from table.referee.interaction.option_levels import Level, PanelContext, is_bid_free, make_answer_level
from table.referee.interaction.panel_options import CLOSE, make_top_level
from table.referee.interaction.questions import Question
from table.referee.model.hypothesis import Hypothesis
from table.referee.model.view import OpenOptions
from table.stepper import Stepper, chooses

AUTO_CLOSE_NS = 20_000 * MS
"""An open level closes when its player has pressed nothing for this long ..."""
READING_NS = 60_000 * MS
"""... and while the rules are read or a trick is looked at, for this long."""


@dataclass(frozen=True, slots=True)
class OpenLevels:
    """The levels that a player has open, and when they close by themselves."""

    seat: str
    stepper: Stepper[Level]
    closes_ns: int
    source: Hypothesis | Question
    """The hypothesis that the panel was made from, or the question that was taken up."""

    @classmethod
    def after_call(cls, call: Call, stepper: Stepper[Level], source: Hypothesis | Question) -> OpenLevels:
        """Return the open levels of ``stepper`` after a call of their player."""
        quiet_ns = READING_NS if stepper.shown.takes_reading else AUTO_CLOSE_NS
        return cls(call.seat, stepper, call.end_ns + quiet_ns, source)

    def press(self, call: Call) -> OpenLevels | None:
        """Press the buttons, and do what was chosen; return the levels after that, or None once they have closed."""
        pressed = self.stepper.press(call, self.stepper.shown.choices)
        if pressed.action is not None:
            pressed.action(call.t_ns)
            return None
        return self.after_call(call, pressed.stepper, self.source) if pressed.stepper.levels else None


class PanelJudge:
    """Opens the panel and takes up questions, and handles their players' calls while they are open."""

    def __init__(self, context: PanelContext) -> None:
        """``context``: what panels are made from, whoever opens them."""
        self._context = context
        self._panels: dict[str, OpenLevels] = {}
        """The open panels by seat: the last one is shown, the others wait beneath it."""
        self._claimed: OpenLevels | None = None
        """The question that somebody has taken up."""

    @property
    def _shown(self) -> OpenLevels | None:
        """The panel that the screen shows."""
        return next(reversed(self._panels.values()), None)

    @property
    def is_open(self) -> bool:
        """Whether a panel covers the table on the screen."""
        return bool(self._panels)

    def visible_panel(self, taps: Mapping[str, int]) -> OpenOptions | None:
        """Return the open panel as the screen shows it, ``taps`` steps on; None while none is open."""
        panel = self._shown
        if panel is None:
            return None
        *above, shown = panel.stepper.levels
        marked = shown.after_steps(taps.get(panel.seat, 0), len(shown.lines))
        return OpenOptions(
            panel.seat,
            shown.lines,
            marked,
            shown.title,
            path=tuple(level.lines[level.selected] for level in above),
            will_be_lost=shown.will_be_lost,
            reads_rules=shown.reads_rules,
            review=shown.reviews[marked] if shown.reviews else None,
        )

    def visible_question(self, taps: Mapping[str, int]) -> OpenOptions | None:
        """Return the question that the screen shows, once taken up ``taps`` steps on; None where none is open."""
        questions, claimed = self._context.questions.open, self._claimed
        if claimed is not None:
            level = claimed.stepper.shown
            if claimed.source not in questions:
                return OpenOptions(claimed.seat, (), level.selected, make_phrase("panel.settled"))
            selected = level.after_steps(taps.get(claimed.seat, 0), len(level.lines))
            return OpenOptions(claimed.seat, level.lines, selected, level.title)
        if not questions:
            return None
        level = make_answer_level(self._context, questions[0])
        hint = make_phrase("panel.by_tap" if is_bid_free(self._context) else "panel.by_panel")
        return OpenOptions(None, level.lines, title=level.title, hint=hint)

    def deadlines(self) -> Iterator[tuple[int, Callable[[], None]]]:
        """Yield when panels and question close by themselves, and what closes them."""
        for seat, panel in self._panels.items():
            yield panel.closes_ns, partial(self._close_panel, seat)
        if self._claimed is not None:
            yield self._claimed.closes_ns, self._drop_question

    def _close_panel(self, seat: str) -> None:
        del self._panels[seat]

    def _drop_question(self) -> None:
        self._claimed = None

    # --- the panel ----------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Make the shown panel anew where the game has moved on.

        The same line stays selected; where that line is gone, the level closes.
        """
        panel = self._shown
        if panel is None or panel.source is self._context.shared.hypothesis:
            return
        top = make_top_level(replace(self._context, by=panel.seat))
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
            # A rap that is under way must not choose something else: this line changes nothing.
            lines = [choice.line for choice in top.choices]
            stepper = stepper.open(replace(top, selected=lines.index(CLOSE)))
        self._panels[panel.seat] = replace(panel, stepper=stepper, source=self._context.shared.hypothesis)

    def handle_call(self, call: Call) -> bool:
        """Handle a call for a panel, which may open one; return whether it was one.

        Somebody else's "that's wrong" opens a panel of their own above the shown one. Presses of a seat whose panel
        waits beneath do nothing: they are meant for the panel, and must not become bids.
        """
        self.refresh()
        shown, own = self._shown, self._panels.get(call.seat)
        after: OpenLevels | None
        if own is not None and own is shown:
            after = own.press(call)
        elif call.gesture is Gesture.WRONG or (shown is None and self._asks_what_next(call)):
            self._panels.pop(call.seat, None)  # so that it stands last again
            top = make_top_level(replace(self._context, by=call.seat))
            after = OpenLevels.after_call(call, Stepper((top,)), self._context.shared.hypothesis)
        elif own is not None:
            after = own.after_call(call, own.stepper, own.source)
        else:
            return False
        if after is None:
            del self._panels[call.seat]
        else:
            self._panels[call.seat] = after
        return True

    def _asks_what_next(self, call: Call) -> bool:
        """Return whether the call is a rap after the game is over."""
        return self._context.shared.state.phase is Phase.OVER and call.gesture is Gesture.RAP

    # --- questions ----------------------------------------------------------------------------------------------

    def handle_claimant_call(self, call: Call) -> bool:
        """Handle a call of the player who has taken a question up; return whether it was one."""
        claimed = self._claimed
        if claimed is None or call.seat != claimed.seat:
            return False
        after = claimed.press(call)
        is_chosen_late = chooses(call) and claimed.source not in self._context.questions.open
        self._claimed = None if is_chosen_late else after
        return True

    def claim_by_tap(self, call: Call) -> bool:
        """Handle a tap that takes a question up, while BID is free for it; return whether it was one."""
        questions = self._context.questions.open
        if not questions or not is_bid_free(self._context) or call.gesture is not Gesture.TAPS:
            return False
        if self._claimed is None:
            level = make_answer_level(replace(self._context, by=call.seat), questions[0])
            level = replace(level, selected=(call.count - 1) % len(level.choices))
            self._claimed = OpenLevels.after_call(call, Stepper((level,)), questions[0])
        return True
