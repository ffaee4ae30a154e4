import { cleanLine } from "#lib/util/clean-line.ts";
import type { Message } from "./compose-messages.ts";
import { linkTo } from "./event-path.ts";
import { cleanTexts, type NotifiableEvent } from "./notifiable-event.ts";

type EventData = Omit<NotifiableEvent, "path"> & { link: string };

/** A message as CloudEvents 1.0 in its JSON format (structured mode). */
export type CloudEvent = {
  specversion: "1.0";
  /** The same for each repeat of the message: receivers tell repeats by it. */
  id: string;
  source: string;
  /** `io.gatehouse.` and the event's kind; of several events `io.gatehouse.group` or `io.gatehouse.digest`. */
  type: string;
  /** ISO 8601; when the newest of its events happened. */
  time: string;
  /** The rollout, if it is about one: `cluster/namespace/Kind/name`. */
  subject?: string;
  datacontenttype: "application/json";
  data: { title: string; severity: NotifiableEvent["severity"]; events: EventData[] };
};

/** Formats a message for a webhook, with all of its events. Its text is not redacted again. */
export function formatCloudEvent(message: Omit<Message, "routes">, publicUrl: string): CloudEvent {
  const { id, shape, title, severity, events } = message;
  const [first] = events;
  const times = events.map(({ at }) => at).toSorted();
  const { cluster, namespace, kind, name } = first?.target ?? { cluster: "", namespace: "", kind: null, name: "" };
  return {
    specversion: "1.0",
    id,
    source: publicUrl,
    type: `io.gatehouse.${shape === "group" || shape === "digest" ? shape : (first?.kind ?? shape)}`,
    time: times.at(-1) ?? new Date(0).toISOString(),
    ...(shape === "digest" || name === "" ? {} : { subject: `${cluster}/${namespace}/${kind ?? ""}/${name}` }),
    datacontenttype: "application/json",
    data: {
      title: cleanLine(title),
      severity,
      events: events.map(({ path, ...event }) => ({ ...cleanTexts(event), link: linkTo(publicUrl, path) })),
    },
  };
}
