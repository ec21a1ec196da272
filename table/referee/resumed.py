"""After a power cut: what lay on the mark when the journal broke off, so that it is known when it is seen again.

The camera starts anew and reports every card that lies there as one that has just landed. Those that the journal
has already judged are out of sight until then: cards of the trick, the turned-up card, cards to be taken back.
"""

from __future__ import annotations

from collections.abc import Iterable

from table.cards import card
from table.games.base import State
from table.referee.explanation import Piece
from table.referee.journal import Line, effective


def pieces_left(state: State, lines: Iterable[Line]) -> tuple[Piece, ...]:
    """The cards that may lie on the mark, by where the game stands and by the journal."""
    left = [Piece(None, play.card, play.seat, "played") for play in state.trick.plays]
    if state.turned is not None and not state.tricks and not state.trick.plays:
        left.append(Piece(None, state.turned, None, "turned up"))
    return (*left, *_to_go_back(effective(lines)))


def _to_go_back(lines: Iterable[Line]) -> list[Piece]:
    """The cards of this hand that somebody has still to take back."""
    backs: dict[tuple[str | None, str], Piece] = {}
    in_play = False
    for line in lines:
        event = line["event"]
        if event in ("hand_started", "thrown_in"):
            backs, in_play = {}, False
        elif event in ("dealt", "trick_taken"):
            in_play = True
        elif event == "trick_won":
            in_play = False
        elif event == "leads_tied":
            for back in line["taken_back"]:
                seat, name = back["seat"], back["card"]
                backs[seat, name] = Piece(None, card(name), seat, "back", "tied")
        elif event == "out_of_turn":
            seat, name = line["seat"], line["card"]
            if name != "?":
                backs[seat, name] = Piece(None, card(name), seat, "back", "turn" if in_play else "no")
        elif event == "card_taken_back" and line.get("played"):
            in_play = True
        elif event in ("card_taken_back", "card_played"):
            backs.pop((line["seat"], line["card"]), None)
    return list(backs.values())


def told_place(state: State) -> str:
    """Where a game stands, in words for the screen."""
    done, laid = len(state.tricks), len(state.trick.plays)
    if not done and not laid:
        return f"hand {state.hand}" + (", with the bids that were made" if state.bids else "")
    lie = f", {laid} of its cards played" if laid else ""
    return f"hand {state.hand}, trick {done + 1} of {state.cards}{lie}"
