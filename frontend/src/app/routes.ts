import { index, layout, type RouteConfig, route } from "@react-router/dev/routes"

// Every path of the product. The layouts decide who may see a screen, not the screens themselves.
export default [
  layout("session-layout.tsx", [
    index("home.tsx"),
    route("en", "home.tsx", { id: "home-en" }),
    route("terms", "../features/legal/terms.tsx"),
    route("privacy", "../features/legal/privacy.tsx"),
    route("demo", "sample.tsx"),
    layout("visitor-layout.tsx", [
      route("auth/login", "../features/sign-in/login.tsx"),
      route("auth/register", "../features/sign-in/register.tsx"),
      route("auth/forgot-password", "../features/sign-in/forgot-password.tsx"),
      route("auth/verify-email", "../features/sign-in/verify-email.tsx"),
    ]),
    route("auth/reset-password", "../features/sign-in/reset-password.tsx"),
    route("auth/alerts", "../routes/alert-link.tsx"),
    route("ack", "../routes/acknowledgement-link.tsx"),
    layout("panel-layout.tsx", [
      route("panel", "../routes/overview.tsx"),
      route("panel/drivers", "../routes/driver-list.tsx", [
        route(":driverId", "../routes/driver.tsx"),
      ]),
      route("panel/subscription", "../routes/subscription.tsx"),
      route("panel/subscription/success", "../features/orders/payment-success.tsx"),
      route("panel/subscription/failed", "../features/orders/payment-failed.tsx"),
      route("panel/notifications", "../features/alerts/alerts.tsx"),
      route("panel/account", "../features/account/account.tsx"),
    ]),
    route("*", "catch-all.tsx"),
  ]),
] satisfies RouteConfig
