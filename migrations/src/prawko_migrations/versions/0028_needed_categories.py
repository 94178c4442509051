"""Licence categories that a company needs of a driver; erasure at an owner's request;
what incidents and discrepancies say, for every language.
"""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import grant_rights

revision = "0028"
down_revision = "0027"

# Rows of before keep no date until their next check; the panel judges them by their dates.
COLUMNS = """
ALTER TABLE driver ADD COLUMN needed_categories text[] DEFAULT '{}' NOT NULL

ALTER TABLE driver ADD COLUMN valid_until date

ALTER TABLE tenant ADD COLUMN erasure_requested_at timestamptz

ALTER TABLE incident ADD COLUMN facts jsonb

ALTER TABLE payment_discrepancy ADD COLUMN facts jsonb
"""
# A function cannot get another column. It is made again in the same transaction, and the previous
# release selects its columns by name, so that one more does not disturb it.
COMPANY_DRIVERS = """
-- squawk-ignore ban-drop-function
DROP FUNCTION company_drivers()

CREATE FUNCTION company_drivers() RETURNS TABLE (
    tenant_id uuid, id uuid, first_name text, last_name text, license_number text, status text,
    needed_categories text[], verified_at timestamptz, created_at timestamptz, created_by uuid
)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT d.tenant_id, d.id, d.first_name, d.last_name, d.license_number, d.status,
           d.needed_categories, d.verified_at, d.created_at, d.created_by
      FROM public.driver d
     WHERE d.tenant_id = NULLIF(current_setting('app.tenant_id', true), '')::uuid
$$

REVOKE ALL ON FUNCTION company_drivers() FROM PUBLIC
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(COLUMNS, COMPANY_DRIVERS)
    run_statements(
        f"GRANT EXECUTE ON FUNCTION company_drivers() TO {to.operator}",
        f"CREATE POLICY planner_pending_rows ON tenant FOR SELECT TO {to.planner}"
        " USING (erasure_requested_at IS NOT NULL)",
        grant_rights(
            "tenant",
            to,
            app="UPDATE (erasure_requested_at)",
            planner="SELECT (id, erasure_requested_at)",
        ),
    )
