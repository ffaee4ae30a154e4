import type { PoolClient } from "pg";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import { type EventFacts, isWatchedEvent, parseEvent } from "#lib/domain/kube/event-object.ts";
import type { Parsed } from "#lib/domain/kube/kube-object.ts";
import { isRolloutKind } from "#lib/domain/providers.ts";
import { storableTime } from "#lib/domain/storable/storable-time.ts";
import type { KindResult, KindWriter, ObjectEntry } from "#lib/server/recorder/store/batch-types.ts";
import { type Columns, insertReturning, notOlder, overwrite } from "#lib/server/recorder/store/insert-rows.ts";
import { storableName, storableText } from "#lib/server/recorder/store/text-fields.ts";
import { apiVersionOfKind, type SourceKey } from "#lib/server/sources/watched-resources.ts";
import { createProjection, loadRolloutChanges, readEntries } from "./kind-rows.ts";
import { isKeptUnlinked, loadEventOwners, unlinkedMinutes } from "./link-events.ts";

type Row = {
  uid: string;
  cluster: string;
  namespace: string;
  involved_kind: string;
  involved_name: string;
  involved_uid: string;
  rollout_id: string | null;
  type: string;
  reason: string;
  message: string;
  reporter: string | null;
  count: number;
  first_at: string;
  last_at: string;
  resource_version: string;
};

const columns: Columns<Row> = {
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
};

/** An arrived event; null if it is about a kind that is not watched. */
type Arrival = EventFacts | null;

/**
 * Writes events of the watched kinds. An event is never marked gone: the cluster always forgets them within the hour.
 * Events of pods and ReplicaSets without a rollout are deleted; see link-events.ts.
 */
export function createEventWriter(source: SourceKey): KindWriter {
  const projection = createProjection<Arrival>(parseArrival);
  let newestMs = 0;

  async function write(tx: PoolClient, entries: readonly ObjectEntry[]): Promise<KindResult> {
    const { sights, poison } = readEntries(entries, projection);
    const events = [...sights.values()].flatMap(({ entry, value }) => (value === null ? [] : { entry, value }));
    const owners = await loadEventOwners(
      tx,
      events.map(({ value }) => value.involved.uid),
    );
    const found = events.map(({ entry, value }) => {
      return toRow({ source, entry, event: value, owner: owners.get(value.involved.uid) });
    });
    for (const row of found) newestMs = Math.max(newestMs, Date.parse(row.last_at));
    const rows = found.filter((row) => isWorthKeeping(row, newestMs));
    const written = await insertReturning<{ rollout_id: string | null }, Row>(tx, {
      table: "kube_event",
      columns,
      rows,
      onConflict: `ON CONFLICT (uid) DO UPDATE SET ${overwrite(columns, ["uid", "rollout_id"])},
        rollout_id = COALESCE(EXCLUDED.rollout_id, kube_event.rollout_id), updated_at = clock_timestamp()
        WHERE ${notOlder("kube_event")} AND kube_event.resource_version <> EXCLUDED.resource_version`,
      returning: "rollout_id",
    });
    const rolloutIds = written.flatMap((row) => row.rollout_id ?? []);
    return {
      changes: await loadRolloutChanges(tx, { kind: "rollout-events", rolloutIds }),
      poison,
      committed: () => {},
    };
  }

  return {
    prepare: projection.prepare,
    write,
    markGone: async () => [],
    listLive: async () => [],
    reset: () => {},
  };
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
  const receivedAt = entry.receivedAt.toISOString();
  const lastAt = storableTime(event.lastAt) ?? receivedAt;
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
