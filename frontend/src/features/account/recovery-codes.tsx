import { Download } from "lucide-react"
import { useTranslation } from "react-i18next"
import { saveFile } from "~/hooks/use-download"
import { Alert } from "~/ui/alert"
import { Button } from "~/ui/button"
import { CopyButton } from "~/ui/copy-button"

type RecoveryCodesProps = { codes: readonly string[]; onDone: () => void }

/** New recovery codes, which are shown once: to copy, to save, to write down. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const { t } = useTranslation()
  const text = `${codes.join("\n")}\n`

  return (
    <div className="flex flex-col gap-5">
      <Alert tone="caution" live="status" title={t("accounts.secondFactor.codes.title")}>
        {t("accounts.secondFactor.codes.lead")}
      </Alert>
      <ul
        aria-label={t("accounts.secondFactor.codes.list")}
        className="serial grid gap-x-6 gap-y-1 rounded-md bg-sunken p-4 text-center min-[26rem]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="secondary"
          size="sm"
          onClick={() => saveFile(new Blob([text], { type: "text/plain" }), "prawko-kody.txt")}
          icon={Download}
        >
          {t("accounts.secondFactor.codes.download")}
        </Button>
        <CopyButton text={text} name={t("accounts.secondFactor.codes.list")} />
      </div>
      <Button onClick={onDone}>{t("accounts.secondFactor.codes.done")}</Button>
    </div>
  )
}
