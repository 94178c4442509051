import { Pencil } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useTranslation } from "react-i18next"
import type { CompanyDetails } from "~/api/types.gen"
import { hasCompleteBillingDetails } from "~/features/subscription/use-subscription"
import { useStateDraft } from "~/hooks/use-draft"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { BillingDetailsForm } from "./billing-details-form"

type BillingDetailsProps = {
  details: CompanyDetails
  onDirtyChange: (unsaved: boolean) => void
}

/** The buyer's details: read-only when complete, a form until then. */
export function BillingDetails({ details, onDirtyChange }: BillingDetailsProps) {
  const { t } = useTranslation()
  const [editing, setEditing] = useStateDraft("billing-details.editing", false)
  const [wasEdited, setWasEdited] = useState(false)
  const complete = hasCompleteBillingDetails(details)
  const isReadOnly = complete && !editing
  const close = () => {
    setEditing(false)
    setWasEdited(true)
  }

  return (
    <Card id="billing">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line px-5 py-4">
        <div>
          <h2 className="text-lg">{t("subscription.billing.title")}</h2>
          <p className="text-sm text-ink-soft">{t("subscription.billing.lead")}</p>
        </div>
        {isReadOnly && (
          <Button
            variant="secondary"
            size="sm"
            autoFocus={wasEdited} // or the focus would be lost with the form
            onClick={() => setEditing(true)}
          >
            <Pencil aria-hidden className="size-4" />
            {t("subscription.billing.edit")}
          </Button>
        )}
      </div>
      <div className="p-5">
        {isReadOnly ? (
          <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-3">
            <Detail name={t("subscription.billing.companyName.label")} wide>
              {details.companyName}
            </Detail>
            <Detail name={t("subscription.billing.taxId.label")}>
              <span className="figures">{details.taxId}</span>
            </Detail>
            <Detail name={t("subscription.billing.street.label")} wide>
              {details.street}
            </Detail>
            <Detail
              name={`${t("subscription.billing.postalCode.label")}, ${t("subscription.billing.city.label")}`}
            >
              <span className="figures whitespace-nowrap">{details.postalCode}</span> {details.city}
            </Detail>
          </dl>
        ) : (
          <BillingDetailsForm
            details={details}
            autoFocus={editing}
            onDirtyChange={onDirtyChange}
            onSaved={close}
            {...(complete ? { onCancel: close } : {})}
          />
        )}
      </div>
    </Card>
  )
}

function Detail({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? "min-w-0 sm:col-span-2" : "min-w-0"}>
      <dt className="text-sm text-ink-soft">{name}</dt>
      <dd className="font-semibold wrap-anywhere">{children}</dd>
    </div>
  )
}
