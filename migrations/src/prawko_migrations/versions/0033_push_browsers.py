"""Browsers in which members get push messages, and the medium of those messages."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import enable_row_security, grant_rights

revision = "0033"
down_revision = "0032"

MEDIUM = """
-- squawk-ignore ban-drop-constraint
ALTER TABLE delivery DROP CONSTRAINT ck_delivery_channel_medium

ALTER TABLE delivery ADD CONSTRAINT ck_delivery_channel_medium
    CHECK (channel_medium IN ('email', 'sms', 'push')) NOT VALID
"""
# A browser refers to its session with the company. There are few sessions: 30 days of them.
SESSIONS = """
-- squawk-ignore disallowed-unique-constraint, constraint-missing-not-valid
ALTER TABLE login_session ADD CONSTRAINT uq_login_session_tenant_id_id UNIQUE (tenant_id, id)
"""
# A browser is deleted with the membership, and with its session when that is purged.
BROWSERS = """
CREATE TABLE push_browser (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    session_id uuid NOT NULL,
    endpoint text NOT NULL,
    p256dh text NOT NULL,
    auth text NOT NULL,
    server_key text NOT NULL,
    agent text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT pk_push_browser PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_push_browser_tenant_id_user_id_endpoint
        UNIQUE (tenant_id, user_id, endpoint),
    CONSTRAINT fk_push_browser_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE,
    CONSTRAINT fk_push_browser_membership
        FOREIGN KEY (tenant_id, user_id) REFERENCES membership (tenant_id, user_id)
        ON DELETE CASCADE,
    CONSTRAINT fk_push_browser_login_session
        FOREIGN KEY (tenant_id, session_id) REFERENCES login_session (tenant_id, id)
        ON DELETE CASCADE
)

CREATE INDEX ix_push_browser_tenant_id_session_id ON push_browser (tenant_id, session_id)
"""


def upgrade() -> None:
    run_statements(MEDIUM, SESSIONS, BROWSERS, enable_row_security("push_browser"))
    run_statements(
        grant_rights(
            "push_browser",
            current_roles(),
            app="SELECT, INSERT, UPDATE, DELETE",
            # Jobs send to browsers, and remove what a push service no longer knows.
            worker="SELECT, DELETE",
            operator="SELECT (tenant_id, id, user_id, agent, created_at)",  # exports
        )
    )
