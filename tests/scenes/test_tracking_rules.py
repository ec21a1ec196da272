"""Rules of tracking can be switched off, counted and traced in a bench."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.scenes.runs import main
from tests.tracking_rules import find_rules

SCENE = ("--scene", "tuning:dim:3", "--jobs", "1", "--notes")


def bench(*options: str) -> str:
    """What the bench prints, run in a process of its own: switched-off rules stay off."""
    command = [sys.executable, "-m", "tests.scenes", *SCENE, *options]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_predicates_actions_and_lists_have_a_neutral_answer() -> None:
    rules = find_rules()
    assert rules["detection_validation.is_static"].neutral is False
    assert rules["detection_scheduler.DetectionScheduler.detect_carried"].neutral is None
    assert rules["which_cards_have_gone.find_gone_cards"].neutral == []
    assert "tracked_card.TrackedCard.max_probability_of" not in rules


def test_an_unknown_rule_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["tests.scenes", *SCENE, "--without", "detection_validation.is_sttic"])
    assert main() == 2
    assert "such as detection_validation.is_static" in capsys.readouterr().err


@pytest.mark.thorough
def test_without_a_rule_that_matters_cards_are_missed_and_the_rule_is_never_asked() -> None:
    told = bench("--log-rules", "--without", "detection_validation.is_static")
    assert "missed: AH" in told
    rules = [line.split()[0] for line in told.splitlines() if line]
    assert "detection_validation.indices_have_changed" in rules
    assert "detection_validation.is_static" not in rules


def test_a_trace_tells_what_was_answered_about_a_card_and_what_was_published() -> None:
    told = bench("--trace", "10D")
    assert "detection_validation.is_static(detection 10D" in told
    assert "published: CardLanded(" in told
