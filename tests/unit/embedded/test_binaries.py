"""Where the servers' programs come from, and the sentence where they do not exist."""

import os
import platform
import shutil
import subprocess
import sys
from importlib import util

import pytest

from prawko.embedded import EmbeddedUnavailable, start
from prawko.embedded import binaries as module
from prawko.embedded.binaries import find, packages
from prawko.embedded.process import Account, server_account

MISSING = {
    "another processor": (platform, "machine", lambda: "aarch64"),
    "another system": (sys, "platform", "darwin"),
    "an older Python": (sys, "version_info", (3, 10, 14)),
    "a newer Python": (sys, "version_info", (3, 13, 0)),
    "wheels not installed": (util, "find_spec", lambda _: None),
}


@pytest.mark.parametrize("reason", MISSING)
def test_where_they_cannot_run_the_sentence_names_the_way_out(reason, tmp_path, monkeypatch):
    monkeypatch.setattr(*MISSING[reason])

    with pytest.raises(EmbeddedUnavailable, match=r"DATABASE_URL and REDIS_URL"):
        start(tmp_path / "home")
    assert not (tmp_path / "home").exists()


def test_an_installation_below_a_closed_folder_serves_the_unprivileged_user(
    ground, tmp_path, monkeypatch
):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    shutil.copytree(packages(), closed / "packages", ignore=all_but_needed)
    monkeypatch.setattr(module, "packages", lambda: closed / "packages")
    ground.chmod(0o755)
    os.chown(ground, os.getuid(), os.getgid())
    monkeypatch.setattr(module, "CACHES", (ground / "cache",))
    account = server_account(tmp_path / "nothing")

    found = find(account)

    version = [str(found.postgres), "--version"]
    if account.uid == os.getuid():  # our own installation: nothing to copy
        assert found.postgres.is_relative_to(closed)
        assert subprocess.run(version, check=True, capture_output=True).stdout
        return
    assert found.postgres.is_relative_to(ground)
    assert found.postgres.stat().st_uid == 0
    assert found == find(account)  # made once
    for program in (found.postgres, found.initdb, found.redis):
        asked = subprocess.run(
            [program, "--version"],
            user=account.uid,
            group=account.gid,
            extra_groups=[],
            cwd="/",
            check=True,
            capture_output=True,
        )
        assert asked.stdout
    with pytest.raises(PermissionError):
        subprocess.run([closed / "packages" / module.POSTGRES], user=account.uid, check=False)


def test_a_cache_that_others_may_change_is_not_used(ground, monkeypatch):
    cache = ground / "cache"
    cache.mkdir()
    cache.chmod(0o777)
    monkeypatch.setattr(module, "CACHES", (cache,))
    monkeypatch.setattr(module, "_runs", lambda *_: False)

    with pytest.raises(EmbeddedUnavailable, match="can neither run"):
        find(Account(os.getuid(), os.getgid()))
    assert not list(cache.iterdir())


def all_but_needed(folder, names):
    """For copytree: leave out everything that the servers do not need."""
    wheels = {module.POSTGRES_WHEEL, f"{module.POSTGRES_WHEEL}.libs", module.REDIS_WHEEL}
    if wheels <= set(names):
        return set(names) - wheels
    return {"include", "pginstall", "__pycache__"} & set(names)
