/** The table of an import, and which of its rows are chosen. */

import type {
  ColumnField,
  CorrectionIn,
  ImportPreviewOut,
  ImportRowOut,
  ImportTableIn,
} from "~/api/types.gen"

export const maxFileBytes = 2 * 1024 * 1024

type ImportFile = { name: string; contentBase64: string }
/** What each column of the table contains; null: nothing that is imported. */
export type ColumnFields = (ColumnField | null)[]
/** The table, what a person decided about its columns, and the cells that were corrected. */
export type ImportSource = {
  text: string
  file: ImportFile | null
  columns?: ColumnFields
  corrections?: CorrectionIn[]
}

export const emptySource: ImportSource = { text: "", file: null }

export function isEmptySource({ text, file }: ImportSource): boolean {
  return text.trim() === "" && file === null
}

export function toTable({ text, file, ...decided }: ImportSource): ImportTableIn {
  return { ...(file ? { contentBase64: file.contentBase64 } : { text }), ...decided }
}

const bothNames: readonly ColumnField[] = ["lastNameFirst", "firstNameFirst"]
const names: readonly ColumnField[] = ["firstName", "lastName"]
export const columnFields = [...names, ...bothNames, "licenseNumber", "neededCategories"] as const

/** The fields with one more assigned: a column that had it gets that of the new one instead. */
export function assignField(
  fields: ColumnFields,
  place: number,
  field: ColumnField | null,
): ColumnFields {
  const excluded = !field
    ? []
    : bothNames.includes(field)
      ? [...bothNames, ...names]
      : names.includes(field)
        ? bothNames
        : []
  return fields.map((one, index) => {
    if (index === place) return field
    if (one && one === field) return fields[place] ?? null
    return one && excluded.includes(one) ? null : one
  })
}

/** How many drivers may still be added. */
export function freePlaces({ driverCount, driverLimit }: ImportPreviewOut): number {
  return Math.max(0, driverLimit - driverCount)
}

/**
 * The numbers of the rows to add: those without a mistake, as many as the plan has room for, unless
 * the user has decided otherwise about a row. A doubtful row is added only if the user says so.
 */
export function chooseRows(
  preview: ImportPreviewOut,
  decisions: ReadonlyMap<number, boolean>,
): number[] {
  const room = freePlaces(preview)
  return preview.rows
    .filter(({ state, row }) => state === "ready" || (state === "doubtful" && decisions.get(row)))
    .filter(({ row }, index) => decisions.get(row) ?? index < room)
    .map(({ row }) => row)
}

/** Whether a person has to look at the row. */
export function hasMistakes({ state }: ImportRowOut): boolean {
  return state !== "ready" && state !== "skipped"
}

/** The corrections with one more, instead of an earlier one of the same cell. */
export function addCorrection(
  corrections: readonly CorrectionIn[],
  added: CorrectionIn,
): CorrectionIn[] {
  const others = corrections.filter(({ row, field }) => row !== added.row || field !== added.field)
  return [...others, added]
}

export function canBeAdded({ state }: ImportRowOut): boolean {
  return state === "ready" || state === "doubtful"
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

/** The numbers of the first rows. */
export const listRows = (rows: readonly ImportRowOut[]): string =>
  rows
    .slice(0, 5)
    .map(({ row }) => row)
    .join(", ") + (rows.length > 5 ? "…" : "")
