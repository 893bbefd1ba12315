"""What the operator sets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.settings import Settings, SettingsInvalid, read

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting of the machine, and no .env of the developer, reaches a test."""
    monkeypatch.chdir(tmp_path)
    for field in Settings.model_fields.values():
        monkeypatch.delenv(str(field.alias), raising=False)


def test_without_any_setting_the_web_table_is_the_way_in() -> None:
    """No token, no Redis: the defaults are enough to play."""
    settings = read()
    assert settings.telegram_token is None
    assert settings.redis_url is None
    assert settings.web_addr == "127.0.0.1:8080"


def test_a_dot_env_file_is_read(tmp_path: Path) -> None:
    """The operator may write settings into .env."""
    (tmp_path / ".env").write_text("RENJU_WEB_ADDR=127.0.0.1:9000\nOTHER=ignored\n")
    assert read().web_addr == "127.0.0.1:9000"


def test_an_empty_variable_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """compose files pass empty values on."""
    monkeypatch.setenv("TELEGRAM_TOKEN", "")
    monkeypatch.setenv("REDIS_URL", "  ")
    assert read().telegram_token is None
    assert read().redis_url is None


def test_a_token_is_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither repr nor str of the settings shows a secret."""
    monkeypatch.setenv("TELEGRAM_TOKEN", "123456:tell-nobody")
    monkeypatch.setenv("REDIS_URL", "redis://:password@host")
    assert "tell-nobody" not in repr(read())
    assert "password" not in repr(read())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RENJU_FSYNC", "sometimes"),
        ("RENJU_WEB_ADDR", "8080"),
        ("RENJU_WEB_ADDR", "host:99999"),
        ("RENJU_LOG", "loud"),
        ("REDIS_URL", "localhost:6379"),
        ("REDIS_URL", "redis://host:port"),
        ("REDIS_URL", "unix://"),
        ("RENJU_WEB_URL", "renju.example.org"),
        ("RENJU_WEB_URL", "https://"),
        ("RENJU_WEB_URL", "http://[::1"),
        ("TELEGRAM_API_URL", "localhost:8081"),
        ("DISCORD_API_URL", "http://host:port"),
    ],
)
def test_a_bad_value_is_one_line_that_names_the_setting(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """The operator learns which variable to mend."""
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsInvalid) as caught:
        read()
    assert str(caught.value).startswith(f"{name}: ")
    assert "\n" not in str(caught.value)
    assert "Value error" not in str(caught.value)


@pytest.mark.parametrize("url", ["redis://localhost:6379/1", "rediss://:pw@host", "unix:///run/redis.sock?db=2"])
def test_every_way_to_a_store_is_taken(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """As redis-py writes them."""
    monkeypatch.setenv("REDIS_URL", url)
    found = read().redis_url
    assert found is not None
    assert found.get_secret_value() == url


def test_a_dot_env_file_that_is_no_text_is_one_line(tmp_path: Path) -> None:
    """And its name is in it."""
    (tmp_path / ".env").write_bytes(b"TELEGRAM_TOKEN=\xff\xfe\n")
    with pytest.raises(SettingsInvalid, match=r"\.env .*UTF-8"):
        read()


def test_a_secret_in_a_bad_value_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line may end in a log."""
    monkeypatch.setenv("REDIS_URL", "http://:password@host")
    with pytest.raises(SettingsInvalid) as caught:
        read()
    assert "password" not in str(caught.value)


def test_the_readme_lists_every_setting_and_no_other() -> None:
    """The table in the README and the code say the same."""
    section = README.read_text(encoding="utf-8").split("## Settings")[1].split("\n## ")[0]
    listed = set(re.findall(r"^\| `([A-Z_]+)` \|", section, flags=re.MULTILINE))
    assert listed == {str(field.alias) for field in Settings.model_fields.values()}
