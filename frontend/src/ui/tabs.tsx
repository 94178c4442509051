import { Tabs as Radix } from "radix-ui"
import type { ReactNode } from "react"

type Tab = { value: string; label: string; content: ReactNode }

/**
 * Tabs. The first one is open initially. Their content is focusable, so that it can be
 * scrolled by keyboard.
 */
export function Tabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  return (
    <Radix.Root defaultValue={tabs[0]?.value ?? ""} className="flex min-h-0 flex-col">
      <Radix.List aria-label={label} className="flex gap-5 border-b border-line px-5">
        {tabs.map(({ value, label: name }) => (
          <Radix.Trigger
            key={value}
            value={value}
            className="-mb-px min-h-11 border-b-2 border-transparent font-semibold text-ink-soft hover:text-ink data-[state=active]:border-brand data-[state=active]:text-ink"
          >
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ value, content }) => (
        <Radix.Content
          key={value}
          value={value}
          className="min-h-0 overflow-y-auto overscroll-contain p-5 focus-visible:-outline-offset-2"
        >
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
