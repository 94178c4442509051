import { FileSpreadsheet, X } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { getDriverImportTemplate } from "~/api/sdk.gen"
import { asFile, useDownload } from "~/hooks/use-download"
import { Button } from "~/ui/button"
import { DownloadButton } from "~/ui/download-button"
import { FieldFrame, TextAreaField } from "~/ui/field"
import { emptySource, type ImportSource, maxFileBytes, readFile } from "./import-table"

export type ImportMode = "paste" | "file"

type ImportSourceFieldProps = {
  mode: ImportMode
  source: ImportSource
  onChange: (source: ImportSource) => void
  error: string | undefined
  /** The rows that were read from a paste: a line with their number instead of the text. */
  foldedRows: number | undefined
  autoFocus: boolean | undefined
  onFold: (isFolded: boolean) => void
}

/** Where the rows come from: a text area to paste into, or a file. */
export function ImportSourceField(props: ImportSourceFieldProps) {
  const { mode, source, onChange, error, foldedRows, autoFocus, onFold } = props
  const { t } = useTranslation()
  const [isReopened, setReopened] = useState(false)
  if (mode === "file") return <FileField {...props} />
  if (foldedRows !== undefined) {
    return (
      <div className="flex flex-wrap items-center gap-x-3">
        <p className="figures font-semibold">
          {t("drivers.import.text.folded", { count: foldedRows })}
        </p>
        <Button
          variant="ghost"
          size="sm"
          onClick={() => {
            setReopened(true)
            onFold(false)
          }}
        >
          {t("drivers.import.text.change")}
        </Button>
      </div>
    )
  }
  return (
    <TextAreaField
      label={t("drivers.import.text.label")}
      hint={t("drivers.import.text.hint")}
      placeholder={t("drivers.import.text.placeholder")}
      rows={4}
      autoFocus={isReopened || autoFocus}
      autoComplete="off"
      spellCheck={false}
      wrap="off"
      className="font-mono pointer-fine:text-sm!"
      value={source.text}
      onChange={({ target, nativeEvent }) => {
        onFold((nativeEvent as InputEvent).inputType === "insertFromPaste")
        onChange({ text: target.value, file: null })
      }}
      error={error}
    />
  )
}

function FileField({ source, onChange, error, onFold }: ImportSourceFieldProps) {
  const { t } = useTranslation()
  const [isTooLarge, setIsTooLarge] = useState(false)
  const message = isTooLarge ? t("drivers.import.file.tooLarge") : error

  const choose = async (file: File | undefined) => {
    if (!file) return
    onFold(true)
    setIsTooLarge(file.size > maxFileBytes)
    onChange(file.size > maxFileBytes ? emptySource : { text: "", file: await readFile(file) })
  }

  return (
    <FieldFrame
      label={t("drivers.import.file.label")}
      hint={t("drivers.import.file.hint")}
      error={message}
    >
      {(control) => (
        <div className="relative flex min-h-24 items-center justify-center gap-3 rounded-md border-2 border-dashed border-line-strong bg-sunken px-4 py-5 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand">
          <FileSpreadsheet aria-hidden className="size-6 shrink-0 text-ink-soft" />
          <span className="min-w-0 font-medium wrap-anywhere">
            {source.file?.name ?? t("drivers.import.file.choose")}
          </span>
          <input
            key={source.file?.name}
            {...control}
            type="file"
            accept=".xlsx,.xlsm,.xlsb,.xls,.ods,.csv,.txt,.tsv"
            onChange={({ target }) => void choose(target.files?.[0])}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {source.file && (
            <Button
              variant="ghost"
              size="icon"
              aria-label={t("drivers.import.file.remove")}
              onClick={() => onChange(emptySource)}
              className="relative"
              icon={X}
            />
          )}
        </div>
      )}
    </FieldFrame>
  )
}

export function TemplateButton() {
  const { t } = useTranslation()
  const download = useDownload(
    () => getDriverImportTemplate({ ...asFile }),
    "prawko-kierowcy.xlsx",
    { failed: t("common.tryLater") },
  )
  return (
    <DownloadButton download={download} variant="ghost" size="sm">
      {t("drivers.import.template")}
    </DownloadButton>
  )
}
