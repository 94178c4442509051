import {
  Pagination,
  PaginationActions,
  type PaginationActionsProps,
  useGetResourceLabel,
  useListContext,
  useResourceContext,
  useTranslate,
} from "react-admin"
import { useFormat } from "./format.ts"

const pageSizes = [10, 25, 50]
type Range = { from: number; to: number; count: number }

/** "Showing X–Y of N", the page size, and the pages. */
export function Pages() {
  const { data, error } = useListContext()
  const format = useFormat()
  const translate = useTranslate()
  if (error && !data) return null
  // react-admin hands these on to MUI, which else says them in English on small screens.
  const texts = {
    labelDisplayedRows: ({ from, to, count }: Range) =>
      translate("ra.navigation.page_range_info", {
        offsetBegin: format.number(from),
        offsetEnd: format.number(to),
        total: format.number(count),
      }),
    getItemAriaLabel: (item: string) => translate(`ra.navigation.${item}`),
  }
  return (
    <Pagination
      rowsPerPageOptions={pageSizes}
      actions={NamedPages}
      {...texts}
      sx={{ "& .MuiTablePagination-actions .MuiIconButton-root": { minWidth: 44, minHeight: 44 } }}
    />
  )
}

/** Names the pages after their list, as there may be several on a screen. */
function NamedPages(props: PaginationActionsProps) {
  const translate = useTranslate()
  const resource = useResourceContext() ?? ""
  const name = useGetResourceLabel()(resource, 2)
  return <PaginationActions {...props} aria-label={translate("console.pages", { name })} />
}
