"""A company's subscription: state, transitions, lifecycle, entitlements."""
