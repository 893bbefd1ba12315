"""What people say to each other and to the bot, once for all platforms. Each function is a test."""

from __future__ import annotations

from core.game import Reason
from core.notation import Colour
from tests.conversation import Player, Stage


async def _pair(stage: Stage, words: str) -> tuple[Player, Player]:
    """Ann opens a game for a friend, Ben joins it."""
    ann, ben = await stage.player("Ann"), await stage.player("Ben")
    await ann.open_game(words)
    await ben.join(ann)
    await ann.sees("Ben")
    return ann, ben


async def _over(stage: Stage, player: Player, reason: Reason, winner: Player | None) -> None:
    """The game has ended for this reason; who won is the one who sat down as that name."""
    table = await player.table()
    outcome = table.game.outcome
    assert outcome is not None, await player.screen()
    assert outcome.reason is reason
    won = None if outcome.winner is None else table.seats[outcome.winner]
    assert getattr(won, "name", None) == (None if winner is None else winner.name)


async def a_free_game_to_five(stage: Stage) -> None:
    """Two people play from the first stone to five in a row, and both see the end."""
    ann, ben = await _pair(stage, "friend free black claim")
    for black, white in zip(("h8", "i8", "j8", "k8"), ("h1", "h3", "h5", "h7"), strict=True):
        await ann.play(black)
        await ben.sees_stone(black)
        await ben.play(white)
        await ann.sees_stone(white)
    await ann.play("l8")
    for player in (ann, ben):
        await player.until(lambda screen: "Rematch" in screen.buttons, "the end")
    await _over(stage, ann, Reason.FIVE, ann)
    assert await ben.stones() == "h8 h1 i8 h3 j8 h5 k8 h7 l8"


async def a_whole_rif_game(stage: Stage) -> None:
    """Opening, swap, fourth move, two offers, choice, a forbidden move, and the claim that wins by it."""
    ann, ben = await _pair(stage, "friend rif black claim")
    await ann.play("h8", "h9", "i8")
    await ben.sees_stone("i8")
    await ben.swap()  # Ben is Black now, Ann White
    await ann.play("o15")
    await ben.sees_stone("o15")
    await ben.offer("g7", "f4")
    await ann.sees("G7", "F4")
    await ann.choose("A")
    await ann.play("a15")
    await ben.sees_stone("a15")
    await ben.play("g6")
    await ann.sees_stone("g6")
    await ann.play("a1")
    await ben.sees_stone("a1")
    await ben.play("g8")  # a double-three, which nothing says
    screen = await ann.sees_stone("g8")
    assert "double" not in screen.text.lower()
    assert "forbidden" not in " ".join(screen.text.lower().splitlines()[1:])
    assert await ann.claim() == ""
    for player in (ann, ben):
        await player.until(lambda screen: "Rematch" in screen.buttons, "the end")
    await _over(stage, ben, Reason.FORBIDDEN_CLAIMED, ann)
    assert "double-three" in (await ben.screen()).text.lower()
    assert await ann.stones() == "h8 h9 i8 o15 g7 a15 g6 a1 g8"


async def colours_are_guessed(stage: Stage) -> None:
    """Who joins guesses odd or even, and then it is known who begins."""
    ann, ben = await _pair(stage, "friend")
    await ben.guess("odd")
    screen = await ann.sees("Black: ", "White: ")
    game = (await ann.table()).game
    assert (game.state.seat_of(Colour.BLACK) == 1) == (game.settings.hidden % 2 == 1)
    assert "Ann" in screen.text
    assert "Ben" in screen.text


async def wrong_words_and_points(stage: Stage) -> None:
    """Words that are no point, occupied points and points off the board: one line each, and nothing happens."""
    ann, ben = await _pair(stage, "friend free black")
    await ann.play("h8")
    await ben.sees_stone("h8")
    heard = [await ben.enter(text) for text in ("8H", "P16", "h16", "h8")]
    assert all(heard), heard
    assert len(set(heard)) >= 3, heard
    assert "H8" in heard[0]
    assert "H8" in heard[3]
    assert await ben.stones() == "h8"
    await ben.play("h9")
    assert await ann.stones() == "h8 h9"


async def out_of_turn(stage: Stage) -> None:
    """Who plays when it is not their turn is told so; the game goes on."""
    ann, ben = await _pair(stage, "friend free black")
    assert "turn" in await ben.enter("h8")
    await ann.play("h8")
    await ben.sees_stone("h8")
    assert "turn" in await ann.enter("h9")
    await ben.play("h9")
    assert await ann.stones() == "h8 h9"


async def a_game_by_unknown_words(stage: Stage) -> None:
    """An unknown word after newgame is answered with the words there are."""
    ann = await stage.player("Ann")
    heard = await ann.OPEN("friend tarakuchi")
    assert "tarakuchi" in heard
    assert "rif" in heard


async def the_button_of_a_finished_game(stage: Stage) -> None:
    """A button that was pressed too late says that the game is over, and changes nothing."""
    ann, ben = await _pair(stage, "friend free black")
    await ann.play("h8")
    await ben.play("h9")
    old = await ann.sees_stone("h9")
    await ben.resign()
    await ann.until(lambda screen: "Rematch" in screen.buttons, "the end")
    record = (await ann.table()).game.record
    assert "over" in await ann.press("Offer draw", old)
    assert "over" in await ann.press("Resign", old)
    assert (await ann.table()).game.record == record
    await _over(stage, ann, Reason.RESIGNED, ann)


async def the_button_of_somebody_else(stage: Stage) -> None:
    """A decision that is another's: the opponent and a stranger are told why not, and nothing happens."""
    ann, ben = await _pair(stage, "friend rif black")
    eve = await stage.player("Eve")
    await ann.play("h8", "h9", "i8")
    screen = await ben.until(lambda screen: "Swap colours" in screen.buttons, "the decision")
    record = (await ann.table()).game.record
    await eve.watch(ann)
    assert "players" in await eve.press("Swap colours", screen)
    assert "turn" in await ann.press("Swap colours", screen)
    assert (await ann.table()).game.record == record
    await ben.keep()
    await ben.play("o15")


async def the_game_has_moved_on(stage: Stage) -> None:
    """A button of an earlier moment says that the game has moved on."""
    ann, ben = await _pair(stage, "friend free black")
    await ann.play("h8")
    await ben.play("h9")
    old = await ann.until(lambda screen: "Offer draw" in screen.buttons, "the draw button")
    await ann.play("i9")
    await ben.play("j9")
    await ann.sees_stone("j9")
    assert "moved on" in await ann.press("Offer draw", old)
    assert (await ann.table()).game.state.draw_by is None


async def resigning_is_asked_about(stage: Stage) -> None:
    """Play on leaves the game as it is; yes ends it."""
    ann, ben = await _pair(stage, "friend free black")
    await ann.play("h8")
    await ben.play("h9")
    await ann.sees_stone("h9")
    await ann.press("Resign", sure=False)
    assert (await ann.table()).game.outcome is None
    await ann.play("i8")
    await ben.sees_stone("i8")
    await ben.resign()
    await ann.until(lambda screen: "Rematch" in screen.buttons, "the end")
    await _over(stage, ann, Reason.RESIGNED, ann)


async def draws_and_take_backs(stage: Stage) -> None:
    """A take-back is asked for and allowed, a draw is offered, declined, offered again and accepted."""
    ann, ben = await _pair(stage, "friend free black")
    await ann.play("h8")
    await ben.play("h9")
    await ann.sees_stone("h9")
    await ann.play("j9")
    await ann.press("Undo")
    await ben.press("Allow undo")
    await ann.until(lambda screen: "J9" not in screen.text, "the stone taken back")
    assert await ann.stones() == "h8 h9"
    await ann.press("Offer draw")
    await ben.press("Decline draw")
    await ann.sees("declined")
    await ann.play("i9")
    await ben.press("Offer draw")
    await ann.press("Accept draw")
    await ben.until(lambda screen: "Rematch" in screen.buttons, "the end")
    await _over(stage, ben, Reason.DRAW_AGREED, None)


async def two_passes_are_a_draw(stage: Stage) -> None:
    """Passing is a turn; twice in a row it ends the game."""
    ann, ben = await _pair(stage, "friend free black")
    await ann.play("h8")
    await ben.press("Pass")
    await ann.sees("passed")
    await ann.press("Pass")
    await ben.until(lambda screen: "Rematch" in screen.buttons, "the end")
    await _over(stage, ben, Reason.DOUBLE_PASS, None)


async def a_wrong_claim_costs_nothing(stage: Stage) -> None:
    """White claims a stone that is no forbidden move: everybody is told, and the game goes on."""
    ann, ben = await _pair(stage, "friend free black")
    await ann.play("h8")
    await ben.claim()
    await ben.sees("there is none")
    await ben.play("h9")
    assert await ann.stones() == "h8 h9"


async def a_rematch_exchanges_the_seats(stage: Stage) -> None:
    """After the end either may ask for another game; there is one, and the other side begins."""
    ann, ben = await _pair(stage, "friend free black")
    await ann.play("h8")
    await ben.play("h9")
    await ann.sees_stone("h9")
    await ann.resign()
    first = (await ann.table()).id
    await ben.press("Rematch")
    assert await ann.press("Rematch") == ""
    assert (await ann.table()).id == (await ben.table()).id != first
    await ben.sees("Ann")
    await ben.play("h8")
    await ann.sees_stone("h8")
    await ann.play("i9")
    assert await ben.stones() == "h8 i9"


async def names_are_shown_as_they_are(stage: Stage) -> None:
    """Names that would be markup elsewhere are shown exactly, and break nothing."""
    ann, ben = await stage.player("<b>&_*`[x](y)"), await stage.player("@everyone_ *bold* </b>")
    await ann.open_game("friend free black")
    await ben.join(ann)
    for player in (ann, ben):
        await player.sees("<b>&_*`[x](y)", "@everyone_ *bold* </b>")
    await ann.play("h8")
    await ben.play("h9")
    await ann.sees_stone("h9")


async def everybody_hears_their_own_language(stage: Stage) -> None:
    """What is said to one person is in the language of their client."""
    ann = await stage.player("Ann")
    yu = await stage.player("小雨", "zh-hans")
    await ann.open_game("friend free black")
    await yu.join(ann)
    await ann.sees("小雨")
    heard = await yu.enter("h9")
    assert heard
    assert any("\u4e00" <= character <= "\u9fff" for character in heard)
    await ann.play("h8")
    assert (await ann.enter("h9")).isascii()


async def everybody_reads_their_own_board(stage: Stage) -> None:
    """A board of one's own is in one's own language, whoever opened the game; a common one in that of who opened it."""
    ann = await stage.player("Ann")
    yu = await stage.player("小雨", "zh-hans")
    await ann.open_game("friend free black")
    await yu.join(ann)
    await ann.sees("小雨")
    await ann.play("h8")
    await yu.sees("H8")
    heard = await yu.enter("h9")
    await ann.sees_stone("h9", heard=heard)
    assert "Black: Ann" in (await ann.screen()).text
    theirs = await yu.sees("H9")
    assert ("黑：Ann" in theirs.text) == stage.apart, theirs.text
    assert ("悔棋" in theirs.buttons) == stage.apart, theirs.buttons


async def a_whole_game_against_the_engine(stage: Stage) -> None:
    """The engine answers every stone, until it has won against somebody who only plays at the edge."""
    ann = await stage.player("Ann")
    await ann.open_game("engine 2 black free")
    edge = iter(f"{column}{row}" for row in (1, 15, 3, 13) for column in "acegikmo")
    point, number = "h8", 2
    while (await ann.table()).game.outcome is None:
        if await ann.enter(point) == "":
            wanted = f"Last move: {number},"
            await ann.until(lambda screen: wanted in screen.text or "Rematch" in screen.buttons, "an answer")  # noqa: B023
            number += 2
        point = next(edge)
    await ann.until(lambda screen: "Rematch" in screen.buttons, "the end")
    outcome = (await ann.table()).game.outcome
    assert outcome is not None
    assert outcome.reason is Reason.FIVE
    assert outcome.winner == 0


async def five_moves_are_declared_and_one_is_chosen(stage: Stage) -> None:
    """Yamaguchi: P1 sets the opening and declares three fifth moves; P2 swaps; they are offered, one is chosen."""
    ann, ben = await _pair(stage, "friend yamaguchi black claim")
    await ann.play("h8", "h9", "i10")
    await ann.press("3")
    await ben.sees("3")
    await ben.swap()
    await ann.play("g7")
    await ben.sees_stone("g7")
    await ben.offer("j10", "i7", "k8")
    await ann.choose("B")
    await ann.play("j8")
    await ben.sees_stone("j8")
    assert await ben.stones() == "h8 h9 i10 g7 i7 j8"


async def five_offers_instead_of_a_swap(stage: Stage) -> None:
    """Taraguchi-5: the squares grow, everybody may swap, and after move 4 Black offers five fifth moves."""
    ann, ben = await _pair(stage, "friend taraguchi_5 black claim")
    await ann.play("h8")
    await ben.keep()
    assert "outside" in await ben.enter("k8")
    await ben.play("h9")
    await ann.keep()
    await ann.play("i10")
    await ben.swap()
    await ann.play("g7")
    await ben.sees_stone("g7")
    await ben.press(
        next(label for label in (await ben.screen()).buttons if label.startswith("Offer ") and "draw" not in label)
    )
    await ben.offer("j10", "i7", "k8", "g9", "f6")
    await ann.choose("E")
    await ann.play("j8")
    await ben.sees_stone("j8")
    assert await ben.stones() == "h8 h9 i10 g7 f6 j8"
