"""Incidents for the operators, and paused providers."""

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

CREATE TABLE provider_pause (
    provider text NOT NULL,
    since timestamptz NOT NULL,
    paused_until timestamptz NOT NULL,
    reason text NOT NULL,
    CONSTRAINT pk_provider_pause PRIMARY KEY (provider)
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
        ),
        # The panel calls payment providers, too: it charges a saved card while its owner waits.
        grant_rights(
            "provider_pause",
            to,
            app="SELECT, INSERT, UPDATE, DELETE",
            worker="SELECT, INSERT, UPDATE, DELETE",
        ),
    )
