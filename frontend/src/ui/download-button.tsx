import { Download } from "lucide-react"
import type { ComponentProps } from "react"
import { Button } from "./button"

type DownloadButtonProps = Omit<ComponentProps<typeof Button>, "loading" | "onClick"> & {
  /** The result of `useDownload`. */
  download: { isPending: boolean; mutate: () => void }
}

/** A button that downloads a file; a spinner takes the place of its icon until the file is there. */
export function DownloadButton({ download, icon = Download, ...button }: DownloadButtonProps) {
  return (
    <Button
      {...button}
      icon={icon}
      loading={download.isPending}
      onClick={() => download.mutate()}
    />
  )
}
