"""Since when a driver has its status, and what a company has answered to it."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import enable_row_security, grant_rights

revision = "0030"
down_revision = "0029"

# A trigger and not the check's statement, so that every writer keeps the column, also the previous
# release beside the new one: the time of an earlier status would make an old acknowledgement hold
# for a new withholding. A valid document whose last day is over is `attention` without a write,
# from midnight in Warsaw. A writer that knows the time itself (the needed categories changed)
# names it. Rows of before have none until their next check and count from the one before it.
STATUS_SINCE = """
ALTER TABLE driver ADD COLUMN status_since timestamptz

CREATE FUNCTION keep_status_since() RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    old_end timestamptz := (OLD.valid_until + 1)::timestamp AT TIME ZONE 'Europe/Warsaw';
    new_end timestamptz := (NEW.valid_until + 1)::timestamp AT TIME ZONE 'Europe/Warsaw';
    was_over boolean := OLD.status = 'valid' AND coalesce(old_end <= NEW.verified_at, false);
    is_over boolean := NEW.status = 'valid' AND coalesce(new_end <= NEW.verified_at, false);
BEGIN
    IF NEW.status_since IS DISTINCT FROM OLD.status_since THEN
        RETURN NEW;
    END IF;
    IF (CASE WHEN was_over THEN 'attention' ELSE OLD.status END)
       <> (CASE WHEN is_over THEN 'attention' ELSE NEW.status END) THEN
        NEW.status_since := NEW.verified_at;
    ELSIF was_over THEN
        NEW.status_since := greatest(OLD.status_since, old_end);
    ELSE
        NEW.status_since := coalesce(OLD.status_since, OLD.verified_at, NEW.verified_at);
    END IF;
    RETURN NEW;
END
$$

CREATE TRIGGER driver_status_since BEFORE UPDATE OF status, valid_until ON driver
    FOR EACH ROW WHEN (
        OLD.status IS DISTINCT FROM NEW.status
        OR OLD.valid_until IS DISTINCT FROM NEW.valid_until
        OR OLD.status_since IS NULL
    )
    EXECUTE FUNCTION keep_status_since()
"""
ACKNOWLEDGEMENTS = """
CREATE TABLE acknowledgement (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    driver_id uuid NOT NULL,
    status text NOT NULL,
    since timestamptz NOT NULL,
    entry integer NOT NULL,
    kind text NOT NULL,
    note text NOT NULL,
    created_at timestamptz NOT NULL,
    created_by uuid,
    CONSTRAINT pk_acknowledgement PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_acknowledgement_tenant_id_driver_id_since_entry
        UNIQUE (tenant_id, driver_id, since, entry),
    CONSTRAINT ck_acknowledgement_status CHECK (status IN ('invalid', 'attention', 'not_found')),
    CONSTRAINT ck_acknowledgement_kind CHECK (kind IN ('acknowledged', 'withdrawn')),
    CONSTRAINT fk_acknowledgement_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE,
    CONSTRAINT fk_acknowledgement_driver
        FOREIGN KEY (tenant_id, driver_id) REFERENCES driver (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT fk_acknowledgement_membership
        FOREIGN KEY (tenant_id, created_by) REFERENCES membership (tenant_id, user_id)
        ON DELETE SET NULL (created_by)
)
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(STATUS_SINCE, ACKNOWLEDGEMENTS, enable_row_security("acknowledgement"))
    run_statements(
        # Entries are added, never changed; they are deleted only with their driver.
        grant_rights(
            "acknowledgement",
            to,
            app="SELECT, INSERT",
            operator=(
                "SELECT (tenant_id, id, driver_id, status, since, entry, kind, note, created_at,"
                " created_by)"
            ),
        )
    )
