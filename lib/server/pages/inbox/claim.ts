import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { Claim, ClaimRequest } from "#lib/contract/wait-handling.ts";
import { type AuditDraft, auditTargetOf } from "#lib/domain/audit/audit-entry.ts";
import { type ClaimVerdict, type HeldClaim, judgeClaim } from "#lib/domain/waiting/judge-handling.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { type ClickedIn, claimInForce, mayClaim } from "#lib/server/pages/inbox/wait-handling.ts";
import { findWait, type WaitRow } from "#lib/server/people/permission/find-wait.ts";
import { actorKey, describePerson } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf, given } from "#lib/server/platform/db/conditions.ts";
import { secondsAfter, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { logRolloutChange } from "#lib/server/platform/db/log-change.ts";
import { type Connection, type RowOf, readRow } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { asTime } from "#lib/server/records/list-cursor.ts";
import { storeMark } from "#lib/server/records/wait-mark.ts";

const eb = fragment<{ r: "rollout"; wait_mark: "wait_mark"; excluded: "wait_mark" }>();

/** The columns of a stored claim. */
const claimColumns = [
  eb.ref("wait_mark.id").$notNull().as("id"),
  eb.ref("wait_mark.marked_at").as("at"),
  eb.ref("wait_mark.until").$notNull().as("expiresAt"),
] as const;

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
  via,
}: Call<RolloutPath & ClaimRequest> & { minutes?: number; via?: ClickedIn }): Promise<Claim> {
  const { actor, runtime } = ctx;
  const row = await findWait(ctx, input);
  assertMayClaim(ctx, row);
  assertSameWait(row, input.since);
  const held = await findClaim(runtime.pool, row.id);
  const verdict = judgeClaim({ held, by: actorKey(actor), takesOver: input.takesOver });
  if (verdict.kind === "held") throw heldBy(verdict.by.byName);
  let stored: { id: string; at: Date; expiresAt: Date } | undefined;
  await appendChange(ctx, {
    ...describeClaim(verdict),
    target: auditTargetOf(row),
    detail: { attention: row.attention_reason, since: input.since, minutes, ...detailOf(verdict), ...via },
    within: async (client) => {
      stored = await readRow(client, storeClaim({ ctx, row, since: input.since, held, minutes, verdict }));
      if (stored === undefined) throw changedMeanwhile();
      await logRolloutChange(client, row);
    },
  });
  if (stored === undefined) throw new Error("the stored claim was not returned");
  const { id, at, expiresAt } = stored;
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
async function findClaim(connection: Connection, rolloutId: string): Promise<HeldClaim | undefined> {
  const query = tables
    .selectFrom("rollout as r")
    .innerJoinLateral(
      claimInForce
        .select(({ ref }) => [ref("k.id").$notNull().as("id"), "k.marked_by as by", "k.marked_by_name as byName"])
        .as("held"),
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
function storeClaim({
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
  return storeMark({
    ...{ kind: "claim", rolloutId: row.id, actor, reason: null, isExtended },
    id: isExtended && held !== undefined ? held.id : randomUUID(),
    until: secondsAfter(transactionTime, minutes * 60),
    isSame: allOf([
      eb("r.attention_reason", "=", row.attention_reason),
      eb(eb.fn<Date>("date_trunc", [sql.lit("milliseconds"), "r.attention_since"]), "=", asTime(since)),
      given(held, ({ id }) => eb.exists(claimInForce.select(sql.lit(1).as("one")).where("k.id", "=", id))),
    ]),
    mayReplace:
      held === undefined
        ? eb.or([
            eb("wait_mark.until", "<=", transactionTime),
            eb("wait_mark.attention_reason", "!=", eb.ref("excluded.attention_reason")),
            eb("wait_mark.attention_since", "!=", eb.ref("excluded.attention_since")),
            eb("wait_mark.revision_key", "!=", eb.ref("excluded.revision_key")),
          ])
        : eb("wait_mark.id", "=", held.id),
  }).returning(claimColumns);
}

function assertMayClaim({ actor }: ServiceContext, row: WaitRow): void {
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

const deleteClaim = tables.deleteFrom("wait_mark").where("kind", "=", "claim").returning(claimColumns);

/** Gives up the actor's own claim. Throws `conflict` without one: another person's is taken over instead. */
export async function releaseClaim({ ctx, input }: Call<RolloutPath>): Promise<Claim> {
  const { actor, runtime } = ctx;
  const row = await findWait(ctx, input);
  assertMayClaim(ctx, row);
  const held = await findClaim(runtime.pool, row.id);
  if (held === undefined) throw nobody();
  if (held.by !== actorKey(actor))
    throw new ServiceError(
      "conflict",
      `${held.byName} is on it, and only they can give that up. Take it over instead.`,
    );
  let released: RowOf<typeof deleteClaim> | undefined;
  await appendChange(ctx, {
    code: "inbox.claim-released",
    target: auditTargetOf(row),
    within: async (client) => {
      released = await readRow(client, deleteClaim.where("rollout_id", "=", row.id).where("id", "=", held.id));
      if (released === undefined) throw nobody();
      await logRolloutChange(client, row);
    },
  });
  if (released === undefined) throw new Error("the released claim was not returned");
  const { id, at, expiresAt } = released;
  return { id, who: actor.name, isMine: true, at: at.toISOString(), expiresAt: expiresAt.toISOString() };
}

function nobody(): ServiceError {
  return new ServiceError("conflict", "You have no claim on this rollout, or it has expired.");
}
