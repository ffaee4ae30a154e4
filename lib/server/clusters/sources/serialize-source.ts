import type { Source } from "#lib/contract/system.ts";
import type { SourceRow } from "#lib/server/clusters/sources/source-freshness.ts";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";

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
