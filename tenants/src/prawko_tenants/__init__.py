"""Multi-tenancy: table classes, sessions, row-level security, and the lifecycle of a company.

Only this package opens connections to PostgreSQL.
"""
