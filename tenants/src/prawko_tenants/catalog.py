"""Audits a database's catalog against the tables, policies and functions of `policies`.

Each check is one SQL query that returns a sentence for each deviation. `$1` is a JSON object
with the lists of `policies` and the names of the roles.
"""

import json
from dataclasses import asdict

import asyncpg

from prawko_tenants.logins import LOGIN_TIMEOUTS, TRANSACTION_LIMITED
from prawko_tenants.policies import (
    CONTROL_TABLES,
    CROSS_TENANT_POLICIES,
    DEFINER_FUNCTIONS,
    GLOBAL_TABLES,
    MEMBER_POLICY,
    MEMBER_POLICY_OF_OTHERS,
    MEMBER_TABLES,
    TENANT_POLICY,
    TENANT_TABLES,
)
from prawko_tenants.public_rights import MAX_TRANSACTION
from prawko_tenants.roles import ROLE_NAMES, Roles

# `policies.CURRENT_TENANT` as PostgreSQL deparses it.
CURRENT_TENANT_AS_STORED = "(NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid"

# The condition of `policies.MEMBER_POLICY` likewise.
MEMBER_ROWS_AS_STORED = (
    "((COALESCE(current_setting('app.tenant_id'::text, true), ''::text) = ''::text)"
    f" OR (tenant_id = {CURRENT_TENANT_AS_STORED}))"
)

_SELECT_SETTINGS = """
    SELECT r.rolname AS login, coalesce(s.setconfig, '{}') AS settings
      FROM pg_roles r LEFT JOIN pg_db_role_setting s ON s.setrole = r.oid
       AND s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
     WHERE r.rolname = ANY($1)
"""

# Tables and partitions with their root table (a table that is no partition is its own root).
_TABLES = """
WITH a_table AS (
    SELECT c.oid, c.relname AS name, c.relkind, c.relrowsecurity, c.relforcerowsecurity,
           c.relispartition, c.relacl, c.relowner, c.reloptions,
           CASE WHEN c.relispartition
                THEN (SELECT relname FROM pg_class WHERE oid = pg_partition_root(c.oid))
                ELSE c.relname END AS root
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
), owned AS (
    SELECT a_table.*, company.value AS company
    FROM a_table JOIN jsonb_each_text($1::jsonb -> 'company_of') AS company ON company.key = root
    WHERE relkind IN ('r', 'p')
), granted AS (
    SELECT a_table.name, a_table.relkind, a_table.relispartition, g.privilege_type AS verb,
           coalesce(r.rolname, 'PUBLIC') AS grantee
    FROM a_table CROSS JOIN LATERAL (
        SELECT * FROM aclexplode(relacl)
        UNION ALL
        SELECT e.* FROM pg_attribute t CROSS JOIN LATERAL aclexplode(t.attacl) AS e
        WHERE t.attrelid = a_table.oid
    ) AS g LEFT JOIN pg_roles r ON r.oid = g.grantee
    WHERE g.grantee <> relowner
)
"""

_CHECKS = (
    # Classes of tables.
    """
    SELECT format('table %s is in no list of tables', name) FROM a_table
    WHERE relkind IN ('r', 'p', 'f', 'm')
      AND NOT $1::jsonb -> 'company_of' ? root AND NOT $1::jsonb -> 'global' ? root
    """,
    # Row-level security, forced for the owner too, on tables and on each of their partitions.
    """
    SELECT format('%s: row-level security is not enabled', name) FROM owned
    WHERE NOT relrowsecurity
    UNION ALL
    SELECT format('%s: row-level security is not forced for the owner', name) FROM owned
    WHERE NOT relforcerowsecurity
    UNION ALL
    SELECT format('%s: the tenant isolation policy is missing', name) FROM owned
    WHERE NOT EXISTS (
        SELECT FROM pg_policy p WHERE p.polrelid = owned.oid AND p.polname = $1::jsonb ->> 'own'
    )
    """,
    # Policies: tenant isolation to the letter, cross-tenant policies as listed, no others.
    """
    SELECT format('%s: policy %s differs from tenant isolation', name, polname)
    FROM owned JOIN pg_policy p ON p.polrelid = owned.oid
    WHERE p.polname = $1::jsonb ->> 'own'
      AND (p.polcmd <> '*' OR p.polroles <> '{0}' OR NOT p.polpermissive
           OR pg_get_expr(p.polqual, p.polrelid) IS DISTINCT FROM format('(%s = %s)', company,
               $1::jsonb ->> 'expression')
           OR pg_get_expr(p.polwithcheck, p.polrelid) IS DISTINCT FROM format('(%s = %s)', company,
               $1::jsonb ->> 'expression'))
    UNION ALL
    SELECT format('%s: policy %s for %s is not a listed cross-tenant policy', name, polname, cmd)
    FROM a_table JOIN pg_policy p ON p.polrelid = a_table.oid
    CROSS JOIN LATERAL (SELECT CASE p.polcmd WHEN '*' THEN 'ALL' WHEN 'r' THEN 'SELECT'
        WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' ELSE 'DELETE' END AS cmd) AS verb
    WHERE p.polname <> $1::jsonb ->> 'own'
      AND NOT ($1::jsonb -> 'member' ? name AND $1::jsonb -> 'member_policies' ? p.polname)
      AND NOT EXISTS (
        SELECT FROM jsonb_array_elements($1::jsonb -> 'wide') AS wide
        JOIN pg_roles r ON r.rolname = $1::jsonb -> 'roles' ->> (wide ->> 'role')
        WHERE wide ->> 'table' = a_table.name AND wide ->> 'name' = p.polname
          AND wide ->> 'verb' = cmd AND p.polroles = ARRAY[r.oid]
      )
    """,
    # Members: the panel sees those of the bound company, or all without one.
    """
    SELECT format('%s: row-level security is not enabled', name) FROM a_table
    WHERE $1::jsonb -> 'member' ? name AND NOT relrowsecurity
    UNION ALL
    SELECT format('%s: the panel is not bound to the members of a company', name) FROM a_table
    WHERE $1::jsonb -> 'member' ? name AND NOT EXISTS (
        SELECT FROM pg_policy p WHERE p.polrelid = a_table.oid AND p.polcmd = '*'
           AND p.polpermissive
           AND p.polroles = ARRAY[to_regrole($1::jsonb -> 'roles' ->> 'app')::oid]
           AND pg_get_expr(p.polqual, p.polrelid) = $1::jsonb ->> 'member_rows'
           AND pg_get_expr(p.polwithcheck, p.polrelid) = $1::jsonb ->> 'member_rows')
    UNION ALL
    SELECT format('%s: policy %s is for the panel, too', name, polname)
    FROM a_table JOIN pg_policy p ON p.polrelid = a_table.oid
    WHERE $1::jsonb -> 'member' ? name AND pg_get_expr(p.polqual, p.polrelid) = 'true'
      AND (p.polroles = '{0}' OR to_regrole($1::jsonb -> 'roles' ->> 'app')::oid = ANY (p.polroles))
    """,
    # Keys: without the company, one company's row could reference or block another's, and the table
    # could not be distributed by company (docs/scale.md).
    """
    SELECT format('%s: index %s does not begin with the company', name, i.indexrelid::regclass)
    FROM owned JOIN pg_index i ON i.indrelid = owned.oid
    JOIN pg_attribute a ON a.attrelid = owned.oid AND a.attnum = i.indkey[0]
    WHERE $1::jsonb -> 'tenant' ? root AND a.attname <> company
    UNION ALL
    SELECT format('%s: foreign key %s does not begin with the company', name, k.conname)
    FROM owned JOIN pg_constraint k ON k.conrelid = owned.oid AND k.contype = 'f'
    JOIN pg_attribute a ON a.attrelid = owned.oid AND a.attnum = k.conkey[1]
    WHERE a.attname <> company
    """,
    # Views and functions that run with their owner's rights.
    """
    SELECT format('view %s runs with its owner''s rights', name) FROM a_table
    WHERE relkind = 'v' AND NOT coalesce('security_invoker=true' = ANY (reloptions), false)
    UNION ALL
    SELECT format('function %s runs with its owner''s rights and is not listed', signature)
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    CROSS JOIN LATERAL (SELECT replace(p.oid::regprocedure::text, 'public.', '') AS signature) AS f
    WHERE p.prosecdef AND n.nspname !~ '^pg_' AND NOT $1::jsonb -> 'functions' ? signature
    UNION ALL
    SELECT format('function %s must not be executable by %s', signature, role.key)
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    CROSS JOIN LATERAL (SELECT replace(p.oid::regprocedure::text, 'public.', '') AS signature) AS f
    CROSS JOIN jsonb_each_text($1::jsonb -> 'roles') AS role
    WHERE p.prosecdef AND n.nspname !~ '^pg_' AND role.key <> 'owner'
      AND NOT coalesce($1::jsonb -> 'functions' -> signature ? role.key, false)
      AND has_function_privilege(role.value, p.oid, 'EXECUTE')
    UNION ALL
    SELECT format('function %s has no fixed search_path', p.oid::regprocedure)
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE p.prosecdef AND n.nspname !~ '^pg_'
      AND NOT coalesce('search_path=pg_catalog, pg_temp' = ANY (p.proconfig), false)
    """,
    # Rights: none on partitions, none to PUBLIC, none that bypass the policies.
    """
    SELECT format('partition %s: %s is granted to %s', name, verb, grantee) FROM granted
    WHERE relispartition
    UNION ALL
    SELECT format('%s: %s is granted to PUBLIC', name, verb) FROM granted
    WHERE grantee = 'PUBLIC'
    UNION ALL
    SELECT format('%s: %s is granted to %s', name, verb, grantee) FROM granted
    WHERE relkind <> 'S' AND verb NOT IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE')
    UNION ALL
    SELECT format('schema %s: %s is granted to PUBLIC', n.nspname, g.privilege_type)
    FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) AS g
    WHERE n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND g.grantee = 0
    """,
    # Roles: only the owner owns objects, none is a superuser, only backup bypasses the policies.
    r"""
    SELECT format('%s owns %s', role.value, pg_describe_object(d.classid, d.objid, d.objsubid))
    FROM jsonb_each_text($1::jsonb -> 'roles') AS role
    JOIN pg_shdepend d ON d.refobjid = to_regrole(role.value) AND d.deptype = 'o'
    WHERE role.key <> 'owner'
      AND d.dbid IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    UNION ALL
    SELECT format('%s is not owned by %s', name, $1::jsonb -> 'roles' ->> 'owner') FROM a_table
    WHERE relkind IN ('r', 'p', 'v', 'm', 'S')
      AND relowner <> to_regrole($1::jsonb -> 'roles' ->> 'owner')
    UNION ALL
    SELECT format('%s has attributes that no login may have', r.rolname)
    FROM jsonb_each_text($1::jsonb -> 'roles') AS role JOIN pg_roles r ON r.rolname = role.value
    WHERE r.rolsuper OR r.rolcreaterole OR r.rolcreatedb OR r.rolreplication
       OR r.rolbypassrls <> (role.key = 'backup')
    UNION ALL
    SELECT format('%s is a member of %s', m.member::regrole, m.roleid::regrole)
    FROM jsonb_each_text($1::jsonb -> 'roles') AS role
    JOIN pg_auth_members m ON m.member = to_regrole(role.value)
    WHERE NOT (role.key = 'backup' AND m.roleid = 'pg_read_all_data'::regrole)
    UNION ALL
    SELECT format('%s is a member of %s', m.member::regrole, m.roleid::regrole)
    FROM jsonb_each_text($1::jsonb -> 'roles') AS role
    JOIN pg_auth_members m ON m.roleid = to_regrole(role.value)
    JOIN pg_roles r ON r.oid = m.member
    WHERE r.rolname <> role.value || '_b'
      AND NOT EXISTS (SELECT FROM jsonb_each_text($1::jsonb -> 'roles') AS own
                       WHERE own.value = r.rolname)
    UNION ALL
    SELECT format('%s has attributes that no login may have', r.rolname)
    FROM jsonb_each_text($1::jsonb -> 'roles') AS role
    JOIN pg_roles r ON r.rolname = role.value || '_b'
    WHERE r.rolsuper OR r.rolcreaterole OR r.rolcreatedb OR r.rolreplication
       OR r.rolbypassrls <> (role.key = 'backup')
    UNION ALL
    SELECT format('a setting applies to every connection: %s', setting)
    FROM pg_db_role_setting CROSS JOIN LATERAL unnest(setconfig) AS setting
    WHERE setting ~ '^app\.'
    """,
)


async def audit_catalog(connection: asyncpg.Connection, roles: Roles) -> list[str]:
    """Return a sentence for each deviation of tables, policies, functions and rights; sorted."""
    facts = json.dumps(
        {
            "tenant": list(TENANT_TABLES),
            "company_of": TENANT_TABLES | CONTROL_TABLES,
            "global": sorted(GLOBAL_TABLES),
            "own": TENANT_POLICY,
            "member": sorted(MEMBER_TABLES),
            "member_policies": [MEMBER_POLICY, MEMBER_POLICY_OF_OTHERS],
            "member_rows": MEMBER_ROWS_AS_STORED,
            "expression": CURRENT_TENANT_AS_STORED,
            "wide": [asdict(policy) for policy in CROSS_TENANT_POLICIES],
            "functions": {name: sorted(callers) for name, callers in DEFINER_FUNCTIONS.items()},
            "roles": roles.as_dict(),
        }
    )
    deviations: list[str] = []
    for check in _CHECKS:
        deviations += [row[0] for row in await connection.fetch(_TABLES + check, facts)]
    return sorted(deviations)


async def find_changed_settings(connection: asyncpg.Connection, roles: Roles) -> list[str]:
    """Return a sentence for each setting of a login that is not as `db provision` leaves it.

    A login may change its own: the settings bound its statements by default, and no attacker.
    """
    expected: set[tuple[str, str]] = set()
    for name in ROLE_NAMES[1:]:
        settings = ["jit=off", *map("=".join, LOGIN_TIMEOUTS.get(name, {}).items())]
        if name in TRANSACTION_LIMITED and connection.get_server_version().major >= 17:
            settings.append(f"transaction_timeout={MAX_TRANSACTION}")
        role, standby = roles.login(name), roles.standby(name)
        expected |= {(login, setting) for login in (role, standby) for setting in settings}
        expected.add((standby, f"role={role}"))
    logins = {login for login, _ in expected}
    rows = await connection.fetch(_SELECT_SETTINGS, list(logins))
    found = {(row["login"], setting) for row in rows for setting in row["settings"]}
    existing = {row["login"] for row in rows}
    return [
        f"{login}: {setting} {'was added' if (login, setting) in found else 'is missing'}"
        for login, setting in sorted(expected ^ found)
        if login in existing
    ]
