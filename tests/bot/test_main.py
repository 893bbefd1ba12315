"""The renju command as the operator types it."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.__main__ import COMMANDS, main

ROOT = Path(__file__).parents[2]


def renju(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """One run of the real command, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "bot", *words], cwd=ROOT, input=stdin, capture_output=True, text=True, check=False
    )


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Each with its line."""
    with pytest.raises(SystemExit) as stopped:
        main(["--help"])
    assert stopped.value.code == 0
    shown = capsys.readouterr().out
    for name in COMMANDS:
        assert re.search(rf"^    {name}\s", shown, flags=re.MULTILINE)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_of_its_own(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """And its module has what the command needs."""
    with pytest.raises(SystemExit) as stopped:
        main([name, "--help"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: renju {name}")


@pytest.mark.parametrize("words", [[], ["dance"], ["run", "now"], ["forbidden", "--fast"], ["draw"]])
def test_wrong_usage_is_one_line_and_exit_code_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing on standard output, no traceback, no usage block."""
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.strip().splitlines()) == 1
    assert shown.err.startswith("renju")


def test_a_reader_that_goes_away_is_no_fault_to_tell() -> None:
    """renju forbidden ... | head ends quietly."""
    lines = '{"black":["h8"],"white":["h9"]}\n' * 50_000
    with subprocess.Popen(
        [sys.executable, "-m", "bot", "forbidden", "--jsonl", "-"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as answering:
        assert answering.stdin is not None
        assert answering.stdout is not None
        assert answering.stderr is not None
        answering.stdin.write(lines[: len(lines) // 50])
        answering.stdin.flush()
        assert answering.stdout.readline() == '{"forbidden":{}}\n'
        answering.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            answering.stdin.write(lines)
            answering.stdin.close()
        assert "Traceback" not in answering.stderr.read()


def test_a_command_loads_only_what_it_needs() -> None:
    """The rules answer without a chat library, a database or Pillow."""
    code = (
        "import sys; from bot.__main__ import main; main(['forbidden', 'h8h9']);"
        "print(sorted(set(sys.modules) & {'telegram', 'discord', 'redis', 'PIL', 'aiohttp'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


class TestRun:
    """renju run, when it cannot."""

    def test_a_bad_setting_is_one_line(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It names the variable; exit code 1."""
        monkeypatch.setenv("RENJU_FSYNC", "sometimes")
        done = renju("run")
        assert done.returncode == 1
        assert done.stderr.startswith("renju run: RENJU_FSYNC")
        assert len(done.stderr.splitlines()) == 1

    def test_a_web_address_in_use_is_one_line(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """Whoever holds the port keeps it."""
        import socket

        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            monkeypatch.setenv("RENJU_WEB_ADDR", f"127.0.0.1:{port}")
            monkeypatch.setenv("RENJU_DATA_DIR", str(tmp_path))
            monkeypatch.setenv("RENJU_LOG", "error")
            done = renju("run")
        assert done.returncode == 1
        assert str(port) in done.stderr
        assert "Traceback" not in done.stderr
        assert done.stderr.strip().splitlines()[-1].startswith("renju run: ")

    def test_a_book_that_cannot_be_read_is_one_line(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """It names the setting and the file; the doctor says the same."""
        monkeypatch.setenv("RENJU_BOOK", str(tmp_path / "none.txt"))
        monkeypatch.setenv("RENJU_DATA_DIR", str(tmp_path))
        monkeypatch.setenv("RENJU_WEB_ADDR", "127.0.0.1:0")
        done = renju("run")
        assert done.returncode == 1
        last = done.stderr.strip().splitlines()[-1]
        assert last.startswith("renju run: RENJU_BOOK: ")
        assert "none.txt" in last
        assert "Traceback" not in done.stderr
        assert "RENJU_BOOK" in renju("doctor").stdout


class TestDoctor:
    """renju doctor."""

    def test_a_healthy_machine_has_no_fault(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """Exit code 0, and a line for every part."""
        monkeypatch.setenv("RENJU_DATA_DIR", str(tmp_path))
        monkeypatch.setenv("RENJU_WEB_ADDR", "127.0.0.1:0")
        for name in ("TELEGRAM_TOKEN", "DISCORD_TOKEN", "REDIS_URL"):
            monkeypatch.setenv(name, "")
        done = renju("doctor")
        assert done.returncode == 0, done.stdout
        assert all(line.startswith("ok ") for line in done.stdout.splitlines())
        assert "data folder" in done.stdout

    def test_each_fault_comes_with_its_remedy_and_without_secrets(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """A store that does not answer, a chat that cannot be reached: said, with what to do, and exit code 1."""
        monkeypatch.setenv("RENJU_DATA_DIR", str(tmp_path))
        monkeypatch.setenv("RENJU_WEB_ADDR", "127.0.0.1:0")
        monkeypatch.setenv("REDIS_URL", "redis://:secretword@127.0.0.1:1/0")
        monkeypatch.setenv("TELEGRAM_TOKEN", "123456:secretword")
        monkeypatch.setenv("TELEGRAM_API_URL", "http://127.0.0.1:1")
        monkeypatch.setenv("DISCORD_TOKEN", "")
        done = renju("doctor")
        assert done.returncode == 1
        assert done.stdout.count("FAULT") == 2
        assert "secretword" not in done.stdout + done.stderr
        assert "Traceback" not in done.stderr

    def test_a_bad_setting_is_a_fault_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """It names the variable."""
        monkeypatch.setenv("RENJU_LOG", "loud")
        done = renju("doctor")
        assert done.returncode == 1
        assert "RENJU_LOG" in done.stdout
