import { RotateCw } from "lucide-react"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { errorMessage } from "~/lib/error-messages"
import { Alert } from "./alert"
import { Button } from "./button"
import { Spinner } from "./spinner"

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
 * Whether one of a screen's queries waits for its first response. Screens show their data together,
 * so that late data does not move earlier data. A query that has failed does not count.
 */
export function isLoading(...queries: readonly { isPending: boolean; failureCount: number }[]) {
  return queries.some(({ isPending, failureCount }) => isPending && failureCount === 0)
}

type QueryStateProps<Data> = {
  query: QueryResult<Data>
  /** The label of the spinner; without it nothing is shown until the first response. */
  loadingLabel?: string
  errorTitle: string
  /** The place of the error, where the surroundings have no padding. */
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
      className={errorClassName}
    />
  )
  return (
    <>
      {isPending && loadingLabel && <Spinner label={loadingLabel} />}
      {loadError}
      {(isSuccess || keepData) && data !== undefined && children?.(data)}
    </>
  )
}

type LoadErrorProps = {
  title: string
  error: unknown
  onRetry: () => void
  retrying: boolean
  className: string | undefined
}

/** Replaces data that failed to load: the error and a button that retries. */
function LoadError({ title, error, onRetry, retrying, className }: LoadErrorProps) {
  const { t } = useTranslation()
  const reason = errorMessage(t, error, t("common.tryLater"))
  return (
    <Alert
      title={title}
      className={className}
      action={
        <Button variant="secondary" size="sm" loading={retrying} onClick={onRetry} icon={RotateCw}>
          {t("common.retry")}
        </Button>
      }
    >
      {reason !== title && <p>{reason}</p>}
    </Alert>
  )
}
