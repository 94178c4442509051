import { formatCalendarDate } from "~/lib/dates"
import type legalTexts from "~/locales/pl/legal.json"
import { linkClass } from "./link-class"

type VersionListProps = {
  path: string
  /** The current one first. */
  versions: string[]
  shown: string
  texts: typeof legalTexts
}

/** The versions before the current one, each with its own address. */
export function VersionList({ path, versions, shown, texts }: VersionListProps) {
  const [current, ...previous] = versions
  return (
    <section aria-labelledby="versions" className="mt-12 border-t border-line pt-6 print:hidden">
      <h2 id="versions" className="text-lg">
        {texts.previousVersions}
      </h2>
      {previous.length === 0 ? (
        <p className="mt-2 text-ink-soft">{texts.firstVersion}</p>
      ) : (
        <ul className="mt-2 flex flex-col gap-1">
          {[current ?? "", ...previous]
            .filter((version) => version !== shown)
            .map((version) => (
              <li key={version}>
                <a
                  href={version === current ? path : `${path}?version=${version}`}
                  className={linkClass}
                >
                  {version === current ? texts.currentVersion : texts.version}{" "}
                  {formatCalendarDate(version)}
                </a>
              </li>
            ))}
        </ul>
      )}
    </section>
  )
}
