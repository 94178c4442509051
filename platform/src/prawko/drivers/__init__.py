"""Drivers of a company and the state of their licences."""
