"""The home folder: who may use it, its passwords, and the folders the servers work in.

    .prawko/            0700
      lock              held (flock) while a product runs here; a crash lets go of it
      passwords.json    0600
      postgres/         0700, the database
      run/              0700, the sockets (elsewhere if their path were long or not plain)
      logs/

Under root the servers run as another user, and the home may lie below a folder that user
cannot enter (`/root` is 0700). No mode of any parent is changed and nothing is moved: the
servers inherit open descriptors of their two folders and reach them as `/proc/self/fd/N`, a
path that asks no parent for permission and is always short.
"""

import contextlib
import fcntl
import os
import re
import secrets
import shutil
import stat
from pathlib import Path
from typing import IO, Self

import msgspec

from prawko.embedded.errors import EmbeddedError, HomeInUseError
from prawko.embedded.process import Account, server_account

PRIVATE = 0o700
SECRET = 0o600
LONGEST_SOCKET = 99  # the kernel's limit is 107, and clients of other languages know less
PLAIN = re.compile(r"[A-Za-z0-9_./-]+")  # clients split a host at its commas, and more
SOCKET_NAME = ".s.PGSQL.5432"


class Passwords(msgspec.Struct, frozen=True):
    """Made once per home."""

    postgres: str
    redis: str


class Folder:
    """A private folder of the servers, open for as long as they run."""

    def __init__(self, path: Path, account: Account) -> None:
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=PRIVATE)
        try:
            # Neither a link nor somebody else's folder may stand in its place.
            self.descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError as error:
            raise EmbeddedError(f"{path} is not a folder we may use: {error.strerror}.") from None
        self.path = path
        found = os.fstat(self.descriptor)
        if found.st_uid not in {os.getuid(), account.uid}:
            self.close()
            raise EmbeddedError(
                f"{path} belongs to another user (uid {found.st_uid}): start as that user, "
                "or choose another home."
            )
        try:
            if found.st_uid != account.uid:
                os.fchown(self.descriptor, account.uid, account.gid)
            os.fchmod(self.descriptor, PRIVATE)
        except OSError as error:
            self.close()
            raise EmbeddedError(f"{path} cannot be made private: {error.strerror}.") from None

    @property
    def inside(self) -> str:
        """The folder's path as the servers see it."""
        return f"/proc/self/fd/{self.descriptor}"

    def close(self) -> None:
        os.close(self.descriptor)


class Home:
    """The home folder of one running product."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        try:
            self.path.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
            self._lock = self._hold()
        except OSError as error:
            raise EmbeddedError(
                f"{error.filename} cannot be used ({error.strerror}): choose another home "
                "(PRAWKO_HOME), or start as the user it belongs to."
            ) from None
        here = self.path.stat()
        # Marks the servers' processes. A copied home has another inode, a moved one keeps it.
        self.tag = f"prawko-{here.st_dev:x}-{here.st_ino:x}"
        self.data = self.path / "postgres"
        self.logs = self.path / "logs"
        self.account = server_account(self.data)
        try:
            self.passwords = self._passwords()
            self.run = Folder(self._run_path(), self.account)
        except BaseException:
            self._lock.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folder; the servers must have ended."""
        shutil.rmtree(self.run.path, ignore_errors=True)
        self.run.close()
        self._lock.close()

    def _hold(self) -> IO[str]:
        flags = os.O_RDWR | os.O_CREAT
        lock = os.fdopen(_open_secret(self.path / "lock", flags), "r+", encoding="ascii")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = lock.read().strip() or "unknown"
            lock.close()
            raise HomeInUseError(
                f"{self.path} is already in use by process {holder}. Stop it, or choose another "
                "home (PRAWKO_HOME)."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        return lock

    def _passwords(self) -> Passwords:
        path = self.path / "passwords.json"
        try:
            return msgspec.json.decode(path.read_bytes(), type=Passwords)
        except FileNotFoundError:
            if self.data.exists():
                raise EmbeddedError(
                    f"{path} is missing, and without it {self.data} cannot be opened: put it "
                    "back, or remove the folder to start from empty."
                ) from None
        except (PermissionError, msgspec.DecodeError) as error:
            raise EmbeddedError(f"{path} cannot be read: {error}.") from None
        made = Passwords(secrets.token_urlsafe(32), secrets.token_urlsafe(32))
        draft = path.with_suffix(".new")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with os.fdopen(_open_secret(draft, flags), "wb") as file:
            file.write(msgspec.json.encode(made))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
        return made

    def _run_path(self) -> Path:
        path = self.path / "run"
        if _clients_understand(path):
            return path
        if named := os.environ.get("XDG_RUNTIME_DIR"):
            path = Path(named, self.tag)
            if _is_ours(path.parent) and _clients_understand(path):
                return path
        return Path("/tmp", self.tag)  # noqa: S108  Folder refuses what others put there


def _clients_understand(folder: Path) -> bool:
    """Whether the folder's sockets have addresses that every client can use."""
    path = str(folder / SOCKET_NAME)
    return len(path) <= LONGEST_SOCKET and PLAIN.fullmatch(path) is not None


def _is_ours(folder: Path) -> bool:
    """Whether nobody else can put anything into the folder."""
    with contextlib.suppress(OSError):
        found = folder.stat()
        return found.st_uid == os.getuid() and not stat.S_IMODE(found.st_mode) & 0o022
    return False


def _open_secret(path: Path, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, SECRET)
