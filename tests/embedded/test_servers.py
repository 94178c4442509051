"""The embedded servers, started by the user of the tests and by an ordinary user."""

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

from prawko_embedded import EmbeddedError, HomeInUseError, erase_home, start_servers
from prawko_embedded.home import MAX_SOCKET_PATH
from prawko_embedded.process import processes_with_tag
from support.embedded import EmbeddedProcess, run_sql, wait_until_ended


@pytest.fixture(scope="module")
def closed_folder(tmp_path_factory):
    """A folder that only its owner can enter, like /root."""
    folder = tmp_path_factory.mktemp("closed")
    folder.chmod(0o700)
    return folder


@pytest.fixture(scope="module")
def running(closed_folder):
    with start_servers(closed_folder / "home") as running:
        yield running


def connect_redis(running):
    return Redis.from_url(running.urls.redis_url, decode_responses=True)


def socket_folder(running):
    return Path(parse_qs(urlsplit(running.urls.admin_url).query)["host"][0])


def home_of(running):
    return running.home


def server_processes(running):
    tag = home_of(running).process_tag
    return {**processes_with_tag(tag, "postgres"), **processes_with_tag(tag, "redis-server")}


def file_mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def listening_inodes(uid):
    """Return the inodes of a user's listening TCP sockets and UDP sockets."""
    inodes = set()
    for table, states in (("tcp", {"0A"}), ("tcp6", {"0A"}), ("udp", None), ("udp6", None)):
        path = Path("/proc/net", table)
        rows = path.read_text(encoding="ascii").splitlines()[1:] if path.exists() else ()
        for fields in map(str.split, rows):
            if fields[7] == str(uid) and (states is None or fields[3] in states):
                inodes.add(fields[9])
    return inodes


def socket_inodes(pid, uid):
    """Return the inodes of a process's sockets; without permission, its user's listening ones."""
    inodes = set()
    try:
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):
                inodes.add(str(entry.readlink()).removeprefix("socket:[").removesuffix("]"))
    except PermissionError:
        return listening_inodes(uid)
    return inodes


def test_the_database_is_what_the_product_expects(running):
    def query(statement):
        return run_sql(running.urls.admin_url, statement)

    assert query("SELECT current_setting('server_version_num')::int / 10000") == 18
    assert query("SELECT datlocprovider::text FROM pg_database WHERE datname = 'postgres'") == "b"
    assert query("SHOW server_encoding") == "UTF8"
    assert query("SELECT lower('ŻÓŁĆ')") == "żółć"
    assert query("SHOW TimeZone") == "UTC"
    assert query("SELECT string_agg(DISTINCT auth_method, ' ') FROM pg_hba_file_rules") == (
        "scram-sha-256"
    )
    assert query("SELECT rolpassword FROM pg_authid WHERE rolname = 'postgres'").startswith(
        "SCRAM-"
    )
    assert [
        query(f"SHOW {name}") for name in ("fsync", "synchronous_commit", "full_page_writes")
    ] == [
        "on",
        "on",
        "on",
    ]


def test_redis_keeps_every_queued_job_and_persists_nothing(running):
    with connect_redis(running) as redis:
        assert redis.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        assert redis.config_get("appendonly") == {"appendonly": "no"}
        assert redis.config_get("save") == {"save": ""}
        assert redis.config_get("port") == {"port": "0"}


def test_connections_need_the_password(running):
    address = urlsplit(running.urls.admin_url)
    for password in (address.password + "x", "postgres"):
        with pytest.raises(asyncpg.InvalidPasswordError):
            run_sql(running.urls.admin_url.replace(address.password, password), "SELECT 1")
    url = running.urls.redis_url.partition("?")[0]
    with Redis.from_url(url) as redis, pytest.raises(AuthenticationError):
        redis.ping()


def test_passwords_are_in_no_command_line_and_no_log(running):
    home = home_of(running)
    text = b"".join(server_processes(running).values())
    text += b"".join(path.read_bytes() for path in home.logs_path.iterdir())

    assert len(server_processes(running)) > 5
    assert home.passwords.postgres.encode() not in text
    assert home.passwords.redis.encode() not in text


def test_a_failing_statement_writes_no_personal_data_into_the_log(running):
    with pytest.raises(asyncpg.UniqueViolationError):
        run_sql(
            running.urls.admin_url,
            "CREATE TEMPORARY TABLE licence (number text PRIMARY KEY)",
            "INSERT INTO licence VALUES ('ZZ987654')",
            "INSERT INTO licence VALUES ('ZZ987654')",
        )
    log = (home_of(running).logs_path / "postgres.log").read_text(encoding="utf-8")

    assert "licence_pkey" in log
    assert "ZZ987654" not in log


def test_no_port_is_opened(running):
    uid = home_of(running).account.uid
    with socket.create_server(("127.0.0.1", 0)):  # proves that the comparison can find one
        assert socket_inodes(os.getpid(), os.getuid()) & listening_inodes(os.getuid())

    for pid in server_processes(running):
        assert not socket_inodes(pid, uid) & listening_inodes(uid)
    assert run_sql(running.urls.admin_url, "SHOW listen_addresses") == ""


def test_folders_are_private_and_parents_are_unchanged(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    home = closed / "a" / "home"
    parents = [closed, *closed.parents]
    before = [(path, file_mode(path), path.stat().st_uid) for path in parents]

    with start_servers(home, durable=False) as running:
        assert file_mode(home) == 0o700
        assert file_mode(home / "passwords.json") == 0o600
        assert file_mode(socket_folder(running)) == 0o700
        assert file_mode(home / "postgres") == 0o700
        assert run_sql(running.urls.admin_url, "SELECT 1") == 1
    assert [(path, file_mode(path), path.stat().st_uid) for path in parents] == before


def test_no_server_runs_as_root(running):
    for pid in server_processes(running):
        assert Path(f"/proc/{pid}").stat().st_uid != 0
    assert home_of(running).account.uid == Path(f"/proc/{running.redis_pid}").stat().st_uid


def test_ctrl_c_in_the_terminal_does_not_reach_the_servers(running):
    for pid in (running.postgres_pid, running.redis_pid):
        assert os.getsid(pid) == pid


def test_an_ordinary_user_starts_the_servers_and_owns_them(open_folder):
    product = EmbeddedProcess(open_folder / "home", ordinary=True)
    info = product.info

    assert info["uid"] != 0
    assert Path(f"/proc/{info['postgres']}").stat().st_uid == info["uid"]
    assert Path(f"/proc/{info['redis']}").stat().st_uid == info["uid"]
    assert run_sql(info["admin_url"], "CREATE TABLE stored (a int)", "SELECT 1") == 1
    assert product.stop() == 0
    assert wait_until_ended(info["postgres"])

    restarted = EmbeddedProcess(open_folder / "home", ordinary=True)
    assert run_sql(restarted.info["admin_url"], "SELECT count(*) FROM stored") == 0
    assert restarted.stop() == 0


def test_the_servers_run_as_the_owner_of_the_data(open_folder):
    product = EmbeddedProcess(open_folder / "home", ordinary=True)
    assert run_sql(product.info["admin_url"], "CREATE TABLE stored (a int)", "SELECT 1") == 1
    product.stop()

    with start_servers(open_folder / "home", durable=False) as running:
        owner = (open_folder / "home/postgres").stat().st_uid
        assert Path(f"/proc/{running.postgres_pid}").stat().st_uid == owner
        assert run_sql(running.urls.admin_url, "SELECT count(*) FROM stored") == 0


def test_a_second_start_keeps_the_data_and_the_addresses(home):
    with start_servers(home, durable=False) as first:
        value = run_sql(first.urls.admin_url, "CREATE TABLE stored AS SELECT 7 AS a", "SELECT 1")
        addresses = first.urls
    assert value == 1
    assert not server_processes(first)
    with start_servers(home, durable=False) as second:
        assert second.urls == addresses
        assert run_sql(second.urls.admin_url, "SELECT a FROM stored") == 7
        assert run_sql(second.urls.admin_url, "SHOW fsync") == "off"


def test_two_homes_run_side_by_side(running, home):
    with start_servers(home, durable=False) as second_servers:
        run_sql(second_servers.urls.admin_url, "CREATE TABLE of_the_other ()", "SELECT 1")
        exists = "SELECT to_regclass('of_the_other') IS NOT NULL"

        assert run_sql(second_servers.urls.admin_url, exists) is True
        assert run_sql(running.urls.admin_url, exists) is False
    with connect_redis(running) as redis:
        assert redis.ping()  # the end of the other home's servers had no effect


def test_a_home_in_use_is_rejected_with_its_process(running):
    home = home_of(running).path
    with pytest.raises(HomeInUseError, match=f"already in use by process {os.getpid()}"):
        start_servers(home)
    with pytest.raises(HomeInUseError):
        erase_home(home)
    assert run_sql(running.urls.admin_url, "SELECT 1") == 1


def test_a_home_may_have_any_name_and_be_given_relatively(open_folder, monkeypatch):
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.chdir(open_folder)
    with start_servers(Path("dom, 'ŁÓDŹ' 100%41?a&b"), durable=False) as running:
        assert socket_folder(running).parent == Path("/tmp")
        assert run_sql(running.urls.admin_url, "SELECT 1") == 1
        with connect_redis(running) as redis:
            assert redis.ping()


def test_the_socket_of_a_very_long_home_is_short_and_private(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / ("x" * 120)))  # too long as well
    home = tmp_path.joinpath(*["a_folder_with_a_long_name"] * 8)
    with start_servers(home, durable=False) as running:
        sockets = [path for path in socket_folder(running).iterdir() if path.is_socket()]

        assert len(sockets) == 2
        assert max(len(os.fsencode(path)) for path in sockets) <= MAX_SOCKET_PATH
        assert file_mode(socket_folder(running)) == 0o700
        assert socket_folder(running).stat().st_uid == home_of(running).account.uid
        assert socket_folder(running).parent == Path("/tmp")
        with connect_redis(running) as redis:
            assert redis.ping()
    assert not socket_folder(running).exists()


def test_a_private_runtime_folder_of_the_user_is_preferred(open_folder, monkeypatch):
    for mode, is_used in ((0o700, True), (0o777, False)):
        runtime = open_folder / f"runtime-{is_used}"
        runtime.mkdir()
        runtime.chmod(mode)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
        with start_servers(open_folder / "a home with spaces", durable=False) as running:
            assert socket_folder(running).is_relative_to(runtime) is is_used
            assert run_sql(running.urls.admin_url, "SELECT 1") == 1


def test_a_link_in_place_of_a_private_folder_is_rejected(tmp_path):
    home, renamed = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    renamed.mkdir(mode=0o755)
    (home / "run").symlink_to(renamed)

    with pytest.raises(EmbeddedError, match="is not a folder we may use"):
        start_servers(home, durable=False)
    assert file_mode(renamed) == 0o755


def test_a_home_that_cannot_be_created_is_rejected_with_its_path(tmp_path):
    (tmp_path / "file").write_text("a file", encoding="ascii")

    for home in (tmp_path / "file", tmp_path / "file" / "home"):
        with pytest.raises(EmbeddedError, match=r"file.* cannot be used.*PRAWKO_HOME"):
            start_servers(home)


def test_a_missing_password_file_is_reported(home):
    (home / "passwords.json").unlink()

    with pytest.raises(EmbeddedError, match=r"passwords\.json is missing"):
        start_servers(home)


def test_data_of_another_postgresql_version_are_rejected(home):
    (home / "postgres/PG_VERSION").write_text("16\n", encoding="ascii")

    with pytest.raises(EmbeddedError, match="was made by PostgreSQL 16"):
        start_servers(home)


def test_a_failed_start_is_reported_and_cleaned_up(home):
    (home / "postgres/global/pg_control").unlink()

    with pytest.raises(EmbeddedError, match=r"(?s)did not start.*could not find the database"):
        start_servers(home)
    erase_home(home)  # fails while the lock is held
    start_servers(home, durable=False).stop()


def test_an_erased_home_starts_empty(home):
    with start_servers(home, durable=False) as running:
        run_sql(running.urls.admin_url, "CREATE TABLE lost ()", "SELECT 1")
        password = urlsplit(running.urls.admin_url).password
    erase_home(home)

    assert [path.name for path in home.iterdir()] == ["lock"]
    with start_servers(home, durable=False) as running:
        assert urlsplit(running.urls.admin_url).password != password
        assert run_sql(running.urls.admin_url, "SELECT to_regclass('lost')") is None
