"""For those who write plugins: what a plugin promises, as tests to inherit."""
