import type { ActionAccepted } from "#lib/contract/action.ts";
import type { ActionPlan } from "#lib/domain/acting/plan.ts";
import { isDeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import type { Provider } from "#lib/domain/delivery/provider.ts";
import { type ActionAttempt, draftEntry } from "#lib/server/acting/act/action-attempt.ts";
import type { PlanResult, SentPatch } from "#lib/server/acting/act/carry-out-plan.ts";
import type { Prepared } from "#lib/server/acting/act/prepare-action.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { describePerson } from "#lib/server/platform/actor/actor.ts";
import { type StoredPlan, updateAction } from "#lib/server/records/action-store.ts";
import type { NewGateDecision } from "#lib/server/records/gate-decisions.ts";
import type { StoredVote } from "#lib/server/records/stored-votes.ts";

/**
 * Writes what became of an action, as an audit entry and in its row. Returns the state to report: `unknown` if nothing
 * can be written, since the intent is in the log and the recorder reads its outcome back.
 */
export async function recordOutcome({
  attempt,
  provider,
  result,
  sent,
  patches,
  place,
}: {
  attempt: ActionAttempt & { id: string };
  /** As the cluster got them. */
  patches: readonly SentPatch[];
  provider: Provider;
  result: Exclude<PlanResult, { outcome: "refused" }>;
  sent: Prepared;
  place: Record<string, unknown>;
}): Promise<ActionAccepted["state"]> {
  const { id, ctx } = attempt;
  const { outcome, message } = result;
  const { pool, log } = ctx.runtime;
  try {
    await appendAudit({
      pool,
      entry: draftEntry(attempt, { outcome, detail: { message, sent: patches, ...place } }),
      within: async (client, { seq }) => {
        const change = {
          state: outcome,
          message,
          outcomeSeq: seq,
          isApplied: outcome === "applied",
          ...deadlineOf(provider, sent.plan),
          plan: {
            ...storedPlanOf(provider, sent, result.outcome === "applied" ? result.object : undefined),
            ...(result.outcome === "unknown" ? { patchesDone: result.patchesDone } : {}),
          },
        };
        // A decision gets one outcome: the recorder may have found meanwhile that it is kept.
        const from = sent.plan.decision === undefined ? undefined : (["requested"] as const);
        const isOpen = await updateAction({ client, id, change, ...(from && { from }) });
        if (from !== undefined && !isOpen) throw new Error("another process has settled this action");
      },
    });
    return outcome;
  } catch (error) {
    log.error({ err: error, actionId: id, outcome }, "the outcome of an action could not be written");
    return "unknown";
  }
}

/** Returns the decision that the plan makes, as it is stored; undefined if it sends patches. */
export function decisionOf({
  attempt: { id, path, request, ctx },
  prepared: { rollout, plan },
  rolloutId,
  overrode,
}: {
  attempt: ActionAttempt & { id: string };
  prepared: Prepared;
  rolloutId: string;
  /** Ids of the freezes that the person overrides. */
  overrode: readonly string[];
}): NewGateDecision | undefined {
  if (plan.decision === undefined) return undefined;
  const { gate, verdict, bound, expiresInSeconds } = plan.decision;
  const { cluster, namespace, kind, name } = path;
  if (rollout === undefined || !isDeliveryKind(kind)) throw new Error(`no gates are known of ${kind} ${name}`);
  return {
    ...{ id, rolloutId, cluster, namespace, kind, name, gate, verdict, bound, overrode },
    uid: rollout.metadata.uid,
    actorName: ctx.actor.name,
    reason: request.reason ?? "",
    expiresInSeconds,
  };
}

function deadlineOf({ acting }: Provider, { expectedEffect }: ActionPlan): { deadlineSeconds?: number } {
  const facts = acting.readEffect(expectedEffect);
  return facts === undefined ? {} : { deadlineSeconds: facts.deadlineSeconds(new Date()) };
}

/** Returns what the row remembers of the plan; `answer` is the cluster's answer to the last patch. */
export function storedPlanOf(provider: Provider, { rollout, plan }: Prepared, answer?: unknown): StoredPlan {
  const expected = plan.expectedEffect;
  const answered = plan.target === undefined && answer !== undefined ? provider.parse(answer) : undefined;
  return {
    provider: provider.name,
    patches: plan.shown,
    ...(plan.decision === undefined ? {} : { isDecision: true }),
    expectedEffect: answered?.ok ? answered.value.acting.noteAnswer(expected) : expected,
    runKey: rollout?.runKey,
    targetUid: plan.target?.uid,
    digest: rollout?.viewDigest,
    resourceVersion: rollout?.metadata.resourceVersion,
    passesPauses: plan.passesPauses,
  };
}

/** Returns the detail of an intent; of a pod template only what may be shown, since an entry is kept for ever. */
export function describeIntent({
  prepared: { rollout, plan },
  seenDigest,
  approvers,
}: {
  prepared: Prepared;
  seenDigest: string;
  approvers: readonly StoredVote[] | undefined;
}): Record<string, unknown> {
  const viewDigest = rollout?.viewDigest;
  return {
    effect: plan.effect,
    waives: plan.waives,
    patches: plan.shown,
    patched: plan.target,
    decision: plan.decision,
    kubectl: plan.kubectl,
    ...rollout?.acting.describePlace(),
    podHash: rollout?.runKey,
    viewDigest,
    ...(seenDigest === viewDigest || viewDigest === undefined ? {} : { seenDigest }),
    resourceVersion: rollout?.metadata.resourceVersion,
    approvedBy: approvers?.map(describePerson),
  };
}
