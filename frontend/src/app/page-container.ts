export const pageContainerId = "page"

/** The element that a public page was rendered into. */
export function pageContainer(): HTMLElement {
  const container = document.getElementById(pageContainerId)
  if (!container) throw new Error("this is no public page")
  return container
}
