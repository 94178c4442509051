import { type QueryKey, useInfiniteQuery } from "@tanstack/react-query"

type PageQuery = { page: number; pageSize: number }
type CallOptions = { signal: AbortSignal; throwOnError: true }

type Pages<Row> = {
  /** Of the call without its page. */
  queryKey: QueryKey
  pageSize: number
  call: (query: PageQuery, options: CallOptions) => Promise<{ data: Row[] }>
  /** The list may have grown since it was last on the screen. */
  refetchOnMount?: "always"
}

/** The rows of a list call, a page at a time: a page that is not full is the last one. */
export function usePages<Row>({ queryKey, pageSize, call, ...options }: Pages<Row>) {
  return useInfiniteQuery({
    queryKey: [...queryKey, "pages"],
    queryFn: async ({ pageParam, signal }) => {
      const { data } = await call({ page: pageParam, pageSize }, { signal, throwOnError: true })
      return data
    },
    initialPageParam: 1,
    getNextPageParam: (last, all) => (last.length < pageSize ? undefined : all.length + 1),
    ...options,
  })
}
