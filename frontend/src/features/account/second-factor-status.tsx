import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { SecondFactorOut } from "~/api/types.gen"
import { formatDateTime } from "~/lib/dates"
import { Alert } from "~/ui/alert"
import { Badge } from "~/ui/badge"
import { Button } from "~/ui/button"
import { Dialog } from "~/ui/dialog"
import { QueryState } from "~/ui/query-state"
import { ConsentForm } from "./consent-form"
import { RecoveryCodes } from "./recovery-codes"
import { SecondFactorSetup } from "./second-factor-setup"
import {
  useDisableSecondFactor,
  useReplaceRecoveryCodes,
  useSecondFactor,
} from "./use-second-factor"

/** Fewer recovery codes than this are too few. */
const enoughCodes = 4

type OpenDialog = "setup" | "disable" | "codes"

/** Whether two-step verification is on, and the dialogs that change it. */
export function SecondFactorStatus() {
  const { t } = useTranslation()
  const secondFactor = useSecondFactor()
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)

  const titles = {
    setup: t("accounts.secondFactor.setup.title"),
    disable: t("accounts.secondFactor.disable"),
    codes: t("accounts.secondFactor.newCodes"),
  }

  return (
    <QueryState
      query={secondFactor}
      loadingLabel={t("accounts.secondFactor.loading")}
      errorTitle={t("accounts.secondFactor.loadFailed")}
      keepData
    >
      {(status) => (
        <>
          <Facts status={status} />
          <div className="mt-4 flex flex-wrap gap-3">
            {status.enabled ? (
              <>
                <Button variant="secondary" onClick={() => setDialog("codes")}>
                  {t("accounts.secondFactor.newCodes")}
                </Button>
                <Button variant="secondary" onClick={() => setDialog("disable")}>
                  {t("accounts.secondFactor.disable")}
                </Button>
              </>
            ) : (
              <Button onClick={() => setDialog("setup")}>
                {t("accounts.secondFactor.enable")}
              </Button>
            )}
          </div>
          <Dialog open={dialog !== undefined} onClose={close} title={titles[dialog ?? "setup"]}>
            {dialog === "setup" && <SecondFactorSetup onDone={close} />}
            {dialog === "disable" && <DisableForm onDisabled={close} />}
            {dialog === "codes" && <NewCodes onDone={close} />}
          </Dialog>
        </>
      )}
    </QueryState>
  )
}

function Facts({ status }: { status: SecondFactorOut }) {
  const { t } = useTranslation()
  const { enabled, enabledAt, recoveryCodesLeft, required } = status
  return (
    <div className="flex flex-col gap-4">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Badge tone={enabled ? "valid" : "neutral"}>
          {t(enabled ? "accounts.secondFactor.on" : "accounts.secondFactor.off")}
        </Badge>
        {enabled && enabledAt && (
          <span className="figures text-sm text-ink-soft">
            {t("accounts.secondFactor.since", { date: formatDateTime(enabledAt) })}
          </span>
        )}
        {enabled && (
          <span className="figures text-sm text-ink-soft">
            {t("accounts.secondFactor.codesLeft", { count: recoveryCodesLeft })}
          </span>
        )}
      </p>
      {required && !enabled && <Alert tone="caution">{t("accounts.secondFactor.required")}</Alert>}
      {enabled && recoveryCodesLeft < enoughCodes && (
        <Alert tone="caution">{t("accounts.secondFactor.fewCodes")}</Alert>
      )}
    </div>
  )
}

function DisableForm({ onDisabled }: { onDisabled: () => void }) {
  const { t } = useTranslation()
  const disable = useDisableSecondFactor()
  return (
    <ConsentForm
      takesCode
      lead={t("accounts.secondFactor.consent.disableLead")}
      submitLabel={t("accounts.secondFactor.disable")}
      failedTitle={t("accounts.secondFactor.consent.disableFailed")}
      danger
      call={disable}
      send={(body) => disable.mutateAsync({ body }, { onSuccess: onDisabled })}
    />
  )
}

function NewCodes({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const replace = useReplaceRecoveryCodes()
  if (replace.data) return <RecoveryCodes codes={replace.data.recoveryCodes} onDone={onDone} />
  return (
    <ConsentForm
      takesCode
      lead={t("accounts.secondFactor.consent.codesLead")}
      submitLabel={t("accounts.secondFactor.newCodes")}
      failedTitle={t("accounts.secondFactor.consent.codesFailed")}
      call={replace}
      send={(body) => replace.mutateAsync({ body })}
    />
  )
}
