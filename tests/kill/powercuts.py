"""One game killed again and again, and what is missing, doubled or invented when it has gone on."""

from __future__ import annotations

import errno
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Protocol

from table.games.engine.game_state import Phase
from table.history.archive import find_unfinished_game, is_over
from table.observed_facts import END_NS, MS, Call, CardGone, CardLanded, Fact
from table.phrase import Phrase
from table.referee.model.observations import CardsLanded, CardsLeft
from table.referee.model.search_context import DEFAULT_TIMES
from table.referee.records.checksummed_journal_rows import dump
from table.referee.records.journal import Journal, JournalLine, effective_lines, read_lines
from table.referee.records.stored_facts import facts_path
from table.referee.referee import Referee
from tests.kill.clocks import Clock, in_order, shelved
from tests.kill.disk import Disk, KilledError, failing
from tests.kill.files import replaced
from tests.referee.faults.games import Plan, play
from tests.referee.faults.tables import random_table
from tests.referee.powercut import Evening, holding, known_ns, read_facts

GAMES = ("whysteria", "oh-hell", "israeli-whist", "oh-shit", "prediction-whist")
SECRET = "oh-shit"
"""Where all bid at once and in secret."""
FACTS = 90
"""So many facts of a game are told, two hands or so, and those up to the end of the trick: what became of cards that
nobody saw landing shows in how it is played on."""
TAIL = 600
"""Bytes of a journal's end at each of which it is cut."""
EARLIER_LINES = 3
"""Of the games that were broken off before."""
NAME = "2026-01-01-200000.jsonl"
IDLE = ("bid_refused", "rap")
"""Lines that decide nothing: of presses made once more."""
NOT_HELD = ("confidence", "t_ns", "by", "doubt")
"""A card seen anew is read anew, brought by no hand that was seen; a press lost with the power is made again."""


@dataclass
class Row:
    """What came of the kills of a game."""

    kills: int = 0
    lost: int = 0
    """Lines that had been written and are not there when the table comes up again."""
    missing: int = 0
    """Events of the game that never come, though all went on as before."""
    doubled: int = 0
    invented: int = 0
    wrong: int = 0
    """Times that the score is another in the end."""
    cuts: int = 0
    bad_cuts: int = 0
    disks: int = 0
    bad_disks: int = 0
    disordered: int = 0
    """Times that another game than the killed one would have gone on, or games were not listed as they were begun."""
    unseen: int = 0
    """Events, missing or besides, about a card that came or went in the very moment and had not reached the disk."""
    removed: int = 0
    bad_removed: int = 0
    """The folder with the games goes away while one is played."""
    files: int = 0
    bad_files: int = 0
    """The process dies while a set-up, a pack or a picture is put in the place of an older one."""
    lost_pages: int = 0
    """Pages that a disk's volatile cache lost."""
    examples: list[str] = field(default_factory=list)


def evening_of(name: str, seed: int) -> Evening:
    """The first hands of a random game without a fault."""
    plan = Plan(seed, GAMES.index(name), name, "none", ())
    game, angles = random_table(name, Random(f"{seed}/{plan.number}/table"))
    facts = sorted(play(plan, answers=False, keep=True).facts, key=known_ns)
    cleared = [one for one in facts[FACTS:] if isinstance(one, CardGone) and one.mark_empty]
    ends = known_ns(cleared[0]) if cleared else END_NS
    return Evening(game, angles, [one for one in facts if known_ns(one) <= ends])


def run(name: str, times: int, seed: int, folder: Path) -> Row:
    """Kill one game ``times`` times, cut its journal everywhere, and let its disk fail."""
    row = Row()
    evening = evening_of(name, seed)
    disk = Disk(folder / "whole")
    with disk.watched():
        whole = tell_whole(evening, folder / "whole" / NAME)
    random = Random(f"{seed}/{name}/kill")
    moments = [random.randrange(disk.moments) for _ in range(times)]
    for number, at in enumerate(moments):
        place = folder / f"kill-{number}"
        (place / "live").mkdir(parents=True)
        drawn = Random(f"{seed}/{name}/kill/{number}")
        kill(evening, whole, Disk(place / "live", at, place / "left", drawn), f"moment {at}", drawn, row)
        shutil.rmtree(place)
    for size in _cuts(folder / "whole" / NAME):
        row.cuts += 1
        row.bad_cuts += not _comes_up_after(evening, whole, folder, size)
    for number, error in enumerate((errno.ENOSPC, errno.EROFS, errno.EIO)):
        row.disks += 1
        row.bad_disks += not _plays_on(evening, whole, folder / f"disk-{number}", error)
    for number, share in enumerate((0.3, 0.6, 0.95)):
        row.removed += 1
        row.bad_removed += not _outlives_its_folder(evening, whole, folder / f"removed-{number}", share)
    row.files, row.bad_files = replaced(folder, Random(f"{seed}/{name}/files"))
    return row


@dataclass
class Progress:
    """How far an evening has been told."""

    lines: int = 0
    """So many had been written before the telling that is under way."""
    at: int = 0
    before: int = 0
    """The moment before ``at``."""
    up: int = 0
    """No table comes up again before this: when the last of the cards has landed that fell together at ``at``."""
    quiet: int = 0
    """The last moment at which nothing was open: no press, no card and no dial that had still to be judged."""


def tell_whole(evening: Evening, path: Path, progress: Progress | None = None) -> list[JournalLine]:
    """Tell a referee the evening; it is kept at ``path``."""
    progress = progress or Progress()
    path.parent.mkdir(exist_ok=True)
    referee = evening.referee(path)
    try:
        _tell_all(evening, referee, progress)
    except KilledError:
        if referee.journal._file is not None:
            with suppress(OSError):  # as the kernel does for the dead, be there a disk or not
                referee.journal._file.close()
        raise
    referee.journal.close()
    return referee.journal.lines


def _tell_all(evening: Evening, referee: Referee, progress: Progress) -> None:
    referee.start(0)
    before = 0
    for at in (*evening.moments(), evening.end_ns):
        progress.before, progress.at, progress.lines = before, at, len(referee.journal.lines)
        progress.up = _up_ns(evening, at)
        fresh = [one for one in evening.facts if before <= known_ns(one) < at]
        referee.take(fresh, evening.told_by(at), at)
        before = at
        if evening.is_judged(at) and _nothing_open(evening, referee, at):
            progress.quiet = at


def _up_ns(evening: Evening, at: int) -> int:
    landed = [one.t_ns for one in evening.facts if isinstance(one, CardLanded)]
    together = max((time for time in landed if time < at), default=at) + DEFAULT_TIMES.lead_tie_ns
    return max([at, *(time + 1 for time in landed if at <= time < together)])


class Killer(Protocol):
    """A disk in whose ``folder`` a game is kept until the process dies; what then is there lies in ``left``."""

    folder: Path
    left: Path

    def watched(self, each: Callable[[], None]) -> AbstractContextManager[None]: ...


def kill(
    evening: Evening, whole: list[JournalLine], disk: Killer, moment: str, random: Random, row: Row
) -> None:
    """Tell the evening until the process dies, have the table come up again and go on, and count what is wrong."""
    progress = Progress()
    clock = Clock(random)
    left = disk.left
    begun = shelved(disk.folder, clock, whole[:EARLIER_LINES])
    with suppress(KilledError), disk.watched(each=lambda: clock.touch(disk.folder)):
        tell_whole(evening, begun[-1], progress)
    count = progress.lines
    row.kills += 1
    said: list[Phrase] = []
    kept = find_unfinished_game(left, evening.game, said.append)
    if not in_order(left, begun, clock) or (count and kept is not None and kept.path.name != begun[-1].name):
        row.disordered += 1
        row.examples.append(f"{moment}: {kept}, of {[path.name for path in begun]}")
    if kept is not None and kept.path.name != begun[-1].name:
        kept = None  # nothing of the last one had been written yet
    path = left / begun[-1].name
    ended = read_lines(path, torn_end=True) if kept is None and count and path.exists() else []
    over = is_over(ended)  # then there is nothing to go on with
    lines = ended if over else list(kept.lines) if kept is not None else []
    if lines[:count] != whole[:count]:
        row.lost += sum(one != other for one, other in zip(lines, whole, strict=False)) + max(
            0, count - len(lines)
        )
        row.examples.append(f"{moment}: {count} lines had been written, {len(lines)} are there; {said}")
    if over:
        _compare(whole, lines, moment, row, set())
        return
    if kept is not None:
        path = kept.path
    referee = Referee(evening.game, evening.angles, Journal(path, earlier=lines))
    unseen = _unseen(evening, progress, left)
    _go_on(evening, referee, progress, random, begins=kept is None)
    _compare(whole, referee.journal.lines, moment, row, unseen)


def _go_on(evening: Evening, referee: Referee, progress: Progress, random: Random, *, begins: bool) -> None:
    """The table comes up again: cards lie where they lay when it was killed, brought by no hand that it sees.

    Often a hand moves over the mark just then. Presses that were open, and that it doesn't know of, are made again.
    """
    counted = _secret_since(referee.journal.lines) if evening.game.name == SECRET else None
    since = progress.quiet if counted is None else min(progress.quiet, counted + 1)
    if begins:
        referee.start(since)
    else:
        referee.resume(since)
    known = [(line["t_ns"], line.get("spread_ns", 0)) for line in referee.journal.lines]
    beside = referee.journal.durable_path
    known += (
        [(one.t_ns, 0) for kept in read_facts(facts_path(beside))[:1] for one in kept.log] if beside else []
    )
    calls = [
        one
        for one in evening.facts
        if isinstance(one, Call)
        and (one.t_ns > counted if counted is not None else one.t_ns >= since and not _is_of(one, known))
    ]
    lying = [_seen_late(one, evening, since, random) for one in evening.seen_anew(progress.up)]
    cards = [one for one in evening.facts if not isinstance(one, Call) and one.t_ns >= progress.up]
    facts: list[Fact] = sorted([*lying, *calls, *cards], key=known_ns)
    Evening(evening.game, evening.angles, facts).rest(referee, since)
    referee.journal.close()


def _is_of(call: Call, known: list[tuple[int, int]]) -> bool:
    """Whether a call is one of those that have been judged, alone or as one of a tie."""
    return any(begin <= call.t_ns <= begin + spread for begin, spread in known)


def _seen_late(card: CardLanded, evening: Evening, since: int, random: Random) -> CardLanded:
    """A card as a camera that starts anew tells it: at once or, where a hand hovers over it, a little later."""
    if random.random() < 0.5:
        return replace(card, t_ns=since - 1)
    after = min((known_ns(one) for one in evening.facts if known_ns(one) > since), default=since + 2)
    late = min(since + random.randrange(1, 2_000) * MS, (since + after) // 2)
    return replace(card, t_ns=late, arm_deg=random.choice(list(evening.angles.values())), arm_sure=0.6)


def _unseen(evening: Evening, progress: Progress, left: Path) -> set[str]:
    """The cards that came or went just when the table was killed, and of which nothing had reached the disk."""
    kept = [kept for path in left.glob("*.facts") for kept in read_facts(path)[:1]]
    known = {
        *(fact for one in kept for fact in one.pending_facts),
        *(
            fact
            for one in kept
            for seen in one.log
            if isinstance(seen, CardsLanded | CardsLeft)
            for fact in seen.cards
        ),
    }
    told = [
        one for one in evening.facts if progress.before <= known_ns(one) < progress.up and one not in known
    ]
    numbers = {one.id for one in told if isinstance(one, CardLanded | CardGone)}
    named = {one.id: one.readings for one in evening.facts if isinstance(one, CardLanded)}
    return {named[number][0].card for number in numbers if named[number]}


def _secret_since(lines: list[JournalLine]) -> int | None:
    """When the hand's bids in secret could begin, where they aren't shown yet: the screen asks for another count."""
    began = None
    for line in effective_lines(lines):
        if line["event"] in ("hand_started", "trump", "dealt"):
            began = line["t_ns"]
        elif line["event"] == "bids_revealed":
            began = None
    return began


def _nothing_open(evening: Evening, referee: Referee, at: int) -> bool:
    """Whether nothing is lost with the power: a card that is waited for is waited for again."""
    view = referee.view(at)
    dials = view.dial is not None and view.dial.calls_at_ns is not None
    chooses = view.panel is not None or (view.question is not None and view.question.seat is not None)
    paused = any(
        isinstance(fact, CardGone) and fact.t_ns < at <= fact.t_ns + DEFAULT_TIMES.pick_up_ns
        for fact in evening.facts
    )
    return not (dials or chooses or paused)


def _compare(
    whole: list[JournalLine], lines: list[JournalLine], moment: str, row: Row, unseen: set[str]
) -> None:
    expected, found = _events(whole, unseen), _events(lines, unseen)
    missing, extra = expected - found, found - expected
    for events in (missing, extra):
        for event in [one for one in events if _names(json.loads(one)) & unseen]:
            row.unseen += events.pop(event)
    row.missing += missing.total()
    doubled = sum(count for event, count in extra.items() if event in expected)
    row.doubled += doubled
    row.invented += extra.total() - doubled
    wrong = _scores(whole) != _scores(lines)
    row.wrong += wrong
    if missing or extra:
        row.examples.append(f"{moment}: missing {list(missing)[:2]}, besides {list(extra)[:2]}")


def _names(event: Any) -> set[str]:
    """The cards that an event tells of, however deep in it, among other words."""
    if isinstance(event, dict | list):
        within = event.values() if isinstance(event, dict) else event
        return {name for one in within for name in _names(one)}
    return {str(event)}


def _events(lines: list[JournalLine], unseen: set[str]) -> Counter[str]:
    held = (line for line in holding(lines, *NOT_HELD) if line["event"] not in IDLE)
    return Counter(json.dumps(_of_seen(line, unseen), sort_keys=True) for line in held)


def _of_seen(event: dict[str, Any], unseen: set[str]) -> dict[str, Any]:
    """Of a tie what it says of cards that were seen, if there is any of them that goes back."""
    seen = [one for one in event.get("taken_back", ()) if one["card"] not in unseen]
    return {**event, "taken_back": seen} if seen else event


def _scores(lines: list[JournalLine]) -> list[dict[str, int]]:
    return [line["totals"] for line in effective_lines(lines) if line["event"] == "hand_scored"]


def _cuts(path: Path) -> Iterator[int]:
    size = path.stat().st_size
    yield from range(max(0, size - TAIL), size)


def _comes_up_after(evening: Evening, whole: list[JournalLine], folder: Path, size: int) -> bool:
    """Whether a journal cut at ``size`` is gone on with from its last whole row."""
    cut = folder / "cut"
    shutil.rmtree(cut, ignore_errors=True)
    cut.mkdir()
    data = (folder / "whole" / NAME).read_bytes()[:size]
    (cut / NAME).write_bytes(data)
    kept = find_unfinished_game(cut, evening.game)
    count = data.count(b"\n")
    # Of a game that was over there is nothing to go on with.
    lines = read_lines(cut / NAME) if kept is None else list(kept.lines)
    if kept is None and not is_over(lines):
        return False
    # A row that lacks nothing but its end is whole; of a correction all is there or nothing.
    torn = min((n for n, line in enumerate(whole) if line.get("until", 0) > count), default=count)
    return lines == whole[: len(lines)] and len(lines) in (count, count + 1, torn)


def _outlives_its_folder(evening: Evening, whole: list[JournalLine], folder: Path, share: float) -> bool:
    """Whether a game whose folder is removed while it is played is all there in the end, facts included."""
    folder.mkdir()
    referee = evening.referee(folder / NAME)
    referee.start(0)
    moments = (*evening.moments(), evening.end_ns)
    before = 0
    for number, at in enumerate(moments):
        if number == int(share * len(moments)):
            shutil.rmtree(folder)
        fresh = [one for one in evening.facts if before <= known_ns(one) < at]
        referee.take(fresh, evening.told_by(at), at)
        referee.journal.verify_file()
        before = at
    facts = facts_path(folder / NAME)
    good = not referee.journal.lines or referee.state.phase is Phase.OVER or bool(read_facts(facts))
    referee.journal.close()
    return good and [dump(one) for one in whole] == [dump(one) for one in read_lines(folder / NAME)]


def _plays_on(evening: Evening, whole: list[JournalLine], folder: Path, error: int) -> bool:
    """Whether a game goes on over a disk that fails for a while, and is all there when it is mended."""
    calls = iter(range(10**9))
    with failing(error, lambda: 20 <= next(calls) < 60):
        lines = tell_whole(evening, folder / NAME)
    return (
        [dump(one) for one in lines]
        == [dump(one) for one in whole]
        == [dump(one) for one in read_lines(folder / NAME)]
    )
