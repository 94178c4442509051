import { clsx } from "clsx"
import { CircleHelp, Menu } from "lucide-react"
import { brand } from "~/lib/brand"
import { Logo } from "~/ui/logo"

/**
 * The page until its scripts have loaded. Which frame it shows decides the attribute that the
 * inline script of scripts/boot-script.ts sets from the path; without one, a spinner.
 */
export function PageFrame() {
  return (
    <div aria-hidden>
      <title>{brand}</title>
      <PanelFrame />
      <AccountFrame />
      <div className="grid min-h-dvh place-items-center in-data-frame:hidden">
        <span
          data-spinner
          className="size-8 animate-late-turn rounded-full border-3 border-line border-t-brand"
        />
      </div>
    </div>
  )
}

/** The measures of PanelShell and of the dashboard. */
function PanelFrame() {
  return (
    <div className="hidden lg:grid-cols-[15.5rem_minmax(0,1fr)] in-data-[frame=panel]:block lg:in-data-[frame=panel]:grid">
      <div className="flex h-14 items-center gap-2 bg-sidebar px-2 text-sidebar-ink lg:hidden">
        <Menu className="mx-2.5 size-6" />
        <Logo onSidebar />
        <CircleHelp className="mr-2.5 ml-auto size-6" />
      </div>
      <div className="hidden h-dvh bg-sidebar px-6 text-sidebar-ink lg:block">
        <div className="flex h-17 items-center">
          <Logo onSidebar />
        </div>
      </div>
      <div className="mx-auto flex w-full max-w-[90rem] flex-col gap-3 px-4 pt-4 sm:px-8 lg:px-6 lg:pt-5 min-[87rem]:px-8">
        <Bar className="h-29 w-56 sm:h-14" />
        <Bar className="h-20 sm:h-14" />
        <Bar className="h-9 w-80 max-w-full" />
      </div>
    </div>
  )
}

/** The measures of AccountLayout and of the login. */
function AccountFrame() {
  return (
    <div className="hidden min-h-dvh flex-col in-data-[frame=auth]:flex">
      <div className="flex h-14 items-center px-4 sm:px-8 lg:h-17 lg:px-6">
        <Logo />
      </div>
      <div className="mx-auto w-full max-w-md px-4 pt-4 pb-16 sm:pt-[8vh]">
        <div className="flex flex-col gap-6 rounded-lg border border-line bg-surface p-5 sm:p-8">
          <Bar className="h-9 w-48" />
          <Bar className="h-11" />
          <Bar className="h-11" />
          <Bar className="h-11" />
        </div>
      </div>
    </div>
  )
}

function Bar({ className }: { className: string }) {
  return <div className={clsx("rounded-md bg-sunken", className)} />
}
