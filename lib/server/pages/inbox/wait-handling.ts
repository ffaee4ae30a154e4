import { sql } from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import type { Snooze, WaitHandling } from "#lib/contract/wait-handling.ts";
import { rolloutActions } from "#lib/domain/acting/action-catalogue.ts";
import { mayAct, type Rights, type Target } from "#lib/domain/policy/rights.ts";
import { maySnoozeUntilChange } from "#lib/domain/waiting/judge-handling.ts";
import { mayAcknowledge } from "#lib/server/oversight/findings/acknowledge.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { timeOf } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import type { RolloutRow } from "#lib/server/records/rollout-row.ts";
import { markOfWait } from "#lib/server/records/wait-mark.ts";

const eb = fragment<{ r: "rollout" }>();

/** The claim in force on rollout `r`, by the database's clock: one of an earlier wait or revision counts no more. */
export const claimInForce = markOfWait("claim")
  .whereRef("k.revision_key", "=", "r.revision_key")
  .where("k.until", ">", transactionTime);

/**
 * The snooze in force on rollout `r`. It ends with its time, else with the view; and at once with another wait, another
 * severity or another revision.
 */
const snoozeInForce = markOfWait("snooze")
  .whereRef("k.attention_severity", "is not distinct from", "r.attention_severity")
  .whereRef("k.revision_key", "=", "r.revision_key")
  .where((of) =>
    of.or([
      of("k.until", ">", transactionTime),
      of.and([of("k.until", "is", null), of("k.view_digest", "=", of.ref("r.view_digest"))]),
    ]),
  );

/** Rollout `r` is snoozed. */
export const isSnoozed = eb.exists(snoozeInForce.select(sql.lit(1).as("one")));

/** In the audit entry of a click outside of our pages: where it was, and as whom. */
export type ClickedIn = { via: "slack"; slackUser: string };

type StoredClaim = { id: string; by: string; who: string; at: string; expiresAt: string };

/** Null without a claim. */
export const claim = claimInForce.select(({ ref }) =>
  jsonBuildObject({
    id: ref("k.id").$notNull(),
    by: ref("k.marked_by"),
    who: ref("k.marked_by_name"),
    at: timeOf(ref("k.marked_at")),
    expiresAt: timeOf(ref("k.until")),
  }).as("claim"),
);

/** Null while it is not snoozed. */
export const snoozed = snoozeInForce.select(({ ref }) =>
  jsonBuildObject({
    who: ref("k.marked_by_name"),
    at: timeOf(ref("k.marked_at")),
    until: timeOf(ref("k.until")),
    reason: ref("k.reason"),
  })
    .$castTo<Snooze>()
    .as("snooze"),
);

/** Returns whether the actor may claim, which takes the right to any action there. */
export function mayClaim(rights: Rights, target: Target): boolean {
  return mayAcknowledge(rights, target) || rolloutActions.some((action) => mayAct(rights, { action, target }));
}

/** The longest snooze until a time: every wait is seen again within a day. */
export const maxSnoozeHours = 24;

type HandledRow = Target & Pick<RolloutRow, "attention_reason" | "attention_severity">;

export function serializeHandling(
  { actor }: ServiceContext,
  row: HandledRow & { claim: StoredClaim | null; snooze: Snooze | null },
): WaitHandling {
  const { attention_reason: reason, attention_severity: severity } = row;
  const isAllowed = reason !== null && mayAcknowledge(actor.rights, row);
  return {
    claim: row.claim === null ? null : serializeClaim(actor, row.claim),
    mayClaim: mayClaim(actor.rights, row),
    snooze: row.snooze,
    maySnooze: isAllowed
      ? {
          maxHours: maxSnoozeHours,
          untilChange: maySnoozeUntilChange({ reason, severity: severity ?? "warning" }),
        }
      : null,
  };
}

function serializeClaim(actor: ServiceContext["actor"], { by, ...rest }: StoredClaim): WaitHandling["claim"] {
  return { ...rest, isMine: by === actorKey(actor) };
}

/** Reads the claim and the snooze of a waiting rollout; null if it does not wait. */
export async function readHandling(
  ctx: ServiceContext,
  row: HandledRow & Pick<RolloutRow, "id" | "attention_since" | "presence">,
): Promise<WaitHandling | null> {
  if (row.attention_reason === null || row.attention_since === null || row.presence !== "live") return null;
  const query = tables
    .selectFrom("rollout as r")
    .select([claim.as("claim"), snoozed.as("snooze")])
    .where("r.id", "=", row.id);
  const found = await readRow(ctx.runtime.pool, query);
  return serializeHandling(ctx, { ...row, claim: found?.claim ?? null, snooze: found?.snooze ?? null });
}
