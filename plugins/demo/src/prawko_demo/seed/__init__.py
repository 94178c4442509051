"""The demo's data: a company, thirty days of its daily checks, and an operator."""
