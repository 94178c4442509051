import { Eye, EyeOff } from "lucide-react"
import { type ComponentProps, useState } from "react"
import { useTranslation } from "react-i18next"
import { Button } from "./button"
import { Field } from "./field"

/** A password field with a button that reveals the password. */
export function PasswordField(props: Omit<ComponentProps<typeof Field>, "type" | "end">) {
  const { t } = useTranslation()
  const [visible, setVisible] = useState(false)
  const Icon = visible ? EyeOff : Eye

  return (
    <Field
      {...props}
      type={visible ? "text" : "password"}
      autoCapitalize="none"
      spellCheck={false}
      trailing={
        <Button
          variant="ghost"
          size="icon"
          aria-label={t(visible ? "common.password.hide" : "common.password.show")}
          onClick={() => setVisible(!visible)}
          icon={Icon}
        />
      }
    />
  )
}
