/** Reads the colours and radii of the panel's tokens.css, so that both applications share them. */

type Tokens = { color: (name: string) => string; radius: (name: string) => number }

const PIXELS_PER_REM = 16

/** The tokens of one colour scheme. Colours are hexadecimal, because MUI calculates with them. */
export function readTokens(css: string, scheme: "light" | "dark"): Tokens {
  return {
    color: (name) => {
      const value = declaration(css, `--color-${name}`)
      const colours = value.match(/oklch\([^)]*\)/g) ?? []
      const colour = value.startsWith("light-dark(") && scheme === "dark" ? colours[1] : colours[0]
      if (!colour) throw new Error(`tokens.css: --color-${name} is no oklch colour`)
      return toHex(colour)
    },
    radius: (name) => Number.parseFloat(declaration(css, `--radius-${name}`)) * PIXELS_PER_REM,
  }
}

function declaration(css: string, name: string): string {
  const value = new RegExp(`${name}:\\s*([^;]+);`).exec(css)?.[1]
  if (!value) throw new Error(`tokens.css: ${name} is missing`)
  return value.trim()
}

/** Converts `oklch(L C H / A)` by the matrices of CSS Color 4. */
export function toHex(oklch: string): string {
  const [lightness = 0, chroma = 0, hue = 0, alpha = 1] = (oklch.match(/[\d.]+/g) ?? []).map(Number)
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  const channels = [...linear.map(toGamma), ...(alpha < 1 ? [alpha] : [])]
  return `#${channels.map(toByte).join("")}`
}

const toGamma = (value: number) =>
  value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055

const toByte = (value: number) =>
  Math.round(Math.min(1, Math.max(0, value)) * 255)
    .toString(16)
    .padStart(2, "0")
