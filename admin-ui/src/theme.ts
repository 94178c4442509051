/** The product's look for MUI and react-admin, from the panel's tokens. */

import type { RaThemeOptions } from "react-admin"
import css from "../../frontend/src/app/tokens.css?raw"
import { readTokens } from "./tokens.ts"

export type Tone = "valid" | "withheld" | "caution" | "neutral"
type ToneColours = Record<Tone, { soft: string; ink: string; solid: string }>
type SidebarColours = Record<"ground" | "raised" | "ink" | "inkSoft" | "line", string>

declare module "@mui/material/styles" {
  interface Palette {
    tones: ToneColours
    sidebar: SidebarColours
    sunken: string
  }
  interface PaletteOptions {
    tones?: ToneColours
    sidebar?: SidebarColours
    sunken?: string
  }
}

/** As in the panel, codes have a zero that is no O, and all else one without a slash. */
export const codeFont =
  '"Atkinson Hyperlegible Next Variable", ui-sans-serif, system-ui, sans-serif'

function createConsoleTheme(mode: "light" | "dark"): RaThemeOptions {
  const { color, radius } = readTokens(css, mode)
  const onDark = mode === "dark"
  const outline = { outline: `3px solid ${color("focus")}`, outlineOffset: 2 }

  return {
    palette: {
      mode,
      primary: {
        main: color("brand"),
        dark: color("brand-strong"),
        light: color("brand-soft"),
        contrastText: color("on-brand"),
      },
      secondary: { main: color("brand"), contrastText: color("on-brand") },
      // As text, the red of dark surfaces is the lighter one.
      error: {
        main: color(onDark ? "withheld-ink" : "withheld"),
        dark: color("withheld"),
        contrastText: onDark ? color("ground") : color("on-withheld"),
      },
      warning: { main: color("caution"), contrastText: color("ink") },
      success: {
        main: color("valid"),
        contrastText: onDark ? color("ground") : color("on-withheld"),
      },
      info: { main: color("brand"), contrastText: color("on-brand") },
      background: { default: color("ground"), paper: color("surface") },
      text: { primary: color("ink"), secondary: color("ink-soft") },
      divider: color("line"),
      sunken: color("sunken"),
      tones: {
        valid: {
          soft: color("valid-soft"),
          ink: color("valid-ink"),
          solid: color("valid"),
        },
        withheld: {
          soft: color("withheld-soft"),
          ink: color("withheld-ink"),
          solid: color("withheld"),
        },
        caution: {
          soft: color("caution-soft"),
          ink: color("caution-ink"),
          solid: color("caution"),
        },
        neutral: { soft: color("sunken"), ink: color("ink-soft"), solid: color("line-strong") },
      },
      sidebar: {
        ground: color("sidebar"),
        raised: color("sidebar-raised"),
        ink: color("sidebar-ink"),
        inkSoft: color("sidebar-ink-soft"),
        line: color("sidebar-line"),
      },
    },
    shape: { borderRadius: radius("md") },
    typography: {
      fontFamily: `"Prawko Plain Zero", ${codeFont}`,
      fontSize: 15,
      h1: { fontSize: "1.5rem", fontWeight: 680, lineHeight: 1.25 },
      h2: { fontSize: "1.0625rem", fontWeight: 680, lineHeight: 1.35 },
      h6: { fontSize: "1.25rem", fontWeight: 680, lineHeight: 1.35 },
      body1: { fontSize: "1rem", lineHeight: 1.5 },
      body2: { fontSize: "0.9375rem", lineHeight: 1.45 },
      caption: { fontSize: "0.8125rem", lineHeight: 1.35 },
      button: { textTransform: "none", fontWeight: 600 },
    },
    components: {
      MuiCssBaseline: {
        styleOverrides: {
          ":root": { colorScheme: mode, scrollPaddingTop: 72, scrollPaddingBottom: 72 },
          ".visually-hidden": {
            position: "absolute",
            width: 1,
            height: 1,
            overflow: "hidden",
            clipPath: "inset(50%)",
            whiteSpace: "nowrap",
          },
          // Forced colours take backgrounds away, and with them a button's box and what is chosen.
          "@media (forced-colors: active)": {
            ".MuiButton-contained": { border: "1px solid ButtonText" },
            ".RaMenuItemLink-active, .Mui-selected, [aria-pressed=true], [aria-current]": {
              "&, & *": {
                background: "SelectedItem !important",
                color: "SelectedItemText !important",
                forcedColorAdjust: "none",
              },
            },
          },
          "@media (prefers-reduced-motion: reduce)": {
            "*, *::before, *::after": {
              animation: "none !important",
              transition: "none !important",
            },
          },
        },
      },
      MuiButtonBase: {
        defaultProps: { disableRipple: true },
        styleOverrides: { root: { "&.Mui-focusVisible": outline } },
      },
      MuiButton: {
        defaultProps: { disableElevation: true },
        variants: [
          {
            props: { variant: "contained", color: "error" },
            style: { color: color("on-withheld"), backgroundColor: color("withheld") },
          },
        ],
      },
      MuiPaper: { styleOverrides: { root: { backgroundImage: "none" } } },
      MuiCard: {
        defaultProps: { variant: "outlined" },
        styleOverrides: { root: { borderRadius: radius("lg") } },
      },
      MuiDialog: {
        styleOverrides: {
          paper: { borderRadius: radius("lg") },
          paperFullScreen: { borderRadius: 0 },
        },
      },
      MuiTextField: { defaultProps: { variant: "outlined", size: "small", margin: "dense" } },
      MuiFormControl: { defaultProps: { variant: "outlined", size: "small", margin: "dense" } },
      MuiOutlinedInput: {
        styleOverrides: { notchedOutline: { borderColor: color("line-strong") } },
      },
      MuiTableCell: {
        styleOverrides: {
          root: {
            borderColor: color("line"),
            "&.MuiTableCell-paddingCheckbox": { padding: "0 8px" },
          },
          head: { fontWeight: 600, color: color("ink-soft"), fontSize: "0.8125rem" },
          alignRight: { fontFeatureSettings: '"tnum" 1' },
          sizeSmall: { padding: "9px 12px" },
        },
      },
      // The text or button beside it says what is loading.
      MuiCircularProgress: { defaultProps: { "aria-hidden": true } },
      MuiCheckbox: {
        defaultProps: {
          // react-admin names the row's checkbox on its frame, where no name is allowed.
          slotProps: {
            root: { "aria-label": undefined },
            input: (props: { "aria-label"?: string }) => ({ "aria-label": props["aria-label"] }),
          },
        },
      },
      MuiTab: { styleOverrides: { root: { minHeight: 44 } } },
      MuiTooltip: { defaultProps: { arrow: true } },
      MuiAlert: { styleOverrides: { root: { borderRadius: radius("md") } } },
      MuiAvatar: {
        styleOverrides: { root: { backgroundColor: color("brand"), color: color("on-brand") } },
      },
      RaDataTable: {
        styleOverrides: {
          root: {
            "& .RaDataTable-tableWrapper": { overflowX: "visible" }, // <ScrollRegion> scrolls
            "& .RaDataTable-headerCell": {
              backgroundColor: color("surface"),
              whiteSpace: "nowrap",
            },
            "& tbody tr:last-of-type > td": { borderBottom: 0 },
          },
        },
      },
      RaList: {
        styleOverrides: {
          root: {
            // else a wide table would widen the page
            "& .RaList-main": { minWidth: 0 },
            "& .RaList-content": { minWidth: 0 },
            "& .RaList-actions": {
              minHeight: 56,
              paddingBottom: 4,
              alignItems: "center",
              backgroundColor: "transparent",
            },
          },
        },
      },
      // Above the rows, not over the filters; without a selection Tab does not reach it.
      RaBulkActionsToolbar: {
        styleOverrides: {
          root: {
            "& .RaBulkActionsToolbar-toolbar": {
              position: "relative",
              transform: "none",
              backgroundColor: color("sunken"),
            },
            "& .RaBulkActionsToolbar-collapsed": { visibility: "hidden" },
          },
        },
      },
      // On small screens the filters share the width.
      RaFilterForm: {
        styleOverrides: {
          root: {
            "@media (max-width: 899px)": {
              columnGap: 8,
              "& .RaFilterForm-filterFormInput": { flex: "1 1 9rem" },
              "& [data-source=q]": { flexBasis: "100%" },
              "& .RaFilterFormInput-spacer, & .RaFilterForm-clearFix": { display: "none" },
              "& .MuiFormControl-root": { width: "100%" },
            },
          },
        },
      },
      RaToolbar: { styleOverrides: { root: { backgroundColor: color("sunken") } } },
    },
  }
}

export const lightTheme = createConsoleTheme("light")
export const darkTheme = createConsoleTheme("dark")
