/** Downloads of files that the server generates: by fetch, so that an error can be shown. */

import { type MutationMeta, useMutation } from "@tanstack/react-query"

type FileResponse = { data: Blob | File; response: Response }
export type FileCall = () => Promise<FileResponse>

/** The options of a call that answers with a file. */
export const asFile = { parseAs: "blob", throwOnError: true } as const

/**
 * Fetches a file and saves it under the server's name for it, or else under `fallback`; `outcomes`
 * are the toasts.
 */
export function useDownload(fetchFile: FileCall, fallback: string, outcomes: MutationMeta = {}) {
  return useMutation({
    meta: outcomes,
    mutationFn: async () => {
      const { data, response } = await fetchFile()
      saveFile(data, parseFilename(response.headers.get("Content-Disposition")) ?? fallback)
    },
  })
}

/** Saves a file that the page made or fetched. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // Not at once: the browser reads the URL only after this task.
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

function parseFilename(disposition: string | null): string | undefined {
  return /filename="?([\w.-]+)"?/.exec(disposition ?? "")?.[1]
}
