"""Acts of operators in the console (pauses, retries, answers), and the rights of its login."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import grant_rights

revision = "0016"
down_revision = "0015"

PAUSES = """
CREATE TABLE check_pause (
    id uuid NOT NULL,
    started_at timestamptz NOT NULL,
    ended_at timestamptz,
    CONSTRAINT pk_check_pause PRIMARY KEY (id)
)

CREATE UNIQUE INDEX ix_check_pause_open ON check_pause ((ended_at IS NULL))
    WHERE ended_at IS NULL

ALTER TABLE check_run ADD COLUMN retry_requested_at timestamptz
"""

# On a partitioned table an index cannot be made concurrently; the days that it locks are few.
UNANSWERED = """
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX ix_check_item_unanswered ON check_item (day, error_kind)
    WHERE state = 'due' AND error_kind IS NOT NULL
"""

ANSWERS = """
ALTER TABLE support_ticket ADD COLUMN answered_at timestamptz

ALTER TABLE support_ticket ADD COLUMN closed_at timestamptz

ALTER TABLE contact_message ADD COLUMN answered_at timestamptz

ALTER TABLE contact_message ADD COLUMN closed_at timestamptz
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(PAUSES, UNANSWERED, ANSWERS)
    run_statements(
        f"CREATE POLICY operator_own_mail ON delivery FOR INSERT TO {to.operator}"
        " WITH CHECK (tenant_id IS NULL)"
    )
    run_statements(
        grant_rights(
            "check_pause", to, worker="SELECT", operator="SELECT, INSERT, UPDATE (ended_at)"
        )
    )
    rights = {
        "check_run": "UPDATE (review_state, retry_requested_at)",
        # A message is sent again as a new attempt; its content is rendered anew.
        "delivery": (
            "SELECT (key), INSERT, UPDATE (state, attempts, next_try_at, error_kind, error,"
            " lease_until, report, reported_at)"
        ),
        "support_ticket": "UPDATE (answered_at, closed_at)",
        "contact_message": (
            "SELECT (name, email, company, drivers_count, message, created_at, forwarded_at,"
            " answered_at, closed_at), UPDATE (answered_at, closed_at)"
        ),
        "payment": "UPDATE (refunded_grosze)",
        "payment_discrepancy": "SELECT, UPDATE (refunded_grosze, resolved_at, resolution_note)",
        "provider_pause": "SELECT",
        "webhook_event": "SELECT (id, provider, event_id)",
        "incident": "SELECT, UPDATE (closed_at)",
        "register_limiter": "SELECT",
    }
    run_statements(*(grant_rights(table, to, operator=verbs) for table, verbs in rights.items()))
