"""Second factors; incidents with a history and a mail at their end; checks of the action log."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import grant_rights

revision = "0015"
down_revision = "0014"

SECOND_FACTORS = """
CREATE TABLE second_factor (
    user_id uuid NOT NULL,
    secret bytea NOT NULL,
    created_at timestamptz NOT NULL,
    confirmed_at timestamptz,
    last_step bigint,
    CONSTRAINT pk_second_factor PRIMARY KEY (user_id),
    CONSTRAINT fk_second_factor_user_account
        FOREIGN KEY (user_id) REFERENCES user_account (id) ON DELETE CASCADE
)

CREATE TABLE recovery_code (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    used_at timestamptz,
    CONSTRAINT pk_recovery_code PRIMARY KEY (id),
    CONSTRAINT uq_recovery_code_user_id_code_hash UNIQUE (user_id, code_hash),
    CONSTRAINT fk_recovery_code_second_factor
        FOREIGN KEY (user_id) REFERENCES second_factor (user_id) ON DELETE CASCADE
)

ALTER TABLE login_session ADD COLUMN second_factor_pending boolean DEFAULT false NOT NULL

ALTER TABLE login_session ADD COLUMN second_factor_at timestamptz
"""

# Incidents that were closed before get no mail about their end.
INCIDENTS = """
ALTER TABLE incident ADD COLUMN end_reported_at timestamptz

UPDATE incident SET end_reported_at = closed_at WHERE closed_at IS NOT NULL

-- squawk-ignore ban-drop-constraint
ALTER TABLE incident DROP CONSTRAINT uq_incident_kind_key

-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX uq_incident_kind_key_open ON incident (kind, key) WHERE closed_at IS NULL

-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_incident_kind_key_opened_at ON incident (kind, key, opened_at)
"""

ACTION_CHECKS = """
CREATE TABLE admin_action_check (
    checked_at timestamptz NOT NULL,
    rows bigint NOT NULL,
    head_hash bytea NOT NULL,
    broken_at bigint,
    CONSTRAINT pk_admin_action_check PRIMARY KEY (checked_at)
)
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(SECOND_FACTORS, INCIDENTS, ACTION_CHECKS)
    everything = "SELECT, INSERT, UPDATE, DELETE"
    run_statements(
        grant_rights("second_factor", to, app=everything),
        grant_rights("recovery_code", to, app=everything),
        grant_rights("admin_action_check", to, worker="SELECT, INSERT", operator="SELECT"),
    )
