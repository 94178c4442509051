"""Notices to the members of a company: in the panel, by e-mail and by SMS."""
