"""Invoices, which outlive their companies, and the last serial of each series."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import create_cross_tenant_policies, enable_row_security, grant_rights

revision = "0008"
down_revision = "0007"

# No foreign key leads to the company: an issued invoice is kept as long as the law requires
# (docs/rules.md R22).
TABLES = """
CREATE TABLE invoice (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    order_id uuid NOT NULL,
    series text NOT NULL,
    year integer NOT NULL,
    serial integer NOT NULL,
    number text NOT NULL,
    issued_at timestamptz NOT NULL,
    issued_on date NOT NULL,
    paid_at timestamptz NOT NULL,
    sold_on date NOT NULL,
    method text NOT NULL,
    seller_name text NOT NULL,
    seller_tax_id text NOT NULL,
    seller_street text NOT NULL,
    seller_postal_code text NOT NULL,
    seller_city text NOT NULL,
    seller_iban text DEFAULT '' NOT NULL,
    buyer_name text NOT NULL,
    buyer_tax_id text NOT NULL,
    buyer_street text NOT NULL,
    buyer_postal_code text NOT NULL,
    buyer_city text NOT NULL,
    net bigint NOT NULL,
    vat bigint NOT NULL,
    gross bigint NOT NULL,
    currency text DEFAULT 'PLN' NOT NULL,
    issuer text,
    state text DEFAULT 'numbered' NOT NULL,
    schema text,
    ksef_number text,
    reason text,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamptz,
    CONSTRAINT pk_invoice PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_invoice_tenant_id_order_id UNIQUE (tenant_id, order_id),
    CONSTRAINT uq_invoice_tenant_id_number UNIQUE (tenant_id, number),
    CONSTRAINT ck_invoice_sums CHECK (gross = net + vat AND net >= 0 AND vat >= 0),
    CONSTRAINT ck_invoice_method CHECK (method IN ('card', 'blik', 'przelewy24', 'transfer')),
    CONSTRAINT ck_invoice_state CHECK (state IN (
        'numbered', 'xml_built', 'xsd_ok', 'queued', 'session_sent', 'accepted', 'rejected'
    ))
)

CREATE INDEX ix_invoice_next_attempt ON invoice (tenant_id, next_attempt_at)
    WHERE next_attempt_at IS NOT NULL

CREATE TABLE invoice_line (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    invoice_id uuid NOT NULL,
    position integer NOT NULL,
    kind text NOT NULL,
    driver_limit integer NOT NULL,
    days integer,
    name text NOT NULL,
    net bigint NOT NULL,
    vat bigint NOT NULL,
    vat_percent integer NOT NULL,
    CONSTRAINT pk_invoice_line PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_invoice_line_invoice
        FOREIGN KEY (tenant_id, invoice_id) REFERENCES invoice (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT uq_invoice_line_tenant_id_invoice_id_position
        UNIQUE (tenant_id, invoice_id, position),
    CONSTRAINT ck_invoice_line_kind CHECK (kind IN ('period', 'upgrade'))
)

CREATE TABLE invoice_file (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    invoice_id uuid NOT NULL,
    kind text NOT NULL,
    content bytea NOT NULL,
    sha256 bytea NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT pk_invoice_file PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_invoice_file_invoice
        FOREIGN KEY (tenant_id, invoice_id) REFERENCES invoice (tenant_id, id) ON DELETE CASCADE,
    CONSTRAINT uq_invoice_file_tenant_id_invoice_id_kind UNIQUE (tenant_id, invoice_id, kind),
    CONSTRAINT ck_invoice_file_kind CHECK (kind IN ('pdf', 'xml', 'upo'))
)

CREATE TABLE invoice_series (
    series text NOT NULL,
    year integer NOT NULL,
    last_serial integer NOT NULL,
    CONSTRAINT pk_invoice_series PRIMARY KEY (series, year)
)
"""


def upgrade() -> None:
    to = current_roles()
    run_statements(TABLES)
    for table in ("invoice", "invoice_line", "invoice_file"):
        run_statements(enable_row_security(table))
    run_statements(create_cross_tenant_policies("invoice", to))
    # An issued invoice does not change: the worker writes its state and deletes old invoices.
    run_statements(
        grant_rights(
            "invoice",
            to,
            app="SELECT, INSERT",
            worker="SELECT, INSERT, DELETE, UPDATE (state, schema, ksef_number,"
            " reason, attempts, next_attempt_at)",
            planner="SELECT (tenant_id, id, issued_on, attempts, next_attempt_at)",
        ),
        grant_rights("invoice_line", to, app="SELECT, INSERT", worker="SELECT, INSERT"),
        grant_rights("invoice_file", to, app="SELECT", worker="SELECT, INSERT, DELETE"),
        grant_rights(
            "invoice_series", to, app="SELECT, INSERT, UPDATE", worker="SELECT, INSERT, UPDATE"
        ),
    )
