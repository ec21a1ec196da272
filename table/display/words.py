"""Plain sentences: what the table waits for, and every line of the journal, for the screen and the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from table.cards import NO_TRUMP, SUIT_SIGNS, card
from table.events.happenings import BidValue

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


def _hand_rescored(line: Line) -> str:
    told = [f"{seat} {points:+d} ({line['totals'][seat]})" for seat, points in line["points"].items()]
    return f"The score of hand {line['hand']} is put right: {', '.join(told)}."


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
        return f"{line['by']} takes back: {line['from']}."
    if line["what"] == "redo":
        return f"{line['by']} does it again: {line['to']}."
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
    "hand_rescored": _hand_rescored,
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
