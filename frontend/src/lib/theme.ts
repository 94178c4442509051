/** The colour scheme that the user has chosen for the panel in this browser. */

/** They are classes of the root in tokens.css, but for `system`, which leaves the choice there. */
export const themes = ["system", "light", "dark"] as const
export type Theme = (typeof themes)[number]

const storageKey = "theme"

/** For an inline script: applies the choice before the page is painted. */
export const applyThemeScript = `try{document.documentElement.classList.add(localStorage.getItem("${storageKey}")||"system")}catch{}`

export function currentTheme(): Theme {
  const { classList } = document.documentElement
  return themes.find((theme) => classList.contains(theme)) ?? "system"
}

export function chooseTheme(theme: Theme): void {
  document.documentElement.classList.remove(...themes)
  document.documentElement.classList.add(theme)
  try {
    window.localStorage.setItem(storageKey, theme)
  } catch {
    // Without storage the choice is kept until the page is left.
  }
}
