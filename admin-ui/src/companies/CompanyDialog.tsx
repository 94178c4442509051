import { Box, Dialog, DialogActions, DialogContent, Link as MuiLink } from "@mui/material"
import { type ReactNode, useId } from "react"
import { RecordContextProvider, useResourceContext, useTranslate } from "react-admin"
import { Link } from "react-router"
import { ClosableTitle } from "../common/ClosableTitle.tsx"
import { Instant } from "../common/Instant.tsx"
import type { Company } from "./Company.ts"
import { CompanyActions } from "./CompanyActions.tsx"
import { CompanyStatus, Drivers } from "./CompanyFacts.tsx"

type CompanyDialogProps = { company: Company; onClose: () => void }

/** One company: what the list says of it, the way to its account, and its acts by their words. */
export function CompanyDialog({ company, onClose }: CompanyDialogProps) {
  const id = useId()
  return (
    <RecordContextProvider value={company}>
      <Dialog open onClose={onClose} fullWidth maxWidth="md" aria-labelledby={id}>
        <ClosableTitle id={id} onClose={onClose}>
          {company.name || company.email}
        </ClosableTitle>
        <DialogContent>
          <Box
            component="dl"
            sx={{ display: "grid", gridTemplateColumns: { sm: "1fr 1fr" }, gap: 2, m: 0 }}
          >
            <Fact name="status">
              <CompanyStatus />
            </Fact>
            <Fact name="endDate">
              <Instant source="endDate" as="date" />
            </Fact>
            <Fact name="driversCount">
              <Drivers />
            </Fact>
            <Fact name="taxId">{company.taxId || "–"}</Fact>
            <Fact name="createdAt">
              <Instant source="createdAt" as="date" />
            </Fact>
            {company.email && (
              <Fact name="email">
                <MuiLink component={Link} to={accountOf(company.email)}>
                  {company.email}
                </MuiLink>
              </Fact>
            )}
          </Box>
        </DialogContent>
        <DialogActions sx={{ flexWrap: "wrap", gap: 1, p: 3, pt: 1 }}>
          <CompanyActions onDone={onClose} />
        </DialogActions>
      </Dialog>
    </RecordContextProvider>
  )
}

/** The list of users, with the company's owner alone. */
const accountOf = (email: string) =>
  `/admin/users?${new URLSearchParams({ filter: JSON.stringify({ q: email }) })}`

function Fact({ name, children }: { name: string; children: ReactNode }) {
  const translate = useTranslate()
  const resource = useResourceContext()
  return (
    <div>
      <Box component="dt" sx={{ color: "text.secondary", typography: "caption" }}>
        {translate(`resources.${resource}.fields.${name}`)}
      </Box>
      <Box component="dd" sx={{ m: 0, overflowWrap: "anywhere" }}>
        {children}
      </Box>
    </div>
  )
}
