"""The outbox of mails and SMS."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import create_cross_tenant_policies, enable_row_security, grant_rights

revision = "0004"
down_revision = "0003"

TABLES = """
CREATE TABLE delivery (
    id uuid NOT NULL,
    tenant_id uuid,
    kind text NOT NULL,
    channel_medium text NOT NULL,
    user_id uuid,
    notice_id uuid,
    subject_id uuid,
    batch_at timestamptz,
    encrypted bytea,
    state text DEFAULT 'pending' NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    not_before timestamptz,
    next_try_at timestamptz NOT NULL,
    lease_until timestamptz,
    fence bigint DEFAULT 0 NOT NULL,
    key text NOT NULL,
    carrier_ref text,
    error_kind text,
    error text,
    created_at timestamptz NOT NULL,
    sent_at timestamptz,
    report text,
    reported_at timestamptz,
    CONSTRAINT pk_delivery PRIMARY KEY (id),
    CONSTRAINT uq_delivery_key UNIQUE (key),
    CONSTRAINT ck_delivery_channel_medium CHECK (channel_medium IN ('email', 'sms')),
    CONSTRAINT ck_delivery_state CHECK (state IN ('pending', 'sent', 'failed')),
    CONSTRAINT ck_delivery_report
        CHECK (report IN ('delivered', 'failed', 'dropped', 'bounced', 'spam')),
    CONSTRAINT fk_delivery_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE
)

CREATE INDEX ix_delivery_pending ON delivery (next_try_at) WHERE state = 'pending'

CREATE INDEX ix_delivery_tenant_id ON delivery (tenant_id)
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(
        TABLES, enable_row_security("delivery"), create_cross_tenant_policies("delivery", to)
    )
    run_statements(
        grant_rights("delivery", to, app="SELECT, INSERT", worker="SELECT, INSERT, UPDATE, DELETE")
    )
