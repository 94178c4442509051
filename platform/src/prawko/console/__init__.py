"""The operators' console: lists across companies, and acts that are recorded (decision 27)."""
