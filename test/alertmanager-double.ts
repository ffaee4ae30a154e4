import { parseJson } from "#lib/util/json.ts";
import { type NotificationReceiver, startNotificationReceiver } from "#test/notification-receiver.ts";
import { listFaults } from "#test/published/validate-published.ts";

type Alert = { labels: Record<string, string>; startsAt: string; endsAt: string };

export type AlertmanagerDouble = {
  url: string;
  received: NotificationReceiver["received"];
  faults: string[];
  /** The alerts that are not over at this time, by the name of their rollout. */
  openAt(now: Date): string[];
  /** All alerts that it ever had. */
  count(): number;
  close(): Promise<void>;
};

/** Starts a server that behaves as Alertmanager's API v2: it checks alerts, and keeps the newest of each label set. */
export async function startAlertmanager(): Promise<AlertmanagerDouble> {
  const receiver = await startNotificationReceiver();
  const alerts = new Map<string, Alert>();
  const faults: string[] = [];
  receiver.answer((response, { body }) => {
    const posted = parseJson(body);
    const found = listFaults("alerts", posted);
    if (found.length === 0)
      for (const alert of posted as Alert[]) {
        if (Date.parse(alert.startsAt) > Date.parse(alert.endsAt)) found.push("it ends before it starts");
        alerts.set(JSON.stringify(Object.entries(alert.labels).toSorted()), alert);
      }
    faults.push(...found);
    response.writeHead(found.length === 0 ? 200 : 400).end();
  });
  return {
    url: new URL(receiver.url).origin,
    received: receiver.received,
    faults,
    openAt: (now) =>
      [...alerts.values()]
        .filter(({ endsAt }) => Date.parse(endsAt) > now.getTime())
        .map(({ labels }) => labels.name ?? "")
        .toSorted(),
    count: () => alerts.size,
    close: () => receiver.close(),
  };
}
