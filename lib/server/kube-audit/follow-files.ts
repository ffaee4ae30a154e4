import type { Pool } from "pg";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { EvaluationPool } from "#lib/server/platform/evaluation/evaluation-pool.ts";
import { type FilePlace, type LogPart, readNextLines } from "./read-log-file.ts";
import { eventRulesOf, storeWrites } from "./store-writes.ts";

type AuditedCluster = Pick<ClusterConfig, "name" | "kubernetesAudit" | "controllers">;

/** Parts of a file that are read in one pass for a cluster, so that a long log does not keep the others waiting. */
const maxParts = 16;
/** A part of the greatest size takes a tenth of a second; a longer time is another task's, or the machine's. */
const judgedWithinMs = 30_000;

/**
 * Reads the lines that API servers have appended to their audit logs since the last pass, for each cluster whose config
 * names a file. The writes and the place in the file are stored together: nothing is left out or counted twice after a
 * crash.
 */
export async function followAuditFiles({
  pool,
  evaluations,
  clusters,
  signal,
  onError,
  onGap,
}: {
  pool: Pool;
  /** Parses the log in a thread: any client that may write an object controls its contents. */
  evaluations: Pick<EvaluationPool, "run">;
  clusters: readonly AuditedCluster[];
  signal: AbortSignal;
  onError: (error: unknown, cluster: string) => void;
  /** The cluster's log was truncated before it was read to its end, and no copy has the rest. */
  onGap: (gap: { cluster: string; path: string }) => void;
}): Promise<void> {
  for (const cluster of clusters) {
    const path = cluster.kubernetesAudit.file;
    if (path === undefined) continue;
    try {
      for (let part = 0; part < maxParts && !signal.aborted; part += 1) {
        const { hasMore, hasGap } = await followFile({ pool, evaluations, cluster, path });
        if (hasGap) onGap({ cluster: cluster.name, path });
        if (!hasMore) break;
      }
    } catch (error) {
      onError(error, cluster.name);
    }
  }
}

/** Stores the next part of a cluster's log. Returns whether there may be more, and whether lines before it may be lost. */
async function followFile({
  pool,
  evaluations,
  cluster,
  path,
}: {
  pool: Pool;
  evaluations: Pick<EvaluationPool, "run">;
  cluster: AuditedCluster;
  path: string;
}): Promise<Pick<LogPart, "hasMore" | "hasGap">> {
  const { name } = cluster;
  const place = await readPlace(pool, { cluster: name, path });
  const part = await readNextLines({ path, place });
  if (part === undefined) return { hasMore: false, hasGap: false };
  const input = { lines: part.lines, rules: eventRulesOf({ ...cluster, namespaces: ["*"] }) };
  const request = { owner: `audit of ${name}`, most: 1, limitMs: judgedWithinMs, waitMs: judgedWithinMs };
  const judged = await evaluations.run("judgeEventLines", input, request);
  if ("refused" in judged) throw new Error(`a part of the log was not judged: ${judged.error ?? judged.refused}`);
  const { writes } = judged.value;
  await inTransaction(pool, async (tx) => {
    await storeWrites(tx, name, writes);
    const { inode, readUpTo, headLength, headDigest } = part.place;
    const values = { path, inode, readUpTo, headLength, headDigest, readAt: new Date(part.readAt) };
    await prismaOn(tx).kubernetesAuditFile.upsert({
      where: { cluster: name },
      create: { cluster: name, ...values },
      update: values,
      select: { cluster: true },
    });
  });
  return part;
}

async function readPlace(pool: Pool, wanted: { cluster: string; path: string }): Promise<FilePlace | undefined> {
  const row = await prismaOn(pool).kubernetesAuditFile.findFirst({
    where: { cluster: wanted.cluster, path: wanted.path },
    select: { inode: true, readUpTo: true, headLength: true, headDigest: true, readAt: true },
  });
  return row === null ? undefined : { ...row, readUpTo: Number(row.readUpTo), readAt: row.readAt.getTime() };
}
