import { fnv1a } from "#lib/util/fnv1a.ts";
import type { KubeObject, Store } from "#sandbox/apiserver/store-types.ts";
import { type Clock, formatTime, parseTime } from "./clock.ts";

export type EventInput = { reason: string; message: string; isWarning?: boolean };

export type EventRecorder = {
  /** Writes a core v1 Event about the object, or increments the count of an equal one. */
  emit(about: Pick<KubeObject, "apiVersion" | "kind" | "metadata">, event: EventInput): void;
};

const ROLLOUTS_COMPONENT = "rollouts-controller";
/** client-go's limits per object: this many at once, then one per five minutes (EventSourceObjectSpamFilter). */
const BURST = 25;
const REFILL_MS = 300_000;
const KNOWN_OBJECTS = 4096;
/** The API server's default --event-ttl. */
const TIME_TO_LIVE_MS = 3_600_000;
const SWEEP_EVERY_MS = 60_000;

type Bucket = { tokens: number; filledMs: number };
type StoredEvent = KubeObject & { count?: number; lastTimestamp?: string; source?: { component?: string } };

/**
 * Creates a recorder that sends Events as client-go's does: equal ones are counted, and an object with too many is
 * throttled. Each write removes Events older than an hour, as the API server lets them expire.
 */
export function createEventRecorder(options: {
  store: Store;
  clock: Clock;
  isFrozenNamespace?: (namespace: string) => boolean;
  /** The component and field manager; by default the controller of Argo Rollouts. */
  component?: string;
  /** Combines similar Events into one, and throttles each type by itself, as client-go 0.34 does; off by default. */
  combines?: boolean;
}): EventRecorder {
  const { store, clock, isFrozenNamespace = () => false, component = ROLLOUTS_COMPONENT, combines = false } = options;
  const combine = combines ? createEventAggregator() : undefined;
  const buckets = new Map<string, Bucket>();
  let sweptMs = clock.now();

  function takeToken(owner: string): boolean {
    const nowMs = clock.now();
    const known = buckets.get(owner);
    const tokens = known === undefined ? BURST : Math.min(BURST, known.tokens + (nowMs - known.filledMs) / REFILL_MS);
    const isAllowed = tokens >= 1;
    buckets.delete(owner);
    buckets.set(owner, { tokens: isAllowed ? tokens - 1 : tokens, filledMs: nowMs });
    const [oldest] = buckets.keys();
    if (buckets.size > KNOWN_OBJECTS && oldest !== undefined) {
      buckets.delete(oldest);
    }
    return isAllowed;
  }

  function sweep(): void {
    const nowMs = clock.now();
    if (nowMs - sweptMs < SWEEP_EVERY_MS) {
      return;
    }
    sweptMs = nowMs;
    for (const event of store.list("events") as StoredEvent[]) {
      const { namespace = "", name } = event.metadata;
      const lastMs = parseTime(event.lastTimestamp) ?? nowMs;
      const isOurs = event.source?.component === component && !isFrozenNamespace(namespace);
      if (isOurs && nowMs - lastMs > TIME_TO_LIVE_MS) {
        store.delete("events", namespace, name);
      }
    }
  }

  return {
    emit(about, { reason, message: text, isWarning = false }) {
      const { namespace = "", name, uid, resourceVersion } = about.metadata;
      const type = isWarning ? "Warning" : "Normal";
      const group = [uid, type, reason].join("\n");
      const combined = combine?.(group, text, clock.now()) ?? { key: `${group}\n${text}`, message: text };
      if (
        store.get("namespaces", undefined, namespace) === undefined ||
        !takeToken(combines ? `${uid}/${type}` : uid)
      ) {
        return;
      }
      sweep();
      const { key, message } = combined;
      const eventName = `${name}.${toHex(key)}${toHex(`${key}\n`)}`;
      const now = formatTime(clock.now());
      const existing = store.get("events", namespace, eventName) as StoredEvent | undefined;
      if (existing !== undefined) {
        const counted = { ...existing, message, count: (existing.count ?? 1) + 1, lastTimestamp: now };
        store.update("events", counted, { manager: component });
        return;
      }
      const { apiVersion, kind } = about;
      store.create(
        "events",
        {
          apiVersion: "v1",
          kind: "Event",
          metadata: { name: eventName, namespace },
          involvedObject: { apiVersion, kind, namespace, name, uid, resourceVersion },
          type,
          reason,
          message,
          source: { component },
          reportingComponent: component,
          reportingInstance: "",
          firstTimestamp: now,
          lastTimestamp: now,
          count: 1,
          eventTime: null,
        },
        { manager: component },
      );
    },
  };
}

function toHex(text: string): string {
  return fnv1a(text).toString(16).padStart(8, "0");
}

const MOST_SIMILAR = 10;
const SIMILAR_FOR_MS = 600_000;

/** Returns the identity and text with which an Event is stored. */
type EventAggregator = (group: string, text: string, nowMs: number) => { key: string; message: string };

/**
 * Creates what combines Events as client-go does (tools/record/events_cache.go EventAggregate): from the tenth different
 * text of one object, type and reason on, all are one Event whose text is the newest, until ten quiet minutes.
 */
function createEventAggregator(): EventAggregator {
  const groups = new Map<string, { texts: Set<string>; lastMs: number }>();
  return (group, text, nowMs) => {
    const known = groups.get(group);
    const isFresh = known !== undefined && nowMs - known.lastMs <= SIMILAR_FOR_MS;
    const { texts } = isFresh ? known : { texts: new Set<string>() };
    texts.add(text);
    groups.set(group, { texts, lastMs: nowMs });
    if (texts.size < MOST_SIMILAR) {
      return { key: `${group}\n${text}`, message: text };
    }
    const [oldest] = texts;
    texts.delete(oldest ?? text);
    return { key: group, message: `(combined from similar events): ${text}` };
  };
}
