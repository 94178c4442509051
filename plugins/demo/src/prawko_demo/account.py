"""Who can sign in to a demo: printed at every start."""

EMAIL = "firma@prawko.test"
PASSWORD = "Demo1234"  # noqa: S105 (see above)
OPERATOR_EMAIL = "operator@prawko.test"
OPERATOR_PASSWORD = "Operator1234"  # noqa: S105 (see above)
