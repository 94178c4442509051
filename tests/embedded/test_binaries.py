"""Locating the servers' executables, and the error where there are none."""

import os
import platform
import shutil
import subprocess
import sys
from importlib import util

import pytest

from prawko_embedded import EmbeddedUnavailableError, start_servers
from prawko_embedded import binaries as module
from prawko_embedded.binaries import find_binaries, locate_wheels
from prawko_embedded.process import OsAccount, choose_os_account

MISSING = {
    "another processor": (platform, "machine", lambda: "aarch64"),
    "another system": (sys, "platform", "darwin"),
    "wheels not installed": (util, "find_spec", lambda _: None),
}


@pytest.mark.parametrize("reason", MISSING)
def test_an_unsupported_machine_is_reported_with_the_alternative(reason, tmp_path, monkeypatch):
    monkeypatch.setattr(*MISSING[reason])

    with pytest.raises(EmbeddedUnavailableError, match=r"DATABASE_URL and REDIS_URL"):
        start_servers(tmp_path / "home")
    assert not (tmp_path / "home").exists()


def test_an_installation_in_a_closed_folder_works_for_the_unprivileged_user(
    open_folder, tmp_path, monkeypatch
):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    shutil.copytree(locate_wheels(), closed / "packages", ignore=ignore_unneeded)
    monkeypatch.setattr(module, "locate_wheels", lambda: closed / "packages")
    open_folder.chmod(0o755)
    os.chown(open_folder, os.getuid(), os.getgid())
    monkeypatch.setattr(module, "CACHE_FOLDERS", (open_folder / "cache",))
    account = choose_os_account(tmp_path / "nothing")

    binaries = find_binaries(account)

    version = [str(binaries.postgres), "--version"]
    if account.uid == os.getuid():  # the installation itself is used
        assert binaries.postgres.is_relative_to(closed)
        assert subprocess.run(version, check=True, capture_output=True).stdout
        return
    assert binaries.postgres.is_relative_to(open_folder)
    assert binaries.postgres.stat().st_uid == 0
    assert binaries == find_binaries(account)  # copied once
    for program in (binaries.postgres, binaries.initdb, binaries.redis):
        result = subprocess.run(
            [program, "--version"],
            user=account.uid,
            group=account.gid,
            extra_groups=[],
            cwd="/",
            check=True,
            capture_output=True,
        )
        assert result.stdout
    with pytest.raises(PermissionError):
        subprocess.run(
            [closed / "packages" / module.POSTGRES_FOLDER], user=account.uid, check=False
        )


def test_a_cache_writable_by_others_is_not_used(open_folder, monkeypatch):
    cache = open_folder / "cache"
    cache.mkdir()
    cache.chmod(0o777)
    monkeypatch.setattr(module, "CACHE_FOLDERS", (cache,))
    monkeypatch.setattr(module, "_can_run", lambda *_: False)

    with pytest.raises(EmbeddedUnavailableError, match="can neither run"):
        find_binaries(OsAccount(os.getuid(), os.getgid()))
    assert not list(cache.iterdir())


def ignore_unneeded(folder, names):
    """Return the names that copytree leaves out: all that the servers do not need."""
    wheels = {module.POSTGRES_WHEEL, f"{module.POSTGRES_WHEEL}.libs", module.REDIS_WHEEL}
    if wheels <= set(names):
        return set(names) - wheels
    return {"include", "pginstall", "__pycache__"} & set(names)
