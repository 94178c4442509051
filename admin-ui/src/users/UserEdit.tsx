import { Typography } from "@mui/material"
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
} from "react-admin"
import { choices } from "../common/choices.ts"
import { polishDay } from "../common/format.ts"
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
  const onSuccess = () => {
    notify("resources.users.notifications.updated", { type: "success" })
    redirect("list", "users")
  }
  return (
    <Edit
      mutationMode="pessimistic"
      mutationOptions={{ onSuccess }}
      transform={editedFields}
      actions={false}
    >
      <SimpleForm
        toolbar={<SaveToolbar />}
        defaultValues={toForm}
        sanitizeEmptyValues={false}
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
      </SimpleForm>
    </Edit>
  )
}

const SaveToolbar = () => (
  <Toolbar>
    <SaveButton />
  </Toolbar>
)

function CompanyName() {
  const user = useRecordContext<User>()
  return <Typography sx={{ mb: 1.5, color: "text.secondary" }}>{user?.companyName}</Typography>
}
