/** CSV files that the page makes, in the form of those that the server makes. */

const signs = "=+\\-@\uff1d\uff0b\uff0d\uff20"
const formula = new RegExp(`^[' ]*[${signs};|\\t\\r\\n]`)
const innerFormula = new RegExp(`([;|\\t\\r\\n] *)(?=[' ]*[${signs}])`, "g")

/** The rows as CSV for a Polish spreadsheet; no cell is a formula, for any separator. */
export function writeCsv(rows: readonly (readonly string[])[]): Blob {
  const lines = rows.map((cells) => `${cells.map(toCell).join(";")}\r\n`)
  // Without the byte order mark, Excel misreads Polish letters.
  return new Blob(["\ufeff", ...lines], { type: "text/csv;charset=utf-8" })
}

function toCell(text: string): string {
  const escaped = text.replace(innerFormula, "$1'")
  const guarded = formula.test(text) ? `'${escaped}` : escaped
  return /[;"\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}
