import type { Pool } from "pg";
import type { ActionAccepted } from "#lib/contract/action.ts";
import { ActionName, RolloutPath } from "#lib/contract/rollout.ts";
import { isProtective, rolloutActions } from "#lib/domain/acting/action-catalogue.ts";
import { scheduleGraceMinutes } from "#lib/domain/acting/schedule.ts";
import { act } from "#lib/server/acting/act/act.ts";
import { type ActionAttempt, refuseAttempt } from "#lib/server/acting/act/action-attempt.ts";
import { inLane } from "#lib/server/acting/act/cluster-lanes.ts";
import { resolveRollout } from "#lib/server/acting/act/resolve-rollout.ts";
import { endScheduled, endUndone, type ScheduleEnd } from "#lib/server/acting/schedule/end-scheduled.ts";
import type { ScheduledRow } from "#lib/server/acting/schedule/scheduled-row.ts";
import { hasNameOfRobot } from "#lib/server/people/auth/derive-rights.ts";
import { deriveRightsNow } from "#lib/server/people/auth/derive-rights-now.ts";
import { tokenClaims } from "#lib/server/people/auth/token-secret.ts";
import { type Actor, parseActorKey } from "#lib/server/platform/actor/actor.ts";
import { isServiceError } from "#lib/server/platform/actor/service-error.ts";
import { clockTime, readDatabaseTime, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { StoredPlan } from "#lib/server/records/action-store.ts";
import { readStoredRequest } from "#lib/server/records/stored-request.ts";

/** A claim ends after this long: its process is gone, or comes too late for the intent. */
const claimSeconds = 60;

/** Observes how an action ends. */
export type CountScheduled = (action: string, outcome: Promise<ActionAccepted>) => Promise<unknown>;

type Claimed = { row: ScheduledRow; isLate: boolean };

/**
 * Claims requests whose time has come by the database's clock, and those whose process has not ended them in time. A
 * claim is one process's: its number goes into the intent.
 */
export async function claimDue({ pool }: Pick<Runtime, "pool">, room: number): Promise<Claimed[]> {
  const claimed = await readRows(
    pool,
    tables
      .with("due", (db) =>
        db
          .selectFrom("scheduled_action as d")
          .select("d.id")
          .where("d.state", "in", ["pending", "running"])
          .where("d.due_at", "<=", clockTime)
          .where((eb) =>
            eb.or([eb("d.state", "=", "pending"), eb("d.claimed_at", "<", secondsBefore(clockTime, claimSeconds))]),
          )
          .orderBy((eb) => eb("d.action", "not in", protectiveActions))
          .orderBy("d.due_at")
          .limit(room)
          .forUpdate()
          .skipLocked(),
      )
      .updateTable("scheduled_action as s")
      .set((eb) => ({ state: "running" as const, claim: eb("s.claim", "+", 1), claimed_at: clockTime }))
      .from("due")
      .whereRef("s.id", "=", "due.id")
      .returning((eb) => [
        "s.id",
        "s.claim",
        eb("s.due_at", "<", secondsBefore(clockTime, scheduleGraceMinutes * 60))
          .$castTo<boolean>()
          .as("is_late"),
      ]),
  );
  const rows = await prismaOn(pool).scheduledAction.findMany({ where: { id: { in: claimed.map(({ id }) => id) } } });
  return rows
    .flatMap((row) => {
      const own = claimed.find(({ id, claim }) => id === row.id && claim === row.claim);
      return own === undefined ? [] : [{ row, isLate: own.is_late }];
    })
    .toSorted((one, other) => rankOf(one.row) - rankOf(other.row));
}

const protectiveActions = rolloutActions.filter(isProtective);

/** Protective ones first. */
function rankOf({ action }: ScheduledRow): number {
  return rolloutActions.some((name) => name === action && isProtective(name)) ? 0 : 1;
}

/**
 * Does what was claimed, as the person who asked, through every check of a click. A request that has become an action
 * before, or was refused, only ends: the recorder follows its action. Whatever a failure leaves open is claimed again
 * later.
 */
export async function runScheduled(runtime: Runtime, { row, isLate }: Claimed, count: CountScheduled): Promise<void> {
  const { pool } = runtime;
  const end = await findEnd(pool, row);
  if (end !== undefined) {
    await endScheduled(pool, row, end);
  } else if (isLate) {
    const message = `Not done: Gatehouse could not do it within ${scheduleGraceMinutes} minutes of its time.`;
    await endUndone({ pool, row, end: { state: "missed", message } });
  } else {
    const { cluster } = row;
    await inLane(runtime, { cluster, protective: rankOf(row) === 0 }, () => doNow(runtime, row, count));
  }
}

async function doNow(runtime: Runtime, row: ScheduledRow, count: CountScheduled): Promise<void> {
  const { pool } = runtime;
  // Another process has claimed it while it waited for its cluster's lane.
  if ((await readClaimed(pool, row)) === null) return;
  try {
    await count(row.action, actAsRequester(runtime, row));
  } catch (error) {
    // If nothing could be written, it is claimed again.
    if (!isServiceError(error) || error.code === "audit_unavailable") throw error;
    const now = await readClaimed(pool, row);
    if (now === null) return;
    const { actionId } = error.extra;
    await endScheduled(pool, now, { state: "refused", message: error.message, actionId });
    return;
  }
  const now = await readClaimed(pool, row);
  if (now !== null) await endScheduled(pool, now, { state: "done", message: "" });
}

/** Reads the row again, with what its intent has written; null if the claim is not in force any more. */
function readClaimed(pool: Pool, { id, claim, state }: ScheduledRow): Promise<ScheduledRow | null> {
  return prismaOn(pool).scheduledAction.findFirst({ where: { id, claim, state } });
}

/**
 * Finds how an earlier claim has ended it: by an intent, or by a refusal. What the recorder dropped before its intent,
 * and what lost against a newer claim, has decided nothing.
 */
async function findEnd(pool: Pool, row: ScheduledRow): Promise<ScheduleEnd | undefined> {
  if (row.claim === 1) return undefined;
  const actions = await prismaOn(pool).action.findMany({
    where: { actorKey: row.requestedBy, idempotencyKey: { startsWith: keyPrefix(row) } },
    select: { id: true, state: true, message: true, plan: true },
  });
  const intended = actions.find(({ id }) => id === row.actionId);
  if (intended !== undefined && intended.state !== "refused") return { state: "done", message: "" };
  const refused = intended ?? actions.find(({ state, plan }) => state === "refused" && isRefusal(plan));
  if (refused === undefined) return undefined;
  return { state: "refused", message: refused.message, actionId: refused.id };
}

function isRefusal(plan: unknown): boolean {
  const code = StoredPlan.safeParse(plan).data?.refusal?.code;
  return code !== undefined && code !== "conflict";
}

async function actAsRequester(runtime: Runtime, row: ScheduledRow): Promise<ActionAccepted> {
  const { cluster, namespace, kind, name, action } = row;
  const path = RolloutPath.parse({ cluster, namespace, kind, name });
  const { actor, obstacle } = await findRequester(runtime, row);
  const { params } = readStoredRequest(row);
  const ctx = { runtime, actor, requestId: `schedule-${row.id}` };
  const attempt: ActionAttempt = {
    ...{ ctx, path, id: undefined, schedule: { id: row.id, claim: row.claim } },
    request: { action: ActionName.parse(action), params, expect: row.expect, reason: row.reason ?? undefined },
  };
  if (obstacle !== undefined) throw await refuseAttempt({ attempt, refusal: { code: "forbidden", message: obstacle } });
  const resolve = () => resolveRollout(ctx, { path, action, params });
  return act({ attempt, idempotencyKey: `${keyPrefix(row)}${row.claim}`, resolve });
}

/** Each claim has a key of its own: only the intent decides which one does it. No request may have one with spaces. */
function keyPrefix({ id }: Pick<ScheduledRow, "id">): string {
  return `schedule ${id} `;
}

/**
 * Returns the person who scheduled the action, with the rights that the config in force gives them: by the name, the
 * groups and the claims of the session in which they asked, or by their token. `obstacle`: why they may not act at all.
 */
async function findRequester(
  runtime: Runtime,
  row: ScheduledRow,
): Promise<{ actor: Actor; obstacle: string | undefined }> {
  const { issuer, subject } = parseActorKey(row.requestedBy);
  const { requestedUsername: username, requestedByName: name } = row;
  const { groups, claims, token: tokenId } = row.identity;
  const token = tokenId === null ? undefined : await findToken(runtime, tokenId);
  const isGone = tokenId !== null && token === undefined;
  const identity = { issuer, subject, username, groups };
  const granted = isGone
    ? undefined
    : deriveRightsNow(runtime, { identity, ...(token === undefined ? {} : { token }) });
  const actor: Actor = {
    type: tokenId === null ? "user" : "token",
    ...{ userId: "", issuer, subject, name, groups, username },
    ...(granted ?? noRights),
    claims: tokenId === null ? claims : tokenClaims({ runtime, subject, username, groups }),
    hasNameOfRobot: hasNameOfRobot({ issuer, username }, runtime.config().config.auth),
    ...(token === undefined ? {} : { token: { id: token.id, name: token.name } }),
  };
  if (isGone) return { actor, obstacle: "The token that scheduled it was revoked, or has expired." };
  return { actor, obstacle: granted === undefined ? `The config no longer gives ${name} any rights.` : undefined };
}

const noRights: Pick<Actor, "role" | "rights"> = { role: "viewer", rights: { cap: "viewer", grants: [] } };

/** Returns undefined if the token may not be used any more. */
async function findToken({ pool }: Pick<Runtime, "pool">, id: string) {
  const now = await readDatabaseTime(pool);
  const token = await prismaOn(pool).apiToken.findFirst({
    where: { id, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    select: { id: true, name: true, role: true, restricted: true },
  });
  return token ?? undefined;
}
