import { index, layout, type RouteConfig, route } from "@react-router/dev/routes"

// Every path of the product. The layouts decide who may see a screen, not the screens themselves.
export default [
  layout("session-layout.tsx", [
    index("home.tsx"),
    route("en", "home.tsx", { id: "home-en" }),
    route("terms", "../routes/terms.tsx"),
    route("privacy", "../routes/privacy.tsx"),
    layout("visitor-layout.tsx", [
      route("auth/login", "../routes/login.tsx"),
      route("auth/register", "../routes/register.tsx"),
      route("auth/forgot-password", "../routes/forgot-password.tsx"),
      route("auth/verify-email", "../routes/verify-email.tsx"),
    ]),
    route("auth/reset-password", "../routes/reset-password.tsx"),
    route("auth/alerts", "../routes/alert-link.tsx"),
    layout("panel-layout.tsx", [
      route("panel", "../routes/overview.tsx"),
      route("panel/drivers", "../routes/driver-list.tsx", [
        route(":driverId", "../routes/driver.tsx"),
      ]),
      route("panel/subscription", "../routes/subscription.tsx"),
      route("panel/subscription/success", "../routes/subscription-success.tsx"),
      route("panel/subscription/failed", "../routes/subscription-failed.tsx"),
      route("panel/notifications", "../routes/alerts.tsx"),
      route("panel/account", "../routes/account.tsx"),
    ]),
    route("*", "catch-all.tsx"),
  ]),
] satisfies RouteConfig
