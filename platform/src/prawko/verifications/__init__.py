"""Asking the licence register, and what its answers mean."""
