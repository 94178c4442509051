"""The embedded servers, started by whoever runs the tests, and by an ordinary user."""

import contextlib
import os
import socket
import stat
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest
from redis import Redis
from redis.exceptions import AuthenticationError

from prawko.embedded import EmbeddedError, HomeInUseError, erase, start
from prawko.embedded.home import LONGEST_SOCKET
from prawko.embedded.process import tagged
from unit.embedded.standin import Product, gone, sql


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    """A folder that nobody but its owner may enter, as /root is."""
    folder = tmp_path_factory.mktemp("closed")
    folder.chmod(0o700)
    return folder


@pytest.fixture(scope="module")
def running(closed):
    with start(closed / "home") as running:
        yield running


def redis_at(running):
    return Redis.from_url(running.servers.redis_url, decode_responses=True)


def socket_folder(running):
    return Path(parse_qs(urlsplit(running.servers.admin_url).query)["host"][0])


def home_of(running):
    return running._home


def processes(running):
    tag = home_of(running).tag
    return {**tagged(tag, "postgres"), **tagged(tag, "redis-server")}


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def listening(uid):
    """Inodes of the listening TCP and the UDP sockets of a user."""
    found = set()
    for table, states in (("tcp", {"0A"}), ("tcp6", {"0A"}), ("udp", None), ("udp6", None)):
        path = Path("/proc/net", table)
        rows = path.read_text(encoding="ascii").splitlines()[1:] if path.exists() else ()
        for words in map(str.split, rows):
            if words[7] == str(uid) and (states is None or words[3] in states):
                found.add(words[9])
    return found


def inodes(pid, uid):
    """Inodes of a process's sockets; where root may not look, all that its user listens on."""
    found = set()
    try:
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):
                found.add(str(entry.readlink()).removeprefix("socket:[").removesuffix("]"))
    except PermissionError:
        return listening(uid)
    return found


def test_the_database_is_what_the_product_expects(running):
    def ask(question):
        return sql(running.servers.admin_url, question)

    assert ask("SELECT current_setting('server_version_num')::int / 10000") == 18
    assert ask("SELECT datlocprovider::text FROM pg_database WHERE datname = 'postgres'") == "b"
    assert ask("SHOW server_encoding") == "UTF8"
    assert ask("SELECT lower('ŻÓŁĆ')") == "żółć"
    assert ask("SHOW TimeZone") == "UTC"
    assert ask("SELECT string_agg(DISTINCT auth_method, ' ') FROM pg_hba_file_rules") == (
        "scram-sha-256"
    )
    assert ask("SELECT rolpassword FROM pg_authid WHERE rolname = 'postgres'").startswith("SCRAM-")
    assert [
        ask(f"SHOW {name}") for name in ("fsync", "synchronous_commit", "full_page_writes")
    ] == [
        "on",
        "on",
        "on",
    ]


def test_redis_keeps_every_ring_and_nothing_for_later(running):
    with redis_at(running) as redis:
        assert redis.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        assert redis.config_get("appendonly") == {"appendonly": "no"}
        assert redis.config_get("save") == {"save": ""}
        assert redis.config_get("port") == {"port": "0"}


def test_nobody_comes_in_without_the_password(running):
    address = urlsplit(running.servers.admin_url)
    for stranger in (address.password + "x", "postgres"):
        with pytest.raises(asyncpg.InvalidPasswordError):
            sql(running.servers.admin_url.replace(address.password, stranger), "SELECT 1")
    without = running.servers.redis_url.partition("?")[0]
    with Redis.from_url(without) as redis, pytest.raises(AuthenticationError):
        redis.ping()


def test_passwords_stand_in_no_command_line_and_no_log(running):
    home = home_of(running)
    seen = b"".join(processes(running).values())
    seen += b"".join(path.read_bytes() for path in home.logs.iterdir())

    assert len(processes(running)) > 5
    assert home.passwords.postgres.encode() not in seen
    assert home.passwords.redis.encode() not in seen


def test_a_failing_statement_writes_no_personal_data_into_the_log(running):
    with pytest.raises(asyncpg.UniqueViolationError):
        sql(
            running.servers.admin_url,
            "CREATE TEMPORARY TABLE licence (number text PRIMARY KEY)",
            "INSERT INTO licence VALUES ('ZZ987654')",
            "INSERT INTO licence VALUES ('ZZ987654')",
        )
    log = (home_of(running).logs / "postgres.log").read_text(encoding="utf-8")

    assert "licence_pkey" in log
    assert "ZZ987654" not in log


def test_no_port_is_opened(running):
    uid = home_of(running).account.uid
    with socket.create_server(("127.0.0.1", 0)):  # the question can be answered with yes
        assert inodes(os.getpid(), os.getuid()) & listening(os.getuid())

    for pid in processes(running):
        assert not inodes(pid, uid) & listening(uid)
    assert sql(running.servers.admin_url, "SHOW listen_addresses") == ""


def test_what_is_private_is_private_and_no_parent_is_touched(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    home = closed / "a" / "home"
    parents = [closed, *closed.parents]
    before = [(path, mode(path), path.stat().st_uid) for path in parents]

    with start(home, durable=False) as running:
        assert mode(home) == 0o700
        assert mode(home / "passwords.json") == 0o600
        assert mode(socket_folder(running)) == 0o700
        assert mode(home / "postgres") == 0o700
        assert sql(running.servers.admin_url, "SELECT 1") == 1
    assert [(path, mode(path), path.stat().st_uid) for path in parents] == before


def test_no_server_runs_as_root(running):
    for pid in processes(running):
        assert Path(f"/proc/{pid}").stat().st_uid != 0
    assert home_of(running).account.uid == Path(f"/proc/{running.redis_pid}").stat().st_uid


def test_ctrl_c_in_the_terminal_does_not_reach_the_servers(running):
    for pid in (running.postgres_pid, running.redis_pid):
        assert os.getsid(pid) == pid


def test_an_ordinary_user_starts_the_servers_and_owns_them(ground):
    product = Product(ground / "home", ordinary=True)
    told = product.told

    assert told["uid"] != 0
    assert Path(f"/proc/{told['postgres']}").stat().st_uid == told["uid"]
    assert Path(f"/proc/{told['redis']}").stat().st_uid == told["uid"]
    assert sql(told["admin_url"], "CREATE TABLE kept (a int)", "SELECT 1") == 1
    assert product.stop() == 0
    assert gone(told["postgres"])

    again = Product(ground / "home", ordinary=True)
    assert sql(again.told["admin_url"], "SELECT count(*) FROM kept") == 0
    assert again.stop() == 0


def test_data_belongs_to_the_user_who_made_it_whoever_starts_it_next(ground):
    product = Product(ground / "home", ordinary=True)
    assert sql(product.told["admin_url"], "CREATE TABLE kept (a int)", "SELECT 1") == 1
    product.stop()

    with start(ground / "home", durable=False) as running:
        owner = (ground / "home/postgres").stat().st_uid
        assert Path(f"/proc/{running.postgres_pid}").stat().st_uid == owner
        assert sql(running.servers.admin_url, "SELECT count(*) FROM kept") == 0


def test_a_second_start_keeps_the_data_and_the_addresses(home):
    with start(home, durable=False) as first:
        kept = sql(first.servers.admin_url, "CREATE TABLE kept AS SELECT 7 AS a", "SELECT 1")
        addresses = first.servers
    assert kept == 1
    assert not processes(first)
    with start(home, durable=False) as second:
        assert second.servers == addresses
        assert sql(second.servers.admin_url, "SELECT a FROM kept") == 7
        assert sql(second.servers.admin_url, "SHOW fsync") == "off"


def test_two_homes_run_side_by_side(running, home):
    with start(home, durable=False) as other:
        sql(other.servers.admin_url, "CREATE TABLE of_the_other ()", "SELECT 1")
        found = "SELECT to_regclass('of_the_other') IS NOT NULL"

        assert sql(other.servers.admin_url, found) is True
        assert sql(running.servers.admin_url, found) is False
    with redis_at(running) as redis:
        assert redis.ping()  # the other's end was not ours


def test_a_home_in_use_is_refused_with_a_sentence(running):
    home = home_of(running).path
    with pytest.raises(HomeInUseError, match=f"already in use by process {os.getpid()}"):
        start(home)
    with pytest.raises(HomeInUseError):
        erase(home)
    assert sql(running.servers.admin_url, "SELECT 1") == 1


def test_a_home_may_have_any_name_and_be_given_relatively(ground, monkeypatch):
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.chdir(ground)
    with start(Path("dom, 'ŁÓDŹ' 100%41?a&b"), durable=False) as running:
        assert socket_folder(running).parent == Path("/tmp")
        assert sql(running.servers.admin_url, "SELECT 1") == 1
        with redis_at(running) as redis:
            assert redis.ping()


def test_the_socket_of_a_very_long_home_is_short_and_private(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / ("x" * 120)))  # no help either
    home = tmp_path.joinpath(*["a_folder_with_a_long_name"] * 8)
    with start(home, durable=False) as running:
        sockets = [path for path in socket_folder(running).iterdir() if path.is_socket()]

        assert len(sockets) == 2
        assert max(len(os.fsencode(path)) for path in sockets) <= LONGEST_SOCKET
        assert mode(socket_folder(running)) == 0o700
        assert socket_folder(running).stat().st_uid == home_of(running).account.uid
        assert socket_folder(running).parent == Path("/tmp")
        with redis_at(running) as redis:
            assert redis.ping()
    assert not socket_folder(running).exists()


def test_the_users_own_runtime_folder_is_preferred_where_nobody_else_may_write(ground, monkeypatch):
    for mode_, used in ((0o700, True), (0o777, False)):
        runtime = ground / f"runtime-{used}"
        runtime.mkdir()
        runtime.chmod(mode_)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
        with start(ground / "a home with spaces", durable=False) as running:
            assert socket_folder(running).is_relative_to(runtime) is used
            assert sql(running.servers.admin_url, "SELECT 1") == 1


def test_a_link_in_place_of_a_private_folder_is_refused(tmp_path):
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir(mode=0o755)
    (home / "run").symlink_to(elsewhere)

    with pytest.raises(EmbeddedError, match="is not a folder we may use"):
        start(home, durable=False)
    assert mode(elsewhere) == 0o755


def test_a_home_that_cannot_be_made_is_refused_with_its_name(tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="ascii")

    for home in (tmp_path / "file", tmp_path / "file" / "home"):
        with pytest.raises(EmbeddedError, match=r"file.* cannot be used.*PRAWKO_HOME"):
            start(home)


def test_lost_passwords_are_named(home):
    (home / "passwords.json").unlink()

    with pytest.raises(EmbeddedError, match=r"passwords\.json is missing"):
        start(home)


def test_data_of_another_postgresql_are_not_opened(home):
    (home / "postgres/PG_VERSION").write_text("16\n", encoding="ascii")

    with pytest.raises(EmbeddedError, match="was made by PostgreSQL 16"):
        start(home)


def test_a_start_that_fails_says_why_and_leaves_nothing_behind(home):
    (home / "postgres/global/pg_control").unlink()

    with pytest.raises(EmbeddedError, match=r"(?s)did not start.*could not find the database"):
        start(home)
    erase(home)  # refused if the lock were still held
    start(home, durable=False).stop()


def test_an_erased_home_starts_from_empty(home):
    with start(home, durable=False) as running:
        sql(running.servers.admin_url, "CREATE TABLE lost ()", "SELECT 1")
        password = urlsplit(running.servers.admin_url).password
    erase(home)

    assert [path.name for path in home.iterdir()] == ["lock"]
    with start(home, durable=False) as running:
        assert urlsplit(running.servers.admin_url).password != password
        assert sql(running.servers.admin_url, "SELECT to_regclass('lost')") is None
