import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { Claim, ClaimRequest } from "#lib/contract/wait-handling.ts";
import type { AuditDraft } from "#lib/domain/audit/audit-entry.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { type ClaimVerdict, type HeldClaim, judgeClaim } from "#lib/domain/waiting/judge-claim.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { claimInForce, mayClaim } from "#lib/server/pages/inbox/wait-handling.ts";
import { findWait, type WaitRow } from "#lib/server/people/permission/find-wait.ts";
import { actorKey, auditActorOf, describePerson } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { logRolloutChange } from "#lib/server/platform/db/log-change.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { type Columns, tables } from "#lib/server/platform/db/tables.ts";
import { toColumn } from "#lib/server/platform/db/to-column.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

/** How long a claim lasts: long enough to look into a wait, short enough that a forgotten one does not keep others away. */
const claimMinutes = 30;

/**
 * Records that the actor looks after a rollout's wait, until the claim expires or the wait ends. Other people may still
 * act. Claiming again extends it. Throws `forbidden` without any right to act there, `not_allowed_now` if nothing
 * waits, `stale_view` if another wait has begun, `conflict` if another person holds a claim that `takesOver` does not
 * name.
 */
export async function claimWait({
  ctx,
  input,
  minutes = claimMinutes,
}: {
  ctx: ServiceContext;
  input: RolloutPath & ClaimRequest;
  minutes?: number;
}): Promise<Claim> {
  const { actor, runtime, requestId } = ctx;
  const row = await findWait(ctx, input);
  assertMayClaim(ctx, row);
  assertSameWait(row, input.since);
  const held = await findClaim(runtime.pool, row.id);
  const verdict = judgeClaim({ held, by: actorKey(actor), takesOver: input.takesOver });
  if (verdict.kind === "held") throw heldBy(verdict.by.byName);
  const { cluster, namespace, kind, name } = row;
  let stored: { id: string; claimed_at: Date; expires_at: Date } | undefined;
  await appendAudit({
    pool: runtime.pool,
    entry: {
      actor: auditActorOf(actor),
      source: "gatehouse",
      ...describeClaim(verdict),
      target: { id: formatObjectRef(row), cluster, namespace, kind, name },
      outcome: "applied",
      detail: { attention: row.attention_reason, since: input.since, minutes, ...detailOf(verdict) },
      requestId,
    },
    within: async (client) => {
      stored = await readRow(client, selectUpsert({ ctx, row, since: input.since, held, minutes, verdict }));
      if (stored === undefined) throw changedMeanwhile();
      await logRolloutChange(client, row);
    },
  });
  if (stored === undefined) throw new Error("the stored claim was not returned");
  const { id, claimed_at: at, expires_at: expiresAt } = stored;
  return { id, who: actor.name, isMine: true, at: at.toISOString(), expiresAt: expiresAt.toISOString() };
}

type AllowedVerdict = Exclude<ClaimVerdict, { kind: "held" }>;

function describeClaim({ kind }: AllowedVerdict): Pick<AuditDraft, "code"> {
  switch (kind) {
    case "claim":
      return { code: "inbox.claimed" };
    case "extend":
      return { code: "inbox.claim-extended" };
    case "take-over":
      return { code: "inbox.claim-taken-over" };
  }
}

function detailOf(verdict: AllowedVerdict): Record<string, Record<string, string>> {
  if (verdict.kind !== "take-over") return {};
  const { by, byName } = verdict.from;
  return { from: describePerson({ key: by, name: byName, username: null }) };
}

/** Finds the claim in force, by the database's clock. */
export async function findClaim(connection: Connection, rolloutId: string): Promise<HeldClaim | undefined> {
  const query = tables
    .selectFrom("rollout as r")
    .innerJoinLateral(
      claimInForce.select(["c.id", "c.claimed_by as by", "c.claimed_by_name as byName"]).as("held"),
      (join) => join.onTrue(),
    )
    .select(["held.id", "held.by", "held.byName"])
    .where("r.id", "=", rolloutId);
  return readRow(connection, query);
}

/**
 * Builds the compare-and-set: nothing is written if the wait has changed, or if the claim in force is not the one that
 * was judged.
 */
function selectUpsert({
  ctx: { actor },
  row,
  since,
  held,
  minutes,
  verdict,
}: {
  ctx: ServiceContext;
  row: WaitRow;
  since: string;
  held: HeldClaim | undefined;
  minutes: number;
  verdict: AllowedVerdict;
}) {
  const isExtended = verdict.kind === "extend";
  const id = isExtended && held !== undefined ? held.id : randomUUID();
  return tables
    .insertInto("inbox_claim")
    .columns([
      "attention_reason",
      "attention_since",
      "revision_key",
      "rollout_id",
      "id",
      "claimed_by",
      "claimed_by_name",
      "claimed_at",
      "expires_at",
    ])
    .expression((eb) =>
      eb
        .selectFrom("rollout as r")
        .select((of) => [
          of.ref("r.attention_reason").$notNull().as("attention_reason"),
          of.ref("r.attention_since").$notNull().as("attention_since"),
          "r.revision_key",
          "r.id as rollout_id",
          sql<string>`${id}::uuid`.as("id"),
          sql<string>`${toColumn(actorKey(actor))}`.as("claimed_by"),
          sql<string>`${toColumn(actor.name)}`.as("claimed_by_name"),
          transactionTime.as("claimed_at"),
          sql<Date>`${transactionTime} + make_interval(mins => ${minutes})`.as("expires_at"),
        ])
        .where("r.id", "=", row.id)
        .where("r.attention_reason", "=", row.attention_reason)
        .where((of) => sql<boolean>`date_trunc('milliseconds', ${of.ref("r.attention_since")}) = ${since}::timestamptz`)
        .where((of) =>
          held === undefined
            ? sql.lit(true)
            : of.exists(claimInForce.select(sql.lit(1).as("one")).where("c.id", "=", held.id)),
        ),
    )
    .onConflict((conflict) =>
      conflict
        .column("rollout_id")
        .doUpdateSet(
          ({ ref }) =>
            ({
              attention_reason: ref("excluded.attention_reason"),
              attention_since: ref("excluded.attention_since"),
              revision_key: ref("excluded.revision_key"),
              id: ref("excluded.id"),
              claimed_by: ref("excluded.claimed_by"),
              claimed_by_name: ref("excluded.claimed_by_name"),
              claimed_at: isExtended ? ref("inbox_claim.claimed_at") : ref("excluded.claimed_at"),
              expires_at: ref("excluded.expires_at"),
            }) satisfies Columns<"inbox_claim">,
        )
        // Judged by the current row, even if another transaction has changed it.
        .where(({ ref, eb, or }) =>
          held === undefined
            ? or([
                eb("inbox_claim.expires_at", "<=", transactionTime),
                eb("inbox_claim.attention_reason", "!=", ref("excluded.attention_reason")),
                eb("inbox_claim.attention_since", "!=", ref("excluded.attention_since")),
                eb("inbox_claim.revision_key", "!=", ref("excluded.revision_key")),
              ])
            : eb("inbox_claim.id", "=", held.id),
        ),
    )
    .returning(["id", "claimed_at", "expires_at"]);
}

export function assertMayClaim({ actor }: ServiceContext, row: WaitRow): void {
  if (!mayClaim(actor.rights, row))
    throw new ServiceError("forbidden", `Your rights include no action on ${row.namespace}/${row.name}.`);
}

function assertSameWait(row: WaitRow, since: string): void {
  if (row.attention_reason === null || row.attention_since === null || row.presence !== "live")
    throw new ServiceError("not_allowed_now", "The rollout does not wait for a person: there is nothing to claim.");
  if (row.attention_since.getTime() !== Date.parse(since)) throw changedMeanwhile();
}

function heldBy(who: string): ServiceError {
  return new ServiceError("conflict", `${who} is on it. Take it over if that is what you both want.`);
}

function changedMeanwhile(): ServiceError {
  return new ServiceError("stale_view", "It changed since you looked at it. Look again, then claim it.", {
    changes: null,
  });
}
