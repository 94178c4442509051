import { ToggleButton, ToggleButtonGroup } from "@mui/material"
import { useLocaleState, useTranslate } from "react-admin"

const languages = [
  { code: "pl", name: "Polski" },
  { code: "en", name: "English" },
]

export function LanguageSwitch() {
  const translate = useTranslate()
  const [locale, setLocale] = useLocaleState()
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={locale}
      onChange={(_, chosen) => chosen && setLocale(chosen)}
      aria-label={translate("console.language")}
    >
      {languages.map(({ code, name }) => (
        <ToggleButton
          key={code}
          value={code}
          lang={code}
          sx={{
            px: 1.25,
            py: 0.25,
            minHeight: 32,
            fontSize: "0.8125rem",
            // it stands on the dark bar of small screens as well
            "&, &.Mui-selected": { color: "inherit" },
            "&.Mui-selected": {
              backgroundColor: "color-mix(in srgb, currentColor 20%, transparent)",
            },
          }}
        >
          {code.toUpperCase()}
          <span className="visually-hidden"> {name}</span>
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
