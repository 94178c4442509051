"""`python -m prawko_migrations` prints the whole history as one SQL script."""

import sys

from prawko_migrations import as_sql

sys.stdout.write(as_sql())
