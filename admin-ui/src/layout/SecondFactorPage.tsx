import { Box, Button, Card, Typography } from "@mui/material"
import { useTranslate } from "react-admin"

/** For operators who have not set up their second factor: where to do it. */
export function SecondFactorPage() {
  const translate = useTranslate()
  return (
    <Box component="main" sx={{ display: "grid", placeItems: "center", minHeight: "100dvh", p: 2 }}>
      <Card sx={{ p: 4, maxWidth: 520 }}>
        <Typography variant="h1" gutterBottom>
          {translate("console.secondFactor.title")}
        </Typography>
        <Typography sx={{ mb: 3 }}>{translate("console.secondFactor.text")}</Typography>
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5 }}>
          <Button variant="contained" href="/panel/account">
            {translate("console.secondFactor.setUp")}
          </Button>
          <Button href="/admin/">{translate("console.secondFactor.done")}</Button>
        </Box>
      </Card>
    </Box>
  )
}
