"""Helpers of the revisions."""

from typing import cast

from alembic import op

from prawko_tenants.roles import Roles


def current_roles() -> Roles:
    """Return the roles of the installation that is being migrated."""
    return cast("Roles", op.get_context().opts["roles"])


def run_statements(*scripts: str) -> None:
    """Run SQL whose statements are separated by blank lines."""
    for script in scripts:
        for statement in script.strip().split("\n\n"):
            op.execute(statement)
