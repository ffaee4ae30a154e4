import { sql } from "kysely";
import type { AuditDetail, AuditItem } from "#lib/contract/audit.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { StoreContext } from "#lib/server/process/store-context.ts";

/** Changes that answer an Inconclusive run. */
const overriding: readonly string[] = ["accept-step", "measure-again", "continue-waive"];

/** The cluster writes its times in whole seconds, by another clock. */
const toleranceSeconds = 5;

/**
 * Finds the run that a change without Gatehouse ended, or whose Inconclusive result it overrode: of that revision, the
 * last that had ended by then. Null for all other entries, and if the entry does not tell the revision.
 */
export async function findOverriddenRun(
  { runtime }: StoreContext,
  { source, action, target, detail, time }: AuditItem,
): Promise<AuditDetail["overridden"]> {
  if (source !== "cluster" || action === undefined) return null;
  if (action === "terminate") return readSubject(detail?.subject);
  const { cluster, namespace, kind, name } = target ?? {};
  const { podHash, observedAt = time } = detail ?? {};
  if (!overriding.includes(action) || typeof podHash !== "string" || typeof observedAt !== "string") return null;
  if (cluster === undefined || namespace === undefined || kind === undefined || name === undefined) return null;
  const latest = sql<Date>`${observedAt}::timestamptz + make_interval(secs => ${toleranceSeconds})`;
  const found = await readRow(
    runtime.pool,
    tables
      .selectFrom("analysis_run as a")
      .innerJoin("rollout as r", "r.id", "a.rollout_id")
      .select(["a.uid", "a.name"])
      .where("r.cluster", "=", cluster)
      .where("r.namespace", "=", namespace)
      .where((eb) => eb(eb.cast<string>("r.kind", "text"), "=", kind))
      .where("r.name", "=", name)
      .where("a.pod_hash", "=", podHash)
      .where("a.phase", "=", "Inconclusive")
      .where("a.completed_at", "<=", latest)
      .orderBy("a.completed_at", "desc")
      .orderBy("a.uid")
      .limit(1),
  );
  return found ?? null;
}

function readSubject(subject: unknown): AuditDetail["overridden"] {
  if (typeof subject !== "object" || subject === null) return null;
  const { kind, uid, name } = subject as Record<string, unknown>;
  return kind === "AnalysisRun" && typeof uid === "string" && typeof name === "string" ? { uid, name } : null;
}
