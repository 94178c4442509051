"""The home folder: its lock, its passwords, and the folders of the servers.

    .prawko/            0700
      lock              locked (flock) while a process uses the home; released by a crash
      passwords.json    0600
      postgres/         0700, the database
      run/              0700, the sockets (elsewhere if their path would be too long or unsafe)
      logs/

Under root the servers run as another user, and the home may be below a folder that this user
cannot enter (`/root` is 0700). The modes of parent folders are not changed and nothing is moved:
the servers inherit open descriptors of their two folders and use them as `/proc/self/fd/N`, a
short path that needs no permission on any parent.
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

from prawko_embedded.errors import EmbeddedError, HomeInUseError
from prawko_embedded.process import OsAccount, choose_os_account
from prawko_embedded.secret_file import SECRET_FILE_MODE, write_secret_file

PRIVATE_FOLDER_MODE = 0o700
MAX_SOCKET_PATH = 99  # the kernel's limit is 107, and some clients have a lower one
SAFE_SOCKET_PATH = re.compile(r"[A-Za-z0-9_./-]+")  # clients split a host at commas, for example
POSTGRES_SOCKET = ".s.PGSQL.5432"


class ServerPasswords(msgspec.Struct, frozen=True):
    """Generated once per home."""

    postgres: str
    redis: str


class PrivateFolder:
    """A folder with mode 0700 that belongs to `account`, kept open as a descriptor.

    Raises EmbeddedError where the path is a link, is no folder, or belongs to another user.
    """

    def __init__(self, path: Path, account: OsAccount) -> None:
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=PRIVATE_FOLDER_MODE)
        try:
            self.descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError as error:
            raise EmbeddedError(f"{path} is not a folder we may use: {error.strerror}.") from None
        self.path = path
        status = os.fstat(self.descriptor)
        if status.st_uid not in {os.getuid(), account.uid}:
            self.close()
            raise EmbeddedError(
                f"{path} belongs to another user (uid {status.st_uid}): start as that user, "
                "or choose another home."
            )
        try:
            if status.st_uid != account.uid:
                os.fchown(self.descriptor, account.uid, account.gid)
            os.fchmod(self.descriptor, PRIVATE_FOLDER_MODE)
        except OSError as error:
            self.close()
            raise EmbeddedError(f"{path} cannot be made private: {error.strerror}.") from None

    @property
    def path_for_server(self) -> str:
        """The path under which a server that inherited the descriptor opens the folder."""
        return f"/proc/self/fd/{self.descriptor}"

    def close(self) -> None:
        os.close(self.descriptor)


class Home:
    """A locked home folder; a context manager that releases it.

    Raises HomeInUseError while another process has the lock, and EmbeddedError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        try:
            self.path.mkdir(mode=PRIVATE_FOLDER_MODE, parents=True, exist_ok=True)
            self._lock = self._acquire_lock()
        except OSError as error:
            raise EmbeddedError(
                f"{error.filename} cannot be used ({error.strerror}): choose another home "
                "(PRAWKO_HOME), or start as the user it belongs to."
            ) from None
        status = self.path.stat()
        # In the titles of the servers' processes. A copied home has another inode, a moved one
        # keeps it.
        self.process_tag = f"prawko-{status.st_dev:x}-{status.st_ino:x}"
        self.data_path = self.path / "postgres"
        self.logs_path = self.path / "logs"
        self.account = choose_os_account(self.data_path)
        try:
            self.passwords = self._load_passwords()
            self.socket_folder = PrivateFolder(self._choose_socket_path(), self.account)
        except BaseException:
            self._lock.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the sockets and release the lock; the servers must have ended."""
        shutil.rmtree(self.socket_folder.path, ignore_errors=True)
        self.socket_folder.close()
        self._lock.close()

    def _acquire_lock(self) -> IO[str]:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
        descriptor = os.open(self.path / "lock", flags, SECRET_FILE_MODE)
        lock = os.fdopen(descriptor, "r+", encoding="ascii")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner_pid = lock.read().strip() or "unknown"
            lock.close()
            raise HomeInUseError(
                f"{self.path} is already in use by process {owner_pid}. Stop it, or choose another "
                "home (PRAWKO_HOME)."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        return lock

    def _load_passwords(self) -> ServerPasswords:
        path = self.path / "passwords.json"
        try:
            return msgspec.json.decode(path.read_bytes(), type=ServerPasswords)
        except FileNotFoundError:
            if self.data_path.exists():
                raise EmbeddedError(
                    f"{path} is missing, and without it {self.data_path} cannot be opened: put it "
                    "back, or remove the folder to start from empty."
                ) from None
        except (PermissionError, msgspec.DecodeError) as error:
            raise EmbeddedError(f"{path} cannot be read: {error}.") from None
        passwords = ServerPasswords(secrets.token_urlsafe(32), secrets.token_urlsafe(32))
        write_secret_file(path, msgspec.json.encode(passwords))
        return passwords

    def _choose_socket_path(self) -> Path:
        path = self.path / "run"
        if _is_usable_socket_path(path):
            return path
        if runtime_dir := os.environ.get("XDG_RUNTIME_DIR"):
            path = Path(runtime_dir, self.process_tag)
            if _is_private(path.parent) and _is_usable_socket_path(path):
                return path
        return Path("/tmp", self.process_tag)  # noqa: S108  PrivateFolder refuses another user's


def _is_usable_socket_path(folder: Path) -> bool:
    """Whether clients can use the address of a socket in the folder."""
    path = str(folder / POSTGRES_SOCKET)
    return len(path) <= MAX_SOCKET_PATH and SAFE_SOCKET_PATH.fullmatch(path) is not None


def _is_private(folder: Path) -> bool:
    """Whether the folder is ours and no other user can write to it."""
    with contextlib.suppress(OSError):
        status = folder.stat()
        return status.st_uid == os.getuid() and not stat.S_IMODE(status.st_mode) & 0o022
    return False
