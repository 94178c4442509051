import { ChevronDown } from "lucide-react"
import { Accordion as Radix } from "radix-ui"
import type { ReactNode } from "react"

type AccordionProps = { children: ReactNode; defaultValue?: string }

/** Expandable items. At most one is open. */
export function Accordion({ children, defaultValue }: AccordionProps) {
  return (
    <Radix.Root
      type="single"
      collapsible
      defaultValue={defaultValue}
      className="divide-y divide-line"
    >
      {children}
    </Radix.Root>
  )
}

type AccordionItemProps = { value: string; heading: ReactNode; children: ReactNode }

export function AccordionItem({ value, heading, children }: AccordionItemProps) {
  return (
    <Radix.Item value={value}>
      <Radix.Header asChild>
        <h3 className="text-base font-normal tracking-normal">
          <Radix.Trigger className="group flex min-h-12 w-full items-center justify-between gap-3 px-4 py-2 text-left hover:bg-sunken focus-visible:-outline-offset-2">
            {heading}
            <ChevronDown
              aria-hidden
              className="size-5 shrink-0 text-ink-soft transition-transform group-data-[state=open]:rotate-180"
            />
          </Radix.Trigger>
        </h3>
      </Radix.Header>
      <Radix.Content className="overflow-hidden data-[state=closed]:animate-fold data-[state=open]:animate-unfold">
        <div className="px-4 pt-3 pb-5">{children}</div>
      </Radix.Content>
    </Radix.Item>
  )
}
