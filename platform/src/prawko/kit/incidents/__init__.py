"""Incidents: conditions that the operators must know about."""
