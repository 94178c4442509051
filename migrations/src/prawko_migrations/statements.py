"""How a step of the history speaks to the database."""

from typing import cast

from alembic import op

from prawko_tenants.roles import Roles


def roles() -> Roles:
    """The roles of the installation that is being migrated."""
    return cast("Roles", op.get_context().opts["roles"])


def run(*scripts: str) -> None:
    """Run SQL in which every statement is one paragraph."""
    for script in scripts:
        for statement in script.strip().split("\n\n"):
            op.execute(statement)
