"""The database's history, run by its owner and by nobody else."""

from io import StringIO
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import make_url

from prawko_tenants.roles import Roles

__all__ = ["as_sql", "upgrade"]


def upgrade(owner_url: str) -> None:
    """Bring a database up to date; nothing happens to one that is.

    The roles that rights are given to are the owner's neighbours: `prawko_owner` grants to
    `prawko_app`. Two calls at once wait for each other. Blocks; not from a running loop.
    """
    config = _config(Roles.owned_by(make_url(owner_url).username or ""))
    config.attributes["url"] = owner_url
    command.upgrade(config, "head")


def as_sql(roles: Roles | None = None) -> str:
    """Return the whole history as one script, for reading and linting."""
    config = _config(roles or Roles())
    config.output_buffer = StringIO()
    command.upgrade(config, "head", sql=True)
    return config.output_buffer.getvalue()


def _config(roles: Roles) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["roles"] = roles
    return config
