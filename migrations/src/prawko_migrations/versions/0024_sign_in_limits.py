"""Sliding windows of the rate limits, the generation of known browsers, disputed payments."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import grant_rights

revision = "0024"
down_revision = "0023"

CHANGES = """
ALTER TABLE throttle ADD COLUMN tries timestamptz[] DEFAULT '{}' NOT NULL

ALTER TABLE user_account ADD COLUMN browser_generation integer DEFAULT 0 NOT NULL

-- squawk-ignore ban-drop-constraint
ALTER TABLE payment_discrepancy DROP CONSTRAINT ck_payment_discrepancy_kind

ALTER TABLE payment_discrepancy ADD CONSTRAINT ck_payment_discrepancy_kind CHECK (kind IN
    ('paid_twice', 'wrong_amount', 'wrong_currency', 'unknown_payment', 'void_order',
     'refunded_elsewhere', 'suspended', 'disputed')) NOT VALID
"""


def upgrade() -> None:
    run_statements(CHANGES)
    run_statements(
        grant_rights(
            "user_account",
            current_roles(),
            app="UPDATE (browser_generation)",
            worker="SELECT (browser_generation)",
        )
    )
