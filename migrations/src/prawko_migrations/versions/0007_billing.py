"""Subscriptions, their history and orders, trials, and the steps of renewals."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import create_cross_tenant_policies, enable_row_security, grant_rights

revision = "0007"
down_revision = "0006"

# `renewal_step.order_id` is what a charge was to pay; two steps may share an open order.
TABLES = """
CREATE TABLE subscription (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    status text NOT NULL,
    driver_limit integer NOT NULL,
    is_trial boolean DEFAULT false NOT NULL,
    start_date timestamptz NOT NULL,
    end_date timestamptz NOT NULL,
    monitored_until timestamptz NOT NULL,
    scheduled_limit integer,
    scheduled_limit_at timestamptz,
    cancelled_at timestamptz,
    company_name text DEFAULT '' NOT NULL,
    tax_id text DEFAULT '' NOT NULL,
    street text DEFAULT '' NOT NULL,
    postal_code text DEFAULT '' NOT NULL,
    city text DEFAULT '' NOT NULL,
    provider text,
    mandate_id uuid,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT pk_subscription PRIMARY KEY (tenant_id, id),
    CONSTRAINT ck_subscription_status
        CHECK (status IN ('active', 'inactive', 'cancelled', 'trial', 'expired')),
    CONSTRAINT fk_subscription_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE
)

CREATE INDEX ix_subscription_tenant_id_created_at ON subscription (tenant_id, created_at)

CREATE TABLE subscription_history (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    changed_at timestamptz NOT NULL,
    old_status text,
    new_status text NOT NULL,
    old_end_date timestamptz,
    new_end_date timestamptz,
    note text,
    CONSTRAINT pk_subscription_history PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_subscription_history_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE,
    CONSTRAINT fk_subscription_history_subscription
        FOREIGN KEY (tenant_id, subscription_id) REFERENCES subscription (tenant_id, id)
        ON DELETE CASCADE
)

CREATE INDEX ix_subscription_history_tenant_id_subscription_id_changed_at
    ON subscription_history (tenant_id, subscription_id, changed_at)

CREATE TABLE subscription_order (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    state text NOT NULL,
    driver_limit integer NOT NULL,
    from_limit integer,
    end_date timestamptz,
    lines jsonb NOT NULL,
    net integer NOT NULL,
    vat integer NOT NULL,
    method text NOT NULL,
    company_name text NOT NULL,
    tax_id text NOT NULL,
    street text NOT NULL,
    postal_code text NOT NULL,
    city text NOT NULL,
    created_by uuid,
    created_at timestamptz NOT NULL,
    paid_at timestamptz,
    payment_id uuid,
    superseded_by uuid,
    CONSTRAINT pk_subscription_order PRIMARY KEY (tenant_id, id),
    CONSTRAINT ck_subscription_order_kind CHECK (kind IN ('period', 'upgrade', 'renewal')),
    CONSTRAINT ck_subscription_order_state
        CHECK (state IN ('open', 'paid', 'failed', 'expired', 'void')),
    CONSTRAINT fk_subscription_order_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE,
    CONSTRAINT fk_subscription_order_membership
        FOREIGN KEY (tenant_id, created_by) REFERENCES membership (tenant_id, user_id)
        ON DELETE SET NULL (created_by)
)

CREATE TABLE trial_claim (
    id uuid NOT NULL,
    kind text NOT NULL,
    digest bytea NOT NULL,
    tenant_id uuid,
    claimed_at timestamptz NOT NULL,
    CONSTRAINT pk_trial_claim PRIMARY KEY (id),
    CONSTRAINT uq_trial_claim_kind_digest UNIQUE (kind, digest),
    CONSTRAINT ck_trial_claim_kind CHECK (kind IN ('tax_id', 'email')),
    CONSTRAINT fk_trial_claim_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE SET NULL
)

CREATE TABLE renewal_step (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    subscription_id uuid NOT NULL,
    end_date timestamptz NOT NULL,
    step text NOT NULL,
    taken_at timestamptz NOT NULL,
    order_id uuid,
    CONSTRAINT pk_renewal_step PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_renewal_step_tenant_id_subscription_id_end_date_step
        UNIQUE (tenant_id, subscription_id, end_date, step),
    CONSTRAINT fk_renewal_step_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE,
    CONSTRAINT fk_renewal_step_subscription
        FOREIGN KEY (tenant_id, subscription_id) REFERENCES subscription (tenant_id, id)
        ON DELETE CASCADE,
    CONSTRAINT fk_renewal_step_subscription_order
        FOREIGN KEY (tenant_id, order_id) REFERENCES subscription_order (tenant_id, id)
        ON DELETE SET NULL (order_id),
    CONSTRAINT ck_renewal_step_step CHECK (step IN
        ('first_charge', 'second_charge', 'third_charge', 'closing', 'grace_end'))
)
"""
# The one rule of whose drivers are monitored, until when, and how many of them: the newest
# subscription decides. `monitored_until` is null if that was cancelled, and has ended, or if an
# operator has closed it. A view has no present time: its readers compare `monitored_until`.
MONITORED_COMPANIES = """
CREATE VIEW monitored_company WITH (security_invoker = true) AS
SELECT DISTINCT ON (tenant_id) tenant_id, id AS subscription_id, driver_limit,
       CASE WHEN status IN ('active', 'expired') THEN monitored_until END AS monitored_until
  FROM subscription ORDER BY tenant_id, id DESC
"""


def upgrade() -> None:
    to = current_roles()
    writes = "SELECT, INSERT, UPDATE"
    run_statements(
        TABLES,
        enable_row_security("subscription"),
        create_cross_tenant_policies("subscription", to),
        enable_row_security("subscription_history"),
        enable_row_security("subscription_order"),
        enable_row_security("renewal_step"),
        create_cross_tenant_policies("renewal_step", to),
        MONITORED_COMPANIES,
    )
    run_statements(
        grant_rights(
            "subscription",
            to,
            app=writes,
            worker=writes,
            planner="SELECT (tenant_id, id, status, driver_limit, end_date, monitored_until,"
            " scheduled_limit_at, cancelled_at, mandate_id, created_at)",
        ),
        grant_rights("subscription_history", to, app="SELECT, INSERT", worker="SELECT, INSERT"),
        grant_rights("subscription_order", to, app=writes, worker=writes),
        grant_rights("monitored_company", to, app="SELECT", worker="SELECT", planner="SELECT"),
        grant_rights("trial_claim", to, app="SELECT, INSERT"),
        grant_rights(
            "renewal_step",
            to,
            app="SELECT",
            worker="SELECT, INSERT",
            planner="SELECT (tenant_id, subscription_id, end_date, step)",
        ),
    )
