/** Files that the server makes: fetched as a call, so that a refusal can be said on the page. */

/** Hands a fetched file to the browser, under the name the server gave it, else under `fallback`. */
export function saveFile(file: Blob, response: Response, fallback: string): void {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(file)
  link.download = nameIn(response.headers.get("Content-Disposition")) ?? fallback
  link.click()
  // Not at once: the browser reads the address after this turn.
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

function nameIn(disposition: string | null): string | undefined {
  return /filename="?([\w.-]+)"?/.exec(disposition ?? "")?.[1]
}
