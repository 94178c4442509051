import { Button, Card, Typography } from "@mui/material"
import { Title, useTranslate } from "react-admin"
import { Link } from "react-router"

export function NotFound() {
  const translate = useTranslate()
  return (
    <Card sx={{ p: 3 }}>
      <Title title="ra.page.not_found" />
      <Typography sx={{ mb: 2 }}>{translate("ra.message.not_found")}</Typography>
      <Button component={Link} to="/admin" variant="contained">
        {translate("console.dashboard.title")}
      </Button>
    </Card>
  )
}
