import type { ReactNode } from "react"
import { LoadError } from "~/ui/load-error"
import { Spinner } from "~/ui/spinner"

/** The fields of a query result that are used, so that plain and infinite queries both fit. */
type QueryResult<Data> = {
  data: Data | undefined
  error: unknown
  isPending: boolean
  isSuccess: boolean
  isError: boolean
  isFetching: boolean
  refetch: () => Promise<unknown>
}

/**
 * Whether one of a screen's queries waits for its first response: what they show arrives together,
 * or it would push down what is there already. One that has failed is not waited for.
 */
export function isLoading(...queries: readonly { isPending: boolean; failureCount: number }[]) {
  return queries.some(({ isPending, failureCount }) => isPending && failureCount === 0)
}

type QueryStateProps<Data> = {
  query: QueryResult<Data>
  /** The label of the spinner; without it nothing is shown until the first response. */
  loadingLabel?: string
  errorTitle: string
  /** Classes of a box around the error, where the surroundings have no padding. */
  errorClassName?: string
  /** Keep the last data below the error when a refetch fails. */
  keepData?: boolean
  children?: (data: Data) => ReactNode
}

/** One query on a screen: a spinner, then its data, or the error with a button that retries. */
export function QueryState<Data>({
  query,
  loadingLabel,
  errorTitle,
  errorClassName,
  keepData = false,
  children,
}: QueryStateProps<Data>) {
  const { data, error, isPending, isSuccess, isError, isFetching, refetch } = query
  const loadError = isError && (
    <LoadError
      title={errorTitle}
      error={error}
      onRetry={() => void refetch()}
      retrying={isFetching}
    />
  )
  return (
    <>
      {isPending && loadingLabel && <Spinner label={loadingLabel} />}
      {loadError && errorClassName ? <div className={errorClassName}>{loadError}</div> : loadError}
      {(isSuccess || keepData) && data !== undefined && children?.(data)}
    </>
  )
}
