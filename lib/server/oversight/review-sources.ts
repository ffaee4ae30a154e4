import type { Pool } from "pg";
import { applyRules } from "#lib/domain/oversight/rule.ts";
import { listOffForCluster, type OversightScope } from "#lib/domain/oversight/scope.ts";
import { type SourceFacts, sourceRules } from "#lib/domain/oversight/source-rules.ts";
import { readSources, type SourceRow } from "#lib/server/clusters/sources/source-freshness.ts";
import { watchedResources } from "#lib/server/clusters/sources/watched-resources.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type FindingStore, type FindingSubject, storeFindings } from "./record-findings.ts";

/**
 * Looks at every source of the configured clusters with the rules about sources, and closes the findings of those that
 * the config no longer names. `scopes`: which rules are off.
 */
export async function reviewSources({
  clusters,
  scopes,
  ...review
}: FindingStore & { clusters: readonly string[]; scopes: readonly OversightScope[] }): Promise<void> {
  const { pool } = review;
  const now = (await readDatabaseTime(pool)).toISOString();
  const rows = (await readSources({ pool })).filter(({ cluster }) => clusters.includes(cluster));
  const open = await readOpen(pool);
  for (const row of rows) {
    const facts = toFacts(row, now);
    const found = applyRules(sourceRules, facts, listOffForCluster(scopes, row.cluster));
    if (found.length > 0 || open.has(row.id)) await storeFindings(review, subjectOf(row), found);
  }
  const known = new Set(rows.map(({ id }) => id));
  for (const [id, place] of open) if (!known.has(id)) await storeFindings(review, { about: "source", id, place }, []);
}

function subjectOf({ id, cluster, namespace, kind }: SourceRow): FindingSubject {
  return { about: "source", id, place: { cluster, namespace, kind, name: "" } };
}

async function readOpen(pool: Pool): Promise<Map<string, FindingSubject["place"]>> {
  const rows = await prismaOn(pool).finding.findMany({
    where: { about: "source", closedAt: null },
    select: { subject: true, cluster: true, namespace: true, kind: true, name: true },
  });
  return new Map(rows.map(({ subject, ...place }) => [subject, place]));
}

const decidedOn = watchedResources.filter((resource) => resource.holdsDisappearance).map(({ kind }) => kind);

function toFacts(row: SourceRow, now: string): SourceFacts {
  const { hold_reason: reason, hold_since: since, hold_count: count } = row;
  return {
    now,
    id: row.id,
    kind: row.kind,
    state: row.state,
    lastContact: row.last_contact?.toISOString() ?? null,
    lastError: row.last_error,
    isAnotherCluster: row.error_code !== null,
    objects: row.objects,
    isDecidedOn: decidedOn.includes(row.kind),
    staleAfterSeconds: row.stale_after_ms / 1000,
    held: reason === null || since === null ? null : { reason, since: since.toISOString(), count: count ?? 0 },
  };
}
