import { useId } from "react"
import { useTranslation } from "react-i18next"
import type { ColumnField, ImportColumnOut } from "~/api/types.gen"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { Select } from "~/ui/select"
import { assignField, type ColumnFields, columnFields } from "./import-table"

type ImportColumnsProps = {
  columns: readonly ImportColumnOut[]
  /** A person changed or confirmed the columns. */
  onChoose: (fields: ColumnFields) => void
}

/** What each column was taken for, to be changed or, where that is a guess, confirmed. */
export function ImportColumns({ columns, onChoose }: ImportColumnsProps) {
  const { t } = useTranslation()
  const id = useId()
  const fields = columns.map(({ field }) => field)
  const shown = columns
    .map((column, place) => ({
      ...column,
      place,
      name: column.heading || t("drivers.import.column", { column: place + 1 }),
    }))
    .filter(({ field, heading, sample }) => field || heading || sample)
  const unused = shown.filter(({ field }) => !field)
  const list = (some: typeof shown) => (
    <ul className="grid grid-cols-[repeat(auto-fit,minmax(10.5rem,1fr))] gap-x-4 gap-y-2">
      {some.map(({ place, name, sample, field, isGuess }) => (
        <li key={place} className="min-w-0">
          <div className="mb-0.5 flex items-baseline gap-x-2 text-sm">
            <label htmlFor={`${id}-${place}`} className="min-w-0 font-semibold wrap-anywhere">
              {name}
            </label>
            {isGuess && (
              <span className="text-caution-ink">{t("drivers.import.columns.guess")}</span>
            )}
            {sample && (
              <span className="min-w-0 flex-1 truncate text-ink-soft">
                {t("drivers.import.columns.sample", { sample })}
              </span>
            )}
          </div>
          <Select
            id={`${id}-${place}`}
            value={field ?? ""}
            onChange={({ target }) =>
              onChoose(assignField(fields, place, (target.value || null) as ColumnField | null))
            }
            className="w-full"
          >
            <option value="">{t("drivers.import.columns.unused")}</option>
            {columnFields.map((one) => (
              <option key={one} value={one}>
                {t(`drivers.import.columns.${one}`)}
              </option>
            ))}
          </Select>
        </li>
      ))}
    </ul>
  )

  return (
    <section aria-label={t("drivers.import.columns.title")} className="flex flex-col gap-3">
      {columns.some(({ isGuess }) => isGuess) && (
        <Alert
          tone="caution"
          action={
            <Button variant="secondary" size="sm" onClick={() => onChoose(fields)}>
              {t("drivers.import.columns.confirm")}
            </Button>
          }
        >
          {t("drivers.import.columns.guessed")}
        </Alert>
      )}
      {list(shown.filter(({ field }) => field))}
      {unused.length > 0 && (
        <details>
          <summary className="min-h-9 cursor-pointer py-1.5 text-sm text-ink-soft wrap-anywhere">
            {t("drivers.import.columns.notUsed", {
              names: unused.map(({ name }) => name).join(", "),
            })}
          </summary>
          <div className="mt-2">{list(unused)}</div>
        </details>
      )}
    </section>
  )
}
