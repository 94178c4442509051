"""The browsers in which members get push messages (docs/decisions/0036-web-push.md)."""
