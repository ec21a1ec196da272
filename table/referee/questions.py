"""Questions: what the table could not see or name, where the answer matters.

Something is asked when two explanations are nearly as likely and make different tricks, different revokes or different
proofs of them of what was seen. It is asked once the trick has gone and play has gone on, so that what settles itself
is not asked; and it settles itself when a later fact speaks for one of them.

Where a card is waited for and nothing moves any more, a trick may have been played of which nothing was seen: then too
it is asked what was laid to it, and who answers says that it has been played.

How a card left the mark (taken back, picked up, lost from sight) is never asked for itself: it matters only where the
trick is another one for it, and then what its player laid tells all that there is to tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Literal

from table.cards import Card, card
from table.events.happenings import Played
from table.events.kind import Play
from table.facts import MS
from table.games.base import Phase, Trick
from table.games.tricks import suit_of
from table.phrase import Phrase, say
from table.referee.blackboard import Blackboard
from table.referee.doubts import cards_of, deal_of, parts, revoked, taken_tricks, trump_of, unproved
from table.referee.explanation import Explanation
from table.referee.observations import Idle
from table.referee.setting import Pins
from table.referee.unheard import guessed

About = Literal["card", "owner", "order", "bid"]

HANGING_NS = 60_000 * MS
"""A hand's score hangs on a question no longer than this, and only until the next dealer has rapped."""
DOUBT = 0.02
"""So likely must another outcome be to be asked about."""
CHOICES = 3


@dataclass(frozen=True, slots=True)
class Question:
    """Something that only people can tell."""

    number: int
    """From 1 in each game; 0 while it is not asked."""
    about: About
    hand: int
    trick: int
    """From 1 in each hand; 0 for a bid or a call of the auction. A suit is called for the joker led to this trick."""
    seat: str | None
    """Whose card it is about."""
    card: str | None
    """The card that it is about, where its player is asked for."""
    choices: tuple[str, ...]
    """The likeliest first: cards, seats or bids."""
    place: int | None = None
    """Of a call of the auction: its place in it, from 0. A player may call often, and bid a number besides."""
    deal: int = 0
    """Of that hand, which may have been dealt more than once: counted as in the game's state."""

    @property
    def asks(self) -> Phrase:
        """The question itself."""
        return say(f"notice.{self.code}", seat=self.seat, seats=self.choices, card=self.card)

    @property
    def code(self) -> str:
        """What kind of question it is: calls are asked for in words of their own."""
        if self.about != "bid":
            return f"asked_{self.about}"
        return "asked_suit" if self.trick else "asked_bid" if self.place is None else "asked_call"

    @property
    def subject(self) -> tuple[object, ...]:
        """What it asks, whatever the choices: of a card whose it is, of a player what was laid or called, and when."""
        who = self.card if self.about == "owner" else self.seat
        return (self.about, self.deal, self.trick, who, self.place)


class Questions:
    """Asks, and takes answers."""

    def __init__(self, blackboard: Blackboard) -> None:
        self.blackboard = blackboard
        self.open: tuple[Question, ...] = ()
        """The oldest first."""
        self._count = 0
        self._answered: set[tuple[object, ...]] = set()

    def resume(self) -> None:
        """After a power cut: what was asked is open still, and what was answered is not asked again."""
        for line in self.blackboard.book.journal.lines:
            if line["event"] == "asked":
                number, about, hand, trick, seat = (
                    line[name] for name in ("question", "about", "hand", "trick", "seat")
                )
                choices, card_of, place = tuple(line["choices"]), line.get("card"), line.get("place")
                deal = deal_of(self.blackboard.book.said, hand)
                self.open += (Question(number, about, hand, trick, seat, card_of, choices, place, deal),)
                self._count = max(self._count, number)
            elif line["event"] == "answered":
                closed = [one for one in self.open if one.number == line["question"]]
                self.open = tuple(one for one in self.open if one not in closed)
                if line["by"] != "table":
                    self._answered.update(one.subject for one in closed)

    def review(self, t_ns: int) -> None:
        """After something was observed at ``t_ns``: ask what is in doubt, and let go what is so no longer."""
        doubted = dict(self._doubts())
        for question in self.open:
            # What is asked of the hand before is a person's to answer; no later fact settles it.
            kept = question.hand == self.blackboard.search.hand - 1
            if question.subject not in doubted and not kept:
                self._close(question, "table", None, t_ns)
        waiting = {question.subject for question in self.open}
        for subject, question in doubted.items():
            if subject not in waiting and subject not in self._answered and self._gone_on():
                self._ask(question, t_ns)

    def answer(self, number: int, choice: str | None, t_ns: int, by: str) -> bool:
        """Somebody says which; ``choice`` None leaves the question. Whether it was still open, and a choice."""
        question = next((one for one in self.open if one.number == number), None)
        if question is None:
            return False
        pins = self._pinned(question, choice) if choice is not None else None
        if choice is not None and pins is None:
            return False
        self._answered.add(question.subject)
        self._close(question, by, choice, t_ns)
        if pins is not None:
            what = {"order": "leads_tied", "bid": "bid"}.get(question.about, "card_played")
            was = question.card or question.choices[0]
            self.blackboard.pin(pins, {"what": what, "from": was, "to": choice, "by": by})
            self.review(t_ns)
        return True

    def hanging(self, now_ns: int) -> frozenset[int]:
        """The numbers of the hands whose score hangs on what is asked.

        Once the next hand is dealt the likeliest explanation is scored; an answer is then what any correction of a
        closed hand is.
        """
        state = self.blackboard.state
        if state.phase not in (Phase.DEAL, Phase.OVER) or not state.results:
            return frozenset()
        hand = state.results[-1].hand
        asked = any(question.hand == hand for question in self.open)
        return frozenset((hand,)) if asked and now_ns - self._scored_ns(hand) < HANGING_NS else frozenset()

    def _scored_ns(self, hand: int) -> int:
        """When a hand was over."""
        for entry in self.blackboard.book.said.entries():
            if any(said.event == "hand_scored" and said.fields["hand"] == hand for said in entry.said):
                return entry.t_ns
        return -HANGING_NS

    def _gone_on(self) -> bool:
        """Whether play has gone on since the last trick was taken, or does so no more, or the hand is thrown in."""
        state, hand = self.blackboard.state, self.blackboard.search.hand
        thrown_in = state.phase is Phase.DEAL and deal_of(self.blackboard.book.said, hand) > 0
        over = state.hand != hand or state.phase is Phase.OVER or thrown_in
        return over or bool(state.trick.plays) or self._silence() is not None

    def _silence(self) -> Idle | None:
        """The silence that lasts, where a card is waited for."""
        log = self.blackboard.search.log
        return log[-1] if log and isinstance(log[-1], Idle) else None

    # --- what is in doubt ---------------------------------------------------------------------------------------

    def _doubts(self) -> Iterator[tuple[tuple[object, ...], Question]]:
        best, hand = self.blackboard.book.said, self.blackboard.search.hand
        for question in self._in_doubt(best, deal_of(best, hand)):
            yield question.subject, replace(question, hand=hand)

    def _in_doubt(self, best: Explanation, deal: int) -> Iterator[Question]:
        """The same of the last deal of the hand in play."""
        yield from self._unheard(best, deal)
        mine = taken_tricks(best, deal)
        yield from self._unnamed(best, deal, mine)
        for at, rival in self._rivals(best, deal, mine):
            ours = mine[at] if at < len(mine) else best.state.trick
            question = self._question(deal, at, ours, taken_tricks(rival, deal)[at])
            if question is not None:
                yield question
                return

    def _parts(self, best: Explanation, deal: int, mine: Sequence[Trick], other: Explanation) -> int | None:
        """The first trick of which the outcome is another one, or that has been played and is still waited for."""
        theirs = taken_tricks(other, deal)
        at = parts(mine, theirs, revoked(best, deal), revoked(other, deal))
        waiting = at is None and self._silence() is not None and best.state.deal == deal
        if waiting and len(theirs) > len(mine) and cards_of(theirs[len(mine)]) != cards_of(best.state.trick):
            return len(mine)
        return at

    def _rivals(
        self, best: Explanation, deal: int, mine: Sequence[Trick]
    ) -> Iterator[tuple[int, Explanation]]:
        """The tricks of which another outcome is likely enough, each with the likeliest explanation that has it."""
        beam = self.blackboard.search.beam
        shares = [(one, exp(best.cost - one.cost)) for one in beam if best.cost - one.cost > -8]
        total = sum(share for _, share in shares)
        against: dict[int, float] = {}
        rivals: dict[int, Explanation] = {}
        for one, share in shares:
            at = self._parts(best, deal, mine, one)
            if at is not None:
                against[at] = against.get(at, 0.0) + share / total
                rivals.setdefault(at, one)
        return ((at, rivals[at]) for at, share in against.items() if share >= DOUBT)

    def _unheard(self, best: Explanation, deal: int) -> Iterator[Question]:
        """The calls of this deal that nobody heard: what stands in their place is a guess."""
        for entry in best.entries():
            if entry.before.deal < deal:
                break
            for guess in guessed(self.blackboard.game, entry):
                yield Question(0, "bid", 0, guess.trick, guess.seat, None, guess.choices, guess.place, deal)

    def _unnamed(self, best: Explanation, deal: int, mine: Sequence[Trick]) -> Iterator[Question]:
        """A card without a name, if a revoke depends on what it was, or who won a trick of which nothing was seen."""
        tricks = (*mine, best.state.trick) if best.state.deal == deal else mine
        found = self._of_unseen_trick(deal, mine) or unproved(tricks, trump_of(best, deal))
        if found is not None:
            at, play = found
            choices = self._choices(deal, at, tricks[at], play.seat, ())
            yield Question(0, "card", 0, at + 1, play.seat, str(play.card), choices, deal=deal)

    def _of_unseen_trick(self, deal: int, mine: Sequence[Trick]) -> tuple[int, Play] | None:
        """A nameless card of a trick of which nothing was seen, so that its winner is a guess; the trick's place."""
        said = self.blackboard.search.setting.pins.unseen
        for at, trick in enumerate(mine):
            told = ((deal, at + 1, play.seat) in said for play in trick.plays)
            nameless = [play for play in trick.plays if play.card.is_unseen]
            if nameless and len(nameless) + sum(told) == len(trick.plays):
                return at, nameless[0]
        return None

    def _question(self, deal: int, at: int, mine: Trick, theirs: Trick) -> Question | None:
        """What tells two explanations of a trick apart."""
        ours, others = cards_of(mine), cards_of(theirs)
        parted = {held for seat, held in ours.items() if others.get(seat) != held}
        # Whose a card was that nobody saw can't be asked; what its player laid can.
        seen = not any(held.is_unseen for held in parted)
        if mine.lead is not None and set(ours.values()) == set(others.values()) and seen:
            return self._of_players(deal, at, mine, theirs)
        for seat in (*ours, *others):
            held = [one for one in (ours.get(seat), others.get(seat)) if one is not None]
            if ours.get(seat) != others.get(seat) and (len(held) == 2 or mine.winner is None):
                choices = self._choices(deal, at, mine, seat, held)
                return Question(0, "card", 0, at + 1, seat, str(held[0]), choices, deal=deal)
        return None

    def _of_players(self, deal: int, at: int, mine: Trick, theirs: Trick) -> Question | None:
        """The same cards in both: who led, or whose a card is."""
        others = cards_of(theirs)
        lead, other = mine.plays[0].seat, theirs.plays[0].seat
        if lead != other and cards_of(mine) == others:
            return Question(0, "order", 0, at + 1, None, None, (lead, other), deal=deal)
        # Of the cards that change hands the same one, whichever of the two is believed just now.
        parted = (play for play in mine.plays if others.get(play.seat) != play.card)
        play = min(parted, key=lambda one: str(one.card), default=None)
        owner = next((seat for seat, held in others.items() if play and held == play.card), None)
        if play is None or owner is None:
            return None
        return Question(0, "owner", 0, at + 1, play.seat, str(play.card), (play.seat, owner), deal=deal)

    def _choices(self, deal: int, at: int, trick: Trick, seat: str, held: Sequence[Card]) -> tuple[str, ...]:
        """What a player's card may have been: what was read, then what is out of the suit that was led."""
        names = [str(one) for one in held if not one.is_unseen]
        number = self._piece(deal, at + 1, lambda play: play.seat == seat)
        fact = self.blackboard.search.setting.landed.get(number) if number is not None else None
        if fact is not None:
            names += [reading.card for reading in fact.readings]
        suits = [one.suit for one in held if one.is_unseen and one.suit is not None]
        names += self._not_seen(deal, suits[0] if suits else self._led(deal, trick, seat))
        return tuple(dict.fromkeys(names))[:CHOICES]

    def _led(self, deal: int, trick: Trick, seat: str) -> str | None:
        """The suit that was led, as the others show: a lead tells nothing of what else it may have been."""
        trump = trump_of(self.blackboard.book.said, deal)
        others = (play for play in trick.plays if play.seat != seat or play != trick.lead)
        suits = (suit_of(play.card, trump) for play in others)
        return next((suit for suit in suits if suit is not None), None)

    def _not_seen(self, deal: int, suit: str | None) -> list[str]:
        """The cards of a suit that were not seen in a deal, the highest first."""
        best = self.blackboard.book.said
        tricks = (*taken_tricks(best, deal), best.state.trick)
        seen = {play.card for trick in tricks for play in trick.plays}
        out = [one for one in self.blackboard.game.pack() if one.suit == suit and one not in seen]
        return [str(one) for one in sorted(out, key=lambda one: -one.strength)]

    def _piece(self, deal: int, trick: int, holds: Callable[[Played], bool]) -> int | None:
        """The number of a card that was played to a trick, where it was seen."""
        for entry in self.blackboard.book.said.entries():
            before, play = entry.before, entry.cause
            if before.deal < deal:
                break
            there = before.deal == deal and len(before.tricks) + 1 == trick
            if there and entry.piece is not None and isinstance(play, Played) and holds(play):
                return entry.piece
        return None

    # --- asking and answering -----------------------------------------------------------------------------------

    def _ask(self, doubt: Question, t_ns: int) -> None:
        self._count += 1
        question = replace(doubt, number=self._count)
        self.open = (*self.open, question)
        fields: dict[str, object] = {
            "question": question.number,
            "about": question.about,
            "hand": question.hand,
            "trick": question.trick,
            "seat": question.seat,
            "choices": list(question.choices),
        }
        if question.about == "owner":
            fields["card"] = question.card
        if question.place is not None:
            fields["place"] = question.place
        self.blackboard.book.journal.say("asked", t_ns, self.blackboard.now_ns, fields)
        self.blackboard.tell(t_ns, "trouble", question.code, question.seat, **question.asks.fields)

    def _close(self, question: Question, by: str, choice: str | None, t_ns: int) -> None:
        self.open = tuple(one for one in self.open if one.number != question.number)
        fields = {"question": question.number, "by": by, "choice": choice}
        self.blackboard.book.journal.say("answered", t_ns, self.blackboard.now_ns, fields)

    def _pinned(self, question: Question, choice: str) -> Pins | None:
        """What the answer says to the search; None for an answer that is none."""
        pins = self.blackboard.search.setting.pins
        deal, trick = question.deal, question.trick
        if question.about == "card":
            assert question.seat is not None
            found, silence = _card(choice), self._silence()
            if found is None:
                return None
            awaited = silence is not None and trick > len(taken_tricks(self.blackboard.book.said, deal))
            pins = pins.with_silence(silence.number, deal, trick) if silence and awaited else pins
            return pins.with_unseen(deal, trick, question.seat, found)
        if question.about == "bid" and question.seat is not None and choice in question.choices:
            bid = int(choice) if choice.isdigit() else choice
            if trick:
                return pins.with_suit(deal, trick, choice)
            if question.place is not None:
                return pins.with_call(deal, question.place, bid)
            return pins.with_bid(deal, question.seat, bid)
        if choice not in self.blackboard.game.seats:
            return None
        if question.about == "order":
            return pins.with_first(deal, trick, choice)
        number = self._piece(deal, trick, lambda play: str(play.card) == question.card)
        return pins.with_seat(number, choice) if number is not None else None


def _card(choice: str) -> Card | None:
    try:
        return card(choice)
    except ValueError:
        return None
