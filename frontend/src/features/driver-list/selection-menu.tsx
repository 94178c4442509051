import { FileCheck, IdCard, MoreHorizontal } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import * as v from "valibot"
import { confirmDrivers, exportDrivers } from "~/api/sdk.gen"
import type { DriverSummaryOut } from "~/api/types.gen"
import { CategoryChoice } from "~/entities/driver/category-choice"
import { vDriverForm } from "~/entities/driver/driver-fields"
import { maxChosen, useSetNeeded } from "~/entities/driver/use-driver-mutations"
import { asFile } from "~/hooks/use-download"
import { useLanguage } from "~/hooks/use-language"
import { countDriversAs } from "~/lib/plurals"
import { Button, buttonStyles } from "~/ui/button"
import { Dialog } from "~/ui/dialog"
import { ErrorAlert } from "~/ui/error-alert"
import { Menu, MenuItem } from "~/ui/menu"
import { Form, useServerForm } from "~/ui/server-form"
import { Spinner } from "~/ui/spinner"
import { useDriverFiles } from "./use-driver-files"

type SelectionMenuProps = {
  drivers: readonly DriverSummaryOut[]
  /** Needs an active subscription. */
  canEdit: boolean
}

/** The rarer actions for chosen drivers; a file has as many drivers as the server takes at a time. */
export function SelectionMenu({ drivers, canEdit }: SelectionMenuProps) {
  const { t } = useTranslation()
  const [isChoosing, setIsChoosing] = useState(false)
  const driverIds = drivers.map(({ id }) => id)
  const lang = useLanguage()
  const files = useDriverFiles(
    (format) => () => exportDrivers({ body: { format, driverIds }, ...asFile }),
    () => confirmDrivers({ body: { driverIds, lang }, ...asFile }),
  )
  const canDownload = drivers.length <= maxChosen
  if (!canEdit && !canDownload) return null
  return (
    <>
      <Menu
        className={buttonStyles({ variant: "secondary", size: "sm" })}
        trigger={
          <>
            {files.isPending ? (
              <Spinner small />
            ) : (
              <MoreHorizontal aria-hidden className="size-4" />
            )}
            <span>{t("drivers.selection.more")}</span>
          </>
        }
      >
        {canEdit && (
          <MenuItem icon={IdCard} onSelect={() => setIsChoosing(true)}>
            {t("drivers.selection.categories")}
          </MenuItem>
        )}
        {canDownload && (
          <>
            <MenuItem icon={FileCheck} onSelect={files.confirm}>
              {t("drivers.selection.confirmation")}
            </MenuItem>
            {files.tables}
          </>
        )}
      </Menu>
      {isChoosing && <CategoriesDialog drivers={drivers} onClose={() => setIsChoosing(false)} />}
    </>
  )
}

const schema = v.pick(vDriverForm, ["neededCategories"])

type CategoriesDialogProps = { drivers: readonly DriverSummaryOut[]; onClose: () => void }

/** Replaces the needed categories; those that all of the drivers have are chosen at first. */
function CategoriesDialog({ drivers, onClose }: CategoriesDialogProps) {
  const { t } = useTranslation()
  const change = useSetNeeded(drivers.map(({ id }) => id))
  const [first, ...others] = drivers.map(({ neededCategories }) => neededCategories)
  const shared = first?.filter((one) => others.every((needed) => needed.includes(one))) ?? []
  const { form, submit, field, error } = useServerForm({
    schema,
    defaultValues: { neededCategories: shared },
    call: change,
    send: change.mutateAsync,
    onSent: onClose,
  })
  return (
    <Dialog open onClose={onClose} title={t("drivers.selection.categories")}>
      <Form submit={submit} label={t("drivers.selection.categories")}>
        <p>{t("drivers.selection.categoriesText", countDriversAs(drivers.length))}</p>
        <CategoryChoice
          error={field("neededCategories").error}
          register={() => form.register("neededCategories")}
        />
        <ErrorAlert title={t("drivers.form.updateFailed")} error={error} />
        <Button type="submit" loading={change.isPending}>
          {t("drivers.form.update")}
        </Button>
      </Form>
    </Dialog>
  )
}
