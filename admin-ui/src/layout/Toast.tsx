import { Alert, AlertTitle, Snackbar } from "@mui/material"
import { useEffect, useState } from "react"
import { type NotificationPayload, useNotificationContext, useTranslate } from "react-admin"

const VISIBLE_MS = 5_000

/** Shows react-admin's notifications, the latest alone, under "Sukces" or "Błąd" as the panel does. */
export function Toast() {
  const { notifications, takeNotification } = useNotificationContext()
  const [current, setCurrent] = useState<NotificationPayload>()
  const [isOpen, setOpen] = useState(false)
  const [number, setNumber] = useState(0)
  const translate = useTranslate()

  useEffect(() => {
    if (notifications.length === 0) return
    setCurrent(takeNotification() ?? undefined)
    setOpen(true)
    setNumber((number) => number + 1)
  }, [notifications, takeNotification])

  if (!current) return null
  const { message, type = "info", notificationOptions } = current
  const severity = type === "error" || type === "success" || type === "warning" ? type : "info"
  const text =
    typeof message === "string"
      ? translate(message, { _: message, ...notificationOptions?.messageArgs })
      : message
  const close = () => setOpen(false)

  return (
    <Snackbar
      key={number} // a new one is shown for its whole time
      open={isOpen}
      autoHideDuration={VISIBLE_MS}
      onClose={(_, reason) => reason !== "clickaway" && close()}
      anchorOrigin={{ vertical: "bottom", horizontal: "right" }}
      slotProps={{ transition: { onExited: () => setCurrent(undefined) } }}
    >
      <Alert
        severity={severity}
        variant="standard"
        role={severity === "error" ? "alert" : "status"}
        onClose={close}
        closeText={translate("ra.action.close")}
        sx={{ width: "100%", maxWidth: 420, border: 1, borderColor: "divider", boxShadow: 4 }}
      >
        {severity !== "info" && (
          <AlertTitle sx={{ mb: 0 }}>{translate(`console.toast.${severity}`)}</AlertTitle>
        )}
        {text}
      </Alert>
    </Snackbar>
  )
}
