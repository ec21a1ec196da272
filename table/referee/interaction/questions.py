"""The referee's questions: what the table could not detect or name, where the answer matters.

Something is asked when two hypotheses are nearly as likely and differ in tricks, in revokes or in the proofs of them.
It is asked once the trick has gone and play has gone on, so that what settles itself is not asked; and the question
closes when a later fact speaks for one of them.

Where a card is waited for and nothing moves any more, a trick may have been played of which nothing was detected:
then too it is asked what was laid to it, and who answers says that it has been played.

How a card left the mark (taken back, picked up, lost from sight) is never asked for itself: it matters only where the
trick is another one for it, and then what its player laid tells all that there is to tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import exp
from typing import Literal

from table.cards import NO_TRUMP, PASS, Card, PlayedCard, UnseenCard, card, parse_bid
from table.events.event_spec import Play
from table.events.game_events import Bid, BidsRevealed, Passed, Played, SuitNamed, TrickTaken
from table.games.engine.copy_with_changes import evolve
from table.games.engine.game_state import Failure, Phase, State, Trick
from table.games.engine.trick_rules import failures_to_follow, proved_revokes, suit_of, without_proved
from table.games.game import Game
from table.observed_facts import MS, Answer
from table.phrase import Phrase, make_phrase
from table.referee.interaction.corrections import put_in_force
from table.referee.model.hypothesis import Hypothesis, StoryEntry
from table.referee.model.observations import HandMayBeOver
from table.referee.model.search_context import Pins, UndoRecord, call_key
from table.referee.records.state_shared_by_judges import SharedState

QuestionKind = Literal["card", "owner", "order", "bid"]

MAX_PROVISIONAL_NS = 60_000 * MS
"""The longest time for which a hand's score is provisional; it ends sooner when the next dealer has rapped."""
MIN_DOUBT = 0.02
"""The least probability of another outcome that is asked about."""
MAX_CHOICES = 3
"""The largest number of answers that are offered directly."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question that only people can answer."""

    number: int
    """From 1 in each game; 0 before it is asked."""
    about: QuestionKind
    hand: int
    trick: int
    """From 1 in each hand; 0 for a bid or a call of the auction. For a suit: the trick to which the joker was led."""
    seat: str | None
    """The player whose card or call it is about."""
    card: str | None
    """The card that it is about, where its player is asked for."""
    choices: tuple[str, ...]
    """The answers offered, the likeliest first: cards, seats or bids."""
    auction_place: int | None = None
    """The place of a call in the auction, from 0: a player may call often, and bid a number besides."""
    deal: int = 0
    """The deal of that hand, which may have been dealt more than once: counted as in the game's state."""

    @property
    def text(self) -> Phrase:
        """The question as a phrase."""
        return make_phrase(f"notice.{self.code}", seat=self.seat, seats=self.choices, card=self.card)

    @property
    def code(self) -> str:
        """The question's code in the catalogue."""
        if self.about != "bid":
            return f"asked_{self.about}"
        return "asked_suit" if self.trick else "asked_bid" if self.auction_place is None else "asked_call"

    @property
    def subject(self) -> tuple[object, ...]:
        """The identity of a question, whatever its choices: questions with equal subjects are the same.

        Of a card: whose it is; of a player: what was laid or called, and when.
        """
        who = self.card if self.about == "owner" else self.seat
        return (self.about, self.deal, self.trick, who, self.auction_place)


class Questions:
    """Asks questions about the hand in play and the one before, and takes the answers."""

    def __init__(self, shared: SharedState) -> None:
        self.shared = shared
        self.open: tuple[Question, ...] = ()
        """The open questions, the oldest first."""
        self._count = 0
        self._answered: set[tuple[object, ...]] = set()

    def resume(self) -> None:
        """Restore the open questions from the journal, after a power cut; what was answered is not asked again."""
        for line in self.shared.journal.lines:
            if line["event"] == "asked":
                number, about, hand, trick, seat = (
                    line[name] for name in ("question", "about", "hand", "trick", "seat")
                )
                choices, card_of, place = tuple(line["choices"]), line.get("card"), line.get("place")
                deal = self.shared.hypothesis.last_deal(hand)
                self.open += (Question(number, about, hand, trick, seat, card_of, choices, place, deal),)
                self._count = max(self._count, number)
            elif line["event"] == "answered":
                closed = [question for question in self.open if question.number == line["question"]]
                self.open = tuple(question for question in self.open if question not in closed)
                if line["by"] != "table":
                    self._answered.update(question.subject for question in closed)

    def review(self, t_ns: int) -> None:
        """Ask what is in doubt after an observation at ``t_ns``, and close the questions that no longer are."""
        best, hand = self.shared.hypothesis, self.shared.search.hand
        questions = self._questions_of_deal(best, best.last_deal(hand))
        doubted = {question.subject: replace(question, hand=hand) for question in questions}
        for question in self.open:
            # A question about the hand before can only be answered by people: no later fact closes it.
            kept = question.hand == hand - 1
            if question.subject not in doubted and not kept:
                self._close(question, "table", None, t_ns)
        waiting = {question.subject for question in self.open}
        for subject, question in doubted.items():
            if subject not in waiting and subject not in self._answered and self._has_play_moved_on():
                self._ask(question, t_ns)

    def answer(
        self, number: int, choice: str | None, t_ns: int, by: str, record: UndoRecord | None = None
    ) -> bool:
        """Answer question ``number`` by ``choice``; None dismisses it. ``record``: how to go back, if that can be done.

        Returns whether the question was open and the choice possible.
        """
        question = next((question for question in self.open if question.number == number), None)
        if question is None:
            return False
        pins = self._pins_with_answer(question, choice) if choice is not None else None
        if choice is not None and pins is None:
            return False
        self._answered.add(question.subject)
        self._close(question, by, choice, t_ns)
        if pins is not None:
            what = {"order": "leads_tied", "bid": "bid"}.get(question.about, "card_played")
            was = question.card or question.choices[0]
            fields = {"what": what, "from": was, "to": choice, "by": by}
            put_in_force(self.shared, self.shared.search.with_pins(pins), fields, record)
            self.review(t_ns)
        return True

    def provisional_hands(self, now_ns: int) -> frozenset[int]:
        """Return the numbers of the hands whose score is provisional because of an open question.

        Once the next hand is dealt the likeliest hypothesis is scored; an answer is then what any correction of a
        closed hand is.
        """
        state = self.shared.state
        if state.phase not in (Phase.DEAL, Phase.OVER) or not state.results:
            return frozenset()
        hand = state.results[-1].hand
        asked = any(question.hand == hand for question in self.open)
        is_provisional = asked and now_ns - self._scored_ns(hand) < MAX_PROVISIONAL_NS
        return frozenset((hand,)) if is_provisional else frozenset()

    def _scored_ns(self, hand: int) -> int:
        """Return when a hand was scored."""
        for entry in self.shared.hypothesis.entries():
            scored = [said.fields["hand"] for said in entry.announcements if said.event == "hand_scored"]
            if hand in scored:
                return entry.t_ns
        return -MAX_PROVISIONAL_NS

    def _has_play_moved_on(self) -> bool:
        """Return whether play has gone on since the last trick was taken, or has stopped, or the hand is thrown in."""
        state, hand = self.shared.state, self.shared.search.hand
        thrown_in = state.phase is Phase.DEAL and self.shared.hypothesis.last_deal(hand) > 0
        over = state.hand != hand or state.phase is Phase.OVER or thrown_in
        return over or bool(state.trick.plays) or self._last_idle() is not None

    def _last_idle(self) -> HandMayBeOver | None:
        """Return the latest observation, if it is a long silence while a card is waited for; else None."""
        log = self.shared.search.log
        return log[-1] if log and isinstance(log[-1], HandMayBeOver) else None

    # --- what is in doubt ---------------------------------------------------------------------------------------

    def _questions_of_deal(self, best: Hypothesis, deal: int) -> Iterator[Question]:
        """Yield the questions about the last deal of the hand in play."""
        for entry in best.entries_of_deal(deal):
            yield from _questions_about_call(self.shared.game, entry, deal)
        mine = _state_of_deal(best, deal)
        if mine is None:
            return
        yield from self._questions_about_unknown(mine)
        made = (self._make_question(mine, at, theirs) for at, theirs in self._rivals(best, mine))
        yield from islice((question for question in made if question is not None), 1)

    def _first_difference(self, mine: State, other: State) -> int | None:
        """Return the first trick with another outcome, or one that has been played in ``other`` and is still waited
        for.
        """
        at, done = _first_differing_trick(mine, other), len(mine.tricks)
        if at is not None or self._last_idle() is None or len(other.tricks) <= done:
            return at
        return done if _cards_by_seat(other.tricks[done]) != _cards_by_seat(mine.trick) else None

    def _rivals(self, best: Hypothesis, mine: State) -> Iterator[tuple[int, Trick]]:
        """Yield the tricks of which another outcome is likely enough, each with the likeliest trick in its place."""
        beam = self.shared.search.beam
        shares = [(hypothesis, exp(best.cost - hypothesis.cost)) for hypothesis in beam]
        total = sum(share for _, share in shares)
        against: dict[int, float] = {}
        rivals: dict[int, Trick] = {}
        for hypothesis, share in shares:
            other = _state_of_deal(hypothesis, mine.deal)
            at = self._first_difference(mine, other) if other is not None else None
            if at is not None and other is not None:
                against[at] = against.get(at, 0.0) + share / total
                rivals.setdefault(at, other.tricks[at])
        return ((at, rivals[at]) for at, share in against.items() if share >= MIN_DOUBT)

    def _questions_about_unknown(self, mine: State) -> Iterator[Question]:
        """Yield the question about an unknown card, if a revoke depends on it, or the winner of an undetected trick."""
        found = self._card_of_unseen_trick(mine) or _find_revoke_dependent_card(mine)
        if found is not None:
            at, play = found
            yield self._make_card_question(mine, at, play.seat, [UnseenCard(won=False)])

    def _card_of_unseen_trick(self, mine: State) -> tuple[int, Play] | None:
        """Return an unknown card of a trick of which nothing was detected, so that its winner is a guess, and the
        trick's index.
        """
        said = self.shared.search.context.pins.plays
        for at, trick in enumerate(mine.tricks):
            told = ((mine.deal, at + 1, play.seat) in said for play in trick.plays)
            nameless = [play for play in trick.plays if isinstance(play.card, UnseenCard)]
            if nameless and len(nameless) + sum(told) == len(trick.plays):
                return at, nameless[0]
        return None

    def _make_question(self, mine: State, at: int, theirs: Trick) -> Question | None:
        """Return the question that tells a trick of a deal apart from what a rival has in its place."""
        trick = _all_tricks(mine)[at]
        ours, others = _cards_by_seat(trick), _cards_by_seat(theirs)
        parted = {held for seat, held in ours.items() if others.get(seat) != held}
        # The owner of an undetected card can't be asked for; what its player laid can.
        seen = not any(isinstance(held, UnseenCard) for held in parted)
        if trick.lead is not None and set(ours.values()) == set(others.values()) and seen:
            return self._make_player_question(mine.deal, at, trick, theirs)
        for seat in (*ours, *others):
            held = [held_card for held_card in (ours.get(seat), others.get(seat)) if held_card is not None]
            if ours.get(seat) != others.get(seat) and (len(held) == 2 or trick.winner is None):
                return self._make_card_question(mine, at, seat, held)
        return None

    def _make_player_question(self, deal: int, at: int, mine: Trick, theirs: Trick) -> Question | None:
        """Return the question about players, where the cards are the same: who led, or whose a card is."""
        others = _cards_by_seat(theirs)
        lead, other = mine.plays[0].seat, theirs.plays[0].seat
        if lead != other and _cards_by_seat(mine) == others:
            return Question(0, "order", 0, at + 1, None, None, (lead, other), deal=deal)
        # Of the cards that change owners choose the same one, whichever hypothesis is in force.
        parted = (play for play in mine.plays if others.get(play.seat) != play.card)
        play = min(parted, key=lambda play: str(play.card), default=None)
        owner = next((seat for seat, held in others.items() if play and held == play.card), None)
        if play is None or owner is None:
            return None
        return Question(0, "owner", 0, at + 1, play.seat, str(play.card), (play.seat, owner), deal=deal)

    def _make_card_question(self, mine: State, at: int, seat: str, held: Sequence[PlayedCard]) -> Question:
        """Return the question what a player's card was: what was read, or an undetected card of the suit that was led.

        ``held``: what hypotheses take it for.
        """
        names = [str(held_card) for held_card in held if isinstance(held_card, Card)]
        number = self._find_card_id(mine.deal, at + 1, lambda play: play.seat == seat)
        fact = self.shared.search.context.landed.get(number) if number is not None else None
        if fact is not None:
            names += [reading.card for reading in fact.readings]
        suits = [held_card.suit for held_card in held if isinstance(held_card, UnseenCard) and held_card.suit]
        suit, seen = suits[0] if suits else _suit_shown(mine, at, seat), mine.cards_played()
        unseen = [found for found in self.shared.game.pack() if found.suit == suit and found not in seen]
        names += map(str, sorted(unseen, key=lambda found: -found.strength))
        choices = tuple(dict.fromkeys(names))[:MAX_CHOICES]
        return Question(0, "card", 0, at + 1, seat, str(held[0]), choices, deal=mine.deal)

    def _find_card_id(self, deal: int, trick: int, holds: Callable[[Played], bool]) -> int | None:
        """Return the id of a card that was played to a trick, where it was detected."""

        def is_wanted(entry: StoryEntry) -> bool:
            before, play = entry.state_before, entry.cause
            there = (before.deal, len(before.tricks) + 1) == (deal, trick) and entry.card_id is not None
            return there and isinstance(play, Played) and holds(play)

        entry = self.shared.find_last(is_wanted)
        return entry.card_id if entry is not None else None

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
        if question.auction_place is not None:
            fields["place"] = question.auction_place
        self.shared.journal.append("asked", t_ns, self.shared.now_ns, fields)
        self.shared.notify(t_ns, "trouble", question.code, question.seat, **question.text.fields)

    def _close(self, question: Question, by: str, choice: str | None, t_ns: int) -> None:
        self.open = tuple(asked for asked in self.open if asked.number != question.number)
        fields = {"question": question.number, "by": by, "choice": choice}
        self.shared.journal.append("answered", t_ns, self.shared.now_ns, fields)

    def _pins_with_answer(self, question: Question, choice: str) -> Pins | None:
        """Return the pins with an answer added; None for an impossible answer."""
        pins = self.shared.search.context.pins
        deal, trick = question.deal, question.trick
        if question.about == "card":
            assert question.seat is not None
            try:
                found, silence = card(choice), self._last_idle()
            except ValueError:
                return None
            state = _state_of_deal(self.shared.hypothesis, deal)
            awaited = silence is not None and (state is None or trick > len(state.tricks))
            pins = (
                pins.including(idle_tricks={silence.number: (deal, trick)}) if silence and awaited else pins
            )
            return pins.including(plays={(deal, trick, question.seat): found})
        if question.about == "bid" and question.seat is not None and choice in question.choices:
            seat = question.seat
            call = (
                Passed(seat)
                if choice == PASS
                else SuitNamed(seat, choice)
                if trick
                else Bid(seat, parse_bid(choice))
            )
            return pins.including(calls={(deal, trick, question.auction_place, seat): call})
        if choice not in self.shared.game.seats:
            return None
        if question.about == "order":
            return pins.including(first_leads={(deal, trick): choice})
        number = self._find_card_id(deal, trick, lambda play: str(play.card) == question.card)
        return pins.including(seats={number: choice}) if number is not None else None


# --- differences between hypotheses that matter to the score ----------------------------------------------------------


def _state_of_deal(hypothesis: Hypothesis, deal: int) -> State | None:
    """Return the state of a deal, present or last, with all tricks that were taken; None where there is neither."""
    if hypothesis.state.deal == deal and hypothesis.state.phase is not Phase.OVER:
        return hypothesis.state
    entries = hypothesis.entries_of_deal(deal)
    last = next((entry.state_before for entry in entries if isinstance(entry.cause, TrickTaken)), None)
    return evolve(last, tricks=(*last.tricks, last.trick), trick=Trick()) if last is not None else None


def _first_differing_trick(mine: State, other: State) -> int | None:
    """Return the index of the first taken trick of a deal that differs between two states in its outcome.

    That is its winner, or a card of a revoke or of its proof. None where the outcome is the same.
    """
    pairs = [*zip(mine.tricks, other.tricks, strict=False)]
    for at, (here, there) in enumerate(pairs):
        if here.winner != there.winner:
            return at
    ours, others = set(mine.revokes), set(other.revokes)
    for revoke in sorted(ours ^ others, key=lambda revoke: (revoke.trick, revoke.proved_in, revoke.seat)):
        for at, (here, there) in enumerate(pairs[revoke.trick - 1 :], start=revoke.trick - 1):
            failed = at == revoke.trick - 1 and (_cards_by_seat(here), here.lead) != (
                _cards_by_seat(there),
                there.lead,
            )
            if failed or here.card_of(revoke.seat) != there.card_of(revoke.seat):
                return at
    return None


def _all_tricks(state: State) -> tuple[Trick, ...]:
    """Return the tricks of a deal, with the one in play."""
    return (*state.tricks, state.trick)


def _suit_shown(state: State, at: int, seat: str) -> str | None:
    """Return the suit led to a trick, as the others' cards show: a lead tells nothing of what else it may be."""
    trick = _all_tricks(state)[at]
    others = (play for play in trick.plays if play.seat != seat or play != trick.lead)
    suits = (suit_of(play.card, state.trump) for play in others)
    return next((suit for suit in suits if suit is not None), None)


def _cards_by_seat(trick: Trick) -> dict[str, PlayedCard]:
    """Return the card that each player laid to a trick, by seat."""
    return {play.seat: play.card for play in trick.plays}


def _find_revoke_dependent_card(state: State) -> tuple[int, Play] | None:
    """Return the first unknown card of a deal on which a revoke depends, with the index of its trick; None for none.

    An unknown lead is taken to be of the next card's suit, since most players follow suit; a card that won is of a
    suit that could win. What that would prove has not been proved.
    """
    found: list[tuple[int, Play]] = []
    failures: tuple[Failure, ...] = ()
    tricks, trump = _all_tricks(state), state.trump
    for at, trick in enumerate(tricks):
        assumed = _with_assumed_suits(trick, trump)
        revokes = [
            (revoke, play)
            for play, taken_for in zip(trick.plays, assumed.plays, strict=True)
            for revoke in proved_revokes(failures, taken_for, at + 1, trump)
        ]
        for revoke, play in revokes:
            lead = tricks[revoke.trick - 1].lead
            found += [(revoke.trick - 1, lead)] if lead is not None and _is_unknown(lead.card) else []
            found += [(at, play)] if _is_unknown(play.card) else []
        failures = without_proved(failures, (revoke for revoke, _ in revokes))
        failures += failures_to_follow(assumed, at + 1, trump)
    return min(found, key=lambda place: (place[0], place[1].seat), default=None)


def _is_unknown(played: PlayedCard) -> bool:
    """Whether nobody knows even the suit of a card."""
    return isinstance(played, UnseenCard) and played.suit is None


def _with_assumed_suits(trick: Trick, trump: str | None) -> Trick:
    """Return a trick with its unknown cards set to their most likely suits; any other trick as it is."""
    lead = trick.lead
    if lead is None:
        return trick
    suits = [suit for play in trick.plays if (suit := suit_of(play.card, trump)) is not None]
    if _is_unknown(lead.card) and suits:
        trick = trick._replace(named=suits[0])
    beats = _winning_suit(suit_of(lead.card, trump) or trick.named, suits, trump)
    if beats is None:
        return trick
    some_winner = card(f"2{beats}")
    plays = (
        play._replace(card=some_winner) if play != lead and play.card == UnseenCard(won=True) else play
        for play in trick.plays
    )
    return trick._replace(plays=tuple(plays))


def _winning_suit(led: str | None, laid: Sequence[str], trump: str | None) -> str | None:
    """Return the only suit of which a card can be to win a trick; None where there are two, or it isn't known."""
    if trump in laid:
        return trump
    return led if trump == NO_TRUMP else None


# --- calls that were missed -----------------------------------------------------------------------------------------


def _questions_about_call(game: Game, entry: StoryEntry, deal: int) -> Iterator[Question]:
    """Yield the questions about the missed calls of an entry, which stand in the journal as guesses."""
    cause, before = entry.cause, entry.state_before

    def ask(seat: str, stood: object, legal: Sequence[object]) -> Question:
        choices = tuple(dict.fromkeys(str(call) for call in (stood, *legal)))
        _, trick, place, _ = call_key(before, seat)
        return Question(0, "bid", 0, trick, seat, None, choices, place, deal)

    if isinstance(cause, BidsRevealed):
        missing = entry.announcements[0].fields.get("unheard", ()) if entry.announcements else ()
        yield from (
            ask(seat, bid, game.legal_bids(before, seat)) for seat, bid in cause.bids if seat in missing
        )
    elif entry.is_assumed_call and isinstance(cause, SuitNamed):
        yield ask(cause.seat, cause.suit, game.legal_suits(before, cause.seat))
    elif entry.is_assumed_call and isinstance(cause, Bid | Passed):
        legal = game.legal_bids(before, cause.seat)
        stood = cause.bid if isinstance(cause, Bid) else PASS
        yield ask(cause.seat, stood, (PASS, *legal) if before.phase is Phase.AUCTION else legal)


# --- answers of a recording, in the place of people at the buttons ---------------------------------------------------


def find_prepared_answer(answers: Sequence[Answer], question: Question, t_ns: int) -> str | None:
    """Return the prepared answer to a question that is open at ``t_ns``; None where nobody answers."""
    for answer in answers:
        if answer.t_ns <= t_ns and _matches(answer, question):
            # Of an order whichever of lead and leader is asked for.
            names_seat = question.about == "order" and answer.card not in question.choices
            return answer.seat if question.about == "owner" or names_seat else answer.card
    return None


def _matches(answer: Answer, question: Question) -> bool:
    asked = (question.about, question.hand, question.trick)
    if (answer.about, answer.hand, answer.trick) != asked:
        return False
    if question.about == "owner":
        return answer.card in ("", question.card)
    if question.about == "bid" and answer.card not in question.choices:
        return False  # the question is about another call of that player
    return question.seat in (None, answer.seat)
