import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import type { AuditDraft } from "#lib/domain/audit/audit-entry.ts";
import { appendAudit, systemActor } from "#lib/server/audit/append-audit.ts";
import { isConfigured } from "#lib/server/clusters/sources/serialize-source.ts";
import { readSources } from "#lib/server/clusters/sources/source-freshness.ts";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import type { Config } from "#lib/server/platform/config/config-schema.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { deleteOldRows } from "./delete-old-rows.ts";
import { findRetentionObstacles, type Obstacle, planRetention, type RetentionPlan } from "./plan-retention.ts";
import { claimRetention, endRetention, renewRetention } from "./retention-lock.ts";

export type RetentionInput = {
  pool: Pool;
  config: Pick<Config, "clusters" | "retention">;
  /** Why the config on disk is not the one in force; undefined if it is. */
  configTrouble: string | undefined;
};

export type RetentionPreview = { plan: RetentionPlan; obstacles: Obstacle[] };

export type RetentionResult = RetentionPreview &
  ({ outcome: "deleted"; deleted: Record<string, number> } | { outcome: "nothing" | "refused" | "busy" });

/** Returns what would be deleted now, and the obstacles. Changes nothing. */
export async function previewRetention(input: RetentionInput): Promise<RetentionPreview> {
  const client = await patientClient(input.pool);
  try {
    return await preview({ ...input, client });
  } finally {
    client.release(true);
  }
}

/**
 * Deletes rows past the ages in the config, unless there is an obstacle (FC-30). `override` deletes anyway, with its
 * reason in the audit log. Each run that deletes is audited before and after; without the log, nothing is deleted.
 */
export async function runRetention(
  input: RetentionInput & {
    /** Identifies this process among those that delete. */
    holder: string;
    override?: { reason: string };
    onDeleted?(table: string, rows: number): void;
    signal?: AbortSignal;
  },
): Promise<RetentionResult> {
  const { pool, holder, override } = input;
  const client = await patientClient(pool);
  try {
    if (!(await claimRetention(client, holder)))
      return {
        outcome: "busy",
        plan: { bounds: {}, due: [], wholeMonths: [], measurements: { due: 0, total: 0 } },
        obstacles: [],
      };
    const end = (outcome: string, message: string, isDone: boolean) =>
      endRetention(client, { holder, outcome, message, isDone });
    try {
      const found = await preview({ ...input, client });
      if (found.obstacles.length > 0 && override === undefined) {
        await end("refused", found.obstacles.map(({ text }) => text).join("; "), false);
        return { outcome: "refused", ...found };
      }
      if (found.plan.due.length === 0 && found.plan.wholeMonths.length === 0) {
        await end("nothing", "nothing is old enough", true);
        return { outcome: "nothing", ...found };
      }
      const deleted = await carryOut({ ...input, client, found });
      await end("deleted", describeCounts(deleted), true);
      return { outcome: "deleted", deleted, ...found };
    } catch (error) {
      await end("failed", error instanceof Error ? error.message : String(error), false).catch(() => {});
      throw error;
    }
  } finally {
    client.release(true);
  }
}

async function carryOut(
  options: Parameters<typeof runRetention>[0] & { client: PoolClient; found: RetentionPreview },
): Promise<Record<string, number>> {
  const { pool, client, holder, override, onDeleted, signal, found } = options;
  const { plan, obstacles } = found;
  const requestId = randomUUID();
  const write = (entry: Pick<AuditDraft, "code" | "outcome" | "reason" | "detail">) =>
    appendAudit({ pool, entry: { actor: systemActor, source: "system", requestId, ...entry } });
  if (override !== undefined && obstacles.length > 0)
    await write({
      code: "retention.overridden",
      reason: override.reason,
      detail: { obstacles: obstacles.map(({ text }) => text) },
    });
  const bounds = Object.fromEntries(Object.entries(plan.bounds).map(([table, bound]) => [table, bound.toISOString()]));
  await write({ code: "retention.deleted", outcome: "intent", detail: { bounds, rows: sumByTable(plan) } });
  const deleted: Record<string, number> = {};
  const tell = (outcome: "applied" | "partial", message?: string) =>
    write({ code: "retention.deleted", outcome, detail: { bounds, rows: { ...deleted }, message } });
  try {
    await deleteOldRows({
      client,
      plan,
      onStep: async () => {
        signal?.throwIfAborted();
        await renewRetention(client, holder);
      },
      onDeleted: (table, rows) => {
        deleted[table] = (deleted[table] ?? 0) + rows;
        onDeleted?.(table, rows);
      },
    });
  } catch (error) {
    await tell("partial", error instanceof Error ? error.message : String(error)).catch(() => {});
    throw error;
  }
  await tell("applied");
  return deleted;
}

async function preview({
  client,
  config,
  configTrouble,
}: RetentionInput & { client: PoolClient }): Promise<RetentionPreview> {
  const plan = await planRetention(client, config.retention);
  const all = await readSources({ pool: client });
  const now = await readDatabaseTime(client);
  const sources = all.filter((source) => isConfigured(source, config.clusters));
  const known = new Set(all.map(({ id }) => id));
  const wanted = config.clusters.flatMap((cluster) => sourcesOf(cluster).map(({ id }) => id));
  const obstacles = findRetentionObstacles({
    configTrouble,
    sources: sources.map((source) => ({
      ...source,
      lastContact: source.last_contact,
      firstSeen: source.history_begins_at,
    })),
    unknownSources: wanted.filter((id) => !known.has(id)),
    plan,
    now: now ?? new Date(),
  });
  return { plan, obstacles };
}

/**
 * Connects with a long timeout: counting millions of rows takes longer than a batch of the recorder may. The connection
 * must not go back to the pool.
 */
async function patientClient(pool: Pool): Promise<PoolClient> {
  const client = await pool.connect();
  try {
    await write(client, sql`SET statement_timeout = '10min'`);
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

export function sumByTable(plan: RetentionPlan): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { table, rows } of plan.due) sums[table] = (sums[table] ?? 0) + rows;
  return sums;
}

export function describeCounts(rows: Record<string, number>): string {
  const parts = Object.entries(rows).map(([table, count]) => `${count} from ${table}`);
  return parts.length === 0 ? "nothing" : parts.join(", ");
}
