const INTERVAL_MS = 3_000

/** Options of a query that is repeated while its screen is visible. */
export const polling = { refetchInterval: INTERVAL_MS, refetchIntervalInBackground: false }
