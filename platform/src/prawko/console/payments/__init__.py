"""Payments, discrepancies, refunds and bank statements as operators see them."""
