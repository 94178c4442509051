import { Button, type ButtonProps } from "@mui/material"
import { type ReactElement, type ReactNode, useState } from "react"
import {
  type RaRecord,
  useDataProvider,
  useGetRecordRepresentation,
  useNotify,
  useRecordContext,
  useRefresh,
  useResourceContext,
  useTranslate,
} from "react-admin"
import type { ConsoleDataProvider } from "../dataProvider.ts"
import { ActDialog, type ActValues } from "./ActDialog.tsx"
import { errorText } from "./errorText.ts"
import { RowButton } from "./RowButton.tsx"

type ActButtonProps = {
  /** The last part of the act's path; its texts are `resources.<resource>.acts.<act>`. */
  act: string
  icon: ReactElement
  danger?: boolean
  iconOnly?: boolean
  variant?: ButtonProps["variant"]
  disabled?: boolean
  /** Inputs of the dialog beside the reason. */
  children?: ReactNode
  defaultValues?: ActValues
  withReason?: boolean
  toBody?: (values: ActValues) => ActValues
  /** The effect of the button when it is not a POST to the act's path. */
  perform?: (body: ActValues, record: RaRecord) => Promise<unknown>
  onDone?: () => void
}

/** A button for an act on the record (or on the resource where there is none), and its dialog. */
export function ActButton({ act, icon, danger, iconOnly, variant, ...props }: ActButtonProps) {
  const { disabled, children, defaultValues, withReason, toBody, perform, onDone } = props
  const [isOpen, setOpen] = useState(false)
  const translate = useTranslate()
  const notify = useNotify()
  const refresh = useRefresh()
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const resource = useResourceContext() ?? ""
  const record = useRecordContext()
  const name = String(useGetRecordRepresentation(resource)(record) ?? "")
  const text = (part: string) =>
    translate(`resources.${resource}.acts.${act}.${part}`, { name, _: "" })

  const confirm = async (values: ActValues) => {
    const body = toBody ? toBody(values) : values
    try {
      await (perform && record
        ? perform(body, record)
        : dataProvider.act(resource, record?.id ?? null, act, body))
    } catch (error) {
      notify(errorText(error, translate), { type: "error" })
      throw error
    }
    notify(text("done"), { type: "success" })
    if (onDone) onDone()
    else refresh()
  }

  const label = text("label")
  const open = () => setOpen(true)
  return (
    <>
      {iconOnly ? (
        <RowButton
          label={label}
          name={name}
          icon={icon}
          danger={danger}
          disabled={disabled}
          onClick={open}
        />
      ) : (
        <Button
          size="small"
          variant={variant ?? "outlined"}
          color={danger ? "error" : "primary"}
          startIcon={icon}
          disabled={disabled}
          aria-label={record ? `${label}: ${name}` : undefined}
          onClick={open}
        >
          {label}
        </Button>
      )}
      {isOpen && (
        <ActDialog
          title={text("title")}
          text={text("text")}
          confirm={text("confirm") || label}
          danger={danger}
          defaultValues={defaultValues}
          withReason={withReason}
          onConfirm={confirm}
          onClose={() => setOpen(false)}
        >
          {children}
        </ActDialog>
      )}
    </>
  )
}
