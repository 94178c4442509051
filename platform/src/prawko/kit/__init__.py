"""The machinery that knows no driver, no licence and no subscription."""
