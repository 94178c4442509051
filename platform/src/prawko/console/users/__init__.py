"""People and their companies' subscriptions: the list, the history, changes, impersonation."""
