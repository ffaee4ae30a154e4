import { setTimeout as sleep } from "node:timers/promises";
import type { ActionAccepted } from "#lib/contract/action.ts";
import type { ActionGroupRequest } from "#lib/contract/action-group.ts";
import { isProtective } from "#lib/domain/acting/action-catalogue.ts";
import { groupCode } from "#lib/domain/acting/group-actions.ts";
import { makeEvidence } from "#lib/domain/audit/audit-entry.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { actOnRow, admit, assertIdempotencyKey, makeRow, traceAction, withAudit } from "#lib/server/acting/act/act.ts";
import {
  type ActionAttempt,
  attemptOf,
  normaliseReason,
  refuseAttempt,
} from "#lib/server/acting/act/action-attempt.ts";
import type { RefusedMember } from "#lib/server/acting/act/action-group.ts";
import { delayedMessage } from "#lib/server/acting/act/carry-out-plan.ts";
import { beginRun, inLane, isStopping, mostRuns, watchAnswers } from "#lib/server/acting/act/cluster-lanes.ts";
import type { ActionTarget } from "#lib/server/acting/act/prepare-action.ts";
import { resolveRollout } from "#lib/server/acting/act/resolve-rollout.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { actorKey, auditActorOf } from "#lib/server/platform/actor/actor.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { findTwin, forgetOldKey, insertGroup, type NewAction } from "#lib/server/records/action-store.ts";
import { cutText } from "#lib/util/text.ts";

/**
 * A member that has not begun by then does not begin any more. The recorder drops rows without an intent after 120 s
 * (`dropWithoutIntent`), since it cannot tell whether this process still lives.
 */
const beginWithinMs = 90_000;

type Admitted = { attempt: ActionAttempt; target: ActionTarget };
type Child = Admitted & { row: NewAction };

type Options = {
  ctx: ActingContext;
  input: ActionGroupRequest;
  idempotencyKey?: string | undefined;
  /** Observes how each member ends. */
  count?: (outcome: Promise<ActionAccepted>) => Promise<unknown>;
};

/**
 * Requests one action for many rollouts. Every member is an action of its own and passes each check of a single one;
 * the request is an entry of the audit log that they name. Resolves once that entry and a row for each member are
 * committed: from then on every member gets an outcome, from this process or from the recorder. `finished` resolves when
 * the last one has ended. The same idempotency key and body give the same request for 24 h.
 */
export async function actOnMany({
  ctx,
  input,
  idempotencyKey,
  count = (outcome) => outcome,
}: Options): Promise<{ seq: number; finished: Promise<void> }> {
  return withAudit(async () => {
    assertIdempotencyKey(idempotencyKey);
    const keyed = {
      actorKey: actorKey(ctx.actor),
      // Keys of single actions contain no space, so the two never meet.
      idempotencyKey: idempotencyKey === undefined ? undefined : `many ${idempotencyKey}`,
      requestHash: makeEvidence(input).digest,
    };
    await forgetOldKey(ctx.runtime.pool, keyed);
    const before = await findGroup(ctx, keyed);
    if (before !== undefined) return { seq: before, finished: Promise.resolve() };
    const end = beginRunOf(ctx, input);
    try {
      const { seq, children } = await storeGroup({ ctx, input, keyed, ...(await admitMembers(ctx, input)) });
      return { seq, finished: runChildren(children, count).finally(end) };
    } catch (error) {
      end();
      throw error;
    }
  });
}

/** Counts protective requests apart, so that promotions never keep a person from aborting. */
function beginRunOf({ runtime, actor }: ActingContext, { action }: ActionGroupRequest): () => void {
  const end = beginRun(runtime, `${isProtective(action) ? "protective" : "other"} ${actorKey(actor)}`);
  if (end !== undefined) return end;
  const detail = `${mostRuns} of your requests for many rollouts are still running. Try again when one has ended.`;
  throw new ServiceError("rate_limited", detail, { retryAfterSeconds: 10 });
}

/** Members that are looked up at the same time. */
const lookUpWidth = 8;

type Turned = { refused: RefusedMember; error: ServiceError };

/**
 * Authorises each member and looks it up. The refusals are audited, and noted in the entry of the request. Throws the
 * first one if no member is left: there is nothing to follow, and the idempotency key is not used up.
 */
async function admitMembers(
  ctx: ActingContext,
  { members, action, reason }: ActionGroupRequest,
): Promise<{ admitted: Admitted[]; refused: RefusedMember[] }> {
  const found: (Admitted | Turned)[] = [];
  for (let begin = 0; begin < members.length; begin += lookUpWidth) {
    const some = members.slice(begin, begin + lookUpWidth).map(async ({ expect, ...path }) => {
      const attempt = attemptOf({ ctx, path, input: { action, reason, expect } });
      const { params } = attempt.request;
      return admit({ attempt, resolve: () => resolveRollout(ctx, { path, action, params }) }).then(
        (target): Admitted => ({ attempt, target }),
        (error: unknown): Turned => {
          if (!isServiceError(error)) throw error;
          return { refused: { id: formatObjectRef(path), problem: error.code, message: error.message }, error };
        },
      );
    });
    found.push(...(await Promise.all(some)));
  }
  const admitted = found.filter((member) => "target" in member);
  const turned = found.filter((member) => "error" in member);
  const [first] = turned;
  if (admitted.length === 0 && first !== undefined) throw first.error;
  return { admitted, refused: turned.map(({ refused }) => refused) };
}

type Keyed = Pick<NewAction, "actorKey" | "idempotencyKey" | "requestHash">;

/** Finds the same request by its key. Throws `conflict` if the key was used for another one. */
async function findGroup({ runtime }: ActingContext, keyed: Keyed): Promise<number | undefined> {
  const twin = keyed.idempotencyKey === undefined ? undefined : await findTwin(runtime.pool, keyed);
  return twin === undefined ? undefined : Number(twin.group_seq);
}

/** The cause of the error that takes the entry back. */
const takenKey = "taken-key";

/**
 * Writes the entry of the request together with a row for each member, of which the first has the idempotency key.
 * Without children if the same request was stored meanwhile.
 */
async function storeGroup({
  ctx,
  input,
  keyed,
  admitted,
  refused,
}: Pick<Options, "ctx" | "input"> & {
  keyed: Keyed;
  admitted: readonly Admitted[];
  refused: readonly RefusedMember[];
}): Promise<{ seq: number; children: readonly Child[] }> {
  const { pool } = ctx.runtime;
  const { action, of, members } = input;
  let children: Child[] = [];
  try {
    const { seq } = await appendAudit({
      pool,
      entry: {
        actor: auditActorOf(ctx.actor),
        source: "gatehouse",
        code: groupCode,
        reason: normaliseReason(input.reason),
        requestId: ctx.requestId,
        outcome: "intent",
        detail: { action, of, members: members.length, ...summarizeRefused(refused) },
      },
      evidence: makeEvidence({ members, refused }),
      within: async (client, entry) => {
        children = admitted.map((member, index) => {
          const own = { ...member, attempt: { ...member.attempt, groupSeq: entry.seq } };
          const row = makeRow(own);
          return { ...own, row: index === 0 ? { ...row, ...keyed } : row };
        });
        const rows = children.map(({ row }) => row);
        if (!(await insertGroup(client, rows)))
          throw new ServiceError("conflict", "The idempotency key was used before.", { cause: takenKey });
      },
    });
    return { seq, children };
  } catch (error) {
    if (!isServiceError(error) || error.cause !== takenKey) throw error;
    const seq = await findGroup(ctx, keyed);
    if (seq === undefined) throw error;
    return { seq, children: [] };
  }
}

/** An entry has less than 64 KiB, which receivers of the log are told to accept. The evidence has all. */
const mostNamed = 20;
const longestMessage = 500;

function summarizeRefused(refused: readonly RefusedMember[]): { refused: RefusedMember[]; refusedCount: number } {
  const named = refused.slice(0, mostNamed);
  return {
    refused: named.map(({ message, ...member }) => ({ ...member, message: cutText(message, longestMessage) })),
    refusedCount: refused.length,
  };
}

/** Carries out the members, a few at a time of each cluster. Never rejects. */
async function runChildren(children: readonly Child[], count: NonNullable<Options["count"]>): Promise<void> {
  const beginBy = performance.now() + beginWithinMs;
  const answers = watchAnswers();
  const whyNotTried = ({ runtime }: ActingContext, cluster: string): string | undefined => {
    if (isStopping(runtime)) return "Gatehouse is stopping: nothing was sent. Try again.";
    if (performance.now() > beginBy) return "It was not its turn in time: nothing was sent. Try again.";
    return answers.isSilent(cluster) ? `Cluster ${cluster} does not answer: nothing was sent. Try again.` : undefined;
  };
  const run = async (child: Child) => {
    const { ctx, path, request } = child.attempt;
    const { cluster } = path;
    if (whyNotTried(ctx, cluster) === undefined) await sleep(answers.pauseMs(cluster));
    const message = whyNotTried(ctx, cluster);
    try {
      await count(message === undefined ? runChild(child) : refuseChild(child, message));
      answers.noteAnswer(cluster);
    } catch (error) {
      if (!isServiceError(error))
        ctx.runtime.log.error({ err: error, actionId: child.row.id, action: request.action }, "a member failed");
      else if (error.code === "cluster_refused") answers.noteAnswer(cluster);
      else if (message === undefined && error.code === "unavailable" && error.message !== delayedMessage)
        answers.noteFailure(cluster);
    }
  };
  await Promise.all(
    children.map((child) => {
      const { ctx, path } = child.attempt;
      const place = { cluster: path.cluster, protective: isProtective(child.target.action) };
      return inLane(ctx.runtime, place, () => run(child));
    }),
  );
}

function runChild({ attempt, target, row }: Child): Promise<ActionAccepted> {
  return withAudit(() => traceAction(attempt, () => actOnRow({ attempt, target, row })));
}

function refuseChild({ attempt, row }: Child, message: string): Promise<never> {
  return withAudit(async () => {
    throw await refuseAttempt({ attempt: { ...attempt, id: row.id }, refusal: { code: "unavailable", message } });
  });
}
