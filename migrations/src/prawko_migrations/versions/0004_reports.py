"""What carriers report later: an inbox for every provider, and what it says of a message."""

from prawko_migrations.statements import roles, run
from prawko_tenants.policies import grant

revision = "0004"
down_revision = "0003"

# One inbox for all that providers send us of their own accord, reports and payments alike.
# What an event says is sealed, and emptied when it has been worked on.
INBOX = """
CREATE TABLE webhook_event (
    id uuid NOT NULL,
    provider text NOT NULL,
    event_id text NOT NULL,
    body bytea,
    received_at timestamptz NOT NULL,
    next_try_at timestamptz NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    worked_at timestamptz,
    outcome text,
    CONSTRAINT pk_webhook_event PRIMARY KEY (id),
    CONSTRAINT uq_webhook_event_provider_event_id UNIQUE (provider, event_id)
)

CREATE INDEX ix_webhook_event_waiting ON webhook_event (next_try_at) WHERE worked_at IS NULL
"""

DELIVERIES = """
ALTER TABLE delivery ADD COLUMN report text CONSTRAINT ck_delivery_report
    CHECK (report IN ('delivered', 'failed', 'dropped', 'bounced', 'spam'))

ALTER TABLE delivery ADD COLUMN reported_at timestamptz
"""

# An address that a mail server refused while we spoke to it is not one that a carrier reported.
# The words are checked at once: accounts are few.
ADDRESSES = """
-- squawk-ignore ban-drop-constraint
ALTER TABLE user_account DROP CONSTRAINT ck_user_account_email_state

UPDATE user_account SET email_state = 'refused' WHERE email_state = 'bounced'

-- squawk-ignore constraint-missing-not-valid
ALTER TABLE user_account ADD CONSTRAINT ck_user_account_email_state
    CHECK (email_state IN ('ok', 'refused', 'bounced', 'dropped', 'spam'))

ALTER TABLE user_account ADD COLUMN email_trusted_at timestamptz
"""


def upgrade() -> None:
    to = roles()
    run(INBOX, DELIVERIES, ADDRESSES)
    run(
        grant("webhook_event", to, app="INSERT", worker="SELECT, UPDATE, DELETE"),
        grant("user_account", to, app="UPDATE (email_trusted_at)"),
    )
