import { Eye, EyeOff } from "lucide-react"
import { type ComponentProps, useState } from "react"
import { useTranslation } from "react-i18next"
import { Button } from "~/ui/button"
import { Field } from "~/ui/field"

/** A password that can be looked at while it is typed. */
export function PasswordField(props: Omit<ComponentProps<typeof Field>, "type" | "end">) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye

  return (
    <Field
      {...props}
      type={shown ? "text" : "password"}
      autoCapitalize="none"
      spellCheck={false}
      end={
        <Button
          variant="ghost"
          size="icon"
          aria-label={t(shown ? "common.password.hide" : "common.password.show")}
          onClick={() => setShown(!shown)}
        >
          <Icon aria-hidden className="size-5" />
        </Button>
      }
    />
  )
}
