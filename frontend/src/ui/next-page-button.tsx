import type { ReactNode } from "react"
import { Button } from "./button"

type NextPageButtonProps = {
  /** The result of `usePages`. */
  pages: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => Promise<unknown>
  }
  className?: string
  children: ReactNode
}

/** Loads the next page of a list; nothing is shown after the last one. */
export function NextPageButton({ pages, className, children }: NextPageButtonProps) {
  if (!pages.hasNextPage) return null
  return (
    <Button
      variant="ghost"
      size="sm"
      className={className}
      loading={pages.isFetchingNextPage}
      onClick={() => void pages.fetchNextPage()}
    >
      {children}
    </Button>
  )
}
