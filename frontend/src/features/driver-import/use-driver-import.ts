import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import { importDrivers, previewDriverImport } from "~/api/sdk.gen"
import type { ImportDriversResponse } from "~/api/types.gen"
import { refreshDriverQueries } from "~/entities/driver/use-driver-mutations"
import { useDebouncedValue } from "~/hooks/use-debounced-value"
import { countDriversAs } from "~/lib/plurals"
import { type ImportSource, isEmptySource, toTable } from "./import-table"

/** Milliseconds without a key before the table is sent. */
const typingPause = 400

/** The server's reading of the table, asked for at each change, after a pause. */
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
    /** The preview belongs to an earlier table, or there is none yet. */
    isReading: !isEmpty && (settled !== source || query.isFetching),
    refetch: query.refetch,
  }
}

export function useDriverImport() {
  const { t } = useTranslation()
  return useMutation({
    mutationFn: async ({ source, rows }: { source: ImportSource; rows: number[] }) =>
      (await importDrivers({ body: { ...toTable(source), rows }, throwOnError: true })).data,
    meta: {
      done: ({ added }: ImportDriversResponse) => t("drivers.import.added", countDriversAs(added)),
    },
    onSuccess: refreshDriverQueries,
  })
}
