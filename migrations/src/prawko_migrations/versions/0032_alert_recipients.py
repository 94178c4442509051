"""Record the choice of each member and persons without an account as recipients of alerts."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import enable_row_security, grant_rights

revision = "0032"
down_revision = "0031"

# The defaults are what every member got before: all groups, and SMS as the product's night has it.
MEMBERS = """
ALTER TABLE membership
    ADD COLUMN alert_groups text[] DEFAULT '{status,expiry,billing}' NOT NULL,
    ADD COLUMN sms_from_hour integer,
    ADD COLUMN sms_until_hour integer
"""
RECIPIENTS = """
CREATE TABLE alert_recipient (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    email_key text NOT NULL,
    language text DEFAULT 'pl' NOT NULL,
    email_enabled boolean DEFAULT true NOT NULL,
    alert_groups text[] DEFAULT '{status,expiry,billing}' NOT NULL,
    email_state text DEFAULT 'ok' NOT NULL,
    email_trusted_at timestamptz,
    invited_at timestamptz NOT NULL,
    confirmed_at timestamptz,
    stopped_at timestamptz,
    created_at timestamptz NOT NULL,
    created_by uuid,
    CONSTRAINT pk_alert_recipient PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_alert_recipient_tenant_id_email_key UNIQUE (tenant_id, email_key),
    CONSTRAINT ck_alert_recipient_language CHECK (language IN ('pl', 'en')),
    CONSTRAINT ck_alert_recipient_email_state
        CHECK (email_state IN ('ok', 'bounced', 'dropped', 'spam')),
    CONSTRAINT fk_alert_recipient_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE,
    CONSTRAINT fk_alert_recipient_membership
        FOREIGN KEY (tenant_id, created_by) REFERENCES membership (tenant_id, user_id)
        ON DELETE SET NULL (created_by)
)
"""
# By column, because a login that may update whole rows may lock the table.
CHOICES = (
    "name, language, email_enabled, alert_groups, email_state, email_trusted_at, invited_at,"
    " confirmed_at, stopped_at"
)


def upgrade() -> None:
    to = current_roles()
    run_statements(MEMBERS, RECIPIENTS, enable_row_security("alert_recipient"))
    run_statements(
        grant_rights("membership", to, app="UPDATE (alert_groups, sms_from_hour, sms_until_hour)"),
        # The worker sends to them and stores what carriers report of an address.
        grant_rights(
            "alert_recipient",
            to,
            app=f"SELECT, INSERT, UPDATE ({CHOICES}), DELETE",
            worker="SELECT, UPDATE (email_state)",
            operator=(
                "SELECT (tenant_id, id, name, email, language, email_enabled, alert_groups,"
                " email_state, invited_at, confirmed_at, stopped_at, created_at, created_by)"
            ),
        ),
    )
    # The export of a company's messages names their recipients.
    run_statements(grant_rights("delivery", to, operator="SELECT (subject_id)"))
