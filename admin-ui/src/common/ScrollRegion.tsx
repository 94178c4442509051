import { Box } from "@mui/material"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { useGetResourceLabel, useResourceContext } from "react-admin"

/**
 * A table that may be wider than the screen: then the keyboard can scroll it, too. What is hidden
 * from sight in it is placed within, or it would widen the page.
 */
export function ScrollRegion({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const [isWider, setWider] = useState(false)
  const resource = useResourceContext() ?? ""
  const label = useGetResourceLabel()(resource, 2)

  useEffect(() => {
    const region = box.current
    if (!region || !("ResizeObserver" in window)) return
    const measure = () => setWider(region.scrollWidth > region.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(region)
    for (const child of region.children) observer.observe(child)
    return () => observer.disconnect()
  }, [])

  const focusable = isWider ? { tabIndex: 0, role: "region", "aria-label": label } : {}
  return (
    <Box ref={box} sx={{ position: "relative", overflowX: "auto" }} {...focusable}>
      {children}
    </Box>
  )
}
