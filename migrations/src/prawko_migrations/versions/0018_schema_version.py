"""Let every process read which schema the database has."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import grant_rights

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    to = current_roles()
    run_statements(
        grant_rights("alembic_version", to, app="SELECT", worker="SELECT", operator="SELECT")
    )
