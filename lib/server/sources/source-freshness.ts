import type { Pool } from "pg";
import type { Source, SourceState } from "#lib/contract/system.ts";
import { hideAddresses } from "#lib/domain/storable/hide-addresses.ts";
import type { ClusterConfig } from "#lib/server/config/config-schema.ts";
import { backwardsMessage, otherClusterMessage } from "#lib/server/kubernetes/other-cluster-message.ts";
import { sourcesOf } from "#lib/server/sources/watched-resources.ts";

/** Last contact: the older of the watch's and the read's, and null if either is missing. Freshness needs both. */
const lastContactSql = `CASE WHEN s.watch_contact_at IS NULL OR s.read_contact_at IS NULL THEN NULL
  ELSE LEAST(s.watch_contact_at, s.read_contact_at) END`;

/**
 * The state for readers, by the database's clock: what the recorder wrote last, unless that is too old. A recorder that
 * is gone cannot report that. A source that was never reached and has an error is in state error: retries are not
 * progress.
 */
const stateSql = `CASE WHEN s.state IN ('denied', 'absent', 'suspect', 'error') THEN s.state
  WHEN ${lastContactSql} IS NULL THEN
    CASE WHEN s.state = 'live' THEN 'stale' WHEN s.last_error IS NOT NULL THEN 'error' ELSE s.state END
  WHEN now() - ${lastContactSql} > s.stale_after_ms * interval '1 millisecond' THEN 'stale'
  ELSE s.state END`;

/** Whether the last contact is too old, or there never was one. */
const oldSql = `COALESCE(now() - ${lastContactSql} > s.stale_after_ms * interval '1 millisecond', true)`;

const columns = `s.id, s.cluster, s.kind, s.namespace, ${stateSql} AS state, ${lastContactSql} AS last_contact,
  s.watch_contact_at, s.read_contact_at, ${oldSql} AS is_old, s.last_error, s.objects, s.history_begins_at,
  s.stale_after_ms, s.clock_skew_ms, h.id AS hold_id, h.reason AS hold_reason, h.since AS hold_since,
  (SELECT count(*)::int FROM jsonb_object_keys(h.objects)) AS hold_count,
  EXISTS (SELECT FROM source_release x WHERE x.source_id = s.id AND x.hold_id = h.id AND x.done_at IS NULL)
    AS is_releasing`;
const tables = "source s LEFT JOIN source_hold h ON h.source_id = s.id";

export type SourceRow = {
  id: string;
  cluster: string;
  kind: string;
  namespace: string;
  state: SourceState;
  last_contact: Date | null;
  watch_contact_at: Date | null;
  read_contact_at: Date | null;
  is_old: boolean;
  last_error: string | null;
  objects: number;
  history_begins_at: Date | null;
  stale_after_ms: number;
  clock_skew_ms: number | null;
  /** All null if nothing is held. */
  hold_id: string | null;
  hold_reason: "empty" | "shrink" | null;
  hold_since: Date | null;
  hold_count: number | null;
  /** Somebody released it, and the recorder has not carried that out yet. */
  is_releasing: boolean;
};

/** Reads every source with its freshness now, by cluster, kind and namespace. */
export async function readSources(runtime: WithPool): Promise<SourceRow[]> {
  const { rows } = await runtime.pool.query<SourceRow>(
    `SELECT ${columns} FROM ${tables} ORDER BY s.cluster, s.kind, s.namespace`,
  );
  return rows;
}

/** Whether a rollout `r` is among the objects that its source holds; for a SELECT list. */
export const isHeldSql = `EXISTS (SELECT FROM source s JOIN source_hold h ON h.source_id = s.id
  WHERE s.cluster = r.cluster AND s.kind = r.kind AND s.namespace IN ('', r.namespace) AND h.objects ? r.uid)`;

/**
 * Reads the source that a rollout's view depends on, and whether it holds that rollout; undefined if none was ever
 * recorded.
 */
export async function readRolloutSource(
  runtime: WithPool,
  { cluster, kind, namespace, uid }: { cluster: string; kind: string; namespace: string; uid: string },
): Promise<(SourceRow & { is_held: boolean }) | undefined> {
  const { rows } = await runtime.pool.query<SourceRow & { is_held: boolean }>(
    `SELECT ${columns}, COALESCE(h.objects ? $4, false) AS is_held
     FROM ${tables} WHERE s.cluster = $1 AND s.kind = $2 AND s.namespace IN ('', $3)
     ORDER BY s.namespace DESC LIMIT 1`,
    [cluster, kind, namespace, uid],
  );
  return rows[0];
}

type WithPool = { pool: Pick<Pool, "query"> };

type Named = Pick<ClusterConfig, "name" | "namespaces">;

/** Returns whether the config still names what the source watched. */
export function isConfigured({ cluster, kind, namespace }: SourceRow, clusters: readonly Named[]): boolean {
  const named = clusters.find(({ name }) => name === cluster);
  return named !== undefined && sourcesOf(named).some((one) => one.kind === kind && one.namespace === namespace);
}

export function serializeSource(row: SourceRow, clusters: readonly Named[]): Source {
  return {
    id: row.id,
    configured: isConfigured(row, clusters),
    cluster: row.cluster,
    kind: row.kind,
    namespace: row.namespace === "" ? null : row.namespace,
    state: row.state,
    lastContact: row.last_contact?.toISOString() ?? null,
    watchContact: row.watch_contact_at?.toISOString() ?? null,
    readContact: row.read_contact_at?.toISOString() ?? null,
    staleAfterSeconds: row.stale_after_ms / 1000,
    clockSkewSeconds: row.clock_skew_ms === null ? null : row.clock_skew_ms / 1000,
    hold: serializeHold(row),
    lastError: row.last_error,
    objects: row.objects,
    historyBeginsAt: row.history_begins_at?.toISOString() ?? null,
  };
}

function serializeHold(row: SourceRow): Source["hold"] {
  if (row.hold_reason === null || row.hold_since === null) return null;
  return {
    reason: row.hold_reason,
    count: row.hold_count ?? 0,
    since: row.hold_since.toISOString(),
    releasing: row.is_releasing,
  };
}

/** Explains why no action is possible there, protective or not (FC-19); undefined if nothing prevents it. */
export function explainOtherCluster(row: SourceRow | undefined): string | undefined {
  const message = [otherClusterMessage, backwardsMessage].find((each) => row?.last_error?.includes(each));
  return row === undefined || message === undefined ? undefined : `Nothing is done at ${row.cluster}: ${message}.`;
}

/**
 * Explains in a sentence why a view is stale; null if it is fresh. `isHeld`: the object itself is missing from what the
 * cluster shows. Other objects of a source that holds some are as fresh as the last contact.
 */
export function explainStaleness(row: SourceRow | undefined, isHeld = false): string | null {
  if (row === undefined) return "The recorder has never reached this cluster.";
  if (isHeld) return `${row.cluster} no longer shows this ${row.kind}; whether it is gone is being checked.`;
  const since = row.last_contact === null ? "" : ` since ${row.last_contact.toISOString()}`;
  const error = row.last_error === null ? "" : ` (${hideAddresses(row.last_error)})`;
  const old = `Nothing was heard of ${row.kind}s in ${row.cluster}${since}${error}.`;
  switch (row.state) {
    case "live":
      return null;
    case "stale":
      return old;
    case "syncing":
      return `${row.kind}s of ${row.cluster} are being read.`;
    case "denied":
      return `${row.cluster} refuses to show ${row.kind}s${error}.`;
    case "absent":
      return `${row.cluster} does not know ${row.kind}s: they cannot be observed${since}.`;
    case "suspect":
      if (row.hold_reason === "shrink") return row.is_old ? old : null;
      return `${row.cluster} gives contradictory answers${error}.`;
    case "error":
      return `${row.kind}s of ${row.cluster} cannot be read${error}.`;
  }
}
