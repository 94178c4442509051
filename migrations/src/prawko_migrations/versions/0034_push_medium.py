"""Validates the media of messages, which the revision before widened."""

from prawko_migrations.statements import run_statements

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    run_statements("ALTER TABLE delivery VALIDATE CONSTRAINT ck_delivery_channel_medium")
