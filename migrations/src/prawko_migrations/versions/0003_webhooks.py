"""Webhook events of all providers, delivery reports and payments alike."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import grant_rights

revision = "0003"
down_revision = "0002"

# `body` is encrypted, and emptied once the event has been processed.
TABLES = """
CREATE TABLE webhook_event (
    id uuid NOT NULL,
    provider text NOT NULL,
    event_id text NOT NULL,
    body bytea,
    received_at timestamptz NOT NULL,
    next_try_at timestamptz NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    lease_until timestamptz,
    fence bigint DEFAULT 0 NOT NULL,
    processed_at timestamptz,
    outcome text,
    CONSTRAINT pk_webhook_event PRIMARY KEY (id),
    CONSTRAINT uq_webhook_event_provider_event_id UNIQUE (provider, event_id)
)

CREATE INDEX ix_webhook_event_unprocessed ON webhook_event (next_try_at) WHERE processed_at IS NULL
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(TABLES)
    run_statements(grant_rights("webhook_event", to, app="INSERT", worker="SELECT, UPDATE, DELETE"))
