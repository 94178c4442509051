import { index, layout, type RouteConfig, route } from "@react-router/dev/routes"

// Every path of the product. Who may see what is decided by the layouts, not by the screens.
export default [
  index("../routes/home.tsx"),
  route("terms", "../routes/terms.tsx"),
  route("privacy", "../routes/privacy.tsx"),

  layout("session-layout.tsx", [
    layout("visitor-layout.tsx", [
      route("auth/login", "../routes/login.tsx"),
      route("auth/register", "../routes/register.tsx"),
      route("auth/forgot-password", "../routes/forgot-password.tsx"),
      route("auth/verify-email", "../routes/verify-email.tsx"),
    ]),
    route("auth/reset-password", "../routes/reset-password.tsx"),
    layout("panel-layout.tsx", [
      route("panel", "../routes/dashboard.tsx"),
      route("panel/drivers", "../routes/drivers.tsx"),
      route("panel/subscription", "../routes/subscription.tsx"),
      route("panel/subscription/success", "../routes/subscription-success.tsx"),
      route("panel/subscription/failed", "../routes/subscription-failed.tsx"),
      route("panel/notifications", "../routes/notifications.tsx"),
      route("panel/account", "../routes/account.tsx"),
    ]),
    route("*", "../routes/anything-else.tsx"),
  ]),
] satisfies RouteConfig
