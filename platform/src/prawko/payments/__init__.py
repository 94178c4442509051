"""Payments: tries at paying an order, whoever provides them; what an order buys is billing's."""
