"""Support tickets and contact messages."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import create_cross_tenant_policies, enable_row_security, grant_rights

revision = "0012"
down_revision = "0011"

TABLES = """
CREATE TABLE support_ticket (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid,
    subject text NOT NULL,
    message text NOT NULL,
    claimed_email text DEFAULT '' NOT NULL,
    claimed_company text DEFAULT '' NOT NULL,
    created_at timestamptz NOT NULL,
    forwarded_at timestamptz,
    CONSTRAINT pk_support_ticket PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_support_ticket_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE,
    CONSTRAINT fk_support_ticket_membership
        FOREIGN KEY (tenant_id, user_id) REFERENCES membership (tenant_id, user_id)
        ON DELETE SET NULL (user_id)
)

CREATE INDEX ix_support_ticket_not_forwarded ON support_ticket (tenant_id, id)
    WHERE forwarded_at IS NULL

CREATE TABLE contact_message (
    id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    company text NOT NULL,
    drivers_count integer NOT NULL,
    message text NOT NULL,
    created_at timestamptz NOT NULL,
    forwarded_at timestamptz,
    CONSTRAINT pk_contact_message PRIMARY KEY (id)
)

CREATE INDEX ix_contact_message_not_forwarded ON contact_message (id) WHERE forwarded_at IS NULL

CREATE INDEX ix_contact_message_email_key ON contact_message (email_key)

CREATE INDEX ix_contact_message_created_at ON contact_message (created_at)
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(
        TABLES,
        enable_row_security("support_ticket"),
        create_cross_tenant_policies("support_ticket", to),
    )
    run_statements(
        grant_rights(
            "support_ticket",
            to,
            app="SELECT, INSERT",
            worker="SELECT, UPDATE (forwarded_at), DELETE",
            planner="SELECT (tenant_id, id, forwarded_at)",
        ),
        # The panel stores visitors' messages and reads none.
        grant_rights(
            "contact_message", to, app="INSERT", worker="SELECT, UPDATE (forwarded_at), DELETE"
        ),
    )
