import Search from "@mui/icons-material/Search"
import { InputAdornment } from "@mui/material"
import { TextInput, type TextInputProps } from "react-admin"

const icon = (
  <InputAdornment position="start">
    <Search fontSize="small" />
  </InputAdornment>
)

/** The text filter `q` of a list, with a label that says what is searched. */
export const SearchBox = (props: TextInputProps) => (
  <TextInput
    type="search"
    slotProps={{ input: { startAdornment: icon } }}
    sx={{ minWidth: { md: 320 } }}
    {...props}
  />
)
