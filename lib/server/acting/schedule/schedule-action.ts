import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import type { RolloutActionRequest } from "#lib/contract/action.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { ScheduledAction } from "#lib/contract/scheduled-action.ts";
import { requestKeyOf } from "#lib/domain/acting/action-params.ts";
import { longestScheduleDays } from "#lib/domain/acting/schedule.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { admit, checkAttempt, withAudit } from "#lib/server/acting/act/act.ts";
import {
  type ActionAttempt,
  attemptOf,
  draftEntry,
  type Refusal,
  refuseAttempt,
} from "#lib/server/acting/act/action-attempt.ts";
import { collectEvidence } from "#lib/server/acting/act/collect-evidence.ts";
import { relatedStateOf } from "#lib/server/acting/act/prepare-action.ts";
import { resolveRollout } from "#lib/server/acting/act/resolve-rollout.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import {
  findOpenSchedule,
  noIdentity,
  type ScheduledRow,
  serializeScheduled,
} from "#lib/server/acting/schedule/scheduled-row.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { assertSessionOpen } from "#lib/server/people/auth/stored-session.ts";
import { type Actor, actorKey } from "#lib/server/platform/actor/actor.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { clockTime, readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { logChange } from "#lib/server/platform/db/log-change.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { jsonOf } from "#lib/server/platform/db/sql-functions.ts";
import { tables, toColumn } from "#lib/server/platform/db/tables.ts";
import { readStoredRequest, storeRequest } from "#lib/server/records/stored-request.ts";

/** One person's requests that are pending: more are refused. */
const mostOwn = 50;

/**
 * Schedules an action for a later time, after every check of a click; freezes and release windows are those that are
 * known for that time. It replaces a pending request for the same action on the rollout. The same request again gives
 * the same answer. Every refusal is audited and thrown as a `ServiceError`.
 */
export async function scheduleAction({
  ctx,
  input,
}: {
  ctx: ActingContext;
  input: RolloutPath & RolloutActionRequest & { dueAt: string };
}): Promise<ScheduledAction> {
  return withAudit(async () => {
    const { cluster, namespace, kind, name, action } = input;
    const path = { cluster, namespace, kind, name };
    const attempt = { ...attemptOf({ ctx, path, input }), dueAt: new Date(input.dueAt) };
    const { params } = attempt.request;
    const target = await admit({ attempt, resolve: () => resolveRollout(ctx, { path, action, params }) });
    const { pool } = ctx.runtime;
    const wrong = explainTime(attempt.dueAt, await readDatabaseTime(pool));
    if (wrong !== undefined) throw await refuseAttempt({ attempt, refusal: wrong });
    const { rolloutId } = target;
    const before = await findOpenSchedule(pool, { rolloutId, action });
    if (before !== undefined && isSame(before, attempt)) return serializeScheduled(before, ctx.actor);
    const { requested, prepared } = await checkAttempt({ attempt, target });
    const { subject } = attempt.request;
    const evidence = await collectEvidence({
      ...{ pool, rolloutId, rollout: prepared.rollout, related: relatedStateOf(requested), subject },
    });
    const id = randomUUID();
    const { viewDigest } = attempt.request.expect;
    const replaces = before === undefined ? {} : { replaces: before.id };
    const detail = { schedule: id, viewDigest, effect: prepared.plan.effect, ...replaces };
    const entry = draftEntry(attempt, { outcome: "applied", detail });
    try {
      await appendAudit({
        ...{ pool, entry, evidence },
        within: (client) => store({ client, attempt, id, rolloutId, before }),
      });
    } catch (error) {
      if (!isServiceError(error) || error.code !== "conflict") throw error;
      throw await refuseAttempt({ attempt, refusal: { code: "conflict", message: error.message } });
    }
    return serializeScheduled(await prismaOn(pool).scheduledAction.findFirstOrThrow({ where: { id } }), ctx.actor);
  });
}

function explainTime(dueAt: Date, now: Date): Refusal | undefined {
  const isTooFar = dueAt.getTime() - now.getTime() > longestScheduleDays * 86_400_000;
  const reason =
    dueAt <= now ? "is in the past" : isTooFar ? `is more than ${longestScheduleDays} days from now` : undefined;
  if (reason === undefined) return undefined;
  return {
    code: "invalid_request",
    message: `dueAt ${reason}.`,
    extra: { invalidParams: [{ name: "dueAt", reason }] },
  };
}

/** Returns whether the pending request is this one, sent again. */
function isSame(row: ScheduledRow, { ctx: { actor }, request, dueAt }: ActionAttempt & { dueAt: Date }): boolean {
  const asked = [request.reason ?? null, dueAt.getTime(), actorKey(actor), request.expect.viewDigest];
  const stored = [row.reason, row.dueAt.getTime(), row.requestedBy, row.expect.viewDigest];
  return (
    row.state === "pending" &&
    JSON.stringify(asked) === JSON.stringify(stored) &&
    requestKeyOf(request) === requestKeyOf({ action: row.action, params: readStoredRequest(row).params })
  );
}

/** Throws `conflict` if the person has too many, or if another request was stored or begun meanwhile. */
async function store({
  client,
  attempt: { ctx, path, request, dueAt },
  id,
  rolloutId,
  before,
}: {
  client: PoolClient;
  attempt: ActionAttempt & { dueAt: Date };
  id: string;
  rolloutId: string;
  before: ScheduledRow | undefined;
}): Promise<void> {
  const { actor } = ctx;
  const { cluster, namespace, kind, name } = path;
  await assertSessionOpen(client, actor);
  const requestedBy = toColumn(actorKey(actor));
  const own = await prismaOn(client).scheduledAction.count({ where: { requestedBy, state: "pending" } });
  if (own >= mostOwn)
    throw new ServiceError("conflict", `You have scheduled ${own} actions already: withdraw some first.`);
  if (before !== undefined) await replace(client, before, actor);
  const inserted = await write(
    client,
    tables
      .insertInto("scheduled_action")
      .values({
        ...{ id, rollout_id: rolloutId, cluster, namespace, kind, name, action: request.action, due_at: dueAt },
        params: toStorableJson(storeRequest(request)),
        expect: jsonOf<Column.Expectation>(toStorableJson(request.expect)),
        reason: toColumn(request.reason),
        requested_by: requestedBy,
        requested_by_name: toColumn(actor.name),
        requested_username: toColumn(actor.username),
        identity: jsonOf<Column.ScheduledIdentity>(JSON.stringify(identityOf(actor))),
      })
      .onConflict((conflict) => conflict.doNothing()),
  );
  if (inserted !== 1) throw new ServiceError("conflict", "This action was scheduled meanwhile. Look again.");
  await logChange(client, { kind: "scheduled-action", ref: id, cluster, namespace, object_kind: kind, name });
}

async function replace(client: PoolClient, { id }: ScheduledRow, actor: Actor): Promise<void> {
  const replaced = await write(
    client,
    tables
      .updateTable("scheduled_action")
      .set({
        state: "superseded",
        message: toColumn(`Replaced by a later request of ${actor.name}.`),
        ended_at: clockTime,
        identity: noIdentity,
      })
      .where("id", "=", id)
      .where("state", "=", "pending"),
  );
  if (replaced !== 1) throw new ServiceError("conflict", "This action is being done now, or has ended. Look again.");
}

function identityOf(actor: Actor): Column.ScheduledIdentity {
  const { groups, token, session } = actor;
  // The claims of a token follow from its owner's name and groups.
  const claims = token === undefined ? actor.claims : {};
  return { groups, claims, token: token?.id ?? null, session: session?.id ?? null };
}
