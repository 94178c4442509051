import type { Config } from "@react-router/dev/config"

export default {
  appDirectory: "src/app",
  ssr: false,
  prerender: ["/", "/en", "/terms", "/privacy", "/demo"],
} satisfies Config
