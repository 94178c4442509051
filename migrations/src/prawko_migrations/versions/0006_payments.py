"""Payments, saved payment methods and discrepancies."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import create_cross_tenant_policies, enable_row_security, grant_rights

revision = "0006"
down_revision = "0005"

# A payment has no foreign key to its company: money that arrives late for an erased company must
# still be seen. A discrepancy has none either, and may be about an unknown payment.
TABLES = """
CREATE TABLE payment (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    reference text NOT NULL,
    order_id uuid NOT NULL,
    provider text NOT NULL,
    method text NOT NULL,
    grosze bigint NOT NULL,
    currency text NOT NULL,
    save_payment_method boolean NOT NULL,
    state text NOT NULL,
    provider_ref text,
    url text,
    transfer jsonb,
    mandate_id uuid,
    encrypted_details bytea,
    reason text,
    expires_at timestamptz,
    next_poll_at timestamptz,
    attempts integer DEFAULT 0 NOT NULL,
    lease_until timestamptz,
    fence bigint DEFAULT 0 NOT NULL,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    refunded_grosze bigint DEFAULT 0 NOT NULL,
    CONSTRAINT pk_payment PRIMARY KEY (id),
    CONSTRAINT uq_payment_reference UNIQUE (reference),
    CONSTRAINT ck_payment_state CHECK (state IN
        ('starting', 'open', 'paid', 'failed', 'expired', 'refunded', 'mismatched'))
)

CREATE INDEX ix_payment_tenant_id_order_id_id ON payment (tenant_id, order_id, id)

CREATE INDEX ix_payment_next_poll ON payment (next_poll_at) WHERE next_poll_at IS NOT NULL

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

CREATE TABLE payment_discrepancy (
    id uuid NOT NULL,
    kind text NOT NULL,
    provider text NOT NULL,
    reference text NOT NULL,
    provider_ref text NOT NULL,
    grosze bigint NOT NULL,
    currency text NOT NULL,
    tenant_id uuid,
    detail text NOT NULL,
    detected_at timestamptz NOT NULL,
    reported_at timestamptz,
    resolved_at timestamptz,
    resolution_note text,
    refunded_grosze bigint,
    CONSTRAINT pk_payment_discrepancy PRIMARY KEY (id),
    CONSTRAINT uq_payment_discrepancy_content
        UNIQUE (kind, provider, reference, provider_ref, grosze, currency),
    CONSTRAINT ck_payment_discrepancy_kind CHECK (kind IN
        ('paid_twice', 'wrong_amount', 'wrong_currency', 'unknown_payment', 'void_order',
         'refunded_elsewhere', 'suspended'))
)

CREATE INDEX ix_payment_discrepancy_detected_at ON payment_discrepancy (detected_at)
    WHERE resolved_at IS NULL
"""


def upgrade() -> None:
    to = current_roles()
    writes = "SELECT, INSERT, UPDATE"
    run_statements(
        TABLES,
        enable_row_security("payment"),
        create_cross_tenant_policies("payment", to),
        enable_row_security("payment_mandate"),
    )
    run_statements(
        # The panel calls providers, too: it charges a saved card while its owner waits.
        grant_rights("payment", to, app=writes, worker=f"{writes}, DELETE"),
        grant_rights("payment_mandate", to, app=writes, worker=writes),
        # The panel reports discrepancies; reading them is for the operators.
        grant_rights("payment_discrepancy", to, app="INSERT", worker=f"{writes}, DELETE"),
    )
