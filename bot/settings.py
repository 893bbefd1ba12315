"""What the operator sets: environment variables, or the same names in a file called ``.env``."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


class SettingsInvalid(ValueError):
    """A setting that cannot be used; the message is one line that names it, never its secret value."""


def _default_data_dir() -> Path:
    """Where this system keeps the state of programs."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "renju-bot"
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "renju-bot"


class Settings(BaseSettings):
    """Every setting with its default; the README has the same table, and a test compares the two."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore", populate_by_name=True)

    telegram_token: SecretStr | None = Field(None, alias="TELEGRAM_TOKEN")
    """The bot's token from @BotFather; without it there is no Telegram."""
    telegram_api_url: str | None = Field(None, alias="TELEGRAM_API_URL")
    """A self-hosted Bot API server; the official one by default."""
    telegram_webhook_url: str | None = Field(None, alias="TELEGRAM_WEBHOOK_URL")
    """The public https address, with a path, where Telegram delivers updates; by default they are asked for."""
    telegram_webhook_secret: SecretStr | None = Field(None, alias="TELEGRAM_WEBHOOK_SECRET")
    """What every delivery must know; by default one made from the token."""
    telegram_webhook_addr: str = Field("127.0.0.1:8081", alias="TELEGRAM_WEBHOOK_ADDR")
    """Where deliveries are listened for, behind the proxy that has the public address."""
    telegram_cache_chat: str | None = Field(None, alias="TELEGRAM_CACHE_CHAT")
    """A chat of your own where pictures go first that are shown in chats without the bot; by default none: letters."""
    telegram_private_answers: bool = Field(False, alias="TELEGRAM_PRIVATE_ANSWERS")
    """Whether what concerns one member of a group is shown to them alone (Bot API 10.3); not by default."""
    discord_token: SecretStr | None = Field(None, alias="DISCORD_TOKEN")
    """The bot's token from the developer portal; without it there is no Discord."""
    discord_api_url: str | None = Field(None, alias="DISCORD_API_URL")
    """Where the calls go instead of https://discord.com/api/v10."""
    redis_url: SecretStr | None = Field(None, alias="REDIS_URL")
    """A Redis or Valkey server (it may hold a password); by default one is started in the data folder."""
    data_dir: Path = Field(default_factory=_default_data_dir, alias="RENJU_DATA_DIR")
    """Where games are kept when REDIS_URL is not set."""
    fsync: Literal["always", "everysec", "no"] = Field("everysec", alias="RENJU_FSYNC")
    """How often the embedded server makes sure that games are on the disk: a power cut loses at most this much."""
    web_addr: str = Field("127.0.0.1:8080", alias="RENJU_WEB_ADDR")
    """Where the web table listens."""
    web_url: str | None = Field(None, alias="RENJU_WEB_URL")
    """What links to the web table begin with, when it is reached through another address."""
    book: str = Field("own", alias="RENJU_BOOK")
    """The engine's opening book: own, off, or the path of a file like core/ai/book.txt."""
    engine_memory: int = Field(64, alias="RENJU_ENGINE_MEMORY", ge=1, le=65536)
    """Megabytes that the engine's tables of known positions may take, all thoughts of a process together."""
    log: Literal["debug", "info", "warning", "error"] = Field("info", alias="RENJU_LOG")
    """How much is logged, to standard error."""

    @field_validator(
        "telegram_token",
        "telegram_api_url",
        "telegram_webhook_url",
        "telegram_webhook_secret",
        "telegram_cache_chat",
        "discord_token",
        "discord_api_url",
        "redis_url",
        "web_url",
        mode="before",
    )
    @classmethod
    def _empty_means_unset(cls, value: object) -> object:
        return None if isinstance(value, str) and not value.strip() else value

    @field_validator("redis_url")
    @classmethod
    def _a_store(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not _is_address(value.get_secret_value(), ("redis", "rediss", "unix")):
            raise ValueError("must look like redis://localhost:6379, rediss://host:6379 or unix:///path/to/socket")
        return value

    @field_validator("telegram_webhook_secret")
    @classmethod
    def _a_secret(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not re.fullmatch("[A-Za-z0-9_-]{16,256}", value.get_secret_value()):
            raise ValueError("must be 16 to 256 of A-Z, a-z, 0-9, _ and -")
        return value

    @field_validator("telegram_cache_chat")
    @classmethod
    def _a_chat(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"-?\d{1,20}|@[A-Za-z0-9_]{3,64}", value, re.ASCII):
            raise ValueError("must be the number of a chat, such as -1001234567890, or @name of a channel")
        return value

    @field_validator("web_url", "telegram_api_url", "telegram_webhook_url", "discord_api_url")
    @classmethod
    def _an_address(cls, value: str | None) -> str | None:
        if value is not None and not _is_address(value, ("http", "https")):
            raise ValueError("must look like https://renju.example.org")
        return value

    @field_validator("web_addr", "telegram_webhook_addr")
    @classmethod
    def _host_and_port(cls, value: str) -> str:
        host, colon, port = value.rpartition(":")
        if not colon or not host or not port.isascii() or not port.isdecimal() or int(port) > 65535:
            raise ValueError("must look like 127.0.0.1:8080")
        return value


def _is_address(text: str, schemes: tuple[str, ...]) -> bool:
    try:
        parts = urlsplit(text)
        where = parts.path if parts.scheme == "unix" else parts.hostname
        return parts.scheme in schemes and bool(where) and (parts.port is None or parts.port > 0)
    except ValueError:  # half an IPv6 address, or no port
        return False


def read() -> Settings:
    """The settings of this process. Raises :class:`SettingsInvalid`."""
    try:
        return Settings()  # type: ignore[call-arg]
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = str(first["loc"][0]) if first["loc"] else "settings"
        raise SettingsInvalid(f"{name}: {first['msg'].removeprefix('Value error, ')}") from None
    except UnicodeDecodeError:
        raise SettingsInvalid("the file .env is not written in UTF-8") from None
    except OSError as error:
        raise SettingsInvalid(f"the file .env cannot be read: {error.strerror or error}") from None
