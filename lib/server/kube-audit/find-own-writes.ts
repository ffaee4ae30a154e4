import type { PoolClient } from "pg";
import { z } from "zod";
import { ownManager } from "#lib/domain/acting/own-manager.ts";
import type { ObjectWrite } from "#lib/domain/kube-audit/judge-event.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";

/**
 * An action sends its requests well within this time, and clocks differ. Later, a client that has read the audit id in
 * an API server's log may use it too.
 */
const sentWithinMs = 5 * 60_000;
const Uuid = z.uuid();

/**
 * Finds the writes that Gatehouse sent itself: their audit id is one that an action chose before it sent anything.
 * Field manager, user agent and user prove nothing: any client may choose the first two, and others may use the
 * account.
 */
export async function findOwnWrites(
  tx: PoolClient,
  cluster: string,
  writes: readonly ObjectWrite[],
): Promise<Set<ObjectWrite>> {
  const claimed = writes.filter(({ manager, auditId }) => manager === ownManager && Uuid.safeParse(auditId).success);
  if (claimed.length === 0) return new Set();
  const ids = claimed.map(({ auditId }) => auditId);
  const actions = await prismaOn(tx).action.findMany({
    where: { cluster, auditId: { in: ids } },
    select: { auditId: true, namespace: true, requestedAt: true },
  });
  const actionOf = new Map(actions.map((action) => [action.auditId, action]));
  return new Set(
    claimed.filter(({ auditId, namespace, stageAt }) => {
      const action = actionOf.get(auditId.toLowerCase());
      if (action === undefined || action.namespace !== namespace) return false;
      return Math.abs(Date.parse(stageAt) - action.requestedAt.getTime()) <= sentWithinMs;
    }),
  );
}
