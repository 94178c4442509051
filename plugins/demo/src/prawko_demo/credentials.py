"""The demo's accounts, printed at every start."""

OWNER_EMAIL = "firma@prawko.test"
OWNER_PASSWORD = "Demo1234"  # noqa: S105 (public)
OPERATOR_EMAIL = "operator@prawko.test"
OPERATOR_PASSWORD = "Operator1234"  # noqa: S105 (public)
