import { useId } from "react"
import type { UseFormRegisterReturn } from "react-hook-form"
import { useTranslation } from "react-i18next"
import { FieldError } from "~/ui/field"
import { licenceCategories } from "./needed-categories"

type CategoryChoiceProps = { register: () => UseFormRegisterReturn; error?: string | undefined }

/** The categories that the company needs of drivers; none of them is the default. */
export function CategoryChoice({ register, error }: CategoryChoiceProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <fieldset aria-describedby={error ? `${id}-error` : `${id}-hint`}>
      <legend className="mb-1.5 font-semibold">{t("drivers.form.neededCategories.label")}</legend>
      <div className="grid grid-cols-4 gap-1.5 sm:grid-cols-8">
        {licenceCategories.map((category) => (
          <label
            key={category}
            className="relative grid min-h-11 place-items-center rounded-md border border-line-strong bg-surface text-sm font-semibold has-checked:border-2 has-checked:border-brand has-checked:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand"
          >
            <input
              {...register()}
              type="checkbox"
              value={category}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            {category}
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-soft">
        {t("drivers.form.neededCategories.hint")}
      </p>
    </fieldset>
  )
}
