/** The table of an import, and which of its rows are chosen. */

import type { ImportPreviewOut, ImportRowOut, ImportTableIn } from "~/api/types.gen"

export const maxFileBytes = 2 * 1024 * 1024

type ImportFile = { name: string; contentBase64: string }
export type ImportSource = { text: string; file: ImportFile | null }

export const emptySource: ImportSource = { text: "", file: null }

export function isEmptySource({ text, file }: ImportSource): boolean {
  return text.trim() === "" && file === null
}

export function toTable({ text, file }: ImportSource): ImportTableIn {
  return file ? { contentBase64: file.contentBase64 } : { text }
}

/** How many drivers may still be added. */
export function freePlaces({ driverCount, driverLimit }: ImportPreviewOut): number {
  return Math.max(0, driverLimit - driverCount)
}

/**
 * The numbers of the rows to add: those without a mistake, as many as the plan has room for, unless
 * the user has decided otherwise about a row.
 */
export function chooseRows(
  preview: ImportPreviewOut,
  decisions: ReadonlyMap<number, boolean>,
): number[] {
  const room = freePlaces(preview)
  return preview.rows
    .filter(({ state }) => state === "ready")
    .filter(({ row }, index) => decisions.get(row) ?? index < room)
    .map(({ row }) => row)
}

export function hasMistakes({ state }: ImportRowOut): boolean {
  return state !== "ready"
}

/** The content of a file, for a request. */
export async function readFile(file: File): Promise<ImportFile> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
  return { name: file.name, contentBase64: url.slice(url.indexOf(",") + 1) }
}
