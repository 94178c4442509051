"""Finds, loads, validates, calls and watches plugins."""
