import { Pencil } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { CompanyDetails } from "~/api/types.gen"
import { hasCompleteBillingDetails } from "~/entities/subscription/use-subscription"
import { useStateDraft } from "~/hooks/use-draft"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { Fact } from "~/ui/fact"
import { SectionHead } from "~/ui/section-head"
import { BillingDetailsForm, type SaverRef } from "./billing-details-form"

type BillingDetailsProps = {
  details: CompanyDetails
  onDirtyChange: (unsaved: boolean) => void
  saver?: SaverRef | undefined
}

/** The buyer's details: read-only when complete, a form until then. */
export function BillingDetails({ details, onDirtyChange, saver }: BillingDetailsProps) {
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
      <SectionHead
        title={t("subscription.billing.title")}
        lead={t("subscription.billing.lead")}
        action={
          isReadOnly && (
            <Button
              variant="secondary"
              size="sm"
              autoFocus={wasEdited} // or the focus would be lost with the form
              onClick={() => setEditing(true)}
              icon={Pencil}
            >
              {t("subscription.billing.edit")}
            </Button>
          )
        }
      />
      <div className="p-5">
        {isReadOnly ? (
          <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-3">
            <Fact
              name={t("subscription.billing.companyName.label")}
              className="sm:col-span-2"
              valueClass="font-semibold"
            >
              {details.companyName}
            </Fact>
            <Fact name={t("subscription.billing.taxId.label")} valueClass="figures font-semibold">
              {details.taxId}
            </Fact>
            <Fact
              name={t("subscription.billing.street.label")}
              className="sm:col-span-2"
              valueClass="font-semibold"
            >
              {details.street}
            </Fact>
            <Fact
              name={`${t("subscription.billing.postalCode.label")}, ${t("subscription.billing.city.label")}`}
              valueClass="font-semibold"
            >
              <span className="figures whitespace-nowrap">{details.postalCode}</span>{" "}
              <span>{details.city}</span>
            </Fact>
          </dl>
        ) : (
          <BillingDetailsForm
            details={details}
            autoFocus={editing}
            onDirtyChange={onDirtyChange}
            onSaved={close}
            saver={saver}
            {...(complete ? { onCancel: close } : {})}
          />
        )}
      </div>
    </Card>
  )
}
