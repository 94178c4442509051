import {
  Pagination,
  PaginationActions,
  type PaginationActionsProps,
  useGetResourceLabel,
  useListContext,
  useResourceContext,
  useTranslate,
} from "react-admin"

const pageSizes = [10, 25, 50]

/** "Showing X–Y of N", the page size, and the pages. */
export function Pages() {
  const { error } = useListContext()
  return error ? null : <Pagination rowsPerPageOptions={pageSizes} actions={NamedPages} />
}

/** Names the pages after their list, as there may be several on a screen. */
function NamedPages(props: PaginationActionsProps) {
  const translate = useTranslate()
  const resource = useResourceContext() ?? ""
  const name = useGetResourceLabel()(resource, 2)
  return <PaginationActions {...props} aria-label={translate("console.pages", { name })} />
}
