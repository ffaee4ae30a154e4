import { AnalysisPhase } from "#lib/contract/common.ts";
import type { CurrentRun, RolloutDetail, RolloutPath } from "#lib/contract/rollout.ts";
import { judgeActions } from "#lib/domain/acting/judge-actions.ts";
import { parseRollout, type RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { offerActions } from "#lib/domain/argo/plan/offer-actions.ts";
import { describeBlueGreen } from "#lib/domain/argo/view/blue-green.ts";
import { describeFollows } from "#lib/domain/argo/view/describe-rest.ts";
import { computeSteps } from "#lib/domain/argo/view/rollout-steps.ts";
import { computeRolloutView } from "#lib/domain/argo/view/rollout-view.ts";
import type { RevisionSet } from "#lib/domain/delivery/provider.ts";
import type { Runtime } from "#lib/server/runtime/runtime-types.ts";
import { judgeAtCluster, showClusterIdentity } from "#lib/server/services/acting/judge-at-cluster.ts";
import { readInboxEvidence } from "#lib/server/services/inbox/inbox-evidence.ts";
import { findRollout } from "#lib/server/services/rollouts/find-rollout.ts";
import { readActionGate } from "#lib/server/services/rollouts/read-action-gate.ts";
import { readReleaseRuns } from "#lib/server/services/rollouts/read-release-runs.ts";
import { type PodCounts, readPodCounts, readWorkload } from "#lib/server/services/rollouts/read-rollout-parts.ts";
import { serializeRollout } from "#lib/server/services/rollouts/rollout-row.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";
import { explainStaleness } from "#lib/server/services/system/source-freshness.ts";

/** One rollout as recorded, with its steps, runs and what the caller may do to it now. Throws `not_found`. */
export async function getRollout({ ctx, input }: { ctx: ServiceContext; input: RolloutPath }): Promise<RolloutDetail> {
  const { runtime } = ctx;
  const row = await findRollout(ctx, input);
  const [replicaSets, { gate, source }, runUids, podCounts] = await Promise.all([
    readReplicaSets(runtime, row.id),
    readActionGate({ ctx, row }),
    readRunUids(runtime, row.id),
    readPodCounts(runtime, row.id),
  ]);
  const parsed = parseRollout(row.object);
  const reason = explainStaleness(source, source?.is_held);
  if (!parsed.ok)
    throw new ServiceError("internal", `The recorded object of ${row.name} cannot be read: ${parsed.reason}.`);
  const rollout = parsed.value;
  const [allowedActions, clusterIdentity, releaseRuns, evidence] = await Promise.all([
    judgeAtCluster({
      ctx,
      place: { ...input, workloadRef: rollout.spec.workloadRef },
      actions: judgeActions(offerActions(rollout, { now: gate.permit.now, replicaSets, images: row.images }), gate),
    }),
    showClusterIdentity(ctx, row.cluster),
    readReleaseRuns(runtime, row, { aborted: rollout.status.abort }),
    readInboxEvidence(runtime, [row]),
  ]);
  return {
    ...serializeRollout(row, gate.access),
    ...describeObject({ rollout, replicaSets, podCounts }),
    workload: await readWorkload(runtime, { cluster: row.cluster, namespace: row.namespace, object: rollout }),
    currentRuns: listCurrentRuns(rollout, runUids),
    releaseRuns,
    evidence: evidence.get(row.id)?.items ?? [],
    currentExperiment: rollout.status.canary?.currentExperiment || null,
    blueGreen: serializeBlueGreen(rollout),
    source: {
      state: source?.state ?? "syncing",
      lastContact: source?.last_contact?.toISOString() ?? null,
      fresh: reason === null,
      reason,
    },
    allowedActions,
    clusterIdentity,
    firstSeenAt: row.first_seen_at.toISOString(),
  };
}

type ObjectPart = Pick<
  RolloutDetail,
  | "steps"
  | "follows"
  | "pauseConditions"
  | "controllerPause"
  | "paused"
  | "aborted"
  | "promoteFull"
  | "stableRevisionKey"
  | "replicas"
  | "conditions"
  | "replicaSets"
>;

function describeObject({
  rollout,
  replicaSets,
  podCounts,
}: {
  rollout: RolloutObject;
  replicaSets: readonly RevisionSet[];
  podCounts: ReadonlyMap<string, PodCounts>;
}): ObjectPart {
  const { spec, status } = rollout;
  const view = computeRolloutView({ rollout, replicaSets });
  return {
    steps: computeSteps(rollout),
    follows: describeFollows({ rollout }),
    pauseConditions: (status.pauseConditions ?? []).map(({ reason, startTime }) => ({
      reason,
      startTime: formatTime(startTime),
    })),
    controllerPause: status.controllerPause,
    paused: spec.paused,
    aborted: status.abort,
    promoteFull: status.promoteFull,
    stableRevisionKey: status.stableRS === "" ? null : status.stableRS,
    replicas: {
      desired: spec.replicas ?? 1,
      current: status.replicas,
      updated: status.updatedReplicas,
      ready: status.readyReplicas,
      available: status.availableReplicas,
    },
    conditions: (status.conditions ?? []).map((condition) => ({
      type: condition.type,
      status: condition.status,
      reason: condition.reason,
      message: condition.message,
      at: formatTime(condition.lastTransitionTime ?? condition.lastUpdateTime),
    })),
    replicaSets: view.replicaSets.map((replicaSet) => ({
      name: replicaSet.name,
      revision: replicaSet.revision ?? null,
      podHash: replicaSet.podHash ?? "",
      tags: replicaSet.tags,
      images: replicaSet.images,
      replicas: replicaSet.replicas,
      available: replicaSet.available,
      pods: podCounts.get(replicaSet.name) ?? { total: 0, ready: 0, restarts: 0 },
    })),
  };
}

function serializeBlueGreen(rollout: RolloutObject): RolloutDetail["blueGreen"] {
  const facts = describeBlueGreen(rollout);
  if (facts === null) return null;
  const { promotesAtMs, ...rest } = facts;
  return { ...rest, promotesAt: promotesAtMs === null ? null : new Date(promotesAtMs).toISOString() };
}

/** The runs that the status names. Its word for their phase may be ahead of what was recorded of the run. */
function listCurrentRuns(rollout: RolloutObject, uidByName: ReadonlyMap<string, string>): CurrentRun[] {
  const { canary, blueGreen } = rollout.status;
  const named = [
    { role: "step", run: canary?.currentStepAnalysisRunStatus },
    { role: "background", run: canary?.currentBackgroundAnalysisRunStatus },
    { role: "prePromotion", run: blueGreen?.prePromotionAnalysisRunStatus },
    { role: "postPromotion", run: blueGreen?.postPromotionAnalysisRunStatus },
  ] as const;
  return named.flatMap(({ role, run }) => {
    if (run === undefined) return [];
    const phase = AnalysisPhase.safeParse(run.status === undefined || run.status === "" ? "Pending" : run.status);
    return {
      role,
      name: run.name,
      uid: uidByName.get(run.name) ?? null,
      phase: phase.success ? phase.data : "Unknown",
      message: run.message ?? "",
    };
  });
}

async function readReplicaSets(runtime: Runtime, rolloutId: string): Promise<RevisionSet[]> {
  const { rows } = await runtime.pool.query<
    Omit<RevisionSet, "podHash" | "revision"> & { podHash: string | null; revision: number | null }
  >(
    `SELECT name, pod_hash AS "podHash", revision, images, replicas, ready, available, desired FROM replica_set
     WHERE rollout_id = $1 AND presence = 'live'`,
    [rolloutId],
  );
  return rows.map((row) => ({ ...row, podHash: row.podHash ?? undefined, revision: row.revision ?? undefined }));
}

/** Names of a rollout's runs to uids; a name that was used twice means the newest run. */
async function readRunUids(runtime: Runtime, rolloutId: string): Promise<Map<string, string>> {
  const { rows } = await runtime.pool.query<{ name: string; uid: string }>(
    "SELECT name, uid FROM analysis_run WHERE rollout_id = $1 ORDER BY created_at DESC LIMIT 100",
    [rolloutId],
  );
  return new Map(rows.toReversed().map((row) => [row.name, row.uid]));
}

/** Times of foreign objects as ISO text with milliseconds; null for text that is no time. */
function formatTime(text: string | undefined): string | null {
  const date = new Date(text ?? "");
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
