"""A tap on a board is read without the message's content; whoever handles it finds what the library would have read."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram import Bot, Message, Update

from bot.adapters.telegram.arriving import update_of
from bot.adapters.telegram.reading import handle, person_of, place_of_tap

BOT = Bot("1:x")
WIRE = "abcdefghij.7.place-h8"
NAMES = st.text(min_size=1, max_size=12)


@st.composite
def taps(draw: st.DrawFn) -> dict[str, Any]:
    """Any tap in any chat: topics, a private chat, accounts with and without what they can lack; also no board's."""
    user = {"id": draw(st.integers(1, 2**52)), "is_bot": False, "first_name": draw(NAMES)}
    user |= draw(st.fixed_dictionaries({}, optional={"last_name": NAMES, "username": NAMES, "language_code": NAMES}))
    kind = draw(st.sampled_from(["private", "group", "supergroup", "channel"]))
    message = {
        "message_id": draw(st.integers(1, 10**6)),
        "date": draw(st.sampled_from([0, 1_900_000_000])),
        "chat": {"id": draw(st.integers(-(2**52), 2**52)), "type": kind},
        "caption": "Renju",
        "photo": [{"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1}],
        "reply_markup": {"inline_keyboard": [[{"text": "H8", "callback_data": WIRE}]]},
    }
    message |= draw(
        st.fixed_dictionaries({}, optional={"message_thread_id": st.integers(1, 99), "is_topic_message": st.just(True)})
    )
    query = {"id": draw(st.integers(1).map(str)), "from": user, "chat_instance": "x"}
    query |= draw(st.sampled_from([{"message": message}, {"inline_message_id": "abc"}]))
    query["data"] = draw(st.sampled_from([WIRE, "new:1:rif", "s:style:dark", ""]))
    return {"update_id": draw(st.integers(1)), "callback_query": query}


@given(taps())
def test_the_same_is_found_as_by_the_library(raw: dict[str, Any]) -> None:
    """The library's own reading is the twin."""
    ours, theirs = update_of(raw, BOT), Update.de_json(raw, BOT)
    assert ours.update_id == theirs.update_id
    assert (ours.effective_chat, ours.effective_user) == (theirs.effective_chat, theirs.effective_user)
    mine, twin = ours.callback_query, theirs.callback_query
    assert mine is not None
    assert twin is not None
    assert (mine.id, mine.data, mine.inline_message_id) == (twin.id, twin.data, twin.inline_message_id)
    assert (person_of(mine.from_user), handle(mine.from_user)) == (person_of(twin.from_user), handle(twin.from_user))
    assert place_of_tap(mine) == place_of_tap(twin)
    assert isinstance(mine.message, Message) == isinstance(twin.message, Message)
    assert mine.message == twin.message
    if isinstance(mine.message, Message) and isinstance(twin.message, Message):
        here, there = mine.message, twin.message
        assert (here.message_thread_id, here.is_topic_message) == (there.message_thread_id, there.is_topic_message)


@pytest.mark.parametrize("lacking", ["from", "id"])
def test_what_is_no_tap_raises(lacking: str) -> None:
    """As the library does; nothing is made up."""
    query = {"id": "1", "from": {"id": 1, "is_bot": False, "first_name": "A"}, "chat_instance": "x", "data": WIRE}
    query["message"] = {"message_id": 1, "date": 1, "chat": {"id": 1, "type": "private"}}
    del query[lacking]
    with pytest.raises((KeyError, TypeError)):
        update_of({"update_id": 1, "callback_query": query}, BOT)
