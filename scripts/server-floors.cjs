/**
 * The rooms of lib/server from the ground up: a room imports only from those before it. The recorder has rooms of its
 * own.
 */
module.exports.serverFloors = [
  "docs",
  "telemetry",
  "db",
  "config",
  "kubernetes",
  "embedded-postgres",
  "evaluation",
  "actor",
  "sources",
  "process",
  "audit",
  "auth",
  "acting",
  "recorder/store",
  "recorder/history",
  "recorder/kinds",
  "recorder/session",
  "recorder/upkeep",
  "controllers",
  "retention",
  "notify",
  "kube-audit",
  "oversight",
  "hooks",
  "services",
  "http",
  "web",
  "recorder-process",
];
