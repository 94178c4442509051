"""What people write to us, and the ends that personal data comes to."""

from prawko_migrations.statements import roles, run
from prawko_tenants.policies import grant, protect, widen

revision = "0005"
down_revision = "0004"

SUPPORT = """
CREATE TABLE support_ticket (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid,
    subject text NOT NULL,
    message text NOT NULL,
    said_email text DEFAULT '' NOT NULL,
    said_company text DEFAULT '' NOT NULL,
    created_at timestamptz NOT NULL,
    passed_on_at timestamptz,
    CONSTRAINT pk_support_ticket PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_support_ticket_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE,
    CONSTRAINT fk_support_ticket_membership
        FOREIGN KEY (tenant_id, user_id) REFERENCES membership (tenant_id, user_id)
        ON DELETE SET NULL (user_id)
)

CREATE INDEX ix_support_ticket_waiting ON support_ticket (tenant_id, id)
    WHERE passed_on_at IS NULL

CREATE TABLE contact_message (
    id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    company text NOT NULL,
    drivers_count integer NOT NULL,
    message text NOT NULL,
    created_at timestamptz NOT NULL,
    passed_on_at timestamptz,
    CONSTRAINT pk_contact_message PRIMARY KEY (id)
)

CREATE INDEX ix_contact_message_waiting ON contact_message (id) WHERE passed_on_at IS NULL

CREATE INDEX ix_contact_message_email_key ON contact_message (email_key)

CREATE INDEX ix_contact_message_created_at ON contact_message (created_at)
"""

# What names a driver goes with the driver, whoever wrote it and when: the database itself sees
# to it. Both tables are small beside the history of checks, so the short locks are bearable.
# Rows whose driver went before this step are taken away first; the owner is bound by the
# policies as well, so they are lifted from it meanwhile.
ERASURE = """
-- squawk-ignore ban-drop-constraint
ALTER TABLE notification DROP CONSTRAINT fk_notification_notice

ALTER TABLE notification ADD CONSTRAINT fk_notification_notice
    FOREIGN KEY (tenant_id, notice_id) REFERENCES notice (tenant_id, id)
    ON DELETE CASCADE NOT VALID

-- squawk-ignore constraint-missing-not-valid
ALTER TABLE notification VALIDATE CONSTRAINT fk_notification_notice

-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_notification_tenant_id_notice_id ON notification (tenant_id, notice_id)

ALTER TABLE driver NO FORCE ROW LEVEL SECURITY

ALTER TABLE notice NO FORCE ROW LEVEL SECURITY

DELETE FROM notice n
 WHERE n.driver_id IS NOT NULL
   AND NOT EXISTS (SELECT FROM driver d WHERE d.tenant_id = n.tenant_id AND d.id = n.driver_id)

ALTER TABLE notice FORCE ROW LEVEL SECURITY

ALTER TABLE driver FORCE ROW LEVEL SECURITY

ALTER TABLE notice ADD CONSTRAINT fk_notice_driver
    FOREIGN KEY (tenant_id, driver_id) REFERENCES driver (tenant_id, id)
    ON DELETE CASCADE NOT VALID

-- squawk-ignore constraint-missing-not-valid
ALTER TABLE notice VALIDATE CONSTRAINT fk_notice_driver

-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_notice_tenant_id_driver_id ON notice (tenant_id, driver_id)
"""

# A month of checks goes when the fifth year after its own has ended (docs/personal-data.md), by
# the machine's clock: whatever is asked for, nothing younger is dropped.
FORGETTING = """
CREATE FUNCTION drop_months(before date) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '5s'
AS $$
DECLARE
    month text;
    dropped integer := 0;
BEGIN
    IF before IS NULL OR before > date_trunc('year', current_date) - interval '5 years' THEN
        RAISE EXCEPTION 'no months before % are dropped: they are kept for five years', before
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    FOR month IN
        SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'public.verification'::regclass
          AND c.relname ~ '^verification_[0-9]{6}$'
          AND c.relname < 'verification_' || to_char(before, 'YYYYMM')
        ORDER BY c.relname
    LOOP
        EXECUTE format('DROP TABLE public.%I', month);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
END
$$
"""


def upgrade() -> None:
    to = roles()
    run(SUPPORT, protect("support_ticket"), widen("support_ticket", to))
    run(
        grant(
            "support_ticket",
            to,
            app="SELECT, INSERT",
            worker="SELECT, UPDATE (passed_on_at), DELETE",
            planner="SELECT (tenant_id, id, passed_on_at)",
        ),
        # The panel takes visitors' messages in and reads none.
        grant("contact_message", to, app="INSERT", worker="SELECT, UPDATE (passed_on_at), DELETE"),
    )
    run(ERASURE, FORGETTING)
    run("REVOKE ALL ON FUNCTION drop_months(date) FROM PUBLIC")
    run(f"GRANT EXECUTE ON FUNCTION drop_months(date) TO {to.worker}")
    # The jobs erase what is due, one company at a time. The panel reads the log for exports.
    run(
        grant("user_activity", to, app="SELECT", worker="SELECT (user_id, tenant_id)"),
        grant("login_session", to, worker="SELECT (tenant_id, user_id, last_seen_at)"),
        grant("tenant", to, worker="DELETE"),
        grant("user_account", to, worker="DELETE"),
        grant("check_item", to, worker="DELETE"),
        grant("register_answer", to, worker="DELETE"),
        grant("notice", to, worker="DELETE"),
    )
