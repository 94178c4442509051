import { useNavigate } from "react-router"
import { isConsolePath } from "~/lib/next-path"

/** Opens the path behind the login; the console is another application, which the browser loads. */
export function useOpenNext(): (path: string) => Promise<void> {
  const navigate = useNavigate()
  return async (path) => {
    if (isConsolePath(path)) window.location.assign(path)
    else await navigate(path)
  }
}
