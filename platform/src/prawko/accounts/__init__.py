"""Persons, their companies, and how they prove who they are."""
