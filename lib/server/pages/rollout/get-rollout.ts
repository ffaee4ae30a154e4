import { AnalysisPhase } from "#lib/contract/common.ts";
import type { CurrentRun, RolloutDetail, RolloutPath } from "#lib/contract/rollout.ts";
import { findAdvanceRefusal, judgeActions } from "#lib/domain/acting/judge-actions.ts";
import type { DeliveryDetail } from "#lib/domain/delivery/detail.ts";
import type { DeliverySummary } from "#lib/domain/delivery/provider.ts";
import { findFailedPlugin } from "#lib/domain/delivery/step-words.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { permitOf, readActionGate } from "#lib/server/acting/permission/action-gate.ts";
import { judgeAtCluster, showClusterIdentity } from "#lib/server/acting/permission/judge-at-cluster.ts";
import { readAllRelatedState } from "#lib/server/clusters/sources/read-related-state.ts";
import { explainStaleness } from "#lib/server/clusters/sources/source-freshness.ts";
import { readInboxEvidence } from "#lib/server/pages/inbox/inbox-evidence.ts";
import { describeWait } from "#lib/server/pages/inbox/read-wait-sentences.ts";
import { readHandling } from "#lib/server/pages/inbox/wait-handling.ts";
import { linksOfRollout, readCurrentReleases } from "#lib/server/pages/links/list-links.ts";
import { readReleaseRuns } from "#lib/server/pages/rollout/read-release-runs.ts";
import { findRollout } from "#lib/server/people/permission/find-rollout.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows, sumOf } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { readFreezes, toFreezePeriod } from "#lib/server/records/freeze-row.ts";
import { serializeRollout, teamOf } from "#lib/server/records/rollout-row.ts";

/** Returns one rollout as recorded, with its steps, runs and the caller's current actions. Throws `not_found`. */
export async function getRollout({ ctx, input }: Call<RolloutPath>): Promise<RolloutDetail> {
  const { runtime } = ctx;
  const row = await findRollout(ctx, input);
  const parsed = providerOfKind(row.kind).parse(row.object);
  if (!parsed.ok)
    throw new ServiceError("internal", `The recorded object of ${row.name} cannot be read: ${parsed.reason}.`);
  const rollout = parsed.value;
  const [related, { gate: recorded, source }, { freezes }, runUids, podCounts] = await Promise.all([
    readAllRelatedState(runtime.pool, { ...row, workloads: rollout.workloads }),
    readActionGate({ ctx, row }),
    // A pipeline asks once: those in memory may be older.
    readFreezes(runtime.pool),
    readRunUids(runtime, row.id),
    readPodCounts(runtime, row.id),
  ]);
  const { now } = recorded.permit;
  const gate = { ...recorded, permit: permitOf(ctx, row, now, freezes.map(toFreezePeriod)) };
  const reason = explainStaleness(source, source?.is_held);
  const { acting } = rollout;
  const { workload, currentRuns, ...detail } = rollout.describe(related);
  const [allowedActions, clusterIdentity, releaseRuns, evidence, handling, releases] = await Promise.all([
    judgeAtCluster({
      ctx,
      cluster: row.cluster,
      listAccess: acting.listAccess,
      actions: judgeActions(acting.offer({ now, related, images: row.images }), gate),
    }),
    showClusterIdentity(ctx, row.cluster),
    readReleaseRuns(runtime, row, {
      aborted: detail.aborted,
      isPluginFailed: findFailedPlugin(detail.steps) !== undefined,
    }),
    readInboxEvidence(runtime, [{ ...row, runNames: rollout.runNames }]),
    readHandling(ctx, row),
    readCurrentReleases(runtime, [row.id]),
  ]);
  const own = evidence.get(row.id)?.items ?? [];
  return {
    ...serializeRollout(row, runtime),
    ...detail,
    replicaSets: listReplicaSets(rollout.summarize(related), podCounts),
    workload: workload === null ? null : await readWorkload(runtime, { ...row, workload }),
    currentRuns: listCurrentRuns(currentRuns, runUids),
    releaseRuns,
    sentence: describeWait(row, own),
    evidence: own,
    source: {
      state: source?.state ?? "syncing",
      lastContact: source?.last_contact?.toISOString() ?? null,
      fresh: reason === null,
      reason,
    },
    advanceRefused: findAdvanceRefusal(gate) ?? null,
    allowedActions,
    clusterIdentity,
    firstSeenAt: row.first_seen_at.toISOString(),
    handling,
    links: linksOfRollout(runtime, row, {
      metadata: rollout.metadata,
      stableHash: detail.stableRevisionKey,
      release: releases.get(row.id),
    }),
    onCall: teamOf(runtime, row)?.onCall ?? null,
  };
}

function listReplicaSets(
  { replicaSets }: DeliverySummary,
  podCounts: ReadonlyMap<string, PodCounts>,
): RolloutDetail["replicaSets"] {
  return replicaSets.map((replicaSet) => ({
    name: replicaSet.name,
    revision: replicaSet.revision ?? null,
    podHash: replicaSet.podHash ?? "",
    tags: replicaSet.tags,
    images: replicaSet.images,
    replicas: replicaSet.replicas,
    available: replicaSet.available,
    pods: podCounts.get(replicaSet.name) ?? { total: 0, ready: 0, restarts: 0 },
  }));
}

/** Lists the current runs. The phase of a run in the status may be ahead of the recorded run. */
function listCurrentRuns(runs: DeliveryDetail["currentRuns"], uidByName: ReadonlyMap<string, string>): CurrentRun[] {
  return runs.map((run) => {
    const phase = AnalysisPhase.safeParse(run.phase === "" ? "Pending" : run.phase);
    return { ...run, uid: uidByName.get(run.name) ?? null, phase: phase.success ? phase.data : "Unknown" };
  });
}

/** Maps names of a rollout's runs to uids; a name that was used twice refers to the newest run. */
async function readRunUids({ pool }: Runtime, rolloutId: string): Promise<Map<string, string>> {
  const runs = await prismaOn(pool).analysisRun.findMany({
    where: { rolloutId },
    orderBy: { createdAt: "desc" },
    take: 100,
    select: { name: true, uid: true },
  });
  return new Map(runs.toReversed().map((run) => [run.name, run.uid]));
}

type PodCounts = RolloutDetail["replicaSets"][number]["pods"];

const selectPodCounts = tables
  .selectFrom("replica_set as s")
  .innerJoin("pod as p", "p.owner_uid", "s.uid")
  .select(({ ref }) => [
    "s.name",
    countRows().as("total"),
    countRows(ref("p.ready")).as("ready"),
    sumOf(ref("p.restarts")).as("restarts"),
  ])
  .where("s.presence", "=", "live")
  .where("p.presence", "=", "live")
  .groupBy("s.name");

/** Counts the pods that the cluster has of each ReplicaSet of a rollout, by the ReplicaSet's name. */
async function readPodCounts(runtime: Runtime, rolloutId: string): Promise<Map<string, PodCounts>> {
  const rows = await readRows(runtime.pool, selectPodCounts.where("s.rollout_id", "=", rolloutId));
  return new Map(rows.map(({ name, ...counts }) => [name, counts]));
}

/** Reads what is recorded of the workload whose template a rollout runs. Only Deployments are recorded. */
async function readWorkload(
  runtime: Runtime,
  rollout: { cluster: string; namespace: string; workload: { kind: string; name: string } },
): Promise<RolloutDetail["workload"]> {
  const { kind, name } = rollout.workload;
  if (kind !== "Deployment") return { kind, name, recorded: null };
  const { cluster, namespace } = rollout;
  const recorded = await prismaOn(runtime.pool).deployment.findFirst({
    where: { cluster, namespace, name },
    // Live ones before deleted ones.
    orderBy: [{ presence: "desc" }, { createdAt: "desc" }],
    select: { images: true, desired: true, replicas: true, ready: true, available: true, presence: true },
  });
  return { kind, name, recorded };
}
