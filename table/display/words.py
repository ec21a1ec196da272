"""Plain sentences: what the table waits for, and every line of the journal, for the screen and the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from table.cards import NO_TRUMP, SUIT_SIGNS, card
from table.games.base import BidValue, Expected, Game, Phase, State

Line: TypeAlias = Mapping[str, Any]

SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", NO_TRUMP: "no trumps"}


def listed(names: Iterable[str]) -> str:
    """``Ada``, ``Ada and Ben``, ``Ada, Ben and Cleo``; ``nobody``."""
    every = list(names)
    if len(every) < 2:
        return every[0] if every else "nobody"
    return f"{', '.join(every[:-1])} and {every[-1]}"


def counted(number: int, thing: str) -> str:
    """``1 card``, ``2 cards``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def bid_sign(bid: BidValue) -> str:
    """A bid as it is written: ``3``, ``6♣``, ``9 NT``, ``double nil``."""
    text = str(bid)
    if text.endswith(NO_TRUMP) and text[:-2].isdigit():
        return f"{text[:-2]} NT"
    if text[-1:] in SUIT_NAMES and text[:-1].isdigit():
        return text[:-1] + SUIT_SIGNS[text[-1]]
    return text


def card_sign(name: str | None) -> str:
    """A card as it is written, from its name; a name that is no card's stays as it is."""
    if not name:
        return "a card"
    try:
        return card(name).sign
    except ValueError:
        return name


def capital(text: str) -> str:
    """The text with its first letter large."""
    return text[:1].upper() + text[1:]


def made(bid: BidValue | None, tricks: int) -> bool:
    """Whether exactly the tricks bid were won."""
    return tricks == target(bid)


def target(bid: BidValue | None) -> int | None:
    """The number of tricks that a bid promises: ``double nil`` 0, ``6C`` 6; None without a bid."""
    if bid is None or isinstance(bid, int):
        return bid
    digits = "".join(letter for letter in bid if letter.isdigit())
    return int(digits) if digits else 0


def difference(over: int) -> str:
    """The sum of the bids against the tricks: ``2 over``, ``1 under``, ``even``."""
    return f"{over} over" if over > 0 else f"{-over} under" if over < 0 else "even"


# --- what the table waits for -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the table waits for: the headline, and a line of help beneath it (may be empty)."""

    text: str
    help: str = ""


def prompt(game: Game, state: State, expected: Expected) -> Prompt:
    """The headline for what may happen next."""
    who = expected.default or (expected.seats[0] if expected.seats else None)
    name = who or "Somebody"
    phase = expected.phase
    if phase is Phase.DEAL:
        return Prompt(f"{state.dealer} deals {counted(state.cards, 'card')} each", _deal_help(game, state))
    if phase is Phase.TURN_UP:
        return Prompt(
            f"{state.dealer} turns a card up", "It is laid on the mark, face up, for the trump suit"
        )
    if phase is Phase.PASS_CARDS:
        waiting = [seat for seat in expected.seats if seat not in state.raps]
        return Prompt("Pass cards to the left", f"Then rap. Waiting for {listed(waiting)}")
    if phase is Phase.SECRET_BID:
        waiting = [seat for seat in state.players if seat not in state.raps]
        text = f"Rap with the fist: waiting for {listed(waiting)}" if waiting else "Tap after three, two, one"
        return Prompt("All bid at once", text)
    if phase is Phase.AUCTION:
        return Prompt(f"{name} bids or passes", "Tap to step, rap to call; a rap alone passes")
    if phase is Phase.BID:
        return Prompt(_free_or_not(expected, name, "bid", "bids"), _bid_help(game, state, expected))
    if phase is Phase.LEAD:
        return Prompt(_free_or_not(expected, name, "lead", "leads"), _lead_help(state, expected))
    if phase is Phase.NAME_SUIT:
        return Prompt(f"{name} names the joker's suit", "Tap to step, rap to confirm")
    if phase is Phase.FOLLOW:
        return Prompt(f"{name} plays", _follow_help(state))
    if phase is Phase.PICK_UP:
        winner = state.trick.winner or name
        return Prompt(f"{winner} wins the trick", f"{winner} takes it from the mark")
    return Prompt(_won(state.winners), "The game is over")


def _deal_help(game: Game, state: State) -> str:
    turns_up = getattr(game, "turns_up", None)
    if turns_up is not None and turns_up(state) and state.turned is None:
        return f"{state.dealer} lays the turned card on the mark, then raps"
    return f"{state.dealer} raps when all have been dealt"


def _free_or_not(expected: Expected, name: str, act: str, acts: str) -> str:
    if expected.free and not expected.must and len(expected.seats) > 1:
        return f"Anyone may {act}; otherwise {name}"
    return f"{name} must {act}" if expected.must else f"{name} {acts}"


def may_act(state: State, expected: Expected) -> tuple[str, ...]:
    """The seats that may act now."""
    if expected.must and expected.default is not None:
        return (expected.default,)
    return expected.seats


def last_calls(state: State) -> dict[str, str]:
    """Each seat's last call of an auction, as it is written: ``6♣``, ``passes``."""
    return {seat: "passes" if call == "pass" else f"calls {bid_sign(call)}" for seat, call in state.calls}


def highest_call(state: State) -> tuple[str, str] | None:
    """Who has called the highest so far in an auction, and what, as it is written."""
    bids = [(seat, call) for seat, call in state.calls if call != "pass"]
    return (bids[-1][0], bid_sign(bids[-1][1])) if bids else None


def forbidden_bids(game: Game, state: State) -> tuple[str, tuple[int, ...]] | None:
    """When only one player has still to bid: who, and the numbers (of 0 to the cards) that this one may not bid."""
    waiting = [seat for seat in state.players if seat not in state.bid_of]
    if state.phase is not Phase.BID or len(waiting) != 1:
        return None
    legal = game.legal_bids(state, waiting[0])
    if not legal:
        return None
    barred = tuple(number for number in range(state.cards + 1) if number not in legal)
    return (waiting[0], barred) if barred else None


def _bid_help(game: Game, state: State, expected: Expected) -> str:
    barred = forbidden_bids(game, state)
    if barred is not None:
        numbers = " or ".join(map(str, barred[1]))
        return f"Bidding last: any number but {numbers}"
    on_forehead = getattr(game, "on_forehead", None)
    if on_forehead is not None and on_forehead(state) and not state.bids and not expected.must:
        return "Cards to the forehead, unseen: three, two, one!"
    if expected.free and not expected.must:
        return "Rap if you don't want to bid now"
    return "Tap the number; hold for 0"


def _lead_help(state: State, expected: Expected) -> str:
    if expected.free and not expected.must:
        return "Rap if you don't want to lead"
    return f"Trick {len(state.tricks) + 1} of {state.cards}"


def _follow_help(state: State) -> str:
    lead = state.trick.lead
    if lead is None or lead.card.suit is None:
        return ""
    return f"{lead.seat} led {SUIT_NAMES[lead.card.suit]}"


def _won(winners: Iterable[str]) -> str:
    names = list(winners)
    if not names:
        return "The game is over"
    return f"{names[0]} wins!" if len(names) == 1 else f"{listed(names)} share the win!"


# --- the journal's lines ----------------------------------------------------------------------------------


def _by_seat(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{seat} {bid_sign(value)}" for seat, value in values.items())


def _game_started(line: Line) -> str:
    return f"A game of {capital(str(line['game']).replace('-', ' '))}: {listed(line['seats'])}."


def _trump(line: Line) -> str:
    suit = line["suit"]
    what = (
        "No trumps"
        if suit == NO_TRUMP
        else f"Trumps are {SUIT_NAMES.get(suit, suit)} {SUIT_SIGNS.get(suit, '')}"
    )
    return (
        f"{what.strip()} ({card_sign(line['card'])} was turned up)."
        if line.get("card")
        else f"{what.strip()}."
    )


def _bids_tied(line: Line) -> str:
    spread = f" ({line['spread_ns'] / 1e6:.1f} ms apart)" if "spread_ns" in line else ""
    seats = line["seats"]
    none = "neither counts" if len(seats) == 2 else "none of them counts"
    return f"{listed(seats)} bid at the same time{spread}: {none}, {line['next']} must bid."


def _bidding_over(line: Line) -> str:
    over = line["over"]
    told = "as many as there are tricks" if over == 0 else f"{difference(over)} the number of tricks"
    return f"The bids are {_by_seat(line['bids'])}: {told}."


def _bid(line: Line) -> str:
    return f"{line['seat']} bids {bid_sign(line['bid'])}."


def _bid_refused(line: Line) -> str:
    return f"{line['seat']}'s bid of {bid_sign(line['bid'])} is refused: {line['why']}."


def _card_played(line: Line) -> str:
    corrected = " (corrected)" if line.get("by") == "corrected" else ""
    return f"{line['seat']} plays {card_sign(line['card'])}{corrected}."


def _plays(cards: Iterable[Mapping[str, Any]]) -> str:
    return listed(f"{play['seat']}'s {card_sign(play['card'])}" for play in cards)


def _leads_tied(line: Line) -> str:
    kept, back = line["kept"], line["taken_back"]
    goes = "goes" if len(back) == 1 else "go"
    if kept:
        first = f"{kept['seat']}'s {card_sign(kept['card'])} was first and stays, {_plays(back)} {goes} back"
        return f"Leads at the same time: {first}. {line['next']} is next."
    return f"Leads at the same time: {_plays(back)} {goes} back. {line['next']} must lead."


def _trick_won(line: Line) -> str:
    cards = " ".join(card_sign(play["card"]) for play in line["cards"])
    return f"{line['seat']} wins trick {line['trick']} ({cards})."


def _revoke(line: Line) -> str:
    return (
        f"{line['seat']} revoked: did not follow suit with {card_sign(line['card'])} in trick {line['trick']}, "
        f"as {card_sign(line['proved_by'])} proves."
    )


def _hand_scored(line: Line) -> str:
    told = [f"{seat} {points:+d} ({line['totals'][seat]})" for seat, points in line["points"].items()]
    return f"Hand {line['hand']} is scored: {', '.join(told)}."


def _game_over(line: Line) -> str:
    totals = sorted(line["totals"].items(), key=lambda item: -item[1])
    ranked = [seat for group in line.get("ranking", ()) for seat in group]
    if set(ranked) == {seat for seat, _ in totals}:
        totals = [(seat, line["totals"][seat]) for seat in ranked]
    winners = line["winners"]
    won = f"{listed(winners)} {'wins' if len(winners) == 1 else 'share the win'}"
    return f"The game is over: {won} ({', '.join(f'{seat} {total}' for seat, total in totals)})."


def _joker_named(line: Line) -> str:
    return f"{line['seat']}'s joker stands for {SUIT_NAMES.get(line['suit'], line['suit'])}."


def _lives(line: Line) -> str:
    out = line["out"]
    told = f"Lives: {_by_seat(line['lives'])}."
    return f"{told} {listed(out)} {'is' if len(out) == 1 else 'are'} out." if out else told


def _play_off(line: Line) -> str:
    cards = counted(line["cards"], "card")
    return f"{listed(line['seats'])} are level: the next hand of {cards} decides."


def _corrected(line: Line) -> str:
    if line["what"] == "undo":
        return f"{line['by']} takes back the last step ({line['from']})."
    return f"{line['by']} corrects {line['what']}: {line['to']} instead of {line['from']}."


_SENTENCES: dict[str, Callable[[Line], str]] = {
    "game_started": _game_started,
    "hand_started": lambda line: (
        f"Hand {line['hand']}: {line['dealer']} deals {counted(line['cards'], 'card')} each."
    ),
    "dealt": lambda line: f"{line['dealer']} has dealt.",
    "trump": _trump,
    "bid": _bid,
    "pass": lambda line: f"{line['seat']} passes.",
    "rap": lambda line: f"{line['seat']} raps.",
    "bids_tied": _bids_tied,
    "bid_refused": _bid_refused,
    "bidding_over": _bidding_over,
    "card_played": _card_played,
    "leads_tied": _leads_tied,
    "card_taken_back": lambda line: f"{line['seat']} takes {card_sign(line['card'])} back.",
    "out_of_turn": lambda line: (
        f"{line['seat']}'s {card_sign(line['card'])} is out of turn and is to be taken back."
    ),
    "trick_won": _trick_won,
    "trick_taken": lambda line: f"{line['seat']} picks up the trick.",
    "revoke": _revoke,
    "hand_scored": _hand_scored,
    "game_over": _game_over,
    "thrown_in": lambda line: f"The hand is thrown in: {line['why']}.",
    "cards_passed": lambda line: (
        f"Everybody has passed {counted(line['cards'], 'card')} to the {line['to']}."
    ),
    "joker_named": _joker_named,
    "bids_revealed": lambda line: f"The bids are shown: {_by_seat(line['bids'])}.",
    "lives": _lives,
    "play_off": _play_off,
    "corrected": _corrected,
    "player_left": lambda line: f"{line['seat']} leaves the table.",
    "player_came": lambda line: f"{line['seat']} comes to the table.",
}

EVENTS = tuple(_SENTENCES)
"""Every event that has a sentence."""


def sentence(line: Line) -> str:
    """A line of the journal as a plain sentence; a line of an unknown or odd kind as its bare fields."""
    event = str(line.get("event", ""))
    tell = _SENTENCES.get(event)
    if tell is not None:
        try:
            return tell(line)
        except (KeyError, TypeError, AttributeError, ValueError):
            # A journal written by a later or damaged version must not stop the table: say what stands there.
            pass
    rest = {key: value for key, value in line.items() if key not in ("seq", "t_ns", "decided_ns", "event")}
    return (
        f"{event or 'line'}: {', '.join(f'{key} {value}' for key, value in rest.items())}".rstrip(": ") + "."
    )
