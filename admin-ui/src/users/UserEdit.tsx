import { Button, Typography } from "@mui/material"
import { useEffect, useState } from "react"
import {
  DateInput,
  Edit,
  maxLength,
  minValue,
  NumberInput,
  required,
  SaveButton,
  SelectInput,
  SimpleForm,
  TextInput,
  Toolbar,
  useNotify,
  useRecordContext,
  useRedirect,
  useTranslate,
} from "react-admin"
import { Link } from "react-router"
import { keepPage } from "../authProvider.ts"
import { choices } from "../common/choices.ts"
import { errorText } from "../common/errorText.ts"
import { polishDay } from "../common/format.ts"
import { RefusalAlert } from "../common/RefusalAlert.tsx"
import type { User } from "./User.ts"

const limitRules = [required(), minValue(0)]
const reasonRules = [required(), maxLength(500)]
const statuses = choices("subscription", ["active", "inactive", "cancelled"])

type EditedUser = {
  driverLimit: number
  subscriptionEndDate: string | null
  status: string
  reason: string
}

const editedFields = ({ driverLimit, subscriptionEndDate, status, reason }: EditedUser) => ({
  driverLimit,
  subscriptionEndDate,
  status,
  reason,
})

const toForm = ({ subscriptions: [current] }: User) => ({
  subscriptionEndDate: current?.endDate ? polishDay(current.endDate) : null,
})

export function UserEdit() {
  const notify = useNotify()
  const redirect = useRedirect()
  const translate = useTranslate()
  const [failure, setFailure] = useState<unknown>(null)
  const onError = (error: unknown) => {
    setFailure(error)
    notify(errorText(error, translate), { type: "error" })
  }
  const onSuccess = () => {
    notify("resources.users.notifications.updated", { type: "success" })
    redirect("list", "users")
  }
  return (
    <Edit
      mutationMode="pessimistic"
      mutationOptions={{ onSuccess, onError }}
      transform={editedFields}
      actions={false}
    >
      <SimpleForm
        toolbar={<SaveToolbar />}
        defaultValues={toForm}
        sanitizeEmptyValues={false}
        noValidate
        sx={{ maxWidth: 560 }}
      >
        <CompanyName />
        <NumberInput source="driverLimit" validate={limitRules} min={0} step={1} />
        <DateInput source="subscriptionEndDate" />
        <SelectInput source="status" choices={statuses} validate={required()} />
        <TextInput
          source="reason"
          label="console.reason"
          helperText="console.reasonHelp"
          fullWidth
          multiline
          minRows={2}
          validate={reasonRules}
        />
        {failure !== null && <RefusalAlert error={failure} />}
      </SimpleForm>
    </Edit>
  )
}

function SaveToolbar() {
  const translate = useTranslate()
  return (
    <Toolbar sx={{ gap: 1 }}>
      <SaveButton />
      <Button component={Link} to="/admin/users">
        {translate("ra.action.cancel")}
      </Button>
    </Toolbar>
  )
}

function CompanyName() {
  const user = useRecordContext<User>()
  useEffect(keepPage, [])
  return <Typography sx={{ mb: 1.5, color: "text.secondary" }}>{user?.companyName}</Typography>
}
