import type { Source, SourceState } from "#lib/contract/system.ts";
import type { ClusterConfig } from "#lib/server/config/config-schema.ts";
import { otherClusterMessage } from "#lib/server/kubernetes/other-cluster-message.ts";
import { sourcesOf } from "#lib/server/recorder/watched-resources.ts";
import type { Runtime } from "#lib/server/runtime/runtime-types.ts";

/** Last contact: the older of the watch's and the read's, and none where either is missing. Neither alone proves it. */
const lastContactSql = `CASE WHEN s.watch_contact_at IS NULL OR s.read_contact_at IS NULL THEN NULL
  ELSE LEAST(s.watch_contact_at, s.read_contact_at) END`;

/**
 * The state for readers, by the database's clock: what the recorder wrote last, unless that lies too far back. A
 * recorder that is gone cannot write that it is. A source that was never reached, with an error, is in error: trying
 * again and again is no progress.
 */
const stateSql = `CASE WHEN s.state IN ('denied', 'absent', 'suspect', 'error') THEN s.state
  WHEN ${lastContactSql} IS NULL THEN
    CASE WHEN s.state = 'live' THEN 'stale' WHEN s.last_error IS NOT NULL THEN 'error' ELSE s.state END
  WHEN now() - ${lastContactSql} > s.stale_after_ms * interval '1 millisecond' THEN 'stale'
  ELSE s.state END`;

export type SourceRow = {
  id: string;
  cluster: string;
  kind: string;
  namespace: string;
  state: SourceState;
  last_contact: Date | null;
  last_error: string | null;
  objects: number;
  history_begins_at: Date | null;
};

/** Every source with its freshness now, by cluster, kind and namespace. */
export async function readSources(runtime: { pool: Pick<Runtime["pool"], "query"> }): Promise<SourceRow[]> {
  const { rows } = await runtime.pool.query<SourceRow>(
    `SELECT s.id, s.cluster, s.kind, s.namespace, ${stateSql} AS state, ${lastContactSql} AS last_contact, s.last_error,
       s.objects, s.history_begins_at
     FROM source s ORDER BY s.cluster, s.kind, s.namespace`,
  );
  return rows;
}

/** The source that a rollout's view rests on; undefined where none was ever recorded. */
export async function readRolloutSource(
  runtime: Runtime,
  { cluster, kind, namespace }: { cluster: string; kind: string; namespace: string },
): Promise<SourceRow | undefined> {
  const { rows } = await runtime.pool.query<SourceRow>(
    `SELECT s.id, s.cluster, s.kind, s.namespace, ${stateSql} AS state, ${lastContactSql} AS last_contact, s.last_error,
       s.objects, s.history_begins_at
     FROM source s WHERE s.cluster = $1 AND s.kind = $2 AND s.namespace IN ('', $3)
     ORDER BY s.namespace DESC LIMIT 1`,
    [cluster, kind, namespace],
  );
  return rows[0];
}

type Named = Pick<ClusterConfig, "name" | "namespaces">;

/** Whether the config still names what the source watched. */
export function isConfigured({ cluster, kind, namespace }: SourceRow, clusters: readonly Named[]): boolean {
  const named = clusters.find(({ name }) => name === cluster);
  return named !== undefined && sourcesOf(named).some((one) => one.kind === kind && one.namespace === namespace);
}

export function serializeSource(row: SourceRow, clusters: readonly Named[]): Source {
  return {
    configured: isConfigured(row, clusters),
    cluster: row.cluster,
    kind: row.kind,
    namespace: row.namespace === "" ? null : row.namespace,
    state: row.state,
    lastContact: row.last_contact?.toISOString() ?? null,
    lastError: row.last_error,
    objects: row.objects,
    historyBeginsAt: row.history_begins_at?.toISOString() ?? null,
  };
}

/** Why nothing at all may be done there, protective or not (FC-19); undefined where nothing speaks against it. */
export function explainOtherCluster(row: SourceRow | undefined): string | undefined {
  return row?.last_error?.includes(otherClusterMessage) === true
    ? `Nothing is done at ${row.cluster}: ${otherClusterMessage}.`
    : undefined;
}

/** Why a view rests on old knowledge, in a sentence; null where it is fresh. */
export function explainStaleness(row: SourceRow | undefined): string | null {
  if (row === undefined) return "The recorder has never reached this cluster.";
  const since = row.last_contact === null ? "" : ` since ${row.last_contact.toISOString()}`;
  const error = row.last_error === null ? "" : ` (${row.last_error})`;
  switch (row.state) {
    case "live":
      return null;
    case "stale":
      return `Nothing was heard of ${row.kind}s in ${row.cluster}${since}${error}.`;
    case "syncing":
      return `${row.kind}s of ${row.cluster} are being read.`;
    case "denied":
      return `${row.cluster} refuses to show ${row.kind}s${error}.`;
    case "absent":
      return `${row.cluster} does not know ${row.kind}s.`;
    case "suspect":
      return `${row.cluster} gives contradictory answers${error}.`;
    case "error":
      return `${row.kind}s of ${row.cluster} cannot be read${error}.`;
  }
}
