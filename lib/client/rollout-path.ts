import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

function segments({ cluster, namespace, kind, name }: ObjectRef): string {
  return [cluster, namespace, kind, name].map(encodeURIComponent).join("/");
}

/** Returns the API path of a rollout. */
export function rolloutApiPath(rollout: ObjectRef): string {
  return `/api/v1/rollouts/${segments(rollout)}`;
}

/** Returns the path of a rollout's page. */
export function rolloutHref(rollout: ObjectRef, tab?: string): string {
  const path = `/rollouts/${segments(rollout)}`;
  return tab === undefined ? path : `${path}?tab=${tab}`;
}

/**
 * What a rollout's logs show: lines around a moment (ISO 8601), and in each column an owner of pods, or a pod. `job`: the
 * Job of one of its analysis runs, whose pods can be chosen too.
 */
type ShownLogs = { at?: string; left?: string; right?: string; job?: string };

/** Returns the path of a rollout's logs; by default the newest lines of the new version beside the stable one. */
export function logsHref(rollout: ObjectRef, shown: ShownLogs = {}): string {
  const query = new URLSearchParams({ tab: "logs", ...shown });
  return `${rolloutHref(rollout)}?${query}`;
}

/** Returns the path of the whole log of a Job by which an analysis run of the rollout measured. */
export function jobLogsHref(rollout: ObjectRef, job: string): string {
  return logsHref(rollout, { job, left: job, right: "none" });
}

export function runHref(uid: string): string {
  return `/analysis-runs/${encodeURIComponent(uid)}`;
}

/** Returns the path of a release's page; `versus` is the id of a release to compare it with. */
export function releaseHref(id: string, versus?: string | undefined): string {
  return `/releases/${encodeURIComponent(id)}${versus === undefined ? "" : `?${new URLSearchParams({ vs: versus })}`}`;
}

export function experimentHref(uid: string): string {
  return `/experiments/${encodeURIComponent(uid)}`;
}

export function auditHref(seq: number): string {
  return `/audit/${seq}`;
}
