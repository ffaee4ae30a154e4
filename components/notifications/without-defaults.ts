import { notifiableKinds } from "#lib/domain/notify/notifiable-event.ts";

/** The values of channels and routes that the config need not say. */
const defaults: Readonly<Record<string, unknown>> = {
  apiUrl: "https://slack.com/api",
  port: 587,
  security: "starttls",
  clusters: ["*"],
  namespaces: ["*"],
  rollouts: ["*"],
  events: notifiableKinds,
  minSeverity: "info",
};

/** Leaves out what the config fills in by itself. */
export function withoutDefaults(item: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(item).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(defaults[key])),
  );
}
