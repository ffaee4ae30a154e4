import { z } from "zod";
import { optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";

const Text = optional(z.string()).transform((value) => value ?? "");
const Time = optional(z.string());

/** A core `Event`, reduced while parsing. Emitters differ: some count, some keep a series, some give only one time. */
const EventObject = z.object({
  kind: z.literal("Event"),
  metadata: z.object({
    namespace: Text,
    uid: z.string().min(1),
    resourceVersion: z.string(),
    creationTimestamp: Time,
  }),
  involvedObject: z.object({ apiVersion: Text, kind: Text, namespace: Text, name: Text, uid: Text }),
  type: Text,
  reason: Text,
  message: Text,
  count: optional(z.number()),
  firstTimestamp: Time,
  lastTimestamp: Time,
  eventTime: Time,
  series: optional(z.object({ count: optional(z.number()), lastObservedTime: Time })),
  source: optional(z.object({ component: Text })),
  reportingComponent: Text,
});

export type EventFacts = {
  uid: string;
  resourceVersion: string;
  namespace: string;
  involved: { apiVersion: string; kind: string; namespace: string; name: string; uid: string };
  type: string;
  reason: string;
  message: string;
  reporter: string;
  /** How often it happened; at least 1. */
  count: number;
  firstAt: string | undefined;
  lastAt: string | undefined;
};

export function parseEvent(object: unknown): Parsed<EventFacts> {
  const parsed = parseKubeObject(EventObject, object);
  if (!parsed.ok) return parsed;
  const { metadata, involvedObject, type, reason, message, series, source, ...event } = parsed.value;
  const { uid, resourceVersion, namespace, creationTimestamp } = metadata;
  return {
    ok: true,
    value: {
      uid,
      resourceVersion,
      namespace,
      involved: involvedObject,
      type,
      reason,
      message,
      reporter: source?.component || event.reportingComponent,
      count: Math.max(1, series?.count ?? event.count ?? 1),
      firstAt: event.firstTimestamp ?? event.eventTime ?? creationTimestamp,
      lastAt: series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime ?? creationTimestamp,
    },
  };
}

/**
 * Returns whether an event is about an object of a watched kind; other API groups have kinds with the same names.
 * `apiVersions` maps each kind to the beginning of its apiVersion: `apps/`, `v1`.
 */
export function isWatchedEvent(
  { involved }: Pick<EventFacts, "involved">,
  apiVersions: ReadonlyMap<string, string>,
): boolean {
  const begins = apiVersions.get(involved.kind);
  if (begins === undefined || involved.uid === "") return false;
  return involved.apiVersion === "" || involved.apiVersion.startsWith(begins);
}
