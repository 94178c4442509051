"""The second factor of a sign-in: codes of an authenticator app (TOTP), and recovery codes."""
