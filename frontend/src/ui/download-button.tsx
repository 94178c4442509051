import { Download } from "lucide-react"
import type { ComponentProps, ReactNode } from "react"
import { Button } from "./button"

type DownloadButtonProps = Omit<ComponentProps<typeof Button>, "loading" | "onClick"> & {
  /** The result of `useDownload`. */
  download: { isPending: boolean; mutate: () => void }
  icon?: ReactNode
}

/** A button that downloads a file; a spinner takes the place of its icon until the file is there. */
export function DownloadButton({
  download,
  icon = <Download aria-hidden className="size-4" />,
  children,
  ...button
}: DownloadButtonProps) {
  return (
    <Button {...button} loading={download.isPending} onClick={() => download.mutate()}>
      {!download.isPending && icon}
      {children}
    </Button>
  )
}
