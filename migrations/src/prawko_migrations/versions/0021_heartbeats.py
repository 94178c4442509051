"""Heartbeats of workers and of monitoring, which show that they work."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import grant_rights

revision = "0021"
down_revision = "0020"

HEARTBEATS = """
CREATE TABLE heartbeat (
    id text NOT NULL,
    kind text NOT NULL,
    started_at timestamptz NOT NULL,
    seen_at timestamptz NOT NULL,
    release text NOT NULL,
    CONSTRAINT pk_heartbeat PRIMARY KEY (id),
    CONSTRAINT ck_heartbeat_kind CHECK (kind IN ('worker', 'monitoring', 'ping'))
)
"""


def upgrade() -> None:
    run_statements(HEARTBEATS)
    run_statements(
        grant_rights(
            "heartbeat",
            current_roles(),
            worker="SELECT, INSERT, UPDATE, DELETE",
            operator="SELECT",
        )
    )
