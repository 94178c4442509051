"""The only door to companies' data: tables, sessions, row-level security, life of a company."""
