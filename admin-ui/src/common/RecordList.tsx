import { List, type ListProps } from "react-admin"
import { LoadError } from "./LoadError.tsx"
import { Pages } from "./Pages.tsx"
import { polling } from "./polling.ts"

export type RecordListProps = ListProps & { live?: boolean }

/** A list as all resources have it: ten rows, "showing X–Y of N", its own error. */
export function RecordList({ live = false, queryOptions, ...props }: RecordListProps) {
  return (
    <List
      perPage={10}
      exporter={false}
      actions={false}
      empty={false}
      pagination={<Pages />}
      error={<LoadError />}
      queryOptions={live ? { ...queryOptions, ...polling } : queryOptions}
      {...props}
    />
  )
}
