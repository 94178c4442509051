"""${message}"""

from prawko_migrations.statements import roles, run

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    run()
