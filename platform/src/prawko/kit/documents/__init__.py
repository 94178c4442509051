"""Mails by templates, and PDF documents."""
