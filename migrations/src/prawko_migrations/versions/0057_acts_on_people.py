"""Owners change the roles of a company's people, and remove them, by the panel's login."""

from prawko_migrations.statements import current_roles, run_statements
from prawko_tenants.policies import grant_rights

revision = "0057"
down_revision = "0056"


def upgrade() -> None:
    to = current_roles()
    run_statements(
        grant_rights("membership", to, app="UPDATE (role)"),
        f"GRANT EXECUTE ON FUNCTION remove_member(uuid) TO {to.app}",
    )
