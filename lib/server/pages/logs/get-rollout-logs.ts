import type { LogPod, RolloutLogs, RolloutLogsQuery } from "#lib/contract/log.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { PodWithContainers } from "#lib/domain/kube/pod-containers.ts";
import { storableTime } from "#lib/domain/storable/escape-text.ts";
import { explainStaleness, readRolloutSource } from "#lib/server/clusters/sources/source-freshness.ts";
import { assertSomeRead, findLogPlace, readVersionPods } from "#lib/server/pages/logs/find-log-place.ts";
import { logLimits } from "#lib/server/pages/logs/log-limits.ts";
import type { Call } from "#lib/server/process/service-context.ts";

/**
 * Lists the pods of a rollout whose logs can be asked for, read from the cluster as the person. Throws `not_found`,
 * `not_allowed_now`, and `cluster_refused` if the person may not list pods there.
 */
export async function getRolloutLogs({ ctx, input }: Call<RolloutPath & RolloutLogsQuery>): Promise<RolloutLogs> {
  const place = await findLogPlace(ctx, input);
  const [versions, source] = await Promise.all([readVersionPods(place), readRolloutSource(ctx.runtime, place.row)]);
  assertSomeRead(versions);
  const reason = explainStaleness(source, source?.is_held);
  return {
    versions: versions.map(({ isRefused: _refused, pods, ...version }) => ({
      ...version,
      experiment: version.experiment ?? null,
      run: version.run ?? null,
      pods: pods.map(serializePod),
    })),
    readAs: place.as.username,
    source: { fresh: reason === null, reason },
    maxLines: logLimits.maxLines,
  };
}

function serializePod({ name, uid, phase, reason, creationTimestamp, containers }: PodWithContainers): LogPod {
  return {
    name,
    uid,
    phase,
    reason,
    createdAt: storableTime(creationTimestamp),
    containers: containers.map((container) => ({ ...container, startedAt: storableTime(container.startedAt) })),
  };
}
