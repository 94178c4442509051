"""Access to the licence register: client, rate limiter, circuit breaker and retries."""
