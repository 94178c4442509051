"""Transactional outbox: messages to send, written with the change that causes them."""
