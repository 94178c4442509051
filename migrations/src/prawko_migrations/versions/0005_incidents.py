"""Incidents for the operators."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import grant_rights

revision = "0005"
down_revision = "0004"

TABLES = """
CREATE TABLE incident (
    id uuid NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    opened_at timestamptz NOT NULL,
    mailed_at timestamptz,
    closed_at timestamptz,
    detail text NOT NULL,
    CONSTRAINT pk_incident PRIMARY KEY (id),
    CONSTRAINT uq_incident_kind_key UNIQUE (kind, key)
)
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(TABLES)
    run_statements(
        grant_rights(
            "incident",
            to,
            worker="SELECT, INSERT, UPDATE",
            operator="SELECT, UPDATE (closed_at)",
        )
    )
