import type { ShownState } from "#components/ui/classify-state.ts";
import type { NotificationChannel, NotificationItem } from "#lib/contract/notification.ts";

/** Classifies a message; one that waits after a failed try is an error that may still pass. */
export function classifyNotification({ state, lastError }: Pick<NotificationItem, "state" | "lastError">): ShownState {
  switch (state) {
    case "sent":
      return { state: "successful", word: "Sent" };
    case "failed":
      return { state: "failed", word: "Given up" };
    case "suppressed":
      return { state: "unknown", word: "Suppressed" };
    case "sending":
      return { state: "running", word: "Sending" };
    case "queued":
      return lastError === null ? { state: "waiting", word: "Queued" } : { state: "error", word: "Retrying" };
  }
}

/** Classifies a channel by the newest message that was tried. */
export function classifyChannel({ lastSuccessAt, lastError }: NotificationChannel): ShownState {
  if (lastError !== null) return { state: "error", word: "Failing" };
  return lastSuccessAt === null ? { state: "unknown", word: "Not used yet" } : { state: "successful", word: "Works" };
}

/** Words what came back from a test message: "sent, answered 202". */
export function wordTest({ state, answer }: NonNullable<NotificationChannel["test"]>): string {
  const { word } = classifyNotification({ state, lastError: answer });
  return `${word.toLowerCase()}${answer === null ? "" : `, ${answer}`}`;
}

/** Returns whether a user can have the message sent again. */
export function mayRetry({ state }: Pick<NotificationItem, "state">): boolean {
  return state === "failed" || state === "suppressed";
}

const typeWords: Readonly<Record<NotificationChannel["type"], string>> = {
  slack: "Slack",
  teams: "Microsoft Teams",
  pagerduty: "PagerDuty",
  alertmanager: "Alertmanager",
  webhook: "Webhook",
  email: "E-mail",
  deployments: "Deployments",
  cdevents: "CDEvents",
};

/** The types of channels, with their names. */
export const channelTypes = Object.entries(typeWords).map(([value, label]) => ({ value, label }));

export function nameType(type: NotificationChannel["type"]): string {
  return typeWords[type];
}

/** Formats how many events a message is about. */
export function formatEvents({ events, shape }: Pick<NotificationItem, "events" | "shape">): string {
  if (shape === "test") return "test";
  if (shape === "refresh") return "all open alerts";
  return events === 1 ? "1 event" : `${events} events`;
}
