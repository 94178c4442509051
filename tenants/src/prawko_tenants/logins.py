"""Provisions an installation's database and its roles on a PostgreSQL server; changes passwords.

Each role has two logins in turn: the role itself, and a standby that becomes the role when it signs
in. A new password is that of the other login, so that processes with the old one go on meanwhile.
"""

import asyncio
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta

import asyncpg

from prawko_tenants.passwords import draw_password, scram_verifier
from prawko_tenants.public_rights import Step, limit_transactions, revoke_public_rights
from prawko_tenants.roles import ROLE_NAMES, Roles, quote_identifier, quote_literal
from prawko_tenants.urls import to_asyncpg_dsn, url_for_login

# Bounds how long a runaway statement or an idle transaction holds its locks. The migrations set
# the owner's limits themselves; a dump has none.
LOGIN_TIMEOUTS = {
    "app": {"statement_timeout": "30s", "idle_in_transaction_session_timeout": "60s"},
    "worker": {"statement_timeout": "60s", "idle_in_transaction_session_timeout": "60s"},
    "planner": {"statement_timeout": "5min", "idle_in_transaction_session_timeout": "60s"},
    "operator": {"statement_timeout": "60s", "idle_in_transaction_session_timeout": "60s"},
}
TRANSACTION_LIMITED = ("app", "operator")
CONNECT_SECONDS = 10
# A statement may wait for another installation of the same server.
STATEMENT_SECONDS = 300

_IS_SIGNED_IN = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE usename = $1)"
_COUNT_TABLES = """
    SELECT count(*) FROM pg_class WHERE relkind IN ('r', 'p')
       AND relnamespace = 'public'::regnamespace
"""


@dataclass(frozen=True)
class Logins:
    """Database URL of each login, password included."""

    owner: str
    app: str
    worker: str
    planner: str
    operator: str
    backup: str


class ProvisioningError(RuntimeError):
    """The request would harm another installation, or names a login that is not there."""


def provision_database(
    admin_url: str,
    *,
    database: str,
    passwords: Mapping[str, str] | None = None,
    prefix: str = "prawko",
    on_standby: Collection[str] = (),
) -> Logins:
    """Create database and roles, or reset them to their intended attributes; return the URLs.

    `admin_url` is a superuser's, over TCP or a socket (`?host=/path`), on PostgreSQL 15 or later.
    `passwords` has one for each of ROLE_NAMES; without it every role gets a new random one, which
    only the return value holds. The passwords of the roles in `on_standby` are those of their
    second logins, and the first ones stay as they are. Idempotent. Blocking: not for a running
    event loop. Raises ProvisioningError where the roles belong to another database.
    """
    roles = _roles(prefix)
    given = passwords or {name: draw_password() for name in ROLE_NAMES}
    asyncio.run(
        _provision(to_asyncpg_dsn(admin_url), database, roles, given, on_standby=on_standby)
    )
    return Logins(
        **{
            name: url_for_login(
                admin_url,
                roles.standby(name) if name in on_standby else roles.login(name),
                given[name],
                database,
            )
            for name in ROLE_NAMES
        }
    )


def provision_missing(
    admin_url: str,
    *,
    database: str,
    prefix: str = "prawko",
    renewed: Collection[str] = (),
    replication: bool = False,
) -> dict[str, str]:
    """Like `provision_database`, and keep the passwords of logins that exist.

    Returns the URLs of the logins that are new, and of those whose password was to be `renewed`.
    """
    names = (*ROLE_NAMES, "replication") if replication else ROLE_NAMES
    if unknown := set(renewed) - set(names):
        raise ProvisioningError(f"there is no login {min(unknown)}: {', '.join(names)}")
    passwords = {name: draw_password() for name in names}
    roles = _roles(prefix)

    existing = asyncio.run(_list_logins(to_asyncpg_dsn(admin_url)))
    new = {
        name: passwords[name]
        for name in names
        if name in renewed or roles.login(name) not in existing
    }
    asyncio.run(
        _provision(to_asyncpg_dsn(admin_url), database, roles, new, replication=replication)
    )
    return {
        name: url_for_login(
            admin_url,
            roles.login(name),
            password,
            "postgres" if name == "replication" else database,
        )
        for name, password in new.items()
    }


def render_provisioning(
    *,
    database: str,
    prefix: str = "prawko",
    passwords: Mapping[str, str],
    replication: bool = False,
) -> str:
    """Return the statements of `provision_database` as a script for psql.

    It holds verifiers, not the passwords themselves. Roles that exist get the passwords, too.
    """
    roles = _roles(prefix)
    on_server = _server_steps(database, roles, passwords, replication=replication)
    lines = [
        "\\set ON_ERROR_STOP on",
        *map(_psql_line, on_server),
        f"\\connect {quote_identifier(database)}",
        *map(_psql_line, _database_steps(roles)),
    ]
    return "\n".join(lines) + "\n"


def rotate_login(
    admin_url: str, name: str, *, database: str, prefix: str = "prawko", overlap: timedelta
) -> str:
    """Give a role a second login with a new password, and return its URL.

    The present login can sign in for `overlap` longer; with none its sessions end at once. Raises
    ProvisioningError for a role that is not there, and, unless without overlap, while processes are
    signed in with the login that would get the new password.
    """
    roles = _roles(prefix)
    if name not in ROLE_NAMES:
        raise ProvisioningError(f"there is no login {name}: {', '.join(ROLE_NAMES)}")
    password = draw_password()
    login = asyncio.run(
        _rotate(to_asyncpg_dsn(admin_url), database, roles, name, password, overlap)
    )
    return url_for_login(admin_url, login, password, database)


def is_empty_database(url: str) -> bool:
    """Whether a database has no tables."""

    async def count() -> int:
        connection = await _connect(to_asyncpg_dsn(url))
        try:
            return int(await connection.fetchval(_COUNT_TABLES))
        finally:
            await connection.close()

    return asyncio.run(count()) == 0


async def _connect(dsn: str, database: str | None = None) -> asyncpg.Connection:
    return await asyncpg.connect(
        dsn, database=database, timeout=CONNECT_SECONDS, command_timeout=STATEMENT_SECONDS
    )


def _roles(prefix: str) -> Roles:
    if not prefix.isidentifier() or not prefix.isascii() or prefix != prefix.lower():
        raise ValueError(f"{prefix!r} cannot begin the name of a role")
    return Roles(prefix)


async def _provision(
    admin_url: str,
    database: str,
    roles: Roles,
    passwords: Mapping[str, str],
    *,
    replication: bool = False,
    on_standby: Collection[str] = (),
) -> None:
    first = {name: password for name, password in passwords.items() if name not in on_standby}
    connection = await _connect(admin_url)
    try:
        # Roles are global to the server: concurrent provisioning would conflict.
        await connection.execute("SELECT pg_advisory_lock(hashtext('prawko_logins'))")
        await _refuse_foreign_roles(connection, database, roles)
        steps = _server_steps(database, roles, first, replication=replication)
        await _run_steps(connection, steps)
        for name in on_standby:
            login, password = roles.standby(name), passwords[name]
            await _run_steps(connection, _standby_steps(database, name, roles, login, password))
        inside = await _connect(admin_url, database)
        try:
            await _run_steps(inside, _database_steps(roles))
        finally:
            await inside.close()
    finally:
        await connection.close()


async def _list_logins(admin_url: str) -> set[str]:
    connection = await _connect(admin_url)
    try:
        rows = await connection.fetch("SELECT rolname FROM pg_roles WHERE rolcanlogin")
    finally:
        await connection.close()
    return {row["rolname"] for row in rows}


async def _refuse_foreign_roles(
    connection: asyncpg.Connection, database: str, roles: Roles
) -> None:
    """Raise ProvisioningError where the owner owns another database: its logins would change."""
    other = await connection.fetchval(
        "SELECT datname FROM pg_database WHERE datdba = to_regrole($1) AND datname <> $2 LIMIT 1",
        roles.owner,
        database,
    )
    if other is not None:
        raise ProvisioningError(
            f"the logins {roles.prefix}_… belong to the database {other} on this server:"
            f" name that, or give {database} logins of its own with --prefix"
        )


async def _run_steps(connection: asyncpg.Connection, steps: Iterator[Step]) -> None:
    for step in steps:
        if not (step.unless and await connection.fetchval(f"SELECT EXISTS ({step.unless})")):
            await connection.execute(step.statement)


def _psql_line(step: Step) -> str:
    if not step.unless:
        return f"{step.statement};"
    statement = step.statement.replace("'", "''")
    return f"SELECT '{statement}' WHERE NOT EXISTS ({step.unless}) \\gexec"


def _server_steps(
    database: str, roles: Roles, passwords: Mapping[str, str], *, replication: bool
) -> Iterator[Step]:
    for name in ROLE_NAMES:
        yield from _role_steps(roles.login(name), passwords.get(name), _attributes(name))
        if name in passwords:
            standby = roles.standby(name)
            is_there = f"SELECT FROM pg_roles WHERE rolname = {quote_literal(standby)}"
            yield Step(
                f"ALTER ROLE {quote_identifier(standby)} NOLOGIN",
                unless=f"SELECT WHERE NOT EXISTS ({is_there})",
            )
    yield from _backup_steps(roles.backup)
    if replication:
        login = roles.login("replication")
        yield from _role_steps(login, passwords.get("replication"), "NOBYPASSRLS REPLICATION")
        yield Step(f"GRANT CONNECT ON DATABASE postgres TO {quote_identifier(login)}")
    name, owner = quote_identifier(database), quote_identifier(roles.owner)
    yield Step(
        f"CREATE DATABASE {name} OWNER {owner}",
        unless=f"SELECT FROM pg_database WHERE datname = {quote_literal(database)}",
    )
    yield Step(f"ALTER DATABASE {name} OWNER TO {owner}")
    yield Step(f"REVOKE ALL ON DATABASE {name} FROM PUBLIC")
    # A log of slow statements, and the details of errors ("Key (license_number)=…"), would hold
    # names and licence numbers otherwise.
    yield Step(f"ALTER DATABASE {name} SET log_parameter_max_length = 0")
    yield Step(f"ALTER DATABASE {name} SET log_parameter_max_length_on_error = 0")
    yield Step(f"ALTER DATABASE {name} SET log_error_verbosity = terse")
    for role_name in ROLE_NAMES[1:]:
        yield from _connection_steps(database, role_name, roles.login(role_name))


def _role_steps(login: str, password: str | None, attributes: str) -> Iterator[Step]:
    role = quote_identifier(login)
    yield Step(
        f"CREATE ROLE {role}",
        unless=f"SELECT FROM pg_roles WHERE rolname = {quote_literal(login)}",
    )
    secret = "" if password is None else f" PASSWORD '{scram_verifier(password)}'"
    forever = "" if password is None else " VALID UNTIL 'infinity'"
    yield Step(
        f"ALTER ROLE {role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT"
        f" {attributes}{secret}{forever}"
    )


def _backup_steps(login: str) -> Iterator[Step]:
    """Let a dump lock and read partitions, on which no role has a right of its own."""
    backup = quote_identifier(login)
    yield Step(f"ALTER ROLE {backup} INHERIT")
    yield Step(f"GRANT pg_read_all_data TO {backup}")


def _attributes(name: str) -> str:
    return f"{'BYPASSRLS' if name == 'backup' else 'NOBYPASSRLS'} NOREPLICATION"


def _connection_steps(database: str, role_name: str, login: str) -> Iterator[Step]:
    """Let a login connect, within its limits."""
    name, role = quote_identifier(database), quote_identifier(login)
    yield Step(f"GRANT CONNECT ON DATABASE {name} TO {role}")
    # Just-in-time compilation takes longer than any query here.
    yield Step(f"ALTER ROLE {role} IN DATABASE {name} SET jit = off")
    for setting, value in LOGIN_TIMEOUTS.get(role_name, {}).items():
        yield Step(f"ALTER ROLE {role} IN DATABASE {name} SET {setting} = '{value}'")
    if role_name in TRANSACTION_LIMITED:
        yield limit_transactions(f"ROLE {role} IN DATABASE {name}")


def _database_steps(roles: Roles) -> Iterator[Step]:
    owner = quote_identifier(roles.owner)
    yield Step(f"ALTER SCHEMA public OWNER TO {owner}")
    yield Step("REVOKE ALL ON SCHEMA public FROM PUBLIC")
    for name in ROLE_NAMES[1:]:
        yield Step(f"GRANT USAGE ON SCHEMA public TO {quote_identifier(roles.login(name))}")
    # PostgreSQL lets PUBLIC execute new functions by default.
    yield Step(f"ALTER DEFAULT PRIVILEGES FOR ROLE {owner} REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC")
    yield from revoke_public_rights(owner)


async def _rotate(
    admin_url: str, database: str, roles: Roles, name: str, password: str, overlap: timedelta
) -> str:
    """Set the password of the login that is not in use; return its name."""
    role, standby = roles.login(name), roles.standby(name)
    connection = await _connect(admin_url)
    try:
        await connection.execute("SELECT pg_advisory_lock(hashtext('prawko_logins'))")
        # The one that expires is the one that was replaced.
        in_use = await connection.fetchval(
            "SELECT rolname FROM pg_roles WHERE rolname IN ($1, $2) AND rolcanlogin"
            " ORDER BY coalesce(rolvaliduntil, 'infinity') DESC, rolname LIMIT 1",
            role,
            standby,
        )
        if in_use is None:
            raise ProvisioningError(f"there is no login {role}: run `prawko db provision` first")
        login = standby if in_use == role else role
        if overlap and await _stays_signed_in(connection, login):
            raise ProvisioningError(
                f"processes are still signed in as {login}, whose password would change: give them"
                f" the URL of {in_use} first, or say `--overlap 0`"
            )
        await _run_steps(connection, _standby_steps(database, name, roles, login, password))
        present = quote_identifier(in_use)
        expiry = await connection.fetchval("SELECT clock_timestamp() + $1::interval", overlap)
        await connection.execute(f"ALTER ROLE {present} VALID UNTIL '{expiry.isoformat()}'")
        if not overlap:
            await connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1", in_use
            )
    finally:
        await connection.close()
    return login


async def _stays_signed_in(connection: asyncpg.Connection, login: str) -> bool:
    """Whether a login has sessions, other than such as are just ending."""
    for _ in range(5):
        if not await connection.fetchval(_IS_SIGNED_IN, login):
            return False
        await asyncio.sleep(0.2)
    return True


def _standby_steps(
    database: str, name: str, roles: Roles, login: str, password: str
) -> Iterator[Step]:
    role = roles.login(name)
    yield from _role_steps(login, password, _attributes(name))
    if login == role:
        if name == "backup":
            yield from _backup_steps(role)
        return
    # At every sign-in it becomes the role, with its rights and policies; it has none of its own.
    quoted = quote_identifier(login)
    yield Step(f"GRANT {quote_identifier(role)} TO {quoted}")
    yield Step(f"ALTER ROLE {quoted} SET role = {quote_literal(role)}")
    yield from _connection_steps(database, name, login)
