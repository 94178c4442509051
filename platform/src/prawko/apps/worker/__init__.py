"""The worker process: consumes the job queue and runs the schedule."""
