import { useTranslation } from "react-i18next"

/** 'Przewodnik': describes what the panel does today. */
export function UserGuide() {
  const { t } = useTranslation()
  const chapters = [
    {
      title: t("help.start.title"),
      steps: [t("help.start.trial"), t("help.start.add"), t("help.start.number")],
    },
    {
      title: t("help.verification.title"),
      steps: [
        t("help.verification.daily"),
        t("help.verification.manual"),
        t("help.verification.states"),
        t("help.verification.notFound"),
      ],
    },
    {
      title: t("help.notifications.title"),
      steps: [
        t("help.notifications.email"),
        t("help.notifications.expiry"),
        t("help.notifications.sms"),
        t("help.notifications.night"),
        t("help.notifications.panel"),
      ],
    },
    {
      title: t("help.subscription.title"),
      steps: [
        t("help.subscription.limit"),
        t("help.subscription.order"),
        t("help.subscription.change"),
        t("help.subscription.ended"),
      ],
    },
  ]

  return (
    <div className="flex flex-col gap-6">
      {chapters.map(({ title, steps }) => (
        <section key={title}>
          <h3 className="text-base">{title}</h3>
          <ul className="mt-1.5 list-disc space-y-1.5 pl-5 text-sm leading-6 text-ink-soft marker:text-line-strong">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
