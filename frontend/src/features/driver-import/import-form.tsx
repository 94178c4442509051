import { CircleAlert } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { PlanNote, type PlanUsage } from "~/entities/subscription/plan-note"
import { useStateDraft } from "~/hooks/use-draft"
import { errorMessage } from "~/lib/error-messages"
import { countDriversAs } from "~/lib/plurals"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { ButtonLink } from "~/ui/button-link"
import { useUnsavedGuard } from "~/ui/dialog-guard"
import { ErrorAlert } from "~/ui/error-alert"
import { Spinner } from "~/ui/spinner"
import { ImportColumns } from "./import-columns"
import { ImportRows } from "./import-rows"
import { type ImportMode, ImportSourceField, TemplateButton } from "./import-source-field"
import {
  addCorrection,
  chooseRows,
  emptySource,
  freePlaces,
  hasMistakes,
  isEmptySource,
  listRows,
} from "./import-table"
import { useDriverImport, useImportPreview } from "./use-driver-import"

export type ImportFormProps = {
  initialMode: ImportMode
  plan: PlanUsage
  onDone: () => void
  /** Its dialog was open before it. */
  autoFocus?: boolean
}

/** The rows to add, their preview, and what is wrong with them. */
export function ImportForm({ initialMode, plan, onDone, autoFocus }: ImportFormProps) {
  const { t } = useTranslation()
  const [source, setSource] = useStateDraft("drivers.import", emptySource)
  const [mode, setMode] = useState(source.file ? "file" : initialMode)
  const [decisions, setDecisions] = useState<ReadonlyMap<number, boolean>>(new Map())
  const { preview, error, isReading, refetch } = useImportPreview(source)
  const add = useDriverImport()
  const [isFolded, setFolded] = useState(false)
  const [goesOn, setGoesOn] = useState(false)
  const form = useRef<HTMLDivElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const isPreviewed = preview !== undefined
  const releaseGuard = useUnsavedGuard(!isEmptySource(source))

  const chosen = preview ? chooseRows(preview, decisions) : []
  // All rows but the table's sum.
  const drivers = preview?.rows.filter(({ state }) => state !== "skipped")
  const mistaken = preview?.rows.filter(hasMistakes) ?? []
  const room = preview ? freePlaces(preview) : 0
  const isTooMany = chosen.length > room

  const focusMistake = () => {
    const cell = findInForm(form.current, "[data-mistake]")
    cell?.focus({ preventScroll: true })
    cell?.closest("li")?.scrollIntoView?.({ block: "nearest" })
    return cell
  }
  // The table was read, or its last cell corrected: on with what is left, or with the button.
  useEffect(() => {
    if (!goesOn || isReading) return
    setGoesOn(false)
    if (isPreviewed && !focusMistake()) addButton.current?.focus()
  })

  const change = (next: typeof source) => {
    setSource(next)
    setDecisions(new Map())
    add.reset()
  }
  const submit = async () => {
    try {
      // The import reads the columns as they are shown.
      const columns = preview?.columns.map(({ field }) => field) ?? []
      await add.mutateAsync({ source: { ...source, columns }, rows: chosen })
      releaseGuard()
      onDone() // by now the form may have given way to the list
    } catch {
      void refetch()
    }
  }

  return (
    <>
      <div
        ref={form}
        tabIndex={-1}
        className="-mt-px flex min-h-0 flex-col gap-4 overflow-y-auto overscroll-contain border-t border-line p-5 focus:outline-none"
      >
        <PlanNote plan={plan} />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div className="flex gap-2">
            {(["paste", "file"] as const).map((one) => (
              <Button
                key={one}
                variant={one === mode ? "primary" : "secondary"}
                size="sm"
                aria-pressed={one === mode}
                onClick={() => {
                  setMode(one)
                  change(emptySource)
                }}
              >
                {t(`drivers.import.${one === "paste" ? "fromText" : "fromFile"}`)}
              </Button>
            ))}
          </div>
          <TemplateButton />
        </div>
        <ImportSourceField
          mode={mode}
          source={source}
          onChange={change}
          autoFocus={autoFocus}
          foldedRows={isFolded ? drivers?.length : undefined}
          onFold={(isPasted) => {
            setFolded(isPasted)
            setGoesOn(isPasted)
          }}
          error={error ? errorMessage(t, error, t("common.tryLater")) : undefined}
        />
        {isReading && !preview && <Spinner label={t("drivers.import.reading")} />}
        {preview && (isTooMany || preview.ready > room) && (
          <Alert
            tone={isTooMany ? "caution" : "info"}
            live="status"
            action={
              <ButtonLink to="/panel/subscription" variant="secondary" size="sm">
                {t("drivers.plan.extend")}
              </ButtonLink>
            }
          >
            {t("drivers.import.room", { room, ready: preview.ready })}
          </Alert>
        )}
        {preview && (
          <ImportColumns
            columns={preview.columns}
            onChoose={(columns) => change({ ...source, columns })}
          />
        )}
        {preview && (
          <ImportRows
            columns={preview.columns}
            rows={preview.rows}
            corrections={source.corrections ?? []}
            onCorrect={(correction) =>
              setSource({
                ...source,
                corrections: addCorrection(source.corrections ?? [], correction),
              })
            }
            onLastCorrected={() => {
              form.current?.focus({ preventScroll: true })
              setGoesOn(true)
            }}
            chosen={new Set(chosen)}
            onChoose={(row, isChosen) => setDecisions(new Map(decisions).set(row, isChosen))}
          />
        )}
      </div>
      <footer className="z-10 flex flex-col gap-3 rounded-b-lg border-t border-line bg-surface p-5 py-4 tall:sticky tall:bottom-0">
        <ErrorAlert title={t("drivers.import.failed")} error={add.error} />
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p role="status" className="figures text-sm text-ink-soft">
            {preview && !isReading
              ? t("drivers.import.outcome", {
                  skipped: (drivers?.length ?? 0) - chosen.length,
                  drivers: preview.driverCount + chosen.length,
                  limit: preview.driverLimit,
                })
              : t("drivers.import.start")}
          </p>
          {mistaken.length > 0 && (
            <Button
              variant="ghost"
              size="sm"
              icon={CircleAlert}
              onClick={focusMistake}
              className="figures mr-auto text-caution-ink!"
            >
              {t("drivers.import.toCorrect", {
                count: mistaken.length,
                rows: listRows(mistaken),
              })}
            </Button>
          )}
          <Button
            ref={addButton}
            disabled={chosen.length === 0 || isTooMany || isReading}
            loading={add.isPending}
            onClick={submit}
          >
            {chosen.length === 0
              ? t("drivers.import.submitNone")
              : t("drivers.import.submit", countDriversAs(chosen.length))}
          </Button>
        </div>
      </footer>
    </>
  )
}

const findInForm = (form: Element | null, selector: string) =>
  form?.querySelector<HTMLElement>(selector)
