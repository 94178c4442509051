"""Accounts, memberships, sessions, passwords, verification codes and the audit log."""
