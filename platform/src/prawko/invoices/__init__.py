"""Invoices of paid orders: numbering, XML and PDF documents, export, retention."""
