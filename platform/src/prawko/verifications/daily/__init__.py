"""The daily check: schedule, plan, workers and result recording."""
