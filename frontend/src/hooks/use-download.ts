/** Downloads of files that the server generates: by fetch, so that an error can be shown. */

import { type MutationMeta, useMutation } from "@tanstack/react-query"

type FileResponse = { data: Blob | File; response: Response }
export type FileCall = () => Promise<FileResponse>

/** The options of a call that answers with a file. */
export const asFile = { parseAs: "blob", throwOnError: true } as const

/**
 * Fetches a file and saves it under the server's name for it, or else under `fallback`, or does with
 * it what `deliver` does; `outcomes` are the toasts.
 */
export function useDownload(
  fetchFile: FileCall,
  fallback: string,
  outcomes: MutationMeta = {},
  deliver: (file: Blob, name: string) => void | Promise<void> = saveFile,
) {
  return useMutation({
    meta: outcomes,
    mutationFn: async () => {
      const { data, response } = await fetchFile()
      await deliver(data, parseFilename(response.headers.get("Content-Disposition")) ?? fallback)
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

/** Whether the browser can hand a PDF to another program: those of phones and of Windows can. */
export function canSharePdf(): boolean {
  const files = [new File([], "a.pdf", { type: "application/pdf" })]
  return navigator.canShare?.({ files }) ?? false
}

/** Hands a file to the program that the user chooses, such as one for mail. */
export async function shareFile(file: Blob, name: string): Promise<void> {
  try {
    await navigator.share({ files: [new File([file], name, { type: file.type })] })
  } catch (error) {
    // Some browsers allow it only soon after the click.
    if ((error as DOMException).name !== "AbortError") saveFile(file, name)
  }
}

function parseFilename(disposition: string | null): string | undefined {
  return /filename="?([\w.-]+)"?/.exec(disposition ?? "")?.[1]
}
