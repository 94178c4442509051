"""Ownership of tables, and the SQL of their row-level security.

Every table is in one of the three lists of tables, every policy that shows more than one
company in CROSS_TENANT_POLICIES, every SECURITY DEFINER function in DEFINER_FUNCTIONS.
`prawko_tenants.catalog` compares a database with these lists.
"""

from collections.abc import Collection
from dataclasses import dataclass

from prawko_tenants.roles import ROLE_NAMES, Roles

# Table → column with the id of the company.
TENANT_TABLES = {
    "tenant": "id",
    "subscription": "tenant_id",
    "subscription_history": "tenant_id",
    "subscription_order": "tenant_id",
    "renewal_step": "tenant_id",
    "driver": "tenant_id",
    "acknowledgement": "tenant_id",
    "register_answer": "tenant_id",
    "verification": "tenant_id",
    "notice": "tenant_id",
    "notification": "tenant_id",
    "push_browser": "tenant_id",
    "alert_recipient": "tenant_id",
    "support_ticket": "tenant_id",
    "legal_acceptance": "tenant_id",
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
        "operator_password",
        "membership",
        "login_session",
        "one_time_code",
        "second_factor",
        "recovery_code",
        "throttle",
        "trial_claim",
        "user_activity",
        "admin_action",
        "admin_action_check",
        "check_run",
        "check_pause",
        "register_limiter",
        "incident",
        "heartbeat",
        "webhook_event",
        "contact_message",
        "payment_discrepancy",
        "booked_entry",
        "provider_pause",
        "invoice_series",
        "alembic_version",
    }
)

# Global tables with rows of persons, each in a company. The panel's login sees the rows of the
# bound company, and all rows without one: a person signs in before the company is known.
MEMBER_TABLES = frozenset({"membership", "user_activity"})

# NULL without a setting or with an empty one; an error for text that is no UUID.
CURRENT_TENANT = "NULLIF(current_setting('app.tenant_id', true), '')::uuid"
NO_TENANT = "coalesce(current_setting('app.tenant_id', true), '') = ''"
TENANT_POLICY = "tenant_isolation"
MEMBER_POLICY, MEMBER_POLICY_OF_OTHERS = "bound_company", "every_company"


@dataclass(frozen=True)
class CrossTenantPolicy:
    """A policy that lets one role act on the rows of every company, for one command or ALL."""

    table: str
    name: str
    role: str  # an attribute of Roles
    verb: str


CROSS_TENANT_POLICIES = (
    CrossTenantPolicy("check_item", "worker_all_tenants", "worker", "ALL"),
    CrossTenantPolicy("delivery", "worker_all_tenants", "worker", "ALL"),
    CrossTenantPolicy("payment", "worker_all_tenants", "worker", "ALL"),
    CrossTenantPolicy("check_item", "planner_all_tenants", "planner", "ALL"),
    CrossTenantPolicy("driver", "planner_due_rows", "planner", "SELECT"),
    CrossTenantPolicy("subscription", "planner_due_rows", "planner", "SELECT"),
    CrossTenantPolicy("renewal_step", "planner_due_rows", "planner", "SELECT"),
    CrossTenantPolicy("support_ticket", "planner_pending_rows", "planner", "SELECT"),
    CrossTenantPolicy("invoice", "planner_pending_rows", "planner", "SELECT"),
    # Companies that are to be erased; revision 0028.
    CrossTenantPolicy("tenant", "planner_pending_rows", "planner", "SELECT"),
    # The console reads lists of all companies. In a session of one company it sees only that one,
    # because the domains' statements leave the choice of the company to the policies.
    CrossTenantPolicy("tenant", "operator_all_tenants", "operator", "SELECT"),
    CrossTenantPolicy("subscription", "operator_all_tenants", "operator", "SELECT"),
    CrossTenantPolicy("subscription_history", "operator_all_tenants", "operator", "SELECT"),
    CrossTenantPolicy("driver", "operator_all_tenants", "operator", "SELECT"),
    CrossTenantPolicy("check_item", "operator_all_tenants", "operator", "SELECT"),
    CrossTenantPolicy("delivery", "operator_all_tenants", "operator", "SELECT"),
    CrossTenantPolicy("payment", "operator_all_tenants", "operator", "SELECT"),
    # Answers to visitors, who belong to no company; revision 0016.
    CrossTenantPolicy("delivery", "operator_own_mail", "operator", "INSERT"),
    CrossTenantPolicy("support_ticket", "operator_all_tenants", "operator", "SELECT"),
)

# Function → roles that may call it. Each runs as the owner, with a fixed search_path.
DEFINER_FUNCTIONS = {
    "ensure_month(date)": frozenset({"app", "worker", "planner"}),
    "ensure_day(date)": frozenset({"planner"}),
    "drop_days(date)": frozenset({"planner"}),
    "drop_months(date)": frozenset({"worker"}),
    "company_drivers()": frozenset({"operator"}),
    "remove_member(uuid)": frozenset({"app", "operator"}),
    "add_impersonation(uuid,uuid,bytea,uuid,uuid,timestamp with time zone,"
    "timestamp with time zone,text,text,text,text,timestamp with time zone)": frozenset(
        {"operator"}
    ),
    "touch_session(text)": frozenset({"app", "operator"}),
    "erase_tenant_activity()": frozenset(),  # of a trigger
    "separate_operator_password()": frozenset(),  # of a trigger
    "is_operator_password(uuid,text)": frozenset({"app"}),
    "change_operator_password(uuid,text,text,timestamp with time zone)": frozenset({"app"}),
    "add_operator_session(uuid,text,text,uuid,bytea,uuid,timestamp with time zone,"
    "timestamp with time zone,text,text,timestamp with time zone,boolean,"
    "timestamp with time zone)": frozenset({"app"}),
}


def enable_row_security(table: str, column: str = "tenant_id") -> str:
    """Return the SQL that restricts a table to the rows of the current company.

    It binds the owner too. Statements are separated by blank lines, as in all SQL of this module.
    """
    return f"""\
ALTER TABLE {table} ENABLE ROW LEVEL SECURITY

ALTER TABLE {table} FORCE ROW LEVEL SECURITY

CREATE POLICY {TENANT_POLICY} ON {table}
    USING ({column} = {CURRENT_TENANT})
    WITH CHECK ({column} = {CURRENT_TENANT})"""


def create_cross_tenant_policies(
    table: str, roles: Roles, logins: Collection[str] = ("worker", "planner")
) -> str:
    """Return the SQL of the table's policies in CROSS_TENANT_POLICIES for these logins.

    Those of the operators came later than the tables, in revisions of their own; they hold only
    where no company is bound. Policies for INSERT alone have conditions of their own.
    """
    conditions = dict.fromkeys(ROLE_NAMES, "true") | {"operator": NO_TENANT}
    return "\n\n".join(
        f"CREATE POLICY {policy.name} ON {table} FOR {policy.verb}"
        f" TO {getattr(roles, policy.role)} USING ({conditions[policy.role]})"
        + (" WITH CHECK (true)" if policy.verb != "SELECT" else "")
        for policy in CROSS_TENANT_POLICIES
        if policy.table == table and policy.role in logins and policy.verb != "INSERT"
    )


def enable_member_security(table: str, roles: Roles) -> str:
    """Return the SQL that shows the panel's login only the members' rows of the bound company."""
    rows = f"{NO_TENANT} OR tenant_id = {CURRENT_TENANT}"
    return f"""\
ALTER TABLE {table} ENABLE ROW LEVEL SECURITY

CREATE POLICY {MEMBER_POLICY} ON {table} TO {roles.app} USING ({rows}) WITH CHECK ({rows})

CREATE POLICY {MEMBER_POLICY_OF_OTHERS} ON {table} TO {roles.worker}, {roles.operator}
    USING (true) WITH CHECK (true)"""


def grant_rights(table: str, roles: Roles, **rights: str) -> str:
    """Return the SQL of grants: `grant_rights("notice", roles, app="SELECT")`."""
    return "\n\n".join(
        f"GRANT {verbs} ON {table} TO {getattr(roles, role)}" for role, verbs in rights.items()
    )
