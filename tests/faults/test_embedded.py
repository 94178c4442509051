"""Whatever is killed, and whenever: the next start works and has everything that was committed."""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from prawko.embedded import EmbeddedError, start
from prawko.embedded import process as processes
from prawko.embedded.process import launch, server_account, tagged
from unit.embedded.standin import Product, copy_home, gone, make_home, open_ground, sql

KEEP = ("CREATE TABLE IF NOT EXISTS kept (a int)", "INSERT INTO kept VALUES (1) RETURNING a")
COUNT = "SELECT count(*) FROM kept"
MANY = ("CREATE TABLE many AS SELECT generate_series(1, 200000)", "SELECT 1")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A home with an empty database, that every test gets a copy of."""
    return make_home(tmp_path_factory.mktemp("made") / "home")


@pytest.fixture
def home(made, tmp_path):
    return copy_home(made, tmp_path / "home")


@pytest.fixture
def ground():
    with open_ground() as folder:
        yield folder


def servers_of(home):
    here = home.stat()
    tag = f"prawko-{here.st_dev:x}-{here.st_ino:x}"
    return [*tagged(tag, "postgres"), *tagged(tag, "redis-server")]


def kill_all(pids):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def test_servers_die_with_a_killed_product_and_keep_what_was_committed(home):
    product = Product(home)
    told = product.told
    sql(told["admin_url"], *KEEP)
    product.kill()

    assert gone(told["postgres"])
    assert gone(told["redis"])
    with start(home, durable=False) as running:
        assert sql(running.servers.admin_url, COUNT) == 1


def test_servers_of_an_ordinary_user_die_with_their_product_too(ground):
    product = Product(ground / "home", ordinary=True)
    product.kill()

    assert gone(product.told["postgres"])
    assert gone(product.told["redis"])


def test_a_start_right_after_the_kill_does_not_meet_the_dying_servers(home):
    for round_ in range(1, 4):
        product = Product(home)
        sql(product.told["admin_url"], *KEEP)
        product.kill()
        with start(home, durable=False) as running:
            assert sql(running.servers.admin_url, COUNT) == round_


def test_servers_that_do_not_hear_are_ended_by_the_next_start(home, monkeypatch):
    monkeypatch.setattr(processes, "ORPHAN_SECONDS", 0.5)
    product = Product(home)
    sql(product.told["admin_url"], *KEEP)
    deaf = servers_of(home)
    for pid in deaf:
        os.kill(pid, signal.SIGSTOP)
    product.kill()
    assert not gone(product.told["postgres"], within=0.3)

    with start(home, durable=False) as running:
        assert sql(running.servers.admin_url, COUNT) == 1
    assert all(gone(pid) for pid in deaf)


def test_everything_killed_at_once_leaves_nothing_that_blocks(home):
    product = Product(home)
    sql(product.told["admin_url"], *KEEP)
    kill_all(servers_of(home))
    product.kill()
    assert (home / "run/.s.PGSQL.5432").exists()
    assert (home / "postgres/postmaster.pid").exists()

    with start(home, durable=False) as running:
        assert sql(running.servers.admin_url, COUNT) == 1


def test_a_process_id_that_somebody_else_has_now_does_not_block(home):
    product = Product(home)
    sql(product.told["admin_url"], *KEEP)
    kill_all(servers_of(home))
    product.kill()
    account = server_account(home / "postgres")
    somebody = launch(["/bin/sleep", "60"], account=account, folders=(), log=subprocess.DEVNULL)
    try:
        for name in ("postgres/postmaster.pid", "run/.s.PGSQL.5432.lock"):
            path = home / name
            old, _, rest = path.read_text(encoding="utf-8").partition("\n")
            assert int(old) == product.told["postgres"]
            path.write_text(f"{somebody.pid}\n{rest}", encoding="utf-8")
            os.chown(path, account.uid, account.gid)
        with start(home, durable=False) as running:
            assert sql(running.servers.admin_url, COUNT) == 1
        assert somebody.poll() is None
    finally:
        somebody.kill()
        somebody.wait()


def test_a_product_killed_while_it_starts_leaves_nothing_that_blocks(tmp_path):
    home = tmp_path / "new"
    for step in range(4):
        product = Product(home, wait=False)
        time.sleep(0.15 + 0.1 * step)
        product.kill()
    with start(home, durable=False) as running:
        sql(running.servers.admin_url, *KEEP)
        assert sql(running.servers.admin_url, COUNT) == 1


def test_a_product_killed_while_it_makes_the_database_leaves_nothing_that_blocks(tmp_path):
    home = tmp_path / "new"
    product = Product(home, wait=False)
    deadline = time.monotonic() + 10
    while not list(home.glob("postgres*/global")):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    product.kill()

    with start(home, durable=False) as running:
        assert sql(running.servers.admin_url, "SELECT 1") == 1


def test_half_a_database_is_made_anew(home):
    product = Product(home)
    product.stop()
    (home / "postgres").rename(home / "postgres.new")
    (home / "postgres.new/PG_VERSION").unlink()

    with start(home, durable=False) as running:
        assert sql(running.servers.admin_url, "SELECT 1") == 1


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGQUIT, signal.SIGTERM])
def test_a_server_that_ends_is_brought_back(home, number):
    with start(home, durable=False) as running:
        sql(running.servers.admin_url, *KEEP)
        assert running.revive() == []
        old = (running.postgres_pid, running.redis_pid)
        for pid in old:
            os.kill(pid, number)
        deadline = time.monotonic() + 10
        back = set()
        while back != {"PostgreSQL", "Redis"} and time.monotonic() < deadline:
            back |= set(running.revive())
            time.sleep(0.01)

        assert back == {"PostgreSQL", "Redis"}
        assert running.postgres_pid not in old
        assert sql(running.servers.admin_url, COUNT) == 1


@pytest.mark.parametrize("immediate", [False, True])
def test_postgres_is_restarted_with_its_data_and_a_new_process(home, immediate):
    with start(home, durable=False) as running:
        sql(running.servers.admin_url, *KEEP)
        old = running.postgres_pid
        running.restart_postgres(immediate=immediate)

        assert gone(old)
        assert sql(running.servers.admin_url, COUNT) == 1
    recovered = "automatic recovery in progress" in (home / "logs/postgres.log").read_text("utf-8")
    assert recovered is immediate


def test_a_start_that_fails_ends_the_server_that_did_start(home):
    Product(home).stop()
    control = home / "postgres/global/pg_control"
    control.rename(home / "aside")

    with pytest.raises(EmbeddedError, match="did not start"):
        start(home)
    assert servers_of(home) == []
    (home / "aside").rename(control)
    with start(home, durable=False) as running:
        assert sql(running.servers.admin_url, "SELECT 1") == 1


def test_a_stop_ends_every_process_in_time(home):
    with start(home) as running:
        sql(running.servers.admin_url, *MANY)
        pids = servers_of(home)
        begun = time.monotonic()
    assert time.monotonic() - begun < 3.0
    assert len(pids) > 5
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
