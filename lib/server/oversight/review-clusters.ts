import type { Pool } from "pg";
import { type ClusterFacts, clusterRules } from "#lib/domain/oversight/cluster-rules.ts";
import { applyRules } from "#lib/domain/oversight/rule.ts";
import { listOffForCluster, type OversightScope } from "#lib/domain/oversight/scope.ts";
import { type OwnAccount, readOwnAccounts } from "#lib/server/acting/permission/own-accounts.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type FindingStore, type FindingSubject, storeFindings } from "./record-findings.ts";

/**
 * Looks at every configured cluster with the rules about clusters, and closes the findings of those that the config no
 * longer names. `scopes`: which rules are off.
 */
export async function reviewClusters({
  clusters,
  scopes,
  ...review
}: FindingStore & {
  clusters: readonly Pick<ClusterConfig, "name" | "impersonation">[];
  scopes: readonly OversightScope[];
}): Promise<void> {
  const names = clusters.map(({ name }) => name);
  const accounts = await readOwnAccounts(review.pool, names);
  const open = await readOpen(review.pool);
  for (const { name, impersonation } of clusters) {
    const own = accounts.filter(({ cluster }) => cluster === name);
    const facts = { accounts: own.map(toFacts), allowsAnyUser: impersonation.allowAnyUser };
    const found = applyRules(clusterRules, facts, listOffForCluster(scopes, name));
    if (found.length > 0 || open.includes(name)) await storeFindings(review, subjectOf(name), found);
  }
  for (const name of open) if (!names.includes(name)) await storeFindings(review, subjectOf(name), []);
}

function toFacts({ username, unlimited, unlimited_since: since }: OwnAccount): ClusterFacts["accounts"][number] {
  return {
    username,
    unlimited: unlimited === null || since === null ? null : { right: unlimited, since: since.toISOString() },
  };
}

function subjectOf(cluster: string): FindingSubject {
  return { about: "cluster", id: cluster, place: { cluster, namespace: "", kind: "Cluster", name: "" } };
}

/** Returns the clusters that have open findings. */
async function readOpen(pool: Pool): Promise<string[]> {
  const rows = await prismaOn(pool).finding.groupBy({
    by: ["cluster"],
    where: { about: "cluster", closedAt: null },
  });
  return rows.map(({ cluster }) => cluster);
}
