"""Notices to members and recipients of alerts: in the panel, by e-mail, SMS and push message."""
