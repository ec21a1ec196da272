"""Switches rules of tracking off, counts what they answer, and traces what was answered about one card.

A rule is any function or method of ``table.tracking`` whose answer has a neutral value: False for a predicate, None
for what may be None or only acts, an empty sequence for a list. Its name is its module's last part and its own
qualified name, such as ``detection_validation.is_static`` or ``tracked_cards.TrackSet.is_occluded_by_newer``.

The benches have it as ``--without RULE``, ``--log-rules`` and ``--trace CARD``. Nothing of this is in the code that is
measured: functions are wrapped in this process only.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import inspect
import pkgutil
import typing
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import ModuleType
from typing import Any, Final

import numpy as np

import table.tracking
from table.errors import TableError
from table.observed_facts import Frame
from table.tracking.frame_report import TrackingReport
from table.tracking.hands.carried_card_tracklet import CarriedDetection
from table.tracking.scene.detections import Detection
from table.tracking.scene.tracked_card import TrackedCard
from table.tracking.tracker import CardTracker

_SEQUENCES: Final = (list, tuple, Sequence)


@dataclass(frozen=True, slots=True)
class Rule:
    """A function of tracking with a neutral answer."""

    name: str
    owner: Any
    """The class or module that it belongs to."""
    attribute: str
    neutral: Any
    acts: bool
    """Whether it only acts and has no answer."""


def find_rules() -> dict[str, Rule]:
    """Return the rules by name."""
    found = {}
    for module in _modules():
        for owner, prefix in [(module, ""), *_classes(module)]:
            for attribute, value in vars(owner).items():
                function = _function(value)
                if function is None or function.__module__ != module.__name__ or attribute.startswith("__"):
                    continue
                answers = typing.get_type_hints(function).get("return", inspect.Parameter.empty)
                if (neutral := _neutral(answers)) is not None:
                    name = f"{module.__name__.rpartition('.')[2]}.{prefix}{attribute}"
                    acts = answers in (None, type(None))
                    found[name] = Rule(name, owner, attribute, neutral[0], acts)
    return found


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of a bench that runs tracking."""
    parser.add_argument(
        "--without", nargs="+", default=[], metavar="RULE", help="switches rules of tracking off"
    )
    parser.add_argument("--log-rules", action="store_true", help="counts what each rule of tracking answers")
    parser.add_argument("--trace", default="", metavar="CARD", help="writes what is answered about a card")


@dataclass(frozen=True, slots=True)
class RuleOptions:
    """What is done with the rules of tracking in a bench."""

    without: Sequence[str] = ()
    """Names of the rules that are switched off."""
    log_rules: bool = False
    """Whether answers are counted."""
    trace: str = ""
    """The card that is traced; empty: none."""

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> RuleOptions:
        """Return what ``add_options`` parsed; ``TableError`` for a rule that is none."""
        rules = find_rules()
        for name in arguments.without:
            if name not in rules:
                like = ", ".join(get_close_matches(name, rules, 3, 0.3))
                raise TableError(f"--without: {name!r}: expected a rule of tracking, such as {like}")
        return cls(arguments.without, arguments.log_rules, arguments.trace)

    def apply(self) -> Mapping[str, Counter[str]]:
        """Do it, in this process; return the answers, which are counted from now on, by rule."""
        switch_off(self.without)
        counts = count_answers() if self.log_rules else {}
        if self.trace:
            trace(self.trace)
        return counts


def switch_off(names: Sequence[str]) -> None:
    """Let the rules of these names answer neutrally."""
    rules = find_rules()
    for name in names:
        _replace(rules[name], _always(rules[name].neutral))


def _always(answer: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return lambda function: lambda *args, **kwargs: answer


def count_answers() -> Mapping[str, Counter[str]]:
    """Count, from now on, how often each rule is asked, and how often it acts or does not answer neutrally."""
    counts = {name: Counter(asked=0, fired=0) for name in find_rules()}

    def counting(rule: Rule, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def asked(*args: Any, **kwargs: Any) -> Any:
            answer = function(*args, **kwargs)
            neutral = answer is None if rule.neutral is None else not answer
            counts[rule.name].update(asked=1, fired=int(rule.acts or not neutral))
            return answer

        return asked

    for rule in find_rules().values():
        _replace(rule, functools.partial(counting, rule))
    return counts


def report_answers(counts: Mapping[str, Counter[str]]) -> list[str]:
    """Return the lines of a table: the rules that never fired first, then the others by how often they did."""
    if not counts:
        return []
    ordered = sorted(counts, key=lambda name: (counts[name]["fired"], counts[name]["asked"], name))
    width = max(map(len, ordered))
    return [
        f"{'rule':<{width}}   fired   asked",
        *(f"{name:<{width}}{counts[name]['fired']:8}{counts[name]['asked']:8}" for name in ordered),
    ]


def trace(card: str) -> None:
    """Print, from now on, each answer about ``card`` that differs from the last one to the same question."""
    last: dict[tuple[str, str], str] = {}
    now_s, writing = 0.0, False
    see = CardTracker.see

    def seeing(tracker: CardTracker, frame: Frame) -> TrackingReport:
        nonlocal now_s
        now_s = frame.t_ns / 1e9
        report = see(tracker, frame)
        for fact in report.facts:
            print(f"{now_s:8.3f} s  published: {fact}")
        return report

    _replace(Rule("tracker.CardTracker.see", CardTracker, "see", None, acts=False), lambda _: seeing)

    def tracing(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def asked(*args: Any, **kwargs: Any) -> Any:
            nonlocal writing
            answer = function(*args, **kwargs)
            if writing:
                return answer  # (asked for by what is written here)
            writing = True
            about = [_said(value) for value in (*args, *kwargs.values()) if card in _names(value)]
            told = _said(answer)
            if about and last.get((name, about[0])) != told:
                last[name, about[0]] = told
                print(f"{now_s:8.3f} s  {name}({', '.join(about)}): {told}")
            writing = False
            return answer

        return asked

    for rule in find_rules().values():
        _replace(rule, functools.partial(tracing, rule.name))


def _replace(rule: Rule, make: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Put what ``make`` makes of a rule's function in its place, wherever it was imported."""
    value = vars(rule.owner)[rule.attribute]
    function = _function(value)
    assert function is not None
    new: Any = make(function)
    if isinstance(value, property):
        new = property(new)
    elif isinstance(value, staticmethod | classmethod):
        new = type(value)(new)
    if not isinstance(rule.owner, ModuleType):
        setattr(rule.owner, rule.attribute, new)
        return
    for module in _modules():
        for attribute, there in list(vars(module).items()):
            if there is value:
                setattr(module, attribute, new)


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(table.tracking.__path__, "table.tracking."):
        yield importlib.import_module(found.name)


def _classes(module: ModuleType) -> Iterator[tuple[type, str]]:
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__:
            yield value, f"{value.__name__}."


def _function(value: Any) -> Callable[..., Any] | None:
    if isinstance(value, property):
        value = value.fget
    elif isinstance(value, staticmethod | classmethod):
        value = value.__func__
    return value if inspect.isfunction(value) else None


def _neutral(answers: Any) -> tuple[Any] | None:
    """Return the neutral answer of that type, in a tuple; None if it has none."""
    if answers is bool:
        return (False,)
    if answers in (None, type(None)) or type(None) in typing.get_args(answers):
        return (None,)
    whole = typing.get_origin(answers) is not tuple or typing.get_args(answers)[-1] is Ellipsis
    return ([],) if typing.get_origin(answers) in _SEQUENCES and whole else None


def _names(value: Any) -> Sequence[str]:
    """Return the names of cards that a value is about."""
    if isinstance(value, TrackedCard):
        return value.possible_names
    if isinstance(value, Detection):
        return [reading.card for reading in value.readings]
    return [value.name, *_names(value.detection)] if isinstance(value, CarriedDetection) else ()


def _said(value: Any) -> str:
    """Return a value in a few words; cards and detections by their readings."""
    if isinstance(value, TrackedCard):
        likeliest = "/".join(f"{one.card} {one.confidence:.2f}" for one in value.combine_readings()[:2])
        return f"{'card ' + str(value.id) if value.id else 'tentative card'} {likeliest or '?'}"
    if isinstance(value, Detection):
        return "detection " + "/".join(f"{one.card} {one.confidence:.2f}" for one in value.readings[:2])
    if isinstance(value, CarriedDetection):
        return f"carried {value.name}, {_said(value.detection)}"
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, bool | np.bool_ | int | str) or value is None:
        return str(value)
    if isinstance(value, list | tuple) and len(value) <= 4:
        return f"[{', '.join(map(_said, value))}]"
    return type(value).__name__
