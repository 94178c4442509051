"""The previous release runs on this release's schema: processes are replaced one after the other.

Its own tests run with its own code on a database that is migrated by this tree. The release is what
`PREVIOUS_RELEASE` names, or the newest tag `v*` before this commit, or the commit of the dump.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from upgrades.release import read_head

ROOT = Path(__file__).parents[2]
# Every call of the API, the jobs that write most, and sign-in.
TESTS = (
    "tests/web/test_permissions.py",
    "tests/accounts/test_accounts.py",
    "tests/drivers/test_drivers.py",
    "tests/payments/test_webhook_processing.py",
    "tests/verifications/daily/test_worker.py",
)
# In place of the release's own migrations.
STAND_IN = """
import subprocess, sys
from prawko_tenants.roles import Roles

def upgrade_database(owner_url):
    code = "import sys; from prawko_migrations import upgrade_database as up; up(sys.argv[1])"
    environment = {{"PYTHONPATH": {sources!r}, "PATH": "/usr/bin:/bin"}}
    subprocess.run([sys.executable, "-c", code, owner_url], env=environment, check=True)
"""


def run_git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True).stdout


def find_release() -> str | None:
    if release := os.environ.get("PREVIOUS_RELEASE"):
        return release
    try:
        tags = run_git("tag", "--list", "v*", "--sort=-v:refname", "--merged", "HEAD~1")
        _, dumped = read_head()
        release = next(iter(tags.decode().split()), dumped)
        run_git("cat-file", "-e", release)
    except (OSError, subprocess.CalledProcessError):  # no checkout, or one without its history
        return None
    return release


def source_path(tree: Path) -> str:
    return os.pathsep.join(
        str(path) for path in sorted({*tree.glob("*/src"), *tree.glob("*/*/src")})
    )


@pytest.mark.skipif(find_release() is None, reason="the checkout lacks the release")
def test_the_previous_release_runs_on_the_new_schema(tmp_path) -> None:
    release = tmp_path / "release"
    release.mkdir()
    archive = run_git("archive", str(find_release()))
    subprocess.run(["tar", "-x", "-C", str(release)], input=archive, check=True)
    stand_in = tmp_path / "stand-in" / "prawko_migrations"
    stand_in.mkdir(parents=True)
    (stand_in / "__init__.py").write_text(STAND_IN.format(sources=source_path(ROOT)))

    tests = [name for name in TESTS if (release / name).exists()]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n2", *tests],
        cwd=release,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(stand_in.parent), source_path(release)]),
        },
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-2000:]
    assert len(tests) > len(TESTS) / 2
