"""Companies."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import enable_row_security, grant_rights

revision = "0001"
down_revision = None

TABLES = """
CREATE TABLE tenant (
    id uuid NOT NULL,
    company_name text DEFAULT '' NOT NULL,
    tax_id text DEFAULT '' NOT NULL,
    street text DEFAULT '' NOT NULL,
    postal_code text DEFAULT '' NOT NULL,
    city text DEFAULT '' NOT NULL,
    trial_started_at timestamptz,
    trial_ended boolean DEFAULT false NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT pk_tenant PRIMARY KEY (id)
)
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(TABLES, enable_row_security("tenant", column="id"))
    everything = "SELECT, INSERT, UPDATE, DELETE"
    run_statements(grant_rights("tenant", to, app=everything, worker="SELECT, UPDATE, DELETE"))
