"""Every conversation on every platform."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable

import pytest

from bot.session.tables import Tables
from tests.conversation import Stage, conversations
from tests.conversation.stages import STAGES

CONVERSATIONS: dict[str, Callable[[Stage], Awaitable[None]]] = {
    name: function
    for name, function in inspect.getmembers(conversations, inspect.iscoroutinefunction)
    if not name.startswith("_")
}


@pytest.mark.asyncio
@pytest.mark.parametrize("platform", STAGES)
@pytest.mark.parametrize("conversation", CONVERSATIONS)
async def test_conversation(conversation: str, platform: str, tables: Tables) -> None:
    """The conversation goes as it is written."""
    async with STAGES[platform](tables) as stage:
        await CONVERSATIONS[conversation](stage)
