"""Why a point is forbidden: told when the rules allow it, and truly."""

from __future__ import annotations

import pytest

from bot.composing.figures import DOUBLE_FOUR, DOUBLE_THREE, OVERLINE, forbidden_shapes
from bot.composing.why import why
from bot.render import png
from bot.session.table import Table
from bot.words import LANGUAGES, words
from core.game import Act, FoulMode, Game, Outcome, Settings, action, apply, begin, new_game, place
from core.notation import board, point
from core.rules import Verdict, judge
from tests.bot.session.people import ALICE, BOB

#: Black h8 g9 i9 h10 make the double-three at h9; White is far away.
MOVES = "h8 a1 g9 a3 i9 a5 h10 a7"


def table(mode: str, moves: str = MOVES, *, over: bool = False) -> Table:
    """A table after these moves, resigned by White where it is over."""
    game = begin(new_game(Settings(foul_mode=FoulMode(mode))), 0)
    for number, written in enumerate(moves.split()):
        after = apply(game, number % 2, place(written), number)  # type: ignore[arg-type]
        assert isinstance(after, Game), after
        game = after
    if over:
        ended = apply(game, 1, action(Act.RESIGN), 99)
        assert isinstance(ended, Game)
        assert isinstance(ended.outcome, Outcome)
        game = ended
    return Table(id="abcdefghij", game=game, seats=(ALICE, BOB))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mode", ["claim", "auto_loss"])
def test_nothing_is_given_away_while_the_game_runs(language: str, mode: str) -> None:
    """Forbidden and harmless points get the very same answer, without a picture (R6.1)."""
    answers = {why(words(language), table(mode), at) for at in (point("h9"), point("o15"), point("h8"))}
    assert len(answers) == 1
    assert answers.pop().picture is None


def test_a_forbidden_point_is_explained_after_the_game() -> None:
    """The verdict, each three with its stones and where it grows, and the stones marked on the board."""
    told = why(words("en"), table("claim", over=True), point("h9"))
    assert told.text.splitlines()[0] == "H9 is forbidden for Black: a double-three."
    assert told.text.count("Three:") == 2
    assert told.picture is not None
    assert told.picture.foul == point("h9")
    assert png(told.picture)


def test_blocked_games_tell_at_once() -> None:
    """There the points are crossed out anyway."""
    assert "double-three" in why(words("en"), table("blocked"), point("h9")).text
    assert why(words("en"), table("blocked"), point("o15")).text == "O15 is allowed for Black."


def test_a_stone_is_judged_as_it_was_put() -> None:
    """Not by what came later; a white stone is never forbidden."""
    over = table("claim", over=True)
    assert why(words("en"), over, point("h8")).text == "H8 is allowed for Black."
    assert "white stone" in why(words("en"), over, point("a1")).text
    assert "no forbidden" in why(words("en"), table("freestyle"), point("h9")).text


def test_the_figure_shows_what_it_says() -> None:
    """Each crossed point is forbidden for the reason that is given for it."""
    text, picture = forbidden_shapes(words("en"))
    cells = board([at for at, _ in picture.stones])
    kinds = {OVERLINE: Verdict.OVERLINE, DOUBLE_FOUR: Verdict.DOUBLE_FOUR, DOUBLE_THREE: Verdict.DOUBLE_THREE}
    assert {at: judge(cells, at) for at in kinds} == kinds
    assert set(picture.forbidden) == set(kinds)
    assert "K5 a double-three" in text
