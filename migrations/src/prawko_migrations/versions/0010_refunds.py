"""What operators asked to be given back, so that its coming about is no surprise."""

from prawko_migrations.statements import run

revision = "0010"
down_revision = "0009"

REFUNDS = """
ALTER TABLE payment ADD COLUMN given_back bigint NOT NULL DEFAULT 0

ALTER TABLE payment_finding ADD COLUMN given_back bigint
"""


def upgrade() -> None:
    run(REFUNDS)
