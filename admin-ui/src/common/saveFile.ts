import type { DownloadedFile } from "../dataProvider.ts"

/** Hands a file to the browser, as if its link had been followed. */
export function saveFile({ name, content }: DownloadedFile): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
