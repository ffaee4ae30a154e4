import { type ExpectedEffect, effectDeadlineSeconds, type PatchTarget } from "#lib/domain/argo/action-effect.ts";
import {
  assessReadBack,
  assessTargetReadBack,
  carriesTemplate,
  digestTemplate,
  type ReadBack,
} from "#lib/domain/argo/assess-read-back.ts";
import { carriesSubjectChange } from "#lib/domain/argo/plan-terminate.ts";
import { describeRest } from "#lib/domain/argo/plan-types.ts";
import { StoredPlan } from "#lib/server/acting/action-store.ts";
import { findIgnoredField } from "#lib/server/acting/find-ignored-field.ts";
import type { FollowOne } from "#lib/server/acting/followed-row.ts";
import { fetchLive, fetchTarget } from "#lib/server/acting/look-live.ts";
import { entryOf, settleWithEntry } from "#lib/server/acting/settle-action.ts";

/** Reads back from the cluster what became of patches whose answer never came. Answers whether that is known now. */
export async function resolveUnknown({ pool, clusterFor, silent, row }: FollowOne): Promise<boolean> {
  const plan = StoredPlan.parse(row.plan);
  const { patches, expectedEffect: expected, digest, resourceVersion } = plan;
  if (expected?.target !== undefined)
    return resolveTarget({ pool, clusterFor, silent, row, expected, target: expected.target });
  if (patches === undefined || expected === undefined || digest === undefined || resourceVersion === undefined)
    return settleUnknown({ pool, row, verdict: { outcome: "undecidable", message: "The plan was not recorded." } });
  const rollout = await fetchLive({ clusterFor, silent, row });
  if (rollout === undefined) return false;
  if (rollout === "missing")
    return settleUnknown({ pool, row, verdict: { outcome: "undecidable", message: "The rollout is gone." } });
  const { template } = expected;
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
  expected,
  target,
}: FollowOne & { expected: ExpectedEffect; target: PatchTarget }): Promise<boolean> {
  const object = await fetchTarget({ clusterFor, silent, row, target });
  if (object === undefined) return false;
  if (object === "missing")
    return settleUnknown({
      pool,
      row,
      verdict: { outcome: "undecidable", message: `${target.kind} ${target.name} is gone.` },
    });
  const { template } = expected;
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
    unproven: (StoredPlan.parse(row.plan).patches ?? []).map(({ body }) => body),
  });
  return verdict.outcome === "waiting" ? false : settleUnknown({ pool, row, verdict, expected });
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
