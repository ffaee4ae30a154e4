import { sql } from "kysely";
import type { DeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import type { GateBinding, GateDecision } from "#lib/domain/delivery/gate-decision.ts";
import { clockTime, readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";

/** A person's decision as an action makes it. */
export type NewGateDecision = Pick<GateDecision, "id" | "uid" | "gate" | "verdict"> & {
  rolloutId: string;
  cluster: string;
  namespace: string;
  kind: DeliveryKind;
  name: string;
  bound: GateBinding;
  /** Ids of the freezes of people that it overrides. */
  overrode: readonly string[];
  actorName: string;
  reason: string;
  /** Undefined only for a hold, which then stays until the next word. */
  expiresInSeconds: number | undefined;
};

/**
 * Stores a decision in the transaction that commits its action. From the commit on, calls are answered by it: the
 * newest decision on a gate whose binding matches the call counts. Throws if the table refuses it: an approval without
 * a binding or an expiry, or a verdict that its gate does not have.
 */
export async function insertGateDecision(
  tx: Connection,
  { rolloutId, actorName, expiresInSeconds, overrode, ...decision }: NewGateDecision,
): Promise<void> {
  const now = await readDatabaseTime(tx);
  const expiresAt = expiresInSeconds === undefined ? null : new Date(now.getTime() + expiresInSeconds * 1000);
  await prismaOn(tx).gateDecision.create({
    data: { ...decision, rolloutId, actorName, expiresAt, overrode: [...overrode] },
    select: { id: true },
  });
}

const eb = fragment<{ d: "gate_decision" }>();

/**
 * Whether a release of the rollout has ended since decision `d`. The recorder voids decisions when it sees the end, by
 * the database's clock; this also covers an end that only a later derivation found. A rollback may be about the run that
 * began before the end of the one before was seen.
 */
const hasRunEnded = eb
  .exists(({ selectFrom }) =>
    selectFrom("release as l")
      .select(sql.lit(1).as("one"))
      .whereRef("l.rollout_id", "=", "d.rollout_id")
      .whereRef("l.ended_at", ">", "d.decided_at"),
  )
  .$castTo<boolean>();

/** Whether decision `d` is over, by the database's clock. */
export const isDecisionExpired = eb.fn.coalesce(eb("d.expires_at", "<=", clockTime), eb.lit(false)).$castTo<boolean>();

/** Whether decision `d` was voided, or its run has ended. */
export const isDecisionVoided = eb
  .or([eb("d.voided_at", "is not", null), eb.and([eb("d.verdict", "<>", "rollback"), hasRunEnded])])
  .$castTo<boolean>();
