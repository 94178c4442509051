import { useMutation } from "@tanstack/react-query"
import { useTranslation } from "react-i18next"
import { startSecondFactorMutation } from "~/api/@tanstack/react-query.gen"
import type { SecondFactorSetupOut } from "~/api/types.gen"
import { vAuthenticatorCode } from "~/entities/user/second-factor-code"
import { Button } from "~/ui/button"
import { CodeField } from "~/ui/code-field"
import { CopyButton } from "~/ui/copy-button"
import { ErrorAlert } from "~/ui/error-alert"
import { Form, useServerForm } from "~/ui/server-form"
import { ConsentForm } from "./consent-form"
import { RecoveryCodes } from "./recovery-codes"
import { useConfirmSecondFactor } from "./use-second-factor"

/** Modules of the quiet zone around a QR code, without which some telephones do not read it. */
const quietZone = 4

/** Switches two-step verification on: password, authenticator app, recovery codes. */
export function SecondFactorSetup({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const start = useMutation(startSecondFactorMutation())
  const confirm = useConfirmSecondFactor()

  if (confirm.data) return <RecoveryCodes codes={confirm.data.recoveryCodes} onDone={onDone} />
  if (start.data) return <AuthenticatorForm setup={start.data} confirm={confirm} />
  return (
    <ConsentForm
      takesCode={false}
      lead={t("accounts.secondFactor.setup.passwordLead")}
      submitLabel={t("accounts.secondFactor.setup.continue")}
      failedTitle={t("accounts.secondFactor.setup.failed")}
      call={start}
      send={({ password }) => start.mutateAsync({ body: { password } })}
    />
  )
}

type AuthenticatorFormProps = {
  setup: SecondFactorSetupOut
  confirm: ReturnType<typeof useConfirmSecondFactor>
}

function AuthenticatorForm({ setup, confirm }: AuthenticatorFormProps) {
  const { t } = useTranslation()
  const { submit, field, error } = useServerForm({
    schema: vAuthenticatorCode,
    defaultValues: { code: "" },
    call: confirm,
    send: (body) => confirm.mutateAsync({ body }),
    autoFocus: true,
    refocus: true,
  })

  return (
    <Form submit={submit}>
      <p className="text-sm text-ink-soft">{t("accounts.secondFactor.setup.scan")}</p>
      <QrCode {...setup.qrCode} />
      <div className="rounded-md bg-sunken p-4 text-sm">
        <p className="text-ink-soft">{t("accounts.secondFactor.setup.manual")}</p>
        <div className="flex items-center justify-between gap-2">
          <span className="figures text-base break-all">{groupOfFour(setup.secret)}</span>
          <CopyButton text={setup.secret} name={t("accounts.secondFactor.setup.secret")} />
        </div>
      </div>
      <CodeField
        label={t("accounts.secondFactor.setup.code")}
        hint={t("accounts.secondFactor.setup.codeHint")}
        inputMode="numeric"
        maxLength={6}
        isComplete={(code) => code.length === 6}
        {...field("code", t("accounts.secondFactor.setup.codeFormat"))}
      />
      <ErrorAlert title={t("accounts.secondFactor.setup.failed")} error={error} />
      <Button type="submit" loading={confirm.isPending}>
        {t("accounts.secondFactor.enable")}
      </Button>
    </Form>
  )
}

/** Dark on white in either theme: telephones read no inverted codes. */
function QrCode({ size, path }: { size: number; path: string }) {
  const { t } = useTranslation()
  const side = size + 2 * quietZone
  return (
    <svg
      role="img"
      aria-label={t("accounts.secondFactor.setup.qr")}
      viewBox={`${-quietZone} ${-quietZone} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="mx-auto w-full max-w-56 rounded-md border border-line"
    >
      <rect x={-quietZone} y={-quietZone} width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function groupOfFour(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(" ") ?? secret
}
