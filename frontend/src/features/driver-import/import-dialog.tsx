import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { useTranslation } from "react-i18next"
import type { PlanUsage } from "~/entities/subscription/plan-note"
import { Card } from "~/ui/card"
import { Dialog } from "~/ui/dialog"
import { PageGuard } from "~/ui/dialog-guard"
import { QueryState } from "~/ui/query-state"
import { SectionHead } from "~/ui/section-head"
import type { ImportFormProps } from "./import-form"
import { importFormQuery } from "./import-form-query"
import type { ImportMode } from "./import-source-field"

type ImportDialogProps = {
  mode: ImportMode
  plan: PlanUsage
  /** The drivers are added. */
  onDone: () => void
  onClose: () => void
}

/** Adds many drivers, pasted from a spreadsheet or from a file. */
export function ImportDialog({ mode, plan, onDone, onClose }: ImportDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("drivers.import.title")}
      description={t("drivers.plan.used", plan)}
      wide
      unpadded
    >
      <LoadedForm initialMode={mode} plan={plan} onDone={onDone} inDialog />
    </Dialog>
  )
}

type FirstDriversProps = {
  title: string
  plan: PlanUsage
  onDone: () => void
  children?: ReactNode
}

/** For a company without drivers: the same form on the page; `children` is the way to add one driver. */
export function FirstDrivers({ title, plan, onDone, children }: FirstDriversProps) {
  const { t } = useTranslation()
  return (
    <Card>
      <SectionHead title={title} lead={t("drivers.import.first")} action={children} />
      <PageGuard>
        <LoadedForm initialMode="paste" plan={plan} onDone={onDone} />
      </PageGuard>
    </Card>
  )
}

type LoadedFormProps = Omit<ImportFormProps, "autoFocus"> & { inDialog?: boolean }

/** The form once its script is loaded. A dialog that opened before focuses it then. */
function LoadedForm({ inDialog = false, ...form }: LoadedFormProps) {
  const { t } = useTranslation()
  const query = useQuery(importFormQuery)
  const [isLate] = useState(query.isPending)
  // A browser loads a failed script again on a new page only. The list's page opens the dialog.
  const reload = async () => {
    const address = new URL(window.location.href)
    if (inDialog) address.searchParams.set("import", form.initialMode)
    window.location.replace(address)
  }
  return (
    <QueryState
      query={{ ...query, refetch: reload }}
      loadingLabel={t("drivers.import.loading")}
      errorTitle={t("drivers.import.loadFailed")}
      errorClassName="m-5"
    >
      {({ ImportForm }) => <ImportForm {...form} autoFocus={inDialog && isLate} />}
    </QueryState>
  )
}
