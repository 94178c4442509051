"""Addresses of a database, in the one form that both drivers and people's tools read."""

from sqlalchemy import make_url


def plain(url: str) -> str:
    """Turn `postgres://` or `postgresql+asyncpg://` into `postgresql://`, all else untouched."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def of_login(url: str, login: str, password: str, database: str) -> str:
    """Return the address of `database` on the same server for another login."""
    return (
        make_url(url)
        .set(drivername="postgresql", username=login, password=password, database=database)
        .render_as_string(hide_password=False)
    )
