import { clsx } from "clsx"
import { CircleAlert, CircleCheck, Download, Info } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { CorrectionIn, ImportColumnOut, ImportRowOut } from "~/api/types.gen"
import { saveFile } from "~/hooks/use-download"
import { writeCsv } from "~/lib/csv"
import { Button } from "~/ui/button"
import { Field } from "~/ui/field"
import { canBeAdded, hasMistakes } from "./import-table"

/** Rows shown at a time: a table may have ten thousand. */
const pageSize = 100

const cellFields = ["firstName", "lastName", "licenseNumber", "neededCategories"] as const

type ImportRowsProps = {
  columns: readonly ImportColumnOut[]
  corrections: readonly CorrectionIn[]
  onCorrect: (correction: CorrectionIn) => void
  /** By Enter in the last cell that needed it. */
  onLastCorrected: () => void
  rows: readonly ImportRowOut[]
  chosen: ReadonlySet<number>
  onChoose: (row: number, isChosen: boolean) => void
}

/**
 * The rows of the table, each with its mistakes and their cells, or a box to choose it. Those that
 * need a person are first, and stay there when they are corrected.
 */
export function ImportRows(props: ImportRowsProps) {
  const { columns, corrections, onCorrect, onLastCorrected, chosen, onChoose } = props
  const { t } = useTranslation()
  const needsPerson = (row: ImportRowOut) =>
    hasMistakes(row) || corrections.some((one) => one.row === row.row)
  const rows = [...props.rows.filter(needsPerson), ...props.rows.filter((row) => !needsPerson(row))]
  const mistaken = rows.filter(hasMistakes)
  const driverCount = rows.filter(({ state }) => state !== "skipped").length
  const [onlyMistakes, setOnlyMistakes] = useState(true)
  const [shownCount, setShownCount] = useState(pageSize)
  const filtered = onlyMistakes && mistaken.length > 0 ? rows.filter(needsPerson) : rows
  const views = [
    { isOn: filtered === rows, label: t("drivers.import.allRows", { count: driverCount }) },
    { isOn: filtered !== rows, label: t("drivers.import.mistakes", { count: mistaken.length }) },
  ]

  const refusedRows = () => [
    [
      ...columns.map(
        ({ heading, field }) => heading || (field ? t(`drivers.import.columns.${field}`) : ""),
      ),
      t("drivers.import.reason"),
    ],
    ...mistaken.map(({ cells, problems }) => [
      ...columns.map((_, place) => cells[place] ?? ""),
      problems.map(({ message }) => message).join(", "),
    ]),
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
          <Button
            variant="ghost"
            size="sm"
            icon={Download}
            onClick={() => saveFile(writeCsv(refusedRows()), "prawko-wiersze-z-bledami.csv")}
          >
            {t("drivers.import.refused")}
          </Button>
        </div>
      )}
      <ul className="overflow-hidden rounded-md border border-line">
        {filtered.slice(0, shownCount).map((row) => (
          <ImportRow
            key={row.row}
            row={row}
            corrections={corrections}
            onCorrect={onCorrect}
            onLastCorrected={onLastCorrected}
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

function nextMistake(cell: HTMLInputElement): HTMLInputElement | undefined {
  const cells = cell.closest("section")?.querySelectorAll<HTMLInputElement>("[data-mistake]") ?? []
  const follows = (one: Element) =>
    cell.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING
  return [...cells].find(follows)
}

type ImportRowProps = {
  row: ImportRowOut
  corrections: readonly CorrectionIn[]
  onCorrect: (correction: CorrectionIn) => void
  onLastCorrected: () => void
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
}

function ImportRow(props: ImportRowProps) {
  const { row, corrections, onCorrect, onLastCorrected, isChosen, onChoose } = props
  const { t } = useTranslation()
  const isReady = row.state === "ready"
  const findCorrection = (field: string) =>
    corrections.find((one) => one.row === row.row && one.field === field)
  const isMistaken = (field: (typeof cellFields)[number]) =>
    (hasMistakes(row) && row.problems.some((problem) => problem.field === field)) ||
    (row.state === "doubtful" && (field === "firstName" || field === "lastName"))
  const edited = cellFields.filter((field) => findCorrection(field) || isMistaken(field))
  const correct = (field: (typeof cellFields)[number], text: string) => {
    if (text !== (findCorrection(field)?.text ?? row[field]))
      onCorrect({ row: row.row, field, text })
  }
  const name = `${row.firstName} ${row.lastName}`.trim()
  return (
    <li
      className={clsx(
        "scroll-my-28 grid grid-cols-[1.5rem_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 border-b border-line px-3 py-2 last:border-b-0",
        hasMistakes(row) && "bg-caution-soft",
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
      ) : row.state === "skipped" ? (
        <Info aria-hidden className="mt-0.5 size-5 text-ink-soft" />
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
        <ul
          className={clsx(
            "col-start-2 col-end-4 text-sm",
            row.state === "skipped" ? "text-ink-soft" : "text-caution-ink",
          )}
        >
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
      {edited.length > 0 && (
        <div className="col-start-2 col-end-4 grid gap-x-3 gap-y-2 py-1 sm:grid-cols-2">
          {edited.map((field) => (
            <Field
              key={`${field} ${row[field]}`}
              data-mistake={isMistaken(field) || undefined}
              label={t(`drivers.import.columns.${field}`)}
              defaultValue={row[field]}
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              onBlur={({ target }) => correct(field, target.value)}
              onKeyDown={({ key, currentTarget }) => {
                if (key !== "Enter") return
                correct(field, currentTarget.value)
                const next = nextMistake(currentTarget)
                if (next) next.focus()
                else onLastCorrected()
              }}
            />
          ))}
        </div>
      )}
    </li>
  )
}
