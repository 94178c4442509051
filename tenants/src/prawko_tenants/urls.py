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


def url_of_database(url: str, database: str) -> str:
    """Return the URL of another database for the same login."""
    return make_url(url).set(database=database).render_as_string(hide_password=False)


def to_libpq_variables(url: str) -> dict[str, str]:
    """Return the variables by which PostgreSQL's programs connect: arguments are not private."""
    parts = make_url(url)
    query = {name: str(value) for name, value in parts.query.items()}
    variables = {
        "PGHOST": query.pop("host", None) or parts.host,
        "PGPORT": query.pop("port", None) or str(parts.port or ""),
        "PGUSER": parts.username,
        "PGPASSWORD": parts.password,
        "PGDATABASE": parts.database,
        **{f"PG{name.upper()}": value for name, value in query.items() if name.startswith("ssl")},
    }
    return {name: str(value) for name, value in variables.items() if value}
