"""Drivers."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import create_cross_tenant_policies, enable_row_security, grant_rights

revision = "0009"
down_revision = "0008"

TABLES = """
CREATE TABLE driver (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    asked_at_system timestamptz,
    verified_at timestamptz,
    created_at timestamptz NOT NULL,
    created_by uuid,
    document_version integer DEFAULT 1 NOT NULL,
    status text DEFAULT 'unknown' NOT NULL,
    license_number text NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    sort_key text COLLATE "C" NOT NULL,
    latest json,
    CONSTRAINT pk_driver PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_driver_tenant_id_license_number UNIQUE (tenant_id, license_number),
    CONSTRAINT ck_driver_status
        CHECK (status IN ('unknown', 'valid', 'invalid', 'attention', 'not_found')),
    CONSTRAINT fk_driver_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE,
    CONSTRAINT fk_driver_membership
        FOREIGN KEY (tenant_id, created_by) REFERENCES membership (tenant_id, user_id)
        ON DELETE SET NULL (created_by)
) WITH (fillfactor = 70)
"""
# The one rule of which drivers are within a limit: the oldest ones. A reader compares `rank`, which
# counts a company's drivers from 1, with the limit; the oldest driver has the lowest id.
RANKED_DRIVERS = """
CREATE VIEW ranked_driver WITH (security_invoker = true) AS
SELECT tenant_id, id, document_version, status,
       row_number() OVER (PARTITION BY tenant_id ORDER BY id) AS rank
  FROM driver
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(
        TABLES,
        enable_row_security("driver"),
        create_cross_tenant_policies("driver", to),
        RANKED_DRIVERS,
    )
    run_statements(
        grant_rights(
            "driver",
            to,
            app="SELECT, INSERT, UPDATE, DELETE",
            worker="SELECT, UPDATE",
            planner="SELECT (tenant_id, id, document_version, status)",
        ),
        grant_rights("ranked_driver", to, app="SELECT", worker="SELECT", planner="SELECT"),
    )
