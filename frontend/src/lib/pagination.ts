/** Pagination in the browser. Pages count from 1; even an empty list has one page. */

export const pageSizes = [10, 25, 50] as const
export type PageSize = (typeof pageSizes)[number]

export type Page<Row> = { rows: Row[]; page: number; pages: number }

/** The requested page, or the last one if the list has become shorter. */
export function paginate<Row>(rows: readonly Row[], page: number, size: PageSize): Page<Row> {
  const pages = Math.max(1, Math.ceil(rows.length / size))
  const current = Math.min(Math.max(1, page), pages)
  return { rows: rows.slice((current - 1) * size, current * size), page: current, pages }
}
