"""`python -m prawko_migrations` prints all migrations as one SQL script."""

import sys

from prawko_migrations import render_sql

sys.stdout.write(render_sql())
