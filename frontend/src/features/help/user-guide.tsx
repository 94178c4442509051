import { useTranslation } from "react-i18next"
import { KeyList } from "~/ui/key-list"

const chapters = ["start", "verification", "notifications", "subscription"] as const

/** 'Przewodnik': describes what the panel does today, in the order of the catalogue. */
export function UserGuide() {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-6">
      {chapters.map((chapter) => {
        const { title, ...steps } = t(`help.${chapter}`, { returnObjects: true })
        return (
          <section key={chapter}>
            <h3 className="text-base">{title}</h3>
            <ul className="mt-1.5 list-disc space-y-1.5 pl-5 text-sm leading-6 text-ink-soft marker:text-line-strong">
              {Object.entries(steps).map(([key, step]) => (
                <li key={key}>{step}</li>
              ))}
            </ul>
          </section>
        )
      })}
      <section className="text-sm pointer-coarse:hidden">
        <h3 className="mb-2 text-base">{t("drivers.keys.title")}</h3>
        <KeyList />
      </section>
    </div>
  )
}
