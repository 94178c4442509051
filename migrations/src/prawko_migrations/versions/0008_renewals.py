"""What our own timetable has done about each end of a subscription."""

from prawko_migrations.statements import roles, run
from prawko_tenants.policies import grant, protect, widen

revision = "0008"
down_revision = "0007"

# `order_id` is what a charge was to pay; two steps may share an order whose fate was open.
RENEWALS = """
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


def upgrade() -> None:
    to = roles()
    run(RENEWALS, protect("renewal_step"), widen("renewal_step", to))
    run(
        grant(
            "renewal_step",
            to,
            app="SELECT",
            worker="SELECT, INSERT",
            planner="SELECT (tenant_id, subscription_id, end_date, step)",
        )
    )
