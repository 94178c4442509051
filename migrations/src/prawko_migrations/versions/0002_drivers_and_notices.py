"""What companies order, the drivers they keep, and what they are told."""

from prawko_migrations.statements import roles, run
from prawko_tenants.policies import grant, protect, widen

revision = "0002"
down_revision = "0001"

BILLING = """
CREATE TABLE subscription (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    status text NOT NULL,
    driver_limit integer NOT NULL,
    price_net numeric(10, 2) NOT NULL,
    is_trial boolean DEFAULT false NOT NULL,
    start_date timestamptz NOT NULL,
    end_date timestamptz NOT NULL,
    cancelled_at timestamptz,
    company_name text DEFAULT '' NOT NULL,
    tax_id text DEFAULT '' NOT NULL,
    street text DEFAULT '' NOT NULL,
    postal_code text DEFAULT '' NOT NULL,
    city text DEFAULT '' NOT NULL,
    provider text,
    session_ref text,
    subscription_ref text,
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
"""

DRIVERS = """
CREATE TABLE driver (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    asked_at timestamptz,
    verified_at timestamptz,
    created_at timestamptz NOT NULL,
    created_by uuid,
    document_no integer DEFAULT 1 NOT NULL,
    status text DEFAULT 'unknown' NOT NULL,
    license_number text NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    sort_key text COLLATE "C" NOT NULL,
    latest json,
    CONSTRAINT pk_driver PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_driver_tenant_id_license_number UNIQUE (tenant_id, license_number),
    CONSTRAINT ck_driver_status
        CHECK (status IN ('unknown', 'valid', 'invalid', 'attention', 'not_found')),
    CONSTRAINT fk_driver_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE,
    CONSTRAINT fk_driver_membership
        FOREIGN KEY (tenant_id, created_by) REFERENCES membership (tenant_id, user_id)
        ON DELETE SET NULL (created_by)
) WITH (fillfactor = 70)
"""

NOTICES = """
CREATE TABLE notice (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    driver_id uuid,
    dedup text NOT NULL,
    params jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT pk_notice PRIMARY KEY (tenant_id, id),
    CONSTRAINT uq_notice_tenant_id_kind_dedup UNIQUE (tenant_id, kind, dedup),
    CONSTRAINT fk_notice_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE
)

CREATE TABLE notification (
    tenant_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    notice_id uuid,
    type text NOT NULL,
    title text NOT NULL,
    content text NOT NULL,
    read boolean DEFAULT false NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT pk_notification PRIMARY KEY (tenant_id, id),
    CONSTRAINT fk_notification_tenant
        FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE CASCADE,
    CONSTRAINT fk_notification_membership
        FOREIGN KEY (tenant_id, user_id) REFERENCES membership (tenant_id, user_id)
        ON DELETE CASCADE,
    CONSTRAINT fk_notification_notice
        FOREIGN KEY (tenant_id, notice_id) REFERENCES notice (tenant_id, id)
        ON DELETE SET NULL (notice_id)
)

CREATE INDEX ix_notification_tenant_id_user_id_created_at
    ON notification (tenant_id, user_id, created_at)
"""


def upgrade() -> None:
    to = roles()
    run(BILLING, protect("subscription"), widen("subscription", to))
    run(protect("subscription_history"))
    run(
        grant(
            "subscription",
            to,
            app="SELECT, INSERT, UPDATE",
            worker="SELECT, INSERT, UPDATE",
            planner="SELECT (tenant_id, id, status, driver_limit, end_date, created_at)",
        ),
        grant("subscription_history", to, app="SELECT, INSERT", worker="SELECT, INSERT"),
        grant("trial_claim", to, app="SELECT, INSERT"),
    )
    run(DRIVERS, protect("driver"), widen("driver", to))
    run(
        grant(
            "driver",
            to,
            app="SELECT, INSERT, UPDATE, DELETE",
            worker="SELECT, UPDATE",
            planner="SELECT (tenant_id, id, document_no, status)",
        )
    )
    run(NOTICES, protect("notice"), protect("notification"))
    run(
        grant("notice", to, app="SELECT, INSERT", worker="SELECT, INSERT"),
        grant(
            "notification",
            to,
            app="SELECT, INSERT, UPDATE, DELETE",
            worker="SELECT, INSERT, DELETE",
        ),
    )
