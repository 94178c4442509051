"""Payments: tries, mandates, what does not add up, and providers that rest."""

from prawko_migrations.statements import roles, run
from prawko_tenants.policies import grant, protect, widen

revision = "0006"
down_revision = "0005"

# A payment has no key to its company: money that comes late for a company that is gone must
# still be seen. A finding has none either, and may be about a payment that nobody knows.
PAYMENTS = """
CREATE TABLE payment (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    key text NOT NULL,
    order_id uuid NOT NULL,
    provider text NOT NULL,
    method text NOT NULL,
    grosze bigint NOT NULL,
    currency text NOT NULL,
    save boolean NOT NULL,
    state text NOT NULL,
    provider_ref text,
    url text,
    transfer jsonb,
    mandate_id uuid,
    sealed bytea,
    reason text,
    open_until timestamptz,
    next_ask_at timestamptz,
    attempts integer DEFAULT 0 NOT NULL,
    lease_until timestamptz,
    created_at timestamptz NOT NULL,
    settled_at timestamptz,
    CONSTRAINT pk_payment PRIMARY KEY (id),
    CONSTRAINT uq_payment_key UNIQUE (key),
    CONSTRAINT ck_payment_state CHECK (state IN
        ('starting', 'open', 'paid', 'failed', 'expired', 'refunded', 'mismatched'))
)

CREATE INDEX ix_payment_tenant_id_order_id_id ON payment (tenant_id, order_id, id)

CREATE INDEX ix_payment_asked ON payment (next_ask_at) WHERE next_ask_at IS NOT NULL

CREATE TABLE payment_mandate (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    provider text NOT NULL,
    method text NOT NULL,
    token bytea NOT NULL,
    key_id text NOT NULL,
    label text NOT NULL,
    created_at timestamptz NOT NULL,
    ended_at timestamptz,
    CONSTRAINT pk_payment_mandate PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_payment_mandate_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE
)

CREATE TABLE payment_finding (
    id uuid NOT NULL,
    kind text NOT NULL,
    provider text NOT NULL,
    key text NOT NULL,
    provider_ref text NOT NULL,
    grosze bigint NOT NULL,
    currency text NOT NULL,
    tenant_id uuid,
    detail text NOT NULL,
    found_at timestamptz NOT NULL,
    told_at timestamptz,
    settled_at timestamptz,
    settled_note text,
    CONSTRAINT pk_payment_finding PRIMARY KEY (id),
    CONSTRAINT uq_payment_finding_said
        UNIQUE (kind, provider, key, provider_ref, grosze, currency),
    CONSTRAINT ck_payment_finding_kind CHECK (kind IN
        ('paid_twice', 'wrong_amount', 'wrong_currency', 'unknown_payment', 'void_order',
         'refunded_elsewhere', 'suspended'))
)

CREATE INDEX ix_payment_finding_found_at ON payment_finding (found_at) WHERE settled_at IS NULL

CREATE TABLE payment_pause (
    provider text NOT NULL,
    since timestamptz NOT NULL,
    paused_until timestamptz NOT NULL,
    reason text NOT NULL,
    CONSTRAINT pk_payment_pause PRIMARY KEY (provider)
)
"""


def upgrade() -> None:
    to = roles()
    writes = "SELECT, INSERT, UPDATE"
    run(PAYMENTS, protect("payment"), widen("payment", to), protect("payment_mandate"))
    run(
        # The panel asks providers, too: it charges a saved card while its owner waits.
        grant("payment", to, app=writes, worker=f"{writes}, DELETE"),
        grant("payment_mandate", to, app=writes, worker=writes),
        # It finds what does not add up; what lies there is for the operators to read.
        grant("payment_finding", to, app="INSERT", worker=f"{writes}, DELETE"),
        grant("payment_pause", to, app=f"{writes}, DELETE", worker=f"{writes}, DELETE"),
    )
