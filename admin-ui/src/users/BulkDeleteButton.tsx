import DeleteOutlined from "@mui/icons-material/DeleteOutlined"
import { Button } from "@mui/material"
import { useState } from "react"
import {
  useDataProvider,
  useListContext,
  useNotify,
  useRefresh,
  useResourceContext,
  useTranslate,
  useUnselectAll,
} from "react-admin"
import { ActDialog, type ActValues } from "../common/ActDialog.tsx"
import { errorText } from "../common/errorText.ts"

/** Deletes the selected users after asking for one reason for all. */
export function BulkDeleteButton() {
  const [isOpen, setOpen] = useState(false)
  const resource = useResourceContext() ?? ""
  const { selectedIds } = useListContext()
  const unselectAll = useUnselectAll(resource)
  const dataProvider = useDataProvider()
  const translate = useTranslate()
  const notify = useNotify()
  const refresh = useRefresh()
  const count = { smart_count: selectedIds.length }

  const confirm = async ({ reason }: ActValues) => {
    try {
      await dataProvider.deleteMany(resource, { ids: selectedIds, meta: { reason } })
    } catch (error) {
      notify(errorText(error, translate), { type: "error" })
      throw error
    } finally {
      refresh() // some may be deleted even if others were refused
    }
    notify("resources.users.bulkDelete.done", { type: "success", messageArgs: count })
    unselectAll()
  }

  return (
    <>
      <Button
        size="small"
        color="error"
        startIcon={<DeleteOutlined fontSize="small" />}
        onClick={() => setOpen(true)}
      >
        {translate("ra.action.delete")}
      </Button>
      {isOpen && (
        <ActDialog
          title={translate("resources.users.bulkDelete.title", count)}
          text={translate("resources.users.bulkDelete.text")}
          confirm={translate("ra.action.delete")}
          danger
          onConfirm={confirm}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
