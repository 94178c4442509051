"""Database URLs in the form that asyncpg and command-line tools read."""

from sqlalchemy import make_url


def to_asyncpg_dsn(url: str) -> str:
    """Return the URL with the scheme `postgresql://` for `postgres://` or `postgresql+asyncpg://`."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def url_for_login(url: str, login: str, password: str, database: str) -> str:
    """Return the URL of `database` on the same server for another login."""
    return (
        make_url(url)
        .set(drivername="postgresql", username=login, password=password, database=database)
        .render_as_string(hide_password=False)
    )
