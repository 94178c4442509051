import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { importDrivers, previewDriverImport } from "~/api/sdk.gen"
import { useDebouncedValue } from "~/hooks/use-debounced-value"
import { refreshDriverQueries } from "../use-driver-mutations"
import { type ImportSource, isEmptySource, toTable } from "./import-table"

/** Milliseconds without a key before the table is sent. */
const typingPause = 400

/** What the server reads of the table: at each change, after a pause. */
export function useImportPreview(source: ImportSource) {
  const settled = useDebouncedValue(source, typingPause)
  const isEmpty = isEmptySource(source)
  const query = useQuery({
    queryKey: ["driverImportPreview", settled],
    queryFn: async ({ signal }) =>
      (await previewDriverImport({ body: toTable(settled), signal, throwOnError: true })).data,
    enabled: !isEmpty && !isEmptySource(settled),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0, // names of people: not longer than the dialog
  })
  return {
    preview: isEmpty || query.isError ? undefined : query.data,
    error: isEmpty ? null : query.error,
    /** What is shown belongs to an earlier table, or there is nothing yet. */
    isReading: !isEmpty && (settled !== source || query.isFetching),
    refetch: query.refetch,
  }
}

export function useDriverImport() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ source, rows }: { source: ImportSource; rows: number[] }) =>
      (await importDrivers({ body: { ...toTable(source), rows }, throwOnError: true })).data,
    onSuccess: () => refreshDriverQueries(cache),
  })
}
