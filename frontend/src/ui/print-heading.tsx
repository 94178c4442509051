import { useTranslation } from "react-i18next"

/** On paper only, so it is no text of the page: the day of the data, and when it was printed. */
export function PrintHeading({ asOf, printedAt }: { asOf: string; printedAt: string }) {
  const { t } = useTranslation()
  return (
    <p
      data-print-heading
      data-text={t("common.print.asOf", { date: asOf, printed: printedAt })}
      className="hidden text-sm before:content-[attr(data-text)] print:block"
    />
  )
}
