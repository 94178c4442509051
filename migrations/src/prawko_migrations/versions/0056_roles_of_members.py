"""Members of the releases before become managers, and the roles are checked."""

from prawko_migrations.statements import run_statements

revision = "0056"
down_revision = "0055"

# A member could do all that a company does but erase it. A manager has what comes nearest without
# the subscription, which its owner hands out. No call of the panel has ever made a member.
MEMBERS = "UPDATE membership SET role = 'manager' WHERE role = 'member'"
CHECK = "ALTER TABLE membership VALIDATE CONSTRAINT ck_membership_role"


def upgrade() -> None:
    run_statements(MEMBERS, CHECK)
