import type { PoolClient } from "pg";
import { z } from "zod";
import { ownManager } from "#lib/domain/acting/own-identity.ts";
import type { ObjectWrite } from "#lib/domain/kube-audit/judge-event.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

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
  const actions = await readRows(
    tx,
    tables
      .selectFrom("action")
      .select(["audit_id", "namespace", "requested_at"])
      .where("cluster", "=", cluster)
      .where(({ ref }) => isOneOf(ref("audit_id"), ids, "uuid")),
  );
  const actionOf = new Map(actions.map((action) => [action.audit_id, action]));
  return new Set(
    claimed.filter(({ auditId, namespace, stageAt }) => {
      const action = actionOf.get(auditId.toLowerCase());
      if (action === undefined || action.namespace !== namespace) return false;
      return Math.abs(Date.parse(stageAt) - action.requested_at.getTime()) <= sentWithinMs;
    }),
  );
}
