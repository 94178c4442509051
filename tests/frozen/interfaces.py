"""What others rely on, as text with one fact a line: interfaces, stored words, schema and rights.

Customers' browsers, operators' scripts and dashboards, plugins and the previous release depend on
these facts. They change on purpose, with a line in CHANGELOG.md, or not at all.
"""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import click
import msgspec

import prawko.apps.web.app
import prawko.apps.web.console_app
import prawko.apps.worker.main  # noqa: F401 (what they import counts metrics)
from prawko.accounts.acts.models import AdminActionType
from prawko.accounts.audit_log import AuditEvent
from prawko.apps.cli.main import prawko as command_line
from prawko.apps.web.openapi import build_console_document
from prawko.kit.observability.metrics import REGISTRY
from prawko.kit.text.i18n import Language, load_catalog
from prawko.notifications.catalogue import CATALOGUE, Bundling, NoticeKind
from prawko_embedded import start_servers
from prawko_migrations import upgrade_database
from prawko_tenants.logins import provision_database
from support.used_rights import fetch_granted

# Of partitions, which are made by date, only the parent counts. Names of roles begin with the
# name of the database.
SELECT_SCHEMA = """
WITH relation AS (
    SELECT c.oid, c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v')
       AND NOT c.relispartition
)
SELECT format('%s.%s %s%s%s', name, attname, format_type(atttypid, atttypmod),
              CASE WHEN attnotnull THEN ' NOT NULL' END,
              ' DEFAULT ' || pg_get_expr(adbin, adrelid))
  FROM relation JOIN pg_attribute a ON a.attrelid = relation.oid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
 WHERE attnum > 0 AND NOT attisdropped
UNION ALL
SELECT format('%s CONSTRAINT %s %s', name, conname, pg_get_constraintdef(c.oid))
  FROM relation JOIN pg_constraint c ON c.conrelid = relation.oid
UNION ALL
SELECT format('%s %s', name, pg_get_indexdef(indexrelid))
  FROM relation JOIN pg_index i ON i.indrelid = relation.oid
UNION ALL
SELECT format('%s POLICY %s FOR %s TO %s USING %s CHECK %s', name, polname, polcmd,
              (SELECT string_agg(role, ', ' ORDER BY role)
                 FROM (SELECT coalesce(split_part(r.rolname, '_', -1), 'PUBLIC') AS role
                         FROM unnest(polroles) AS one LEFT JOIN pg_roles r ON r.oid = one) AS x),
              pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
  FROM relation JOIN pg_policy p ON p.polrelid = relation.oid
UNION ALL
SELECT format('%s %s', name, pg_get_triggerdef(t.oid))
  FROM relation JOIN pg_trigger t ON t.tgrelid = relation.oid WHERE NOT tgisinternal
UNION ALL
SELECT format('FUNCTION %s%s %s', p.oid::regprocedure, CASE WHEN prosecdef THEN ' DEFINER' END,
              md5(prosrc))
  FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
"""


def collect_interfaces() -> dict[str, str]:
    """Return the content of each frozen file by its name."""
    schema, rights = read_database()
    return {
        "console-openapi.json": format_console_document(),
        "notices.txt": "\n".join(list_notices()),
        "activities.txt": "\n".join(list_activities()),
        "incidents.txt": "\n".join(list_incidents()),
        "metrics.txt": "\n".join(list_metrics()),
        "commands.txt": "\n".join(list_commands(command_line, "prawko")),
        "schema.txt": "\n".join(schema),
        "rights.txt": "\n".join(rights),
    }


def format_console_document() -> str:
    """Return the console's OpenAPI document; the panel's is the front end's `openapi.json`."""
    return msgspec.json.format(
        msgspec.json.encode(build_console_document(), order="sorted"), indent=1
    ).decode()


def list_notices() -> Iterator[str]:
    """Yield the kinds of notice: media, groups, and how several of them are sent."""
    for kind in NoticeKind:
        spec = CATALOGUE[kind]
        media = ", ".join(sorted(spec.media)) or "panel only"
        groups = ", ".join(sorted(spec.groups)) or "-"
        traits = {
            "members": spec.is_for_members_only,
            "bundled": spec.bundling is Bundling.KIND,
            "digest": spec.bundling is Bundling.FIRST_CHECK,
        }
        words = ", ".join(name for name, holds in traits.items() if holds) or "-"
        yield f"{kind.value} | {media} | {groups} | {words}"


def list_activities() -> Iterator[str]:
    """Yield the stored words of both logs: people's activities and operators' acts."""
    yield from sorted(f"user_activity {event.value}" for event in AuditEvent)
    yield from sorted(f"admin_action {action.value}" for action in AdminActionType)


def list_incidents() -> Iterator[str]:
    """Yield the kinds of incident that have a text of their own."""
    yield from sorted(load_catalog(Language.EN)["mails"]["operator"]["kinds"])


def list_metrics() -> Iterator[str]:
    """Yield each metric: name, kind, labels, help text."""
    for metric in sorted(REGISTRY, key=lambda one: one.name):
        labels = ", ".join(metric.label_names) or "-"
        yield f"{metric.name} | {metric.kind} | {labels} | {metric.help}"


def list_commands(command: click.Command, name: str) -> Iterator[str]:
    """Yield the help of a command and of all below it."""
    with click.Context(command, info_name=name, terminal_width=100) as context:
        yield f"$ {name} --help"
        yield command.get_help(context)
        yield ""
    for child, below in sorted(getattr(command, "commands", {}).items()):
        yield from list_commands(below, f"{name} {child}")


def read_database() -> tuple[list[str], list[str]]:
    """Return the lines of the schema and of the logins' rights, from a migrated database."""
    with (
        tempfile.TemporaryDirectory(prefix="prawko-frozen-") as home,
        start_servers(Path(home), durable=False) as servers,
    ):
        logins = provision_database(servers.urls.admin_url, database="frozen")
        upgrade_database(logins.owner)
        database = servers.urls.admin_url.replace("/postgres?", "/frozen?")
        return asyncio.run(_read_catalog(database))


async def _read_catalog(admin_url: str) -> tuple[list[str], list[str]]:
    connection = await asyncpg.connect(admin_url)
    try:
        schema = [row[0] for row in await connection.fetch(SELECT_SCHEMA)]
    finally:
        await connection.close()
    rights = await fetch_granted(admin_url)
    return sorted(schema), sorted(
        f"{login} {verb} {table}{f'.{column}' if column else ''}"
        for login, verb, table, column in rights
    )
