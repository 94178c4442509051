import { Skeleton } from "@mui/material"
import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { ErrorAlert } from "./LoadError.tsx"

type LoadedProps<Content> = {
  query: UseQueryResult<Content>
  height?: number
  children: (content: Content) => ReactNode
}

/** The content of a query, once it is there. */
export function Loaded<Content>({ query, height = 120, children }: LoadedProps<Content>) {
  if (query.data !== undefined) return <>{children(query.data)}</>
  if (query.error) return <ErrorAlert error={query.error} onRetry={() => query.refetch()} />
  return <Skeleton variant="rounded" height={height} aria-busy="true" />
}
