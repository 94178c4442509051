import { useLocation, useNavigate, useOutletContext, useParams } from "react-router"
import { driverPath } from "~/entities/driver/driver"
import { DriverPanel } from "~/features/driver/driver-panel"

/** One driver beside the list of drivers: closing it, or Back, leaves the list as it was. */
export default function Driver() {
  const { driverId = "" } = useParams()
  const { search, hash } = useLocation()
  const listed = useOutletContext<readonly string[] | undefined>()
  const navigate = useNavigate()
  const replace = (pathname: string, hash = "") =>
    void navigate({ pathname, search, hash }, { replace: true })
  return (
    <DriverPanel
      driverId={driverId}
      listed={listed ?? []}
      onOpen={(id) => replace(driverPath(id), hash)}
      onClose={() => replace("/panel/drivers")}
    />
  )
}
