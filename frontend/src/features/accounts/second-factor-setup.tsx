import { valibotResolver } from "@hookform/resolvers/valibot"
import { useMutation } from "@tanstack/react-query"
import { useEffect } from "react"
import { useForm } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { startSecondFactorMutation } from "~/api/@tanstack/react-query.gen"
import type { SecondFactorSetupOut } from "~/api/types.gen"
import { useUser } from "~/hooks/use-user"
import { fieldErrors } from "~/lib/error-messages"
import { Button } from "~/ui/button"
import { CopyButton } from "~/ui/copy-button"
import { ErrorAlert } from "~/ui/error-alert"
import { Field } from "~/ui/field"
import { PasswordField } from "~/ui/password-field"
import { RecoveryCodes } from "./recovery-codes"
import {
  type CodeFields,
  type PasswordFields,
  vAuthenticatorCode,
  vPassword,
} from "./second-factor-schemas"
import { useConfirmSecondFactor } from "./use-second-factor"

/** Modules of the quiet zone around a QR code, without which some telephones do not read it. */
const quietZone = 4

/** Switches two-step verification on: password, authenticator app, recovery codes. */
export function SecondFactorSetup({ onDone }: { onDone: () => void }) {
  const start = useMutation(startSecondFactorMutation())
  const confirm = useConfirmSecondFactor()

  if (confirm.data) return <RecoveryCodes codes={confirm.data.recoveryCodes} onDone={onDone} />
  if (start.data) return <AuthenticatorForm setup={start.data} confirm={confirm} />
  return <PasswordForm start={start} />
}

type PasswordFormProps = {
  start: {
    mutate: (options: { body: PasswordFields }) => void
    isPending: boolean
    error: unknown
  }
}

function PasswordForm({ start }: PasswordFormProps) {
  const { t } = useTranslation()
  const { email } = useUser()
  const form = useForm<PasswordFields>({
    resolver: valibotResolver(vPassword),
    defaultValues: { password: "" },
  })
  const passwordError = fieldErrors(start.error).password

  return (
    <form
      onSubmit={form.handleSubmit((body) => start.mutate({ body }))}
      noValidate
      className="flex flex-col gap-5"
    >
      <p className="text-sm text-ink-soft">{t("accounts.secondFactor.setup.passwordLead")}</p>
      {/* tells password managers whose password it is */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={t("accounts.change.current")}
        autoComplete="current-password"
        error={
          form.formState.errors.password ? t("accounts.login.passwordRequired") : passwordError
        }
        {...form.register("password")}
      />
      {!passwordError && (
        <ErrorAlert title={t("accounts.secondFactor.setup.failed")} error={start.error} />
      )}
      <Button type="submit" loading={start.isPending}>
        {t("accounts.secondFactor.setup.continue")}
      </Button>
    </form>
  )
}

type AuthenticatorFormProps = {
  setup: SecondFactorSetupOut
  confirm: ReturnType<typeof useConfirmSecondFactor>
}

function AuthenticatorForm({ setup, confirm }: AuthenticatorFormProps) {
  const { t } = useTranslation()
  const form = useForm<CodeFields>({
    resolver: valibotResolver(vAuthenticatorCode),
    defaultValues: { code: "" },
  })
  const codeError = fieldErrors(confirm.error).code

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on mount
  useEffect(() => form.setFocus("code", { shouldSelect: true }), [])

  return (
    <form
      onSubmit={form.handleSubmit((body) =>
        confirm.mutate({ body }, { onError: () => form.setFocus("code") }),
      )}
      noValidate
      className="flex flex-col gap-5"
    >
      <p className="text-sm text-ink-soft">{t("accounts.secondFactor.setup.scan")}</p>
      <QrCode {...setup.qrCode} />
      <div className="rounded-md bg-sunken p-4 text-sm">
        <p className="text-ink-soft">{t("accounts.secondFactor.setup.manual")}</p>
        <div className="flex items-center justify-between gap-2">
          <span className="figures text-base break-all">{groupOfFour(setup.secret)}</span>
          <CopyButton text={setup.secret} name={t("accounts.secondFactor.setup.secret")} />
        </div>
      </div>
      <Field
        label={t("accounts.secondFactor.setup.code")}
        hint={t("accounts.secondFactor.setup.codeHint")}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        className="serial text-center text-xl!"
        error={form.formState.errors.code ? t("accounts.secondFactor.setup.codeFormat") : codeError}
        {...form.register("code")}
      />
      {!codeError && (
        <ErrorAlert title={t("accounts.secondFactor.setup.failed")} error={confirm.error} />
      )}
      <Button type="submit" loading={confirm.isPending}>
        {t("accounts.secondFactor.enable")}
      </Button>
    </form>
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
