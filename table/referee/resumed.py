"""After a power cut: the game comes back with all that may have happened, or else by the journal alone.

The facts kept beside the journal are accounted for once more. Where one of the explanations says what the journal
says, the table goes on as if nothing had been: what was missed may still be found out, and what people have said
holds. Where the facts are missing or of something else, the game stands where the journal's lines leave it.

The camera starts anew and reports every card that lies there as one that has just landed. Those that were known are
out of sight until then: cards of the trick, the turned-up card, cards to be taken back.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from table.cards import card
from table.errors import TableError
from table.events.kind import LineFields, bare
from table.events.known import QUESTIONS, event_of, told
from table.facts import Call, CardLanded, Fact
from table.games.base import State
from table.games.copies import but
from table.phrase import Phrase, say
from table.referee.blackboard import Blackboard
from table.referee.book import Book
from table.referee.explanation import Entry, Explanation, Piece
from table.referee.journal import Journal, JournalLine, effective
from table.referee.keeping import Kept, put_aside, scan_kept
from table.referee.plays import TooMuchError
from table.referee.search import Search
from table.referee.setting import Setting
from table.referee.settled import Settled

MOST_S: Final = 5.0
"""Seconds of a processor in which the facts are accounted for. Those of the longest hands of the tests take 0.1 to 0.3;
800 calls that nobody can have made took 44."""


def come_back(blackboard: Blackboard, settled: Settled | None = None) -> Kept | None:
    """Bring the desk to where the journal's lines leave the game; ``TableError`` names a line that can't be of it.

    ``settled``: how the game is known to have stood at one of the lines, where nothing beside the journal says so. The
    facts beside it, if they were of use: then the inbox holds what had been seen and not been judged yet.
    """
    book, path = blackboard.book, blackboard.keeper.path
    beside, damaged = scan_kept(path) if path is not None else ([], False)
    if path is not None and damaged:
        _put_aside(blackboard, path)
    until_s = time.thread_time() + MOST_S
    for kept in beside:
        known = kept.settled
        if known is not None and known.is_of(book.journal.crc(known.after)):
            settled = known
        try:
            if _with_facts(blackboard, kept, settled, until_s):
                return kept
        except TooMuchError:
            if path is not None and not damaged:
                _put_aside(blackboard, path)
            break
    book.resume(book.journal.lines, event_of, blackboard.now_ns, settled)
    blackboard.begin(but(book.said, pieces=pieces_left(blackboard.state, book.journal.lines)))
    return None


def _put_aside(blackboard: Blackboard, path: Path) -> None:
    put_aside(path)
    blackboard.tell(blackboard.now_ns, "trouble", "facts_damaged")


# --- with the facts -------------------------------------------------------------------------------------------------


def _with_facts(blackboard: Blackboard, kept: Kept, known: Settled | None, until_s: float) -> bool:
    """Account once more for what was observed; whether it leads to what the journal says.

    ``TooMuchError`` where this thread has used ``until_s`` of its processor before that is known.
    """
    journal = blackboard.book.journal
    if not kept.stand.fits(journal.lines):
        return False
    lines = effective(journal.lines)
    settled = [line for line in lines if line["seq"] <= kept.stand.after]
    book = _settled(blackboard, settled, journal, known)
    if book is None or settled[-1]["seq"] != kept.stand.after:
        return False
    root = but(book.said, pieces=kept.stand.pieces, leaving=kept.stand.leaving)
    setting = replace(blackboard.search.setting, landed=kept.landed, pins=kept.pins)
    later = (line for line in lines if line["seq"] > kept.stand.after)
    since = [line for line in later if line["event"] not in QUESTIONS]
    search, said = _searched(setting, root, kept, since, until_s)
    if said is None:
        return False
    book.go_on(said, [line["seq"] for line in since], blackboard.now_ns)
    blackboard.take_over(book, search, kept.number, kept.highest)
    blackboard.inbox.put(kept.waiting)
    blackboard.keeper.words = kept.words
    blackboard.follow()
    return True


def _searched(
    setting: Setting, root: Explanation, kept: Kept, since: Sequence[JournalLine], until_s: float
) -> tuple[Search, Explanation | None]:
    """The search over what was observed in the hand in play, and its explanation that says these lines, if one does."""
    search = Search(setting, root)
    search.until_s = until_s
    said = _reopened(search, root, kept, since)
    if said is None:
        search = Search(setting, root)
        search.until_s = until_s
        search.begin(root, kept.log)
        said = _saying(search, since)
    search.until_s = None
    return search, said


def _reopened(
    search: Search, root: Explanation, kept: Kept, since: Sequence[JournalLine]
) -> Explanation | None:
    """Take the search up where the hand in play began; the explanation that says these lines, if one does."""
    opened = kept.opened
    before = opened.upon(root, search.setting.game) if opened is not None else None
    if opened is None or before is None or opened.gate > len(kept.log):
        return None
    search.reopen(root, kept.log, opened.gate, before)
    return _saying(search, since)


def _settled(
    blackboard: Blackboard, lines: Sequence[JournalLine], journal: Journal, known: Settled | None
) -> Book | None:
    """A book that holds what was settled when the hand began; None where ``lines`` break off before that."""
    aside = Journal(earlier=lines)
    book = Book(blackboard.game, aside)
    try:
        book.resume(lines, event_of, blackboard.now_ns, known)
    except TableError:
        return None
    book.journal = journal
    return book if len(aside.lines) == len(lines) else None


def _saying(search: Search, lines: Sequence[JournalLine]) -> Explanation | None:
    """The explanation that says these lines: the latest and likeliest.

    Else the first that goes on from them, as where the power went while they were being written.
    """
    beams = search.beams
    matching = _Matching([_told(line["event"], bare(line)) for line in lines], search.root.last)
    for beam in reversed(beams):
        for one in beam:
            if matching.through(one.last) == len(lines):
                return one
    for beam in beams:
        for one in beam:
            if (matching.through(one.last) or 0) > len(lines):
                return one
    return None


class _Matching:
    """Which entries say what the journal says."""

    def __init__(self, lines: Sequence[Any], root: Entry | None) -> None:
        self._lines = lines
        self._known: dict[int, int | None] = {id(root): 0}

    def through(self, last: Entry | None) -> int | None:
        """How many lines there are up to the end of an entry; None where one of them is not the journal's."""
        chain: list[Entry] = []
        while last is not None and id(last) not in self._known:
            chain.append(last)
            last = last.earlier
        count = self._known.get(id(last))
        for entry in reversed(chain):
            count = self._after(entry, count)
            self._known[id(entry)] = count
        return count

    def _after(self, entry: Entry, count: int | None) -> int | None:
        if count is None:
            return None
        here = self._lines[count : count + len(entry.said)]
        says = [_told(said.event, said.fields) for said in entry.said]
        return count + len(says) if says[: len(here)] == here else None


def _told(event: str, fields: LineFields) -> Any:
    """What a line tells people, as JSON has it: the journal keeps how sure it was when it was said."""
    return json.loads(json.dumps(told(event, fields)))


def renumbered(facts: Iterable[Fact], above: int) -> list[Fact]:
    """Facts of a camera that has begun again at number 1, with numbers that no card had before."""
    return [_renumbered(fact, above) for fact in facts]


def _renumbered(fact: Fact, above: int) -> Fact:
    if isinstance(fact, Call) or not above:
        return fact
    if isinstance(fact, CardLanded):
        upon = tuple(number + above for number in fact.upon)
        return replace(
            fact, id=fact.id + above, upon=upon, overlaps=tuple(number + above for number in fact.overlaps)
        )
    return replace(fact, id=fact.id + above)


# --- by the journal alone -------------------------------------------------------------------------------------------


def pieces_left(state: State, lines: Iterable[JournalLine]) -> tuple[Piece, ...]:
    """The cards that may lie on the mark, by where the game stands and by the journal."""
    left = [Piece(None, play.card, play.seat, "played") for play in state.trick.plays]
    if state.turned is not None and not state.tricks and not state.trick.plays:
        left.append(Piece(None, state.turned, None, "turned up"))
    return (*left, *_to_go_back(effective(lines)))


def _to_go_back(lines: Iterable[JournalLine]) -> list[Piece]:
    """The cards of this hand that somebody has still to take back."""
    backs: dict[tuple[str | None, str], Piece] = {}
    in_play = False
    for line in lines:
        event = line["event"]
        in_play = _in_play(line, before=in_play)
        if event in ("hand_started", "thrown_in"):
            backs = {}
        elif event == "leads_tied":
            for back in line["taken_back"]:
                seat, name = back["seat"], back["card"]
                backs[seat, name] = Piece(None, card(name), seat, "back", "tied")
        elif event == "out_of_turn" and line["card"] != "?":
            seat, name = line["seat"], line["card"]
            backs[seat, name] = Piece(None, card(name), seat, "back", "turn" if in_play else "no")
        elif event == "card_played" or (event == "card_taken_back" and not line.get("played")):
            backs.pop((line["seat"], line["card"]), None)
    return list(backs.values())


def _in_play(line: JournalLine, *, before: bool) -> bool:
    """Whether after a line cards are to be laid, so that one laid out of turn may yet count."""
    match line["event"]:
        case "dealt" | "trick_taken":
            return True
        case "hand_started" | "thrown_in" | "trick_won":
            return False
        case "card_taken_back":
            return before or bool(line.get("played"))
    return before


def progress_phrase(state: State) -> Phrase:
    """Where a game stands."""
    done, laid = len(state.tricks), len(state.trick.plays)
    if not done and not laid:
        return say("place.bids" if state.bids else "place.hand", hand=state.hand)
    code = "place.cards" if laid else "place.trick"
    return say(code, hand=state.hand, trick=done + 1, cards=state.cards, laid=laid)
