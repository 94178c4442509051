import { FileCheck } from "lucide-react"
import { type FormEvent, useState } from "react"
import { useTranslation } from "react-i18next"
import { confirmPeriod } from "~/api/sdk.gen"
import { asFile, useDownload } from "~/hooks/use-download"
import { useLanguage } from "~/hooks/use-language"
import { useProductToday } from "~/hooks/use-product-now"
import { daysBefore } from "~/lib/dates"
import { fieldErrors } from "~/lib/error-messages"
import { Button } from "~/ui/button"
import { Dialog } from "~/ui/dialog"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"

type PeriodDialogProps = {
  driver: { id: string; licenseNumber: string }
  onClose: () => void
}

/** Downloads the confirmation of all checks from one day to another; the last 30 days at first. */
export function PeriodDialog({ driver, onClose }: PeriodDialogProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const today = useProductToday()
  const [from, setFrom] = useState(() => daysBefore(today, 29))
  const [to, setTo] = useState(today)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const download = useDownload(
    () =>
      confirmPeriod({
        path: { driver_id: driver.id },
        query: { from, to, lang: language },
        ...asFile,
      }),
    `${driver.licenseNumber}.pdf`,
    { done: t("verifications.confirmation.done") },
  )
  const required = t("verifications.confirmation.period.required")
  const fromError = from ? undefined : required
  const toError = !to
    ? required
    : to < from
      ? t("verifications.confirmation.period.order")
      : fieldErrors(download.error).to

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsSubmitted(true)
    if (!from || !to || to < from) return
    download.mutate(undefined, { onSuccess: onClose })
  }

  return (
    <Dialog open onClose={onClose} title={t("verifications.confirmation.period.title")}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-sm text-ink-soft">{t("verifications.confirmation.period.text")}</p>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            type="date"
            label={t("verifications.confirmation.period.from")}
            value={from}
            max={today}
            error={isSubmitted ? fromError : undefined}
            onChange={(event) => setFrom(event.target.value)}
          />
          <Field
            type="date"
            label={t("verifications.confirmation.period.to")}
            value={to}
            max={today}
            error={isSubmitted ? toError : undefined}
            onChange={(event) => setTo(event.target.value)}
          />
        </div>
        <ErrorAlert title={t("verifications.confirmation.failed")} error={download.error} />
        <Button type="submit" className="self-end" loading={download.isPending} icon={FileCheck}>
          {t("verifications.confirmation.period.download")}
        </Button>
      </form>
    </Dialog>
  )
}
