import { clsx } from "clsx"
import { CircleAlert, CircleCheck } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { ImportRowOut } from "~/api/types.gen"
import { Button } from "~/ui/button"
import { canBeAdded, hasMistakes } from "./import-table"

/** Rows shown at a time: a table may have ten thousand. */
const pageSize = 100

type ImportRowsProps = {
  rows: readonly ImportRowOut[]
  chosen: ReadonlySet<number>
  onChoose: (row: number, isChosen: boolean) => void
}

/** The rows of the table, each with its mistakes or a box to choose it. */
export function ImportRows({ rows, chosen, onChoose }: ImportRowsProps) {
  const { t } = useTranslation()
  const mistaken = rows.filter(hasMistakes)
  const [onlyMistakes, setOnlyMistakes] = useState(false)
  const [shownCount, setShownCount] = useState(pageSize)
  const filtered = onlyMistakes && mistaken.length > 0 ? mistaken : rows
  const views = [
    { isOn: filtered === rows, label: t("drivers.import.allRows", { count: rows.length }) },
    { isOn: filtered !== rows, label: t("drivers.import.mistakes", { count: mistaken.length }) },
  ]

  return (
    <section aria-label={t("drivers.import.preview")}>
      {mistaken.length > 0 && (
        <div className="mb-3 flex flex-wrap gap-2">
          {views.map(({ isOn, label }, index) => (
            <Button
              key={label}
              variant={isOn ? "primary" : "secondary"}
              size="sm"
              aria-pressed={isOn}
              onClick={() => setOnlyMistakes(index === 1)}
            >
              {label}
            </Button>
          ))}
        </div>
      )}
      <ul className="overflow-hidden rounded-md border border-line">
        {filtered.slice(0, shownCount).map((row) => (
          <ImportRow
            key={row.row}
            row={row}
            isChosen={chosen.has(row.row)}
            onChoose={(isChosen) => onChoose(row.row, isChosen)}
          />
        ))}
      </ul>
      {filtered.length > shownCount && (
        <Button
          variant="secondary"
          size="sm"
          onClick={() => setShownCount(shownCount + pageSize)}
          className="mt-3"
        >
          {t("drivers.import.more", { count: filtered.length - shownCount })}
        </Button>
      )}
    </section>
  )
}

type ImportRowProps = {
  row: ImportRowOut
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

function ImportRow({ row, isChosen, onChoose }: ImportRowProps) {
  const { t } = useTranslation()
  const isReady = !hasMistakes(row)
  const name = `${row.firstName} ${row.lastName}`.trim()
  return (
    <li
      className={clsx(
        "grid grid-cols-[1.5rem_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 border-b border-line px-3 py-2 last:border-b-0",
        !isReady && "bg-caution-soft",
      )}
    >
      {canBeAdded(row) ? (
        <input
          type="checkbox"
          aria-label={t("drivers.import.choose", { name, number: row.licenseNumber })}
          checked={isChosen}
          onChange={({ target }) => onChoose(target.checked)}
          className="mt-0.5 size-5 choice"
        />
      ) : (
        <CircleAlert aria-hidden className="mt-0.5 size-5 text-caution-ink" />
      )}
      <span className="flex min-w-0 flex-wrap gap-x-3">
        <span className="font-medium wrap-anywhere">{name || "–"}</span>
        <span className="serial wrap-anywhere">{row.licenseNumber || "–"}</span>
        {row.neededCategories && (
          <span className="text-ink-soft wrap-anywhere">{row.neededCategories}</span>
        )}
      </span>
      <span className="figures flex min-h-6.5 items-center gap-1.5 text-sm whitespace-nowrap text-ink-soft">
        {isReady && <CircleCheck aria-hidden className="size-4 text-valid" />}
        {t("drivers.import.row", { row: row.row })}
      </span>
      {row.problems.length > 0 && (
        <ul className="col-start-2 col-end-4 text-sm text-caution-ink">
          {row.problems.map(({ field, column, message }) => (
            <li key={`${field} ${message}`}>
              {column > 0 && (
                <span className="figures font-semibold">
                  {t("drivers.import.column", { column })}:{" "}
                </span>
              )}
              {message}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
