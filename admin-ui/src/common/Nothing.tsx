import { useTranslate } from "react-admin"

/** Stands for a value that is missing. */
export function Nothing() {
  const translate = useTranslate()
  return (
    <>
      <span aria-hidden>–</span>
      <span className="visually-hidden">{translate("console.none")}</span>
    </>
  )
}
