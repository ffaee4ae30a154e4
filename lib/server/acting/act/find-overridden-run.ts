import type { AuditDetail, AuditItem } from "#lib/contract/audit.ts";
import { isDeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import type { StoreContext } from "#lib/server/platform/actor/actor.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";

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
  if (!isDeliveryKind(kind)) return null;
  const prisma = prismaOn(runtime.pool);
  const rollouts = await prisma.rollout.findMany({ where: { cluster, namespace, kind, name }, select: { id: true } });
  const latest = new Date(Date.parse(observedAt) + toleranceSeconds * 1000);
  return prisma.analysisRun.findFirst({
    where: {
      rolloutId: { in: rollouts.map(({ id }) => id) },
      podHash,
      phase: "Inconclusive",
      completedAt: { lte: latest },
    },
    orderBy: [{ completedAt: "desc" }, { uid: "asc" }],
    select: { uid: true, name: true },
  });
}

function readSubject(subject: unknown): AuditDetail["overridden"] {
  if (typeof subject !== "object" || subject === null) return null;
  const { kind, uid, name } = subject as Record<string, unknown>;
  return kind === "AnalysisRun" && typeof uid === "string" && typeof name === "string" ? { uid, name } : null;
}
