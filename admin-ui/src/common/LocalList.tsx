import type { ReactNode } from "react"
import {
  ListContextProvider,
  type RaRecord,
  ResourceContextProvider,
  type SortPayload,
  useList,
} from "react-admin"
import { Pages } from "./Pages.tsx"

type LocalListProps = {
  /** Names the rows' fields in the catalogues: `resources.<resource>.fields`. */
  resource: string
  rows: RaRecord[]
  /** The order of the rows as they come. */
  sort: SortPayload
  children: ReactNode
}

/** A list whose rows are at hand: sorted and paged in the browser. */
export function LocalList({ resource, rows, sort, children }: LocalListProps) {
  const list = useList({ data: rows, perPage: 10, resource, sort })
  return (
    <ResourceContextProvider value={resource}>
      <ListContextProvider value={list}>
        {children}
        {rows.length > 10 && <Pages />}
      </ListContextProvider>
    </ResourceContextProvider>
  )
}
