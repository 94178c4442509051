"""Derives which rights the product's logins use, from the statements that it sends in the tests.

PostgreSQL itself says what a statement needs: it prints the rewritten tree of each one with the
tables, verbs and columns that its executor would check, those of views and locks included.
"""

import asyncio
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from sys import _getframe

import asyncpg

ROOT = Path(__file__).parents[2]
LOGINS = ("app", "worker", "planner", "operator")
# The code whose statements count: not that of the tests, the demo and the migrations.
PRODUCT = (f"{ROOT}/platform/src/prawko/", f"{ROOT}/plugins/")
NO_PRODUCT = (f"{ROOT}/plugins/demo/",)
OURS = f"{ROOT}/"
# Code of ours that passes the statements of others on.
PASSING = (f"{ROOT}/tenants/src/", f"{ROOT}/tests/support/kept_connections.py")

# Login, verb, table, column; a verb without columns has the column "".
Right = tuple[str, str, str, str]
# Login and the text of a statement.
SentStatement = tuple[str, str]

VERBS = {1: "INSERT", 2: "SELECT", 4: "UPDATE", 8: "DELETE"}
FIRST_ATTRIBUTE = 7  # PostgreSQL numbers the columns of its sets from the system columns on
CHECKED = re.compile(
    r":relid (\d+) :inh \w+ :requiredPerms (\d+) :checkAsUser (\d+) :selectedCols \(b([ \d]*)\)"
    r" :insertedCols \(b([ \d]*)\) :updatedCols \(b([ \d]*)\)"
)
CALLED = re.compile(r":funcid (\d+)")
SELECT_COLUMNS = """
    SELECT attrelid::bigint AS table_id, attrelid::regclass::text AS name, attnum, attname
      FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
"""
SELECT_FUNCTIONS = """
    SELECT oid::bigint AS id, replace(oid::regprocedure::text, 'public.', '') AS name
      FROM pg_proc WHERE pronamespace = 'public'::regnamespace
"""
SELECT_GRANTED = """
    SELECT split_part(a.grantee::regrole::text, '_', -1), a.privilege_type, c.relname::text, ''
      FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) AS a
     WHERE c.relnamespace = 'public'::regnamespace AND a.grantee <> c.relowner
    UNION ALL
    SELECT split_part(a.grantee::regrole::text, '_', -1), a.privilege_type, c.relname::text,
           t.attname::text
      FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid
     CROSS JOIN LATERAL aclexplode(t.attacl) AS a
     WHERE c.relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT split_part(a.grantee::regrole::text, '_', -1), a.privilege_type,
           replace(p.oid::regprocedure::text, 'public.', ''), ''
      FROM pg_proc p CROSS JOIN LATERAL aclexplode(p.proacl) AS a
     WHERE p.pronamespace = 'public'::regnamespace AND a.grantee <> p.proowner
"""
# What the triggers of a table use with the rights of the login that writes to it.
SELECT_TRIGGERS = r"""
    SELECT t.tgrelid::regclass::text AS table, named[1] AS name, f.signature, CASE
           WHEN t.tgtype & 4 > 0 THEN 'INSERT' WHEN t.tgtype & 8 > 0 THEN 'DELETE'
           ELSE 'UPDATE' END AS verb
      FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid AND NOT p.prosecdef
     CROSS JOIN regexp_matches(p.prosrc, 'public\.(\w+)', 'g') AS named
      LEFT JOIN LATERAL (
           SELECT replace(oid::regprocedure::text, 'public.', '') AS signature FROM pg_proc
            WHERE proname = named[1] AND pronamespace = 'public'::regnamespace) AS f ON true
     WHERE NOT t.tgisinternal
"""


class StatementRecorder:
    """Records the statements that the product's own code sends with its logins."""

    def __init__(self) -> None:
        self.sent: set[SentStatement] = set()

    def install(self) -> Callable[[], None]:
        """Record from now on; return what ends it."""
        prepare = asyncpg.Connection._get_statement

        async def recorded(connection: asyncpg.Connection, query: str, *args, **options):
            sent = (connection._params.user.rpartition("_")[2], query)
            if sent not in self.sent and sent[0] in LOGINS and _is_sent_by_the_product():
                self.sent.add(sent)
            return await prepare(connection, query, *args, **options)

        asyncpg.Connection._get_statement = recorded
        return lambda: setattr(asyncpg.Connection, "_get_statement", prepare)


def _is_sent_by_the_product() -> bool:
    """Whether the nearest code of ours, but for what passes statements on, is the product's."""
    frame = _getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(OURS) and not file.startswith(PASSING) and ".venv" not in file:
            return file.startswith(PRODUCT) and not file.startswith(NO_PRODUCT)
        frame = frame.f_back
    return True  # the sessions' own statements, of a task


async def derive_rights(admin_url: str, sent: Iterable[SentStatement]) -> set[Right]:
    """Return the rights that the statements need; `admin_url` is a superuser's."""
    connection = await asyncpg.connect(admin_url)
    trees: list[str] = []
    try:
        columns = {
            (row["table_id"], row["attnum"]): (row["name"], row["attname"])
            for row in await connection.fetch(SELECT_COLUMNS)
        }
        functions = {row["id"]: row["name"] for row in await connection.fetch(SELECT_FUNCTIONS)}
        names = {table: name for (table, _), (name, _) in columns.items()}
        connection.add_log_listener(
            lambda _, message: trees.append(" ".join((message.detail or "").split()))
        )
        await connection.execute(
            "SET log_min_messages = panic; SET client_min_messages = log;"
            " SET debug_pretty_print = off; SET debug_print_rewritten = on"
        )
        used: set[Right] = set()
        for login, statement in sent:
            trees.clear()
            try:
                await connection.prepare(statement)
            except asyncpg.PostgresError:
                continue  # of a test that changed the structure
            await asyncio.sleep(0)  # the listener is called by the loop
            for tree in trees:
                used |= {(login, *right) for right in _read_tree(tree, names, columns)}
                used |= {
                    (login, "EXECUTE", functions[int(called)], "")
                    for called in CALLED.findall(tree)
                    if int(called) in functions
                }
        return used | _find_rights_of_triggers(used, await connection.fetch(SELECT_TRIGGERS))
    finally:
        await connection.close()


async def fetch_granted(admin_url: str) -> set[Right]:
    """Return the rights that the logins have: of a whole table without a column."""
    connection = await asyncpg.connect(admin_url)
    try:
        rows = await connection.fetch(SELECT_GRANTED)
    finally:
        await connection.close()
    return {tuple(row) for row in rows if row[0] in LOGINS}


def find_unused(granted: Iterable[Right], used: Iterable[Right]) -> list[str]:
    """Return a sentence for each right that nothing uses.

    A right on a table is used with any of its columns, a right on a column with that column.
    """
    used = set(used)
    used_verbs = {(login, verb, table) for login, verb, table, _ in used}
    # A lock needs UPDATE of any column, and the rows that a statement counts SELECT of any.
    of_any = {right[:3] for right in used if right[3] == ""}
    sentences = []
    for login, verb, table, column in sorted(granted):
        if column == "":
            is_used = (login, verb, table) in used_verbs
        else:
            is_used = (login, verb, table, column) in used or (
                (login, verb, table) in of_any
                and column == _first_column(granted, login, verb, table)
            )
        if not is_used:
            of = f" of {column}" if column else ""
            sentences.append(f"{login}: {verb}{of} on {table} is used by nothing")
    return sentences


def _first_column(granted: Iterable[Right], login: str, verb: str, table: str) -> str:
    return min(right[3] for right in granted if right[:3] == (login, verb, table))


def _read_tree(
    tree: str, names: dict[int, str], columns: dict[tuple[int, int], tuple[str, str]]
) -> Iterable[tuple[str, str, str]]:
    for relid, permissions, _, *sets in CHECKED.findall(tree):
        table = names.get(int(relid))
        if table is None:
            continue
        numbers = dict(zip(("SELECT", "INSERT", "UPDATE"), map(_read_set, sets), strict=True))
        for bit, verb in VERBS.items():
            if int(permissions) & bit:
                named = [columns.get((int(relid), number)) for number in numbers.get(verb, ())]
                yield from ((verb, table, column[1]) for column in named if column)
                if not any(named):
                    yield verb, table, ""


def _find_rights_of_triggers(
    used: set[Right], triggers: Iterable[asyncpg.Record]
) -> Iterable[Right]:
    writers = {(verb, table): set[str]() for _, verb, table, _ in used}
    for login, verb, table, _ in used:
        writers[verb, table].add(login)
    return {
        (login, "EXECUTE" if row["signature"] else "SELECT", row["signature"] or row["name"], "")
        for row in triggers
        for login in writers.get((row["verb"], row["table"]), ())
    }


def _read_set(text: str) -> list[int]:
    return [int(number) - FIRST_ATTRIBUTE for number in text.split()]
