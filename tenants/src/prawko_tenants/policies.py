"""Which table is whose, and the row-level security that holds it to that.

Every table stands in one of the three lists, every policy that shows more than one company
in the list of wide ones, every function that runs with its owner's rights in the last list.
`prawko_tenants.catalog` compares a database with them, and the tests fail on a difference.
"""

from dataclasses import dataclass

from prawko_tenants.roles import Roles

# Table → the column that names the company.
TENANT_TABLES = {
    "tenant": "id",
    "subscription": "tenant_id",
    "subscription_history": "tenant_id",
    "subscription_order": "tenant_id",
    "renewal_step": "tenant_id",
    "driver": "tenant_id",
    "register_answer": "tenant_id",
    "verification": "tenant_id",
    "notice": "tenant_id",
    "notification": "tenant_id",
    "support_ticket": "tenant_id",
    "payment_mandate": "tenant_id",
    "invoice": "tenant_id",
    "invoice_line": "tenant_id",
    "invoice_file": "tenant_id",
}
CONTROL_TABLES = {
    "check_item": "tenant_id",
    "delivery": "tenant_id",
    "payment": "tenant_id",
}
GLOBAL_TABLES = frozenset(
    {
        "user_account",
        "membership",
        "login_session",
        "one_time_code",
        "throttle",
        "trial_claim",
        "user_activity",
        "check_run",
        "register_pace",
        "incident",
        "webhook_event",
        "contact_message",
        "payment_finding",
        "payment_pause",
        "invoice_series",
        "alembic_version",
    }
)

# No setting, or an empty one: no company. What is no id at all is an error, not a company.
COMPANY = "NULLIF(current_setting('app.tenant_id', true), '')::uuid"
OWN_COMPANY = "own_company"


@dataclass(frozen=True)
class WidePolicy:
    """A policy that lets one role see the rows of every company, for one verb or ALL."""

    table: str
    name: str
    role: str  # an attribute of Roles
    verb: str


WIDE_POLICIES = (
    WidePolicy("check_item", "worker_works_for_all", "worker", "ALL"),
    WidePolicy("delivery", "worker_works_for_all", "worker", "ALL"),
    WidePolicy("payment", "worker_works_for_all", "worker", "ALL"),
    WidePolicy("check_item", "planner_plans_all", "planner", "ALL"),
    WidePolicy("driver", "planner_sees_who_is_due", "planner", "SELECT"),
    WidePolicy("subscription", "planner_sees_who_is_due", "planner", "SELECT"),
    WidePolicy("renewal_step", "planner_sees_who_is_due", "planner", "SELECT"),
    WidePolicy("support_ticket", "planner_sees_what_waits", "planner", "SELECT"),
    WidePolicy("invoice", "planner_sees_what_waits", "planner", "SELECT"),
)

# Function → who may call it. Each runs as the owner, with a fixed search_path.
DEFINER_FUNCTIONS = {
    "ensure_month(date)": frozenset({"app", "worker", "planner"}),
    "ensure_day(date)": frozenset({"worker", "planner"}),
    "drop_days(date)": frozenset({"worker", "planner"}),
    "drop_months(date)": frozenset({"worker"}),
}


def protect(table: str, column: str = "tenant_id") -> str:
    """Return the SQL that shows a table's rows to their own company only, the owner included.

    Like all SQL of this module, one statement to a paragraph.
    """
    return f"""\
ALTER TABLE {table} ENABLE ROW LEVEL SECURITY

ALTER TABLE {table} FORCE ROW LEVEL SECURITY

CREATE POLICY {OWN_COMPANY} ON {table}
    USING ({column} = {COMPANY})
    WITH CHECK ({column} = {COMPANY})"""


def widen(table: str, roles: Roles) -> str:
    """Return the SQL of the table's wide policies, as the list above names them."""
    return "\n\n".join(
        f"CREATE POLICY {policy.name} ON {table} FOR {policy.verb}"
        f" TO {getattr(roles, policy.role)} USING (true)"
        + (" WITH CHECK (true)" if policy.verb != "SELECT" else "")
        for policy in WIDE_POLICIES
        if policy.table == table
    )


def grant(table: str, roles: Roles, **rights: str) -> str:
    """Return the SQL that gives roles their rights: `grant("notice", roles, app="SELECT")`."""
    return "\n\n".join(
        f"GRANT {verbs} ON {table} TO {getattr(roles, role)}" for role, verbs in rights.items()
    )
