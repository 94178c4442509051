"""Migrations of the database, run with the owner's login only."""

from io import StringIO
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import make_url

from prawko_tenants.roles import Roles

__all__ = ["render_sql", "upgrade_database"]


def upgrade_database(owner_url: str) -> None:
    """Migrate a database to the newest revision.

    Rights are granted to the roles with the owner's prefix: `prawko_owner` grants to
    `prawko_app`. Concurrent calls wait for each other. Blocking: not for a running event loop.
    """
    config = _config(Roles.from_owner(make_url(owner_url).username or ""))
    config.attributes["url"] = owner_url
    command.upgrade(config, "head")


def render_sql(roles: Roles | None = None) -> str:
    """Return all migrations as one SQL script, for reading and linting."""
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
