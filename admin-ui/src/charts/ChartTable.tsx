import { Box, Table, TableBody, TableCell, TableHead, TableRow } from "@mui/material"
import { useTranslate } from "react-admin"
import { useFormat } from "../common/format.ts"
import type { ChartProps } from "./ChartPanel.tsx"

export function ChartTable({ title, rows, series, ...props }: ChartProps) {
  const { labelKey, labelFormat, valueFormat = "number" } = props
  const translate = useTranslate()
  const format = useFormat()
  const records = (rows as Record<string, string | number>[]).toReversed()
  return (
    <Box tabIndex={0} role="region" aria-label={title} sx={{ maxHeight: 260, overflow: "auto" }}>
      <Table size="small" stickyHeader>
        <TableHead>
          <TableRow>
            <TableCell>{translate(`console.charts.${labelFormat}`)}</TableCell>
            {series.map(({ key, label }) => (
              <TableCell key={key} align="right">
                {translate(label)}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {records.map((record) => (
            <TableRow key={record[labelKey]}>
              <TableCell component="th" scope="row">
                {format[labelFormat === "month" ? "month" : "date"](String(record[labelKey]))}
              </TableCell>
              {series.map(({ key }) => (
                <TableCell key={key} align="right">
                  {format[valueFormat](Number(record[key] ?? 0))}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  )
}
