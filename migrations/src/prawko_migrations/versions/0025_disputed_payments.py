"""Validates the kinds of discrepancies, which the revision before widened."""

from prawko_migrations.statements import run_statements

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    run_statements(
        "ALTER TABLE payment_discrepancy VALIDATE CONSTRAINT ck_payment_discrepancy_kind"
    )
