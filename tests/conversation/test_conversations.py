"""Every conversation on every platform."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable

import pytest

from bot.session.tables import Tables
from tests.conversation import Stage, conversations
from tests.conversation.stages import ELSEWHERE, STAGES, WITHOUT_THE_BOT

CONVERSATIONS: dict[str, Callable[[Stage], Awaitable[None]]] = {
    name: function
    for name, function in inspect.getmembers(conversations, inspect.iscoroutinefunction)
    if not name.startswith("_")
}
#: Take long, and go the same way however points are entered: once on each platform.
LONG = (
    "a_whole_game_against_the_engine",
    "five_moves_are_declared_and_one_is_chosen",
    "five_offers_instead_of_a_swap",
)
FIRST_STAGES = {name.split()[0]: name for name in reversed(STAGES)}.values()

#: Played in every place there is.
WHOLE = ("a_free_game_to_five", "a_whole_rif_game")

PLAYED = [
    (conversation, platform)
    for conversation in CONVERSATIONS
    for platform in STAGES
    if conversation not in LONG or platform in FIRST_STAGES
]
PLAYED += [(conversation, place) for conversation in WHOLE for place in ELSEWHERE]

#: Need typed words, an engine, or a board of one's own: none of them is in a chat without the bot.
NOT_BY_TAPS = (
    "wrong_words_and_points",
    "a_whole_game_against_the_engine",
    "everybody_hears_their_own_language",
    "everybody_reads_their_own_board",
    "five_moves_are_declared_and_one_is_chosen",  # with points that no key offers
    "five_offers_instead_of_a_swap",
)
PLAYED += [
    (conversation, place)
    for conversation in CONVERSATIONS
    for place in WITHOUT_THE_BOT
    if conversation not in NOT_BY_TAPS
]


@pytest.mark.asyncio
@pytest.mark.parametrize(("conversation", "platform"), PLAYED)
async def test_conversation(conversation: str, platform: str, tables: Tables) -> None:
    """The conversation goes as it is written."""
    async with {**STAGES, **ELSEWHERE, **WITHOUT_THE_BOT}[platform](tables) as stage:
        await CONVERSATIONS[conversation](stage)
