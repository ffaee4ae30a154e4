import type { PoolClient } from "pg";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import type { EventFacts } from "#lib/domain/kube/event-object.ts";
import { isOlderVersion } from "#lib/domain/kube/resource-version.ts";
import { reportingKinds } from "#lib/domain/providers.ts";
import { storableTime } from "#lib/domain/storable/escape-text.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { messageColumns, messageKey } from "#lib/server/platform/db/controller-message.ts";
import { type InsertedRow, prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { mapInSlices } from "#lib/server/platform/db/slices.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import { storableName, storableText } from "#lib/server/recording/store/text-fields.ts";
import { sha256Hex } from "#lib/util/sha256.ts";

/** One version of an event about a rollout whose controller reports by messages. */
export type ReportedEvent = { entry: ObjectEntry; event: EventFacts };

type KnownEvent = { count: number; resourceVersion: string };

/** Seconds within which a webhook's message and an event with its text are the same: events have whole seconds. */
const sameSeconds = 2;

const insert = prepareInsert({
  table: "controller_message",
  columns: { ...messageColumns, received_at: "timestamptz", count: "int4", noticed: "bool" },
  conflict: { key: messageKey },
  returning: ["rollout_id"],
});
type Row = InsertedRow<typeof insert> & { rollout_id: string };

export function reportsMessages({ event }: Pick<ReportedEvent, "event">): boolean {
  return reportingKinds.includes(event.involved.kind);
}

/** Reads the stored count and version of these events. Call it before the new versions are stored. */
export async function loadKnownEvents(
  tx: PoolClient,
  seenObjects: readonly ReportedEvent[],
): Promise<ReadonlyMap<string, KnownEvent>> {
  if (seenObjects.length === 0) return new Map();
  const uids = [...new Set(seenObjects.map(({ entry }) => entry.uid))];
  const rows = await readRows(
    tx,
    tables
      .selectFrom("kube_event")
      .select(["uid", "count", "resource_version as resourceVersion"])
      .where(({ ref }) => isOneOf(ref("uid"), uids)),
  );
  return new Map(rows.map(({ uid, ...known }) => [uid, known]));
}

/**
 * Stores the occurrences that each version of an event adds as messages of the controller, unless its webhook delivered
 * them. Kubernetes folds similar events into one, whose text then changes: every version counts. The same versions
 * again add nothing. Returns the ids of the rollouts about which there is news.
 */
export async function storeEventMessages(
  tx: PoolClient,
  {
    source,
    seenObjects,
    known,
  }: { source: SourceKey; seenObjects: readonly ReportedEvent[]; known: ReadonlyMap<string, KnownEvent> },
): Promise<string[]> {
  const counted = new Map(known);
  const added = await mapInSlices(seenObjects, ({ entry, event }): Row[] => {
    const before = counted.get(entry.uid);
    if (before !== undefined && isOlderVersion(entry.resourceVersion, before.resourceVersion)) return [];
    counted.set(entry.uid, { count: event.count, resourceVersion: entry.resourceVersion });
    const count = event.count - (before?.count ?? 0);
    return count > 0 ? [toRow({ source, entry, event, count })] : [];
  });
  const rows = added.flat();
  if (rows.length === 0) return [];
  const reported = await findDelivered(tx, rows);
  const written = await insert(tx, dropDelivered(rows, reported));
  return [...new Set(written.flatMap((row) => row.rollout_id ?? []))];
}

function toRow({ source, entry, event, count }: ReportedEvent & { source: SourceKey; count: number }): Row {
  const { cluster } = source;
  const { kind, name, uid } = event.involved;
  const { namespace } = event;
  const message = storableText(event.message);
  const receivedAt = entry.receivedAt.toISOString();
  return {
    ...{ cluster, namespace, name: storableName(name), uid: storableName(uid) },
    rollout_id: rolloutIdOf({ cluster, namespace, kind, name, uid }),
    source: "kubernetes",
    type: storableName(event.type),
    message,
    message_digest: sha256Hex(message),
    controller_time: storableTime(event.lastAt) ?? receivedAt,
    received_at: receivedAt,
    count,
    noticed: true,
  };
}

const { ref } = fragment<{ m: "controller_message" }>();

/** Finds the times, in milliseconds since 1970, at which the webhook delivered the texts of these rows; by `keyOf`. */
async function findDelivered(tx: PoolClient, rows: readonly Row[]): Promise<Map<string, number[]>> {
  const unique = (pick: (row: Row) => string) => [...new Set(rows.map(pick))];
  const times = rows.map(({ controller_time }) => Date.parse(controller_time));
  const first = new Date(Math.min(...times) - sameSeconds * 1000);
  const last = new Date(Math.max(...times) + sameSeconds * 1000);
  const reported = await readRows(
    tx,
    tables
      .selectFrom("controller_message as m")
      .select(["m.cluster", "m.namespace", "m.name", "m.message_digest", "m.controller_time"])
      .where(
        isOneOf(
          ref("m.cluster"),
          unique(({ cluster }) => cluster),
        ),
      )
      .where(
        isOneOf(
          ref("m.namespace"),
          unique(({ namespace }) => namespace),
        ),
      )
      .where(
        isOneOf(
          ref("m.name"),
          unique(({ name }) => name),
        ),
      )
      .where(
        isOneOf(
          ref("m.message_digest"),
          unique(({ message_digest }) => message_digest),
        ),
      )
      .where("m.controller_time", ">=", first)
      .where("m.controller_time", "<=", last)
      .where("m.source", "=", "webhook"),
  );
  const found = new Map<string, number[]>();
  for (const row of reported) found.set(keyOf(row), [...(found.get(keyOf(row)) ?? []), row.controller_time.getTime()]);
  return found;
}

/** Leaves out messages that the webhook delivered. Events of several occurrences stay: they are matched later. */
function dropDelivered(rows: readonly Row[], reported: ReadonlyMap<string, readonly number[]>): Row[] {
  return rows.filter((row) => {
    const at = Date.parse(row.controller_time);
    const isDelivered = reported.get(keyOf(row))?.some((time) => Math.abs(time - at) < sameSeconds * 1000) === true;
    return row.count > 1 || !isDelivered;
  });
}

function keyOf(row: Pick<Row, "cluster" | "namespace" | "name" | "message_digest">): string {
  return [row.cluster, row.namespace, row.name, row.message_digest].join("\n");
}
