"""Revokes what PostgreSQL grants to every login: other databases, large objects, lasting locks."""

from collections.abc import Iterator
from dataclasses import dataclass

# No request and no act of an operator takes as long; a lock ends with its transaction.
MAX_TRANSACTION = "5min"
OTHER_DATABASES = ("postgres", "template1")

# No policy covers large objects. Only migrations take locks that outlive their transaction.
_REVOKE_FUNCTIONS = """\
DO $$
DECLARE
    called regprocedure;
BEGIN
    FOR called IN
        SELECT oid FROM pg_catalog.pg_proc
         WHERE pronamespace = 'pg_catalog'::regnamespace
           AND (proname ~ '^lo_' OR proname IN ('loread', 'lowrite')
                OR proname ~ '^pg_(try_)?advisory_lock')
    LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', called);
        IF called::text ~ 'advisory' THEN
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO {owner}', called);
        END IF;
    END LOOP;
END
$$"""


@dataclass(frozen=True)
class Step:
    """A statement of the provisioning, left out where the query `unless` has a row."""

    statement: str
    unless: str = ""


def revoke_public_rights(owner: str) -> Iterator[Step]:
    """Yield the steps that a superuser takes in the product's database.

    `owner` is a quoted name. Only logins with a right by name can still connect to the other two
    databases of the server.
    """
    yield Step(_REVOKE_FUNCTIONS.format(owner=owner))
    for database in OTHER_DATABASES:
        is_there = f"SELECT FROM pg_catalog.pg_database WHERE datname = '{database}'"
        yield Step(
            f"REVOKE CONNECT, TEMPORARY ON DATABASE {database} FROM PUBLIC",
            unless=f"SELECT WHERE NOT EXISTS ({is_there})",
        )


def limit_transactions(target: str) -> Step:
    """Return the step that limits transactions of `ROLE … IN DATABASE …`; from PostgreSQL 17 on."""
    return Step(
        f"ALTER {target} SET transaction_timeout = '{MAX_TRANSACTION}'",
        unless="SELECT WHERE current_setting('server_version_num')::int < 170000",
    )
