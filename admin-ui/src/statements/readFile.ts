import type { StatementFile } from "./Statement.ts"

/** The file's bytes in base64, because a statement may be in any encoding. */
export function readFile(file: File): Promise<StatementFile> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => {
      const [, contentBase64 = ""] = String(reader.result).split(",", 2)
      resolve({ filename: file.name, contentBase64 })
    }
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}
