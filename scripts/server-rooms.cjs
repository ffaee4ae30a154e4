/**
 * The rooms of lib/server from the ground up, and the folders inside them in the same order. A file imports from its own
 * folder and from those before it. Files of a room beside its folders have a line of their own, such as "notify".
 */
module.exports.serverRooms = [
  "platform/docs",
  "platform/actor",
  "platform/telemetry",
  "platform/db",
  "platform/config",
  "platform/evaluation",
  "platform/db/replica",
  "platform/db/migrate",
  "platform/embedded-postgres",

  "clusters/kubernetes",
  "clusters/sources",
  "clusters",

  "process",
  "records",
  "audit",

  "people/permission",
  "people/auth",
  "people/tokens",
  "people/device",
  "people/sessions",
  "people/saved-views",

  "notify/channels",
  "notify",
  "notify/messages",
  "notify/audit-streams",

  "recording/store",
  "recording/history",
  "recording/kinds",
  "recording/upkeep",
  "recording/retention",
  "recording/session",

  "acting/permission",
  "acting/freezes",
  "acting/approvals",
  "acting/act",
  "acting/schedule",
  "acting/follow",

  "kube-audit",

  "oversight/controllers",
  "oversight",
  "oversight/findings",
  "holds",

  "webhooks",
  "webhooks/credentials",

  "admin",

  "pages",
  "pages/audit",
  "pages/links",
  "pages/logs",
  "pages/me",
  "pages/template",
  "pages/inbox",
  "pages/insights",
  "pages/backtest",
  "pages/rollout",
  "pages/run",
  "pages/release",
  "pages/experiment",
  "pages/search",
  "pages/set",
  "pages/monitoring",

  "edge/http",
  "edge/web",
  "edge/recorder-process",
];
