"""What companies order, the limit that follows, and until when their drivers are checked."""

from prawko_migrations.statements import roles, run
from prawko_tenants.policies import grant, protect

revision = "0007"
down_revision = "0006"

ORDERS = """
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
"""

# A row for each company, a few thousand: the short lock of the last step is bearable. The owner
# is bound by the policies as well, so they are lifted from it while the new column is filled.
CHECKED_UNTIL = """
ALTER TABLE subscription
    ADD COLUMN checked_until timestamptz,
    ADD COLUMN next_limit integer,
    ADD COLUMN next_limit_at timestamptz,
    ADD COLUMN mandate_id uuid

ALTER TABLE subscription NO FORCE ROW LEVEL SECURITY

UPDATE subscription SET checked_until = end_date

ALTER TABLE subscription FORCE ROW LEVEL SECURITY

-- squawk-ignore adding-not-nullable-field
ALTER TABLE subscription ALTER COLUMN checked_until SET NOT NULL
"""


def upgrade() -> None:
    to = roles()
    run(ORDERS, protect("subscription_order"))
    run(
        grant(
            "subscription_order",
            to,
            app="SELECT, INSERT, UPDATE",
            worker="SELECT, INSERT, UPDATE",
        )
    )
    run(CHECKED_UNTIL)
    run(
        grant(
            "subscription",
            to,
            planner="SELECT (checked_until, next_limit_at, cancelled_at, mandate_id)",
        )
    )
