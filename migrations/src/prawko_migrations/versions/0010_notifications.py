"""Notices of companies, and notifications of their people."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import enable_row_security, grant_rights

revision = "0010"
down_revision = "0009"

# The database deletes rows that name a driver with the driver (decision 14).
TABLES = """
CREATE TABLE notice (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    driver_id uuid,
    dedup_key text NOT NULL,
    params jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT pk_notice PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_notice_tenant_id_kind_dedup_key UNIQUE (tenant_id, kind, dedup_key),
    CONSTRAINT fk_notice_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE,
    CONSTRAINT fk_notice_driver
        FOREIGN KEY (tenant_id, driver_id) REFERENCES driver (tenant_id, id) ON DELETE CASCADE
)

CREATE INDEX ix_notice_tenant_id_driver_id ON notice (tenant_id, driver_id)

CREATE TABLE notification (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    notice_id uuid,
    type text NOT NULL,
    title text NOT NULL,
    content text NOT NULL,
    read boolean DEFAULT false NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT pk_notification PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_notification_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE,
    CONSTRAINT fk_notification_membership
        FOREIGN KEY (tenant_id, user_id) REFERENCES membership (tenant_id, user_id)
        ON DELETE CASCADE,
    CONSTRAINT fk_notification_notice
        FOREIGN KEY (tenant_id, notice_id) REFERENCES notice (tenant_id, id)
        ON DELETE CASCADE
)

CREATE INDEX ix_notification_tenant_id_user_id_created_at
    ON notification (tenant_id, user_id, created_at)

CREATE INDEX ix_notification_tenant_id_notice_id ON notification (tenant_id, notice_id)
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(TABLES, enable_row_security("notice"), enable_row_security("notification"))
    run_statements(
        grant_rights("notice", to, app="SELECT, INSERT", worker="SELECT, INSERT, DELETE"),
        grant_rights(
            "notification",
            to,
            app="SELECT, INSERT, UPDATE, DELETE",
            worker="SELECT, INSERT, DELETE",
        ),
    )
