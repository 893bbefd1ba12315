"""Every platform, and every way to enter points on it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bot.session.tables import Tables
from tests.conversation import Stage
from tests.conversation import discord as dc
from tests.conversation.telegram import Entry, Strange, StrangeStage, TelegramStage
from tests.conversation.web import WebStage

STAGES: dict[str, Callable[[Tables], Stage]] = {
    "telegram group, replies": partial(TelegramStage, private=False, entry=Entry.REPLY),
    "telegram group, commands": partial(TelegramStage, private=False, entry=Entry.COMMAND),
    "telegram group, keypad": partial(TelegramStage, private=False, entry=Entry.KEYPAD),
    "telegram private, typed": partial(TelegramStage, private=True, entry=Entry.REPLY),
    "telegram private, keypad": partial(TelegramStage, private=True, entry=Entry.KEYPAD),
    "telegram group, commands, by webhook": partial(TelegramStage, private=False, entry=Entry.COMMAND, by_webhook=True),
    "telegram private, keypad, by webhook": partial(TelegramStage, private=True, entry=Entry.KEYPAD, by_webhook=True),
    "discord server, commands": partial(dc.DiscordStage, where=dc.Where.SERVER, entry=dc.Entry.COMMAND),
    "discord server, columns and rows": partial(dc.DiscordStage, where=dc.Where.SERVER, entry=dc.Entry.AXES),
    "discord thread, points around": partial(dc.DiscordStage, where=dc.Where.THREAD, entry=dc.Entry.WINDOW),
    "discord guest, typed": partial(dc.DiscordStage, where=dc.Where.GUEST, entry=dc.Entry.FORM),
    "discord direct, typed": partial(dc.DiscordStage, where=dc.Where.DIRECT, entry=dc.Entry.FORM),
    "web page, tapped": partial(WebStage, typed=False),
    "web page, typed": partial(WebStage, typed=True),
}

#: Further places, which differ in nothing but where they are: whole games are played there, not every conversation.
ELSEWHERE: dict[str, Callable[[Tables], Stage]] = {
    f"discord {where.value}": partial(dc.DiscordStage, where=where, entry=dc.Entry.COMMAND)
    for where in (dc.Where.POST, dc.Where.VOICE, dc.Where.NEWS, dc.Where.STRANGE)
}

#: Chats that the bot is no member of: what can be done by tapping alone is done there.
WITHOUT_THE_BOT: dict[str, Callable[[Tables], Stage]] = {
    f"telegram {how.value}": partial(StrangeStage, how=how) for how in Strange
} | {
    f"telegram {how.value}, by webhook": partial(StrangeStage, how=how, by_webhook=True)
    for how in (Strange.PICTURE, Strange.GUEST)
}
