"""A membership has one of four roles."""

from prawko_migrations.statements import run_statements

revision = "0055"
down_revision = "0054"

# `member` stays accepted while processes of the release before may run, whose tests write it.
ROLES = """
-- squawk-ignore ban-drop-constraint
ALTER TABLE membership DROP CONSTRAINT ck_membership_role

ALTER TABLE membership ADD CONSTRAINT ck_membership_role
    CHECK (role IN ('owner', 'manager', 'dispatcher', 'accountant', 'member')) NOT VALID
"""


def upgrade() -> None:
    run_statements(ROLES)
