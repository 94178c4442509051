/** Files that the server makes: fetched as a call, so that a refusal can be said on the page. */

import { useMutation } from "@tanstack/react-query"

type Fetched = { data: Blob | File; response: Response }

/** Fetches a file and hands it to the browser, under the server's name for it or `fallback`. */
export function useDownload(fetchFile: () => Promise<Fetched>, fallback: string) {
  return useMutation({
    mutationFn: async () => {
      const { data, response } = await fetchFile()
      save(data, nameIn(response.headers.get("Content-Disposition")) ?? fallback)
    },
  })
}

function save(file: Blob, name: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // Not at once: the browser reads the address after this turn.
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

function nameIn(disposition: string | null): string | undefined {
  return /filename="?([\w.-]+)"?/.exec(disposition ?? "")?.[1]
}
