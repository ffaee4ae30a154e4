import type { Pool } from "pg";
import type { ViewChange } from "#lib/contract/problem.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";
import { type ActionGate, judgeActions } from "#lib/domain/acting/judge-actions.ts";
import { currentStepOf, type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { offerActions } from "#lib/domain/argo/plan/offer-actions.ts";
import { computeRolloutStatus } from "#lib/domain/argo/view/rollout-status.ts";
import { diffDecisionViews, parseDecisionView } from "#lib/domain/argo/view/view-changes.ts";
import { computeDecisionView, computeViewDigest, type DecisionView } from "#lib/domain/argo/view/view-digest.ts";
import { redactTextOf } from "#lib/domain/storable/redact-object.ts";
import type { ActionPlace } from "#lib/server/acting/action-place.ts";
import { readRecordedRevisions } from "#lib/server/acting/recorded-revisions.ts";

/** What a refused person needs to decide anew: what changed, and the rollout as the cluster has it now. */
export async function describeStaleView({
  pool,
  path,
  seenDigest,
  rollout,
  gate,
}: {
  pool: Pool;
  path: ActionPlace;
  seenDigest: string;
  rollout: RolloutObject;
  gate: ActionGate;
}): Promise<{ changes: ViewChange[]; current: Record<string, unknown> & { allowedActions: AllowedAction[] } }> {
  const now = computeDecisionView(rollout);
  const seen = await findSeenView({ pool, path, seenDigest });
  const { phase, message } = computeRolloutStatus(rollout);
  return {
    changes: diffDecisionViews(seen, now),
    current: {
      id: `${path.cluster}/${path.namespace}/${path.kind}/${path.name}`,
      uid: now.uid,
      revisionKey: now.currentPodHash,
      viewDigest: computeViewDigest(rollout),
      phase,
      message: redactTextOf(rollout, message),
      step: stepsOf(rollout).length === 0 ? null : currentStepOf(rollout),
      stepCount: stepsOf(rollout).length,
      view: now,
      allowedActions: judgeActions(
        offerActions(rollout, {
          now: gate.permit.now,
          replicaSets: await readRecordedRevisions({ pool, cluster: path.cluster, rolloutUid: now.uid }),
        }),
        gate,
      ),
    },
  };
}

/** The view that the person saw, by its digest among the observations of this address; undefined for a digest nobody recorded. */
async function findSeenView({
  pool,
  path,
  seenDigest,
}: {
  pool: Pool;
  path: ActionPlace;
  seenDigest: string;
}): Promise<DecisionView | undefined> {
  if (!/^[0-9a-f]{64}$/.test(seenDigest)) return undefined;
  const { rows } = await pool.query<{ projection: unknown }>(
    `SELECT o.projection FROM observation o JOIN rollout r ON r.id = o.rollout_id
     WHERE o.view_digest = $1 AND r.cluster = $2 AND r.namespace = $3 AND r.kind = $4 AND r.name = $5
     ORDER BY o.id DESC LIMIT 1`,
    [seenDigest, path.cluster, path.namespace, path.kind, path.name],
  );
  const projection = rows[0]?.projection;
  return parseDecisionView(projection) ?? parseDecisionView((projection as { view?: unknown } | undefined)?.view);
}
