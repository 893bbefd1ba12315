"""What each method of the Bot API does in the fake server."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PIL import Image

from tests.fakes.telegram.facts import (
    CAPTION_LIMIT,
    TEXT_LIMIT,
    Fault,
    Upload,
    check_commands,
    check_entities,
    check_keyboard,
)
from tests.fakes.telegram.people import Answer, Chat, Message, Version

if TYPE_CHECKING:
    from tests.fakes.telegram.server import TelegramServer

TOO_OLD = "Bad Request: query is too old and response timeout expired or query ID is invalid"
NOT_MODIFIED = (
    "Bad Request: message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)


class Refuse(Exception):
    """The server says no to a call that is well formed."""

    def __init__(
        self,
        code: int,
        description: str,
        *,
        retry_after: int | None = None,
        migrate_to: int | None = None,
        drop: bool = False,
    ) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.drop = drop
        self.parameters: dict[str, int] = {}
        if retry_after is not None:
            self.parameters["retry_after"] = retry_after
        if migrate_to is not None:
            self.parameters["migrate_to_chat_id"] = migrate_to


def perform(server: TelegramServer, method: str, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    """The result of a call. Raises :class:`Refuse` and :class:`Fault`."""
    markup = given.get("reply_markup")
    if markup is not None and "inline_keyboard" in markup:
        check_keyboard(markup)
    marked = given.get("media", given)
    entities = (*marked.get("entities", ()), *marked.get("caption_entities", ()))
    if not server.dates_known and any(entity["type"] == "date_time" for entity in entities):
        raise Refuse(400, "Bad Request: can't parse entities: Unsupported entity type")
    return _METHODS[method](server, given, uploads)


# -- sending -----------------------------------------------------------------------------------------------------------


def _chat(server: TelegramServer, given: dict[str, Any]) -> Chat:
    chat = server.chats.get(given["chat_id"])
    if chat is None:
        raise Refuse(400, "Bad Request: chat not found")
    if chat.migrated_to is not None:
        raise Refuse(400, "Bad Request: group chat was upgraded to a supergroup chat", migrate_to=chat.migrated_to)
    if chat.blocked:
        raise Refuse(403, chat.blocked)
    return chat


def _paced(server: TelegramServer, chat: Chat) -> None:
    seconds = server.limits.refuse(chat.id) if server.limits is not None else 0
    if seconds:
        raise Refuse(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)


def _place(server: TelegramServer, given: dict[str, Any]) -> tuple[Chat, int | None, Message | None]:
    """Where a new message goes: the chat, the topic and the message it replies to."""
    chat = _chat(server, given)
    thread = given.get("message_thread_id")
    if thread is not None and thread not in chat.topics:
        raise Refuse(400, "Bad Request: message thread not found")
    reply_to: Message | None = None
    reply = given.get("reply_parameters")
    if reply is not None:
        reply_to = chat.history.get(reply["message_id"])
        if (reply_to is None or reply_to.deleted) and not reply.get("allow_sending_without_reply"):
            raise Refuse(400, "Bad Request: message to be replied not found")
    _paced(server, chat)
    return chat, thread, reply_to


def _text(given: dict[str, Any], name: str, limit: int, complaint: str) -> str:
    if given.get("parse_mode") is not None:
        raise Fault("texts with a parse_mode are not modelled here: names would need escaping")
    text = str(given.get(name, "")).strip()
    check_entities(text, given.get({"text": "entities", "caption": "caption_entities"}[name], ()))
    if len(text) > limit:
        raise Fault(f"{complaint} ({len(text)} characters, {limit} are allowed)")
    return text


def _send_message(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    text = _text(given, "text", TEXT_LIMIT, "message is too long")
    if not text:
        raise Fault("message text is empty")
    if "ephemeral_message_parameters" in given and not server.before_ephemeral:
        return _send_ephemeral(server, given, text)
    chat, thread, reply_to = _place(server, given)
    message = server.add_message(chat, None, text=text, keyboard=_inline(given), thread=thread, reply_to=reply_to)
    chat.other_bot_spoke = False
    return server.describe(message)


def _send_ephemeral(server: TelegramServer, given: dict[str, Any], text: str) -> Any:
    """A message that one member of a group alone sees; it has no place in the history."""
    if server.ephemeral_refused:
        raise Refuse(400, "Bad Request: can't send ephemeral messages")
    chat, _, _ = _place(server, given)
    if chat.kind == "private":
        raise Refuse(400, "Bad Request: ephemeral messages can be sent to groups and supergroups only")
    receiver = given["ephemeral_message_parameters"]["receiver_user_id"]
    if receiver not in server.people:
        raise Refuse(400, "Bad Request: USER_NOT_PARTICIPANT")
    chat.whispers.append((server.people[receiver], text))
    number = len(chat.whispers)
    return {"message_id": 0, "ephemeral_message_id": number, "date": 0, "chat": chat.describe(), "text": text}


def _send_photo(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    caption = _text(given, "caption", CAPTION_LIMIT, "message caption is too long")
    photo = _photo(server, given["photo"], uploads)
    chat, thread, reply_to = _place(server, given)
    message = server.add_message(
        chat, None, text=caption, photo=photo, keyboard=_inline(given), thread=thread, reply_to=reply_to
    )
    chat.other_bot_spoke = False
    return server.describe(message)


def _inline(given: dict[str, Any]) -> dict[str, Any] | None:
    markup = given.get("reply_markup")
    if markup is None or not markup.get("inline_keyboard"):
        return None
    return dict(markup)


def _photo(server: TelegramServer, photo: Upload | str, uploads: dict[str, Upload]) -> str:
    """The file id of a photo that was uploaded, or that is known already."""
    if isinstance(photo, str) and photo.startswith("attach://"):
        photo = uploads[photo.removeprefix("attach://")]
    if isinstance(photo, str):
        if photo.startswith(("http://", "https://")):
            raise Refuse(400, "Bad Request: failed to get HTTP URL content")
        if photo not in server.sizes:
            raise Refuse(400, "Bad Request: wrong file identifier/HTTP URL specified")
        return str(server.sizes[photo][-1]["file_id"])
    if len(photo.content) > 10 * 1024 * 1024:
        raise Refuse(413, "Request Entity Too Large")
    try:
        with Image.open(io.BytesIO(photo.content)) as image:
            kind, (width, height) = image.format, image.size
            image.load()
    except (OSError, SyntaxError):
        raise Refuse(400, "Bad Request: IMAGE_PROCESS_FAILED") from None
    if kind not in ("PNG", "JPEG"):
        raise Refuse(400, "Bad Request: IMAGE_PROCESS_FAILED")
    if width + height > 10000 or max(width, height) > 20 * min(width, height):
        raise Refuse(400, "Bad Request: PHOTO_INVALID_DIMENSIONS")
    return server.keep_photo(photo.content, width, height)


def _chat_action(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    _chat(server, given)
    return True


# -- editing -----------------------------------------------------------------------------------------------------------


def _edited(server: TelegramServer, given: dict[str, Any]) -> Message:
    if "inline_message_id" in given:
        if "chat_id" in given or "message_id" in given:
            raise Fault("a message to edit is named in one way")
        return server.inline.sent(given["inline_message_id"])
    if "chat_id" not in given or "message_id" not in given:
        raise Fault("a message to edit is named by chat_id and message_id, or by inline_message_id")
    chat = _chat(server, given)
    message = chat.history.get(given["message_id"])
    if message is None or message.deleted:
        raise Refuse(400, "Bad Request: message to edit not found")
    if message.sender is not None or message.service:
        raise Refuse(400, "Bad Request: message can't be edited")
    return message


def _show(server: TelegramServer, message: Message, version: Version) -> Any:
    """Let the message show something else."""
    now = message.now
    same_photo = version.photo == now.photo or (
        bool(version.photo and now.photo) and server.files[version.photo] == server.files[now.photo]
    )
    if same_photo and version.text == now.text and version.keyboard == now.keyboard:
        raise Refuse(400, NOT_MODIFIED)
    if message.inline_id:
        server.inline.paced(message)
        message.versions.append(version)
        return True
    _paced(server, message.chat)
    message.versions.append(version)
    return server.describe(message)


def _edit_media(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    media = given["media"]
    if media["type"] != "photo":
        raise Fault("only photos are modelled here")
    caption = _text(media, "caption", CAPTION_LIMIT, "message caption is too long")
    message = _edited(server, given)
    if message.inline_id and uploads:
        raise Fault("a new file can't be uploaded when an inline message is edited")
    return _show(server, message, Version(caption, _photo(server, media["media"], uploads), _inline(given)))


def _edit_caption(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    caption = _text(given, "caption", CAPTION_LIMIT, "message caption is too long")
    message = _edited(server, given)
    if not message.now.photo:
        raise Refuse(400, "Bad Request: there is no caption in the message to edit")
    return _show(server, message, Version(caption, message.now.photo, _inline(given)))


def _edit_text(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    text = _text(given, "text", TEXT_LIMIT, "message is too long")
    if not text:
        raise Fault("message text is empty")
    message = _edited(server, given)
    if message.now.photo:
        raise Refuse(400, "Bad Request: there is no text in the message to edit")
    return _show(server, message, Version(text, "", _inline(given)))


def _edit_markup(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    message = _edited(server, given)
    return _show(server, message, Version(message.now.text, message.now.photo, _inline(given)))


def _delete(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    chat = _chat(server, given)
    message = chat.history.get(given["message_id"])
    if message is None or message.deleted:
        raise Refuse(400, "Bad Request: message to delete not found")
    if message.sender is not None and not chat.bot_is_admin and chat.kind != "private":
        raise Refuse(400, "Bad Request: message can't be deleted")
    message.deleted = True
    return True


# -- the rest ----------------------------------------------------------------------------------------------------------


def _answer(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    query = server.queries.get(given["callback_query_id"])
    if query is None:
        raise Refuse(400, TOO_OLD)
    if query.answers:
        if server.updates.deliveries.count(query.update) > 1:  # told again, perhaps to another process: it cannot know
            raise Refuse(400, TOO_OLD)
        server.faults.append(f"the query {query.id} was answered twice")
        raise Refuse(400, TOO_OLD)
    query.answers.append(Answer(given.get("text", ""), given.get("show_alert", False)))
    if query.too_old:
        raise Refuse(400, TOO_OLD)
    return True


def _answer_inline(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    return server.inline.answered(given)


def _answer_guest(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    return server.inline.guest_answered(given)


def _get_file(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    file_id = given["file_id"]
    if file_id not in server.files:
        raise Refuse(400, "Bad Request: wrong file_id or the file is temporarily unavailable")
    return {
        "file_id": file_id,
        "file_unique_id": f"U{file_id}",
        "file_size": len(server.files[file_id]),
        "file_path": f"photos/{file_id}.jpg",
    }


def _get_me(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    return server.bot


def _get_chat(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    accepted = {"accepted_gift_types": dict.fromkeys(("unlimited_gifts", "limited_gifts", "unique_gifts"), True)}
    return _chat(server, given).describe() | {"accent_color_id": 0, "max_reaction_count": 11} | accepted


def _get_chat_member(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    chat, person = _chat(server, given), server.people.get(given["user_id"])
    if person is None:
        raise Refuse(400, "Bad Request: user not found")
    if person in chat.administrators:
        return {"status": "creator", "user": person.describe(), "is_anonymous": False}
    return {"status": "member", "user": person.describe()}


def _set_webhook(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    if not given["url"].startswith("https://"):
        raise Refuse(400, "Bad Request: bad webhook: An HTTPS URL must be provided for webhook")
    server.webhook = True
    server.secret = given.get("secret_token", "")
    server.updates.allow(given.get("allowed_updates"))
    return True


def _delete_webhook(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    server.webhook = False
    return True


def _scope(given: dict[str, Any]) -> tuple[str, str]:
    return given.get("scope", {"type": "default"})["type"], given.get("language_code", "")


def _set_commands(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    check_commands(given["commands"])
    server.commands[_scope(given)] = given["commands"]
    return True


def _get_commands(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    return server.commands.get(_scope(given), [])


def _delete_commands(server: TelegramServer, given: dict[str, Any], uploads: dict[str, Upload]) -> Any:
    server.commands.pop(_scope(given), None)
    return True


_METHODS: dict[str, Callable[[TelegramServer, dict[str, Any], dict[str, Upload]], Any]] = {
    "answerCallbackQuery": _answer,
    "answerGuestQuery": _answer_guest,
    "answerInlineQuery": _answer_inline,
    "deleteMessage": _delete,
    "deleteMyCommands": _delete_commands,
    "deleteWebhook": _delete_webhook,
    "editMessageCaption": _edit_caption,
    "editMessageMedia": _edit_media,
    "editMessageReplyMarkup": _edit_markup,
    "editMessageText": _edit_text,
    "getChat": _get_chat,
    "getChatMember": _get_chat_member,
    "getFile": _get_file,
    "getMe": _get_me,
    "getMyCommands": _get_commands,
    "sendChatAction": _chat_action,
    "sendMessage": _send_message,
    "sendPhoto": _send_photo,
    "setMyCommands": _set_commands,
    "setWebhook": _set_webhook,
}
