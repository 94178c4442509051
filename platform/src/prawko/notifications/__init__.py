"""Tells the people of a company what changed, once per change."""
