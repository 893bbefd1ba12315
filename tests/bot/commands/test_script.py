"""``renju script``."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main

Ask = Callable[..., tuple[int, list[Any], str]]


class Input(io.TextIOWrapper):
    """Standard input with these bytes."""

    def __init__(self, text: bytes) -> None:
        super().__init__(io.BytesIO(text))


@pytest.fixture
def ask(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Run the command and give its exit code, its answers and its complaint."""

    def run(*words: str, stdin: bytes = b"") -> tuple[int, list[Any], str]:
        monkeypatch.setattr("sys.stdin", Input(stdin))
        code = main(["script", *words])
        out, err = capfd.readouterr()
        return code, [json.loads(line) for line in out.splitlines()], err

    return run


def script(steps: str, **agreed: object) -> bytes:
    """A line from steps such as ``"P1 place h8; P2 swap"``."""
    read = [step.split() for step in steps.split(";") if step.strip()]
    return json.dumps({**agreed, "steps": [{"seat": seat, "action": words} for seat, *words in read]}).encode() + b"\n"


RIF = "P1 place h8; P1 place h9; P1 place i9; P2 swap; P1 place i8; P2 offer i10 g9; P1 choose g9; P1 place a1"


def test_a_whole_rif_opening(ask: Ask) -> None:
    """After each step: whether it was accepted, who acts, colours, stones, offers and the result."""
    code, (answer,), err = ask(stdin=script(RIF, protocol="rif", foul_mode="claim", options={}))
    assert (code, err) == (0, "")
    steps = answer["steps"]
    assert all(step["ok"] for step in steps)
    assert steps[3] == {
        "ok": True,
        "why": "",
        "to_act": ["P1"],
        "colours": {"P1": "white", "P2": "black"},
        "stones": "bh8 wh9 bi9",
        "offers": [],
        "result": None,
    }
    assert steps[5]["offers"] == ["i10", "g9"]
    assert steps[5]["to_act"] == ["P1"]
    assert steps[7]["stones"] == "bh8 wh9 bi9 wi8 bg9 wa1"
    assert steps[7]["to_act"] == ["P2"]


def test_a_refused_step_says_why_and_changes_nothing(ask: Ask) -> None:
    """The game goes on with the next step."""
    steps = "P2 place h8; P1 place h9; P1 place h8; P2 place h8; P2 place 8h; P2 jump; P3 claim; P2 swap; P2 resign"
    _, (answer,), _ = ask(stdin=script(steps))
    assert [step["why"] for step in answer["steps"]] == [
        "not_your_turn",
        "outside_area: h9 1",
        "",
        "occupied: h8",
        "unreadable: '8h' is not a point (reversed)",
        "unreadable: unknown action 'jump'",
        "not_seated: 'P3' is neither P1 nor P2",
        "not_now: swap",
        "too_early",
    ]
    assert {step["stones"] for step in answer["steps"][2:]} == {"bh8"}


def test_an_equal_offer_names_the_earlier_one(ask: Ask) -> None:
    """Which offer it equals is part of the reason; offers may come as a list."""
    steps = RIF.split("; P2 offer", maxsplit=1)[0] + "; P2 offer i10; P2 offer h7"
    line = json.loads(script(steps, protocol="rif"))
    line["steps"].append({"seat": "P2", "action": ["offer", ["a1"]]})
    _, (answer,), _ = ask(stdin=json.dumps(line).encode())
    assert answer["steps"][-2]["why"] == "same_as_offer: h7 equals i10"
    assert answer["steps"][-1]["offers"] == ["i10", "a1"]


def test_the_result_names_winner_and_reason(ask: Ask) -> None:
    """The winner as a player of the script; ``null`` for a draw and for a cancelled game."""
    agreed = "P1 draw_offer; P2 draw_accept"
    start = "P1 place h8; P2 place h9; "
    lines = script(start + "P1 resign") + script(start + agreed) + script("P2 cancel") + script(start + "P1 cancel")
    _, answers, _ = ask(stdin=lines)
    assert [answer["steps"][-1]["result"] for answer in answers] == [
        {"winner": "P2", "reason": "resigned"},
        {"winner": None, "reason": "draw_agreed"},
        {"winner": None, "reason": "cancelled"},
        None,
    ]
    assert answers[0]["steps"][-1]["to_act"] == []


@pytest.mark.parametrize(
    ("line", "part"),
    [
        (b"nope", "not JSON"),
        (b"\xff\xfe{}", "not JSON"),
        (b"[]", "Expected `object`"),
        (b"{}", "steps"),
        (b'{"steps":' + b"[" * 100_000, "not JSON"),
        (b'{"steps":[],"protocol":"riff"}', "did you mean rif?"),
        (b'{"steps":[],"protocol":7}', "protocol"),
        (b'{"steps":[],"foul_mode":"no"}', "claim, auto_loss, blocked, freestyle"),
        (b'{"steps":[],"options":{"komi":6}}', "unknown option 'komi'"),
        (b'{"steps":[],"options":{"first":1}}', "unknown option 'first'"),
        (b'{"steps":[],"options":{"no_pass":"yes"}}', "no_pass"),
        (b'{"steps":[],"options":{"exclude":["D14"]}}', "unknown opening 'D14'"),
        (b'{"steps":[],"moves":"h8"}', "moves"),
        (b'{"steps":[],"protocol":"designated"}', "designated needs an opening"),
    ],
)
def test_an_unreadable_line_is_answered_and_the_others_go_on(ask: Ask, line: bytes, part: str) -> None:
    """One sentence in place of the answer; lines before and after are replayed."""
    good = script("P1 place h8")
    code, answers, err = ask(stdin=good + line + b"\n\n" + good)
    assert (code, err) == (0, "")
    assert answers[0] == answers[2]
    assert list(answers[1]) == ["error"]
    assert part in answers[1]["error"]


@pytest.mark.parametrize(
    "raw", [5, None, [], {}, {"seat": "P1"}, {"seat": 1, "action": []}, {"seat": "P1", "action": "x"}]
)
def test_an_unreadable_step_is_refused(ask: Ask, raw: object) -> None:
    """The rest of the script goes on."""
    line = json.loads(script("P1 place h8"))
    line["steps"].insert(0, raw)
    _, (answer,), _ = ask(stdin=json.dumps(line).encode())
    assert [step["ok"] for step in answer["steps"]] == [False, True]
    assert answer["steps"][0]["why"].startswith("unreadable")


def test_scripts_from_a_file(ask: Ask, tmp_path: Path) -> None:
    """``--jsonl FILE``; a missing file is wrong usage."""
    source = tmp_path / "games.jsonl"
    source.write_bytes(script("P1 place h8") * 3)
    code, answers, _ = ask("--jsonl", str(source))
    assert code == 0
    assert len(answers) == 3
    code, answers, err = ask("--jsonl", str(tmp_path / "none.jsonl"))
    assert (code, answers) == (2, [])
    assert err.count("\n") == 1


def test_options_reach_the_game(ask: Ask) -> None:
    """Every option name of the rules is understood."""
    lines = (
        script("P1 place a1", options={"free_first": True})
        + script("P1 place h8; P2 place a1", options={"no_offbook": True})
        + script(
            "P1 place h8; P2 place h9; P1 place i9", protocol="rif", options={"move2_by": "white", "exclude": ["4D"]}
        )
        + script("P1 place h8; P2 pass", options={"no_pass": True})
        + script("P2 place a1", protocol="designated", options={"opening": "浦月", "five_offers": True})
        + script("", options={"overline_claim": "immediate", "wrong_claim": "lose_turn", "wrong_claims": 1})
        + script("", foul_mode="freestyle", options={"exact_five": True, "rated": True, "symmetry": "board"})
    )
    _, answers, _ = ask(stdin=lines)
    assert answers[0]["steps"][-1]["ok"]
    assert answers[1]["steps"][-1]["why"] == "outside_area: a1 3"
    assert answers[2]["steps"][-1]["why"] == "excluded_opening: i9 D4"
    assert answers[3]["steps"][-1]["why"] == "no_pass"
    assert answers[4]["steps"][-1]["stones"] == "bh8 wi9 bi7 wa1"
    assert answers[5] == answers[6] == {"steps": []}


def test_options_that_contradict_each_other_are_named(ask: Ask) -> None:
    """Such a line is a script, and its answer says which option cannot hold."""
    code, answers, err = ask(stdin=script("P1 place h8", foul_mode="claim", options={"exact_five": True}))
    assert (code, err) == (0, "")
    assert answers == [{"error": "exact_five belongs to the foul mode freestyle"}]
