"""The daily check as operators see it: progress, errors, pauses, retries, reviews."""
