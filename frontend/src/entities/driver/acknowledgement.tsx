import { UserRoundCheck } from "lucide-react"
import { type ReactNode, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import * as v from "valibot"
import type { AcknowledgementOut, DriverSummaryOut } from "~/api/types.gen"
import { useProductToday } from "~/hooks/use-product-now"
import { vTyped } from "~/lib/letters"
import { Button } from "~/ui/button"
import { ConfirmDialog } from "~/ui/confirm-dialog"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { Form, useServerForm } from "~/ui/server-form"
import { isOpen, useAcknowledge, useMayAcknowledge, useWithdraw } from "./acknowledgement-calls"
import { fullName } from "./driver"
import { useEpisodeTexts } from "./episode-texts"

type AcknowledgementActionProps = {
  driver: DriverSummaryOut
  /** Whether the button is the first one of its kind on the page. */
  isFirst?: boolean
  onAcknowledged: () => void
  /** What the driver needs before it. */
  first?: ReactNode
  /** Buttons beside it; the form takes their place. */
  children?: ReactNode
}

/** 'Odsunięty od jazdy': a button and the form that it opens; then the button that undoes it. */
export function AcknowledgementAction({
  driver,
  isFirst = true,
  onAcknowledged,
  first,
  children,
}: AcknowledgementActionProps) {
  const { t } = useTranslation()
  const mayAcknowledge = useMayAcknowledge()
  const [isWriting, setIsWriting] = useState(false)
  const { episode } = driver
  const name = fullName(driver)
  const label = t("dashboard.queue.acknowledgeOf", { name })
  const canAct = mayAcknowledge && isOpen(driver)
  if (isWriting && canAct) {
    return (
      <AcknowledgementForm
        drivers={[driver]}
        label={label}
        onDone={() => {
          setIsWriting(false)
          onAcknowledged()
        }}
        onCancel={() => setIsWriting(false)}
      />
    )
  }
  const acknowledgement = mayAcknowledge ? episode?.acknowledgement : null
  if (!canAct && !acknowledgement && !first && !children) return null
  return (
    <div className="flex flex-wrap gap-2 @card:flex-nowrap">
      {first}
      {acknowledgement && (
        <AcknowledgementWithdrawal
          driverId={driver.id}
          acknowledgement={acknowledgement}
          label={t("dashboard.attention.withdrawOf", { name })}
        />
      )}
      {canAct && (
        <Button
          variant={isFirst && !first ? "primary" : "secondary"}
          size="sm"
          className="max-sm:min-h-11 max-sm:flex-1 max-sm:px-1! max-sm:[&>svg]:hidden @card:@max-6xl:px-2! @card:@max-6xl:text-xs @card:@max-6xl:[&>svg]:hidden"
          data-act
          aria-keyshortcuts="o"
          title={t("dashboard.queue.acknowledgeKey")}
          aria-label={label}
          onClick={() => setIsWriting(true)}
          icon={UserRoundCheck}
        >
          {t("dashboard.queue.acknowledge")}
        </Button>
      )}
      {children}
    </div>
  )
}

export const maxNoteLength = 200
export const vNote = v.object({
  note: v.pipe(vTyped, v.maxLength(maxNoteLength)),
})
const presets = ["phone", "keys", "substitute"] as const

/** Buttons with ready notes, for one click: the second of a double click meant what was there before. */
export function NotePresets({ onChoose }: { onChoose: (note: string) => void }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-wrap gap-2">
      {presets.map((preset) => {
        const note = t(`dashboard.queue.presets.${preset}`)
        return (
          <Button
            key={preset}
            variant="secondary"
            size="sm"
            onClick={({ detail }) => detail > 1 || onChoose(note)}
          >
            {note}
          </Button>
        )
      })}
    </div>
  )
}

type AcknowledgementFormProps = {
  drivers: readonly DriverSummaryOut[]
  label: string
  onDone: () => void
  onCancel: () => void
}

/**
 * Asks for the note of an acknowledgement, which may be empty: one line in a wide row, elsewhere the
 * ready notes first. The server stores it with the author and the time.
 */
export function AcknowledgementForm(props: AcknowledgementFormProps) {
  const { drivers, label, onDone, onCancel } = props
  const { t } = useTranslation()
  const acknowledge = useAcknowledge(drivers)
  const isCancelled = useRef(false)
  const { form, submit, field, error } = useServerForm({
    schema: vNote,
    defaultValues: { note: "" },
    call: acknowledge,
    send: ({ note }) => acknowledge.mutateAsync(note),
    // Not after a cancellation, when the user may be typing elsewhere.
    onSent: () => isCancelled.current || onDone(),
    autoFocus: true,
    refocus: true,
  })

  const cancel = () => {
    isCancelled.current = true
    onCancel()
  }

  return (
    <Form
      submit={submit}
      label={label}
      className="flex w-full flex-col gap-2 py-0.75 @4xl:flex-row @4xl:flex-wrap @4xl:items-center"
    >
      <div className="order-1 min-w-0 flex-1 @4xl:order-none [&_label]:sr-only">
        <Field
          label={t("dashboard.queue.note")}
          placeholder={t("dashboard.queue.noteHint")}
          autoComplete="off"
          maxLength={maxNoteLength}
          {...field("note")}
        />
      </div>
      <NotePresets
        onChoose={(note) => {
          form.setValue("note", note)
          void submit()
        }}
      />
      <div className="order-1 flex flex-wrap gap-2">
        <Button type="submit" size="sm" loading={acknowledge.isPending}>
          {t("dashboard.queue.save")}
        </Button>
        <Button variant="ghost" size="sm" onClick={cancel}>
          {t("common.cancel")}
        </Button>
      </div>
      <ErrorAlert
        title={t("dashboard.queue.saveFailed")}
        error={error}
        className="order-2 @4xl:basis-full"
      />
    </Form>
  )
}

type AcknowledgementNoteProps = { driver: DriverSummaryOut; today: string }

/** Who took the driver off the road and when, and the note. */
export function AcknowledgementNote({ driver, today }: AcknowledgementNoteProps) {
  const { t } = useTranslation()
  const { describeAuthor } = useEpisodeTexts(today)
  const acknowledgement = driver.episode?.acknowledgement
  if (!acknowledgement) return null
  const author = t("dashboard.queue.by", { who: describeAuthor(acknowledgement) })
  return (
    <p
      className="text-xs leading-tight not-print:truncate @6xl:text-sm"
      title={`${author} ${acknowledgement.note}`}
    >
      <span className="figures">{author}</span>{" "}
      <strong className="font-semibold @4xl:ml-1.5">{acknowledgement.note}</strong>
    </p>
  )
}

type AcknowledgementWithdrawalProps = {
  driverId: string
  acknowledgement: AcknowledgementOut
  /** Of the button, where several are on the page. */
  label?: string
}

/** Undoes an acknowledgement that was a mistake, once the user has confirmed it: its note is lost. */
export function AcknowledgementWithdrawal({
  driverId,
  acknowledgement,
  label,
}: AcknowledgementWithdrawalProps) {
  const { t } = useTranslation()
  const withdraw = useWithdraw()
  const [isAsking, setIsAsking] = useState(false)
  const { describeAuthor } = useEpisodeTexts(useProductToday())
  if (!useMayAcknowledge()) return null

  const undo = () =>
    withdraw.mutate([{ driver_id: driverId, acknowledgement_id: acknowledgement.id }], {
      onSettled: () => setIsAsking(false),
    })

  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        aria-label={label}
        className="@max-card:hidden @card:@max-6xl:px-2! @card:@max-6xl:text-xs"
        onClick={() => setIsAsking(true)}
      >
        {t("dashboard.details.withdraw")}
      </Button>
      {isAsking && (
        <ConfirmDialog
          onClose={() => setIsAsking(false)}
          title={t("dashboard.details.withdrawTitle")}
          description={t("dashboard.details.withdrawText")}
          confirmLabel={t("dashboard.details.withdraw")}
          onConfirm={undo}
          loading={withdraw.isPending}
        >
          <p className="wrap-anywhere">
            <span className="figures">{describeAuthor(acknowledgement)}</span>{" "}
            <strong>{acknowledgement.note}</strong>
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
