import { cleanLine, cutText } from "#lib/util/text.ts";
import { describeMessage } from "./formats.ts";
import type { NotifiableEvent } from "./notifiable-event.ts";

/** An alert of Alertmanager's API v2 (`postableAlert` in its api/v2/openapi.yaml). The labels identify it. */
type PostableAlert = {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  startsAt: string;
  /** Alertmanager takes the alert as resolved from then on. */
  endsAt: string;
  generatorURL: string;
};

const maxLabel = 300;

/**
 * Formats the event that began a matter as an alert. Its labels follow from matter, place and severity alone: the same
 * matter is the same alert until it becomes more severe.
 */
export function formatAlert(
  event: NotifiableEvent,
  { publicUrl, now, endsAt }: { publicUrl: string; now: Date; endsAt: Date },
): PostableAlert {
  const { matter, target, severity } = event;
  const [text] = describeMessage({ title: event.title, events: [event] }, publicUrl).events;
  // A cluster's clock may be ahead: Alertmanager refuses an alert that ends before it starts.
  const since = Math.min(Date.parse(matter?.since ?? event.at), now.getTime(), endsAt.getTime());
  return {
    labels: withoutEmpty({
      alertname: nameOf(event),
      severity,
      cause: matter?.cause ?? "",
      cluster: target.cluster,
      namespace: target.namespace,
      kind: target.kind ?? "",
      name: target.name,
      gatehouse_id: matter?.id ?? event.id,
    }),
    annotations: withoutEmpty({
      summary: text?.heading ?? event.title,
      description: text?.sentence ?? event.sentence,
      version: matter?.version ?? "",
    }),
    startsAt: new Date(since).toISOString(),
    endsAt: endsAt.toISOString(),
    generatorURL: text?.link ?? publicUrl,
  };
}

function nameOf({ kind, matter }: NotifiableEvent): string {
  if (kind === "test") return "GatehouseTest";
  return matter?.rolloutId === null ? "GatehouseFinding" : "GatehouseWait";
}

/** An empty label is no label. */
function withoutEmpty(texts: Record<string, string>): Record<string, string> {
  const clean = Object.entries(texts).map(([key, text]) => [key, cutText(cleanLine(text), maxLabel)] as const);
  return Object.fromEntries(clean.filter(([, text]) => text !== ""));
}
