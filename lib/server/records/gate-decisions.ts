import { sql } from "kysely";
import type { DeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import type { GateBinding, GateDecision } from "#lib/domain/delivery/gate-decision.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { clockTime, readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";

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
 * Stores a decision in the transaction that commits its action's intent: the order of decisions is that of intents.
 * From the commit on, calls are answered by it: the newest decision on a gate whose binding matches the call counts.
 * Throws if the table refuses it: an approval without
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

/** What becomes of a decision: nothing is sent. */
export const keptMessage = "Gatehouse keeps it, and answers with it when the controller asks next.";

/** Returns whether the action's decision is stored. */
export async function isDecisionKept(connection: Connection, actionId: string): Promise<boolean> {
  const where = { id: actionId };
  return (await prismaOn(connection).gateDecision.findFirst({ where, select: { id: true } })) !== null;
}

/**
 * Throws `not_allowed_now` if a person has held the gate since the decision was requested, or the approval that it uses:
 * the view does not show that hold. Call it in the transaction of the intent: each intent sees the decisions of those
 * before it.
 */
export async function assertNotHeldSince(
  tx: Connection,
  { id, rolloutId, cluster, namespace, name, gate }: NewGateDecision,
  approval: string | undefined,
): Promise<void> {
  const asked =
    approval === undefined
      ? tables.selectFrom("action as q").select("q.requested_at").where("q.id", "=", id)
      : tables.selectFrom("approval as q").select("q.requested_at").where("q.id", "=", approval);
  const held = await readRow(
    tx,
    tables
      .selectFrom("gate_decision as d")
      .select("d.id")
      // The index of decisions begins with the place of the object.
      .where("d.cluster", "=", cluster)
      .where("d.namespace", "=", namespace)
      .where("d.name", "=", name)
      .where("d.rollout_id", "=", rolloutId)
      .where("d.gate", "=", gate)
      .where("d.verdict", "=", "hold")
      .where("d.decided_at", ">", asked)
      .limit(1),
  );
  if (held === undefined) return;
  const message = "The gate was held after this was requested: nothing was done. Look at it again.";
  throw new ServiceError("not_allowed_now", message, { actionId: id });
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
