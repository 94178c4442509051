import { useTranslation } from "react-i18next"
import type { PushBrowserOut } from "~/api/types.gen"
import { formatDateTime } from "~/lib/dates"
import { parseDevice } from "~/lib/user-agent"
import { Button } from "~/ui/button"
import { Card } from "~/ui/card"
import { SectionHead } from "~/ui/section-head"
import { SwitchField } from "~/ui/switch-field"
import { isPushSupported } from "./push-browser"
import {
  useOwnPushBrowser,
  usePushSettings,
  useRemovePushBrowser,
  useSubscribePush,
  useUnsubscribePush,
} from "./use-push"

/** Notifications in this browser, and the person's other ones. Hidden where there can be none. */
export function PushSettings() {
  const { t } = useTranslation()
  const settings = usePushSettings().data
  const own = useOwnPushBrowser()
  if (!settings?.serverKey || own.isPending) return null
  const others = settings.browsers.filter(({ id }) => id !== own.data)
  if (!isPushSupported() && others.length === 0) return null
  return (
    <Card>
      <SectionHead title={t("notifications.push.title")} />
      {isPushSupported() && <PushSwitch serverKey={settings.serverKey} ownId={own.data ?? null} />}
      {others.length > 0 && <OtherBrowsers browsers={others} />}
    </Card>
  )
}

function PushSwitch({ serverKey, ownId }: { serverKey: string; ownId: string | null }) {
  const { t } = useTranslation()
  const subscribe = useSubscribePush()
  const unsubscribe = useUnsubscribePush()
  const blocked = Notification.permission === "denied"

  const change = (checked: boolean) => {
    if (checked) subscribe.mutate(serverKey)
    else if (ownId) unsubscribe.mutate(ownId)
  }

  return (
    <div className="p-5">
      <SwitchField
        label={t("notifications.push.switch")}
        hint={blocked ? t("notifications.push.blocked") : t("notifications.push.hint")}
        checked={ownId !== null}
        disabled={(blocked && ownId === null) || subscribe.isPending || unsubscribe.isPending}
        onChange={({ target }) => change(target.checked)}
      />
    </div>
  )
}

function OtherBrowsers({ browsers }: { browsers: readonly PushBrowserOut[] }) {
  const { t } = useTranslation()
  const remove = useRemovePushBrowser()
  return (
    <section className="border-t border-line p-5" aria-label={t("notifications.push.others")}>
      <h3 className="font-semibold">{t("notifications.push.others")}</h3>
      <ul className="divide-y divide-line">
        {browsers.map(({ id, agent, active, createdAt }) => {
          const name = parseDevice(agent).name ?? t("notifications.push.unknown")
          const date = formatDateTime(createdAt)
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
              <p className="min-w-0 flex-1 basis-40 text-sm">
                <span className="font-semibold">{name}</span>
                <span className="figures block text-ink-soft">
                  {t("notifications.push.since", { date })}
                </span>
                {!active && (
                  <span className="block text-ink-soft">{t("notifications.push.paused")}</span>
                )}
              </p>
              <Button
                variant="secondary"
                size="sm"
                loading={remove.isPending && remove.variables.path.browser_id === id}
                aria-label={t("notifications.push.removeOf", { name, date })}
                onClick={() => remove.mutate({ path: { browser_id: id } })}
              >
                {t("notifications.push.remove")}
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
