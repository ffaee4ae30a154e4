import { type ExpectedEffect, effectDeadlineSeconds, type PatchTarget } from "#lib/domain/argo/plan/action-effect.ts";
import {
  assessReadBack,
  assessTargetReadBack,
  carriesTemplate,
  digestTemplate,
  type ReadBack,
} from "#lib/domain/argo/plan/assess-read-back.ts";
import { carriesSubjectChange } from "#lib/domain/argo/plan/plan-terminate.ts";
import { describeRest } from "#lib/domain/argo/plan/plan-types.ts";
import { StoredPlan, updateAction } from "#lib/server/acting/action-store.ts";
import { findIgnoredField } from "#lib/server/acting/find-ignored-field.ts";
import type { FollowOne } from "#lib/server/acting/followed-row.ts";
import { fetchLive, fetchTarget, type Unread } from "#lib/server/acting/look-live.ts";
import { entryOf, settleWithEntry } from "#lib/server/acting/settle-action.ts";

/** Reads back from the cluster what became of patches whose answer never came. Answers whether that is known now. */
export async function resolveUnknown({ pool, clusterFor, silent, row, onError }: FollowOne): Promise<boolean> {
  const stored = StoredPlan.safeParse(row.plan);
  if (!stored.success) {
    // Its patch may still be under way, and the next action must not come before it.
    if (!row.is_grace_over) return false;
    onError?.(stored.error, row.id);
    const message = "What was sent cannot be read from its record. Look at the rollout before you act again.";
    return settleUnknown({ pool, row, verdict: { outcome: "undecidable", message } });
  }
  const plan = stored.data;
  const { patches, expectedEffect: expected, digest, resourceVersion } = plan;
  if (expected?.target !== undefined)
    return resolveTarget({ pool, clusterFor, silent, row, plan, expected, target: expected.target });
  if (patches === undefined || expected === undefined || digest === undefined || resourceVersion === undefined)
    return settleUnknown({ pool, row, verdict: { outcome: "undecidable", message: "The plan was not recorded." } });
  const look = await fetchLive({ clusterFor, silent, row });
  if (look.kind === "unread") return sayUnread({ pool, row, ...look });
  if (look.kind === "missing")
    return settleUnknown({ pool, row, verdict: { outcome: "undecidable", message: "The rollout is gone." } });
  const { template } = expected;
  const rollout = look.object;
  const verdict = assessReadBack({
    rollout,
    carries:
      template !== undefined
        ? [carriesTemplate(rollout.spec.template, template)]
        : patches.map(
            ({ body }, index) =>
              index < (plan.patchesDone ?? 0) || findIgnoredField({ asked: body, answered: rollout }) === undefined,
          ),
    sentAt: row.requested_at,
    unproven: patches.slice(plan.patchesDone ?? 0).map(({ body }) => body),
    before: { digest, resourceVersion },
    expected,
    isGraceOver: row.is_grace_over,
  });
  if (verdict.outcome === "waiting") return false;
  const remains = verdict.outcome === "partial" && patches[1] !== undefined ? ` ${describeRest(patches[1])}` : "";
  const told = { ...verdict, message: verdict.message + remains };
  return settleUnknown({ pool, row, verdict: told, expected });
}

/** What was patched beside the rollout is read back itself: the rollout may show it much later, or never. */
async function resolveTarget({
  pool,
  clusterFor,
  silent,
  row,
  plan,
  expected,
  target,
}: FollowOne & { plan: StoredPlan; expected: ExpectedEffect; target: PatchTarget }): Promise<boolean> {
  const look = await fetchTarget({ clusterFor, silent, row, target });
  if (look.kind === "unread") return sayUnread({ pool, row, ...look });
  if (look.kind === "missing")
    return settleUnknown({
      pool,
      row,
      verdict: { outcome: "undecidable", message: `${target.kind} ${target.name} is gone.` },
    });
  const { template } = expected;
  const { object } = look;
  const own = object.kind === "Deployment" ? object.spec.template : undefined;
  const verdict = assessTargetReadBack({
    metadata: object.metadata,
    target,
    carries:
      object.kind === "Deployment"
        ? template !== undefined && carriesTemplate(own, template)
        : carriesSubjectChange({ expected, object }),
    isAsBefore: object.kind === "Deployment" ? digestTemplate(own) === template?.before : true,
    isGraceOver: row.is_grace_over,
    sentAt: row.requested_at,
    unproven: (plan.patches ?? []).map(({ body }) => body),
  });
  return verdict.outcome === "waiting" ? false : settleUnknown({ pool, row, verdict, expected });
}

/** It stays open; whoever waits for it is told what has to be mended before it can be read back. */
async function sayUnread({ pool, row, why }: Pick<FollowOne, "pool" | "row"> & Unread): Promise<false> {
  if (why !== undefined && why !== row.message)
    await updateAction({ client: pool, id: row.id, change: { message: why }, from: ["unknown", "requested"] });
  return false;
}

/** Writes what was found out, unless somebody else did meanwhile. */
async function settleUnknown({
  pool,
  row,
  verdict,
  expected = { kind: "resumed" },
}: Pick<FollowOne, "pool" | "row"> & {
  verdict: Exclude<ReadBack, { outcome: "waiting" }>;
  expected?: Pick<ExpectedEffect, "kind" | "restartAt">;
}): Promise<boolean> {
  const { outcome, message } = verdict;
  const state = outcome === "undecidable" ? "not-effective" : outcome;
  return settleWithEntry({
    pool,
    row,
    entry: { ...entryOf({ row, message }), outcome: outcome === "undecidable" ? "unknown" : outcome },
    changeOf: (seq) => ({
      state,
      message,
      outcomeSeq: seq,
      isApplied: outcome === "applied",
      deadlineSeconds: effectDeadlineSeconds(expected, new Date()),
    }),
    from: ["unknown", "requested"],
  });
}
