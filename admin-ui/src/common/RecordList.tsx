import type { ReactNode } from "react"
import { List, type ListProps, useListContext } from "react-admin"
import { LoadError } from "./LoadError.tsx"
import { Pages } from "./Pages.tsx"
import { polling } from "./polling.ts"

export type RecordListProps = ListProps & { live?: boolean; children?: ReactNode }

/** A list as all resources have it: ten rows, "showing X–Y of N", its own error. */
export function RecordList({ live = false, queryOptions, children, ...props }: RecordListProps) {
  return (
    <List
      perPage={10}
      exporter={false}
      actions={false}
      empty={false}
      pagination={<Pages />}
      error={false}
      queryOptions={{ ...queryOptions, ...(live && polling), onError: ignore }}
      {...props}
    >
      <Rows>{children}</Rows>
    </List>
  )
}

const ignore = () => undefined // the error stands in the list

/** The rows, also under the error of a later read: a dialog of a row may be open. */
function Rows({ children }: { children: ReactNode }) {
  const { data, error } = useListContext()
  return (
    <>
      {error && <LoadError />}
      {(data || !error) && children}
    </>
  )
}
