/** A long list, a page at a time. Pages count from 1; a list has at least one, even an empty one. */

export const pageSizes = [10, 25, 50] as const
export type PageSize = (typeof pageSizes)[number]

export type Page<Row> = { rows: Row[]; page: number; pages: number }

/** The page asked for, or the last one when the list has become shorter. */
export function pageOf<Row>(all: readonly Row[], page: number, size: PageSize): Page<Row> {
  const pages = Math.max(1, Math.ceil(all.length / size))
  const shown = Math.min(Math.max(1, page), pages)
  return { rows: all.slice((shown - 1) * size, shown * size), page: shown, pages }
}
