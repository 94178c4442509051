"""Killed servers and processes: the next start succeeds with all committed data."""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from prawko_embedded import EmbeddedError, start_servers
from prawko_embedded import process as processes
from prawko_embedded.process import choose_os_account, launch_server, processes_with_tag
from support.embedded import (
    EmbeddedProcess,
    run_sql,
    wait_until_ended,
)
from support.waiting import poll

INSERT_ROW = (
    "CREATE TABLE IF NOT EXISTS stored (a int)",
    "INSERT INTO stored VALUES (1) RETURNING a",
)
COUNT_ROWS = "SELECT count(*) FROM stored"
MANY = ("CREATE TABLE many AS SELECT generate_series(1, 200000)", "SELECT 1")


def server_pids(home):
    status = home.stat()
    tag = f"prawko-{status.st_dev:x}-{status.st_ino:x}"
    return [*processes_with_tag(tag, "postgres"), *processes_with_tag(tag, "redis-server")]


def kill_all(pids):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def test_servers_end_with_a_killed_process_and_keep_committed_data(home):
    product = EmbeddedProcess(home)
    info = product.info
    run_sql(info["admin_url"], *INSERT_ROW)
    product.kill()

    assert wait_until_ended(info["postgres"])
    assert wait_until_ended(info["redis"])
    with start_servers(home, durable=False) as running:
        assert run_sql(running.urls.admin_url, COUNT_ROWS) == 1


def test_servers_of_an_ordinary_user_end_with_a_killed_process(open_folder):
    product = EmbeddedProcess(open_folder / "home", ordinary=True)
    product.kill()

    assert wait_until_ended(product.info["postgres"])
    assert wait_until_ended(product.info["redis"])


def test_a_start_right_after_a_kill_waits_for_the_ending_servers(home):
    for round_ in range(1, 4):
        product = EmbeddedProcess(home)
        run_sql(product.info["admin_url"], *INSERT_ROW)
        product.kill()
        with start_servers(home, durable=False) as running:
            assert run_sql(running.urls.admin_url, COUNT_ROWS) == round_


def test_the_next_start_kills_unresponsive_servers(home, monkeypatch):
    monkeypatch.setattr(processes, "ORPHAN_TIMEOUT_SECONDS", 0.5)
    product = EmbeddedProcess(home)
    run_sql(product.info["admin_url"], *INSERT_ROW)
    stopped = server_pids(home)
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    product.kill()
    assert not wait_until_ended(product.info["postgres"], within=0.3)

    with start_servers(home, durable=False) as running:
        assert run_sql(running.urls.admin_url, COUNT_ROWS) == 1
    assert all(wait_until_ended(pid) for pid in stopped)


def test_a_start_succeeds_after_all_processes_were_killed(home):
    product = EmbeddedProcess(home)
    run_sql(product.info["admin_url"], *INSERT_ROW)
    kill_all(server_pids(home))
    product.kill()
    assert (home / "run/.s.PGSQL.5432").exists()
    assert (home / "postgres/postmaster.pid").exists()

    with start_servers(home, durable=False) as running:
        assert run_sql(running.urls.admin_url, COUNT_ROWS) == 1


def test_a_reused_process_id_does_not_prevent_a_start(home):
    product = EmbeddedProcess(home)
    run_sql(product.info["admin_url"], *INSERT_ROW)
    kill_all(server_pids(home))
    product.kill()
    account = choose_os_account(home / "postgres")
    second_server = launch_server(
        ["/bin/sleep", "60"], account=account, pass_fds=(), log=subprocess.DEVNULL
    )
    try:
        for name in ("postgres/postmaster.pid", "run/.s.PGSQL.5432.lock"):
            path = home / name
            old_pid, _, rest = path.read_text(encoding="utf-8").partition("\n")
            assert int(old_pid) == product.info["postgres"]
            path.write_text(f"{second_server.pid}\n{rest}", encoding="utf-8")
            os.chown(path, account.uid, account.gid)
        with start_servers(home, durable=False) as running:
            assert run_sql(running.urls.admin_url, COUNT_ROWS) == 1
        assert second_server.poll() is None
    finally:
        second_server.kill()
        second_server.wait()


def test_a_start_succeeds_after_a_kill_during_the_start(tmp_path):
    home = tmp_path / "new"
    for step in range(4):
        product = EmbeddedProcess(home, wait=False)
        time.sleep(0.15 + 0.1 * step)
        product.kill()
    with start_servers(home, durable=False) as running:
        run_sql(running.urls.admin_url, *INSERT_ROW)
        assert run_sql(running.urls.admin_url, COUNT_ROWS) == 1


def test_a_start_succeeds_after_a_kill_during_initdb(tmp_path):
    home = tmp_path / "new"
    product = EmbeddedProcess(home, wait=False)
    poll(lambda: list(home.glob("postgres*/global")))  # initdb writes the database
    product.kill()

    with start_servers(home, durable=False) as running:
        assert run_sql(running.urls.admin_url, "SELECT 1") == 1


def test_the_next_start_ends_an_orphaned_initdb(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "ORPHAN_TIMEOUT_SECONDS", 0.5)
    home = tmp_path / "new"
    product = EmbeddedProcess(home, wait=False)
    poll(lambda: list(home.glob("postgres*/global")))  # initdb writes the database
    orphans = psutil.Process(product.pid).children(recursive=True)
    [initdb] = [child for child in orphans if child.name() == "initdb"]
    initdb.suspend()  # or the parent-death signal ends it
    product.kill()

    with start_servers(home, durable=False) as running:
        assert run_sql(running.urls.admin_url, "SELECT 1") == 1
        # The `postgres` that initdb runs has no tag; it ends when its standard input does.
        assert all(wait_until_ended(orphan.pid) for orphan in orphans)


def test_an_incomplete_database_is_created_anew(home):
    product = EmbeddedProcess(home)
    product.stop()
    (home / "postgres").rename(home / "postgres.new")
    (home / "postgres.new/PG_VERSION").unlink()

    with start_servers(home, durable=False) as running:
        assert run_sql(running.urls.admin_url, "SELECT 1") == 1


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGQUIT, signal.SIGTERM])
def test_a_server_that_has_ended_is_restarted(home, number):
    # A background job of a shell ignores it, and so would Redis.
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    with start_servers(home, durable=False) as running:
        run_sql(running.urls.admin_url, *INSERT_ROW)
        assert running.restart_dead() == []
        old_pids = (running.postgres_pid, running.redis_pid)
        for pid in old_pids:
            os.kill(pid, number)
        deadline = time.monotonic() + 60
        restarted = set()
        while restarted != {"PostgreSQL", "Redis"} and time.monotonic() < deadline:
            restarted |= set(running.restart_dead())
            time.sleep(0.01)

        assert restarted == {"PostgreSQL", "Redis"}
        assert running.postgres_pid not in old_pids
        assert run_sql(running.urls.admin_url, COUNT_ROWS) == 1


@pytest.mark.parametrize("immediate", [False, True])
def test_postgres_is_restarted_with_its_data_and_a_new_process(home, immediate):
    with start_servers(home, durable=False) as running:
        run_sql(running.urls.admin_url, *INSERT_ROW)
        old_pid = running.postgres_pid
        running.restart_postgres(immediate=immediate)

        assert wait_until_ended(old_pid)
        assert run_sql(running.urls.admin_url, COUNT_ROWS) == 1
    recovered = "automatic recovery in progress" in (home / "logs/postgres.log").read_text("utf-8")
    assert recovered is immediate


def test_a_start_that_fails_ends_the_server_that_did_start(home):
    EmbeddedProcess(home).stop()
    control = home / "postgres/global/pg_control"
    control.rename(home / "aside")

    with pytest.raises(EmbeddedError, match="did not start"):
        start_servers(home)
    assert server_pids(home) == []
    (home / "aside").rename(control)
    with start_servers(home, durable=False) as running:
        assert run_sql(running.urls.admin_url, "SELECT 1") == 1


def test_a_stop_ends_every_process_in_time(home):
    with start_servers(home) as running:
        run_sql(running.urls.admin_url, *MANY)
        pids = server_pids(home)
        started = time.monotonic()
    assert time.monotonic() - started < 15.0  # half the time after which one is ended by force
    assert len(pids) > 5
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
