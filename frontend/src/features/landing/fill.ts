/** "od {{net}} netto" with the value in its place: what i18next does for the panel. */
export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (place, name: string) => values[name] ?? place)
}
