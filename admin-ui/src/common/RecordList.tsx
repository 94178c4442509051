import { List, type ListProps, Pagination } from "react-admin"
import { LoadError } from "./LoadError.tsx"
import { polling } from "./polling.ts"

const pageSizes = [10, 25, 50]

export type RecordListProps = ListProps & { live?: boolean }

/** A list as all resources have it: ten rows, "showing X–Y of N", its own error. */
export function RecordList({ live = false, queryOptions, ...props }: RecordListProps) {
  return (
    <List
      perPage={10}
      exporter={false}
      actions={false}
      empty={false}
      pagination={<Pagination rowsPerPageOptions={pageSizes} />}
      error={<LoadError />}
      queryOptions={live ? { ...queryOptions, ...polling } : queryOptions}
      {...props}
    />
  )
}
