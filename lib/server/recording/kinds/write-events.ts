import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import { type EventFacts, isWatchedEvent, parseEvent } from "#lib/domain/kube/event-object.ts";
import type { Parsed } from "#lib/domain/kube/kube-object.ts";
import { isRolloutKind } from "#lib/domain/providers.ts";
import { storableTime } from "#lib/domain/storable/escape-text.ts";
import { apiVersionOfKind, type SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { clockTime } from "#lib/server/platform/db/database-time.ts";
import { type InsertedRow, notOlder, prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";
import { mapInSlices } from "#lib/server/platform/db/slices.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import type { KindWriter, ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import { storableName, storableText } from "#lib/server/recording/store/text-fields.ts";
import { loadKnownEvents, reportsMessages, storeEventMessages } from "./event-messages.ts";
import { loadRolloutChanges } from "./kind-rows.ts";
import { isKeptUnlinked, loadEventOwners, unlinkedMinutes } from "./link-events.ts";
import { createOrderedWriter } from "./object-writer.ts";
import { showReported } from "./show-reported.ts";

const eb = fragment<{ kube_event: "kube_event"; excluded: "kube_event" }>();

const insert = prepareInsert({
  table: "kube_event",
  columns: {
    uid: "text",
    cluster: "text",
    namespace: "text",
    involved_kind: "text",
    involved_name: "text",
    involved_uid: "text",
    rollout_id: "uuid",
    type: "text",
    reason: "text",
    message: "text",
    reporter: "text",
    count: "int4",
    first_at: "timestamptz",
    last_at: "timestamptz",
    resource_version: "text",
  },
  conflict: {
    key: ["uid"],
    set: {
      rollout_id: eb.fn.coalesce("excluded.rollout_id", "kube_event.rollout_id"),
      updated_at: clockTime,
    },
    when: eb.and([
      notOlder("kube_event"),
      eb("kube_event.resource_version", "<>", eb.ref("excluded.resource_version")),
    ]),
  },
  returning: ["rollout_id"],
});

type Row = InsertedRow<typeof insert>;
/** An arrived event; null if it is about a kind that is not watched. */
type Arrival = EventFacts | null;

/**
 * Writes events of the watched kinds. An event is never marked gone: the cluster always forgets them within the hour.
 * Events of pods and ReplicaSets without a rollout are deleted; see link-events.ts. Those about rollouts whose
 * controller tells by messages are kept as such too, each version of them.
 */
export function createEventWriter(source: SourceKey): KindWriter {
  let newestMs = 0;
  return createOrderedWriter<Arrival>(source, {
    parse: parseArrival,
    keepsOnlyValue: true,
    async store(tx, seenObjects) {
      const newest = new Map(seenObjects.map((seenObject) => [seenObject.entry.uid, seenObject])).values();
      const events = [...newest].flatMap(({ entry, value }) => (value === null ? [] : { entry, event: value }));
      const owners = await loadEventOwners(
        tx,
        events.map(({ event }) => event.involved.uid),
      );
      const rows = await mapInSlices(events, ({ entry, event }) =>
        toRow({ source, entry, event, owner: owners.get(event.involved.uid) }),
      );
      const reported = seenObjects
        .flatMap(({ entry, value }) => (value === null ? [] : { entry, event: value }))
        .filter(reportsMessages);
      const known = await loadKnownEvents(tx, reported);
      for (const row of rows) newestMs = Math.max(newestMs, Date.parse(row.last_at));
      const written = await insert(
        tx,
        rows.filter((row) => isWorthKeeping(row, newestMs)),
      );
      const rolloutIds = written.flatMap((row) => row.rollout_id ?? []);
      const reportedIds = await storeEventMessages(tx, { source, seenObjects: reported, known });
      return {
        changes: [
          ...(await loadRolloutChanges(tx, { kind: "rollout-events", rolloutIds })),
          ...(await showReported(tx, { cluster: source.cluster, rolloutIds: reportedIds })),
        ],
      };
    },
  });
}

function parseArrival(object: unknown): Parsed<Arrival> {
  const parsed = parseEvent(object);
  return parsed.ok && !isWatchedEvent(parsed.value, apiVersionOfKind) ? { ok: true, value: null } : parsed;
}

/**
 * Returns whether an event without an owner is worth keeping. A list brings an hour of events; the older ones will
 * hardly get an owner. The source's clock may be wrong, so an event is old only if our clock and the source's newest
 * event agree.
 */
function isWorthKeeping(row: Row, newestMs: number): boolean {
  if (row.rollout_id !== null || isKeptUnlinked(row.involved_kind)) return true;
  const ageMs = Math.min(Date.now(), newestMs) - Date.parse(row.last_at);
  return ageMs < unlinkedMinutes * 60_000;
}

function toRow(options: { source: SourceKey; entry: ObjectEntry; event: EventFacts; owner: string | undefined }): Row {
  const { source, entry, event, owner } = options;
  const { kind, name, uid, namespace } = event.involved;
  const { cluster } = source;
  const lastAt = storableTime(event.lastAt) ?? entry.receivedAt.toISOString();
  return {
    uid: entry.uid,
    cluster,
    namespace: event.namespace,
    involved_kind: kind,
    involved_name: storableName(name),
    involved_uid: storableName(uid),
    rollout_id: isRolloutKind(kind) ? rolloutIdOf({ cluster, namespace, kind, name, uid }) : (owner ?? null),
    type: storableName(event.type),
    reason: storableName(event.reason),
    message: storableText(event.message),
    reporter: event.reporter === "" ? null : storableName(event.reporter),
    count: event.count,
    first_at: storableTime(event.firstAt) ?? lastAt,
    last_at: lastAt,
    resource_version: entry.resourceVersion,
  };
}
